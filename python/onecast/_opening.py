"""Opens files by path, or through a program's file objects."""

from __future__ import annotations

import errno
import io
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO
from weakref import WeakValueDictionary

from . import _core
from ._interfaces import OpenFile
from ._mpi import core_communicator

if TYPE_CHECKING:
    from mpi4py import MPI

MODES = ("r", "r+", "w", "w-", "x", "a")
_MOST_TRIES = 100  # attempts to open a file, or else to create it
SIGNATURE = b"\x89HDF\r\n\x1a\n"


class FilesBeingMade:
    """Files that this process may have created, and that may be empty so far."""

    def __init__(self) -> None:
        self._files: WeakValueDictionary[str, OpenFile] = WeakValueDictionary()

    def add(self, path: str, file: OpenFile) -> None:
        self._files[os.path.abspath(path)] = file

    def has(self, name: str | bytes | os.PathLike) -> bool:
        for path, file in list(self._files.items()):
            with suppress(OSError):
                if file._is_open and os.path.samefile(path, name):
                    return True
        return False


files_being_made = FilesBeingMade()


def is_hdf5(name: str | bytes | os.PathLike) -> bool:
    """True if a file of that name exists and begins as HDF5 files do, perhaps behind a user block,
    or was just created by this process. @independent

    >>> onecast.File("file.h5", "w").close()
    >>> onecast.is_hdf5("file.h5"), onecast.is_hdf5("missing.h5")
    (True, False)
    """
    try:
        with open(name, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            at = 0
            while at + len(SIGNATURE) <= size:
                file.seek(at)
                if file.read(len(SIGNATURE)) == SIGNATURE:
                    return True
                at = 2 * at or 512
    except OSError:
        pass
    return files_being_made.has(name)


class ObjectsInUse:
    """Counts how often each file object is open."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def begin(self, target: Any) -> None:
        if target is not None:
            self._counts[id(target)] = self._counts.get(id(target), 0) + 1

    def end(self, target: Any) -> None:
        """Drops the object in the core if nobody uses it any more, though handles of objects may
        remain."""
        if target is None:
            return
        left = self._counts.pop(id(target)) - 1
        if left:
            self._counts[id(target)] = left
        else:
            _core.let_go_of_object(target)


objects_in_use = ObjectsInUse()


def is_file_object(name: Any) -> bool:
    return hasattr(name, "seek") and (hasattr(name, "read") or hasattr(name, "readinto"))


def name_of(target: BinaryIO) -> str:
    name = getattr(target, "name", None)
    if isinstance(name, str | bytes | os.PathLike):
        return os.fsdecode(name)
    return f"<{type(target).__name__}>"


def _is_remote(target: BinaryIO) -> bool:
    """True if a call may take as long as the transfer of megabytes: the object is neither memory
    nor a file of the system, but a file of fsspec, for example."""
    if isinstance(target, io.BytesIO):
        return False
    try:
        target.fileno()
    except (AttributeError, OSError, NotImplementedError):
        return True
    return False


def _open_object(
    target: BinaryIO,
    name: bytes,
    mode: str,
    communicator: _core.Communicator | None,
    options: _core.FileOptions,
) -> _core.File:
    remote = _is_remote(target)
    if mode in ("w-", "x", "a"):
        target.seek(0, os.SEEK_END)
        is_empty = target.tell() == 0
        if mode != "a" and not is_empty:
            raise FileExistsError(errno.EEXIST, f"{os.fsdecode(name)}: has bytes already")
        mode = "w" if is_empty else "r+"
    if mode == "w":
        return _core.File.create_in(target, name, remote, communicator, options)
    return _core.File.open_in(target, name, remote, mode == "r+", communicator, options)


def open_core(
    target: BinaryIO | None,
    path: str,
    mode: str,
    comm: MPI.Intracomm | None,
    options: _core.FileOptions,
) -> _core.File:
    communicator = core_communicator(comm)
    raw = os.fsencode(path)
    if target is not None:
        return _open_object(target, raw, mode, communicator, options)
    if mode == "a":
        return _open_or_create(raw, communicator, options)
    if mode in ("r", "r+"):
        return _core.File.open(raw, mode == "r+", communicator, options)
    options.exclusive = options.exclusive or mode != "w"
    return _core.File.create(raw, communicator, options)


def _open_or_create(
    path: bytes, communicator: _core.Communicator | None, options: _core.FileOptions
) -> _core.File:
    """Opens the file or creates it. Other programs may create and remove it at the same time:
    nothing that they wrote is replaced."""
    options.exclusive = True
    for _ in range(_MOST_TRIES):
        try:
            return _core.File.open(path, True, communicator, options)
        except FileNotFoundError:
            pass
        with suppress(FileExistsError):
            return _core.File.create(path, communicator, options)
    return _core.File.create(path, communicator, options)
