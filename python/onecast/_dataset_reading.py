"""Reading the elements of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._config import get_config
from ._dataset_async import Args, Transfer
from ._dtypes import Empty
from ._options import sharing_of
from ._selection import Selection, select
from ._types import memory_type
from ._values import decode, fill_array, type_to_convert
from ._views import AsStrView, AsTypeView, Fields, members_of, refuse_no_copy


class DatasetReading:
    """The calls of a Dataset that read elements."""

    _object: _core.Dataset
    _collective = False

    @property
    def _fast_reader(self) -> FastReader:
        return FastReader(self)

    def __getitem__(self, args: Args) -> Any:
        """Reads the selected elements: an array or a numpy scalar.

        Raises IndexError, ValueError or TypeError as h5py does, UnsupportedError for filters and
        types that cannot be read. @independent (see `collective`)
        """
        if self._collective:
            return self.read_all(args)
        array = self._object.read_brackets(args)
        return self._read(args, self._read_alone) if array is NotImplemented else array

    def read_all(self, args: Args = (), *, sharing: str | None = None) -> Any:
        """Reads the selected elements in one collective call. A part that all ranks want is read
        once and broadcast. `sharing` overrides the option of File for this call. Raises what the
        brackets raise, and DivergedError with "verify". @collective @local"""
        how = sharing_of(sharing)

        def read_all(array: np.ndarray, part: _core.Selection, form: Any) -> None:
            self._object.read_all(array, part, form, how)

        def fail(why: str) -> None:
            self._object.fail_read_all(why, how)

        return self._together(lambda read: self._read(args, read), read_all, fail)

    def _read_alone(self, array: np.ndarray, part: _core.Selection, form: Any) -> None:
        if array.size:
            self._object.read(array, part, form)

    def _read(self, args: Args, read: Transfer) -> Any:
        return self._begin_read(args, read)()

    def _begin_read(
        self, args: Args, read: Transfer, out: np.ndarray | None = None
    ) -> Callable[[], Any]:
        """Calls `read`, and returns a function that returns the array when the read is done."""
        if self.shape is None:
            empty = self._empty(args)
            return lambda: empty
        if isinstance(args, _core.RegionReference):
            selection = self._region(args)
            if selection.part.is_none and self.shape == ():
                dtype = self.dtype
                return lambda: Empty(dtype)
        else:
            selection = select(self.shape, args)
        return self._begin_read_of(selection, read, out)

    def _begin_read_of(
        self, selection: Selection, read: Transfer, out: np.ndarray | None = None
    ) -> Callable[[], Any]:
        datatype, dtype = self.datatype, self.dtype
        plain = self._is_plain
        if out is not None and out.shape != selection.shape:
            raise TypeError(f"out: shape {selection.shape} was expected, not {out.shape}")
        if out is not None and _takes(out) and not selection.fields:
            form = self._type_to_convert(out)
            if form is not None or (plain and out.dtype == dtype):
                read(out, selection.part, form)
                return lambda: out
        if selection.fields:  # a wrong name fails before others wait for this rank
            members_of(np.empty(0, dtype), selection.fields)
        stored = np.empty(selection.shape, dtype if plain else f"V{datatype.size}")
        read(stored, selection.part, None)

        def finish() -> Any:
            array = stored
            if not plain:
                flat = decode(self._object, datatype, dtype, stored.reshape(-1), stored.size)
                array = flat.reshape(selection.shape + flat.shape[1:])
            if selection.fields:
                array = members_of(array, selection.fields)
            if out is not None:
                out[...] = array
                return out
            return array if array.ndim or selection.keeps_array else array[()]

        return finish

    def _read_as(self, args: Args, dtype: np.dtype) -> Any:
        """Reads numbers as another dtype, converted while they are read; returns None for anything
        else."""
        if self._collective or self.shape is None or isinstance(args, _core.RegionReference):
            return None
        if self._type_to_convert(np.empty(0, dtype)) is None:
            return None
        selection = select(self.shape, args)
        if selection.fields:
            return None
        out = np.empty(selection.shape, dtype)
        array = self._begin_read_of(selection, self._read_alone, out)()
        return array if array.ndim or selection.keeps_array else array[()]

    def _read_texts(self, args: Args, errors: str) -> Any:
        """Reads many strings of variable length as str, decoded from UTF-8; returns None for
        anything else."""
        datatype = self.datatype
        if self._collective or not self.shape or isinstance(args, _core.RegionReference):
            return None
        if datatype.type_class != _core.TypeClass.variable_string:
            return None
        selection = select(self.shape, args)
        if not selection.shape or selection.fields:
            return None
        stored = np.empty(selection.shape, f"V{datatype.size}")
        self._read_alone(stored, selection.part, None)
        texts = np.empty(selection.shape, object)
        _core.VariableValues(self._object).strings(datatype, stored.reshape(-1), texts, errors)
        return texts

    def _type_to_convert(self, array: Any) -> _core.StoredType | None:
        """See type_to_convert(). numpy converts numbers to bit fields, which the core does not."""
        form = type_to_convert(array, self.dtype)
        is_bitfield = form is not None and self.datatype.type_class == _core.TypeClass.bitfield
        return None if is_bitfield else form

    def _region(self, reference: _core.RegionReference) -> Selection:
        """Returns the region to which a reference refers. Raises ValueError for a null
        reference."""
        if not reference:
            raise ValueError("Invalid HDF5 region reference")
        values = _core.VariableValues(self._object)
        return select(self.shape, values.region(reference, len(self.shape)))

    @property
    def _is_plain(self) -> bool:
        """True if numpy understands the stored bytes."""
        stored = self.datatype
        return self._object.plain_dtype is not None and memory_type(stored) == stored

    def _empty(self, args: Args) -> Empty:
        if args != () and args is not Ellipsis:
            raise ValueError("Empty datasets cannot be sliced")
        return Empty(self.dtype)

    def read_direct(self, dest: np.ndarray, source_sel: Args = (), dest_sel: Args = ()) -> None:
        """Reads `source_sel` of the dataset into `dest_sel` of an array, and converts to its dtype.

        Raises TypeError if their shapes do not fit. @independent (see `collective`)
        """
        if self.shape is None:
            raise TypeError("an empty dataset has no elements to read")
        refuse_other_order(dest)
        if not np.asarray(dest).flags.writeable:
            raise TypeError("dest: an array was expected that can be written to")
        form = self._type_to_convert(dest)
        direct = form is not None or (self._is_plain and dest.dtype == self.dtype)
        if direct and dest.ndim and _takes(dest) and not self._collective:
            source, target = select(self.shape, source_sel), select(dest.shape, dest_sel)
            if source.shape == target.shape and not (source.fields or target.fields):
                self._object.read_into_part(dest, dest.shape, target.part, source.part, form)
                return
        index = dest_sel if dest_sel != () else ...
        dest[index] = fill_array(self[source_sel], dest.dtype, np.shape(dest[index]))

    def fields(self, names: str | list[str]) -> Fields:
        """A view that reads only these members of a compound type: `dataset.fields("x")[2:5]`.

        Raises ValueError if the type has no such members. @independent
        """
        return Fields(self, names)

    def asstr(self, encoding: str | None = None, errors: str = "strict") -> AsStrView:
        """A view that reads strings as str: `dataset.asstr()[2:5]`. Raises TypeError if the
        elements are not strings.
        @independent"""
        return AsStrView(self, encoding, errors)

    def astype(self, dtype: Any) -> AsTypeView:
        """A view that converts numbers, out of range to the nearest value:
        `dataset.astype("i2")[:]`.
        @independent"""
        return AsTypeView(self, dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = True) -> np.ndarray:
        refuse_no_copy(copy)
        return np.asarray(self[()], dtype=dtype)


def refuse_other_order(array: Any) -> None:
    """Raises the exception that h5py raises for an array that is not C-contiguous."""
    if get_config()._as_h5py and not np.asarray(array).flags.c_contiguous:
        raise TypeError("Array must be C-contiguous")


def _takes(out: np.ndarray) -> bool:
    """True if elements can be read into the array without a copy."""
    return out.flags.c_contiguous and out.flags.writeable


class FastReader:
    """The private name through which some users of h5py read."""

    def __init__(self, dataset: DatasetReading) -> None:
        self._dataset = dataset

    def read(self, args: tuple[Any, ...]) -> Any:
        return self._dataset[args]
