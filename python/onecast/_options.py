"""Options that are said by name."""

from __future__ import annotations

from typing import Any

from . import _core


def member(kind: Any, name: str, value: str) -> Any:
    """The member of an enumeration of the core; ValueError, naming the option, if there is none."""
    if value not in kind.__members__:
        expected = ", ".join(kind.__members__)
        raise ValueError(f"{name}: one of {expected} was expected, not {value!r}")
    return kind[value]


def sharing_of(value: str | None) -> _core.Sharing | None:
    """None: as the file has it."""
    return None if value is None else member(_core.Sharing, "sharing", value)
