"""Values of CGNS nodes as numpy arrays: types, slices of ranks, arrays that are read later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike

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

    `whole_shape` is the shape of the array, `start` the first index. Results of the same shape,
    such as `2 * slice`, are slices, too; parts of a slice are not: their `whole_shape` is None.
    """

    whole_shape: tuple[int, ...] | None = None
    start: int = 0

    def __array_finalize__(self, source: object) -> None:
        if isinstance(source, SlicedArray) and source.shape == self.shape:
            self.whole_shape, self.start = source.whole_shape, source.start

    def __reduce__(self) -> tuple[Any, ...]:
        make, arguments, state = cast("tuple[Any, ...]", super().__reduce__())
        return make, arguments, (state, self.whole_shape, self.start)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        elements, self.whole_shape, self.start = state
        super().__setstate__(elements)


def sliced(values: np.ndarray, whole_shape: tuple[int, ...], start: int) -> SlicedArray:
    """Returns an array as this rank's slice of an array of `whole_shape`, from index `start` of the
    last dimension on. Does not copy. Raises ValueError if it does not fit."""
    whole = tuple(int(extent) for extent in whole_shape)
    inside = values.ndim == len(whole) > 0 and 0 <= start <= whole[-1] - values.shape[-1]
    if not inside or values.shape[:-1] != whole[:-1]:
        raise ValueError(f"a slice of shape {values.shape} at {start} is not within {whole}")
    view = values.view(SlicedArray)
    view.whole_shape, view.start = whole, int(start)
    return view


def slice_of(extent: int, rank: int, ranks: int) -> tuple[int, int]:
    """Returns the start and the end of a rank's slice; the sizes of slices differ by at most 1."""
    return extent * rank // ranks, extent * (rank + 1) // ranks


class LazyArray(NDArrayOperatorsMixin):
    """A value that is read when it is used: by np.asarray(value), value.read(), or an operator such
    as `value == 1`, whose result is an array. Nothing is kept. `kind` is its type in CGNS, such as
    "R8". A pickled LazyArray becomes an array, since its file may not exist where it is
    unpickled."""

    def __init__(self, shape: tuple[int, ...], kind: str, read: Callable[..., np.ndarray]):
        self.shape, self.kind, self.dtype, self._read = shape, kind, DTYPES[kind], read

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def read(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Reads indices [start, stop) of the last dimension, by default all. @independent"""
        stop = self.shape[-1] if stop is None else stop
        if not 0 <= start <= stop <= self.shape[-1]:
            raise IndexError(f"[{start}, {stop}) is not within the {self.shape[-1]} indices")
        return self._read(start, stop)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the value is in the file: it is copied")
        return self.read().astype(dtype or self.dtype, copy=False)

    def __array_ufunc__(
        self, function: np.ufunc, method: str, *inputs: object, **options: Any
    ) -> object:
        if any(isinstance(out, LazyArray) for out in options.get("out", ())):
            raise TypeError("the value is in the file: nothing can be written into it")
        arrays = [given.read() if isinstance(given, LazyArray) else given for given in inputs]
        return getattr(function, method)(*arrays, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return np.asanyarray, (self.read(),)

    def __copy__(self) -> LazyArray:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> LazyArray:
        return self

    def __getitem__(self, key: Any) -> np.ndarray:
        return self.read()[key]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"LazyArray(shape={self.shape}, dtype={self.dtype})"


def room(shape: tuple[int, ...], kind: str) -> np.ndarray:
    return np.empty(shape, DTYPES[kind], order="F")


def memory(array: np.ndarray) -> np.ndarray:
    """Returns the bytes of a Fortran-ordered array as an array."""
    return array.T.reshape(-1).view(np.uint8)
