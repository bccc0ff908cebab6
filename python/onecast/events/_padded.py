"""Pads lists to one length, for machine learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._optional import require
from ._storage import whole_number

MASK = "_mask"


def can_be_padded(column: Any) -> bool:
    layout = column.layout
    if layout.is_list and layout.parameter("__array__") is None:
        layout = layout.content
    return layout.is_numpy and layout.parameter("__array__") is None


def padded(events: Any, length: int, fill: float) -> dict[str, np.ndarray]:
    """See Events.to_padded."""
    length = whole_number(length, 1, "length")
    ak = require("awkward")
    found: dict[str, np.ndarray] = {}
    for name in events.fields:
        column = ak.to_packed(events[name])
        if not can_be_padded(column):
            raise TypeError(f"column {name}: numbers or lists of numbers were expected")
        if column.layout.is_numpy:
            found[name] = np.asarray(column.layout.data)
        elif name + MASK in events.fields:
            raise ValueError(f"column {name + MASK}: the mask of {name} has this name")
        else:
            values = np.asarray(column.layout.content.data)
            rest = _rest(fill, values.dtype, name)
            found[name], found[name + MASK] = _rectangle(column.layout, values, length, rest)
    return found


def _rest(fill: float, dtype: np.dtype, name: str) -> np.ndarray:
    """Returns `fill` as an element of the column. Raises ValueError if its value would change."""
    given = np.asarray(fill)
    if given.dtype.kind not in "biufc" or given.ndim:
        raise TypeError(f"fill: a number was expected, not {fill!r}")
    with np.errstate(all="ignore"):
        rest = given.astype(dtype)
    kept = np.isfinite(rest) == np.isfinite(given) if dtype.kind in "fc" else rest == given
    if not kept:
        raise ValueError(f"column {name}: fill: {fill!r} cannot be an element of {dtype}")
    return rest


def _rectangle(
    layout: Any, values: np.ndarray, length: int, fill: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    starts, counts = np.asarray(layout.starts.data), np.asarray(layout.stops.data)
    counts = counts - starts
    mask = np.arange(length) < counts[:, None]
    out = np.full((len(counts), length, *values.shape[1:]), fill, values.dtype)
    out[mask] = values[(starts[:, None] + np.arange(length))[mask]]
    return out, mask
