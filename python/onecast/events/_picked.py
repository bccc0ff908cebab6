"""Finds the events that a mask, a list of numbers, or a slice with a step picks."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

WANTED = (
    "events: a number, a slice, names of columns, a mask of one bool for each event, or numbers of "
    "events were expected"
)


def numbers_of(what: Any, count: int) -> np.ndarray:
    """Returns the numbers, from 0 on, of the selected ones of `count` events. Raises TypeError,
    ValueError, IndexError."""
    found = _as_array(what)
    if found.shape == (0,):
        return np.empty(0, np.int64)
    if found.ndim != 1 or found.dtype.kind not in "biu":
        raise TypeError(f"{WANTED}, not {what!r:.80}")
    if found.dtype.kind == "b":
        if len(found) != count:
            raise ValueError(f"events: a mask of {len(found)} for {count} events")
        return np.flatnonzero(found)
    wrong = found[(found >= count) | (found < -count)]
    if len(wrong):
        raise IndexError(f"event {wrong[0]} of {count}")
    found = found.astype(np.int64)
    return np.where(found < 0, found + count, found)


def _as_array(what: Any) -> np.ndarray:
    ak = sys.modules.get("awkward")
    if _has_missing(ak, what):
        raise TypeError(
            "events: the mask (or list of numbers) has missing values; ak.fill_none(mask, False) "
            "has False in their place"
        )
    try:
        if ak is not None and isinstance(what, ak.Array):
            what = ak.to_numpy(what, allow_missing=False)
        return np.asarray(what)
    except ValueError as error:  # the lists have different lengths
        raise TypeError(f"{WANTED} ({error})".partition("\n")[0]) from None


def _has_missing(ak: Any, what: Any) -> bool:
    """True if values are missing; numpy would use the values below them."""
    if ak is not None and isinstance(what, ak.Array):
        return bool(ak.any(ak.is_none(what)))
    if isinstance(what, list | tuple):
        return any(element is None for element in what)
    return bool(np.ma.is_masked(what))
