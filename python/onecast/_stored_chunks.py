"""Chunks in their stored form, in one array."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._asarray import empty_like
from ._dataset import Dataset
from ._device import host_array, is_of_device, target_of
from ._selection import select


class StoredChunk(NamedTuple):
    """A chunk that read_stored_chunks() has read."""

    start: tuple[int, ...]
    """The coordinates of its first element."""
    offset: int
    """The position of its first byte in the array; a multiple of 16."""
    size: int
    """Its bytes, as stored."""
    filter_mask: int
    """Bit n set: filter n of the dataset was not applied."""


def read_stored_chunks(
    dataset: Dataset, args: Any = (), *, out: Any = None, like: Any = None
) -> tuple[Any, list[StoredChunk]]:
    """Reads the chunks with selected elements as they are stored, for programs that decode them by
    themselves, such as on a GPU. Returns the array of bytes, and where each chunk lies in it.

    out: the array to read into, C-contiguous; in memory of the process or of a GPU. Raises
        ValueError if it is too small.
    like: without `out`, a new array is made: of NumPy, or of the library of this array or module,
        as in `asarray`.
    Raises KeyError if a chunk was never written, ValueError if the dataset is not chunked, and what
    the brackets raise. @independent

    >>> with onecast.File("chunks.h5", "w") as file:
    ...     d = file.create_dataset("d", data=np.zeros(2000), chunks=(1000,), compression="gzip")
    ...     stored, chunks = onecast.read_stored_chunks(d, slice(1000, 2000))
    ...     [(chunk.start, chunk.size == stored.nbytes) for chunk in chunks]
    [((1000,), True)]
    """
    if dataset.shape is None:
        raise ValueError("an empty dataset has no chunks")
    part = select(dataset.shape, args).part
    memory = None if out is None else _memory_of(out)

    def room(size: int) -> _core.DeviceArray | np.ndarray:
        nonlocal out
        if memory is not None:
            return memory
        out = empty_like(np if like is None else like, (size,), np.dtype("u1"))
        return _memory_of(out)

    chunks = dataset._object.read_stored_chunks(part, room)
    return out, [StoredChunk(*chunk) for chunk in chunks]


def _memory_of(out: Any) -> _core.DeviceArray | np.ndarray:
    if is_of_device(out):
        return target_of(out).memory
    array = host_array(out)
    if not isinstance(array, np.ndarray):
        try:
            array = np.asarray(memoryview(array))
        except TypeError:
            raise TypeError(f"out: an array was expected, not {type(out).__name__}") from None
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise TypeError("out: a C-contiguous array was expected that can be written to")
    return array
