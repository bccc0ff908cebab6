"""The index of events by identity: run, luminosity block, event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .._dataset import Dataset
from .._errors import UsageError
from .._file import File
from .._group import Group
from .._ranks import on_rank_0
from ._nodes import Node, words
from ._storage import Compression

INDEX = "identity"
IDENTITY = {"run": "uint32", "lumi": "uint32", "event": "uint64"}
MEMBERS = (*IDENTITY, "entry")
ENTRY = np.dtype([*IDENTITY.items(), ("entry", "uint64")])
_CHUNK = 4096  # entries
_UNFILTERED = 16  # the index has no chunks up to this many entries

# The columns of files that store the identity apart from their products, with their types.
SHOWN = {f"EventID_{name}": kind for name, kind in IDENTITY.items()}
# The usual names of these columns in high-energy physics: kUsualIdentities of the library.
KNOWN = (
    ("run", "luminosityBlock", "event"),
    tuple(IDENTITY),
    ("run", "subrun", "event"),
    tuple(SHOWN),
)


class Identity(NamedTuple):
    """The columns with the identity of an event."""

    run: str
    lumi: str
    event: str

    @classmethod
    def given(cls, names: Sequence[str] | None) -> Identity | None:
        if names is None:
            return None
        if isinstance(names, str) or len(names) != 3:
            raise UsageError(
                f"identity: the names of three columns, run, lumi, event, not {names!r}"
            )
        if len(set(names)) != 3:
            raise UsageError(f"identity: three columns were expected, not {', '.join(names)}")
        return cls(*names)


def identity_in(given: Identity | None, columns: dict[str, Node]) -> Identity | None:
    """Returns the given columns, which must exist, or those of KNOWN that exist. Raises ValueError
    that names a column without one number for each event."""
    there = [Identity(*names) for names in KNOWN if columns.keys() >= set(names)]
    fit = [names for names in there if all(_is_number(columns[name]) for name in names)]
    found = given or next(iter(fit + there), None)
    for name in found or ():
        if name not in columns:
            raise ValueError(f"identity: there is no column {name!r} of one integer per event")
        if not _is_number(columns[name]):
            said = words(columns[name])
            raise ValueError(
                f"column {name!r}: one integer for each event was expected, not {said}"
            )
    return found


def why_no_identity(columns: dict[str, Node]) -> str | None:
    """Returns None if columns with usual names have an identity."""
    try:
        if identity_in(None, columns) is not None:
            return None
    except ValueError as error:
        return str(error)
    missing = ([name for name in names if name not in columns] for names in KNOWN)
    fewest = min(missing, key=lambda names: len(names))
    return f"the file lacks the columns {', '.join(fewest)} to make it of"


def _is_number(node: Node) -> bool:
    """True if there is one number for each event. Floats count, since they may be integers; their
    values decide."""
    return node.kind == "numbers" and node.dtype.kind in "iuf" and not node.inner_shape


def sorted_index(columns: Sequence[np.ndarray], names: Sequence[str] = KNOWN[0]) -> np.ndarray:
    """Returns the entries by identity, equal ones in the order of the file. Floats are converted if
    all of them are integers that a float represents exactly. Raises ValueError for a number that an
    identity cannot have."""
    index = np.empty(len(columns[0]), ENTRY)
    for member, values, name in zip(MEMBERS, columns, names, strict=False):
        most = int(np.iinfo(ENTRY[member]).max)
        if values.dtype.kind == "f":
            most = min(most, (2 << np.finfo(values.dtype).nmant) - 1)  # larger floats skip integers
            if len(others := values[values != np.floor(values)]):
                raise ValueError(f"column {name}: integers were expected, not {others[0]}")
        if len(values) and not 0 <= values.min().item() <= values.max().item() <= most:
            raise ValueError(f"column {name}: numbers from 0 to {most} were expected")
        index[member] = values
    index["entry"] = np.arange(len(index))
    return index[np.lexsort((index["event"], index["lumi"], index["run"]))]


def write_index(
    file: File,
    group: Group,
    columns: Sequence[Dataset],
    comm: Any,
    compression: Compression,
) -> None:
    """Writes the index. Rank 0 reads and sorts the columns, with 24 bytes for each event, and as
    much for sorting. @collective"""
    index = np.empty(0, ENTRY)

    def read_and_sort() -> None:
        nonlocal index
        names = [(column.name or "").rpartition("/")[2].removesuffix("-data") for column in columns]
        index = sorted_index([column[...] for column in columns], names)

    on_rank_0(comm, read_and_sort)
    count = len(columns[0])
    store_index(file, group, index, count, compression)


def store_index(
    file: File, group: Group, index: np.ndarray, count: int, compression: Compression
) -> None:
    """Stores the index of `count` entries. This rank has all of them or none. @collective"""
    how: dict[str, Any] = {}
    if count > _UNFILTERED and compression.filter is not None:
        how = {"chunks": (min(count, _CHUNK),)} | compression.of(ENTRY)
    dataset = group.create_dataset(INDEX, (count,), ENTRY, **how)
    file.write_multi([(dataset, slice(0, len(index)), index)])


def find_in(index: Dataset, wanted: tuple[int, int, int]) -> int | None:
    """Returns the first entry with that identity in a sorted index. Few chunks are read."""
    low, high = 0, -(-len(index) // _CHUNK)  # the number of chunks that begin below `wanted`
    while low < high:
        middle = (low + high) // 2
        first = index[middle * _CHUNK]
        if tuple(int(first[member]) for member in MEMBERS[:3]) < wanted:
            low = middle + 1
        else:
            high = middle
    block = index[max(low - 1, 0) * _CHUNK : low * _CHUNK + 1]
    alike = np.ones(len(block), bool)
    for member, value in zip(MEMBERS, wanted, strict=False):
        alike &= block[member] == value
    found = np.flatnonzero(alike)
    return int(block["entry"][found[0]]) if len(found) else None
