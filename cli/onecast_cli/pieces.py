"""Reads datasets in pieces, so that none has to fit in memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

import onecast

PIECE_BYTES = 8 << 20


def boxes(
    shape: tuple[int, ...], element_bytes: int, chunks: tuple[int, ...] | None = None
) -> Iterator[tuple[slice, ...]]:
    """Boxes of about PIECE_BYTES that together are all of an array, in C order.

    Whole chunks as far as they are that small, so that none is decoded twice.

    >>> [box for box in boxes((4, 3), PIECE_BYTES // 6)]
    [(slice(0, 2, None), slice(0, 3, None)), (slice(2, 4, None), slice(0, 3, None))]
    """
    if 0 in shape:
        return
    sides = list(shape)
    room = max(PIECE_BYTES // max(element_bytes, 1), 1)
    for axis in range(len(shape)):
        behind = int(np.prod(sides[axis + 1 :], dtype=object))
        if sides[axis] * behind <= room:
            break
        sides[axis] = max(room // behind, 1)
        if chunks and sides[axis] > chunks[axis]:
            sides[axis] -= sides[axis] % chunks[axis]
        if sides[axis] > 1:
            break
    starts = [range(0, extent, side) for extent, side in zip(shape, sides, strict=True)]
    for corner in itertools.product(*starts):
        yield tuple(
            slice(start, min(start + side, extent))
            for start, side, extent in zip(corner, sides, shape, strict=True)
        )


def first_elements(dataset: onecast.Dataset, count: int) -> Iterator[np.ndarray]:
    """Yields the first `count` elements in C order, as flat arrays of the stored elements."""
    for box in boxes(dataset.shape or (), dataset.datatype.size, dataset.chunks):
        if count <= 0:
            return
        if len(box) == 1:
            box = (slice(box[0].start, min(box[0].stop, box[0].start + count)),)
        part = flat(np.asarray(dataset[box]), box)
        yield part[:count]
        count -= len(part)


def flat(part: np.ndarray, box: tuple[slice, ...]) -> np.ndarray:
    """Returns the elements in one dimension; elements that are arrays keep their dimensions."""
    elements = math.prod(side.stop - side.start for side in box)
    return part.reshape((elements, *part.shape[len(box) :]))
