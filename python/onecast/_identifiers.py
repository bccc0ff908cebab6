"""Identifiers of h5py's low level, which lies above the objects that it identifies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# How the low level makes an identifier of each class; it fills this.
_makers: dict[type, Callable[..., Any]] = {}


def set_makers(makers: dict[type, Callable[..., Any]]) -> None:
    _makers.update(makers)


def identifier_of(held: Any, *which: Any) -> Any:
    """Of an object, or of `which` of its attributes."""
    return _makers[type(held)](held, *which)
