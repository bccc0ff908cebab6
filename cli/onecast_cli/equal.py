"""Finds the equal elements of two arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import onecast

PathAt = Callable[[int], str]  # from the address of an object to a path


class Equality:
    """NaN equals NaN, in each part of a complex number. Finite numbers may differ by atol + rtol *
    |b|. References are equal if they lead to objects of the same path, which `path_a` and `path_b`
    find."""

    def __init__(self, rtol: float, atol: float, path_a: PathAt, path_b: PathAt) -> None:
        self.rtol, self.atol = rtol, atol
        self.path_a, self.path_b = path_a, path_b

    def __call__(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Returns True where elements are equal, for arrays of the same shape."""
        if a.dtype.names and b.dtype.names:
            return self.compounds(a, b)
        if a.dtype.kind in "biufc" and b.dtype.kind in "biufc":
            return self.numbers(a, b)
        if a.dtype.kind == "O" or b.dtype.kind == "O":
            pairs = zip(a.flat, b.flat, strict=True)
            return np.array([self.objects(x, y) for x, y in pairs], bool).reshape(a.shape)
        if "V" in (a.dtype.kind, b.dtype.kind) and a.dtype != b.dtype:
            return np.zeros(a.shape, bool)
        equal = np.asarray(a == b)
        if a.dtype.kind in "mM" and b.dtype.kind in "mM":
            equal |= np.isnat(a) & np.isnat(b)
        return equal if equal.shape == a.shape else np.full(a.shape, bool(equal))

    def compounds(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        equal = np.full(a.shape, a.dtype.names == b.dtype.names)
        for name in (a.dtype.names or ()) if equal.all() else ():
            x, y = a[name], b[name]
            if x.shape != y.shape:
                return np.zeros(a.shape, bool)
            same = self(x, y)
            equal &= same.reshape((*a.shape, -1)).all(axis=-1) if same.ndim > a.ndim else same
        return equal

    def numbers(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if "c" in (a.dtype.kind, b.dtype.kind):
            equal = same(a.real, b.real) & same(a.imag, b.imag)
        else:
            equal = same(a, b)
        if self.rtol or self.atol:
            equal |= self.near(a, b)
        return equal

    def near(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Returns where numbers are near; infinity and NaN are near to nothing."""
        wide = np.clongdouble if "c" in (a.dtype.kind, b.dtype.kind) else np.longdouble
        a, b = a.astype(wide), b.astype(wide)
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(a - b) <= self.atol + self.rtol * np.abs(b)
        return near & np.isfinite(a) & np.isfinite(b)

    def objects(self, x: Any, y: Any) -> bool:
        if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
            return x.shape == y.shape and bool(self(x, y).all())
        if isinstance(x, onecast.Reference) and isinstance(y, onecast.Reference):
            return self.references(x, y)
        if isinstance(x, str | bytes) and isinstance(y, str | bytes):
            return as_bytes(x) == as_bytes(y)
        return type(x) is type(y) and x == y

    def references(self, x: onecast.Reference, y: onecast.Reference) -> bool:
        if x.address is None or y.address is None:
            return x.address == y.address
        same = (x.kind, x.file, x.attribute) == (y.kind, y.file, y.attribute)
        if x.file or not same:
            return same and x == y
        return self.path_a(x.address) == self.path_b(y.address)


def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns where real numbers are equal, or both NaN."""
    equal = np.asarray(a == b)
    if a.dtype.kind == b.dtype.kind == "f":
        equal |= np.isnan(a) & np.isnan(b)
    return equal


def as_bytes(text: str | bytes) -> bytes:
    """Returns bytes, since texts of fixed and of variable length are read as different classes."""
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
