"""Groups."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _copy, _core
from ._dataset import Dataset
from ._datatype import Datatype
from ._dtypes import Empty
from ._interfaces import OpenFile
from ._links import AnyLink, ExternalLink, HardLink, SoftLink, UserDefinedLink, link_of
from ._objects import HLObject, check_name, join, optional_name, quoted
from ._storage import PLAIN, Storage, plan_dataset
from ._types import committed_type, to_stored
from ._values import (
    encode,
    fill_array,
    new_array,
    new_values,
    plain_numbers,
    type_to_convert,
)
from ._virtual import VirtualLayout


def wrap(found: _core.Object, file: OpenFile, name: str | None) -> Group | Dataset | Datatype:
    """The object of the package for one of the core."""
    return _CLASSES[type(found)](found, file, name)


class Group(HLObject, Mapping):
    """A group of named objects: a mapping from names and paths to objects, as in h5py.

    Lookups are @independent. Creating and deleting are @collective with the @same arguments on all
    ranks, and do not communicate: the next collective call compares them.

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

    def _wrap(self, found: _core.Object, path: str | None) -> Group | Dataset | Datatype:
        if not found.in_file_of(self._handle):  # an external link led there
            return wrap(found, self.file._other(found), found.path or None)
        nameless = not path or (self.name is None and not path.startswith("/"))
        return wrap(found, self.file, None if nameless else join(self.name, path))

    def _name_below(self) -> Callable[[str], str | None]:
        """Makes names of paths from here."""
        if self.name is None:
            return lambda path: None
        return (self.name.rstrip("/") + "/").__add__

    # --- looking up ------------------------------------------------------------------------------
    def __getitem__(self, name: str) -> Any:
        """The object at a path, relative to the group or absolute, or the target of a Reference.

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
        """A mapping from names to links for all members; opens none of them. @independent"""
        return {link.name: link_of(link) for link in self._object.links()}

    def __contains__(self, name: object) -> bool:
        """Whether there is a link at that path, also one that leads to nothing. @independent"""
        path = check_name(name)
        return bool(self and path) and (not path.strip("/.") or self._object.contains(path))

    def __iter__(self) -> Iterator[str]:
        """The names, in order of creation if that is tracked, else sorted. @independent"""
        return iter(self._object.link_names())

    def __len__(self) -> int:
        return self._object.link_count()

    def values(self) -> ValuesView:
        return _Values(self)

    def items(self) -> ItemsView:
        return _Items(self)

    def _members(self) -> Iterator[tuple[str, Any]]:
        """(name, object) of the links; None for those that dangle."""
        file, name_of = self.file, self._name_below()
        for members in iter(_core.Members(self._object).next, []):
            for name, found in members:
                yield name, self.get(name) if found is None else wrap(found, file, name_of(name))

    def visit(self, func: Callable[[str], Any]) -> Any:
        """Calls func(path) for everything below the group, each object once, along hard links.
        Stops at the first result that is not None, and returns it. @independent"""
        return self.visititems(lambda name, _: func(name))

    def visititems(self, func: Callable[[str, Any], Any]) -> Any:
        """Calls func(path, object) as `visit` calls func(path). @independent"""
        file, name_of = self.file, self._name_below()
        for path, found in iter(_core.Walk(self._object).next, None):
            result = func(path, wrap(found, file, name_of(path)))
            if result is not None:
                return result
        return None

    # --- creating and deleting -------------------------------------------------------------------
    def create_group(self, name: str | None) -> Group:
        """Creates a group and missing groups on its path; None: without a link, see create_dataset.
        Raises ValueError if the name is taken or the file is open for reading only. @collective
        @same"""
        path = optional_name(name, "Creating a group")
        return self._wrap(self._object.create_group(path), path)

    def require_group(self, name: str) -> Group:
        """Opens the group of that name, and creates it if it is missing. If several ranks require
        one path in an independent section, they get one group. Raises TypeError if another object
        has the name. @collective @same"""
        path = check_name(name, "Requiring a group")
        if path in self and not isinstance(found := self[path], Group):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        return self._wrap(self._object.require_group(path), path)

    def create_dataset(
        self,
        name: str | None,
        shape: tuple[int, ...] | int | None = None,
        dtype: DTypeLike | None = None,
        data: ArrayLike | Empty | None = None,
        compact: bool | None = None,
        *,
        chunks: tuple[int, ...] | int | bool | None = None,
        maxshape: tuple[int | None, ...] | bool | None = None,
        compression: Any = None,
        compression_opts: Any = None,
        shuffle: bool | None = None,
        fletcher32: bool | None = None,
        scaleoffset: int | bool | None = None,
        fillvalue: Any = None,
        external: Any = None,
        **others: Any,
    ) -> Dataset:
        """Creates a dataset and missing groups on its path.

        name: None: an anonymous dataset, without a link. It can be used like others, but only this
            object and references lead to it, and its name is None. `f["x"] = dataset` links it.
            Without a link it ends, and its space is free, at the first flush at which no rank has
            an object of it or of something in it, at the latest when the file is closed. One that
            is created inside independent() needs a link before the next flush
        shape: elements in each dimension; that of `data` if left out
        dtype: of the stored elements; that of `data`, else "f4", if left out. With a committed
            datatype of the file (`f["kind"]`), the dataset refers to it
        data: the whole value, equal on all ranks; `fillvalue`, or zeros, if left out
        compact: stored in the metadata (True) or not (False); None: as the file's options
            `compact_limit` and `compact_total` say
        chunks: elements of a chunk in each dimension; True: chosen by Onecast. The arguments below,
            except fillvalue and external, need chunks, and have them chosen if they are left out
        maxshape: the largest extents for `resize`; None: no limit
        compression: "gzip" (`compression_opts`: 0 to 9), "lzf", "szip" (("nn" or "ec", pixels)),
            the number of a filter with its parameters, or an object of hdf5plugin
        shuffle, fletcher32: applied before and after the compression
        scaleoffset: bits for integers (True: as many as needed), decimal places for floats
        fillvalue: the value of unwritten elements
        external: other files that hold the elements: a name, or a list of (name, offset in bytes,
            size in bytes); see Dataset.external

        Raises ValueError if the name is taken or shape and data do not fit, TypeError for a dtype
        that cannot be stored, which it names, UnsupportedError for other kinds of storage.
        @collective @same; does not communicate

        >>> f = onecast.File("datasets.h5", "w")
        >>> f.create_dataset("zeros", (2, 3), "i4")
        <HDF5 dataset "zeros": shape (2, 3), type "<i4">
        >>> d = f.create_dataset("rows", (2, 3), chunks=(1, 3), maxshape=(None, 3), compression=4)
        >>> d.resize(5, axis=0)
        >>> d.shape, d.chunks, d.compression, d.compression_opts
        ((5, 3), (1, 3), 'gzip', 4)
        >>> f.close()
        """
        for option, value in others.items():
            if value is not None and value is not False:
                raise _core.UnsupportedError(
                    f"creating a dataset with {option}={value!r} is not supported"
                )
        path = optional_name(name, "Creating a dataset")
        only_data = (
            shape
            is dtype
            is compact
            is chunks
            is maxshape
            is compression
            is compression_opts
            is None
        ) and shuffle is fletcher32 is scaleoffset is fillvalue is external is None
        numbers = plain_numbers(data) if only_data else None
        if numbers is not None:
            array, stored = numbers
            space = _core.Dataspace(array.shape)
            created = self._object.create_dataset(path, stored, space, array, PLAIN, None)
            return self._wrap(created, path)
        committed = committed_type(dtype)
        if dtype is not None:
            dtype = committed.dtype if committed is not None else np.dtype(dtype)
        if data is None and shape is None:
            if dtype is None:
                raise TypeError("One of data, shape or dtype must be specified")
            data = Empty(dtype)
        elif isinstance(data, Empty) and shape is not None:
            raise ValueError(f"shape: Empty has none, so {shape!r} cannot be given")
        storage = Storage(
            compact,
            chunks,
            maxshape,
            compression,
            compression_opts,
            shuffle,
            fletcher32,
            scaleoffset,
            fillvalue,
            external,
            None if committed is None else committed._object,
        )
        stored, extents, array, dtype = plan_dataset(shape, dtype, data, fillvalue)
        if committed is not None:
            stored = committed.datatype
        limits = storage.limits(extents)
        if extents is None:
            space = _core.Dataspace.null()
        elif limits is None:
            space = _core.Dataspace(extents)
        else:
            space = _core.Dataspace(extents, limits)
        values = new_values(stored)
        options = storage.options(extents, dtype, stored, values)
        form = type_to_convert(array, dtype) if values is None else values
        if form is not None and stored.type_class == _core.TypeClass.bitfield:
            array, form = new_array(array, dtype), None
        if array is not None and (values is not None or (committed is not None and form is None)):
            array = encode(array, stored, values)
        created = self._object.create_dataset(path, stored, space, array, options, form)
        return self._wrap(created, path)

    def create_virtual_dataset(
        self, name: str | None, layout: VirtualLayout, fillvalue: Any = None
    ) -> Dataset:
        """Creates a virtual dataset, whose elements lie in other datasets; see VirtualLayout.
        None as the name: without a link, as in create_dataset. Elements without a source have
        `fillvalue`, or zero. Raises ValueError if the name is taken or a part leaves the dataset.
        @collective @same; does not communicate"""
        path = optional_name(name, "Creating a dataset")
        stored = to_stored(layout.dtype)
        limits = Storage(maxshape=layout.maxshape).limits(layout.shape)
        space = _core.Dataspace(layout.shape, *([limits] if limits else []))
        fill = None
        if fillvalue is not None:
            fill = encode(fill_array(fillvalue, layout.dtype, ()), stored)
        options = _core.DatasetOptions(
            layout=_core.Layout.virtual_dataset,
            fill_value=fill,
            sources=layout.sources_for(self.file.filename),
        )
        created = self._object.create_dataset(path, stored, space, None, options, None)
        return self._wrap(created, path)

    def require_dataset(
        self, name: str, shape: tuple[int, ...] | int, dtype: DTypeLike, exact: bool = False
    ) -> Dataset:
        """Opens the dataset of that name, and creates it if it is missing. Raises TypeError if an
        object of another kind, shape or type has the name; unless `exact`, a type to which `dtype`
        can be cast without loss is accepted. @collective @same"""
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
        """Creates an object or a link: a link for a SoftLink or ExternalLink, a hard link for an
        object of this file (also the first one, for an anonymous object), a committed datatype for
        a numpy dtype, else a dataset of that value. Raises ValueError if the name is taken.
        @collective @same

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
        match value:
            case HLObject():
                self._object.create_hard_link(path, value._object)
            case SoftLink():
                self._object.create_soft_link(path, value.path)
            case ExternalLink():
                self._object.create_external_link(path, value.filename, value.path)
            case HardLink() | UserDefinedLink():
                raise _core.UnsupportedError(f"{name!r}: a {type(value).__name__} leads nowhere")
            case np.dtype():
                self._object.create_datatype(path, to_stored(value))
            case _:
                self.create_dataset(name, data=value)

    def move(self, source: str, dest: str) -> None:
        """Gives a link another name or moves it to another group. Missing groups on the path are
        created. Objects that are open keep the `name` that they had. Raises KeyError if there is no
        such link, ValueError if the new name is taken. @collective @same"""
        self._object.move(check_name(source), check_name(dest))

    def __delitem__(self, name: str) -> None:
        """Removes a link, and with its last hard link the object: what is open of it can be used
        no more. Raises KeyError. @collective @same"""
        self._object.remove(check_name(name))

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
        without_attrs: copy no attributes

        Virtual datasets and datasets with raw data in external files become plain datasets of equal
        values; KeyError if a source of a virtual dataset is missing.
        Raises ValueError if the name is taken, KeyError if there is no object at `source`,
        UnsupportedError, which names the object, for values that cannot be written. @collective
        @same; does not communicate

        >>> f = onecast.File("copies.h5", "w")
        >>> f["a/x"] = [1, 2]
        >>> f.copy("a", "b")
        >>> list(f["b"])
        ['x']
        >>> f.close()
        """
        _copy.copy(
            self,
            source,
            dest,
            name,
            expand_refs,
            shallow=shallow,
            expand_soft=expand_soft,
            expand_external=expand_external,
            without_attributes=without_attrs,
        )

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 group>"
        return f"<HDF5 group {quoted(self.name)} ({len(self)} members)>"


_CLASSES = {_core.Group: Group, _core.Dataset: Dataset, _core.Object: Datatype}


class _Values(ValuesView):
    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping._members())


class _Items(ItemsView):
    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return self._mapping._members()
