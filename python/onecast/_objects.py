"""The common part of groups, datasets and committed types."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from . import _core
from ._attributes import AttributeManager
from ._core import StateError
from ._errors import ReadOnlyError
from ._html import html_of
from ._identifiers import identifier_of
from ._interfaces import OpenFile, ParentGroup
from ._views import RegionReferences


class HLObject:
    """An object in a file. Two HLObjects are equal if they stand for one object in a file."""

    _file_class: ClassVar[Any]  # set by the class File
    _moves_known = 0  # how many of the file's moves the name includes

    def __init__(self, handle: Any, file: OpenFile | None = None, name: str | None = None) -> None:
        """Wraps a handle. For an identifier of the low level, wraps its object."""
        if hasattr(handle, "_hl"):
            handle, file, name = self._of_identifier(handle)
        self._handle = handle
        self._file: Any = file
        self._name = name
        if file is not None and file._moves:
            self._moves_known = len(file._moves)

    def _of_identifier(self, identifier: Any) -> tuple[Any, OpenFile, str | None]:
        held = identifier._hl
        if not isinstance(held, type(self)):
            raise ValueError(f"{identifier} is not the identifier of a {type(self).__name__}")
        return held._handle, held.file, held._name

    @property
    def id(self) -> Any:
        """The identifier of h5py's low level. @independent"""
        return identifier_of(self)

    _id = id

    @property
    def _object(self) -> Any:
        """The object of the core. Raises ValueError if the file is closed."""
        file = self.file if self._file is None else self._file
        if not file._core_file.is_open:
            file._require_open()  # raises
        return self._handle

    @property
    def _where(self) -> str:
        """Returns the beginning of error messages."""
        return f"{self.file._path}: {self.name or 'an anonymous object'}"

    def _require_writable(self) -> None:
        """Raises for a read-only file first, whatever the kind of the value to be written."""
        if self.file.mode == "r":
            raise StateError(f"{self.file._path}: the file is open for reading only")

    def _require_removable(self, what: str) -> None:
        if self.file.mode == "r":
            raise ReadOnlyError(f"{self._where}: {what}: the file is open for reading only")

    @property
    def file(self) -> OpenFile:
        """The open file. @independent"""
        return self._file

    @property
    def name(self) -> str | None:
        """The path by which the object was opened, updated when it is moved; if its link was
        removed, another path, if one is known. None while no path is known, as for an anonymous
        object without a link. @independent"""
        moves = self.file._moves
        if self._name is not None and self._moves_known < len(moves):
            self._name = moved(self._name, moves[self._moves_known :])
        if self._name is None:
            self._name = self._handle.path or None
        self._moves_known = len(moves)
        return self._name

    @property
    def parent(self) -> ParentGroup:
        """The group that contains the object by that path. Raises ValueError if none is known.
        @independent"""
        if self.name is None:
            raise ValueError("Parent of an anonymous object is undefined")
        return self.file[self.name.rpartition("/")[0] or "/"]

    @property
    def ref(self) -> _core.Reference:
        """A reference to the object: `file[reference]`. An object that was created since the last
        flush gets its address with this call, which is then @replicated; else it is
        @independent."""
        return self._object.reference()

    @property
    def regionref(self) -> RegionReferences:
        """`dataset.regionref[2:5]` makes a reference to these elements. All objects have
        `shape(reference)` and `selection(reference)`. @independent"""
        return RegionReferences(self)

    @property
    def comment(self) -> str | None:
        """The comment stored with the object, or None. Reading it is @independent, setting it
        @replicated. HDF5 keeps comments for old programs; attributes replace them."""
        return self._object.comment

    @comment.setter
    def comment(self, text: str | None) -> None:
        self._object.set_comment(text or "")

    @property
    def modification_time(self) -> int | None:
        """The time of the last change of its header, in seconds since 1970-01-01 UTC; None if it is
        not stored. @independent"""
        return self._object.modification_time

    @property
    def attrs(self) -> AttributeManager:
        """The attributes. @independent; see there for changes"""
        return AttributeManager(self)

    def __bool__(self) -> bool:
        """True if the file is open."""
        return self.file._is_open

    def __reduce__(self) -> Any:
        """Makes objects of files that one process has open for reading picklable: they are opened
        again. Raises TypeError for other objects."""
        return reopened, (self.file._way_back(), self.name)

    def __dask_tokenize__(self) -> str:
        """Returns a new token each time, like h5py's objects: the file may have changed
        meanwhile."""
        return uuid.uuid4().hex

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HLObject):
            return NotImplemented
        if self._handle is None or other._handle is None:
            return self is other
        return self._handle.same_object(other._handle)

    def __hash__(self) -> int:
        return self._object.hash()

    def _beside(self, found: Any) -> Any:
        """Returns the object of this class for an object of the core in the same file."""
        return type(self)(found, self.file, found.path or None)

    def _repr_html_(self) -> str:
        """Returns the tree of members and attributes that Jupyter shows. @independent"""
        return html_of(self)

    def _short_name(self) -> str:
        return quoted(self.name and last_component(self.name))

    def _close(self) -> None:
        """Makes this object behave as in a closed file after its identifier was closed."""
        self._file = _ClosedFor(self.file)


class _ClosedFor:
    """Replaces the file of one object, which then behaves as in a closed file."""

    is_open = _is_open = False

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._core_file = self

    def _require_open(self) -> None:
        raise _core.StateError("Not a valid identifier: it was closed")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def reopened(way_back: tuple[str, dict[str, Any]], name: str) -> Any:
    """Opens a pickled object again."""
    path, options = way_back
    file = HLObject._file_class(path, "r", **options)
    return file if name == "/" else file[name]


def first_result(func: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Any:
    """Calls func(*arguments) for each tuple of arguments. Stops at the first result that is not
    None, and returns it."""
    for arguments in calls:
        result = func(*arguments)
        if result is not None:
            return result
    return None


def last_component(path: str) -> str:
    return path.rpartition("/")[2] or "/"


def quoted(name: str | None) -> str:
    """Returns the name of an object as descriptions show it."""
    return "(anonymous)" if name is None else f'"{name}"'


def moved(path: str, moves: list[tuple[str, str | None]]) -> str | None:
    """Returns the current path of the object that was at `path` before links were moved and
    removed."""
    for before, after in moves:
        if path == before or path.startswith(before + "/"):
            if after is None:
                return None
            path = after + path[len(before) :]
    return path


def join(base: str, path: str) -> str:
    """Returns the absolute path of `path`, relative to the group `base`, without empty and "."
    components.

    >>> join("/a", "b//c/")
    '/a/b/c'
    >>> join("/a", "/")
    '/'
    """
    whole = path if path.startswith("/") else f"{base.rstrip('/')}/{path}"
    if "//" not in whole and "." not in whole and whole[-1] != "/":
        return whole
    return "/" + "/".join(part for part in whole.split("/") if part not in ("", "."))


def optional_name(name: Any, doing: str) -> str | None:
    """Checks the name as check_name does, but allows None for an object without a link."""
    return None if name is None else check_name(name, doing)


def check_name(name: Any, doing: str = "Accessing a group") -> str:
    """Returns the name as str; raises TypeError unless it is str or bytes."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    if not isinstance(name, str):
        raise TypeError(f"{doing} is done with bytes or str, not {type(name)}")
    return name
