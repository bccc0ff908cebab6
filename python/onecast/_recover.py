"""Repairs files of killed processes, and adopts files of other programs."""

from __future__ import annotations

import os
from typing import Unpack

from . import _core
from ._file import File
from ._file_options import FileOptions
from ._options import option_value, shows_file_options


def recover(name: str | os.PathLike, locking: bool | str = "on") -> str:
    """Undoes the flush of a process that was killed during it, as opening the file for writing
    does. Until then other programs refuse such a file. @independent

    Returns what was found: "undone" (a flush was half done and has been undone), "complete" (a
    flush was complete except for removing its journal, or had not begun), "unmarked" (the file was
    written for readers (SWMR) and not closed; its mark has been cleared, so no program may be
    writing it) or "nothing". Raises OSError, BlockingIOError if the file is open elsewhere,
    FormatError.

    >>> onecast.File("file.h5", "w").close()
    >>> onecast.recover("file.h5")
    'nothing'
    """
    return _core.File.recover(os.fsencode(name), option_value("locking", locking)).name


@shows_file_options
def adopt(name: str | os.PathLike, **options: Unpack[FileOptions]) -> bool:
    """Adds a page list to a file that has none, or renews a stale one, in place. Takes the options
    of File. Returns whether that was necessary; if not, nothing is written. @independent

    >>> import h5py
    >>> h5py.File("stock.h5", "w").close()
    >>> onecast.adopt("stock.h5")
    True
    >>> onecast.adopt("stock.h5")
    False
    """
    with File(name, "r+", **options) as f:
        return f.adopt()
