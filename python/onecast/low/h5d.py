"""Datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._access import set_access
from .._dataset import Dataset
from .._dataset_reading import plan_read
from .._dataset_writing import plan_write
from .._device import device_array, is_of_device, target_of
from .._objects import first_result
from .._selection import Selection, shape_of
from .._storage import whole_numbers
from ._identifiers import HeldID, absent, text
from .h5p import PropDAID, PropDCID, created_as
from .h5s import SpaceID, selection_of
from .h5t import TypeID, type_id

COMPACT, CONTIGUOUS, CHUNKED, VIRTUAL = 0, 1, 2, 3
ALLOC_TIME_DEFAULT, ALLOC_TIME_EARLY, ALLOC_TIME_LATE, ALLOC_TIME_INCR = 0, 1, 2, 3
SPACE_STATUS_NOT_ALLOCATED, SPACE_STATUS_PART_ALLOCATED, SPACE_STATUS_ALLOCATED = 0, 1, 2
FILL_TIME_ALLOC, FILL_TIME_NEVER, FILL_TIME_IFSET = 0, 1, 2
FILL_VALUE_UNDEFINED, FILL_VALUE_DEFAULT, FILL_VALUE_USER_DEFINED = 0, 1, 2
VDS_FIRST_MISSING, VDS_LAST_AVAILABLE = 0, 1


class StoreInfo(NamedTuple):
    chunk_offset: tuple[int, ...]
    filter_mask: int
    byte_offset: int | None
    size: int


class DatasetID(HeldID):
    """A dataset."""

    @property
    def _object(self) -> _core.Dataset:
        return self._hl._object

    @property
    def dtype(self) -> np.dtype:
        return self._hl.dtype

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape; None for h5py.Empty."""
        return self._hl.shape

    @property
    def rank(self) -> int:
        return self._hl.ndim

    def get_type(self) -> TypeID:
        committed = _core.details(self._object)["committed_type"] is not None
        return type_id(self._hl.datatype, None, committed)

    def get_space(self) -> SpaceID:
        space = self._object.dataspace
        return SpaceID(None if space.is_null else space.shape, space.max_shape or None)

    def get_create_plist(self) -> PropDCID:
        return created_as(self._hl)

    def get_access_plist(self) -> PropDAID:
        return PropDAID(**(self._hl._access or {}))

    def get_offset(self) -> int | None:
        """Returns the address of contiguous data, or None. Flushes a file of one process."""
        self._flush_alone()
        found = _core.storage(self._object)
        return found["address"] if found["layout"] == "contiguous" else None

    def get_storage_size(self) -> int:
        """Returns the size in the file, in bytes. Flushes a file of one process."""
        self._flush_alone()
        return self._object.storage_size()

    def get_space_status(self) -> int:
        size = self.get_storage_size()
        return SPACE_STATUS_ALLOCATED if size else SPACE_STATUS_NOT_ALLOCATED

    def set_extent(self, size: tuple[int, ...]) -> None:
        """Resizes the dataset. @replicated"""
        self._hl.resize(tuple(size))

    def extend(self, size: tuple[int, ...]) -> None:
        """Enlarges the dataset to at least `size`; no dimension shrinks.
        @replicated"""
        self.set_extent(tuple(map(max, size, self.shape or ())) if len(size) == self.rank else size)

    def flush(self) -> None:
        """Flushes the dataset. @collective"""
        self._hl.flush()

    def refresh(self) -> None:
        self._hl.refresh()

    # --- elements --------------------------------------------------------------------------------
    def read(
        self, mspace: Any, fspace: Any, arr_obj: np.ndarray, mtype: Any = None, dxpl: Any = None
    ) -> None:
        """Reads the elements that `fspace` selects into those of the array that `mspace` selects.
        @independent, or collective if `dxpl` says so"""
        read = plan_read(self._hl, self._part(fspace))
        values = (read.together if _is_collective(dxpl) else read.alone)(self._object)
        if mtype is not None and mtype.get_class() != self.get_type().get_class():
            raise TypeError(f"there is no conversion to {mtype._stored}")
        _put(arr_obj, mspace, np.asarray(values, dtype=self._hl.dtype))

    def write(
        self, mspace: Any, fspace: Any, arr_obj: np.ndarray, mtype: Any = None, dxpl: Any = None
    ) -> None:
        """Writes the elements of the array that `mspace` selects to those that `fspace` selects.
        @independent, or collective if `dxpl` says so"""
        write = plan_write(self._hl, self._part(fspace), _taken(arr_obj, mspace))
        if _is_collective(dxpl):
            self._object.write_all(*write)
        else:
            write.alone(self._object)

    def _part(self, fspace: Any) -> Selection:
        part = selection_of(fspace)
        shape = self.shape or ()
        whole = shape if part.is_all else shape_of(part, shape)
        count = int(np.prod(whole, dtype=object)) if part.is_all else part.element_count()
        return Selection(part, (count,), (), keeps_array=True)

    # --- chunks ----------------------------------------------------------------------------------
    def _flush_alone(self) -> None:
        """Flushes a file of one process, so that new data has an address."""
        file = self._hl.file
        if file.mode == "r+" and file._core_file.communicator.size == 1:
            file.flush()

    def _chunks(self) -> list[StoreInfo]:
        self._flush_alone()
        return [self._info(chunk) for chunk in self._object.stored_chunks()]

    def _info(self, chunk: tuple) -> StoreInfo:
        start, size, mask, address = chunk
        if address is None:  # written by this rank, not yet flushed
            mask, data = self._object.read_stored_chunk(start)
            size = len(data)
        return StoreInfo(start, mask, address, size)

    def get_num_chunks(self, space: Any = None) -> int:
        """Returns the number of chunks that were written."""
        return len(self._object.stored_chunks())

    def get_chunk_info(self, index: int, space: Any = None) -> StoreInfo:
        """Returns where a chunk is stored. Flushes a file of one process, so that there is an
        address."""
        chunks = self._chunks()
        if not 0 <= index < len(chunks):
            raise IndexError(
                f"index: {len(chunks)} chunks were written, there is no number {index}"
            )
        return chunks[index]

    def get_chunk_info_by_coord(self, coord: tuple[int, ...]) -> StoreInfo:
        self._flush_alone()
        chunk = self._object.find_stored_chunk(whole_numbers(coord, "coord"))
        if chunk is None:
            return StoreInfo(tuple(coord), 0, None, 0)
        return self._info(chunk)

    def chunk_iter(self, func: Callable[[StoreInfo], Any], dxpl: Any = None) -> Any:
        """Calls func(info) for each chunk. Stops at the first result that is not None."""
        return first_result(func, ((info,) for info in self._chunks()))

    def read_direct_chunk(
        self, offsets: tuple[int, ...], dxpl: Any = None, out: Any = None
    ) -> tuple[int, Any]:
        """Returns (filter mask, stored bytes). The bytes are in `out` if that is given: a buffer,
        or an array of a GPU, which is returned as it is. @independent"""
        if out is None:
            return self._object.read_stored_chunk(whole_numbers(offsets, "offsets"))
        if is_of_device(out):
            target = target_of(out).memory
            return self._object.read_stored_chunk_into(whole_numbers(offsets, "offsets"), target)[
                0
            ], out
        view = memoryview(out)
        if view.readonly:
            raise BufferError("out: a buffer that can be written was expected")
        if not view.c_contiguous:
            raise ValueError("out: a C-contiguous buffer was expected")
        mask, size = self._object.read_stored_chunk_into(whole_numbers(offsets, "offsets"), out)
        return mask, view.cast("B")[:size]

    def write_direct_chunk(
        self, offsets: tuple[int, ...], data: Any, filter_mask: int = 0, dxpl: Any = None
    ) -> None:
        """Writes the stored bytes of a chunk, which may be in an array of a GPU. Bits of filters
        that the dataset lacks are ignored. @independent"""
        count = len(_core.storage(self._object)["filters"])
        mask = filter_mask & ((1 << count) - 1)
        held = device_array(data).memory if is_of_device(data) else np.ascontiguousarray(data)
        self._object.write_stored_chunk(whole_numbers(offsets, "offsets"), held, mask)


def _is_collective(dxpl: Any) -> bool:
    return dxpl is not None and dxpl.is_collective


def _places(mspace: Any, shape: tuple[int, ...]) -> np.ndarray | None:
    """Returns the positions of the selected elements in a flat array; None if all are selected."""
    part = selection_of(mspace)
    if part.is_all:
        return None
    if mspace._is_points:
        return np.ravel_multi_index(mspace._points.T.astype(np.int64), mspace.shape)
    numbers = np.arange(int(np.prod(mspace.shape))).reshape(mspace.shape)
    chosen = np.zeros(mspace.shape, bool)
    if not part.is_none:
        for first, last in part.get_select_hyper_blocklist():
            chosen[tuple(slice(a, b + 1) for a, b in zip(first, last, strict=True))] = True
    return numbers[chosen]


def _put(array: np.ndarray, mspace: Any, values: np.ndarray) -> None:
    places = _places(mspace, array.shape)
    # An element that is an array adds its dimensions.
    inner = values.shape[1:]
    flat = array.reshape(-1, *inner) if array.flags.c_contiguous else None
    target = np.ascontiguousarray(array).reshape(-1, *inner) if flat is None else flat
    if places is None:
        target[...] = values
    else:
        target[places] = values
    if flat is None:
        array[...] = target.reshape(array.shape)


def _taken(array: np.ndarray, mspace: Any) -> np.ndarray:
    places = _places(mspace, array.shape)
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat if places is None else flat[places]


def create(
    loc: Any,
    name: str | bytes | None,
    tid: TypeID,
    space: SpaceID,
    dcpl: PropDCID | None = None,
    lcpl: Any = None,
    dapl: Any = None,
    gcpl: Any = None,
) -> DatasetID:
    """Creates a dataset. @replicated"""
    group = loc._hl
    prefix = dapl._get("efile_prefix") if dapl else b""
    options = (dcpl or PropDCID())._options(tid._stored, prefix)
    path = None if name is None else text(name)
    found = group._object.create_dataset(path, tid._stored, space._stored, None, options, None)
    created = group._wrap(found, path)
    set_access(created, dapl and dict(dapl._values))
    return created.id


def open(loc: Any, name: str | bytes, dapl: Any = None) -> DatasetID:
    """Opens a dataset. Raises KeyError if there is none. @independent"""
    found = loc._hl[text(name)]
    if not isinstance(found, Dataset):
        raise ValueError(f"{text(name)!r} is not a dataset")
    set_access(found, dapl and dict(dapl._values))
    return found.id


__getattr__ = absent(__name__, {})
