"""Datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

from . import _core
from ._objects import HLObject, last_component
from ._selection import no_selection, select
from ._types import VARIABLE_KEY, Empty, to_dtype
from ._values import fill_array, pad, unpad

Args = Any  # what stands between brackets: numbers, slices with positive steps, ..., names
Transfer = Callable[[np.ndarray, _core.Hyperslab | None], None]


class Dataset(HLObject):
    """A typed array in a file, as h5py has it.

    `dataset[...]` is @independent: any rank, any time. `read_all` and `write_all` are @collective:
    all ranks take part, each with its own selection, which may be empty (`0:0`), and either all
    succeed or all raise. `with dataset.collective:` makes the brackets collective.

    Selections are numbers, slices with positive steps and `...`; of compound types also names of
    members, for reading. Values written are converted to the stored type by numpy, and broadcast.

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

    # --- what it is ------------------------------------------------------------------------------
    @cached_property
    def datatype(self) -> _core.StoredType:
        """The type as it is stored; also where it cannot be read. @independent"""
        return self._object.datatype

    @cached_property
    def dtype(self) -> np.dtype:
        """Raises UnsupportedError, naming the type, if it cannot be read. @independent"""
        return to_dtype(self.datatype, self._where)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Elements in each dimension; () of a single one, None of none at all. @independent"""
        space = self._object.dataspace
        return None if space.is_null else space.shape

    @property
    def maxshape(self) -> tuple[int | None, ...] | None:
        """How far each dimension may grow; None in it: without a limit. @independent"""
        space = self._object.dataspace
        if space.is_null:
            return None
        limits = space.max_shape or space.shape
        return tuple(None if limit == space.unlimited else limit for limit in limits)

    @property
    def ndim(self) -> int:
        return len(self._object.dataspace.shape)

    @property
    def size(self) -> int | None:
        """Number of elements; None of an empty dataset. @independent"""
        shape = self.shape
        return None if shape is None else int(np.prod(shape, dtype=object))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements in memory. @independent"""
        return (self.size or 0) * self.dtype.itemsize

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """Elements of a chunk in each dimension; None unless stored in chunks. @independent"""
        return self._object.chunk_shape

    @property
    def layout(self) -> str:
        """How it is stored: "compact", "contiguous", "chunked" or "other". @independent"""
        return self._object.layout.name

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            kind = "scalar" if shape == () else "empty"
            raise TypeError(f"Attempt to take len() of {kind} dataset")
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Along the first dimension, one read each. @independent"""
        if not self.shape:
            raise TypeError("Can't iterate over a scalar dataset")
        return (self[row] for row in range(len(self)))

    # --- reading ---------------------------------------------------------------------------------
    def __getitem__(self, args: Args) -> Any:
        """An array of what is selected, or a numpy scalar.

        Raises IndexError, ValueError or TypeError as h5py does, UnsupportedError for lists, masks,
        filters and types that cannot be read. @independent (see `collective`)
        """
        return self.read_all(args) if self._collective else self._read(args, self._read_alone)

    def read_all(self, args: Args = ()) -> Any:
        """The same, together: equal selections are read once and broadcast. @collective @local"""
        return self._together(lambda read: self._read(args, read), self._object.read_all)

    def _read_alone(self, array: np.ndarray, part: _core.Hyperslab | None) -> None:
        if array.size:
            self._object.read(array, part)

    def _read(self, args: Args, read: Transfer) -> Any:
        if self.shape is None:
            return self._empty(args)
        selection = select(self.shape, args)
        if self._has_variable_strings:
            array = self._read_strings(args)
        else:
            array = np.empty(selection.shape, self.dtype)
            read(array, selection.part)
            unpad(array, self.datatype)
        if selection.fields:
            array = _members(array, selection.fields)
        return array if array.ndim or selection.keeps_array else array[()]

    @property
    def _has_variable_strings(self) -> bool:
        return VARIABLE_KEY in (self.dtype.metadata or {})

    def _read_strings(self, args: Args) -> np.ndarray:
        array = np.empty(self.size, dtype=self.dtype)
        array[:] = self._object.strings()
        return np.asarray(array.reshape(self.shape)[args], dtype=self.dtype)

    def _empty(self, args: Args) -> Empty:
        if args != () and args is not Ellipsis:
            raise ValueError("Empty datasets cannot be sliced")
        return Empty(self.dtype)

    def read_direct(self, dest: np.ndarray, source_sel: Args = (), dest_sel: Args = ()) -> None:
        """Reads `source_sel` of the dataset into `dest_sel` of an array, converting to its dtype.

        Raises TypeError if their shapes do not fit. @independent (see `collective`)
        """
        target = dest[dest_sel if dest_sel != () else ...]
        target[...] = fill_array(self[source_sel], dest.dtype, target.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = True) -> np.ndarray:
        if copy is False:
            raise ValueError("an array of a dataset is always a copy")
        return np.asarray(self[()], dtype=dtype)

    # --- writing ---------------------------------------------------------------------------------
    def __setitem__(self, args: Args, value: Any) -> None:
        """Writes what is selected; of a compact dataset other ranks see it after the next flush.

        Raises TypeError if the shapes do not fit, else as reading does; ValueError if the file is
        open for reading only. @independent (see `collective`)
        """
        if self._collective:
            self.write_all(args, value)
        else:
            self._write(args, value, self._write_alone)

    def write_all(self, args: Args, value: Any) -> None:
        """The same, together. @collective @local"""
        self._together(lambda write: self._write(args, value, write), self._object.write_all)

    def write_equal(self, args: Args, value: Any) -> None:
        """All ranks write the same: it goes to the file once, and flush compares.
        @collective @same; does not communicate"""
        self._write(args, value, self._object.write_equal)

    def _write_alone(self, array: np.ndarray, part: _core.Hyperslab | None) -> None:
        if array.size:
            self._object.write(array, part)

    def _write(self, args: Args, value: Any, write: Transfer) -> None:
        if self.shape is None:
            raise ValueError("an empty dataset has no elements to write")
        if self._has_variable_strings:
            raise _core.UnsupportedError("strings of variable length can only be read")
        selection = select(self.shape, args)
        if selection.fields:
            raise _core.UnsupportedError("writing single members of a compound type")
        array = fill_array(value, self.dtype, selection.shape)
        write(pad(array, self.datatype), selection.part)

    def write_direct(self, source: np.ndarray, source_sel: Args = (), dest_sel: Args = ()) -> None:
        """Writes `source_sel` of an array to `dest_sel` of the dataset.
        @independent (see `collective`)"""
        self[dest_sel] = source[source_sel]

    # --- together --------------------------------------------------------------------------------
    @property
    def collective(self) -> AbstractContextManager[None]:
        """`with dataset.collective:` the brackets of this object read and write collectively."""
        return self._collectively()

    @contextmanager
    def _collectively(self) -> Iterator[None]:
        self._collective = True
        try:
            yield
        finally:
            self._collective = False

    def _together(self, work: Callable[[Transfer], Any], transfer: Transfer) -> Any:
        """work(transfer). If it fails here before it gets to the transfer, this rank takes part
        in it all the same, with a part that is refused: all ranks then raise, and none waits."""
        if self.shape is None or self._has_variable_strings:
            return work(transfer)  # which no rank will call
        started = False

        def transfer_once(array: np.ndarray, part: _core.Hyperslab | None) -> None:
            nonlocal started
            started = True
            transfer(array, part)

        try:
            return work(transfer_once)
        except Exception:
            if not started:
                with suppress(Exception):
                    transfer(np.empty(1, np.uint8), no_selection(self.shape))
            raise

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 dataset>"
        try:
            dtype = self.dtype.str
        except _core.UnsupportedError:
            dtype = str(self.datatype)
        return f'<HDF5 dataset "{last_component(self.name)}": shape {self.shape}, type "{dtype}">'


def _members(array: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """One member, or the type of several."""
    if not array.dtype.names:
        raise ValueError("Field names only allowed for compound types")
    for name in names:
        if name not in array.dtype.names:
            raise ValueError(f"Field {name} does not appear in this type.")
    return array[names[0]].copy() if len(names) == 1 else repack_fields(array[list(names)])
