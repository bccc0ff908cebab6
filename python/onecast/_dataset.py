"""Datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._chunks import iter_chunks
from ._dataset_async import Args, BegunTransfers, Transfer
from ._dataset_info import DatasetInfo
from ._dims import DimensionManager
from ._dtypes import Empty
from ._members import assign, covers, structured
from ._new_members import members_given
from ._objects import HLObject
from ._options import sharing_of
from ._pending import words_of
from ._selection import Selection, select
from ._types import memory_type
from ._values import broadcast, decode, encode, fill_array, new_values, type_to_convert
from ._views import (
    AsStrView,
    AstypeView,
    Fields,
    members_of,
    refuse_no_copy,
)


class Dataset(BegunTransfers, DatasetInfo, HLObject):
    """A typed array in a file, as in h5py.

    `dataset[...]` is @independent: any rank may use it at any time. `read_all` and `write_all` are
    @collective: all ranks call them, each with its own selection, which may be empty (`0:0`); they
    succeed on all ranks or raise on all. `with dataset.collective:` makes the brackets collective.

    Selections are numbers, slices with positive steps, `...`, MultiBlockSlice, masks of the whole
    shape, and in one dimension a list of ascending numbers or a mask; for compound types also names
    of members. Written values are broadcast. Arrays of numbers are converted to the stored type as
    HDF5 does, out of range to the nearest value; numpy converts all other values. Members of
    compound values are matched by name. Stored members that the value lacks, or that are not
    selected, keep their values; a write reads them first.

    >>> f = onecast.File("dataset.h5", "w")
    >>> d = f.create_dataset("d", (3, 4), "i4")
    >>> d[0] = [1, 2, 3, 4]
    >>> d[1:, ::2] = 7
    >>> d[...]
    array([[1, 2, 3, 4],
           [7, 0, 7, 0],
           [7, 0, 7, 0]], dtype=int32)
    >>> d[-1, 2]
    np.int32(7)
    >>> f.close()
    """

    _collective = False
    _access: dict[str, Any] | None = None  # what h5py's list of access properties was told

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            kind = "scalar" if shape == () else "empty"
            raise TypeError(f"Attempt to take len() of {kind} dataset")
        return shape[0]

    def len(self) -> int:
        """The extent of the first dimension, as len(). @independent"""
        return self.__len__()

    def __iter__(self) -> Iterator[Any]:
        """Along the first dimension, one read each. @independent"""
        if not self.shape:
            raise TypeError("Can't iterate over a scalar dataset")
        return (self[row] for row in range(len(self)))

    def resize(self, size: int | tuple[int, ...], axis: int | None = None) -> None:
        """Changes the shape, or the extent of one dimension, within `maxshape`. Elements outside of
        a smaller shape are lost; new elements have the fill value.

        Raises TypeError if the dataset is not chunked, ValueError beyond `maxshape` or below 0.
        @collective @same; does not communicate
        """
        if self.chunks is None:
            raise TypeError("Only chunked datasets can be resized")
        shape = self.shape
        if axis is not None:
            if not 0 <= axis < len(shape):
                raise ValueError(f"Invalid axis (0 to {len(shape) - 1} allowed)")
            try:
                size = int(size)
            except TypeError:
                raise TypeError("Argument must be a single int if axis is specified") from None
            size = (*shape[:axis], size, *shape[axis + 1 :])
        elif isinstance(size, (int, np.integer)):
            size = (size,)
        try:
            extents = [int(n) for n in size]
        except (TypeError, ValueError):
            raise TypeError(f"size: a tuple of integers was expected, not {size!r}") from None
        if any(n < 0 for n in extents):
            raise ValueError(f"size: numbers from 0 on were expected, not {tuple(extents)}")
        self._object.resize(extents)

    def iter_chunks(self, sel: Any = None) -> Iterator[tuple[slice, ...]]:
        """The parts of a selection, of slices and numbers, that lie in one chunk each, for the
        brackets; of the whole dataset without a `sel`. Raises TypeError if the dataset is not
        chunked. @independent"""
        if self.chunks is None:
            raise TypeError("Chunked dataset required")
        return iter_chunks(self.shape, self.chunks, sel)

    def flush(self) -> None:
        """Flushes the file, as File.flush. @collective"""
        self.file.flush()

    def refresh(self) -> None:
        """Does nothing: what this file's ranks write is there at once, and changes by other
        programs are seen when the file is opened again. @independent"""

    @property
    def dims(self) -> DimensionManager:
        """The dimensions: `dims[0].label`, `dims[0].attach_scale(scale)`, `dims[0][0]`."""
        return DimensionManager(self)

    def make_scale(self, name: str = "") -> None:
        """Makes the dataset a dimension scale, for `dims[n].attach_scale`. @collective @same"""
        _core.make_scale(self._object, name)

    @property
    def is_scale(self) -> bool:
        """Whether it is a dimension scale. @independent"""
        return _core.is_scale(self._object)

    @property
    def _fast_reader(self) -> FastReader:
        return FastReader(self)

    # --- reading ---------------------------------------------------------------------------------
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
        """Reads the selected elements in one collective call: a part that all ranks want is read
        once and broadcast. `sharing`: overrides the option of File for this call. Raises what the
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
        """Calls read, and returns what makes, when that is done, the array."""
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
        if selection.fields:  # a wrong one fails before others wait for this rank
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
        """Numbers as those of another dtype, converted while they are read; None of all else."""
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
        """Many strings of variable length as str, decoded from UTF-8; None of all else."""
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
        """See type_to_convert(). The core makes no bit fields of numbers: those numpy converts."""
        form = type_to_convert(array, self.dtype)
        is_bitfield = form is not None and self.datatype.type_class == _core.TypeClass.bitfield
        return None if is_bitfield else form

    def _region(self, reference: _core.RegionReference) -> Selection:
        """Raises ValueError if it was never set."""
        if not reference:
            raise ValueError("Invalid HDF5 region reference")
        values = _core.VariableValues(self._object)
        return select(self.shape, values.region(reference, len(self.shape)))

    @property
    def _is_plain(self) -> bool:
        """Are the bytes that are stored what numpy understands?"""
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

    def astype(self, dtype: Any) -> AstypeView:
        """A view that converts numbers, out of range to the nearest value:
        `dataset.astype("i2")[:]`.
        @independent"""
        return AstypeView(self, dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = True) -> np.ndarray:
        refuse_no_copy(copy)
        return np.asarray(self[()], dtype=dtype)

    # --- writing ---------------------------------------------------------------------------------
    def __setitem__(self, args: Args, value: Any) -> None:
        """Writes the selected elements. Other ranks see elements of a compact dataset after the
        next flush, or in a `read_all`.

        Raises TypeError if the shapes do not fit, the exceptions of reading, and ValueError if the
        file is open for reading only. @independent (see `collective`)
        """
        if self._collective:
            self.write_all(args, value)
        else:
            self._write(args, value, self._write_alone)

    def write_all(self, args: Args, value: Any) -> None:
        """Writes the selected elements in one collective call. @collective @local"""
        core = self._object
        self._together(
            lambda write: self._write(args, value, write), core.write_all, core.fail_write_all
        )

    def write_equal(self, args: Args, value: Any, *, sharing: str | None = None) -> None:
        """Writes elements that are equal on all ranks. They are written to the file once, and flush
        compares them. `sharing` overrides the option of File for this call. @collective @same; does
        not communicate"""
        how = sharing_of(sharing)

        def write_equal(data: Any, part: _core.Selection, form: Any) -> None:
            self._object.write_equal(data, part, form, sharing=how)

        self._write(args, value, write_equal)

    def _write_alone(self, data: Any, part: _core.Selection, form: Any) -> None:
        if np.size(data):
            self._object.write(data, part, form)

    def _write(self, args: Args, value: Any, write: Transfer) -> None:
        write(*self._to_write(args, value))

    def _to_write(self, args: Args, value: Any) -> tuple[Any, _core.Selection, Any]:
        """The elements, where they go, and their form: None, as they are stored; a type, to be
        converted; or what keeps those of variable length."""
        if self.shape is None:
            raise ValueError("an empty dataset has no elements to write")
        selection = select(self.shape, args)
        dtype = self.dtype
        form = None if selection.fields else self._type_to_convert(value)
        if form is not None:
            array = np.ascontiguousarray(broadcast(value, selection.shape))
            return array, selection.part, form
        if selection.fields or (dtype.names and structured(value) is not None):
            array = self._with_members(members_given(value, dtype, selection), selection)
        else:
            array = fill_array(value, dtype, selection.shape)
        values = new_values(self.datatype)
        return encode(array, self.datatype, values), selection.part, values

    def _with_members(self, given: np.ndarray, selection: Selection) -> np.ndarray:
        """Elements with these members, the others as they are now."""
        dtype = self.dtype
        if covers(given.dtype, dtype):
            array = np.zeros(selection.shape, dtype)
        else:
            whole = replace(selection, fields=(), keeps_array=True)
            array = self._begin_read_of(whole, self._read_alone)()
        assign(array, broadcast(given, selection.shape))
        return array

    def write_direct(self, source: np.ndarray, source_sel: Args = (), dest_sel: Args = ()) -> None:
        """Writes `source_sel` of an array to `dest_sel` of the dataset.
        @independent (see `collective`)"""
        if self.shape is None:
            raise TypeError("an empty dataset has no elements to write")
        self[dest_sel] = source[source_sel]

    # --- together --------------------------------------------------------------------------------
    @property
    def collective(self) -> AbstractContextManager[None]:
        """In `with dataset.collective:` the brackets of this object read and write collectively."""
        return self._collectively()

    @contextmanager
    def _collectively(self) -> Iterator[None]:
        self._collective = True
        try:
            yield
        finally:
            self._collective = False

    def _together(
        self, work: Callable[[Transfer], Any], transfer: Transfer, fail: Callable[[str], Any]
    ) -> Any:
        """work(transfer). If it fails here before it gets to the transfer, this rank takes part
        by fail(why): all ranks then raise, and none waits."""
        if self.shape is None:
            return work(transfer)  # which no rank will call
        started = False

        def transfer_once(array: np.ndarray, part: _core.Selection, form: Any) -> None:
            nonlocal started
            started = True
            transfer(array, part, form)

        try:
            return work(transfer_once)
        except Exception as error:
            if not started:
                with suppress(Exception):  # this one says it better
                    fail(f"{self.name}: {words_of(error)}")
            raise

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 dataset>"
        try:
            dtype = self.dtype.str
        except _core.UnsupportedError:
            dtype = str(self.datatype)
        return f'<HDF5 dataset {self._short_name()}: shape {self.shape}, type "{dtype}">'


def _takes(out: np.ndarray) -> bool:
    """Can elements be read into it without a copy?"""
    return out.flags.c_contiguous and out.flags.writeable


class FastReader:
    """What h5py's users of that private name read by."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def read(self, args: tuple[Any, ...]) -> Any:
        return self._dataset[args]
