"""Values that are written to members of a compound type."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._members import common, only, require_members, structured
from ._selection import Selection
from ._values import as_array, fill_array


def members_given(value: Any, dtype: np.dtype, selection: Selection) -> np.ndarray:
    """Returns `value` as an array of the members to write: the selected members of `dtype` that it
    has. A value without members is the value of the only selected member, or a number, tuple or
    list of tuples for all members of `dtype`, or for the selected members.

    Raises TypeError unless `dtype` has members, ValueError if it lacks a selected member.
    """
    names = selection.fields
    require_members(dtype, names)
    given = structured(value)
    if given is not None and not names:
        return given
    if given is not None:
        inside = dtype[names[0]].base if len(names) == 1 else None
        if names[0] not in (given.dtype.names or ()) and inside is not None and inside.names:
            return _wrap(given, names[0])
        return given[common(given.dtype, names)]
    if len(names) == 1:
        member = dtype[names[0]]
        values = fill_array(value, member, selection.shape)
        whole = np.empty(selection.shape, [(names[0], member)])
        whole[names[0]][...] = values
        return whole
    try:
        return as_array(value, dtype)[list(names)]
    except (TypeError, ValueError):
        return as_array(value, only(dtype, names))


def _wrap(values: np.ndarray, name: str) -> np.ndarray:
    """Returns the values as a compound with one member."""
    array = np.empty(values.shape, [(name, values.dtype)])
    array[name] = values
    return array
