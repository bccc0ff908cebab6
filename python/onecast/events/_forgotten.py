"""Writers that threads share, and those that nobody closes."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

_open: weakref.WeakSet[Any] = weakref.WeakSet()


def close_at_exit(writer: Any) -> None:
    """If it is still open then."""
    _register()
    _open.add(writer)


@cache
def _register() -> None:
    """Once there is a file: what is registered later is called earlier than what closes files."""
    atexit.register(_close_all)


def _close_all() -> None:
    for writer in list(_open):
        writer.__del__()


def one_at_a_time(call: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a writer that other threads wait for."""

    @wraps(call)
    def alone(self: Any, *arguments: Any) -> Any:
        with self.lock:
            return call(self, *arguments)

    return alone
