"""Groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy as np

from . import _copy, _core
from ._config import get_config
from ._dataset import Dataset
from ._datatype import Datatype
from ._errors import as_h5py
from ._external import open_external
from ._filters import load_imported_plugins
from ._interfaces import OpenFile
from ._links import AnyLink, ExternalLink, HardLink, SoftLink, UserDefinedLink, link_of
from ._mapping import ReadOneByOne
from ._new_datasets import NewDatasets, checked_times
from ._objects import HLObject, check_name, first_result, join, optional_name, quoted
from ._types import to_stored


def wrap(found: _core.Object, file: OpenFile, name: str | None) -> Any:
    """Returns the package's object for an object of the core."""
    load_imported_plugins()
    return _CLASSES[type(found)](found, file, name)


class Group(NewDatasets, ReadOneByOne, MutableMapping):
    """A group of named objects: a mapping from names and paths to objects, as in h5py.

    Lookups are @independent. Creating and deleting are @replicated.

    >>> f = onecast.File("groups.h5", "w")
    >>> zone = f.create_group("base/zone")
    >>> zone["x"] = [1.0, 2.0]
    >>> list(f), "base/zone/x" in f, f["base"].visit(lambda name: None)
    (['base'], True, None)
    >>> del f["base/zone/x"]
    >>> zone["x"]
    Traceback (most recent call last):
    KeyError: ...
    >>> f.close()
    """

    # The mapping is compared by the identity of the object.
    __eq__ = HLObject.__eq__
    __hash__ = HLObject.__hash__

    def _wrap(self, found: _core.Object, path: str | None) -> Any:
        if not found.in_file_of(self._handle):  # an external link led to another file
            return wrap(found, self.file._other(found), found.path or None)
        nameless = not path or (self.name is None and not path.startswith("/"))
        name = None if nameless or path is None else join(self.name or "/", path)
        return wrap(found, self.file, name)

    def _name_below(self) -> Callable[[str], str | None]:
        """Returns a function that turns paths into names relative to this group."""
        if self.name is None:
            return lambda path: None
        return (self.name.rstrip("/") + "/").__add__

    # --- looking up ------------------------------------------------------------------------------
    def __getitem__(self, name: str | bytes | _core.Reference) -> Any:
        """Returns the object at a path, relative or absolute, or the target of a Reference.

        If the path leads through an external link, `file`, `name` and `parent` of the object are
        those in the other file. Raises KeyError if there is no object, UnsupportedError if the
        option `follow_external` forbids following the link, ValueError for a reference that was
        never set. @independent
        """
        if isinstance(name, _core.Reference):
            return self._referenced(name)
        path = check_name(name)
        if not path:
            raise KeyError("the name of an object cannot be empty")
        return self._wrap(self._object.open(path), path)

    def _referenced(self, reference: _core.Reference) -> Group | Dataset | Datatype:
        if not reference:
            raise ValueError("Invalid HDF5 object reference")
        found = self._object.open(reference)
        return self._wrap(found, found.path)

    def get(
        self,
        name: str | bytes,
        default: Any = None,
        getclass: bool = False,
        getlink: bool = False,
        *,
        elink_mode: str | None = None,
        elink_swmr: bool | None = None,
        elink_locking: bool | str | None = None,
    ) -> Any:
        """Returns the object at a path, or `default`; its class if `getclass`; its link (HardLink,
        SoftLink, ExternalLink, UserDefinedLink) if `getlink`; the class of the link if both.

        elink_mode, elink_swmr, elink_locking: if the name is that of an external link, how the
            other file is opened: "r" or "r+", as by File(swmr=...) and File(locking=...). It stays
            open as long as the result exists. Raises ValueError for "r+" from a file that is open
            for reading

        @independent"""
        if getlink:
            link = self._link(name)
            return default if link is None else type(link) if getclass else link
        otherwise = (elink_mode, elink_swmr, elink_locking)
        link = None if otherwise == (None, None, None) else self._link(name)
        if isinstance(link, ExternalLink):
            found = open_external(self.file, link, *otherwise)
        else:
            try:
                found = self[name]
            except KeyError:
                found = None
        if found is None:
            return default
        return type(found) if getclass else found

    def _link(self, name: str | bytes) -> AnyLink | None:
        """Returns the last link of a path."""
        link = self._stored_link(name)
        return None if link is None else link_of(link)

    def _stored_link(self, name: str | bytes) -> _core.Link | None:
        """Returns the last link of a path, as the file has it."""
        path = check_name(name).rstrip("/")
        folder, slash, last = path.rpartition("/")
        if not last:
            return None
        try:
            group = self[folder or "/"] if slash else self
        except KeyError:
            return None
        if not isinstance(group, Group):
            return None
        return group._object.find_link(last)

    def links(self) -> dict[str, AnyLink]:
        """A mapping from names to links for all members; opens none of them. @independent"""
        return {link.name: link_of(link) for link in self._object.links()}

    def __contains__(self, name: object) -> bool:
        """True if there is a link at that path, even if it dangles. @independent"""
        path = check_name(name)
        if not self or not path:
            return False
        try:
            return not path.strip("/.") or self._object.contains(path)
        except KeyError:  # the path leads into another file, which does not exist
            return False

    def __iter__(self) -> Iterator[str]:
        """The names, in order of creation if that is tracked, else sorted. @independent"""
        return iter(self._object.link_names())

    def __len__(self) -> int:
        return self._object.link_count()

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._object.link_names())

    def _members(self) -> Iterator[tuple[str, Any]]:
        """Yields (name, object) for each link; the object is None if the link dangles."""
        file, name_of = self.file, self._name_below()
        for members in iter(_core.Members(self._object).next, []):
            for name, found in members:
                yield name, self.get(name) if found is None else wrap(found, file, name_of(name))

    def visit(self, func: Callable[[str], Any]) -> Any:
        """Calls func(path) for everything below the group, each object once, along hard links, by
        name. Stops at the first result that is not None, and returns it. @independent"""
        return self.visititems(lambda name, _: func(name))

    def visititems(self, func: Callable[[str, Any], Any]) -> Any:
        """Calls func(path, object) as `visit` calls func(path). @independent"""
        file, name_of = self.file, self._name_below()
        walk = iter(_core.Walk(self._object).next, None)
        return first_result(func, ((p, wrap(found, file, name_of(p))) for p, found in walk))

    def visit_links(self, func: Callable[[str], Any]) -> Any:
        """Calls func(path) for every link below the group, by name, as `visit` does for every
        object. Each group is visited once. @independent"""
        return self.visititems_links(lambda name, _: func(name))

    def visititems_links(self, func: Callable[[str, AnyLink], Any]) -> Any:
        """Calls func(path, link) as `visit_links` calls func(path). @independent"""
        seen = {self}
        groups = [("", iter(sorted(self.links().items())), self)]
        while groups:
            prefix, links, group = groups[-1]
            for name, link in links:
                result = func(prefix + name, link)
                if result is not None:
                    return result
                below = group[name] if isinstance(link, HardLink) else None
                if isinstance(below, Group) and below not in seen:
                    seen.add(below)
                    inner = iter(sorted(below.links().items()))
                    groups.append((f"{prefix}{name}/", inner, below))
                    break
            else:
                groups.pop()
        return None

    # --- creating and deleting -------------------------------------------------------------------
    def create_group(
        self,
        name: str | bytes | None,
        track_order: bool | None = None,
        *,
        track_times: bool | None = False,
    ) -> Group:
        """Creates a group and missing groups on its path. None creates it without a link: see
        create_dataset.

        track_order: with True, the group tracks the order in which links and attributes are
            created, and lists them in that order; with False, both are listed by name. With None,
            `get_config().track_order` decides, and if that is None, links are tracked, but not
            attributes
        track_times: as in create_dataset

        Raises ValueError if the name is taken or the file is open for reading only. @replicated"""
        path = optional_name(name, "Creating a group")
        tracks = get_config().track_order if track_order is None else track_order
        links, attributes = (True, False) if tracks is None else (bool(tracks), bool(tracks))
        times = checked_times(track_times)
        return self._wrap(self._object.create_group(path, links, attributes, times), path)

    def require_group(self, name: str | bytes) -> Group:
        """Opens the group of that name, or creates it if it is missing. If several ranks require
        one path in an independent section, they get one group. Raises TypeError if another object
        has the name. @replicated"""
        path = check_name(name, "Requiring a group")
        if path in self and not isinstance(found := self[path], Group):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        return self._wrap(self._object.require_group(path), path)

    def __setitem__(self, name: str | bytes, value: Any) -> None:
        """Creates an object or a link: a link for a SoftLink, ExternalLink or
        UserDefinedLink, a hard link for an
        object of this file (also the first link of an anonymous object), a committed datatype for a
        numpy dtype, else a dataset of that value. Raises ValueError, which is an OSError, too, if
        the name is taken or its path leads through a dataset. @replicated

        >>> f = onecast.File("links.h5", "w")
        >>> f["x"] = [1, 2]
        >>> f["same"] = f["x"]
        >>> f["soft"] = onecast.SoftLink("/x")
        >>> f["elsewhere"] = onecast.ExternalLink("other.h5", "/x")
        >>> f["kind"] = np.dtype([("a", "i4"), ("b", "f8")])
        >>> f["same"] == f["soft"] == f["x"], f["kind"].dtype
        (True, dtype([('a', '<i4'), ('b', '<f8')]))
        >>> f.close()
        """
        path = check_name(name, "Creating a link")
        with as_h5py:
            match value:
                case HLObject():
                    self._object.create_hard_link(path, value._object)
                case SoftLink():
                    self._object.create_soft_link(path, value.path)
                case ExternalLink():
                    self._object.create_external_link(path, value.filename, value.path)
                case UserDefinedLink():
                    self._object.create_user_defined_link(path, value.link_class, value.value)
                case HardLink():
                    raise _core.UnsupportedError(f"{name!r}: a HardLink leads nowhere")
                case np.dtype():
                    self._commit(path, to_stored(value))
                case _:
                    self.create_dataset(name, data=value)

    def _commit(self, path: str | None, stored: _core.StoredType) -> Datatype:
        return self._wrap(self._object.create_datatype(path, stored), path)

    def move(self, source: str | bytes, dest: str | bytes) -> None:
        """Renames a link or moves it to another group. Missing groups on the path are created.
        Raises KeyError, which is a ValueError, too, if there is no such link, ValueError if the new
        name is taken. @replicated"""
        before, after = check_name(source), check_name(dest)
        with as_h5py:
            self._object.move(before, after)
        if self.name is not None:
            base = self.name or "/"
            self.file._moves.append((join(base, before), join(base, after)))

    def __delitem__(self, name: str | bytes) -> None:
        """Removes a link, and with its last hard link the object. A program that holds the object
        can use it until it lets it go; on a communicator it can only be read, until the next flush.
        Raises KeyError; if the file is open for reading only, this KeyError is a ValueError, too.
        @replicated"""
        path = check_name(name)
        if self:
            self._require_removable(repr(path))
        self._object.remove(path)
        if self.name is not None:
            self.file._moves.append((join(self.name or "/", path), None))

    def copy(
        self,
        source: str | HLObject,
        dest: str | Group,
        name: str | None = None,
        shallow: bool = False,
        expand_soft: bool = False,
        expand_external: bool = False,
        expand_refs: bool = False,
        without_attrs: bool = False,
    ) -> None:
        """Copies an object of this file or of another open file, and everything below it.

        source: a path from this group, or an object
        dest: a path from this group, or a group in which the copy gets `name`, or the name of
            `source`
        shallow: copy groups in a copied group without members
        expand_soft, expand_external: copy the objects to which such links lead, not the links
        expand_refs: references lead to the copies of what they led to; what lies outside of the
            copied object is copied too, into the root group, as `~obj_pointed_by_ADDRESS`
        without_attrs: copy no attributes

        Virtual datasets and datasets with raw data in external files become plain datasets of equal
        values; KeyError if a source of a virtual dataset is missing.
        Raises ValueError if the name is taken, KeyError if there is no object at `source` (both are
        a RuntimeError, too), UnsupportedError, which names the object, for values that cannot be
        written. @replicated

        >>> f = onecast.File("copies.h5", "w")
        >>> f["a/x"] = [1, 2]
        >>> f.copy("a", "b")
        >>> list(f["b"])
        ['x']
        >>> f.close()
        """
        with as_h5py:
            _copy.copy(
                self,
                source,
                dest,
                name,
                _core.CopyOptions(
                    shallow=shallow,
                    expand_soft=expand_soft,
                    expand_external=expand_external,
                    expand_references=expand_refs,
                    without_attributes=without_attrs,
                ),
            )

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 group>"
        return f"<HDF5 group {quoted(self.name)} ({len(self)} members)>"


_CLASSES = {_core.Group: Group, _core.Dataset: Dataset, _core.Object: Datatype}
