"""Filters by h5py's names: `filters.encode`, `filters.decode`, and objects for `compression`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import _storage
from ._core import Dataspace
from ._filters import known_filters
from ._storage import DEFLATE
from .low import h5d, h5f, h5p, h5z
from .low._identifiers import absent

DEFAULT_GZIP = 4
DEFAULT_SZIP = ("nn", 8)

_all = known_filters()
decode = tuple(known.h5py_name or known.name for known in _all if known.decodes)
"""The names of the filters that can be read."""
encode = tuple(known.h5py_name or known.name for known in _all if known.encodes)
"""The names of the filters that can be written."""


def guess_chunk(
    shape: tuple[int, ...], maxshape: tuple[int | None, ...] | None, typesize: int
) -> tuple[int, ...]:
    """Returns the chunk that create_dataset chooses for `chunks=True`, with elements of `typesize`
    bytes. Raises ValueError for a scalar. @independent

    >>> from onecast.filters import guess_chunk
    >>> guess_chunk((1000, 1000), None, 8)
    (63, 63)
    """
    if not shape:
        raise ValueError("Chunks not allowed for scalar datasets.")
    limits = tuple(Dataspace.unlimited if n is None else n for n in maxshape or ())
    return _storage.guess_chunk(tuple(shape), limits or None, typesize)


class FilterRefBase(Mapping):
    """A filter and its parameters, for `compression=` of create_dataset. A subclass sets
    `filter_id`, a number. Its objects have `filter_options`, a tuple of numbers."""

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


_NAMES = {
    h5z.FILTER_DEFLATE: "gzip",
    h5z.FILTER_SHUFFLE: "shuffle",
    h5z.FILTER_FLETCHER32: "fletcher32",
    h5z.FILTER_SZIP: "szip",
    h5z.FILTER_SCALEOFFSET: "scaleoffset",
    h5z.FILTER_LZF: "lzf",
}


def get_filter_name(code: int) -> str:
    """Returns h5py's name of a filter, or its number as a text. @independent"""
    return _NAMES.get(code, str(code))


def get_filters(plist: h5p.PropDCID) -> dict[str, Any]:
    """Returns {name: parameters} for the filters of a property list. @independent

    >>> f = onecast.File("filters.h5", "w")
    >>> x = f.create_dataset("x", (100,), chunks=(50,), compression="gzip", shuffle=True)
    >>> onecast.filters.get_filters(x.id.get_create_plist())["gzip"]
    4
    >>> f.close()
    """
    found: dict[str, Any] = {}
    options: Any
    for number in range(plist.get_nfilters()):
        code, _, values, _ = plist.get_filter(number)
        match code:
            case h5z.FILTER_DEFLATE:
                options = values[0]
            case h5z.FILTER_SZIP:
                mask, pixels = values[:2]
                options = ("nn" if mask & h5z.SZIP_NN_OPTION_MASK else "ec", pixels)
            case _:
                options = values or None
        found[get_filter_name(code)] = options
    return found


__getattr__ = absent(
    __name__, {"fill_dcpl": "create_dataset takes filters by name, and a PropDCID with h5d.create"}
)
__all__ = [
    "DEFAULT_GZIP",
    "DEFAULT_SZIP",
    "FilterRefBase",
    "Gzip",
    "decode",
    "encode",
    "get_filter_name",
    "get_filters",
    "guess_chunk",
    "h5d",
    "h5f",
    "h5p",
    "h5z",
]
