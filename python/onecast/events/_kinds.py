"""The kinds of files that hold events. A new kind is one more line of a table."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from .._core import FormatError
from .._errors import UsageError
from .._file import File
from .._opening import is_hdf5
from .._ranks import on_rank_0, require_regular
from ._blobs import BlobEvents, is_blob_file
from ._check import check_columnar, check_root
from ._columnar import ColumnarEvents, add_index, groups_of, is_unfinished
from ._events import Events
from ._products import PRODUCT_LAYOUTS, ProductEvents, check_products, is_product_file
from ._root import RootEvents, is_root
from ._writer import Writer

Path = str | bytes | os.PathLike


@dataclass(frozen=True)
class Kind:
    """A kind of file. `recognizes(path)` returns True for its files. `open(path, name, comm,
    **options)` returns Events. `check(events, data)` returns the problems, a line each; with `data`
    it reads everything. If files of this kind can be written, `create(path, name=, expected=,
    is_whole=, classes=, titles=, identity=, comm=, **options)` returns a context with append(data);
    `expected` is the number of events if it is known, `is_whole` means a single append.
    `index(path, name, identity)` makes the index of identities and returns its number of events;
    None if it completed the file without one."""

    name: str
    recognizes: Callable[[str], bool]
    open: Callable[..., Events]
    check: Callable[[Any, bool], list[str]]
    create: Callable[..., Any] | None = None
    index: Callable[..., int | None] | None = None


def _is_columnar(path: str) -> bool:
    if not is_hdf5(path):
        return False
    with File(path, "r") as file:
        return bool(groups_of(file))


_kinds: dict[str, Kind] = {}


def register_kind(kind: Kind) -> None:
    """Registers a kind. It replaces a kind of the same name. @independent"""
    _kinds[kind.name] = kind


register_kind(Kind("columnar", _is_columnar, ColumnarEvents, check_columnar, Writer, add_index))
register_kind(Kind(BlobEvents.kind, is_blob_file, BlobEvents, check_products))
register_kind(Kind("root", is_root, RootEvents, check_root))
register_kind(Kind("products", is_product_file, ProductEvents, check_products))


def kinds() -> list[Kind]:
    return list(_kinds.values())


def creator_of(name: str) -> Callable[..., Any]:
    """Returns `create` of a kind that can be written. Raises ValueError."""
    found = _kinds.get(name)
    if found is None or found.create is None:
        known = ", ".join(kind.name for kind in kinds() if kind.create is not None)
        where = (
            "; the command `onecast events convert` writes it" if name in PRODUCT_LAYOUTS else ""
        )
        raise ValueError(f"layout {name!r}: one of {known} was expected{where}")
    return found.create


def kind_of(path: Path, comm: Any = None) -> Kind:
    """Returns the kind that rank 0 finds. A URL is a ROOT file, which uproot reads. Raises what
    opening the file raises, and FormatError if the file is of no kind. @collective"""

    def find() -> str:
        place = path_of(path)
        if is_url(place):
            return RootEvents.kind
        require_regular(place)
        for kind in kinds():
            if kind.recognizes(place):
                return kind.name
        _refuse_open(place)
        raise FormatError(f"{place}: {_why_no_events(place)}")

    with wait_advised():
        return _kinds[on_rank_0(comm, find)]


@contextmanager
def wait_advised() -> Iterator[None]:
    """Makes the error of a locked file advise to wait for its writer instead of disabling locks:
    without a lock, a reader would find only some of the events."""
    try:
        yield
    except BlockingIOError as error:
        said = (error.strerror or "").partition(" (HDF5_USE_FILE_LOCKING")[0]
        if said == error.strerror or "for writing" not in said:
            raise
        text = f"{said}; wait until its writer closes it"
        raise type(error)(error.errno, text) from None


def _refuse_open(path: str) -> None:
    """Raises BlockingIOError if another process is writing the file, which may become a file of
    events."""
    with suppress(FormatError), File(path, "r"):
        pass


def _why_no_events(path: str) -> str:
    if _has_nothing(path):
        return (
            "holds nothing yet: its writer did not come to the first flush, and may have been "
            "interrupted"
        )
    what = "an HDF5 file" if is_hdf5(path) else "neither HDF5, ROOT nor PDS"
    known = ", ".join(kind.name for kind in kinds())
    return f"holds no events of a known kind ({known}): it is {what}"


def _has_nothing(path: str) -> bool:
    """True for an HDF5 file without events so far. The first flush writes its first bytes, unless
    its memory was full before; then it may have a group without a description."""
    with open(path, "rb") as file:
        if not any(file.read(8)):
            return True
    if not is_hdf5(path):
        return False
    with File(path, "r") as file:
        return is_unfinished(file)


def path_of(location: Path, argument: str = "path") -> str:
    """Returns the path. Raises TypeError that names the argument."""
    try:
        return os.fsdecode(location)
    except TypeError:
        raise TypeError(f"{argument}: a path was expected, not {location!r}") from None


def is_url(path: str) -> bool:
    return "://" in path


def split_name(location: Path, argument: str = "path") -> tuple[str, str | None]:
    """Splits FILE:NAME into (FILE, NAME), and FILE into (FILE, None).

    >>> split_name("missing.root:Events")
    ('missing.root', 'Events')
    >>> split_name("root://server:1094//store/a.root:dir/Events")
    ('root://server:1094//store/a.root', 'dir/Events')
    """
    path = path_of(location, argument)
    if is_url(path):
        before, dot, name = path.rpartition(".root:")
        return (f"{before}.root", name) if dot else (path, None)
    if os.path.exists(path):
        return path, None
    before, _, name = path.rpartition(":")
    start = path
    while ":" in start:  # the name may contain colons, too
        start = start.rpartition(":")[0]
        if os.path.exists(start):
            before, name = start, path[len(start) + 1 :]
            break
    return (before, name) if before and name else (path, None)


def split_target(location: Path, argument: str = "path") -> tuple[str, str | None]:
    """Splits like split_name, for a file that may not exist yet. A text with a dot or a slash
    belongs to the path; it is not the name of a group.

    >>> split_target("missing.h5:Runs"), split_target("missing:2.h5")
    (('missing.h5', 'Runs'), ('missing:2.h5', None))
    """
    path, name = split_name(location, argument)
    if not path_of(location, argument):
        raise UsageError(f"{argument}: a file was expected, not ''")
    if path_of(location, argument).endswith("/"):
        raise UsageError(f"{argument}: a file was expected, not the folder {path_of(location)!r}")
    if name is None or "." in name or "/" in name:
        return path_of(location, argument), None
    return path, name


def refuse_loss(path: str, name: str | None) -> None:
    """Raises FileExistsError for FILE:NAME if the file, which would be replaced, has more
    groups."""
    if name is None or not os.path.exists(path) or not is_hdf5(path):
        return
    try:
        with File(path, "r") as file:
            others = [member for member in file if member != name]
    except FormatError:
        return
    if others:
        text = f"a new file takes its place, and {', '.join(others)} would be lost; File.copy adds"
        raise FileExistsError(errno.EEXIST, f"{text} a group to a file", path)
