"""Follows external links with options that differ from those of their file."""

from __future__ import annotations

import os
from typing import Any

from ._interfaces import OpenFile
from ._links import ExternalLink


def open_external(
    file: OpenFile, link: ExternalLink, mode: str | None, swmr: bool | None, locking: Any
) -> Any:
    """Returns the object to which the external link leads, or None. The other file stays open as
    long as the object exists. Raises ValueError for a mode with more rights than the file has."""
    wanted = file.mode if mode is None else mode
    if wanted not in ("r", "r+"):
        raise ValueError(f"elink_mode: 'r' or 'r+' was expected, not {mode!r}")
    if wanted == "r+" and file.mode == "r":
        raise ValueError("elink_mode: a file that is open for reading leads to no writing")
    options = {} if locking is None else {"locking": locking}
    if wanted == "r" and file.mode == "r+" and file.swmr_mode:
        raise ValueError("elink_mode: a file that is written for readers leads to no reading alone")
    if wanted == "r":
        options["swmr"] = file.swmr_mode if swmr is None else swmr
    elif swmr is not None:
        raise ValueError("elink_swmr: it needs elink_mode='r'")
    for path in _paths(file, link.filename):
        if os.path.exists(path):
            opened = type(file)(path, wanted, **options)
            return opened.get(link.path)
    return None


def _paths(file: OpenFile, name: str) -> list[str]:
    """Returns the paths at which the other file may be, in HDF5's order."""
    folder = os.path.dirname(os.path.abspath(file._path))
    prefixes = os.environ.get("HDF5_EXT_PREFIX", "").split(":")
    first = [] if os.path.isabs(name) else [os.path.join(p, name) for p in prefixes if p]
    return [*first, os.path.join(folder, name), name]
