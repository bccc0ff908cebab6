"""Shows identities of ROOT files as columns of numbers, if they are stored in another form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ._index import IDENTITY, KNOWN, SHOWN
from ._optional import require

BRANCH = "EventID"  # written by the outputer ROOT: one record for each event
_HEADER = ("EventHeader.runNumber", "EventHeader.eventNumber")  # EDM4hep has no lumi
_LUMI = 1  # the source ROOT uses it, too


class Member:
    """One number of a record in each event, with the interface of uproot's branches."""

    def __init__(self, name: str, branch: Any, member: str) -> None:
        self.name, self.branch, self.member = name, branch, member
        self.typename = SHOWN[name]
        self.uncompressed_bytes = branch.num_entries * np.dtype(self.typename).itemsize

    def array(self, **options: Any) -> Any:
        return self.branch.array(**options)[self.member]


class Known:
    """Numbers in memory, with the interface of uproot's branches."""

    def __init__(self, name: str, values: np.ndarray) -> None:
        self.name, self.values = name, values
        self.typename, self.uncompressed_bytes = SHOWN[name], values.nbytes

    def array(self, entry_start: int = 0, entry_stop: int | None = None) -> Any:
        return require("awkward").Array(self.values[entry_start:entry_stop])


def with_identity(branches: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the columns of a tree with those of SHOWN, which replace the branch EventID, or come
    first and are read from the EventHeader of EDM4hep."""
    if branches.keys() & SHOWN.keys():
        return dict(branches)
    if BRANCH in branches and _is_record(branches[BRANCH]):
        return dict(_members_apart(branches))
    if any(branches.keys() >= set(names) for names in KNOWN):
        return dict(branches)
    return {**_of_header(branches), **branches}


def _is_record(branch: Any) -> bool:
    dtype = getattr(branch.interpretation, "to_dtype", None)
    return getattr(dtype, "names", None) == tuple(IDENTITY)


def _members_apart(branches: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, branch in branches.items():
        if name != BRANCH:
            yield name, branch
            continue
        for shown, member in zip(SHOWN, IDENTITY, strict=True):
            yield shown, Member(shown, branch, member)


def _of_header(branches: Mapping[str, Any]) -> dict[str, Known]:
    """Returns the identity, if each event has one header with numbers that an identity can have;
    otherwise nothing."""
    if not branches.keys() >= set(_HEADER):
        return {}
    try:
        run, event = (_one_each(branches[name].array()) for name in _HEADER)
    except Exception:  # reading these columns reports the damage
        return {}
    numbers = (run, np.full(len(run), _LUMI), event)
    found = {}
    for (name, dtype), values in zip(SHOWN.items(), numbers, strict=True):
        if len(values) and not 0 <= values.min() <= values.max() <= np.iinfo(dtype).max:
            return {}
        found[name] = Known(name, values.astype(dtype))
    return found


def _one_each(lists: Any) -> np.ndarray:
    """Returns the only element of each list. Raises ValueError if a list does not have one
    element."""
    ak = require("awkward")
    if not ak.all(ak.num(lists) == 1):
        raise ValueError("one element was expected")
    return ak.to_numpy(ak.flatten(lists))
