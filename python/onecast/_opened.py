"""Which objects of the package a program holds."""

from __future__ import annotations

import gc
from typing import Any

from ._objects import HLObject


def _is_open(held: Any) -> bool:
    # What failed while it was made has no handle.
    return isinstance(held, HLObject) and "_handle" in held.__dict__ and bool(held)


def open_objects() -> list[Any]:
    """Those whose files are open. Nothing keeps a list: it costs a look at all of Python's
    objects."""
    return [held for held in gc.get_objects() if _is_open(held)]
