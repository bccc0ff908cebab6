"""Members of compound types, found by their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._conversions import require_kind
from ._errors import ConversionError


def structured(data: Any) -> np.ndarray | None:
    """Returns an array of data that has named members: an array, an element of one, or a list of
    such elements; None for other data."""
    if isinstance(data, list | tuple) and data and all(type(item) is np.void for item in data):
        data = np.array(data)
    if isinstance(data, np.ndarray | np.void) and data.dtype.names is not None:
        return np.asarray(data)
    return None


def by_name(source: np.ndarray, dtype: np.dtype, others: np.ndarray | None = None) -> np.ndarray:
    """Returns the same values as `dtype`; members that `source` lacks come from the element
    `others`, or are zero, and members that only `source` has are left out. Raises what assign()
    raises."""
    if source.dtype == dtype:
        return np.asarray(source, dtype=dtype, order="C")
    target = np.zeros(source.shape, dtype)
    if others is not None:
        target[...] = others
    assign(target, source)
    return target


def covers(source: np.dtype, target: np.dtype) -> bool:
    """True if the type has all members of the other, at all depths."""
    if target.names is None or source.names is None:
        return True
    return all(
        name in source.names and covers(source[name].base, target[name].base)
        for name in target.names
    )


def common(source: np.dtype, names: tuple[str, ...]) -> list[str]:
    """Returns those of `names` that are members. Raises ValueError if none is."""
    members = source.names or ()
    found = [name for name in members if name in names]
    if not found:
        raise ValueError(
            f"of the members {', '.join(names)} the values have none: they have"
            f" {', '.join(members)}"
        )
    return found


def assign(target: np.ndarray, source: np.ndarray) -> None:
    """Sets members of `target` to the members of `source` with equal names. Raises ValueError if
    there are none, TypeError for values of another kind."""
    for name in common(source.dtype, target.dtype.names or ()):
        _assign_member(target, source, name)


def _assign_member(target: np.ndarray, source: np.ndarray, name: str) -> None:
    to, given = target.dtype[name], source.dtype[name]
    values = source[name]
    where = f"member {name!r}: "
    if to.shape != given.shape or not _are_alike(given.base, to.base):
        raise ConversionError(f"{where}there is no conversion from {given} to {to}")
    require_kind(given, to, where)
    if given.base.kind == "O" and to.base.kind == "S":
        _require_texts(values, where)
    if to.base.names is None:
        target[name][...] = values
    else:
        assign(target[name], values)


def _require_texts(values: np.ndarray, where: str) -> None:
    for value in values.flat:
        if not isinstance(value, str | bytes):
            raise ConversionError(f"{where}a text is expected, not {value!r}")


def _are_alike(given: np.dtype, to: np.dtype) -> bool:
    """True if both have members, or both are objects or texts, or neither is."""
    if (given.names is None) != (to.names is None):
        return False
    return to.kind != "O" or given.kind in "OSUT"


def require_members(dtype: np.dtype, names: tuple[str, ...]) -> None:
    """Raises TypeError if the type has no members, ValueError if it lacks one of the names."""
    if dtype.names is None:
        raise TypeError("names of members are for compound types only")
    for name in names:
        if name not in dtype.names:
            raise ValueError(f"there is no member {name!r} in the type")


def only(dtype: np.dtype, names: tuple[str, ...]) -> np.dtype:
    """Returns a type with only these members, in the order of `dtype`."""
    return np.dtype([(name, dtype[name]) for name in dtype.names or () if name in names])
