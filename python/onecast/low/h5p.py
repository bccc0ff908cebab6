"""Property lists."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np

from .. import _core
from .._dataset import Dataset
from .._filters import known_filters
from .._selection import shape_of
from .._types import to_dtype
from .._values import decode, encode, fill_array, new_values
from ._file_lists import PropFAID, PropFCID
from ._identifiers import absent, raw, text
from ._property_lists import PropCreateID, PropList, PropOCID
from .h5s import SpaceID

CRT_ORDER_TRACKED, CRT_ORDER_INDEXED = 1, 2
DEFAULT = None
_LAYOUTS = ("compact", "contiguous", "chunked", "virtual_dataset")


class PropGCID(PropOCID):
    """Group creation properties."""

    defaults: ClassVar = {
        "link_creation_order": 0,
        "link_phase_change": (8, 6),
        "est_link_info": (4, 8),
        "local_heap_size_hint": 0,
    }

    def set_link_phase_change(self, max_compact: int = 8, min_dense: int = 6) -> None:
        self._set_limits("link_phase_change", max_compact, min_dense)

    def _options(self) -> dict[str, Any]:
        """Returns the properties as keyword arguments of the core's create_group."""
        return {
            "track_links": bool(self.get_link_creation_order()),
            "track_attributes": bool(self.get_attr_creation_order()),
            "track_times": bool(self.get_obj_track_times()),
            **self._limits(dense_links="link_phase_change", dense_attributes="attr_phase_change"),
        }


class PropDCID(PropOCID):
    """Dataset creation properties."""

    defaults: ClassVar = {
        "layout": 1,
        "chunk": None,
        "alloc_time": 0,
        "fill_time": 2,
        "filters": (),
        "fill": None,
        "externals": (),
        "virtuals": (),
    }

    # --- layout ----------------------------------------------------------------------------------
    def get_chunk(self) -> tuple[int, ...]:
        if self._get("chunk") is None:
            raise ValueError("the layout is not chunked")
        return self._get("chunk")

    def set_chunk(self, chunksize: tuple[int, ...]) -> None:
        self._values |= {"chunk": tuple(chunksize), "layout": _LAYOUTS.index("chunked")}

    def set_layout(self, layout_code: int) -> None:
        self._values["layout"] = layout_code

    # --- fill value ------------------------------------------------------------------------------
    def fill_value_defined(self) -> int:
        return 1 if self._get("fill") is None else 2

    def get_fill_value(self, value: np.ndarray) -> None:
        fill = self._get("fill")
        value[...] = np.zeros((), value.dtype) if fill is None else fill

    def set_fill_value(self, value: Any) -> None:
        self._values["fill"] = np.array(value)

    # --- filters ---------------------------------------------------------------------------------
    def get_nfilters(self) -> int:
        return len(self._get("filters"))

    def get_filter(self, index: int) -> tuple[int, int, tuple[int, ...], bytes]:
        """Returns (number, flags, parameters, name)."""
        number, flags, parameters = self._get("filters")[index]
        names = {known.id: known.name for known in known_filters()}
        return number, flags, parameters, raw(names.get(number, ""))

    def get_filter_by_id(self, code: int) -> tuple[int, tuple[int, ...], bytes] | None:
        for index, (number, _, _) in enumerate(self._get("filters")):
            if number == code:
                return self.get_filter(index)[1:]
        return None

    def set_filter(self, code: int, flags: int = 0, values: Any = ()) -> None:
        filters = (*self._get("filters"), (code, flags, tuple(values)))
        self._values["filters"] = filters

    def remove_filter(self, code: int) -> None:
        self._values["filters"] = tuple(f for f in self._get("filters") if f[0] != code)

    def all_filters_avail(self) -> bool:
        there = {known.id for known in known_filters() if known.encodes}
        return all(number in there for number, _, _ in self._get("filters"))

    def set_deflate(self, level: int = 5) -> None:
        self._add(_core.Filter.deflate(level))

    def set_shuffle(self) -> None:
        self._add(_core.Filter.shuffle())

    def set_fletcher32(self) -> None:
        self._add(_core.Filter.fletcher32())

    def set_szip(self, options: int, pixels_per_block: int) -> None:
        self._add(_core.Filter.szip(bool(options & 4), pixels_per_block))

    def set_scaleoffset(self, scale_type: int, scale_factor: int) -> None:
        is_number = scale_type == 2
        make = _core.Filter.scale_offset if is_number else _core.Filter.scale_offset_decimal
        self._add(make(scale_factor))

    def _add(self, made: _core.Filter) -> None:
        self.set_filter(made.id, 1, made.client_data)

    # --- elsewhere -------------------------------------------------------------------------------
    def get_external_count(self) -> int:
        return len(self._get("externals"))

    def get_external(self, index: int = 0) -> tuple[bytes, int, int]:
        return self._get("externals")[index]

    def set_external(self, name: bytes, offset: int, size: int) -> None:
        self._values["externals"] = (*self._get("externals"), (name, offset, size))

    def get_virtual_count(self) -> int:
        return len(self._get("virtuals"))

    def set_virtual(
        self, vspace: SpaceID, src_file: bytes, src_dset: bytes, src_space: SpaceID
    ) -> None:
        one = (vspace.copy(), src_file, src_dset, src_space.copy())
        self._values |= {
            "virtuals": (*self._get("virtuals"), one),
            "layout": _LAYOUTS.index("virtual_dataset"),
        }

    def get_virtual_vspace(self, index: int = 0) -> SpaceID:
        return self._get("virtuals")[index][0]

    def get_virtual_filename(self, index: int = 0) -> str:
        return text(self._get("virtuals")[index][1])

    def get_virtual_dsetname(self, index: int = 0) -> str:
        return text(self._get("virtuals")[index][2])

    def get_virtual_srcspace(self, index: int = 0) -> SpaceID:
        return self._get("virtuals")[index][3]

    def _options(
        self, stored: _core.StoredType, external_prefix: bytes = b""
    ) -> _core.DatasetOptions:
        """Returns the properties as the core's options."""
        fill = self._get("fill")
        if fill is not None:
            dtype = to_dtype(stored, "fill value")
            fill = encode(fill_array(fill, dtype, ()), stored, new_values(stored))
        given = {
            "chunk": list(self._get("chunk") or ()),
            "filters": [
                _core.Filter(number, bool(flags & 1), list(parameters))
                for number, flags, parameters in self._get("filters")
            ],
            "fill_value": fill,
            "external_prefix": external_prefix,
            "external": [(text(n), offset, size) for n, offset, size in self._get("externals")],
            "sources": [
                (mapped._selection, text(file), text(dataset), source._selection)
                for mapped, file, dataset, source in self._get("virtuals")
            ],
            "track_attributes": bool(self.get_attr_creation_order()),
            "track_times": bool(self.get_obj_track_times()),
            "fill_time": list(_core.FillTime)[self._get("fill_time")],
            **self._limits(dense_attributes="attr_phase_change"),
        }
        if time := self._get("alloc_time"):
            given["allocation_time"] = list(_core.AllocationTime)[time - 1]
        if self._get("layout") == _LAYOUTS.index("compact"):
            given["layout"] = _core.Layout.compact
        return _core.DatasetOptions(**given)


def created_as(dataset: Dataset) -> PropDCID:
    """Returns the creation properties of a dataset."""
    found = _core.storage(dataset._object)
    values: dict[str, Any] = {
        "filters": tuple(
            (f["id"], int(f["optional"]), tuple(f["client_data"])) for f in found["filters"]
        ),
        "attr_creation_order": 3 if dataset._object.tracks_attributes else 0,
        "attr_phase_change": _core.details(dataset._object)["attribute_limits"],
        "obj_track_times": dataset._object.tracks_times,
    }
    values["layout"] = _LAYOUTS.index(dataset.layout)
    if dataset.chunks is not None:
        values["chunk"] = dataset.chunks
    times = ("on allocation", "never", "if set")
    if found["fill_time"] in times:
        values["fill_time"] = times.index(found["fill_time"])
    if found["allocation_time"]:
        values["alloc_time"] = ("early", "late", "incremental").index(found["allocation_time"]) + 1
    if found["fill"] == "defined":
        stored = dataset.datatype
        values["fill"] = decode(dataset._object, stored, dataset.dtype, found["fill_value"], 1)[0]
    if dataset.external:
        values["externals"] = tuple((raw(n), at, size) for n, at, size in dataset.external)
    if dataset.is_virtual:
        values["virtuals"] = tuple(
            (
                SpaceID(dataset.shape, None, mapping.vspace),
                raw(mapping.file_name),
                raw(mapping.dset_name),
                SpaceID(_extents(mapping.src_space), None, mapping.src_space),
            )
            for mapping in dataset.virtual_sources()
        )
    return PropDCID(**values)


def _extents(part: _core.Selection) -> tuple[int, ...]:
    """Returns the extents of a source dataset, as far as its selection implies them."""
    if part.is_all or part.is_none or part.is_unlimited:
        return ()
    return part.bounding_box()[1] if part.rank else shape_of(part, ())


class PropDAID(PropList):
    """Dataset access properties. Onecast has one cache for all datasets of a file."""

    defaults: ClassVar = {
        "chunk_cache": (8191, 8 << 20, 0.75),
        "efile_prefix": b"",
        "virtual_prefix": b"",
        "virtual_view": 1,
        "virtual_printf_gap": 0,
    }


class PropDXID(PropList):
    """Dataset transfer properties."""

    defaults: ClassVar = {"dxpl_mpio": 0}

    def set_dxpl_mpio(self, xfer_mode: int) -> None:
        self._values["dxpl_mpio"] = xfer_mode

    @property
    def is_collective(self) -> bool:
        return self._get("dxpl_mpio") == 1


class PropLCID(PropCreateID):
    """Link creation properties."""

    defaults: ClassVar = {"char_encoding": 0, "create_intermediate_group": 1}


class PropLAID(PropList):
    """Link access properties."""

    defaults: ClassVar = {
        "nlinks": 16,
        "elink_prefix": b"",
        "elink_acc_flags": 0xFFFF,
        "elink_fapl": None,
    }

    def get_elink_fapl(self) -> PropFAID:
        return self._get("elink_fapl") or PropFAID()


class PropOCPYID(PropList):
    """Object copy properties."""

    defaults: ClassVar = {"copy_object": 0}


class PropTCID(PropOCID):
    """Datatype creation properties."""


Made = TypeVar("Made", bound=PropList)

FILE_CREATE, FILE_ACCESS = PropFCID, PropFAID
DATASET_CREATE, DATASET_ACCESS, DATASET_XFER = PropDCID, PropDAID, PropDXID
GROUP_CREATE, OBJECT_CREATE, OBJECT_COPY = PropGCID, PropOCID, PropOCPYID
LINK_CREATE, LINK_ACCESS, DATATYPE_CREATE = PropLCID, PropLAID, PropTCID
PropClassID = type


def create(cls: type[Made]) -> Made:
    return cls()


__getattr__ = absent(__name__, {})
