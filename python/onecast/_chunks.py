"""Iterates over the chunks of a dataset."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

Shape = tuple[int, ...]


def iter_chunks(shape: Shape, chunks: Shape, sel: Any = None) -> Iterator[tuple[slice, ...]]:
    """Yields the parts of `sel` that lie in one chunk each.

    >>> list(iter_chunks((5,), (2,)))
    [(slice(0, 2, 1),), (slice(2, 4, 1),), (slice(4, 5, 1),)]
    """
    args = sel if isinstance(sel, tuple) else (slice(None),) * len(shape) if sel is None else (sel,)
    if len(args) > len(shape):
        raise ValueError(f"{len(args)} indices for {len(shape)} dimensions")
    args += (slice(None),) * (len(shape) - len(args))
    sides = []
    for arg, extent, chunk in zip(args, shape, chunks, strict=True):
        first, stop = _bounds(arg, extent)
        starts = range(first - first % chunk, stop, chunk)
        sides.append([slice(max(first, at), min(stop, at + chunk), 1) for at in starts])
    return itertools.product(*sides)


def _bounds(arg: Any, extent: int) -> tuple[int, int]:
    if not isinstance(arg, slice):
        at = operator.index(arg)
        if not 0 <= at < extent:
            raise IndexError(f"Index ({at}) out of range for (0-{extent - 1})")
        return at, at + 1
    first, stop, step = arg.indices(extent)
    if step != 1:
        raise ValueError("Selections with a step cannot be divided into chunks")
    return first, max(first, stop)
