"""Damage in a file, and the contents of headers: for tools, not for reading data."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Unpack

from . import _core
from ._file_options import FileOptions
from ._options import file_options, member, shows_file_options
from ._types import to_dtype
from ._values import decode

if TYPE_CHECKING:
    from ._dataset import Dataset
    from ._objects import HLObject


def check(
    path: str | os.PathLike,
    *,
    data: bool = False,
    limit: int = 1000,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Reads and verifies all metadata of a file, and continues behind damage.

    data: also decode all chunks, and look up all values of variable length
    limit: the largest number of listed findings; all are counted
    progress: called from time to time with the number of objects done and of objects known so far

    `findings` of the report are dicts of `kind` ("damage", "overlap", "unsupported", "note"),
    `path`, `address`, `structure`, `field` and `what`; `structures`, `filters` and `objects` say
    what the bytes of the file are used for. Raises FormatError if it is not an HDF5 file,
    FileNotFoundError and other OSError. @independent

    >>> with onecast.File("sound.h5", "w") as f:
    ...     f["x"] = [1, 2, 3]
    >>> onecast.check("sound.h5")["damaged"]
    False
    """
    return _core.check(os.fsdecode(path), data, limit, progress)


def details(found: HLObject) -> dict[str, Any]:
    """Returns `address` of the header, `header_version`, `reference_count`, `comment`,
    `modification_time` (seconds since 1970-01-01 UTC), `committed_type` (the address of a dataset's
    committed datatype), `type` (of a committed datatype), `link_limits`, `attribute_limits` (how
    many the object header holds at most, and below which number they return to it). @independent
    """
    return _core.details(found._object)


def tracked_orders(found: HLObject) -> set[str]:
    """Returns which of "links" and "attributes" the object tracks in order of creation.
    @independent"""
    stored = found._object
    names = {"attributes"} if stored.tracks_attributes else set()
    return names | ({"links"} if getattr(stored, "tracks_links", False) else set())


def header(found: HLObject) -> list[dict[str, Any]]:
    """Returns the records of the object's header as they are in the file, without changes since the
    last flush: its blocks and, for each message, the message header and then its data.

    Each is a dict of `title` (of the record's table in the HDF5 specification), `address`, `size`,
    `fields` and `problem` (why the record could not be decoded, else None). A field is a dict of
    `address`, `size`, `name` and `value`: numbers in decimal, bytes in hexadecimal, text unchanged.

    Raises ValueError for an object that is not in the file yet, FormatError if the header itself is
    damaged. @independent

    >>> with onecast.File("plain.h5", "w") as f:
    ...     f["x"] = [1, 2, 3]
    >>> with onecast.File("plain.h5") as f:
    ...     records = onecast.inspect.header(f["x"])
    >>> records[0]["title"], records[0]["fields"][0]["name"], records[0]["fields"][0]["value"]
    ('Version 2 Object Header', 'Signature', 'OHDR')
    """
    return _core.header(found._object)


def storage(dataset: Dataset) -> dict[str, Any]:
    """Returns how a dataset is stored: `layout`, `layout_version`, `chunk_index`, `address`,
    `size`, `filters`, `external`, `fill` ("default", "defined", "undefined"), `fill_value` (bytes),
    `allocation_time`, `fill_time`. @independent"""
    return _core.storage(dataset._object)


def fill_value(dataset: Dataset) -> Any:
    """Returns the fill value that was set, or None. Raises UnsupportedError for types that cannot
    be read. @independent"""
    stored = storage(dataset)["fill_value"]
    if not stored:
        return None
    kind = dataset.datatype
    dtype = to_dtype(kind, dataset._where)
    return decode(dataset._object, kind, dtype, stored, 1)[0]


def committed_type_of(found: HLObject, attribute: str) -> int | None:
    """Returns the address of the committed datatype of an attribute; None if the type is not
    committed. @independent"""
    return _core.committed_type_of(found._object, attribute)


@shows_file_options
def forecast(
    path: str | os.PathLike,
    *,
    bytes: int,
    first: int = 0,
    reading: bool = False,
    pattern: str = "contiguous",
    piece: int = 0,
    chunk: int = 0,
    ranks: int = 1,
    nodes: int = 1,
    **options: Unpack[FileOptions],
) -> dict[str, Any]:
    """Forecasts the method of one read_all or write_all of contiguous data or of filtered chunks,
    for a file opened with these options of File. The file need not exist.

    bytes, first: size and offset of the transferred part of the file
    pattern: "contiguous", each rank one part; "interleaved", pieces of `piece` bytes dealt to the
        ranks in turn; "same", every rank all bytes
    chunk: size in bytes, in memory, of a filtered chunk, or of a row of chunks if they are narrower
        than the array; 0: contiguous data

    Returns `method`, `sentence` (the method, the reason for it, and counts), `bytes`, `pieces`,
    `ranks` (that transfer anything), `stripes` (that hold transferred bytes), `stripe_size`,
    `stripe_count` (0: not known),
    `stripe_source` and `aggregators`. Raises ValueError. @independent

    >>> onecast.inspect.forecast("new.h5", bytes=1 << 26, ranks=8)["method"]
    'plain'
    """
    planned = _core.PlannedTransfer()
    planned.reading, planned.pattern = reading, member(_core.Pattern, "pattern", pattern)
    planned.bytes, planned.first, planned.piece = bytes, first, piece
    planned.chunk, planned.ranks, planned.nodes = chunk, ranks, nodes
    return _core.forecast(os.fsdecode(path), planned, file_options({**options}))
