"""Finds the objects of the package that a program holds."""

from __future__ import annotations

import gc
from typing import Any

from ._objects import HLObject


def _is_open(held: Any) -> bool:
    # An object whose constructor failed has no handle.
    return isinstance(held, HLObject) and "_handle" in held.__dict__ and bool(held)


def open_objects() -> list[Any]:
    """Returns the objects whose files are open. No list is kept, so the call scans all of Python's
    objects."""
    return [held for held in gc.get_objects() if _is_open(held)]
