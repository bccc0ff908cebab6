"""netCDF-4 files: which datasets are variables, and how their dimensions are called.

Appendix D of the netCDF User's Guide says how netCDF-4 uses HDF5.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._dataset import Dataset
from ._datatype import Datatype
from ._dtypes import Empty, check_string_dtype
from ._group import Group
from ._objects import last_component

_HIDDEN = {
    "CLASS",
    "DIMENSION_LIST",
    "NAME",
    "REFERENCE_LIST",
    "_NCProperties",
    "_Netcdf4Coordinates",
    "_Netcdf4Dimid",
    "_nc3_strict",
}
_NO_VARIABLE = b"This is a netCDF dimension but not a netCDF variable"
_NO_COORDINATE = "_nc4_non_coord_"


@dataclass(frozen=True)
class Dimension:
    size: int
    unlimited: bool


@dataclass
class NetcdfGroup:
    """What a group contains."""

    variables: dict[str, tuple[Dataset, tuple[str, ...]]] = field(default_factory=dict)
    dimensions: dict[str, Dimension] = field(default_factory=dict)
    """Its own; those of its parents are in sight as well."""


def read_group(group: Group, first_phony: int = 0) -> NetcdfGroup:
    """The variables and dimensions of a group, in the order of its members. Dimensions without a
    scale are called `phony_dim_N`, with numbers from `first_phony` on. @independent"""
    found = NetcdfGroup()
    datasets = [(n, m) for n, m in group.items() if isinstance(m, Dataset) and m.shape is not None]
    for name, dataset in datasets:
        if dataset.is_scale and dataset.shape:
            found.dimensions[name] = Dimension(_size_of(dataset), dataset.maxshape[0] is None)
    phony = _phony_dimensions([d for _, d in datasets], first_phony)
    for size, names in phony.items():
        found.dimensions.update({name: Dimension(size, False) for name in names})
    for name, dataset in datasets:
        if not bytes(_text(dataset, "NAME")).startswith(_NO_VARIABLE):
            shown = name.removeprefix(_NO_COORDINATE)
            found.variables[shown] = dataset, _dimensions_of(dataset, name, group, phony)
    return found


def attributes_of(thing: Any) -> dict[str, Any]:
    """The attributes of a file, group or variable as netCDF's readers know them: lists of str, and
    the single element of an array. @independent"""
    return {name: _value(thing.attrs[name]) for name in thing.attrs if name not in _HIDDEN}


def name_of_type(dataset: Dataset) -> str | None:
    """The name of the committed datatype in sight of a variable that is its own. @independent"""
    group = dataset.parent
    while True:
        for name, member in group.items():
            if isinstance(member, Datatype) and member.datatype == dataset.datatype:
                return name
        if group.name == "/":
            return None
        group = group.parent


def _value(value: Any) -> Any:
    if isinstance(value, Empty):
        text = check_string_dtype(value.dtype)
        is_char = text is not None and text.length == 1
        return b"" if is_char else np.array([], value.dtype)
    if isinstance(value, np.bytes_):
        return bytes(value) if len(value) == 1 else value.decode("utf-8", "surrogateescape")
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.kind == "S" and value.dtype.itemsize > 1:
        value = [text.decode("utf-8", "surrogateescape") for text in value.flat]
    elif value.dtype.kind in "SO":
        value = value.tolist()
    return value[0] if len(value) == 1 else value


def _text(dataset: Dataset, name: str) -> bytes:
    value = dataset.attrs.get(name, b"")
    return value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else b""


def _size_of(scale: Dataset) -> int:
    """Variables may be longer than the scale of their unlimited dimension."""
    size = scale.shape[0]
    if scale.maxshape[0] is None:
        for reference, axis in scale.attrs.get("REFERENCE_LIST", ()):
            size = max(size, scale.file[reference].shape[axis])
    return size


def _scales_of(dataset: Dataset) -> list[Dataset | None]:
    """Of each dimension the last scale, or none."""
    return [scales[-1] if (scales := dim.values()) else None for dim in dataset.dims]


def _dimensions_of(
    dataset: Dataset, name: str, group: Group, phony: dict[int, list[str]]
) -> tuple[str, ...]:
    if dataset.is_scale and dataset.shape:
        if "_Netcdf4Coordinates" not in dataset.attrs:
            return (name.removeprefix(_NO_COORDINATE),) if dataset.ndim == 1 else ()
        by_number = _numbered(group)
        return tuple(by_number[int(i)] for i in np.ravel(dataset.attrs["_Netcdf4Coordinates"]))
    used: Counter[int] = Counter()
    names = []
    for scale, size in zip(_scales_of(dataset), dataset.shape, strict=True):
        if scale is None:
            names.append(phony[size][used[size]])
            used[size] += 1
        else:
            names.append(last_component(scale.name))
    return tuple(names)


def _numbered(group: Group) -> dict[int, str]:
    """The names of the dimensions in sight of a group, by their numbers. Variables have a number,
    too: that of their first dimension."""
    found: dict[int, str] = {}
    while True:
        for name, member in group.items():
            if not isinstance(member, Dataset) or not member.is_scale:
                continue
            if "_Netcdf4Dimid" in member.attrs:
                found.setdefault(int(member.attrs["_Netcdf4Dimid"]), name)
        if group.name == "/":
            return found
        group = group.parent


def _phony_dimensions(datasets: list[Dataset], first: int) -> dict[int, list[str]]:
    """Names for dimensions without a scale, by their size: as many as one variable has of it."""
    needed: Counter[int] = Counter()
    for dataset in datasets:
        if not dataset.is_scale:
            scales = _scales_of(dataset)
            sizes = (n for n, scale in zip(dataset.shape, scales, strict=True) if scale is None)
            needed |= Counter(sizes)
    names: dict[int, list[str]] = {}
    for size, count in needed.items():
        names[size] = [f"phony_dim_{first + i}" for i in range(count)]
        first += count
    return names
