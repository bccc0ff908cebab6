"""Finds the trees of a ROOT file, the branches that are columns, and why others are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ._optional import require

BLOB = "offsetsAndBlob"  # the branch with whole events, written by `ROOTEvent=FILE:pair`
_OF_BLOB = (
    "it has the products of each event as a blob in a struct pair, which uproot cannot read; "
    "`onecast-events convert` can"
)


# --- trees ---------------------------------------------------------------------------------------
def trees_of(file: Any) -> list[str]:
    """Returns the names, without cycles, of TTrees, of objects whose class begins with a TTree,
    such as TNtuple, and of RNTuples."""
    names = [
        without_cycle(name)
        for name, kind in file.classnames().items()
        if kind.endswith("RNTuple") or _steps_to_tree(file, kind) is not None
    ]
    return list(dict.fromkeys(names))


def without_cycle(name: str) -> str:
    """Removes the cycle of NAME;CYCLE, uproot's form."""
    before, _, cycle = name.rpartition(";")
    return before if before and cycle.isdigit() else name


def tree_of(file: Any, name: str) -> Any:
    """Returns uproot's TTree or RNTuple of that name. Raises LookupError."""
    *folders, last = name.split("/")
    place = file
    for folder in folders:
        place = place.key(folder).get()
    key = place.key(last)
    steps = _steps_to_tree(file, key.fClassName)
    if not steps:
        return key.get()
    # uproot does not read the baskets of most of these classes, but they begin with a TTree.
    chunk, cursor = key.get_uncompressed_chunk_cursor()
    cursor.skip(_BEFORE_BASE * steps)
    tree = file.file.class_named("TTree")
    return tree.read(chunk, cursor, {"breadcrumbs": (), "TKey": key}, file.file, file.file, key)


_BEFORE_BASE = 6  # the bytes of an object's size and of its class version


def _steps_to_tree(file: Any, kind: str) -> int | None:
    """Returns the number of base classes from a class to the TTree with which it begins, according
    to the file's streamers; None if it does not."""
    seen: list[str] = []
    while kind != "TTree":
        versions = file.file.streamers.get(kind)
        if kind in seen or not versions:
            return None
        seen.append(kind)
        first: Any = next(iter(versions[max(versions)].elements), None)
        if type(first).__name__ != "Model_TStreamerBase":
            return None
        kind = first.name
    return len(seen)


# --- columns -------------------------------------------------------------------------------------
class RootColumns(NamedTuple):
    """The columns of a tree. `branches` has the branches by column; `paths` the paths by which
    uproot finds columns directly; `unread` the reasons why others are not columns."""

    branches: dict[str, Any]
    paths: dict[str, str]
    unread: dict[str, str]


def columns_of(tree: Any) -> RootColumns:
    """Returns the columns of a TTree."""
    found = RootColumns({}, {}, {})
    branches = [branch for branch in tree.branches if not _is_blob(branch)]
    if len(branches) < len(tree.branches):
        found.unread[BLOB] = _OF_BLOB
    leaves = list(_leaves(branches, ""))
    for name, (path, branch) in zip(_names_of(leaves), leaves, strict=True):
        why = _why_unread(branch, tree)
        if why is not None:
            found.unread[name] = " ".join(why.split())
            continue
        found.branches[name] = branch
        if _finds(tree, f"/{path}", branch):
            found.paths[name] = f"/{path}"
    return found


def class_of(branch: Any) -> str:
    """Returns uproot's name of the class. uproot cannot name every class that it can read."""
    try:
        return str(branch.typename) or "record"
    except Exception:
        return "unknown"


def _leaves(branches: Any, above: str) -> Iterator[tuple[str, Any]]:
    """Yields (path, branch) for branches that hold data."""
    for branch in branches:
        path = f"{above}{branch.name}"
        if len(branch.branches):
            yield from _leaves(branch.branches, f"{path}/")
        else:
            yield path, branch


def _names_of(leaves: list[tuple[str, Any]]) -> list[str]:
    """Returns the name of each branch, or its path if several branches have that name. If several
    have one path, the second gets _2, and so on."""
    count = Counter(branch.name for _, branch in leaves)
    names = [branch.name if count[branch.name] == 1 else path for path, branch in leaves]
    taken = set(names)
    seen: set[str] = set()
    for place, name in enumerate(names):
        number = 2
        while names[place] in seen:
            if f"{name}_{number}" not in taken:
                names[place] = f"{name}_{number}"
            number += 1
        seen.add(names[place])
        taken.add(names[place])
    return names


def _finds(tree: Any, path: str, branch: Any) -> bool:
    """True if uproot finds this branch by the path. Names may contain slashes, and two branches may
    have one path."""
    try:
        return tree[path] is branch
    except LookupError:
        return False


def _is_blob(branch: Any) -> bool:
    return branch.name == BLOB and class_of(branch).startswith("pair<")


def _why_unread(branch: Any, tree: Any) -> str | None:
    uproot = require("uproot")
    kind = class_of(branch)
    try:
        interpretation = branch.interpretation
    except Exception as error:
        return f"uproot has no interpretation of {kind}: {error}"
    if isinstance(interpretation, uproot.interpretation.identify.UnknownInterpretation):
        return f"uproot has no interpretation of {kind}"
    try:
        interpretation.awkward_form(tree.file)
    except Exception as error:
        return f"uproot makes no array of {kind}: {error}"
    return _what_lacks(branch, tree)


def _what_lacks(branch: Any, tree: Any) -> str | None:
    if branch.num_entries < tree.num_entries:
        return f"it has {branch.num_entries} of the {tree.num_entries} entries of its tree"
    elsewhere = branch.member("fFileName", none_if_missing=True)
    if elsewhere:
        return f"its data is in the file {elsewhere}"
    count = branch.member("fWriteBasket")
    sizes = np.asarray(branch.member("fBasketBytes")[:count], np.int64)
    begins = np.asarray(branch.member("fBasketSeek")[:count], np.int64)
    outside = (sizes > 0) & ((begins <= 0) | (begins > tree.file.fEND - sizes))
    if outside.any():
        return f"not in the file: {outside.sum()} of its {count} baskets"
    try:
        branch.entry_offsets  # noqa: B018 : raises
    except Exception as error:
        return f"uproot finds its baskets wrong: {error}"
    return None
