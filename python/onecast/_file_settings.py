"""h5py's properties of a File that tell how it was opened, and files in memory."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from . import _core
from ._file_words import bounds_of
from ._ranks import replacing

_META_BLOCK_SIZE = 2048  # h5py's default


class MemoryStore(io.BytesIO):
    """The bytes of a file of driver "core", and the path to save them to, if any."""

    def __init__(self, image: bytes, path: str | None) -> None:
        super().__init__(image)
        self._path = path
        self._saved = image

    @classmethod
    def of(cls, name: Any, mode: str, is_backed: bool) -> MemoryStore:
        """Creates the store. Raises FileNotFoundError, FileExistsError and other OSError as opening
        the file does."""
        path = os.fsdecode(name)
        image = b""
        if mode in ("r", "r+") or (mode == "a" and os.path.exists(path)):
            with open(path, "rb") as file:
                image = file.read()
        elif is_backed:
            # A failure shows now, not when there is something to save. The old contents stay until
            # then.
            open(path, "xb" if mode in ("w-", "x") else "ab").close()
        return cls(image, path if is_backed and mode != "r" else None)

    def save(self) -> None:
        """Writes the bytes to the path. Raises OSError."""
        image = self.getvalue()
        if self._path is not None and image != self._saved:
            with replacing(self._path, None) as beside, open(beside, "wb") as file:
                file.write(image)
            self._saved = image


class FileSettings:
    """Tells how the file was opened, with h5py's names."""

    _core_file: _core.File
    _path: str
    _words: dict[str, Any]
    _target: Any
    flush: Callable[[], None]
    _require_open: Callable[[], None]

    if TYPE_CHECKING:  # what File has for these

        def __init__(self, name: Any, mode: str, **options: Any) -> None: ...
        @property
        def mode(self) -> str: ...

    @classmethod
    def in_memory(cls, file_image: bytes | None = None, **options: Any) -> Self:
        """Creates a file in memory, or opens one whose bytes are `file_image` for reading and
        writing. Takes the options of File. `file.id.get_file_image()` returns its bytes.
        @independent

        >>> with onecast.File.in_memory() as f:
        ...     f["x"] = [1, 2]
        ...     image = f.id.get_file_image()
        >>> with onecast.File.in_memory(image) as f:
        ...     f["x"][:]
        array([1, 2])
        """
        if file_image is None:
            return cls(MemoryStore(b"", None), "w", **options)
        return cls(MemoryStore(bytes(file_image), None), "r+", **options)

    @property
    def driver(self) -> str:
        """The driver that reads and writes the file: "sec2" or "stdio" (both mean a file of the
        system), "mpio", "core" or "fileobj". @independent"""
        return self._words.get("driver", "sec2")

    @property
    def libver(self) -> tuple[str, str]:
        """The lowest and the highest version of HDF5's structures, in h5py's names. @independent"""
        return bounds_of(self._words.get("libver"))

    @property
    def userblock_size(self) -> int:
        """Bytes before the HDF5 file, which belong to the program. @independent"""
        self._require_open()
        return self._core_file.userblock_size

    @property
    def meta_block_size(self) -> int:
        """The size given to h5py's keyword; Onecast has pages instead. @independent"""
        return self._words.get("meta_block_size") or _META_BLOCK_SIZE

    @property
    def swmr_mode(self) -> bool:
        """True if the file is written for readers in other processes, or was opened with swmr=True
        to read it while another program writes it. @independent

        Setting it to True begins to write for readers (HDF5's SWMR), until the file is closed: it
        flushes, and from then on `flush` writes what changed in an order in which no reader, of
        Onecast or of the HDF5 library, sees a part of it before what it refers to. Elements, shapes
        and attributes can change; creating, moving or removing objects and links raises StateError.
        There is no journal: if the process is killed, the file is sound, and `recover` clears its
        mark. Raises ValueError (open for reading, or False), StateError (it has begun already,
        or in an independent section), UnsupportedError (another profile than "latest", several
        ranks), and what flush raises. @collective"""
        return bool(self._words.get("swmr", False)) or self._core_file.is_swmr

    @swmr_mode.setter
    def swmr_mode(self, value: bool) -> None:
        if not value and not self.swmr_mode:
            return
        if self.mode == "r":
            raise ValueError("swmr_mode: is chosen when the file is opened, by swmr=True")
        if not value:
            raise ValueError("swmr_mode: ends when the file is closed")
        self._core_file.start_swmr()

    @property
    def atomic(self) -> bool:
        """False: Onecast does not have MPI's atomic mode. Setting it to True raises
        UnsupportedError. @independent"""
        return False

    @atomic.setter
    def atomic(self, value: bool) -> None:
        if value:
            raise _core.UnsupportedError(
                "atomic=True is not supported: what write_all wrote, all ranks read afterwards"
            )

    def _way_back(self) -> tuple[str, dict[str, Any]]:
        """Returns the arguments with which another process opens the file."""
        if self.mode != "r" or self._target is not None or self._core_file.communicator.size > 1:
            raise TypeError(
                "only files that one process has open for reading can be pickled, by their path"
            )
        left_out = ("driver", "libver", "mode")
        options = {name: v for name, v in self._words.items() if name not in left_out}
        return os.path.abspath(self._path), options

    def _image(self) -> bytes:
        """Returns all bytes of the file, as they are after a flush."""
        if self.mode == "r+":
            self.flush()
        if isinstance(self._target, io.BytesIO):
            return self._target.getvalue()
        if self._target is not None:
            self._target.seek(0)
            return self._target.read()
        with open(self._path, "rb") as file:
            return file.read()
