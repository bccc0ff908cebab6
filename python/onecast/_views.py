"""A dataset read as other types: `dataset.asstr()`, `dataset.astype(dtype)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._types import check_string_dtype, to_stored

if TYPE_CHECKING:
    from ._dataset import Dataset


class _View:
    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def _convert(self, array: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def __getitem__(self, args: Any) -> Any:
        """As the dataset does. @independent (see `Dataset.collective`)"""
        found = self._dataset[args]
        scalar = not isinstance(found, np.ndarray)
        array = self._convert(np.asarray(found, dtype=self._dataset.dtype if scalar else None))
        return array[()] if scalar else array

    def __len__(self) -> int:
        return len(self._dataset)

    def __array__(self, dtype: Any = None, copy: bool | None = True) -> np.ndarray:
        if copy is False:
            raise ValueError("an array of a dataset is always a copy")
        return np.asarray(self[...], dtype=dtype)


class AsStrView(_View):
    """Strings as str."""

    def __init__(self, dataset: Dataset, encoding: str | None, errors: str) -> None:
        """Raises TypeError unless the dataset holds strings."""
        super().__init__(dataset)
        info = check_string_dtype(dataset.dtype)
        if info is None:
            raise TypeError(
                "dset.asstr() can only be used on datasets with an HDF5 string datatype"
            )
        self._encoding = encoding or info.encoding
        self._errors = errors

    def _convert(self, array: np.ndarray) -> np.ndarray:
        texts = np.empty(array.size, object)
        texts[:] = [text.decode(self._encoding, self._errors) for text in array.flat]
        return texts.reshape(array.shape)


class AstypeView(_View):
    """Numbers as others, converted as HDF5 does: what is out of range becomes the nearest."""

    def __init__(self, dataset: Dataset, dtype: DTypeLike) -> None:
        super().__init__(dataset)
        self.dtype = np.dtype(dtype)

    def _convert(self, array: np.ndarray) -> np.ndarray:
        if array.dtype.kind not in "iufb" or self.dtype.kind not in "iuf":
            return array.astype(self.dtype)
        out = np.empty(array.shape, self.dtype)
        if array.size:
            contiguous = np.ascontiguousarray(array)
            _core.convert(to_stored(array.dtype), contiguous, to_stored(self.dtype), out)
        return out
