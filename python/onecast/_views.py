"""Views that read a dataset in other ways: as other types, by members, by region references."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields
from numpy.typing import DTypeLike

from . import _core
from ._conversions import require_kind
from ._dtypes import check_string_dtype
from ._interfaces import ViewedDataset
from ._selection import select
from ._types import to_stored
from ._warnings import warning_outside


def refuse_no_copy(copy: bool | None) -> None:
    """Raises ValueError if `__array__` must not copy."""
    if copy is False:
        raise ValueError(
            "An array of a dataset is always a copy: memory allocation cannot be avoided"
        )


class _Shaped:
    """What views of a dataset share."""

    def __init__(self, dataset: ViewedDataset) -> None:
        self._dataset = dataset

    @property
    def shape(self) -> tuple[int, ...] | None:
        return self._dataset.shape

    @property
    def ndim(self) -> int:
        return len(self._dataset.shape or ())

    @property
    def size(self) -> int | None:
        shape = self._dataset.shape
        return None if shape is None else int(np.prod(shape, dtype=object))

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, args: Any) -> Any:
        raise NotImplementedError

    def __array__(self, dtype: Any = None, copy: bool | None = True) -> np.ndarray:
        refuse_no_copy(copy)
        return np.asarray(self[()], dtype=dtype)


class _View(_Shaped):
    def _convert(self, array: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def __getitem__(self, args: Any) -> Any:
        """Reads like `Dataset.__getitem__`. @independent (see `Dataset.collective`)"""
        return self._converted(self._dataset[args])

    def read_all(self, args: Any = (), *, sharing: str | None = None) -> Any:
        """Reads like `Dataset.read_all`. @collective @local"""
        return self._converted(self._dataset.read_all(args, sharing=sharing))

    def _converted(self, found: Any) -> Any:
        scalar = not isinstance(found, np.ndarray)
        array = self._convert(np.asarray(found, dtype=self._dataset.dtype if scalar else None))
        return array[()] if scalar else array


class AsStrView(_View):
    """Reads strings as str."""

    dtype = np.dtype(object)

    def __init__(self, dataset: ViewedDataset, encoding: str | None, errors: str) -> None:
        """Raises TypeError unless the dataset holds strings."""
        super().__init__(dataset)
        info = check_string_dtype(dataset.dtype)
        if info is None:
            raise TypeError(
                "dset.asstr() can only be used on datasets with an HDF5 string datatype"
            )
        self._encoding = encoding or info.encoding
        self._errors = errors

    def __getitem__(self, args: Any) -> Any:
        """Reads like `Dataset.__getitem__`. @independent (see `Dataset.collective`)"""
        is_utf8 = self._encoding.lower().replace("_", "-") in ("utf-8", "utf8")
        found = self._dataset._read_texts(args, self._errors) if is_utf8 else None
        return super().__getitem__(args) if found is None else found

    def _convert(self, array: np.ndarray) -> np.ndarray:
        texts = np.empty(array.size, object)
        texts[:] = [text.decode(self._encoding, self._errors) for text in array.flat]
        return texts.reshape(array.shape)


class AsTypeView(_View):
    """Converts numbers as HDF5 does: values out of range become the nearest value."""

    def __init__(self, dataset: ViewedDataset, dtype: DTypeLike) -> None:
        """Raises TypeError for numpy's StringDType unless the dataset holds strings."""
        super().__init__(dataset)
        self.dtype = np.dtype(dtype)
        if self.dtype.kind == "T" and check_string_dtype(dataset.dtype) is None:
            raise TypeError(
                f"{self.dtype} can only be used on datasets with an HDF5 string datatype"
            )

    def __getitem__(self, args: Any) -> Any:
        found = self._dataset._read_as(args, self.dtype)
        return super().__getitem__(args) if found is None else found

    def read_all(self, args: Any = (), *, sharing: str | None = None) -> Any:
        found = self._dataset._read_all_as(args, self.dtype, sharing)
        return super().read_all(args, sharing=sharing) if found is None else found

    def _convert(self, array: np.ndarray) -> np.ndarray:
        if self.dtype.kind == "T":
            texts = [text.decode("utf-8", "surrogateescape") for text in array.flat]
            return np.array(texts, self.dtype).reshape(array.shape)
        require_kind(array.dtype, self.dtype)
        if array.dtype.kind not in "iufb" or self.dtype.kind not in "iuf":
            return warning_outside(lambda: array.astype(self.dtype))
        out = np.empty(array.shape, self.dtype)
        if array.size:
            contiguous = np.ascontiguousarray(array)
            _core.convert(to_stored(array.dtype), contiguous, to_stored(self.dtype), out)
        return out


class FastReader:
    """The private name through which some users of h5py read."""

    def __init__(self, dataset: ViewedDataset) -> None:
        self._dataset = dataset

    def read(self, args: tuple[Any, ...]) -> Any:
        return self._dataset[args]


class RegionReferences:
    """Makes references to parts of a dataset, and reads them."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getitem__(self, args: Any) -> _core.RegionReference:
        """`[...]` is the whole dataset, also after it was resized. Like Dataset.ref: @replicated
        for a dataset created since the last flush, else @independent."""
        is_all = args is Ellipsis or (isinstance(args, tuple) and all(a is Ellipsis for a in args))
        part = _core.Selection() if is_all else select(self._owner.shape, args).part
        return self._owner._object.region_reference(part)

    def shape(self, reference: _core.RegionReference) -> tuple[int, ...]:
        """The shape of the dataset to which a reference refers. @independent"""
        return self._owner.file[reference].shape

    def selection(self, reference: _core.RegionReference) -> tuple[int, ...]:
        """The shape of the part to which a reference refers. @independent"""
        return self._owner.file[reference]._region(reference).shape


class Fields(_Shaped):
    """Members of the elements of a dataset, for reading: see `Dataset.fields`."""

    def __init__(self, dataset: ViewedDataset, names: str | list[str]) -> None:
        super().__init__(dataset)
        self._single = isinstance(names, str)
        self._names = (names,) if isinstance(names, str) else tuple(names)
        self.dtype = self._of(np.empty(0, dataset.dtype)).dtype

    def _of(self, array: np.ndarray) -> np.ndarray:
        return members_of(array, self._names, keeps_type=not self._single)

    def __getitem__(self, args: Any) -> Any:
        """Reads the members. Raises what `Dataset.__getitem__` does. @independent (see
        `Dataset.collective`)"""
        return self._of(np.asarray(self._dataset[args]))[()]

    def read_all(self, args: Any = (), *, sharing: str | None = None) -> Any:
        """Reads the members like `Dataset.read_all`. @collective @local"""
        return self._of(np.asarray(self._dataset.read_all(args, sharing=sharing)))[()]


def members_of(array: np.ndarray, names: tuple[str, ...], keeps_type: bool = False) -> np.ndarray:
    """Returns one member, or several with their type; with `keeps_type`, also one with its type."""
    if not array.dtype.names:
        raise ValueError("Field names only allowed for compound types")
    for name in names:
        if name not in array.dtype.names:
            raise ValueError(f"Field {name} does not appear in this type.")
    if len(names) == 1 and not keeps_type:
        return array[names[0]].copy()
    return repack_fields(array[list(names)])
