"""Dataspaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core import Dataspace, Selection
from ._identifiers import ObjectID, absent, missing

NO_CLASS, SCALAR, SIMPLE, NULL = -1, 0, 1, 2
SELECT_NOOP, SELECT_SET, SELECT_OR, SELECT_AND, SELECT_XOR, SELECT_NOTB, SELECT_NOTA = range(-1, 6)
SELECT_APPEND, SELECT_PREPEND, SELECT_INVALID = 6, 7, 8
SEL_ERROR, SEL_NONE, SEL_POINTS, SEL_HYPERSLABS, SEL_ALL = -1, 0, 1, 2, 3
UNLIMITED: int = Dataspace.unlimited
MAX_RANK = 32

Shape = tuple[int, ...]


class SpaceID(ObjectID):
    """The extents of an array and a selection of its elements."""

    def __init__(
        self, shape: Shape | None, limits: Shape | None = None, selection: Selection | None = None
    ) -> None:
        self._new_number()
        self._extents = shape
        self._limits = shape if limits is None else limits
        self._selection = Selection() if selection is None else selection
        self._is_points = False
        self._offset: Shape | None = None

    def _key(self) -> Any:
        return self._number

    def copy(self) -> SpaceID:
        same = SpaceID(self._extents, self._limits, self._selection)
        same._is_points = self._is_points
        return same

    __copy__ = copy

    # --- extents ---------------------------------------------------------------------------------
    @property
    def shape(self) -> Shape:
        return self._extents or ()

    @property
    def _stored(self) -> Dataspace:
        """The dataspace as the core takes it, without the selection."""
        if self._extents is None:
            return Dataspace.null()
        limits = self._limits
        if limits is None or limits == self._extents:
            return Dataspace(self._extents)
        return Dataspace(self._extents, limits)

    def is_simple(self) -> bool:
        return True

    def get_simple_extent_ndims(self) -> int:
        return len(self.shape)

    def get_simple_extent_dims(self, maxdims: bool = False) -> Shape:
        return (self._limits or ()) if maxdims else self.shape

    def get_simple_extent_npoints(self) -> int:
        return 0 if self._extents is None else int(np.prod(self.shape, dtype=object))

    def get_simple_extent_type(self) -> int:
        if self._extents is None:
            return NULL
        return SIMPLE if self._extents else SCALAR

    def set_extent_simple(self, dims: Shape, max_dims: Shape | None = None) -> None:
        self._extents, self._limits = _checked(dims, max_dims)
        self._selection = Selection()

    def set_extent_none(self) -> None:
        self._extents = self._limits = None

    def extent_copy(self, source: SpaceID) -> None:
        self._extents, self._limits = source._extents, source._limits

    def extent_equal(self, other: SpaceID) -> bool:
        return (self._extents, self._limits) == (other._extents, other._limits)

    def offset_simple(self, offset: Shape | None = None) -> None:
        if offset is not None and any(offset):
            raise missing("SpaceID.offset_simple", "select_hyperslab with another start")

    # --- selections ------------------------------------------------------------------------------
    def get_select_type(self) -> int:
        if self._selection.is_all:
            return SEL_ALL
        if self._selection.is_none:
            return SEL_NONE
        return SEL_POINTS if self._is_points else SEL_HYPERSLABS

    def get_select_npoints(self) -> int:
        if self._selection.is_all:
            return self.get_simple_extent_npoints()
        return self._selection.element_count()

    def select_all(self) -> None:
        self._selection, self._is_points = Selection(), False

    def select_none(self) -> None:
        self._selection, self._is_points = Selection.none(), False

    def select_valid(self) -> bool:
        """Returns True if the selection lies within the extents."""
        if self._selection.is_all or self._selection.is_none:
            return True
        _, end = self._selection.bounding_box()
        return all(e <= n for e, n in zip(end, self.shape, strict=True))

    def get_select_bounds(self) -> tuple[Shape, Shape]:
        """Returns the first and the last coordinates of the selection."""
        if self._selection.is_none or self._extents is None:
            raise ValueError("nothing is selected")
        if self._selection.is_all:
            return (0,) * len(self.shape), tuple(n - 1 for n in self.shape)
        first, end = self._selection.bounding_box()
        return first, tuple(e - 1 for e in end)

    def select_hyperslab(
        self,
        start: Shape,
        count: Shape,
        stride: Shape | None = None,
        block: Shape | None = None,
        op: int = SELECT_SET,
    ) -> None:
        start, count, *rest = (_tuple(part) for part in (start, count, stride or (), block or ()))
        if any(len(part) not in (0, len(self.shape)) for part in (start, count, *rest)):
            raise TypeError(f"start, count: {len(self.shape)} numbers were expected")
        self._combine(Selection.hyperslab(start, count, *rest), op)
        self._is_points = False

    def select_elements(self, coords: Any, op: int = SELECT_SET) -> None:
        """Selects points. `coords` has one row of coordinates for each point."""
        points = np.ascontiguousarray(coords, np.uint64).reshape(-1, len(self.shape))
        if op in (SELECT_APPEND, SELECT_PREPEND):
            before = self.get_select_elem_pointlist() if self._is_points else points[:0]
            both = [before, points] if op == SELECT_APPEND else [points, before]
            points = np.ascontiguousarray(np.concatenate(both), np.uint64)
        elif op != SELECT_SET:
            raise TypeError("points are set, appended or prepended")
        self._selection = Selection.points(len(self.shape), points)
        self._points, self._is_points = points, True

    def _explicit(self) -> Selection:
        if self._selection.is_all:
            return Selection.hyperslab((0,) * len(self.shape), self.shape)
        return self._selection

    def _combine(self, other: Selection, op: int) -> None:
        if op == SELECT_SET:
            self._selection = other
            return
        mine = self._explicit()
        match op:
            case _ if op == SELECT_OR:
                self._selection = mine | other
            case _ if op == SELECT_AND:
                self._selection = mine & other
            case _ if op == SELECT_XOR:
                self._selection = mine ^ other
            case _ if op == SELECT_NOTB:
                self._selection = mine - other
            case _ if op == SELECT_NOTA:
                self._selection = other - mine
            case _:
                raise ValueError(f"op: a SELECT_ constant was expected, not {op!r}")

    def select_copy(self, source: SpaceID) -> None:
        self._selection, self._is_points = source._selection, source._is_points

    def combine_select(self, other: SpaceID, op: int) -> SpaceID:
        both = self.copy()
        both.modify_select(other, op)
        return both

    def modify_select(self, other: SpaceID, op: int) -> None:
        self._combine(other._explicit(), op)

    def select_shape_same(self, other: SpaceID) -> bool:
        return self._explicit().product_shape() == other._explicit().product_shape()

    def is_regular_hyperslab(self) -> bool:
        return not self._is_points and self._selection.is_regular_hyperslab()

    def get_regular_hyperslab(self) -> tuple[Shape, Shape, Shape, Shape]:
        """Returns (start, stride, count, block)."""
        return self._selection.get_regular_hyperslab()

    def get_select_hyper_nblocks(self) -> int:
        return len(self.get_select_hyper_blocklist())

    def get_select_hyper_blocklist(self) -> np.ndarray:
        """Returns the first and last coordinates of each block: the blocks of a regular hyperslab
        as select_hyperslab was given them, otherwise the fewest blocks that cover the selection."""
        if self.is_regular_hyperslab() and not self._selection.is_unlimited:
            start, stride, count, block = map(np.array, self.get_regular_hyperslab())
            first = start + stride * np.indices(tuple(count)).reshape(len(count), -1).T
            return np.stack([first, first + block - 1], axis=1).astype(np.uint64)
        blocks = self._explicit().get_select_hyper_blocklist()
        return np.array(blocks, np.uint64).reshape(-1, 2, len(self.shape))

    def get_select_elem_npoints(self) -> int:
        return len(self.get_select_elem_pointlist())

    def get_select_elem_pointlist(self) -> np.ndarray:
        if not self._is_points:
            raise TypeError("the selection is none of points")
        return self._points

    def encode(self) -> bytes:
        raise missing("SpaceID.encode", "pickle the shape and the arguments of the selection")


def _tuple(numbers: Any) -> Shape:
    return tuple(int(n) for n in (numbers if isinstance(numbers, Sequence | np.ndarray) else ()))


def _checked(dims: Any, max_dims: Any) -> tuple[Shape, Shape]:
    shape = _tuple(dims)
    limits = shape
    if max_dims is not None:
        limits = tuple(UNLIMITED if n is None or n == UNLIMITED else int(n) for n in max_dims)
        if len(limits) != len(shape):
            raise ValueError("dims and max_dims must be of equal length")
    return shape, limits


def create(class_code: int) -> SpaceID:
    if class_code not in (SCALAR, SIMPLE, NULL):
        raise ValueError(f"class_code: SCALAR, SIMPLE or NULL was expected, not {class_code!r}")
    return SpaceID(None if class_code == NULL else ())


def create_simple(dims_tpl: Shape, max_dims_tpl: Shape | None = None) -> SpaceID:
    return SpaceID(*_checked(dims_tpl, max_dims_tpl))


ALL = 0  # in place of a space, selects the whole dataset or array


def selection_of(space: Any) -> Selection:
    return space._selection if isinstance(space, SpaceID) else Selection()


__getattr__ = absent(__name__, {"decode": "create_simple"})
