"""Reads ROOT files through uproot."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._core import FormatError
from ._events import Columns
from ._forgotten import warn_user
from ._in_batches import InBatches
from ._index import KNOWN
from ._optional import require
from ._root_columns import class_of, columns_of, tree_of, trees_of, without_cycle
from ._root_identity import with_identity

MAGIC = b"root"  # followed by the version and the first byte of data, 4 bytes each, and the size
_LARGE = 1_000_000  # from this version on the size has 8 bytes
_NO_VERSION = 10 * _LARGE
USUAL = ("Events", "events")  # the tree to use if a file has several


class UnreadColumnWarning(UserWarning):
    """A column is left out because it cannot be read."""


class UnpaddedColumnWarning(UnreadColumnWarning):
    """A column is left out because it cannot be padded."""


class UnreadableColumns(ValueError):
    """The data of columns cannot be read. Arguments: the text, and {name: reason}."""

    @property
    def columns(self) -> dict[str, str]:
        return self.args[1]

    def __str__(self) -> str:
        return self.args[0]


class RootEvents(InBatches):
    """A TTree or an RNTuple. Its columns are the branches or fields that hold data. A column in a
    split class has the name of the branch, such as `MCParticles.PDG`. The identity of the events is
    shown as columns of numbers, even if it is a record, or the EventHeader of EDM4hep."""

    kind = "root"

    def __init__(self, path: str, name: str | None = None, comm: Any = None, **options: Any):
        self.path, self.comm = str(path), comm
        with readable(self.path):
            require_whole(self.path)
            # A path as a text could contain a colon.
            self.file = require("uproot").open({self.path: None}, **options)
        try:
            with readable(self.path):
                self.tree = tree_of(self.file, self._name(name))
            self.is_tree = hasattr(self.tree, "branches")
            self._identities: list[np.ndarray] | None = None  #: for find
            self.unread: dict[str, str] = {}  #: name -> why it is no column
            self._paths: dict[str, str] = {}  #: of branches, by which uproot finds them at once
            self.branches = self._fields()
        except BaseException:
            self.file.close()
            raise

    def _name(self, name: str | None) -> str:
        trees = trees_of(self.file)
        if name is not None:
            if name not in trees and without_cycle(name) not in trees:
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

    def _fields(self) -> dict[str, Any]:
        """The branches or fields by the names of the columns."""
        if not self.is_tree:
            return {name: self.tree[name] for name in self.tree.keys(recursive=False)}
        with readable(self.path):
            branches, self._paths, self.unread = columns_of(self.tree)
            return with_identity(branches)

    def warn(self) -> None:
        """Warns on rank 0 of the columns that are left out."""
        warn_of_unread(self.path, self.unread, self.comm)

    # --- what there is ---------------------------------------------------------------------------
    def __len__(self) -> int:
        return int(self.tree.num_entries)

    @property
    def columns(self) -> list[str]:
        return list(self.branches)

    @property
    def products(self) -> dict[str, str]:
        return {name: class_of(branch) for name, branch in self.branches.items()}

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
    def _to_awkward(self, names: list[str], span: tuple[int, int], lazy: bool) -> Any:
        ak = require("awkward")
        first, last = span
        arrays = self._together(names, first, last) or {}
        failures: dict[str, Exception] = {}
        for name in names:
            if name not in arrays:
                try:
                    arrays[name] = self._read(name, first, last)
                except Exception as error:
                    failures[name] = error
        if failures:
            raise self._unreadable(failures) from next(iter(failures.values()))
        layouts = [arrays[name].layout for name in names]
        return ak.Array(ak.contents.RecordArray(layouts, names, length=last - first))

    def _unreadable(self, failures: dict[str, Exception]) -> UnreadableColumns:
        why = {
            name: " ".join(f"uproot cannot read it: {error}".split())
            for name, error in failures.items()
        }
        name, text = next(iter(why.items()))
        return UnreadableColumns(f"{self.path}: column {name}: {text}", why)

    def _together(self, names: list[str], first: int, last: int) -> dict[str, Any] | None:
        """Reads the columns that have a path together, which is faster than one by one, and than by
        names, which uproot looks up in all branches. Returns None if any of them cannot be read."""
        wanted = {name: self._paths[name] for name in names if name in self._paths}
        branches = [(path, self.branches[name].interpretation) for name, path in wanted.items()]
        if not branches:
            return {}
        try:
            arrays = self.tree.arrays(branches, entry_start=first, entry_stop=last, how=tuple)
        except Exception:
            return None
        found = dict(zip(wanted, arrays, strict=True))
        return {name: array for name, array in found.items() if len(array) == last - first}

    def _read(self, name: str, first: int, last: int) -> Any:
        if "." in name and not self.is_tree:  # by itself uproot looks for a field of a field
            array = self.tree.arrays([name], entry_start=first, entry_stop=last)[name]
        else:
            array = self.branches[name].array(entry_start=first, entry_stop=last)
        if len(array) != last - first:
            raise ValueError(f"it has {len(array)} of {last - first} entries")
        return array

    def find(self, run: int, lumi: int, event: int) -> int:
        """See Events.find. The first call reads the columns with the identity."""
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
            if all(name in self.branches and self._is_number(name) for name in names):
                found = self.to_awkward(names)
                return [np.asarray(found[name]) for name in names]
        raise ValueError(f"{self.path}: no columns are run, lumi, event, one number each")

    def _is_number(self, name: str) -> bool:
        """True if the first event has one number."""
        layout = self.to_awkward([name], 0, 1)[name].layout
        return layout.is_numpy and layout.purelist_depth == 1 and layout.dtype.kind in "iuf"

    def close(self) -> None:
        self.is_closed, self._kept = True, None
        self.file.close()


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Turns uproot's errors about damaged files into a FormatError of one line."""
    try:
        yield
    except (LookupError, ImportError):
        raise
    except Exception as error:
        of_system = isinstance(error, OSError) and error.errno is not None
        if of_system or str(error).startswith(f"{path}: "):
            raise
        raise FormatError(" ".join(f"{path}: {error}".split())) from error


def require_whole(path: str) -> None:
    """Raises FormatError if the file is shorter than it states. A URL is not checked."""
    has, wrote = _sizes(path)
    if has < wrote:
        raise FormatError(f"{path}: cut off: it has {has} bytes, and {wrote} were written")


def is_root(path: str) -> bool:
    """True if the file begins as a ROOT file does. Others, such as /etc/passwd, begin with the same
    four letters."""
    with open(path, "rb") as file:
        first = file.read(8)
    version = int.from_bytes(first[4:], "big")
    return len(first) == 8 and first.startswith(MAGIC) and version < _NO_VERSION


def _sizes(path: str) -> tuple[int, int]:
    """Returns the size of the file, and the size in its header; zeros for other files."""
    try:
        with open(path, "rb") as file:
            first = file.read(20)
    except OSError:
        return 0, 0
    if not first.startswith(MAGIC):
        return 0, 0
    is_large = int.from_bytes(first[4:8], "big") >= _LARGE
    return os.path.getsize(path), int.from_bytes(first[12 : 20 if is_large else 16], "big")


def warn_of_unread(path: str, unread: Mapping[str, str], comm: Any) -> None:
    """Warns on rank 0 of the columns that are left out."""
    for name, why in unread.items() if comm is None or comm.rank == 0 else ():
        warn_user(f"{path}: column {name} is left out: {why}", UnreadColumnWarning)
