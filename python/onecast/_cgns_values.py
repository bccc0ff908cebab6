"""Values of CGNS nodes that are saved, in the types that their labels demand."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from . import _cgns
from ._cgns_arrays import DTYPES, TYPES, LazyArray, SlicedArray

INTEGERS = ("B1", "I4", "I8", "U4", "U8")
REALS = ("R4", "R8")
MOST_DIMENSIONS = 12


def stored(value: object, label: str, path: str) -> tuple[str, np.ndarray | None]:
    """The type of a node, and its value as a Fortran-ordered array, copied only if it must be. An
    array without elements is no value.

    Raises TypeError, ValueError: what CGNS has no type or no extents for, or the label not."""
    if value is None:
        return "MT", None
    array = _array_of(value, path)
    whole = getattr(array, "whole_shape", None) or array.shape or (1,)
    if 0 in whole:
        return "MT", None
    kind = TYPES.get(array.dtype.newbyteorder("="))
    if kind is None:
        raise TypeError(f"{path}: CGNS has no type for values of {array.dtype}")
    if len(whole) > MOST_DIMENSIONS:
        raise ValueError(f"{path}: a value has 1 to {MOST_DIMENSIONS} dimensions, not {len(whole)}")
    if array.ndim == 0:
        array = array.reshape(1)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    kind, array = _as_demanded(kind, array, label, path)
    return kind, np.asanyarray(array, order="F")


def _array_of(value: object, path: str) -> np.ndarray:
    """Of other classes of arrays, the plain array in them."""
    if isinstance(value, LazyArray):
        return value.read()
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{path}: elements are masked, and CGNS has none that are missing")
    if isinstance(value, SlicedArray):
        return value
    try:
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            return np.frombuffer(value or b" ", "S1")
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if array.dtype.kind == "S" and array.dtype.itemsize > 1 and array.ndim == 0:
        return np.frombuffer(array.tobytes(), "S1")
    return array


@lru_cache
def types_of(label: str) -> tuple[str, ...]:
    """The types of values of a label, narrow ones before wide ones; none: the grammar says none."""
    return tuple(kind for kind in _cgns.types_of(label).split() if kind != "MT")


def _as_demanded(kind: str, array: np.ndarray, label: str, path: str) -> tuple[str, np.ndarray]:
    allowed = types_of(label)
    if not allowed or kind in allowed:
        return kind, array
    demanded = f"{path}: {label} has values of type {' or '.join(allowed)}"
    wanted = _nearest(kind, allowed)
    if wanted is None:
        raise TypeError(f"{demanded}, not {kind}")
    with np.errstate(invalid="ignore", over="ignore"):
        converted = array.astype(DTYPES[wanted])
        # Only the version must be R4: a decimal number, which is rounded.
        is_rounded = kind in REALS and wanted in REALS
        if not is_rounded and not _are_same(array, converted):
            raise ValueError(f"{demanded}: not all of these {kind} can be that")
    return wanted, converted


def _nearest(kind: str, allowed: tuple[str, ...]) -> str | None:
    """The first type that has all numbers of a type, or else the widest one: integers where there
    are, for integers. By the type alone, so that it is the same on all ranks."""
    if kind not in INTEGERS + REALS:
        return None
    numbers = [name for name in allowed if name in INTEGERS + REALS]
    alike = [name for name in numbers if (name in INTEGERS) == (kind in INTEGERS)] or numbers
    safe = [name for name in alike if np.can_cast(DTYPES[kind], DTYPES[name])]
    return (safe or alike[-1:] or [None])[0]


def _are_same(array: np.ndarray, converted: np.ndarray) -> bool:
    """Large numbers may come back as they were, but with another sign in between."""
    back = converted.astype(array.dtype)
    return np.array_equal(back, array) and np.array_equal(converted < 0, array < 0)
