"""The names that libraries import from h5py's modules about selections."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core import RegionReference
from .._dtypes import member_types
from .._selection import is_index
from .._selection import select as own_select
from .h5s import SpaceID, create_simple

Shape = tuple[int, ...]


class Selection:
    """A part of an array. `id` is the space with the selection. `mshape` is the shape of the
    elements read, without the dimensions that a number indexes."""

    def __init__(self, shape: Shape, spaceid: SpaceID | None = None) -> None:
        self._id = create_simple(shape) if spaceid is None else spaceid
        self.shape = tuple(shape)

    @property
    def id(self) -> SpaceID:
        return self._id

    @property
    def select_type(self) -> int:
        return self._id.get_select_type()

    @property
    def nselect(self) -> int:
        """The number of elements."""
        return self._id.get_select_npoints()

    @property
    def mshape(self) -> Shape:
        return (self.nselect,)

    array_shape = mshape


class PointSelection(Selection):
    """Single elements, as a mask selects them."""


class SimpleSelection(Selection):
    """A regular part."""

    _array_shape: Shape | None = None

    @property
    def mshape(self) -> Shape:
        return self.shape if self._array_shape is None else self._array_shape

    array_shape = mshape


class FancySelection(SimpleSelection):
    """Lists of coordinates in a dimension."""


def select(shape: Shape, args: Any, dataset: Any = None) -> Selection:
    """Returns the part that `dataset[args]` selects. Raises TypeError, ValueError, IndexError."""
    args = args if isinstance(args, tuple) else (args,)
    if len(args) == 1 and isinstance(args[0], Selection):
        if args[0].shape != tuple(shape):
            raise TypeError("Mismatched selection shape")
        return args[0]
    if len(args) == 1 and isinstance(args[0], RegionReference):
        if dataset is None:
            raise TypeError("Cannot apply a region reference without a dataset")
        if dataset.shape != tuple(shape):
            raise TypeError("Reference shape does not match dataset shape")
        return Selection(shape, SpaceID(tuple(shape), None, dataset._region(args[0]).part))
    if any(isinstance(arg, str) for arg in args):
        raise TypeError("a name of a member selects no elements")
    found = own_select(tuple(shape), args)
    space = SpaceID(tuple(shape), None, found.part)
    is_mask = len(args) == 1 and isinstance(args[0], np.ndarray) and args[0].dtype.kind == "b"
    if is_mask and args[0].shape == tuple(shape):
        return PointSelection(shape, space)
    is_simple = all(isinstance(arg, slice) or arg is Ellipsis or is_index(arg) for arg in args)
    made = (SimpleSelection if is_simple else FancySelection)(shape, space)
    made._array_shape = found.shape
    return made


def guess_shape(space: SpaceID) -> Shape:
    """Returns the shape of an array of the selected elements."""
    shape = space._explicit().product_shape()
    return (space.get_select_npoints(),) if shape is None else shape


def read_dtypes(dataset_dtype: np.dtype, names: tuple[str, ...]) -> tuple[np.dtype, np.dtype]:
    """Returns the dtypes (of the result, of the data to read) if these members are selected. Raises
    ValueError."""
    if not names:
        return dataset_dtype, dataset_dtype
    members = member_types(dataset_dtype)
    if dataset_dtype.names is None:
        raise ValueError("Field names only allowed for compound types")
    if any(name not in members for name in names):
        raise ValueError(f"Field does not appear in this type: {names}")
    read = np.dtype([(name, members[name][0]) for name in names])
    return (members[names[0]][0] if len(names) == 1 else read), read


def read_selections_scalar(dsid: Any, args: tuple[Any, ...]) -> tuple[Shape | None, SpaceID]:
    """Returns (shape of the result or None, space) for a scalar dataset."""
    if dsid.shape != ():
        raise RuntimeError(f"the dataset has the shape {dsid.shape}")
    if args == ():
        return None, dsid.get_space()
    if args == (Ellipsis,):
        return (), dsid.get_space()
    raise ValueError("Illegal slicing argument for scalar dataspace")


class Selector:
    """Applies selections to a space."""

    def __init__(self, space: SpaceID) -> None:
        self.space = space

    def make_selection(self, args: tuple[Any, ...]) -> Selection:
        made = select(self.space.shape, args)
        self.space._selection = made.id._selection
        return made
