"""Writers that several threads share, and writers that nobody closes."""

from __future__ import annotations

import atexit
import os
import sys
import warnings
import weakref
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from .._core import end_program

_open: weakref.WeakSet[Any] = weakref.WeakSet()


def close_at_exit(writer: Any) -> None:
    """Closes the writer at exit if it is still open."""
    _register()
    _open.add(writer)


@cache
def _register() -> None:
    """Registers one function when the first file exists. Functions registered later run earlier
    than the one that closes files."""
    atexit.register(_close_all)


def _close_all() -> None:
    end_program()
    for writer in list(_open):
        writer.close_forgotten()


def one_at_a_time(call: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a method of a writer so that threads wait for each other. In a forked process the
    method raises ValueError."""

    @wraps(call)
    def alone(self: Any, *arguments: Any) -> Any:
        if self.process != os.getpid():  # its copy of the lock may never be free
            raise ValueError(f"{self.place}: opened by another process, which alone writes to it")
        with self.lock:
            return call(self, *arguments)

    return alone


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the line of the program that called the package, at any depth."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("onecast", "contextlib")
