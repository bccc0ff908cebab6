"""The storage of columns: compression, chunks, and arrays that grow until the file is closed."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from .._core import Selection
from .._errors import UsageError
from .._filters import known_filters
from .._group import Group

DEFAULT_COMPRESSION = "zstd:3"
CHUNK_BYTES = 256 << 10
_TINY = 256  # arrays of at most this size have no chunks
_WRITTEN_AT_ONCE = 16 << 20  # bytes: Python handles Ctrl-C only between two calls
_MOST_WAITS = 64  # an array is written after this many appends, even if it fills no chunk


class Compression(NamedTuple):
    """The compression as arguments of create_dataset."""

    text: str
    filter: int | None = None
    parameters: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return repr(self.text)

    def of(self, dtype: np.dtype) -> dict[str, Any]:
        if self.filter is None:
            return {}
        return {
            "compression": self.filter,
            "compression_opts": self.parameters or None,
            "shuffle": dtype.itemsize > 1,
        }


_FILTERS = {"zstd": "zstd", "lz4": "lz4", "gzip": "deflate", "lzf": "lzf", "bzip2": "bzip2"}


def compression_named(text: str | None) -> Compression:
    """Returns the compression of this name: "none", or a filter with a numeric level, as "zstd:3",
    "lz4", "gzip:6" (also "deflate:6"). None means the default. Raises TypeError, ValueError."""
    if not isinstance(text, str | None):
        raise TypeError(f"compression: a text as 'zstd:3' was expected, not {text!r}")
    text = DEFAULT_COMPRESSION if text is None else text
    name, _, level = text.partition(":")
    if name == "none" and not level:
        return Compression("none")
    name = "gzip" if name == "deflate" else name
    compressing = {known.name: known for known in known_filters() if known.encodes}
    usable = [ours for ours, filter in _FILTERS.items() if filter in compressing]
    if name not in usable:
        raise UsageError(f"compression {text!r}: one of none, {', '.join(usable)} was expected")
    filter = compressing[_FILTERS[name]]
    leveled = {p.name: p for p in filter.parameters}.get("level")
    if leveled is None:
        if level:
            raise UsageError(f"compression {text!r}: {name} has no levels")
        return Compression(name, filter.id)
    level = level or str(leveled.otherwise)
    if not level.lstrip("-").isdigit() or not leveled.least <= int(level) <= leveled.most:
        raise UsageError(
            f"compression {text!r}: a level from {leveled.least} to {leveled.most} was expected"
        )
    number = int(level) & 0xFFFFFFFF  # the filter reads it as signed
    return Compression(f"{name}:{int(level)}", filter.id, (number,))


def can_be_name(text: str) -> bool:
    """True if the text can be the name of an HDF5 object."""
    return "\0" not in text and text.encode("utf-8", "replace").decode() == text


def whole_number(number: Any, least: int | None, name: str) -> int:
    """Returns the number. Raises TypeError, ValueError that name the argument."""
    try:
        found = operator.index(number)
    except TypeError:
        raise TypeError(f"{name}: a whole number was expected, not {number!r}") from None
    if least is not None and found < least:
        raise ValueError(f"{name}: a number from {least} on was expected, not {found}")
    return found


def chunk_rows(row_bytes: int, chunk_bytes: int, expected: int | None) -> int:
    """Returns the number of elements in a chunk, such that `expected` elements fill equal
    chunks."""
    rows = max(1, chunk_bytes // max(1, row_bytes))
    if not expected:
        return rows
    return math.ceil(expected / math.ceil(expected / rows))


class Piece(NamedTuple):
    """Elements that wait. `is_ours` means a copy, which the program that passed them cannot
    change."""

    start: int
    array: np.ndarray
    is_ours: bool

    @property
    def end(self) -> int:
        return self.start + len(self.array)


class GrowingArray:
    """A stored array of which this rank has pieces. They wait in memory until they fill chunks, so
    that no chunk is written twice. An array that never fills a chunk gets its dataset at the
    end."""

    def __init__(
        self, name: str, dtype: np.dtype, inner_shape: tuple[int, ...], compression: Compression
    ) -> None:
        self.name = name
        self.dtype, self.inner_shape = dtype, inner_shape
        self.compression = compression
        self.row_bytes = dtype.itemsize * math.prod(inner_shape)
        self.chunk = 0
        self.dataset: Any = None  # a Dataset, once it has room
        self.total = 0  # elements of all ranks
        self.written = 0
        self.waits = 0  # appends since the last write
        self.pieces: list[Piece] = []

    def state(self) -> tuple[Any, ...]:
        return self.total, self.written, self.waits, list(self.pieces)

    def restore(self, state: tuple[Any, ...]) -> None:
        """Restores the state. A dataset that was created or grew since then stays until it is
        written."""
        self.total, self.written, self.waits, self.pieces = state

    def add(self, start: int, array: np.ndarray, total: int) -> None:
        """Adds this rank's new elements. `total` includes the new elements of all ranks."""
        if len(array):
            self.pieces.append(Piece(start, array, False))
        if total > self.total:
            self.waits += 1
        self.total = total

    def has_length(self, end: int) -> bool:
        """True if the dataset exists and has this length."""
        return self.dataset is not None and len(self.dataset) == end

    def end(self, everything: bool) -> int:
        """Returns up to which element to write. The last chunk waits, even if it is full, since an
        array of one chunk is stored without growing."""
        if everything or self.waits > _MOST_WAITS:
            return self.total
        return max(self.written, (self.total - 1) // self.chunk * self.chunk)

    def make_room(self, group: Group, end: int, is_last: bool) -> None:
        """Creates the dataset or resizes it. @replicated"""
        if self.dataset is not None:
            if end != len(self.dataset):
                self.dataset.resize(end, axis=0)
            return
        shape = (end, *self.inner_shape)
        how: dict[str, Any] = {}
        if not is_last:
            how = {"chunks": (self.chunk, *self.inner_shape), "maxshape": (None, *self.inner_shape)}
            how |= self.compression.of(self.dtype)
        elif end * self.row_bytes > _TINY and self.compression.filter is not None:
            how = {"chunks": (min(end, self.chunk), *self.inner_shape)}
            how |= self.compression.of(self.dtype)
        if self.name in group:  # left by an append that failed
            del group[self.name]
        self.dataset = group.create_dataset(self.name, shape, self.dtype, **how)

    def keep(self) -> None:
        """Copies the waiting elements, so that the program cannot change them."""
        self.pieces = [
            piece if piece.is_ours else Piece(piece.start, piece.array.copy(), True)
            for piece in self.pieces
        ]

    def take(self, end: int) -> tuple[Any, np.ndarray]:
        """Returns the selection and the values of this rank's elements below `end`. `keep` must
        copy the others before the program continues."""
        taken: list[Piece] = []
        left: list[Piece] = []
        for start, array, is_ours in self.pieces:
            count = max(0, min(len(array), end - start))
            if count:
                taken.append(Piece(start, array[:count], is_ours))
            if count < len(array):
                left.append(Piece(start + count, array[count:], is_ours and count == 0))
        self.pieces, self.written, self.waits = left, end, 0
        if not taken:
            return slice(0, 0), np.empty((0, *self.inner_shape), self.dtype)
        if len(taken) == 1:
            return slice(taken[0].start, taken[0].end), taken[0].array
        part = reduce(or_, [self._rows(piece) for piece in taken])
        return part, np.concatenate([piece.array for piece in taken])

    def _rows(self, piece: Piece) -> Selection:
        none = (0,) * len(self.inner_shape)
        return Selection.hyperslab((piece.start, *none), (len(piece.array), *self.inner_shape))


def parts_to_write(
    growing: list[tuple[GrowingArray, int]], is_cut: bool
) -> Iterator[list[tuple[GrowingArray, int]]]:
    """Yields for each write call the arrays and how far each is written. Cut calls end at chunks;
    without `is_cut` there is one call. The bytes of the file are the same."""
    part: list[tuple[GrowingArray, int]] = []
    most = _WRITTEN_AT_ONCE if is_cut else math.inf
    room = most
    for array, end in growing:
        first = at = array.written
        while room < (end - at) * array.row_bytes:
            chunks = int(max(1, room // (array.chunk * array.row_bytes)))
            at = min(end, (at // array.chunk + chunks) * array.chunk)
            yield [*part, (array, at)]
            part, room = [], most
        if at < end or first == end:
            part.append((array, end))
            room -= (end - at) * array.row_bytes
    yield part
