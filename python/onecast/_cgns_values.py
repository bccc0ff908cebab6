"""Converts values of CGNS nodes to the types that their labels require, before they are saved."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from . import _cgns
from ._cgns_arrays import DTYPES, TYPES, LazyArray, SlicedArray

INTEGERS = ("B1", "I4", "I8", "U4", "U8")
REALS = ("R4", "R8")
# CGNS has no numbers of these types: they become I4.
NARROW = ("i1", "i2", "u2")
MOST_DIMENSIONS = 12


def text_width(dimensions: str) -> int | None:
    """Returns the length of texts that CGNS requires, from its dimensions, such as "32 steps"; None
    if it requires none."""
    first = dimensions.partition(" ")[0]
    return int(first) if first.isdigit() else None


def stored(
    value: object, label: str, path: str, width: int | None = None
) -> tuple[str, np.ndarray | None]:
    """Returns the type of a node, and its value as a Fortran-ordered array, copied only if
    necessary. An array without elements counts as no value. `width` is the number of characters of
    each text, if CGNS requires one.

    Raises TypeError and ValueError for types and extents that CGNS or the label does not allow."""
    if value is None:
        return "MT", None
    array = _array_of(value, path)
    if array.dtype.kind in "SU" and array.dtype != "S1":
        array = _characters(array, width, path)
    if array.dtype.newbyteorder("=") in NARROW and _is_numeric(label):
        array = array.astype("i4")
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
    """Returns a plain array; other classes of arrays contain one."""
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
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _characters(texts: np.ndarray, width: int | None, path: str) -> np.ndarray:
    """Returns the characters of each text, padded with blanks: [width, *shape]."""
    try:
        encoded = [str(t).encode() if texts.dtype.kind == "U" else bytes(t) for t in texts.flat]
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    longest = max(map(len, encoded), default=0)
    if texts.ndim == 0:
        return np.frombuffer(encoded[0] or b" ", "S1")
    width = max(longest, 1) if width is None else width
    if longest > width:
        raise ValueError(f"{path}: texts have at most {width} bytes here, not {longest}")
    rows = np.frombuffer(b"".join(text.ljust(width) for text in encoded), "S1")
    return np.moveaxis(rows.reshape(*texts.shape, width), -1, 0)


def _is_numeric(label: str) -> bool:
    """Returns True if the grammar lets values of the label be numbers."""
    allowed = types_of(label)
    return not allowed or any(kind in INTEGERS + REALS for kind in allowed)


@lru_cache
def types_of(label: str) -> tuple[str, ...]:
    """Returns the types of values of a label, narrow ones first; none if the grammar names none."""
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
        # Only the version must be R4: it is a decimal number, which is rounded.
        is_rounded = kind in REALS and wanted in REALS
        if not is_rounded and not _are_same(array, converted):
            raise ValueError(f"{demanded}: not all of these {kind} can be that")
    return wanted, converted


def _nearest(kind: str, allowed: tuple[str, ...]) -> str | None:
    """Returns the first type that holds all numbers of a type, otherwise the widest, and for
    integers an integer type if there is one. The result depends on the type alone, so it is equal
    on all ranks."""
    if kind not in INTEGERS + REALS:
        return None
    numbers = [name for name in allowed if name in INTEGERS + REALS]
    alike = [name for name in numbers if (name in INTEGERS) == (kind in INTEGERS)] or numbers
    safe = [name for name in alike if np.can_cast(DTYPES[kind], DTYPES[name])]
    return next(iter(safe or alike[-1:]), None)


def _are_same(array: np.ndarray, converted: np.ndarray) -> bool:
    """Compares signs, too: converting a large number back and forth may restore it after a wrong
    sign."""
    back = converted.astype(array.dtype)
    return np.array_equal(back, array) and np.array_equal(converted < 0, array < 0)
