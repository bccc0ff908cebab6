"""Turns the arguments of `dataset[...]` into a selection."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _core

Side = tuple[int, int, int, int]  # start, count, stride, block


@dataclass(frozen=True)
class Selection:
    part: _core.Selection
    shape: tuple[int, ...]
    """Of what is read or written: without the dimensions indexed by a number."""
    fields: tuple[str, ...]
    """Members of a compound type that were named."""
    keeps_array: bool
    """Of a scalar dataset: [...] gives an array without dimensions, [()] its element."""


@dataclass(frozen=True)
class RegionSelection(Selection):
    """The selection of a region reference, whose elements can be given one after the other, too."""

    def for_values(self, values: Any) -> Selection:
        """Returns the selection with the shape in which such values are written."""
        flat = (math.prod(self.shape),)
        return replace(self, shape=flat) if np.shape(values) == flat else self


@dataclass(frozen=True)
class MultiBlockSlice:
    """Takes the place of a slice: `count` blocks of `block` elements, which begin `stride` elements
    apart.

    `count` None: as many as fit. h5py's class of that name is accepted as well.

    >>> MultiBlockSlice(start=1, stride=4, block=2).indices(10)
    (1, 4, 2, 2)
    """

    start: int = 0
    stride: int = 1
    count: int | None = None
    block: int = 1

    def __post_init__(self) -> None:
        if self.start < 0:
            raise ValueError("Start can't be negative")
        if self.stride < 1 or (self.count is not None and self.count < 1) or self.block < 1:
            raise ValueError("Stride, count and block can't be 0 or negative")
        if self.block > self.stride:
            raise ValueError("Blocks will overlap if block > stride")

    def indices(self, length: int) -> tuple[int, int, int, int]:
        """Returns (start, stride, count, block) in a dimension of this length. Raises ValueError if
        it is too short."""
        count = self.count
        if count is None:
            count = (length - self.start - self.block) // self.stride + 1
            if count < 1:
                raise ValueError(f"no full block from {self.start} on in length {length}")
        end = self.start + (count - 1) * self.stride + self.block
        if end > length:
            raise ValueError(f"{count} blocks reach {end - 1}, in length {length}")
        return self.start, self.stride, count, self.block


def select(shape: tuple[int, ...], args: Any) -> Selection:
    """Returns the selection. Raises what h5py raises: IndexError, ValueError, TypeError.

    >>> select((10, 20), (slice(2, 10, 4), 3)).shape
    (2,)
    >>> select((10, 20), ([1, 5, 6], slice(None))).shape
    (3, 20)
    >>> select((10,), 10)
    Traceback (most recent call last):
    IndexError: Index (10) out of range for (0-9)
    """
    if isinstance(args, Selection):
        return args
    args = args if isinstance(args, tuple) else (args,)
    fields = tuple(arg for arg in args if isinstance(arg, str))
    args = tuple(arg for arg in args if not isinstance(arg, str))
    if len(args) == 1 and isinstance(args[0], _core.Selection):
        part = args[0]
        return Selection(part, shape_of(part, shape), fields, keeps_array=True)
    if not shape:
        if args not in ((), (Ellipsis,)):
            _refuse_new_axes(args)
            raise ValueError("Illegal slicing argument for scalar dataspace")
        return Selection(_core.Selection(), (), fields, keeps_array=bool(args))
    if len(args) == 1 and isinstance(args[0], np.ndarray) and args[0].dtype.kind == "b":
        mask = args[0]
        if mask.shape == shape and mask.ndim > 1:
            points = np.ascontiguousarray(np.argwhere(mask), np.uint64)
            part = _core.Selection.points(len(shape), points)
            return Selection(part, (len(points),), fields, keeps_array=True)
        if mask.shape not in (shape, shape[:1]):
            raise TypeError("Boolean indexing array has incompatible shape")

    sides: list[Any] = []
    result, has_list = [], False
    for arg, extent in zip(_expand(args, len(shape)), shape, strict=True):
        side = _side(arg, extent)
        if isinstance(side, np.ndarray):
            if has_list:
                raise TypeError(
                    "Only one indexing vector or array is currently allowed for fancy indexing"
                )
            has_list = True
            result.append(side.size)
        elif not is_index(arg):
            result.append(side[1] * side[3])
        sides.append(side)
    if has_list:
        part = _core.Selection.product(sides)
    else:
        part = _core.Selection.hyperslab(*zip(*sides, strict=True))
    return Selection(part, tuple(result), fields, keeps_array=has_list)


def shape_of(part: _core.Selection, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the shape of an array of the selected elements, as h5py does for regions: the
    dimensions of the box if the selection is a box, otherwise one dimension."""
    if part.is_all:
        return shape
    if part.is_none:
        return (0,) * len(shape)
    if part.rank != len(shape):
        raise TypeError(f"a selection of {part.rank} dimensions, for {len(shape)} dimensions")
    extents = part.product_shape()
    return (part.element_count(),) if extents is None else extents


def _expand(args: tuple[Any, ...], rank: int) -> tuple[Any, ...]:
    """Returns one index for each dimension."""
    dots = [position for position, arg in enumerate(args) if arg is Ellipsis]
    if len(dots) > 1:
        raise ValueError("Only one ellipsis may be used.")
    _refuse_new_axes(args)
    if len(args) - len(dots) > rank:
        raise ValueError(f"{len(args) - len(dots)} indexing arguments for {rank} dimensions")
    at = dots[0] if dots else len(args)
    missing = rank - (len(args) - len(dots))
    return (*args[:at], *[slice(None)] * missing, *args[at + 1 :])


def _refuse_new_axes(args: tuple[Any, ...]) -> None:
    if any(arg is None for arg in args):
        raise TypeError("Indexing with None (or np.newaxis) is not supported")


def _side(arg: Any, extent: int) -> Side | np.ndarray:
    """Returns the part of a dimension that an index selects; for a list, its ascending
    coordinates."""
    if isinstance(arg, slice):
        first, stop, step = arg.indices(extent)
        if step < 1:
            raise ValueError(f"Step must be >= 1 (got {step})")
        number = max(0, -(-(stop - first) // step))
        return (first, number, step if number > 1 else 1, 1) if number else (0, 0, 1, 1)
    if is_index(arg):
        return (_index(operator.index(arg), extent), 1, 1, 1)
    if isinstance(arg, (list, tuple, range, np.ndarray)):
        return _list(arg, extent)
    if hasattr(arg, "indices"):  # a MultiBlockSlice
        start, stride, count, block = arg.indices(extent)
        return (start, count, stride, block)
    raise TypeError(f"Selection can't process {arg!r}")


def is_index(arg: Any) -> bool:
    try:
        operator.index(arg)
    except TypeError:
        return False
    return True


def _index(index: int, extent: int) -> int:
    if index < 0:
        index += extent
    if not 0 <= index < extent:
        allowed = f"(0-{extent - 1})" if extent else "empty dimension"
        raise IndexError(f"Index ({index}) out of range for {allowed}")
    return index


def _list(arg: Any, extent: int) -> np.ndarray:
    try:
        array = np.asarray(arg)
    except ValueError:
        raise TypeError(f"Selection can't process {arg!r}") from None
    if array.dtype.kind == "b":
        if array.shape != (extent,):
            raise TypeError("Boolean indexing array has incompatible shape")
        array = np.flatnonzero(array)
    if array.ndim != 1:
        raise TypeError("Only 1D arrays allowed for fancy indexing")
    if array.size == 0:
        return np.empty(0, np.uint64)
    if array.dtype.kind not in "iu":
        raise TypeError("Indexing arrays must have integer dtypes")
    if array.dtype.kind == "i":
        array = array.astype(np.int64, copy=False)
        array = np.where(array < 0, array + extent, array)
    if array.min() < 0 or array.max() >= extent:
        raise IndexError(f"Fancy indexing out of range for (0-{extent - 1})")
    if (array[1:] <= array[:-1]).any():
        raise TypeError("Indexing elements must be in increasing order")
    return np.ascontiguousarray(array, np.uint64)
