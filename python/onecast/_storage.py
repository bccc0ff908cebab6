"""Translates h5py's keywords for the storage of datasets."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._config import get_config
from ._conversions import require_conversion
from ._dtypes import Empty
from ._errors import ExtentError
from ._filters import known_filters
from ._members import by_name, structured
from ._types import stored_for, to_stored
from ._values import encode, fill_array, many_to_convert, new_array, shape_of_elements

Shape = tuple[int, ...]

_SMALLEST, _LARGEST = 16 << 10, 1 << 20  # bytes of a guessed chunk
_UNKNOWN = 1024  # assumed extent of a dimension that grows from nothing

# The filters for which h5py has keywords.
DEFLATE, SHUFFLE, FLETCHER32, SZIP, SCALE_OFFSET, LZF = (
    next(known.id for known in known_filters() if known.name == name)
    for name in ("deflate", "shuffle", "fletcher32", "szip", "scaleoffset", "lzf")
)
GZIP_NAMES = ("gzip", "deflate")
GZIP_LEVEL = 4  # h5py's default

PLAIN = _core.DatasetOptions()
_COMPACT = _core.DatasetOptions(layout=_core.Layout.compact)
_CONTIGUOUS = _core.DatasetOptions(layout=_core.Layout.contiguous)


class Storage(NamedTuple):
    """The storage arguments of create_dataset. None means not given."""

    compact: bool | None = None
    chunks: Shape | int | bool | None = None
    maxshape: tuple[int | None, ...] | bool | None = None
    compression: Any = None
    compression_opts: Any = None
    shuffle: bool | None = None
    fletcher32: bool | None = None
    scaleoffset: int | bool | None = None
    fillvalue: Any = None
    external: Any = None
    committed_type: _core.Object | None = None
    track_order: bool = False
    fill_time: str | None = None
    allow_unknown_filter: bool = False
    track_times: bool = False
    external_prefix: bytes = b""

    @property
    def _is_filtered(self) -> bool:
        scaled = self.scaleoffset is not None and self.scaleoffset is not False
        return bool(self.shuffle or self.fletcher32 or scaled or self._is_compressed)

    @property
    def _is_compressed(self) -> bool:
        return self.compression is not None and self.compression is not False  # 0 is a level

    @property
    def _asks(self) -> str:
        """Returns the arguments that require chunks."""
        names = "chunks", "maxshape", "compression", "shuffle", "fletcher32", "scaleoffset"
        told = [name for name in names if getattr(self, name) not in (None, False)]
        return ", ".join(name for name in told if name != "maxshape" or told == ["maxshape"])

    @property
    def _is_plain(self) -> bool:
        """True if only `compact` is given. It is fast, since most datasets are plain."""
        given: tuple[Any, ...] = self
        _, a, b, c, d, e, f, g, h, i, j, orders, k, _, times, _ = given
        return not (orders or times) and a is b is c is d is e is f is g is h is i is j is k is None

    def options(
        self, shape: Shape | None, dtype: np.dtype, stored: _core.StoredType, values: Any = None
    ) -> _core.DatasetOptions:
        """Returns the core's options. Raises TypeError and ValueError as h5py does. `values` keeps
        the fill value."""
        if self._is_plain:
            return PLAIN if self.compact is None else _COMPACT if self.compact else _CONTIGUOUS
        fill = None
        if self.fillvalue is not None:
            if dtype.names and isinstance(self.fillvalue, int | float | np.number):
                raise ValueError(f"fillvalue {self.fillvalue!r}: members are missing")
            try:
                fill = encode(fill_array(self.fillvalue, dtype, ()), stored, values)
            except (TypeError, ValueError) as error:
                kind = TypeError if isinstance(error, TypeError) else ValueError
                raise kind(f"fillvalue {self.fillvalue!r}: {error}") from None
        chunk = self._chunk(shape, stored.size)
        layout = None
        if self.compact:
            layout = _core.Layout.compact
        elif self.compact is not None and not chunk:
            layout = _core.Layout.contiguous
        filters = self._filters(dtype) if chunk else []
        slots = _slots(self.external)
        if slots and chunk:
            raise ValueError(f"external: data in other files has no chunks: not with {self._asks}")
        return _core.DatasetOptions(
            layout,
            chunk or (),
            filters,
            fill,
            slots,
            committed_type=self.committed_type,
            track_attributes=self.track_order,
            fill_time=_core.FillTime.ifset if self.fill_time is None else _time(self.fill_time),
            track_times=self.track_times,
            external_prefix=self.external_prefix,
        )

    def limits(self, shape: Shape | None) -> Shape | None:
        """Returns the maximum shape; None if the shape is fixed."""
        if self.maxshape is None or self.maxshape is False:
            return None
        if not shape:
            if self.maxshape == ():
                return None
            kind = "Empty" if shape is None else "Scalar"
            raise TypeError(f"{kind} datasets cannot be extended")
        unlimited = _core.Dataspace.unlimited
        if self.maxshape is True:
            return (unlimited,) * len(shape)
        limits = _of_rank(self.maxshape, shape, "maxshape")
        return tuple(unlimited if n is None else int(n) for n in limits)

    def _chunk(self, shape: Shape | None, element_size: int) -> Shape | None:
        wants = self._is_filtered or (bool(self.maxshape) and self.external is None)
        if self.compression is None and self.compression_opts is not None:
            raise TypeError("Compression method must be specified")
        if self.chunks is None and not wants:
            return None
        if self.chunks is False:
            if wants:
                raise ValueError("Chunked format required for given storage options")
            return None
        if not shape:
            kind = "Empty" if shape is None else "Scalar"
            raise TypeError(f"{kind} datasets don't support chunk/filter options")
        if self.chunks is None or self.chunks is True:
            return guess_chunk(shape, self.limits(shape), element_size)
        return whole_numbers(_of_rank(self.chunks, shape, "chunks"), "chunks")

    def _filters(self, dtype: np.dtype) -> list[_core.Filter]:
        """Returns the filters in h5py's order: fletcher32 last, so that it guards the stored
        bytes."""
        filters = []
        if self.scaleoffset is not None and self.scaleoffset is not False:
            filters.append(self._scale_offset(self.scaleoffset, dtype))
        if self.shuffle:
            filters.append(_core.Filter.shuffle())
        if self._is_compressed:
            known_only = not self.allow_unknown_filter
            filters.append(_compression(self.compression, self.compression_opts, known_only))
        if self.fletcher32:
            filters.append(_core.Filter.fletcher32())
        return filters

    def _scale_offset(self, scale: int, dtype: np.dtype) -> _core.Filter:
        if self.fletcher32:
            raise ValueError("fletcher32 cannot be used with potentially lossy scale/offset filter")
        if scale < 0:
            raise ValueError("scale factor must be >= 0")
        if dtype.kind in "ui":
            return _core.Filter.scale_offset(0 if scale is True else scale)
        if dtype.kind != "f":
            raise TypeError(
                "scale/offset filter only supported for integer and floating-point types"
            )
        if scale is True:
            raise ValueError("integer scaleoffset must be provided for floating point types")
        return _core.Filter.scale_offset_decimal(scale)


def _time(name: str) -> _core.FillTime:
    if name not in _core.FillTime.__members__:
        expected = ", ".join(_core.FillTime.__members__)
        raise ValueError(f"fill_time: one of {expected} was expected, not {name!r}")
    return _core.FillTime[name]


def _slots(external: Any) -> list[tuple[str, int, int]]:
    """Returns the files given in h5py's forms: a name, or several (name[, offset[, size]])."""
    if external is None:
        return []
    if isinstance(external, (str, bytes, os.PathLike)):
        external = [(external, 0, _core.Dataspace.unlimited)]
    slots = []
    exactly = get_config()._as_h5py
    for entry in external:
        is_name = isinstance(entry, (str, bytes, os.PathLike))
        if not isinstance(entry, Iterable) or (exactly and is_name):
            raise TypeError(f"external: a list of (name, offset, size) was expected, not {entry!r}")
        parts = (entry,) if is_name else tuple(entry)
        if not (3 if exactly else 1) <= len(parts) <= 3:
            raise ValueError(f"external: {entry!r} is not (name, offset, size)")
        name, offset, size = parts + (0, _core.Dataspace.unlimited)[len(parts) - 1 :]
        try:
            offset, size = operator.index(offset), operator.index(size)
        except TypeError:
            raise TypeError(f"external: {entry!r}: offset and size are numbers") from None
        if offset < 0 or size < 0:
            raise ValueError(f"external: {entry!r}: offset and size are not negative")
        slots.append((os.fspath(name), offset, size))
    return slots


def _of_rank(numbers: int | Iterable[Any], shape: Shape, name: str) -> tuple[Any, ...]:
    if isinstance(numbers, (int, np.integer)):
        numbers = (numbers,)
    try:
        numbers = tuple(numbers)
    except TypeError:
        raise TypeError(f"{name!r} argument must be None or a sequence object") from None
    if len(numbers) != len(shape):
        raise ValueError(f"{name!r} must have same rank as dataset shape")
    numbers = tuple(None if n is None else _whole(n, name) for n in numbers)
    if any(n is not None and n < 0 for n in numbers):
        raise ExtentError(f"{name!r} must not be negative: {numbers}")
    return numbers


def _compression(method: Any, options: Any, known_only: bool = True) -> _core.Filter:
    """Returns the filter for h5py's names and numbers, or for an object of hdf5plugin."""
    if hasattr(method, "filter_id"):
        method, options = method.filter_id, method.filter_options
    if method is True:
        method = "gzip"
    if method == "gzip":
        level = GZIP_LEVEL if options is None else options
        if level not in range(10):
            raise ValueError(f"GZIP setting must be an integer from 0-9, not {level!r}")
        return _core.Filter.deflate(level)
    if method == "lzf":
        if options is not None:
            raise ValueError("LZF compression filter accepts no options")
        return _core.Filter.lzf()
    if method == "szip":
        coding, pixels = _szip_options(options)
        return _core.Filter.szip(coding == "ec", pixels)
    if not isinstance(method, (int, np.integer)):
        raise ValueError(f'Compression filter "{method}" is unavailable')
    if method in range(10) and options is None:
        return _core.Filter.deflate(int(method))  # h5py's old form of the level
    if method == 0:
        raise TypeError("compression: 0 is a level of gzip, which has no options")
    if method < 0:
        raise ValueError(f"Invalid filter number: {method}")
    # If an optional filter is missing, the dataset could be created, but not written.
    if known_only:
        _require_encoder(int(method))
    values = (options,) if isinstance(options, int) else () if options is None else options
    return _core.Filter(int(method), True, [int(v) for v in values])


def _require_encoder(id: int) -> None:
    known = next((known for known in known_filters() if known.id == id), None)
    if known is None:
        raise ValueError(
            f"Unknown compression filter number: {id}: register_filter with an encoder,"
            " load_filter_plugins, or import hdf5plugin"
        )
    if not known.decodes:
        raise ValueError(
            f"Compression filter number {id} ({known.name}): Onecast was built without its library"
        )
    if not known.encodes:
        raise ValueError(
            f"Compression filter number {id} ({known.name}) is only read: there is no encoder, or"
            " its plug-in needs the HDF5 library to set itself up for each dataset"
        )


def _szip_options(options: Any) -> tuple[str, int]:
    message = "SZIP options must be a 2-tuple ('ec'|'nn', even integer 0-32)"
    try:
        coding, pixels = ("nn", 8) if options is None else options
    except TypeError:
        raise TypeError(message) from None
    if coding not in ("ec", "nn") or not (0 < pixels <= 32 and pixels % 2 == 0):
        raise ValueError(message)
    return coding, pixels


def plan_dataset(
    shape: tuple[int, ...] | int | None, dtype: np.dtype | None, data: Any, fillvalue: Any = None
) -> tuple[_core.StoredType, tuple[int, ...] | None, np.ndarray | None, np.dtype]:
    """Returns type, extents (None for an empty dataset), value, and numpy's type."""
    if isinstance(data, Empty):
        dtype = data.dtype if dtype is None else dtype
        return to_stored(dtype), None, None, dtype
    if shape is not None:
        shape = (shape,) if isinstance(shape, int) else whole_numbers(shape, "shape")
        if shape and min(shape) < 0:
            raise ExtentError(f"shape {shape}: extents cannot be negative")
    if data is None:
        dtype = np.dtype("f4") if dtype is None else dtype
        return to_stored(dtype), shape, None, dtype
    given = None if fillvalue is None else structured(data)
    if given is not None and dtype is not None and dtype.names:
        data = by_name(given, dtype, fill_array(fillvalue, dtype, ()))
    require_conversion(data, dtype)
    array = many_to_convert(data, dtype)
    if array is None:
        array = new_array(data, dtype)
    extents = shape_of_elements(array, dtype)
    if shape is not None:
        if math.prod(shape) != math.prod(extents):
            raise ValueError("Shape tuple is incompatible with data")
        extents = shape
    return stored_for(array, dtype), extents, array, array.dtype if dtype is None else dtype


def whole_numbers(numbers: Any, name: str) -> Shape:
    """Returns them as int. Raises TypeError, or ExtentError for those of more than 64 bits."""
    if not isinstance(numbers, Iterable):
        raise TypeError(f"{name}: a tuple of numbers was expected, not {numbers!r}")
    return tuple(_whole(n, name) for n in numbers)


def _whole(number: Any, name: str) -> int:
    """Converts like int(), but not from text."""
    try:
        is_number = isinstance(number, float | np.number)
        whole = int(number) if is_number else operator.index(number)
    except TypeError:
        raise TypeError(f"{name}: numbers were expected, not {number!r}") from None
    if whole >= 1 << 64:
        raise ExtentError(f"{name}: {whole} has more than 64 bits")
    return whole


def guess_chunk(shape: Shape, limits: Shape | None, element_size: int) -> Shape:
    """Returns a chunk of 16 KiB to 1 MiB, larger for larger datasets, with similar extents."""
    chunk = [
        max(1, n) if n or limits is None else min(limits[d], _UNKNOWN) or 1
        for d, n in enumerate(shape)
    ]
    total = math.prod(chunk) * element_size
    target = min(max(16 * math.isqrt(total), _SMALLEST), _LARGEST)
    while math.prod(chunk) * element_size > target and max(chunk) > 1:
        longest = max(range(len(chunk)), key=lambda d: chunk[d])
        chunk[longest] = (chunk[longest] + 1) // 2
    return tuple(chunk)


# --- what is stored ------------------------------------------------------------------------------
def filters_of(found: _core.Dataset) -> dict[int, list[int]]:
    """Returns the parameters of each filter, by number, in the order of writing."""
    return {f["id"]: f["client_data"] for f in _core.storage(found)["filters"]}


def compression_of(found: _core.Dataset) -> tuple[str | None, Any]:
    """Returns h5py's name of the compression and its options; None for a filter without such a
    name."""
    filters = filters_of(found)
    if DEFLATE in filters:
        return "gzip", filters[DEFLATE][0]
    if SZIP in filters:
        coding, pixels = filters[SZIP][:2]
        return "szip", ("ec" if coding & 4 else "nn", pixels)
    if LZF in filters:
        return "lzf", None
    return ("unknown" if set(filters) - {SHUFFLE, FLETCHER32, SCALE_OFFSET} else None), None
