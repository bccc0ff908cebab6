"""Reading ROOT files, as far as uproot can."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._core import FormatError
from ._events import Columns
from ._in_batches import InBatches
from ._index import KNOWN
from ._optional import require

MAGIC = b"root"  # then the version and the first byte of data, 4 bytes each, and the size
_LARGE = 1_000_000  # versions from here on have a size of 8 bytes
_NO_VERSION = 10 * _LARGE
USUAL = ("Events", "events")  # the tree that is meant if a file has several


class UnreadColumnWarning(UserWarning):
    """A column that uproot cannot interpret is left out."""


class RootEvents(InBatches):
    """A TTree or an RNTuple. Its columns are the branches, or fields, that hold data; one in a
    split class has the name of the branch: `MCParticles.PDG`."""

    kind = "root"

    def __init__(self, path: str, name: str | None = None, comm: Any = None, **options: Any):
        self.path, self.comm = str(path), comm
        with readable(self.path):
            self.file = require("uproot").open(self.path, **options)
        try:
            with readable(self.path):
                self.tree = self.file[self._name(name)]
            self.is_tree = hasattr(self.tree, "branches")
            self._identities: list[np.ndarray] | None = None  #: for find
            self.unread: dict[str, str] = {}  #: name -> why uproot cannot interpret it
            self.branches = dict(self._branches() if self.is_tree else self._fields())
        except BaseException:
            self.file.close()
            raise

    def _name(self, name: str | None) -> str:
        kinds = self.file.classnames()
        trees = [k.partition(";")[0] for k, c in kinds.items() if "TTree" in c or "RNTuple" in c]
        trees = list(dict.fromkeys(trees))
        if name is not None:
            if name.partition(";")[0] not in trees:  # NAME;CYCLE, as uproot lists them
                known = ", ".join(trees) or "no tree at all"
                raise KeyError(f"{self.path}: there is no tree {name!r}, but {known}")
            return name
        usual = [tree for tree in USUAL if tree in trees] or trees
        if len(usual) != 1:
            raise ValueError(
                f"{self.path}: one tree was expected, not {len(trees)}; "
                f"FILE:TREE names one ({', '.join(trees)})"
            )
        return usual[0]

    def _branches(self) -> Iterator[tuple[str, Any]]:
        leaves = list(_leaves(self.tree.branches, ""))
        names = Counter(branch.name for _, branch in leaves)
        for path, branch in leaves:
            name = branch.name if names[branch.name] == 1 else path
            why = _why_unread(branch, self.tree.file)
            if why is None:
                yield name, branch
            else:
                self.unread[name] = why

    def _fields(self) -> Iterator[tuple[str, Any]]:
        for name in self.tree.keys(recursive=False):
            yield name, self.tree[name]

    def leave_out_unread(self, number: int) -> None:
        """Columns that uproot cannot read, as the event of that number shows, are no columns any
        more. Raises ValueError if there are none left."""
        if number >= len(self) or self._together(self.columns, number, number + 1) is not None:
            return
        for name in self.columns:
            try:
                self._read(name, number, number + 1)
            except ValueError as error:
                if len(self.branches) == 1:
                    raise
                del self.branches[name]
                self.unread[name] = str(error).removeprefix(f"{self.path}: column {name}: ")

    def warn(self) -> None:
        """Names the columns that are left out, on rank 0."""
        named = self.unread if self.comm is None or self.comm.rank == 0 else {}
        for name, why in named.items():
            text = f"{self.path}: column {name} is left out: {why}"
            warnings.warn(text, UnreadColumnWarning, stacklevel=3)

    # --- what there is ---------------------------------------------------------------------------
    def __len__(self) -> int:
        return int(self.tree.num_entries)

    @property
    def columns(self) -> list[str]:
        return list(self.branches)

    @property
    def products(self) -> dict[str, str]:
        return {name: str(branch.typename) or "record" for name, branch in self.branches.items()}

    @property
    def titles(self) -> dict[str, str]:
        said = {
            name: getattr(branch, "title", None) or getattr(branch, "description", None)
            for name, branch in self.branches.items()
        }
        return {name: text for name, text in said.items() if isinstance(text, str) and text != name}

    def bytes_per_event(self, columns: Columns = None) -> float:
        names = self.named(columns)
        sizes = [getattr(self.branches[name], "uncompressed_bytes", None) for name in names]
        return sum(size or 0 for size in sizes) / max(1, len(self))

    def named(self, columns: Columns) -> list[str]:
        if columns is not None and not isinstance(columns, str):
            columns = list(columns)
            for name in columns:
                if name in self.unread:
                    raise KeyError(f"{self.path}: column {name}: {self.unread[name]}")
        return super().named(columns)

    # --- reading ---------------------------------------------------------------------------------
    def to_awkward(
        self,
        columns: Columns = None,
        start: int = 0,
        stop: int | None = None,
        *,
        lazy: bool = True,
    ) -> Any:
        ak = require("awkward")
        first, last = self.span(start, stop)
        names = self.named(columns)
        arrays = self._together(names, first, last)
        if arrays is None:
            arrays = {name: self._read(name, first, last) for name in names}
        layouts = [arrays[name].layout for name in names]
        return ak.Array(ak.contents.RecordArray(layouts, names, length=last - first))

    def _together(self, names: list[str], first: int, last: int) -> dict[str, Any] | None:
        """Much faster than branch by branch; None if one cannot be read, whatever its name."""
        if not self.is_tree:
            return None
        branches = list(self.tree.itervalues())
        count = Counter(branch.name for branch in branches)
        alone = [name for name in names if count[self.branches[name].name] > 1]  # uproot mixes them
        wanted = {id(self.branches[name]): name for name in names if name not in alone}
        in_order = [wanted[id(branch)] for branch in branches if id(branch) in wanted]
        try:
            arrays = self.tree.arrays(
                filter_branch=lambda branch: id(branch) in wanted,
                entry_start=first,
                entry_stop=last,
                how=tuple,
            )
        except Exception:
            return None
        found = dict(zip(in_order, arrays, strict=True)) if wanted else {}
        return found | {name: self._read(name, first, last) for name in alone}

    def _read(self, name: str, first: int, last: int) -> Any:
        try:
            if "." in name and not self.is_tree:  # by itself uproot looks for a field of a field
                return self.tree.arrays([name], entry_start=first, entry_stop=last)[name]
            return self.branches[name].array(entry_start=first, entry_stop=last)
        except Exception as error:
            text = f"{self.path}: column {name}: uproot cannot read it: {error}"
            raise ValueError(" ".join(text.split())) from error

    def find(self, run: int, lumi: int, event: int) -> int:
        """As Events.find: the columns with the identity are read when it is first called."""
        if self._identities is None:
            self._identities = self._read_identities()
        alike = np.ones(len(self), bool)
        for values, wanted in zip(self._identities, (run, lumi, event), strict=True):
            alike &= values == wanted
        found = np.flatnonzero(alike)
        if not len(found):
            raise KeyError(f"{self.path}: there is no event {run}, {lumi}, {event}")
        return int(found[0])

    def _read_identities(self) -> list[np.ndarray]:
        for names in KNOWN:
            if set(names).issubset(self.branches):
                arrays = [self.to_awkward([name])[name] for name in names]
                if all(array.layout.is_numpy for array in arrays):
                    return [np.asarray(array) for array in arrays]
        raise ValueError(f"{self.path}: no columns are run, lumi, event, one number each")

    def close(self) -> None:
        self.is_closed, self._kept = True, None
        self.file.close()


@contextmanager
def readable(path: str) -> Iterator[None]:
    """What uproot says of damage becomes a FormatError of one line."""
    try:
        yield
    except (LookupError, ImportError):
        raise
    except Exception as error:
        of_system = isinstance(error, OSError) and error.errno is not None
        if of_system or str(error).startswith(f"{path}: "):
            raise
        has, wrote = _sizes(path)
        why = f"cut off: it has {has} bytes, and {wrote} were written" if has < wrote else error
        raise FormatError(" ".join(f"{path}: {why}".split())) from error


def is_root(path: str) -> bool:
    """What begins as a ROOT file does: others, as /etc/passwd, begin with the same four letters."""
    with open(path, "rb") as file:
        first = file.read(8)
    version = int.from_bytes(first[4:], "big")
    return len(first) == 8 and first.startswith(MAGIC) and version < _NO_VERSION


def _sizes(path: str) -> tuple[int, int]:
    """The bytes that a file has, and those that it should have; of a URL nothing is known."""
    try:
        with open(path, "rb") as file:
            first = file.read(20)
    except OSError:
        return 0, 0
    is_large = int.from_bytes(first[4:8], "big") >= _LARGE
    return os.path.getsize(path), int.from_bytes(first[12 : 20 if is_large else 16], "big")


def _leaves(branches: Any, above: str) -> Iterator[tuple[str, Any]]:
    """(path, branch) of those that hold data."""
    for branch in branches:
        path = f"{above}{branch.name}"
        if len(branch.branches):
            yield from _leaves(branch.branches, f"{path}/")
        else:
            yield path, branch


def _why_unread(branch: Any, file: Any) -> str | None:
    uproot = require("uproot")
    unknown = uproot.interpretation.identify.UnknownInterpretation
    if isinstance(branch.interpretation, unknown):
        return f"uproot has no interpretation of {branch.typename}"
    try:
        branch.interpretation.awkward_form(file)
    except Exception as error:
        return " ".join(f"uproot makes no array of {branch.typename}: {error}".split())
    return None
