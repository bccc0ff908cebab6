"""What is written to members of a compound type."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._members import common, only, require_members, structured
from ._selection import Selection
from ._values import as_array, fill_array


def members_given(value: Any, dtype: np.dtype, selection: Selection) -> np.ndarray:
    """`value` as an array that has the members of `dtype` which are to be written: of the selected
    ones those that it has. A value without members of its own is that of the one member that is
    selected, or a number, tuple or list of tuples for all of `dtype`, or for the selected ones.

    Raises TypeError unless `dtype` has members, ValueError if it has not the selected ones.
    """
    names = selection.fields
    require_members(dtype, names)
    given = structured(value)
    if given is not None and not names:
        return given
    if given is not None:
        inside = dtype[names[0]].base if len(names) == 1 else None
        if names[0] not in given.dtype.names and inside is not None and inside.names:
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
    """The values as the only member."""
    array = np.empty(values.shape, [(name, values.dtype)])
    array[name] = values
    return array
