"""Files."""

from __future__ import annotations

import errno
import os
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, Unpack

from . import _core
from ._file_options import FileOptions
from ._group import Group
from ._mpi import core_communicator, give_back_reserved, is_empty, reserve
from ._multi import ManyDatasets
from ._options import file_options, option_value, options_help, shows_file_options
from ._pending import Pending

if TYPE_CHECKING:
    from mpi4py import MPI

MODES = ("r", "r+", "w", "w-", "x", "a")


class File(ManyDatasets, Group):
    """An HDF5 file and its root group, open on one process or on all processes of a communicator.

    If a process opens one file several times, all File objects share one state: each shows what
    another changed, flushed or not. Each has its mode ("r" does not write) and is closed
    separately; closing one for writing flushes. A file that is open for reading only cannot be
    opened for writing, an open file cannot be created again, a file open for writing is open on one
    communicator only, and options must not contradict those of the first opening (BlockingIOError,
    ValueError).

    name: path of the file, or a binary file object with read (or readinto), seek, and for writing
        write and truncate, such as io.BytesIO. Each rank passes one for the same bytes. Onecast
        keeps a file object until the file is closed and released, and does not close it; there is
        no journal. See docs/guide/own_files.md
    mode: "r" read only, must exist; "r+" read and write, must exist; "w" create, replacing an
        existing file; "w-" or "x" create, must not exist; "a" read and write, created if missing or
        empty
    driver: as in h5py: None, "sec2" (one process) or "mpio" (with `comm`). It has no other effect
    comm: an mpi4py.MPI.Intracomm, whose ranks open the file together
    info: with driver "mpio": an mpi4py.MPI.Info, equivalent to `hints`
    libver: `profile` in h5py's terms: "earliest" and "v108" mean "compatible", "v110" to "latest"
        mean "latest"; of a pair the first value is used
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

    @shows_file_options
    def __init__(
        self,
        name: str | os.PathLike | BinaryIO,
        mode: str = "r",
        driver: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        info: MPI.Info | None = None,
        libver: str | tuple[str, str] | None = None,
        **options: Unpack[FileOptions],
    ) -> None:
        target = name if _is_file_object(name) else None
        path = ""
        failure = None
        try:
            path = os.fsdecode(name) if target is None else _name_of(target)
            if mode not in MODES:
                raise ValueError(f"Invalid mode; must be one of {', '.join(MODES)}")
            _check_driver(driver, comm, info)
            core_options = file_options(_without_h5py_words(options, info, libver))
        except (TypeError, ValueError, _core.UnsupportedError) as error:
            if comm is None:
                raise
            # The others are about to open the file: they are told there.
            core_options = _core.FileOptions()
            core_options.problem = str(error)
            mode = mode if mode in MODES else "r"
            failure = error
        try:
            opened = _open(target, path, mode, comm, core_options)
        except Exception:
            if failure is None:
                raise
            raise failure from None
        self._begin(path, opened)
        self._finalizer = weakref.finalize(self, _close_forgotten, self._core_file, os.getpid())

    __init__.__doc__ = f"The options:\n\n{options_help()}"

    def _begin(self, path: str, opened: _core.File) -> None:
        self._path = path
        self._core_file = opened
        self._finalizer: weakref.finalize | None = None
        # Holds no reference to itself, so that it goes when it is forgotten.
        super().__init__(opened.root(), None, "/")

    def _other(self, found: _core.Object) -> File:
        """The file of an object that an external link led to; it is closed with this one."""
        opened = found.file()
        file = File.__new__(File)
        file._begin(opened.path, opened)
        return file

    @property
    def file(self) -> File:
        return self

    @property
    def _is_open(self) -> bool:
        return self._core_file.is_open

    def _require_open(self) -> None:
        if not self._core_file.is_open:
            raise ValueError(f"{self._path}: the file is closed")

    @property
    def parent(self) -> Group:
        return self["/"]

    @property
    def filename(self) -> str:
        """The path given to open it. @independent"""
        return self._path

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
        flush stays in the file. @collective"""
        self._require_open()
        self._core_file.flush()

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
        open for reading only, UnsupportedError. @collective @same; does not communicate"""
        self._require_open()
        return self._core_file.adopt()

    def close(self) -> None:
        """Flushes and closes the file; does nothing if it is closed. A file without changes is not
        written to. @collective for files open for writing, else @independent"""
        if self:
            self._core_file.close()
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
        self._finalizer.detach()

    def prefetch_all(self, path: str = "/", recursive: bool = True) -> None:
        """Brings the metadata of an object to all ranks and, if `recursive`, that of everything
        below it: one process reads, one broadcast shares. @collective @same"""
        self._require_open()
        if not isinstance(path, str):
            raise TypeError(f"path: a str was expected, not {type(path).__name__}")
        self._core_file.prefetch_all(path, recursive)

    def io_stats(self) -> _core.IoStats:
        """Exact counts of what this process did to the file system and the network for the file
        since it was opened: `opens, reads, bytes_read, writes, bytes_written, syncs,
        collectives`. @independent"""
        return self._core_file.io_stats()

    def metadata_report(self) -> _core.MetadataReport:
        """Where the metadata lies: `file_size, metadata_bytes, small_data_bytes, pieces, page_size,
        pages, page_runs, extents, stripes_touched, reads_to_open, page_list_stale, complete`; and
        how much of it is in memory on this rank: `objects_in_memory` (decoded), `memory_bytes` (as
        in the file, and decoded), `most_memory_bytes` (the largest value of `memory_bytes`).
        @independent"""
        self._require_open()
        return self._core_file.metadata_report()

    def explain(self) -> str:
        """Describes the last `read_all`, `write_all`, `read_multi` or `write_multi` of this file on
        this rank, in one sentence: the method, the reason for it, and counts. Also after close.
        @independent

        >>> with onecast.File("file.h5", "w") as f:
        ...     x = f.create_dataset("x", data=[1, 2, 3])
        ...     x.write_all((), [4, 5, 6])
        ...     f.explain()
        'write_all: ...'
        """
        return self._core_file.explain()

    @property
    def unused_hints(self) -> list[str]:
        """The names of given `hints` that Onecast does not know. @independent

        >>> with onecast.File("file.h5", "w", hints={"cb_nodes": 4, "e10_cache": "enable"}) as f:
        ...     f.unused_hints
        ['e10_cache']
        """
        return self._core_file.unused_hints

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
            # The others may not raise, and must not wait for this rank.
            self.abandon(_in_words(kind, error))

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 file>"
        return f'<HDF5 file "{os.path.basename(self._path)}" (mode {self.mode})>'


def _in_words(kind: type[BaseException], error: BaseException | None) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{kind.__name__}: {text}" if text else kind.__name__


def _check_driver(driver: str | None, comm: MPI.Intracomm | None, info: MPI.Info | None) -> None:
    if driver not in (None, "sec2", "mpio"):
        raise _core.UnsupportedError(f'driver: "sec2" or "mpio" was expected, not {driver!r}')
    if driver == "mpio" and comm is None:
        raise TypeError('driver "mpio": comm is missing')
    if driver == "sec2" and comm is not None:
        raise TypeError('driver "sec2": it takes no comm')
    if info is not None and driver != "mpio":
        raise TypeError('info: it needs driver "mpio"')


def _without_h5py_words(
    options: FileOptions, info: MPI.Info | None, libver: str | tuple[str, str] | None
) -> dict[str, Any]:
    given = dict(options)
    if info is not None and given.setdefault("hints", info) is not info:
        raise ValueError("info, hints: one of them is enough")
    if libver is not None:
        profile = _profile_of(libver)
        if given.setdefault("profile", profile) != profile:
            raise ValueError("libver, profile: they contradict each other")
    return given


def _profile_of(libver: str | tuple[str, str]) -> str:
    low = libver[0] if isinstance(libver, tuple) and len(libver) == 2 else libver
    if low in ("earliest", "v108"):
        return "compatible"
    if low in ("v110", "v112", "v114", "v200", "latest"):
        return "latest"
    raise ValueError(f"libver: a version as in h5py was expected, not {libver!r}")


def recover(name: str | os.PathLike, locking: bool | str = "on") -> str:
    """Undoes the flush of a process that was killed during it, as opening the file for writing
    does. Until then other programs refuse such a file. @independent

    Returns what was found: "undone" (a flush was half done and has been undone), "complete" (a
    flush was complete except for removing its journal, or had not begun) or "nothing". Raises
    OSError,
    BlockingIOError if the file is open elsewhere, FormatError.

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


def _is_file_object(name: Any) -> bool:
    return hasattr(name, "seek") and (hasattr(name, "read") or hasattr(name, "readinto"))


def _name_of(target: BinaryIO) -> str:
    name = getattr(target, "name", None)
    if isinstance(name, str | bytes | os.PathLike):
        return os.fsdecode(name)
    return f"<{type(target).__name__}>"


def _open_object(
    target: BinaryIO,
    name: bytes,
    mode: str,
    communicator: _core.Communicator | None,
    options: _core.FileOptions,
) -> _core.File:
    if mode in ("w-", "x", "a"):
        target.seek(0, os.SEEK_END)
        is_empty = target.tell() == 0
        if mode != "a" and not is_empty:
            raise FileExistsError(errno.EEXIST, f"{os.fsdecode(name)}: has bytes already")
        mode = "w" if is_empty else "r+"
    if mode == "w":
        return _core.File.create_in(target, name, communicator, options)
    return _core.File.open_in(target, name, mode == "r+", communicator, options)


def _open(
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
    if mode in ("w-", "x"):
        reserve(path, comm)
        try:
            return _core.File.create(raw, communicator, options)
        except Exception:
            with suppress(OSError):
                give_back_reserved(path, comm)
            raise
    if mode == "a":
        try:
            return _core.File.open(raw, True, communicator, options)
        except FileNotFoundError:
            pass
        except _core.FormatError:
            if not is_empty(path, comm):
                raise
    if mode in ("r", "r+"):
        return _core.File.open(raw, mode == "r+", communicator, options)
    return _core.File.create(raw, communicator, options)


class UnclosedFileWarning(RuntimeWarning):
    """A file that several ranks had open for writing was garbage collected without close, which is
    a collective call. The changes since the last flush are lost. The warning is shown by default,
    also when the interpreter ends. A file of one process is closed instead."""


def _close_forgotten(file: _core.File, opened_by: int) -> None:
    """What h5py does with a file that nobody closed; but several ranks would have to meet, and a
    forked process would undo what the one that opened the file has written since."""
    if not file.is_open or os.getpid() != opened_by:
        return
    path = file.path
    if file.writable and file.communicator.size > 1:
        file.abandon(b"it forgot to close the file")
        _warn_unclosed(f"{path}: was not closed; changes since the last flush are lost")
        return
    try:
        file.close()
    except Exception as error:
        # Of a finalizer nobody could catch it.
        _warn_unclosed(f"{path}: was not closed, and cannot be now: {error}")


def _warn_unclosed(text: str) -> None:
    warnings.warn(text, UnclosedFileWarning, stacklevel=3)
