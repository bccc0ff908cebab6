"""Warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import TypeVar

import numpy as np

_Result = TypeVar("_Result")


class H5pyWarning(UserWarning):
    """h5py's class of that name."""


class H5pyDeprecationWarning(H5pyWarning):
    """h5py's class of that name. In h5py's place, Onecast issues it where h5py does."""


class UnclosedFileWarning(RuntimeWarning):
    """A file that several ranks had open for writing was garbage collected without close, which is
    a collective call. The changes since the last flush are lost. The warning is shown by default,
    also when the interpreter ends. A file of one process is closed instead."""


def level_outside() -> int:
    """Returns the `stacklevel` of a warning that points to the program which uses the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    return level


def _is_inside(module: str) -> bool:
    return module == __package__ or module.startswith(f"{__package__}.")


def warning_outside(convert: Callable[[], _Result]) -> _Result:
    """Converts with numpy. Warnings of overflow point to the program, not to this package."""
    if np.geterr()["over"] != "warn":  # the program set another behaviour
        return convert()
    with np.errstate(over="call", call=_warn):
        return convert()


def _warn(what: str, _: int) -> None:
    warnings.warn(f"{what} encountered in cast", RuntimeWarning, stacklevel=level_outside())
