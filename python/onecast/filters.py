"""Filters by h5py's names: `filters.encode`, `filters.decode`, and objects for `compression`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import _storage
from ._core import Dataspace
from ._filters import known_filters
from ._storage import DEFLATE

_all = known_filters()
decode = tuple(known.h5py_name or known.name for known in _all)
"""The names of the filters that can be read."""
encode = tuple(known.h5py_name or known.name for known in _all if known.encodes)
"""The names of the filters that can be written."""


def guess_chunk(
    shape: tuple[int, ...], maxshape: tuple[int | None, ...] | None, typesize: int
) -> tuple[int, ...]:
    """The chunk that create_dataset chooses for `chunks=True`, with elements of `typesize` bytes.
    Raises ValueError for a scalar. @independent

    >>> from onecast.filters import guess_chunk
    >>> guess_chunk((1000, 1000), None, 8)
    (63, 63)
    """
    if not shape:
        raise ValueError("Chunks not allowed for scalar datasets.")
    limits = maxshape and tuple(Dataspace.unlimited if n is None else n for n in maxshape)
    return _storage.guess_chunk(tuple(shape), limits, typesize)


class FilterRefBase(Mapping):
    """A filter and its parameters, for `compression=` of create_dataset. A subclass sets
    `filter_id`, a number, and in objects `filter_options`, a tuple of numbers."""

    filter_id: int | None = None
    filter_options: tuple[int, ...] = ()

    @property
    def _kwargs(self) -> dict[str, Any]:
        return {"compression": self.filter_id, "compression_opts": self.filter_options}

    def __hash__(self) -> int:
        return hash((self.filter_id, self.filter_options))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FilterRefBase)
            and self.filter_id == other.filter_id
            and self.filter_options == other.filter_options
        )

    def __len__(self) -> int:
        return len(self._kwargs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kwargs)

    def __getitem__(self, name: str) -> Any:
        return self._kwargs[name]


class Gzip(FilterRefBase):
    """Deflate, with a level from 0 to 9.

    >>> from onecast.filters import Gzip
    >>> f = onecast.File("gzip.h5", "w")
    >>> f.create_dataset("x", (100,), compression=Gzip(8)).compression_opts
    8
    >>> f.close()
    """

    filter_id = DEFLATE

    def __init__(self, level: int = 4) -> None:
        self.filter_options = (level,)
