"""xarray's back end "onecast": netCDF-4 and other HDF5 files, on one process or a communicator.

    xarray.open_dataset("ocean.nc", engine="onecast", comm=MPI.COMM_WORLD)

An installed Onecast registers it; `engine=onecast.xarray.OnecastBackend` names it without that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.backends.common import AbstractDataStore, datatree_from_dict_with_io_cleanup
from xarray.backends.store import StoreBackendEntrypoint
from xarray.core import indexing
from xarray.core.utils import FrozenDict
from xarray.core.variable import Variable

from ._dataset import Dataset
from ._dtypes import check_enum_dtype, check_string_dtype
from ._file import File
from ._group import Group
from ._netcdf import NetcdfGroup, attributes_of, name_of_type, read_group
from ._opening import is_file_object, is_hdf5

if TYPE_CHECKING:
    import xarray
    from mpi4py import MPI


_DECODING = (
    "drop_variables",
    "mask_and_scale",
    "decode_times",
    "concat_characters",
    "decode_coords",
    "use_cftime",
    "decode_timedelta",
)


class OnecastBackend(BackendEntrypoint):
    """Reads files for xarray. Values are read when they are asked for, without a lock.

    With `comm` one process reads the structure, and broadcasts it; all ranks open the file
    together, and all load the same values in one order (`load`, `compute`, `plot`, the `repr` of a
    small variable): each is read by one process and broadcast. `together=False`: each rank reads
    what it asks for by itself, such as its own part of `ds.isel(...)`, or what dask asks for.
    """

    description = "Open netCDF-4 and other HDF5 files with Onecast, also on many ranks"
    supports_groups = True
    open_dataset_parameters = ("filename_or_obj", *_DECODING, "group", "comm", "together")

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Only if it is asked for by its name: what opens a file without should not change because
        Onecast is installed."""
        return False

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        group: str | None = None,
        comm: MPI.Intracomm | None = None,
        together: bool = True,
        **keywords: Any,
    ) -> xarray.Dataset:
        """group: the path of a group; the root group by default. comm, together: see the class.
        keywords: xarray's for decoding, and the options of onecast.File. @collective @same with
        `comm`"""
        decoding, options = _sorted(keywords)
        file = _open(filename_or_obj, comm, options)
        try:
            store = _Store(_group_of(file, group), together and comm is not None)
            return StoreBackendEntrypoint().open_dataset(store, **decoding)
        except BaseException:
            file.close()
            raise

    def open_groups_as_dict(
        self,
        filename_or_obj: Any,
        *,
        group: str | None = None,
        comm: MPI.Intracomm | None = None,
        together: bool = True,
        **keywords: Any,
    ) -> dict[str, xarray.Dataset]:
        """Each group from `group` down, by its path from there. Keywords as for open_dataset.
        @collective @same with `comm`"""
        decoding, options = _sorted(keywords)
        file = _open(filename_or_obj, comm, options)
        entry = StoreBackendEntrypoint()
        try:
            return {
                path: entry.open_dataset(_Store(member, together and comm is not None), **decoding)
                for path, member in _groups_below(_group_of(file, group), "/")
            }
        except BaseException:
            file.close()
            raise

    def open_datatree(self, filename_or_obj: Any, **keywords: Any) -> xarray.DataTree:
        """As open_groups_as_dict, in a tree. @collective @same with `comm`"""
        groups = self.open_groups_as_dict(filename_or_obj, **keywords)
        return datatree_from_dict_with_io_cleanup(groups)


def _sorted(keywords: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(xarray's for decoding, options of a file)."""
    decoding = {k: v for k, v in keywords.items() if k in _DECODING}
    return decoding, {k: v for k, v in keywords.items() if k not in _DECODING}


def _open(name: Any, comm: MPI.Intracomm | None, options: dict[str, Any]) -> File:
    if not is_file_object(name):
        name = os.fspath(name)
        if comm is None and os.path.isfile(name) and not is_hdf5(name):
            raise ValueError(f"{name}: is not an HDF5 file; netCDF-3 files need another engine")
    return File(name, "r", comm=comm, **options)


def _group_of(file: File, path: str | None) -> Group:
    """Raises OSError, as xarray's other engines, if there is none."""
    found = file.get(path or "/")
    if not isinstance(found, Group):
        raise OSError(f"{file.filename}: group not found: {path}")
    return found


def _groups_below(group: Group, path: str) -> Iterator[tuple[str, Group]]:
    yield path, group
    for name, member in group.items():
        if isinstance(member, Group):
            yield from _groups_below(member, f"{path.rstrip('/')}/{name}")


class _Store(AbstractDataStore):
    """A group of a file, as xarray asks for it."""

    def __init__(self, group: Group, together: bool) -> None:
        self._group = group
        self._together = together
        self._contents: NetcdfGroup = read_group(group)

    def get_variables(self) -> Any:
        return FrozenDict(
            (name, self._variable(dataset, dims))
            for name, (dataset, dims) in self._contents.variables.items()
        )

    def get_attrs(self) -> Any:
        return FrozenDict(attributes_of(self._group))

    def get_dimensions(self) -> Any:
        return FrozenDict((n, d.size) for n, d in self._contents.dimensions.items())

    def get_encoding(self) -> dict[str, Any]:
        own = self._contents.dimensions.items()
        return {"unlimited_dims": {name for name, dimension in own if dimension.unlimited}}

    def close(self) -> None:
        self._group.file.close()

    def _variable(self, dataset: Dataset, dims: tuple[str, ...]) -> Variable:
        shape = tuple(self._extent(n, name) for n, name in zip(dataset.shape, dims, strict=True))
        data = indexing.LazilyIndexedArray(_Values(dataset, shape, self._together))
        encoding = _encoding_of(dataset, dims) | {"original_shape": shape}
        return Variable(dims, data, attributes_of(dataset), encoding)

    def _extent(self, stored: int, dimension: str) -> int:
        known = self._contents.dimensions.get(dimension)
        return max(stored, known.size) if known is not None and known.unlimited else stored


class _Values(BackendArray):
    """The values of a variable, read when they are asked for."""

    def __init__(self, dataset: Dataset, shape: tuple[int, ...], together: bool) -> None:
        self._dataset = dataset
        self._together = together
        self._is_text = _is_text(dataset)
        self.shape = shape
        self.dtype = np.dtype(object) if self._is_text else dataset.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        supported = indexing.IndexingSupport.OUTER_1VECTOR
        return indexing.explicit_indexing_adapter(key, self.shape, supported, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        if self.shape != self._dataset.shape:
            return self._padded()[key]
        return self._elements(key)

    def _elements(self, key: tuple[Any, ...]) -> Any:
        read: Callable[[Any], Any] = self._dataset.__getitem__
        if self._together:
            read = self._dataset.read_all
        values = read(key)
        return _as_str(values) if self._is_text else values

    def _padded(self) -> np.ndarray:
        """Where an unlimited dimension has grown, the variable has the fill value."""
        fill = self._dataset.fillvalue
        whole = np.full(self.shape, _as_str(fill) if self._is_text else fill, self.dtype)
        whole[tuple(slice(n) for n in self._dataset.shape)] = self._elements(())
        return whole


def _is_text(dataset: Dataset) -> bool:
    text = check_string_dtype(dataset.dtype)
    return text is not None and text.length is None


def _as_str(values: Any) -> Any:
    if isinstance(values, bytes):
        return values.decode("utf-8")
    if isinstance(values, str):
        return values
    texts = np.empty(values.shape, object)
    texts.flat = [value.decode("utf-8") for value in values.flat]
    return texts


def _encoding_of(dataset: Dataset, dims: tuple[str, ...]) -> dict[str, Any]:
    """How it is stored, in the words of xarray's other engines."""
    dtype = dataset.dtype
    members = check_enum_dtype(dtype)
    if members is not None and dtype.kind in "iu":
        name = name_of_type(dataset)
        dtype = np.dtype(dtype.str, metadata={"enum": members, "enum_name": name})
    chunks = dataset.chunks
    encoding = {
        "dtype": str if _is_text(dataset) else dtype,
        "contiguous": chunks is None,
        "chunksizes": chunks,
        "shuffle": dataset.shuffle,
        "fletcher32": dataset.fletcher32,
        "source": dataset.file.filename,
    }
    if chunks is not None:
        encoding["preferred_chunks"] = dict(zip(dims, chunks, strict=True))
    compression, level = dataset.compression, dataset.compression_opts
    encoding["zlib"] = compression == "gzip"
    if compression == "gzip":
        encoding["complevel"] = level
    elif compression is not None:
        encoding |= {"compression": compression, "compression_opts": level}
    return encoding
