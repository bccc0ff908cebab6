"""Values of CGNS nodes as numpy arrays: types, slices of ranks, arrays that are read later."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

DTYPES = {
    "C1": np.dtype("S1"),
    "B1": np.dtype("u1"),
    "I4": np.dtype("i4"),
    "I8": np.dtype("i8"),
    "U4": np.dtype("u4"),
    "U8": np.dtype("u8"),
    "R4": np.dtype("f4"),
    "R8": np.dtype("f8"),
    "X4": np.dtype("c8"),
    "X8": np.dtype("c16"),
}
TYPES = {dtype: name for name, dtype in DTYPES.items()} | {np.dtype("i1"): "C1"}


class SlicedArray(np.ndarray):
    """A rank's slice of an array: indices [start, start + shape[-1]) of its last dimension.

    `whole_shape` is the shape of the array, `start` the first index. Results of the same shape, as
    of `2 * slice`, are slices, too; parts of a slice are not: their `whole_shape` is None.
    """

    whole_shape: tuple[int, ...] | None = None
    start: int = 0

    def __array_finalize__(self, source: object) -> None:
        if isinstance(source, SlicedArray) and source.shape == self.shape:
            self.whole_shape, self.start = source.whole_shape, source.start


def sliced(values: np.ndarray, whole_shape: tuple[int, ...], start: int) -> SlicedArray:
    """Takes an array as this rank's slice of an array of `whole_shape`, from index `start` of the
    last dimension on. Does not copy. Raises ValueError if it does not fit."""
    whole = tuple(int(extent) for extent in whole_shape)
    inside = values.ndim == len(whole) > 0 and 0 <= start <= whole[-1] - values.shape[-1]
    if not inside or values.shape[:-1] != whole[:-1]:
        raise ValueError(f"a slice of shape {values.shape} at {start} is not within {whole}")
    view = values.view(SlicedArray)
    view.whole_shape, view.start = whole, int(start)
    return view


def slice_of(extent: int, rank: int, ranks: int) -> tuple[int, int]:
    """The first index of a rank's slice, and the first behind it: slices differ by at most 1."""
    return extent * rank // ranks, extent * (rank + 1) // ranks


class LazyArray:
    """A value that is read when it is asked for: np.asarray(value), or value.read(). `kind` is its
    type in CGNS, as "R8"."""

    def __init__(self, shape: tuple[int, ...], kind: str, read: Callable[..., np.ndarray]):
        self.shape, self.kind, self.dtype, self._read = shape, kind, DTYPES[kind], read

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def read(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Indices [start, stop) of the last dimension, by default all; not kept. @independent"""
        stop = self.shape[-1] if stop is None else stop
        if not 0 <= start <= stop <= self.shape[-1]:
            raise IndexError(f"[{start}, {stop}) is not within the {self.shape[-1]} indices")
        return self._read(start, stop)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the value is in the file: it is copied")
        return self.read().astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key: object) -> np.ndarray:
        return self.read()[key]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"LazyArray(shape={self.shape}, dtype={self.dtype})"


def room(shape: tuple[int, ...], kind: str) -> np.ndarray:
    return np.empty(shape, DTYPES[kind], order="F")


def memory(array: np.ndarray) -> np.ndarray:
    """The bytes of a Fortran-ordered array."""
    return array.T.reshape(-1).view(np.uint8)


def stored(value: object, path: str) -> tuple[str, np.ndarray | None]:
    """The type of a node, and its value as a Fortran-ordered array, copied only if it must be.

    Raises TypeError, ValueError: what CGNS has no type or no extents for."""
    if value is None:
        return "MT", None
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        value = np.frombuffer(value or b" ", "S1")
    array = np.asanyarray(value)
    if array.dtype.kind == "S" and array.dtype.itemsize > 1 and array.ndim == 0:
        array = np.frombuffer(array.tobytes(), "S1")
    kind = TYPES.get(array.dtype.newbyteorder("="))
    if kind is None:
        raise TypeError(f"{path}: CGNS has no type for values of {array.dtype}")
    whole = getattr(array, "whole_shape", None) or array.shape or (1,)
    if not 1 <= len(whole) <= 12 or 0 in whole:
        raise ValueError(f"{path}: a value has 1 to 12 dimensions and no empty ones, not {whole}")
    if array.ndim == 0:
        array = array.reshape(1)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return kind, np.asanyarray(array, order="F")
