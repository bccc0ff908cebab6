"""Creating datasets: translates h5py's arguments."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._access import access_words, set_access
from ._config import get_config
from ._dataset import Dataset
from ._dtypes import Empty
from ._objects import HLObject, optional_name
from ._options import unknown_option
from ._storage import PLAIN, Storage, plan_dataset
from ._types import given_type, to_stored
from ._values import (
    encode,
    fill_array,
    new_array,
    new_values,
    plain_numbers,
    type_to_convert,
)
from ._virtual import VirtualLayout
from ._warnings import H5pyDeprecationWarning


class NewDatasets(HLObject):
    """The calls of a Group that create datasets."""

    if TYPE_CHECKING:  # the calls of Group that these need

        @property
        def _object(self) -> _core.Group: ...
        def _wrap(self, found: _core.Object, path: str | None) -> Any: ...
        def __getitem__(self, name: Any) -> Any: ...
        def __contains__(self, name: object) -> bool: ...

    def create_dataset(
        self,
        name: str | bytes | None,
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

        name: None makes an anonymous dataset, without a link. It can be used like others, but only
            this object and references lead to it, and its name is None. `f["x"] = dataset` links
            it. Without a link it ends, and its space is free, at the first flush at which no rank
            has an object of it or of something in it, at the latest when the file is closed. If it
            is created inside independent(), it needs a link before the next flush
        shape: elements in each dimension; that of `data` if left out
        dtype: the type of the stored elements; if left out, that of `data`, or "f4". With a
            committed datatype of the file (`f["kind"]`), the dataset refers to it
        data: the whole value, equal on all ranks; `fillvalue`, or zeros, if left out
        compact: True stores the data in the metadata, False does not; with None, the file's options
            `compact_limit` and `compact_total` decide
        chunks: elements of a chunk in each dimension; True: chosen by Onecast. The arguments below,
            except fillvalue and external, need chunks, and have them chosen if they are left out
        maxshape: the largest extents for `resize`; None: no limit
        compression: "gzip" (`compression_opts`: 0 to 9), "lzf", "szip" (("nn" or "ec", pixels)),
            the number of a filter with its parameters, or an object of hdf5plugin
        shuffle, fletcher32: applied before and after the compression
        scaleoffset: bits for integers (True: as many as needed), decimal places for floats
        fillvalue: the value of unwritten elements
        fill_time: the time at which other programs write the fill value: "alloc", "never"
            or "ifset". Onecast returns it in any case
        track_order: True if the dataset tracks the order in which its attributes are created
        track_times: True if it has the times of its creation and of the last change of its header,
            by attributes, `resize` and the values of a compact dataset; see `modification_time`
        external: other files that hold the elements: a name, or a list of (name, offset in bytes,
            size in bytes); see Dataset.external
        efile_prefix: the folder in which these files lie; it is not stored. "${ORIGIN}" in it is
            the folder of this file

        Raises ValueError if the name is taken or shape and data do not fit, TypeError for a dtype
        that cannot be stored, which it names, UnsupportedError for other kinds of storage.
        @replicated

        >>> f = onecast.File("datasets.h5", "w")
        >>> f.create_dataset("zeros", (2, 3), "i4")
        <HDF5 dataset "zeros": shape (2, 3), type "<i4">
        >>> d = f.create_dataset("rows", (2, 3), chunks=(1, 3), maxshape=(None, 3), compression=4)
        >>> d.resize(5, axis=0)
        >>> d.shape, d.chunks, d.compression, d.compression_opts
        ((5, 3), (1, 3), 'gzip', 4)
        >>> f.close()
        """
        if dtype is data is None and shape is not None and get_config()._as_h5py:
            warnings.warn("create_dataset: give a dtype, or data", H5pyDeprecationWarning, 2)
        access = access_words(others, self.file.filename) if others else None
        tracks, fill_time, any_filter, times = _other_options(others)
        path = optional_name(name, "Creating a dataset")
        only_data = (
            shape is chunks is maxshape is fillvalue is external is None
            and compression is compression_opts is fill_time is None
            and compact is shuffle is fletcher32 is scaleoffset is None
            and dtype is None
        )
        numbers = plain_numbers(data) if only_data and not (tracks or times) else None
        if numbers is not None:
            array, stored = numbers
            space = _core.Dataspace(array.shape)
            created = self._object.create_dataset(path, stored, space, array, PLAIN, None)
            return self._wrap(created, path)
        self._require_writable()
        committed, named, dtype = given_type(dtype)
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
            committed,
            tracks,
            fill_time,
            any_filter,
            times,
            (access or {}).get("efile_prefix", b""),
        )
        stored, extents, array, dtype = plan_dataset(shape, dtype, data, fillvalue)
        if named is not None:
            stored = named
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
        if array is not None and (values is not None or (named is not None and form is None)):
            array = encode(array, stored, values)
        created = self._wrap(
            self._object.create_dataset(path, stored, space, array, options, form), path
        )
        if access:
            set_access(created, access)
        return created

    def create_virtual_dataset(
        self, name: str | None, layout: VirtualLayout, fillvalue: Any = None
    ) -> Dataset:
        """Creates a virtual dataset, whose elements lie in other datasets; see VirtualLayout. The
        name may be None: without a link, as in create_dataset. Elements without a source have
        `fillvalue`, or zero. Raises ValueError if the name is taken or a part leaves the dataset.
        @replicated"""
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

    @contextmanager
    def build_virtual_dataset(
        self,
        name: str,
        shape: tuple[int, ...],
        dtype: DTypeLike,
        maxshape: tuple[int | None, ...] | None = None,
        fillvalue: Any = None,
    ) -> Iterator[VirtualLayout]:
        """`with group.build_virtual_dataset(...) as layout:` creates the virtual dataset of a
        layout at the end of the block: see VirtualLayout. @replicated"""
        layout = VirtualLayout(shape, dtype, maxshape)
        yield layout
        self.create_virtual_dataset(name, layout, fillvalue)

    def create_dataset_like(self, name: str | None, other: Dataset, **options: Any) -> Dataset:
        """Creates an empty dataset with the type, shape and storage of another one. Given arguments
        of create_dataset take precedence. @replicated"""
        given = {
            name: getattr(other, name)
            for name in ("chunks", "compression", "compression_opts", "scaleoffset", "shuffle")
        } | {"fletcher32": other.fletcher32, "fillvalue": other.fillvalue}
        if other.maxshape != other.shape:
            given["maxshape"] = other.maxshape
        if other._object.tracks_attributes:
            given["track_order"] = True
        given["track_times"] = other._object.tracks_times
        given |= {"shape": other.shape, "dtype": other.dtype} | options
        return self.create_dataset(name, **given)

    def require_dataset(
        self,
        name: str,
        shape: tuple[int, ...] | int,
        dtype: DTypeLike,
        exact: bool = False,
        **options: Any,
    ) -> Dataset:
        """Opens the dataset of that name, or creates it with the arguments of create_dataset if it
        is missing. Raises TypeError if an object of another kind, shape or type has the name;
        unless `exact`, a type to which `dtype` can be cast without loss is accepted. With
        `maxshape`, that is compared instead of the shape. @replicated"""
        if name not in self:
            return self.create_dataset(name, shape, dtype, **options)
        found = self[name]
        if not isinstance(found, Dataset):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        set_access(found, access_words(options, self.file.filename))
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        if options.get("maxshape") is not None:
            if tuple(options["maxshape"]) != found.maxshape:
                raise TypeError(
                    f"Max shapes do not match (existing {found.maxshape} vs new"
                    f" {options['maxshape']})"
                )
        elif shape != found.shape:
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


_OTHER = ("track_order", "track_times", "fill_time", "allow_unknown_filter")
_INSTEAD = {
    "dcpl": "the arguments of create_dataset, or h5d.create",
    "dapl": "chunk_cache_bytes of File",
    "gcpl": "create_group first",
}


def _other_options(options: dict[str, Any]) -> tuple[bool, str | None, bool, bool]:
    """Returns (track_order, fill_time, allow_unknown_filter, track_times). Raises TypeError for
    unknown options, UnsupportedError for options of h5py that Onecast lacks."""
    default = bool(get_config().track_order)
    if not options:
        return default, None, False, False
    given = dict(options)
    tracks, fill_time = given.pop("track_order", None), given.pop("fill_time", None)
    any_filter = bool(given.pop("allow_unknown_filter", False))
    times = checked_times(given.pop("track_times", None))
    for name, value in given.items():
        if name not in _INSTEAD:
            known = inspect.signature(NewDatasets.create_dataset).parameters
            raise unknown_option("create_dataset", name, [*known, *_OTHER, *_INSTEAD])
        if value is not None and value is not False:
            raise _core.UnsupportedError(
                f"create_dataset: {name}={value!r} is not supported: {_INSTEAD[name]}"
            )
    return default if tracks is None else bool(tracks), fill_time, any_filter, times


def checked_times(track_times: Any) -> bool:
    """Returns the flag. Raises TypeError as h5py does."""
    if track_times is not None and track_times not in (True, False):
        raise TypeError("track_times: True or False was expected")
    return bool(track_times)
