"""xarray's back end "onecast": netCDF-4 and other HDF5 files, on one process or a communicator.

    xarray.open_dataset("ocean.nc", engine="onecast", comm=MPI.COMM_WORLD)

An installed Onecast registers it; `engine=onecast.xarray.OnecastBackend` names it without that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.backends.common import AbstractDataStore, datatree_from_dict_with_io_cleanup
from xarray.backends.store import StoreBackendEntrypoint
from xarray.core import indexing
from xarray.core.utils import FrozenDict, emit_user_level_warning
from xarray.core.variable import Variable

from ._dataset import Dataset
from ._dtypes import check_enum_dtype, check_string_dtype
from ._file import File
from ._group import Group
from ._netcdf import (
    NetcdfGroup,
    PhonyNumbers,
    attributes_of,
    groups_below,
    name_of_type,
    read_group,
)
from ._xarray_source import Source

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
# These keywords belong to the engine h5netcdf. `lock` and `invalid_netcdf` change nothing here.
_OPENING = (
    "phony_dims",
    "decode_vlen_strings",
    "format",
    "driver_kwds",
    "storage_options",
    "open_kwargs",
    "lock",
    "invalid_netcdf",
)
_NETCDF_FILTERS = {"zlib": 1, "szip": 4, "bzip2": 307, "blosc": 32001, "zstd": 32015}


class OnecastBackend(BackendEntrypoint):
    """Reads files for xarray. Values are read when they are requested, without a lock.

    A source is anything that xarray's engine h5netcdf takes: a path, which may begin with "~"; a
    URL, which fsspec opens; bytes; a file object.

    With `comm` one process reads the structure and broadcasts it. All ranks open the file together,
    and all load the same values in one order (`load`, `compute`, `plot`, the `repr` of a small
    variable): one process reads each value and broadcasts it. With `together=False` each rank reads
    what it requests by itself, such as its own part of `ds.isel(...)`, or what dask requests.
    """

    description = "Open netCDF-4 and other HDF5 files with Onecast, also on many ranks"
    supports_groups = True
    open_dataset_parameters = (
        "filename_or_obj",
        *_DECODING,
        "group",
        "comm",
        "together",
        *_OPENING,
    )

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Returns False: Onecast opens a file only if its engine is named, so that installing it
        changes no other call."""
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
        """Opens a group as a Dataset. @collective @same with `comm`

        group: the path of a group; the root group by default
        comm, together: see the class
        keywords: xarray's for decoding, those of the engine h5netcdf, and the options of
            onecast.File
        """
        opening = _Opening(filename_or_obj, comm, together, keywords)
        try:
            return opening.dataset(*_group_of(opening.source.file, group))
        except BaseException:
            opening.source.close()
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
        """Returns each group from `group` down, by its path from there. Keywords are as for
        open_dataset. @collective @same with `comm`"""
        opening = _Opening(filename_or_obj, comm, together, keywords)
        try:
            top, found = _group_of(opening.source.file, group)
            return {
                f"/{path.removeprefix(top).strip('/')}": opening.dataset(path, one)
                for path, one in groups_below(top, found)
            }
        except BaseException:
            opening.source.close()
            raise

    def open_datatree(self, filename_or_obj: Any, **keywords: Any) -> xarray.DataTree:
        """Opens groups like open_groups_as_dict, and returns a tree. @collective @same with
        `comm`"""
        groups = self.open_groups_as_dict(filename_or_obj, **keywords)
        return datatree_from_dict_with_io_cleanup(groups)


class _Opening:
    """The file and groups that one call of xarray opens. Raises TypeError, ValueError, and what
    File raises."""

    def __init__(
        self, name: Any, comm: MPI.Intracomm | None, together: bool, keywords: dict[str, Any]
    ) -> None:
        self._decoding = {k: v for k, v in keywords.items() if k in _DECODING}
        options = {k: v for k, v in keywords.items() if k not in _DECODING}
        words = {k: options.pop(k) for k in _OPENING if k in options}
        if words.get("format") not in (None, "NETCDF4", "NETCDF4_CLASSIC"):
            raise ValueError(f"format {words['format']!r}: 'NETCDF4' was expected")
        self._phony = PhonyNumbers(words.get("phony_dims") or "access")
        self._decodes_texts = words.get("decode_vlen_strings", True)
        self._together = together and comm is not None
        options |= words.get("driver_kwds") or {}
        of_url = {k: words.get(k) for k in ("storage_options", "open_kwargs")}
        self.source = Source(name, comm, options, of_url)

    def dataset(self, path: str, group: Group) -> xarray.Dataset:
        store = _Store(
            self.source,
            path,
            group,
            read_group(group, self._phony.first),
            self._together,
            self._decodes_texts,
        )
        return StoreBackendEntrypoint().open_dataset(store, **self._decoding)


def _group_of(file: File, path: str | None) -> tuple[str, Group]:
    """Returns the group and its absolute path. Raises OSError, as xarray's other engines do, if
    there is none."""
    found = file.get(path or "/")
    if not isinstance(found, Group):
        raise OSError(f"{file.filename}: group not found: {path}")
    return f"/{(path or '').strip('/')}", found


class _Store(AbstractDataStore):
    """A group of a file in the form that xarray needs."""

    def __init__(
        self,
        source: Source,
        path: str,
        group: Group,
        contents: NetcdfGroup,
        together: bool,
        decodes_texts: bool,
    ) -> None:
        self._source, self._path, self._group, self._contents = source, path, group, contents
        self._together, self._decodes_texts = together, decodes_texts

    def get_variables(self) -> Any:
        return FrozenDict(
            (name, self._variable(*variable)) for name, variable in self._contents.variables.items()
        )

    def get_attrs(self) -> Any:
        return FrozenDict(_attributes_of(self._group))

    def get_dimensions(self) -> Any:
        return FrozenDict((n, d.size) for n, d in self._contents.dimensions.items())

    def get_encoding(self) -> dict[str, Any]:
        own = self._contents.dimensions.items()
        return {"unlimited_dims": {name for name, dimension in own if dimension.unlimited}}

    def close(self) -> None:
        self._source.close()

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state that a pickled dataset keeps."""
        return {"_source": self._source}

    def _variable(self, dataset: Dataset, dims: tuple[str, ...], member: str) -> Variable:
        named = zip(dataset.shape or (), dims, strict=True)
        shape = tuple(self._extent(n, name) for n, name in named)
        path = f"{self._path.rstrip('/')}/{member}"
        values = _Values(self._source, path, dataset, shape, self._together, self._decodes_texts)
        encoding = _encoding_of(dataset, dims) | {
            "original_shape": shape,
            "source": self._source.shown,
        }
        data = indexing.LazilyIndexedArray(values)
        return Variable(dims, data, _attributes_of(dataset), encoding)

    def _extent(self, stored: int, dimension: str) -> int:
        known = self._contents.dimensions.get(dimension)
        return max(stored, known.size) if known is not None and known.unlimited else stored


class _Values(BackendArray):
    """The values of a variable, read when they are requested."""

    def __init__(
        self,
        source: Source,
        path: str,
        dataset: Dataset,
        shape: tuple[int, ...],
        together: bool,
        decodes_texts: bool,
    ) -> None:
        self._source, self._path = source, path
        self._together = together
        is_text = _is_text(dataset)
        self._decodes = is_text and decodes_texts
        self.shape = shape
        self.dtype = np.dtype(object) if is_text else dataset.dtype

    @property
    def _dataset(self) -> Dataset:
        return self._source.file[self._path]

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        supported = indexing.IndexingSupport.OUTER_1VECTOR
        return indexing.explicit_indexing_adapter(key, self.shape, supported, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        dataset = self._dataset
        if self.shape != dataset.shape:
            return self._padded(dataset)[key]
        return self._elements(dataset, key)

    def _elements(self, dataset: Dataset, key: tuple[Any, ...]) -> Any:
        read: Callable[[Any], Any] = dataset.read_all if self._together else dataset.__getitem__
        values = read(key)
        return _as_str(values) if self._decodes else values

    def _padded(self, dataset: Dataset) -> np.ndarray:
        """Pads the variable with the fill value if an unlimited dimension has grown."""
        fill = dataset.fillvalue
        whole = np.full(self.shape, _as_str(fill) if self._decodes else fill, self.dtype)
        whole[tuple(slice(n) for n in dataset.shape or ())] = self._elements(dataset, ())
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
    texts.flat[:] = [value.decode("utf-8") for value in values.flat]
    return texts


def _encoding_of(dataset: Dataset, dims: tuple[str, ...]) -> dict[str, Any]:
    """Returns the storage in the terms of xarray's other engines."""
    dtype = dataset.dtype
    members = check_enum_dtype(dtype)
    if members is not None and dtype.kind in "iu":
        name = name_of_type(dataset)
        dtype = np.dtype(dtype.str, metadata={"enum": members, "enum_name": name})
    chunks = dataset.chunks
    encoding: dict[str, Any] = {
        "dtype": str if _is_text(dataset) else dtype,
        "contiguous": chunks is None,
        "chunksizes": chunks,
        "shuffle": dataset.shuffle,
        "fletcher32": dataset.fletcher32,
    }
    if chunks is not None:
        encoding["preferred_chunks"] = dict(zip(dims, chunks, strict=True))
    known = set(dataset.filter_ids)
    encoding |= {name: number in known for name, number in _NETCDF_FILTERS.items()}
    compression, level = dataset.compression, dataset.compression_opts
    if compression == "gzip":
        encoding["complevel"] = level
    elif compression is not None:
        encoding |= {"compression": compression, "compression_opts": level}
    return encoding


def _attributes_of(thing: Any) -> dict[str, Any]:
    """Returns texts as str, as xarray's conventions expect, except for fill values of the
    variable."""
    found = attributes_of(thing)
    for name, value in found.items():
        if isinstance(value, bytes) and name not in ("_FillValue", "missing_value"):
            try:
                found[name] = value.decode("utf-8")
            except UnicodeDecodeError:
                text = f"{thing.name}: attribute {name!r} is no UTF-8: it is left as bytes"
                emit_user_level_warning(text, UnicodeWarning)
    return found
