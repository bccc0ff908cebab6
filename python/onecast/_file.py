"""Files."""

from __future__ import annotations

import atexit
import errno
import os
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, Unpack

from . import _core
from ._config import get_config
from ._file_options import FileOptions
from ._file_reports import FileReports
from ._file_settings import FileSettings, MemoryStore
from ._file_words import add_in_order, check_existing, driver_of, own_options, profile_of
from ._group import Group
from ._multi import ManyDatasets
from ._objects import HLObject
from ._opening import (
    MODES,
    files_being_made,
    is_file_object,
    name_of,
    objects_in_use,
    open_core,
)
from ._options import file_options, options_help, shows_file_options
from ._pending import Pending
from ._warnings import UnclosedFileWarning

if TYPE_CHECKING:
    from mpi4py import MPI


class File(ManyDatasets, FileReports, FileSettings, Group):
    """An HDF5 file and its root group, open on one process or on all processes of a communicator.

    If a process opens one file several times, all File objects share one state: each sees what
    another one changed, flushed or not. Each has its own mode ("r" does not write) and is closed
    separately; closing one that is open for writing flushes. A file that is open for reading only
    cannot be opened for writing, an open file cannot be created again, a file open for writing is
    open on one communicator only, and options must not contradict those of the first opening
    (BlockingIOError, ValueError). Files opened for reading with follow=True share a state only with
    one that is open for writing.

    name: path of the file, or a binary file object with read (or readinto), seek, and for writing
        write and truncate, such as io.BytesIO. Each rank passes one for the same bytes. Onecast
        keeps a file object until the file is closed and released, and does not close it; there is
        no journal. See docs/guide/own_files.md
    mode: "r" read only, must exist; "r+" read and write, must exist; "w" create, replacing an
        existing file; "w-" or "x" create, must not exist; "a" read and write, created if missing or
        empty
    driver: as in h5py: None, "sec2" (one process) or "mpio" (with `comm`). It has no other effect
    libver: `profile` in h5py's terms: "earliest" and "v108" mean "compatible", "v110" to "latest"
        mean "latest"; of a pair the first value is used
    in_order: h5py's further arguments in its order, from userblock_size and swmr on
    comm: an mpi4py.MPI.Intracomm, whose ranks open the file together
    info: with driver "mpio": an mpi4py.MPI.Info, equivalent to `hints`
    options: listed by help(onecast.File.__init__), described in FILE_OPTIONS and
        docs/reference/options.md. They are the @same on all ranks, with a few exceptions

    Raises FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, BlockingIOError
    (the file is locked) and other OSError;
    FormatError if it is not HDF5, or truncated or damaged; UnsupportedError; ValueError for modes
    and values of options, TypeError for unknown options. With `comm`, an error of one rank's
    arguments is raised on all ranks, on the others as DivergedError. @collective @same

    >>> with onecast.File("file.h5", "w") as f:
    ...     f["x"] = 1
    >>> f
    <Closed HDF5 file>
    >>> onecast.File("missing.h5")
    Traceback (most recent call last):
    FileNotFoundError: ...
    """

    _finalizer: weakref.finalize | None = None

    @shows_file_options
    def __init__(
        self,
        name: str | os.PathLike | BinaryIO,
        mode: str = "r",
        driver: str | None = None,
        libver: str | tuple[str, str] | None = None,
        *in_order: Any,
        comm: MPI.Intracomm | None = None,
        info: MPI.Info | None = None,
        **options: Unpack[FileOptions],
    ) -> None:
        if hasattr(name, "_hl"):  # an identifier of the low level
            return self._share(name._hl)
        given = dict(options)
        target = None
        path = ""
        failure = None
        words: dict[str, Any] = {}
        try:
            if mode not in MODES:
                raise ValueError(f"Invalid mode; must be one of {', '.join(MODES)}")
            add_in_order(given, in_order)
            driver, target = self._target_of(name, mode, driver, comm, info, libver, given)
            path = self._name_for(name, target)
            if not path and target is None:
                raise FileNotFoundError(errno.ENOENT, "the path of the file is empty")
            own, words = own_options(given, mode)
            core_options = file_options(own)
        except (TypeError, ValueError, OSError, _core.UnsupportedError) as error:
            if comm is None:
                raise
            # The other ranks are about to open the file; that call tells them of the failure.
            core_options = _core.FileOptions()
            core_options.problem = str(error)
            mode = mode if mode in MODES else "r"
            failure = error
        existed = mode == "a" and target is None and _has_bytes(path)
        try:
            opened = open_core(target, path, mode, comm, core_options)
        except Exception:
            if failure is None:
                raise
            raise failure from None
        self._begin(path, opened)
        self._words = words | {"driver": driver, "libver": libver, "mode": mode}
        self._target = target
        if target is name and get_config()._as_h5py:
            self._shown_name = repr(name)
        objects_in_use.begin(target)
        if target is None and mode not in ("r", "r+"):
            files_being_made.add(path, self)
        close = partial(_close_forgotten, self._core_file, os.getpid(), target)
        self._finalizer = weakref.finalize(self, _core.close_when_free, close)
        _tell_of_end()
        if mode == "r+" and options.get("swmr") and not get_config()._as_h5py:
            self._start_swmr()
        if existed:
            try:
                check_existing(words, self.userblock_size)
            except ValueError:
                self.close()
                raise

    @staticmethod
    def _target_of(
        name: Any,
        mode: str,
        driver: str | None,
        comm: Any,
        info: Any,
        libver: Any,
        options: dict[str, Any],
    ) -> tuple[str, Any]:
        """Returns (driver, the program's object in place of a path or None), and puts the driver's
        settings into the options. Raises what File raises."""
        is_object = is_file_object(name)
        if isinstance(name, MemoryStore):
            return "core", name
        if is_object and driver not in (None, "fileobj"):
            raise ValueError("a file object has driver='fileobj', and no other")
        if comm is not None:
            options["comm"] = comm
        if info is not None:
            options["info"] = info
        default = "fileobj" if is_object else None if comm is None else "mpio"
        named, own = driver_of(default if driver is None else driver, options)
        comm, info = (
            own.get("comm", options.pop("comm", None)),
            own.get("info", options.pop("info", None)),
        )
        if named == "mpio" and comm is None:
            raise TypeError('driver "mpio": comm is missing')
        if named == "sec2" and comm is not None:
            raise TypeError('driver "sec2": it takes no comm')
        if info is not None:
            if driver != "mpio":
                raise TypeError('info: it needs driver "mpio"')
            if options.setdefault("hints", info) is not info:
                raise ValueError("info, hints: one of them is enough")
        if libver is not None:
            profile = profile_of(libver)
            if options.setdefault("profile", profile) != profile:
                raise ValueError("libver, profile: they contradict each other")
        if named == "core":
            return named, MemoryStore.of(name, mode, own.get("backing_store", True))
        if named == "fileobj" and not is_object:
            name = own.get("fileobj")
            if not is_file_object(name):
                raise ValueError("driver 'fileobj' takes a file object, with read and seek")
        return named, name if named == "fileobj" else None

    @staticmethod
    def _name_for(name: Any, target: Any) -> str:
        if target is None or isinstance(name, str | bytes | os.PathLike):
            return os.fsdecode(name)
        return name_of(target)

    __init__.__doc__ = f"The options:\n\n{options_help()}"

    def _begin(self, path: str, opened: _core.File) -> None:
        self._path = self._shown_name = path
        self._core_file = opened
        self._words: dict[str, Any] = {}
        self._moves: list[tuple[str, str | None]] = []
        self._target: Any = None
        # The object holds no reference to itself, so that it is freed when it is forgotten.
        Group.__init__(self, opened.root(), None, "/")

    def _share(self, other: File) -> None:
        """Takes over the opening of another File, which it keeps alive."""
        self._begin(other._path, other._core_file)
        self._words, self._moves, self._kept = other._words, other._moves, other
        self._target = other._target
        objects_in_use.begin(self._target)

    @classmethod
    def _of_core(cls, opened: _core.File) -> File:
        file = cls.__new__(cls)
        file._begin(opened.path, opened)
        return file

    def _other(self, found: _core.Object) -> File:
        """Returns the file of an object that an external link led to; it is closed with this
        file."""
        file = File._of_core(found.file())
        file._words = self._words
        return file

    @property
    def file(self) -> File:
        return self

    @property
    def _is_open(self) -> bool:
        return self._core_file.is_open

    def _require_open(self) -> None:
        if not self._core_file.is_open:
            self._core_file.root()  # raises

    @property
    def parent(self) -> Group:
        return self["/"]

    @property
    def filename(self) -> str:
        """The path given to open it, or the name of a file object. @independent"""
        return self._shown_name

    @property
    def mode(self) -> str:
        """The mode, "r" or "r+". Raises ValueError if the file is closed. @independent"""
        self._require_open()
        return "r+" if self._core_file.writable else "r"

    @property
    def profile(self) -> str:
        """The profile of the file: "compatible" or "latest". Raises ValueError if the file is
        closed. @independent"""
        self._require_open()
        return self._core_file.profile.name

    def flush(self) -> None:
        """Writes all changes, each changed page once. Raises on all ranks DivergedError if they
        made different calls or one left the file, or OSError; the metadata of the last successful
        flush stays in the file. Does nothing if the file is open for reading only. @collective"""
        self._require_open()
        if self.mode == "r":
            return
        self._core_file.flush()
        _save(self._target)

    def refresh(self) -> None:
        """Shows what another program has written since the file was opened with swmr=True or
        follow=True, or since the last refresh: shapes, attributes, links and elements of all
        objects. Objects that were not removed or moved stay usable. The files that external links
        and virtual datasets led to are refreshed, too. Does nothing for other files, as nobody else
        can write them. Raises FormatError; OSError, also if the file was replaced or removed.
        Afterwards reading raises BlockingIOError until a refresh succeeds. @independent

        >>> with onecast.File("file.h5", follow=True) as f:
        ...     f.refresh()
        """
        self._require_open()
        self._core_file.refresh()

    def _start_swmr(self) -> None:
        try:
            self.swmr_mode = True
        except BaseException:
            self.close()
            raise

    def rollback(self) -> None:
        """Gives up all structural changes since the last flush, or since the file was created, so
        that the ranks can continue after a DivergedError. These are objects, links, attributes,
        shapes, small (compact) data, and data that has no place in the file yet. Elements that were
        written to their place stay: those of contiguous datasets and unfiltered chunks that the
        last flush knew. Objects stay usable; those that were created since then behave as if
        deleted. Raises ValueError (open for reading only, or in an independent section on any
        rank), DivergedError (a rank left, or called something else), OSError. @collective

        >>> with onecast.File("rolled_back.h5", "w") as f:
        ...     f.attrs["step"] = 1
        ...     f.flush()
        ...     f.attrs["step"] = 2
        ...     f.rollback()
        ...     f.attrs["step"]
        np.int64(1)
        """
        self._require_open()
        self._core_file.rollback()
        self._moves.append(("", None))  # objects may have their old names again

    def flush_async(self) -> Pending:
        """Begins `flush`: see `Pending`. @collective"""
        self._require_open()
        return Pending(self._core_file.flush_async())

    @contextmanager
    def independent(self) -> Iterator[Self]:
        """`with file.independent():` is an independent section, in which this rank creates groups,
        datasets, attributes, links and committed types without the other ranks: calls that create
        are @independent.

        This rank sees its new objects at once, and may write to them, change them and read them. A
        flush or close, in the section or after it, merges the objects of all ranks in rank order,
        by one exchange; then the other ranks see them. After the merge only all ranks together can
        change the objects, as they can change objects that existed before.

        If two ranks create the same name, the flush raises DivergedError, which names both, on all
        ranks; everything else is in the file then. The first rank keeps the name; the other rank's
        object under that name is left out. Two groups are merged into one; this is no error if they
        were created as missing groups on a path, or by `require_group`.

        Raises ValueError, which names the call, for what a rank cannot do alone: moving, deleting,
        copying, changing what other ranks know, and collective reads and writes of objects that the
        others do not know. An exception ends the section; objects created before it are kept. Data
        written to a new dataset waits for the flush: up to 64 MiB in memory, more in an unnamed
        temporary file in the file's folder. If there is no space, the call that writes raises
        OSError and changes nothing (except filtered chunks that are written in part). With a
        communicator, strings and sequences in datasets can be read only after the flush.
        @independent

        >>> f = onecast.File("parts.h5", "w")
        >>> with f.independent():
        ...     part = f.create_group("rank 0")
        ...     part["x"] = [1, 2, 3]
        ...     part.attrs["made by"] = "one rank"
        >>> f.flush()
        >>> part["x"][1:]
        array([2, 3])
        >>> f.close()
        """
        self._require_open()
        block = self._core_file.independent()
        try:
            yield self
        finally:
            block.end()

    def adopt(self) -> bool:
        """Adds a valid page list to a file that another program wrote or changed, with the next
        flush. Several ranks then open it without a walk over its objects. With a communicator, any
        change adds the list. Returns whether the file had no valid list. Raises ValueError if it is
        open for reading only, UnsupportedError. @replicated"""
        self._require_open()
        return self._core_file.adopt()

    def close(self) -> None:
        """Flushes and closes the file; does nothing if it is closed. A file without changes is not
        written to. @collective for files open for writing, else @independent"""
        if self:
            target = self._target
            try:
                self._core_file.close()
            finally:
                if not self._is_open:  # false if a function that the core waits for called it
                    self._target = None
                    objects_in_use.end(target)
            _save(target)
        if not self._is_open:
            self._leave_to_holder()

    def _leave_to_holder(self) -> None:
        """Lets the holder close the file: it is no longer closed when it is forgotten."""
        if self._finalizer is not None:
            self._finalizer.detach()

    def abandon(self, reason: str) -> None:
        """Closes the file without a flush, for a rank that cannot continue. The changes since the
        last flush are lost, on all ranks. The call waits for no other rank; it does nothing if the
        file is closed. The next collective call of the other ranks, whichever it is, raises
        DivergedError with this rank's number and the reason on all of them. All further collective
        calls do so, too, except `close`, which closes the file. With several ranks, an exception
        that ends `with onecast.File(...)` abandons the file. @independent

        >>> f = onecast.File("file.h5", "w")
        >>> f.create_group("given up")
        <HDF5 group "/given up" (0 members)>
        >>> f.abandon("an example")
        >>> f
        <Closed HDF5 file>
        """
        if self:
            self._core_file.abandon(reason.encode("utf-8", "backslashreplace"))
            objects_in_use.end(self._target)
            self._target = None
        self._leave_to_holder()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        alone = self._core_file.communicator.size == 1
        if alone or kind is None or issubclass(kind, GeneratorExit):
            self.close()
        else:
            # The other ranks may not raise, and must not wait for this rank.
            self.abandon(_in_words(kind, error))

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 file>"
        return f'<HDF5 file "{os.path.basename(self._path)}" (mode {self.mode})>'


def _save(target: Any) -> None:
    if isinstance(target, MemoryStore):
        target.save()


def _has_bytes(path: str) -> bool:
    return os.path.exists(path) and os.path.getsize(path) > 0


def _in_words(kind: type[BaseException], error: BaseException | None) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{kind.__name__}: {text}" if text else kind.__name__


@cache
def _tell_of_end() -> None:
    """Registers one function when the first file exists. Functions registered later run earlier
    than the one that closes files."""
    atexit.register(_core.end_program)


def _close_forgotten(file: _core.File, opened_by: int, target: Any) -> None:
    """Closes a forgotten file, as h5py does, if one process has it. With several ranks, all of them
    would have to take part. A forked process would undo what the process that opened the file has
    written since then."""
    if not file.is_open or os.getpid() != opened_by:
        return
    path = file.path
    if file.writable and file.communicator.size > 1:
        file.abandon(b"it forgot to close the file")
        objects_in_use.end(target)
        _warn_unclosed(f"{path}: was not closed; changes since the last flush are lost")
        return
    try:
        try:
            file.close()
        finally:
            objects_in_use.end(target)
        _save(target)
    except Exception as error:
        if str(error).endswith(": the file is closed"):
            return  # too late for a call that another thread began
        # Nobody can catch an exception of a finalizer.
        _warn_unclosed(f"{path}: was not closed, and cannot be now: {error}")


def _warn_unclosed(text: str) -> None:
    warnings.warn(text, UnclosedFileWarning, stacklevel=3)


HLObject._file_class = File
