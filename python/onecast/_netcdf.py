"""netCDF-4 files: finds the variables among datasets, and the names of their dimensions.

Appendix D of the netCDF User's Guide defines how netCDF-4 uses HDF5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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


class NetcdfVariable(NamedTuple):
    """A variable. `member` is its name in the group."""

    dataset: Dataset
    dimensions: tuple[str, ...]
    member: str


@dataclass
class NetcdfGroup:
    """The contents of a group."""

    variables: dict[str, NetcdfVariable] = field(default_factory=dict)
    dimensions: dict[str, Dimension] = field(default_factory=dict)
    """Its own; those of its parents are in sight as well."""


def read_group(group: Group, first_phony: Callable[[Group], int]) -> NetcdfGroup:
    """Returns the variables and dimensions of a group, in the order of its members. A dataset
    without scales has the group's dimensions of its sizes. Missing dimensions are named
    `phony_dim_N`, with numbers from first_phony(group) on, which is called only if there are some.
    @independent"""
    found = NetcdfGroup()
    datasets = _datasets_of(group)
    found.dimensions = _scales_in(datasets)
    lacking = _lacking([d for _, d in datasets], found.dimensions)
    first = first_phony(group) if lacking else 0
    for number, size in enumerate(lacking, first):
        found.dimensions[f"phony_dim_{number}"] = Dimension(size, False)
    by_size: dict[int, list[str]] = {}
    for name, dimension in found.dimensions.items():
        by_size.setdefault(dimension.size, []).append(name)
    for name, dataset in datasets:
        if not bytes(_text(dataset, "NAME")).startswith(_NO_VARIABLE):
            dims = _dimensions_of(dataset, name, group, by_size)
            found.variables[name.removeprefix(_NO_COORDINATE)] = NetcdfVariable(dataset, dims, name)
    return found


class PhonyNumbers:
    """Numbers the phony dimensions of the groups of a file. With `how` "access", only they count,
    in the order in which groups and their ancestors are read. With "sort", they count together with
    all other dimensions, in the order of all groups."""

    def __init__(self, how: str) -> None:
        if how not in ("access", "sort"):
            raise ValueError(f"phony_dims {how!r}: 'access' or 'sort' was expected")
        self._how = how
        self._first: dict[Group, int] = {}
        self._next = 0

    def first(self, group: Group) -> int:
        """Returns the first number for a group. @independent"""
        if self._how == "sort" and not self._first:
            for _, one in groups_below("/", group.file["/"]):
                self._read(one)
        for above in reversed(_from_group_up(group)):
            self._read(above)
        return self._first[group]

    def _read(self, group: Group) -> None:
        if group not in self._first:
            datasets = _datasets_of(group)
            scales = _scales_in(datasets)
            if self._how == "sort":
                self._next += len(scales)
            self._first[group] = self._next
            self._next += len(_lacking([d for _, d in datasets], scales))


def groups_below(path: str, group: Group) -> Iterator[tuple[str, Group]]:
    """Yields the group at that path, and all groups below it, each before its members, with their
    paths. @independent"""
    yield path, group
    for name, member in group.items():
        if isinstance(member, Group):
            yield from groups_below(f"{path.rstrip('/')}/{name}", member)


def attributes_of(thing: Any) -> dict[str, Any]:
    """Returns the attributes of a file, group or variable as netCDF's readers show them: lists of
    str, and the single element of an array. A text of one character is bytes. @independent"""
    return {name: _value_of(thing.attrs, name) for name in thing.attrs if name not in _HIDDEN}


def name_of_type(dataset: Dataset) -> str | None:
    """Returns the name of the committed datatype that is the variable's type and in its scope.
    @independent"""
    for group in _from_group_up(dataset.parent):
        for name, member in group.items():
            if isinstance(member, Datatype) and member.datatype == dataset.datatype:
                return name
    return None


def _from_group_up(group: Any) -> list[Any]:
    """Returns the group and its ancestors, up to the root group."""
    groups = [group]
    while groups[-1].name != "/":
        groups.append(groups[-1].parent)
    return groups


def _datasets_of(group: Group) -> list[tuple[str, Dataset]]:
    return [(n, m) for n, m in group.items() if isinstance(m, Dataset) and m.shape is not None]


def _scales_in(datasets: list[tuple[str, Dataset]]) -> dict[str, Dimension]:
    return {
        name: Dimension(_size_of(dataset), _is_unlimited(dataset))
        for name, dataset in datasets
        if dataset.is_scale and dataset.shape
    }


def _value_of(attributes: Any, name: str) -> Any:
    value = attributes[name]
    if isinstance(value, Empty):
        text = check_string_dtype(value.dtype)
        is_char = text is not None and text.length == 1
        return b"" if is_char else np.array([], value.dtype)
    if isinstance(value, np.bytes_):
        is_char = len(value) <= 1 and attributes.get_id(name).dtype.itemsize == 1
        return value if is_char else value.decode("utf-8", "surrogateescape")
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


def _is_unlimited(scale: Dataset) -> bool:
    return (scale.maxshape or ())[:1] == (None,)


def _size_of(scale: Dataset) -> int:
    """Returns the size of a dimension. Variables may be longer than the scale of an unlimited
    dimension."""
    size = len(scale)
    if _is_unlimited(scale):
        for reference, axis in scale.attrs.get("REFERENCE_LIST", ()):
            size = max(size, scale.file[reference].shape[axis])
    return size


def _scales_of(dataset: Dataset) -> list[Dataset | None]:
    """Returns the last scale of each dimension, or None."""
    return [scales[-1] if (scales := dim.values()) else None for dim in dataset.dims]


def _dimensions_of(
    dataset: Dataset, name: str, group: Group, by_size: dict[int, list[str]]
) -> tuple[str, ...]:
    if dataset.is_scale and dataset.shape:
        if "_Netcdf4Coordinates" not in dataset.attrs:
            return (name.removeprefix(_NO_COORDINATE),) if dataset.ndim == 1 else ()
        by_number = _numbered(group)
        return tuple(by_number[int(i)] for i in np.ravel(dataset.attrs["_Netcdf4Coordinates"]))
    used: Counter[int] = Counter()
    names = []
    for scale, size in zip(_scales_of(dataset), dataset.shape or (), strict=True):
        if scale is None:
            names.append(by_size[size][used[size]])
            used[size] += 1
        else:
            names.append(last_component(scale.name or ""))
    return tuple(names)


def _numbered(group: Group) -> dict[int, str]:
    """Returns the names of the dimensions in scope of a group, by their numbers. A variable also
    has a number: that of its first dimension."""
    found: dict[int, str] = {}
    for above in _from_group_up(group):
        for name, member in above.items():
            if (number := _number_of(member)) is not None:
                found.setdefault(number, name)
    return found


def _number_of(member: Any) -> int | None:
    is_scale = isinstance(member, Dataset) and member.is_scale
    return (
        int(member.attrs["_Netcdf4Dimid"]) if is_scale and "_Netcdf4Dimid" in member.attrs else None
    )


def _lacking(datasets: list[Dataset], known: dict[str, Dimension]) -> list[int]:
    """Returns the sizes of missing dimensions: a dataset without scales has a size more often than
    there are dimensions of that size."""
    needed: Counter[int] = Counter()
    for dataset in datasets:
        if not dataset.is_scale:
            scales = _scales_of(dataset)
            needed |= Counter(
                n for n, scale in zip(dataset.shape or (), scales, strict=True) if scale is None
            )
    there = Counter(dimension.size for dimension in known.values() if not dimension.unlimited)
    return [size for size, count in needed.items() for _ in range(there[size], count)]
