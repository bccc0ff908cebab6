"""What groups, datasets and committed types have in common."""

from __future__ import annotations

from typing import Any

from . import _core
from ._attributes import AttributeManager
from ._interfaces import OpenFile, ParentGroup


class HLObject:
    """An object in a file. Two of these are equal if they mean one object in a file."""

    def __init__(self, handle: _core.Object, file: OpenFile | None, name: str | None) -> None:
        self._handle = handle
        self._file = file
        self._name = name

    @property
    def _object(self) -> Any:
        """The object of the core. Raises ValueError if the file is closed."""
        file = self.file if self._file is None else self._file
        if not file._core_file.is_open:
            file._require_open()  # raises
        return self._handle

    @property
    def _where(self) -> str:
        """How errors begin."""
        return f"{self.file._path}: {self.name or 'an anonymous object'}"

    @property
    def file(self) -> OpenFile:
        """The open file. @independent"""
        return self._file

    @property
    def name(self) -> str | None:
        """The path by which the object was opened; None as long as no path is known, as of an
        anonymous object without a link. @independent"""
        if self._name is None:
            self._name = self._handle.path or None
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
        flush gets its address with this call, which is then @collective and does not communicate;
        else it is @independent."""
        return self._object.reference()

    @property
    def comment(self) -> str | None:
        """The comment stored with the object; None if there is none. @independent"""
        return self._object.comment

    @property
    def modification_time(self) -> int | None:
        """The time at which its header was last changed, in seconds since 1970-01-01 UTC; None if
        it is not stored. @independent"""
        return self._object.modification_time

    @property
    def attrs(self) -> AttributeManager:
        """The attributes. @independent; see there for changes"""
        return AttributeManager(self)

    def __bool__(self) -> bool:
        """Whether the file is open."""
        return self.file._is_open

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HLObject) and self._handle.same_object(other._handle)

    def __hash__(self) -> int:
        return self._object.hash()

    def _short_name(self) -> str:
        return quoted(self.name and last_component(self.name))

    def _describe(self, kind: str, details: str) -> str:
        return f"<HDF5 {kind} {details}>" if self else f"<Closed HDF5 {kind}>"


def last_component(path: str) -> str:
    return path.rpartition("/")[2] or "/"


def quoted(name: str | None) -> str:
    """How descriptions show the name of an object."""
    return "(anonymous)" if name is None else f'"{name}"'


def join(base: str, path: str) -> str:
    """The absolute path of `path`, seen from the group `base`, without empty and "." components.

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
    """The same, or None, of an object that gets no link."""
    return None if name is None else check_name(name, doing)


def check_name(name: Any, doing: str = "Accessing a group") -> str:
    """str or bytes -> str; raises TypeError for anything else."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    if not isinstance(name, str):
        raise TypeError(f"{doing} is done with bytes or str, not {type(name)}")
    return name
