"""Describes the difference of two values with texts that never look equal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import onecast

from .equal import Equality, PathAt
from .values import type_of

MOST = 60  # characters of a value
BEFORE = 20  # of these, before the first difference


def types_text(a: onecast.StoredType, b: onecast.StoredType) -> str:
    """Describes two types that differ.

    A short description leaves out much, such as the character set of a string.
    """
    if str(a) != str(b):
        return f"{a} != {b}"
    found = list(fields_that_differ(type_of(a), type_of(b))) or ["as they are stored"]
    return f"{a}: {', '.join(found)}"


def fields_that_differ(a: Any, b: Any, name: str = "") -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys([*a, *b]):
            yield from fields_that_differ(a.get(key), b.get(key), f"{name}.{key}".lstrip("."))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from fields_that_differ(x, y, f"{name}[{number}]")
    elif a != b:
        yield f"{name} {a} != {b}"


def values_text(a: Any, b: Any, equal: Equality) -> str:
    """Describes two values that differ: `[where in them]: a != b`."""
    where, a, b = narrowed(a, b, equal)
    x, y = shown(a, equal.path_a), shown(b, equal.path_b)
    if x.split() == y.split():
        x, y = repr(a), repr(b)
    if x == y:
        x, y = (f"{text} ({type(value).__name__})" for text, value in ((x, a), (y, b)))
    first = next((i for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), len(x))
    return f"{where}: {shortened(x, first)} != {shortened(y, first)}"


def shown(value: Any, path_at: PathAt) -> str:
    """Shows a value, with references as paths."""
    if not isinstance(value, onecast.Reference):
        return str(value)
    if value.address is None:
        return "no reference"
    where = f"{value.file}:#{value.address}" if value.file else path_at(value.address)
    attribute = f"@{value.attribute}" if value.attribute else ""
    region = " (a region)" if isinstance(value, onecast.RegionReference) else ""
    return f"-> {where}{attribute}{region}"


def narrowed(a: Any, b: Any, equal: Equality) -> tuple[str, Any, Any]:
    """Returns where the first different part is, and both parts: whole values may be long."""
    where = ""
    while max(len(str(a)), len(str(b))) > MOST or str(a) == str(b):
        if isinstance(a, np.void) and isinstance(b, np.void) and a.dtype.names == b.dtype.names:
            names = a.dtype.names or ()
            parts = [(f".{name}", a[name], b[name]) for name in names]
        elif is_array(a) and is_array(b) and a.shape == b.shape and a.size:
            at = np.unravel_index(int(np.argmin(equal(a, b))), a.shape)
            parts = [(f"[{', '.join(map(str, map(int, at)))}]", a[at], b[at])]
        else:
            parts = []
        found = next(
            (part for part in parts if not equal(as_array(part[1]), as_array(part[2])).all()), None
        )
        if found is None:
            break
        step, a, b = found
        where += step
    return where, a, b


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0


def as_array(value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    array = np.empty((), object)
    array[()] = value
    return array


def shortened(text: str, first: int) -> str:
    """Shortens the text so that the character with the number `first` remains."""
    if len(text) <= MOST:
        return text
    start = max(0, min(first - BEFORE, len(text) - MOST)) if first >= MOST - 3 else 0
    end = start + MOST - 3
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
