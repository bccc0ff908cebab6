"""Groups."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._dataset import Dataset
from ._links import AnyLink, ExternalLink, HardLink, SoftLink, UserDefinedLink, link_of
from ._objects import HLObject, check_name, join, last_component
from ._types import Empty, stored_for, to_stored
from ._values import as_array

if TYPE_CHECKING:
    from ._file import File


class Datatype(HLObject):
    """A committed (named) datatype: a name and attributes."""

    def __repr__(self) -> str:
        return self._describe("named type", f'"{last_component(self.name)}"')


def wrap(found: _core.Object, file: File, name: str) -> Group | Dataset | Datatype:
    """The object of the package for one of the core."""
    kind = type(found)
    if kind is _core.Dataset:
        return Dataset(found, file, name)
    return Group(found, file, name) if kind is _core.Group else Datatype(found, file, name)


class Group(HLObject, Mapping):
    """A folder of named objects, as h5py has it: a mapping from names and paths to objects.

    Looking up is @independent. Creating and deleting are @collective with the @same arguments on
    all ranks, and do not communicate: flush compares.

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

    # A Mapping that compares by identity of the object.
    __eq__ = HLObject.__eq__
    __hash__ = HLObject.__hash__

    def _wrap(self, found: _core.Object, path: str) -> Group | Dataset | Datatype:
        return wrap(found, self.file, join(self._name, path))

    # --- looking up ------------------------------------------------------------------------------
    def __getitem__(self, name: str) -> Any:
        """The object at a path, relative to the group or absolute, or that a Reference leads to.

        Raises KeyError if nothing is there, UnsupportedError if the path leads through an external
        link, ValueError for a reference that was never set. @independent
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
        self, name: str, default: Any = None, getclass: bool = False, getlink: bool = False
    ) -> Any:
        """The object at a path, or `default`; its class if `getclass`; its link (HardLink,
        SoftLink, ExternalLink, UserDefinedLink) or the class of that if `getlink`. @independent"""
        if not getlink:
            try:
                found = self[name]
            except KeyError:
                return default
            return type(found) if getclass else found
        folder, _, last = check_name(name).rstrip("/").rpartition("/")
        if not last:
            return default
        group = self[folder] if folder else self
        link = group.links().get(last)
        if link is None:
            return default
        return type(link) if getclass else link

    def links(self) -> dict[str, AnyLink]:
        """name -> link of all members; opens none of them. @independent"""
        return {link.name: link_of(link) for link in self._object.links()}

    def __contains__(self, name: object) -> bool:
        """Is there a link at that path, whether or not it leads anywhere? @independent"""
        path = check_name(name)
        return bool(self and path) and (not path.strip("/.") or self._object.contains(path))

    def __iter__(self) -> Iterator[str]:
        """Names in the order of creation where that is tracked, else sorted. @independent"""
        return iter([link.name for link in self._object.links()])

    def __len__(self) -> int:
        return self._object.link_count()

    def values(self) -> ValuesView:
        return _Values(self)

    def items(self) -> ItemsView:
        return _Items(self)

    def _members(self, follow: bool = True) -> Iterator[tuple[str, Any]]:
        """(name, object) of the links that lead to one; None for those that dangle.
        Only hard links unless `follow`."""
        file, group = self.file, self._object
        prefix = self._name.rstrip("/") + "/"
        hard = _core.LinkKind.hard
        for link in group.links():
            name = link.name
            if link.kind is hard:
                yield name, wrap(group.open(link), file, prefix + name)
            elif follow:
                yield link.name, self.get(link.name)

    def visit(self, func: Callable[[str], Any]) -> Any:
        """Calls func(path) for everything below the group, each object once, along hard links.
        Stops at the first result that is not None, and returns it. @independent"""
        return self.visititems(lambda name, _: func(name))

    def visititems(self, func: Callable[[str, Any], Any]) -> Any:
        """The same with func(path, object). @independent"""
        seen = {self._object.path}
        pending = [("", self._members(follow=False))]
        while pending:
            prefix, members = pending[-1]
            name, found = next(members, (None, None))
            if found is None:
                pending.pop()
                continue
            # However an object is reached, the core names it by the path it was first reached by.
            identity = found._object.path
            if identity in seen:
                continue
            seen.add(identity)
            result = func(prefix + name, found)
            if result is not None:
                return result
            if isinstance(found, Group):
                pending.append((f"{prefix}{name}/", found._members(follow=False)))
        return None

    # --- creating and deleting -------------------------------------------------------------------
    def create_group(self, name: str) -> Group:
        """Creates a group, and those on the way to it. Raises ValueError if the name is taken or
        the file is open for reading only. @collective @same"""
        path = check_name(name, "Creating a group")
        return self._wrap(self._object.create_group(path), path)

    def require_group(self, name: str) -> Group:
        """The group of that name, created if it is missing. Raises TypeError if something else has
        the name. @collective @same"""
        if name not in self:
            return self.create_group(name)
        found = self[name]
        if not isinstance(found, Group):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        return found

    def create_dataset(
        self,
        name: str,
        shape: tuple[int, ...] | int | None = None,
        dtype: DTypeLike | None = None,
        data: ArrayLike | Empty | None = None,
        compact: bool | None = None,
        **storage: Any,
    ) -> Dataset:
        """Creates a dataset of fixed shape, and the groups on the way to it.

        shape: elements in each dimension; that of `data` if left out
        dtype: of the stored elements; that of `data`, else "f4", if left out
        data: the whole value, the same on all ranks; zeros if left out
        compact: stored in the metadata (True), apart (False), or as the file's option
            `compact_limit` says (None)

        Raises ValueError if the name is taken or shape and data do not fit, TypeError, naming it,
        for a dtype that cannot be stored, UnsupportedError for other ways of storage (`chunks`,
        `compression` ...). @collective @same; does not communicate

        >>> f = onecast.File("datasets.h5", "w")
        >>> f.create_dataset("zeros", (2, 3), "i4")
        <HDF5 dataset "zeros": shape (2, 3), type "<i4">
        >>> f.create_dataset("chunked", (2, 3), chunks=(1, 3))
        Traceback (most recent call last):
        onecast.UnsupportedError: creating a dataset with chunks=(1, 3) is not supported
        >>> f.close()
        """
        for option, value in storage.items():
            if value is not None and value is not False:
                raise _core.UnsupportedError(
                    f"creating a dataset with {option}={value!r} is not supported"
                )
        path = check_name(name, "Creating a dataset")
        dtype = None if dtype is None else np.dtype(dtype)
        if data is None and shape is None:
            if dtype is None:
                raise TypeError("One of data, shape or dtype must be specified")
            data = Empty(dtype)
        layout = None
        if compact is not None:
            layout = _core.Layout.compact if compact else _core.Layout.contiguous
        stored, space, array = _plan(shape, dtype, data)
        return self._wrap(self._object.create_dataset(path, stored, space, array, layout), path)

    def require_dataset(
        self, name: str, shape: tuple[int, ...] | int, dtype: DTypeLike, exact: bool = False
    ) -> Dataset:
        """The dataset of that name, created if it is missing. Raises TypeError if something of
        another kind, shape or type has the name; unless `exact`, a type is good enough to which
        `dtype` can be cast without loss. @collective @same"""
        if name not in self:
            return self.create_dataset(name, shape, dtype)
        found = self[name]
        if not isinstance(found, Dataset):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        if shape != found.shape:
            raise TypeError(f"Shapes do not match (existing {found.shape} vs new {shape})")
        dtype = np.dtype(dtype)
        if exact and dtype != found.dtype:
            raise TypeError(
                f"Datatypes do not exactly match (existing {found.dtype} vs new {dtype})"
            )
        if not np.can_cast(dtype, found.dtype):
            raise TypeError(
                f"Datatypes cannot be safely cast (existing {found.dtype} vs new {dtype})"
            )
        return found

    def __setitem__(self, name: str, value: ArrayLike | Empty) -> None:
        """Creates a dataset with that value. Raises ValueError if the name is taken, and
        UnsupportedError for objects and links. @collective @same"""
        if isinstance(value, HLObject | HardLink | SoftLink | ExternalLink | UserDefinedLink):
            raise _core.UnsupportedError(f"{name!r}: creating links is not supported")
        self.create_dataset(name, data=value)

    def __delitem__(self, name: str) -> None:
        """Removes a link; with the last one, the object. Raises KeyError. @collective @same"""
        self._object.remove(check_name(name))

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 group>"
        return f'<HDF5 group "{self.name}" ({len(self)} members)>'


def _plan(
    shape: tuple[int, ...] | int | None, dtype: np.dtype | None, data: Any
) -> tuple[_core.StoredType, _core.Dataspace, np.ndarray | None]:
    """What to create: type, extents, value."""
    if isinstance(data, Empty):
        return to_stored(data.dtype if dtype is None else dtype), _core.Dataspace.null(), None
    if shape is not None:
        shape = (shape,) if isinstance(shape, int) else tuple(map(int, shape))
        if any(extent < 0 for extent in shape):
            raise ValueError(f"shape {shape}: extents cannot be negative")
    if data is None:
        return to_stored(np.dtype("f4") if dtype is None else dtype), _core.Dataspace(shape), None
    array = as_array(data, dtype)
    if shape is not None:
        if np.prod(shape, dtype=np.int64) != array.size:
            raise ValueError("Shape tuple is incompatible with data")
        array = array.reshape(shape)
    return stored_for(array, dtype), _core.Dataspace(array.shape), array


class _Values(ValuesView):
    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping._members())


class _Items(ItemsView):
    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return self._mapping._members()
