"""Identifiers of h5py's low level, which is above the objects that it identifies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# The low level puts the constructors of identifiers here, by class.
_makers: dict[type, Callable[..., Any]] = {}


def set_makers(makers: dict[type, Callable[..., Any]]) -> None:
    _makers.update(makers)


def identifier_of(held: Any, *which: Any) -> Any:
    """Returns the identifier of an object, or of the attribute `which`."""
    return _makers[type(held)](held, *which)
