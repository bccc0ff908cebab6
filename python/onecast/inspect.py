"""What is damaged in a file, and what headers say of objects: for tools, not for reading data."""

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
    from ._group import Group
    from ._objects import HLObject


def check(
    path: str | os.PathLike,
    *,
    data: bool = False,
    limit: int = 1000,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Reads all metadata of a file and verifies it, going on behind what is damaged.

    data: also decode all chunks, and look up all values of variable length
    limit: at most so many findings are listed; all are counted
    progress: called now and then with the numbers of objects looked at, and known so far

    `findings` of the report are dicts of `kind` ("damage", "overlap", "unsupported", "note"),
    `path`, `address`, `structure`, `field` and `what`; `structures`, `filters` and `objects` tell
    what the bytes of the file are used for. Raises FormatError if it is no HDF5 file at all,
    FileNotFoundError and other OSError. @independent

    >>> with onecast.File("sound.h5", "w") as f:
    ...     f["x"] = [1, 2, 3]
    >>> onecast.check("sound.h5")["damaged"]
    False
    """
    return _core.check(os.fsdecode(path), data, limit, progress)


def details(found: HLObject) -> dict[str, Any]:
    """`address` of the header, `header_version`, `reference_count`, `comment`, `modification_time`
    (seconds after 1970), `committed_type` (where the type of a dataset is committed), `type` (of a
    committed datatype). @independent
    """
    return _core.details(found._object)


def header(found: HLObject) -> list[dict[str, Any]]:
    """The records of the object's header as they lie in the file, without what changed since the
    last flush: its blocks, and of each message its header and then its data.

    Each is a dict of `title` (of the record's table in the HDF5 specification), `address`, `size`,
    `fields` and `problem`: why there are no fields, else None. A field is a dict of `address`,
    `size`, `name` and `value`: numbers in decimal, bytes in hexadecimal, text as it is.

    Raises ValueError of an object that is not in the file yet, FormatError where the header itself
    is damaged. @independent

    >>> with onecast.File("plain.h5", "w") as f:
    ...     f["x"] = [1, 2, 3]
    >>> with onecast.File("plain.h5") as f:
    ...     records = onecast.inspect.header(f["x"])
    >>> records[0]["title"], records[0]["fields"][0]["name"], records[0]["fields"][0]["value"]
    ('Version 2 Object Header', 'Signature', 'OHDR')
    """
    return _core.header(found._object)


def storage(dataset: Dataset) -> dict[str, Any]:
    """How a dataset is stored: `layout`, `layout_version`, `chunk_index`, `address`, `size`,
    `filters`, `external`, `fill` ("default", "defined", "undefined"), `fill_value` (bytes),
    `allocation_time`, `fill_time`. @independent"""
    return _core.storage(dataset._object)


def fill_value(dataset: Dataset) -> Any:
    """The fill value that was set; None if none was. Raises UnsupportedError for types that cannot
    be read. @independent"""
    stored = storage(dataset)["fill_value"]
    if not stored:
        return None
    kind = dataset.datatype
    dtype = to_dtype(kind, dataset._where)
    return decode(dataset._object, kind, dtype, stored, 1)[0]


def committed_type_of(found: HLObject, attribute: str) -> int | None:
    """Where the type of an attribute is committed, if it is. @independent"""
    return _core.committed_type_of(found._object, attribute)


def link_class_of(group: Group, name: str) -> int:
    """The number of a link's class: 0 hard, 1 soft, 64 external, above that user-defined.
    @independent"""
    return _core.link_class_of(group._object, name)


@shows_file_options
def forecast(
    path: str | os.PathLike,
    *,
    bytes: int,
    first: int = 0,
    reading: bool = False,
    pattern: str = "contiguous",
    piece: int = 0,
    ranks: int = 1,
    nodes: int = 1,
    **options: Unpack[FileOptions],
) -> dict[str, Any]:
    """How one read_all or write_all of contiguous data would go, of a file that need not be there
    yet, opened with these options of File.

    bytes, first: of the part of the file that is meant, and its offset
    pattern: "contiguous", each rank one part; "interleaved", pieces of `piece` bytes to the ranks
        in turn; "same", every rank all of it

    Returns `method`, `sentence` (the method, why, and counts), `bytes`, `pieces` and `ranks` (that
    want anything), `stripes` (that hold any of it), `stripe_size`, `stripe_count` (0: not known),
    `stripe_source` and `aggregators`. Raises ValueError. @independent

    >>> onecast.inspect.forecast("new.h5", bytes=1 << 26, ranks=8)["method"]
    'plain'
    """
    planned = _core.PlannedTransfer()
    planned.reading, planned.pattern = reading, member(_core.Pattern, "pattern", pattern)
    planned.bytes, planned.first, planned.piece = bytes, first, piece
    planned.ranks, planned.nodes = ranks, nodes
    return _core.forecast(os.fsdecode(path), planned, file_options(options))
