"""The header of a dataset: its type, its shape, its storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from . import _core
from ._errors import ExtentError, as_h5py
from ._filters import known_filters
from ._objects import HLObject
from ._selection import RegionSelection, Selection, select
from ._storage import FLETCHER32, SCALE_OFFSET, SHUFFLE, compression_of, filters_of
from ._types import memory_type, to_dtype
from ._values import decode, type_to_convert


class VDSmap(NamedTuple):
    """Maps elements of a virtual dataset to elements of another dataset, in equal order.

    The spaces are selections, which have `is_regular_hyperslab`, `get_regular_hyperslab` and
    `get_select_hyper_blocklist` as those of h5py.
    """

    vspace: _core.Selection
    file_name: str  # "." is the file of the virtual dataset
    dset_name: str
    src_space: _core.Selection


class DatasetInfo(HLObject):
    """What a Dataset says of itself, without reading elements."""

    if TYPE_CHECKING:

        @property
        def _object(self) -> _core.Dataset: ...

    @property
    def datatype(self) -> _core.StoredType:
        """The stored type, even if it cannot be read. @independent"""
        return self._object.datatype

    @property
    def dtype(self) -> np.dtype:
        """The dtype. Raises UnsupportedError, which names the type, if it cannot be read.
        @independent"""
        plain = self._object.plain_dtype
        return to_dtype(self.datatype, self._where) if plain is None else plain

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Elements in each dimension; () for a scalar, None for a dataset without elements.
        @independent"""
        return self._object.shape

    @shape.setter
    def shape(self, shape: int | tuple[int, ...]) -> None:
        self.resize(shape)

    def resize(self, size: int | tuple[int, ...], axis: int | None = None) -> None:
        """Changes the shape, or the extent of one dimension, within `maxshape`. Elements outside of
        a smaller shape are lost; new elements have the fill value.

        Raises TypeError if the dataset is not chunked or has another number of dimensions;
        ValueError beyond `maxshape`, which is a RuntimeError, too, or below 0, which is an
        OverflowError, too. @replicated
        """
        if self.chunks is None:
            raise TypeError("Only chunked datasets can be resized")
        shape, wanted = self.shape or (), cast("Any", size)
        if axis is not None:
            if not 0 <= axis < len(shape):
                raise ValueError(f"Invalid axis (0 to {len(shape) - 1} allowed)")
            try:
                extent = int(wanted)
            except TypeError:
                raise TypeError("Argument must be a single int if axis is specified") from None
            wanted = (*shape[:axis], extent, *shape[axis + 1 :])
        elif isinstance(wanted, (int, np.integer)):
            wanted = (wanted,)
        try:
            extents = [int(n) for n in wanted]
        except (TypeError, ValueError):
            raise TypeError(f"size: a tuple of integers was expected, not {size!r}") from None
        if len(extents) != len(shape):
            raise TypeError(f"size: {len(shape)} dimensions expected, {len(extents)} given")
        if any(n < 0 for n in extents):
            raise ExtentError(f"size: numbers from 0 on were expected, not {tuple(extents)}")
        with as_h5py:
            self._object.resize(extents)

    @property
    def maxshape(self) -> tuple[int | None, ...] | None:
        """The largest extent of each dimension; None: no limit. @independent"""
        space = self._object.dataspace
        if space.is_null:
            return None
        limits = space.max_shape or space.shape
        return tuple(None if limit == space.unlimited else limit for limit in limits)

    @property
    def ndim(self) -> int:
        """Number of dimensions. @independent"""
        return len(self._object.dataspace.shape)

    @property
    def size(self) -> int | None:
        """Number of elements; None for an empty dataset. @independent"""
        shape = self.shape
        return None if shape is None else int(np.prod(shape, dtype=object))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements in memory. @independent"""
        return (self.size or 0) * self.dtype.itemsize

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """Elements of a chunk in each dimension; None unless stored in chunks. @independent"""
        return self._object.chunk_shape

    @property
    def compression(self) -> str | None:
        """ "gzip", "lzf" or "szip"; "unknown" for others; None without compression. @independent"""
        return compression_of(self._object)[0]

    @property
    def compression_opts(self) -> Any:
        """The level for gzip, (coding, pixels) for szip. @independent"""
        return compression_of(self._object)[1]

    @property
    def shuffle(self) -> bool:
        """True if bytes are shuffled before the compression. @independent"""
        return SHUFFLE in filters_of(self._object)

    @property
    def fletcher32(self) -> bool:
        """True if chunks have checksums. @independent"""
        return FLETCHER32 in filters_of(self._object)

    @property
    def scaleoffset(self) -> int | None:
        """Decimal places for floats, bits for integers (0: as many as needed). @independent"""
        parameters = filters_of(self._object).get(SCALE_OFFSET)
        return None if parameters is None else parameters[1]

    @property
    def fillvalue(self) -> Any:
        """The value of unwritten elements. @independent"""
        datatype = self.datatype
        stored = _core.storage(self._object)["fill_value"] or bytes(datatype.size)
        return decode(self._object, datatype, self.dtype, stored, 1)[0]

    @property
    def layout(self) -> str:
        """The storage layout: "compact", "contiguous" (here, or in the files that `external`
        lists), "chunked" or "virtual_dataset" (in other datasets). @independent"""
        return self._object.layout.name

    @property
    def external(self) -> list[tuple[str, int, int]] | None:
        """(file, offset, size) of each part in a file that is not HDF5; None if there are none. A
        size without a limit is 2**64-1. @independent"""
        return self._object.external_slots() or None

    @property
    def is_virtual(self) -> bool:
        """True if its elements lie in other datasets. @independent"""
        return self.layout == "virtual_dataset"

    def virtual_sources(self) -> list[VDSmap]:
        """The mappings of a virtual dataset. Raises RuntimeError if the dataset is not virtual.
        @independent"""
        if not self.is_virtual:
            raise RuntimeError("Not a virtual dataset")
        return [VDSmap(*mapping) for mapping in self._object.virtual_mappings()]

    @property
    def filter_ids(self) -> tuple[int, ...]:
        """The numbers of its filters, in the order of writing. @independent"""
        return tuple(filters_of(self._object))

    @property
    def filter_names(self) -> tuple[str, ...]:
        """The names of its filters, by h5py's names where it has some. @independent"""
        names = {known.id: known.h5py_name or known.name for known in known_filters()}
        return tuple(names.get(number, str(number)) for number in self.filter_ids)

    @property
    def _filters(self) -> dict[str, Any]:
        """The parameters of each filter, by its name."""
        parameters = filters_of(self._object).values()
        return dict(zip(self.filter_names, map(tuple, parameters), strict=True))

    @property
    def fill_time(self) -> str:
        """The time at which other programs write the fill value: "alloc", "never" or "ifset".
        @independent"""
        stored = {"on allocation": "alloc", "never": "never"}
        return stored.get(_core.storage(self._object)["fill_time"], "ifset")

    @property
    def _is_plain(self) -> bool:
        """True if numpy understands the stored bytes."""
        stored = self.datatype
        return self._object.plain_dtype is not None and memory_type(stored) == stored

    @property
    def _refers_elsewhere(self) -> bool:
        """True if elements stand for values of variable length or references."""
        return self.datatype.points_elsewhere

    def _type_to_convert(self, array: Any) -> _core.StoredType | None:
        """See type_to_convert(). numpy converts numbers to bit fields, which the core does not."""
        form = type_to_convert(array, self.dtype)
        is_bitfield = form is not None and self.datatype.type_class == _core.TypeClass.bitfield
        return None if is_bitfield else form

    def _select(self, args: Any, is_write: bool = False) -> Selection:
        """Returns the selection that brackets make, which may name a region and members. Like h5py
        it writes to a region of another dataset of the same shape, and does not read it."""
        try:
            return select(self.shape or (), args)
        except (TypeError, ValueError, IndexError):
            # select() knows no regions. Nearly all selections need no look for them.
            given = args if isinstance(args, tuple) else (args,)
            regions = [arg for arg in given if isinstance(arg, _core.RegionReference)]
            if not regions:
                raise
        fields = tuple(arg for arg in given if isinstance(arg, str))
        if len(regions) + len(fields) < len(given) or len(regions) > 1:
            raise TypeError("a region reference selects all dimensions: no other index may follow")
        if regions[0]:
            self._require_alike(self.file[regions[0]], is_write)
        region = self._region(regions[0])
        return RegionSelection(region.part, region.shape, fields, region.keeps_array)

    def _require_alike(self, other: DatasetInfo, is_write: bool) -> None:
        if not is_write and other != self:
            raise ValueError("Region reference must point to this dataset")
        if other.shape != self.shape:
            raise TypeError("Reference shape does not match dataset shape")

    def _region(self, reference: _core.RegionReference) -> Selection:
        """Returns the region to which a reference refers. Raises ValueError for a null
        reference."""
        if not reference:
            raise ValueError("Invalid HDF5 region reference")
        values = _core.VariableValues(self._object)
        shape = self.shape or ()
        return select(shape, values.region(reference, len(shape)))
