"""Files."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from . import _core
from ._group import Group
from ._mpi import core_communicator, reserve
from ._multi import ManyDatasets
from ._options import member, sharing_of
from ._pending import Pending

if TYPE_CHECKING:
    from mpi4py import MPI

MODES = ("r", "r+", "w", "w-", "x", "a")


class File(ManyDatasets, Group):
    """An HDF5 file, and its root group; open on one process, or on all of a communicator.

    A file that this process has open already is not opened again: both File objects show what
    either changed, flushed or not. Each has its mode (with "r" nothing is written) and is closed
    for itself; closing one that may write flushes. What is open for reading only cannot be opened
    for writing, an open file cannot be created anew, one that is written is open on one
    communicator, and options must not contradict those it was opened with (BlockingIOError,
    ValueError).

    name: path of the file
    mode: "r" read only, must exist; "r+" read and write, must exist; "w" create, in place of what
        is there; "w-" or "x" create, must not exist; "a" read and write, created if missing
    comm: an mpi4py.MPI.Intracomm, whose ranks open the file together

    Options, the @same on all ranks (bytes, unless said otherwise):

    page_size: create: of a metadata page, a power of two from 4 KiB to 1 GiB; 0 (default): 4 KiB.
        The size of the file is a multiple of it
    profile: create: "compatible" (default: every HDF5 library since 1.8 reads the file) or "latest"
        (since 1.10; indexes of chunks are smaller, and faster to append to); the file keeps it
    libver: create: the same in h5py's words: "earliest" and "v108" mean "compatible", "v110" to
        "latest" mean "latest"; of a pair the first counts
    compact_limit: create: datasets up to this size (0 ... 64,000; default 4096) are stored in the
        metadata
    compact_total: and only as long as all of these, made since the file was opened and not removed,
        have no more bytes (default None: 16 MiB with a communicator, else no limit); those made
        inside `independent()` are judged at the flush, all or none
    metadata_budget: at most so much metadata is brought to every rank at open (default 256 MiB);
        while writing, about so much is in memory: when what was made since the last flush takes
        half of it, the next call that creates or sets something flushes first, on all ranks
        (@collective then), and what no handle leads to is forgotten, and read again where needed
    small_data_limit: open, files without a page list: datasets up to this size come along
        (default 64 KiB)
    load_policy: "automatic" (default), "eager" or "lazy": when metadata is read
    stripe_size: of the file system, where it does not say so itself; create: the file is made so
        where the file system can (Lustre); default 0: 1 MiB, and as the folder has it
    stripe_count: over so many storage targets, likewise (a number; default 0: not known)
    single_writer_stripes: up to so many changed stripes (a number) are written by one rank, of more
        each by the rank that owns it (default None: 64; 0 for ranks on several nodes, if stripes
        are known)
    alignment_threshold, alignment_interval: contiguous data and chunks of so many bytes or more
        begin at multiples of the interval in the file. Interval 0 (default): of a stripe, if
        stripes are known, then of chunks only those that fill whole stripes; 1: no alignment.
        Threshold 0 (default): of the size of the interval
    durable: flush and close wait for stable storage (bool)
    journal: before a flush overwrites what was in the file, that is written to a file beside it,
        so that the flush of a process that is killed can be undone (default True)
    locking: True (default), False or "best-effort": lock the file (flock, as HDF5 does) against a
        second writer, and readers against a writer; best effort: not where the file system has no
        locks. The environment variable HDF5_USE_FILE_LOCKING wins over it
    follow_external: which files that this one names are read, by external links, as raw data and as
        sources of virtual datasets: "everywhere" or True (default, as h5py: whatever the process
        may read), "folder" (in and below the folder of the file, symbolic links resolved: for files
        that are not trusted), "nowhere" or False
    decode_threads: so many threads may decode the chunks of one read (a number, need not be the
        @same; default None: the cores this process may use, 1 on several ranks)
    chunk_cache_bytes: decoded chunks that are kept for further reads (default 16 MiB; need not be
        the @same)
    sharing: how ranks that read, or write what all have, find out whether they mean the same; a
        call of read_all or write_equal may say otherwise. "auto" (default): read_all compares, and
        what all want is read once and broadcast; write_equal leaves it to flush. "trust": nothing
        is compared, read_all is one broadcast; ranks that do not mean the same make the program
        wrong, or hang. "verify": all must mean the same, else DivergedError names the ranks.
        "serve": read_all lets ranks that want the same share one read, whatever the others want
    method: how read_all and write_all of contiguous data reach the file. "auto" (default): chosen
        for each call, from what all ranks want; "plain": each rank for itself, also what all want;
        "independent": each rank for itself, but what all want is read once; "collective": by ranks
        that own stripes; "broadcast": what all want by one rank for all, else as "collective"
    collective_buffer: memory that a rank may use for one collective transfer (64 KiB or more;
        default 0: 16 MiB)
    aggregators: at most so many ranks transfer for all (a number; default 0: as many as the stripes
        call for)
    hints: a dict or mpi4py.MPI.Info with hints of MPI-IO, which set those of the options above that
        are not given: striping_unit, striping_factor, cb_nodes, cb_buffer_size, romio_cb_read,
        romio_cb_write, collective_buffering; others are in `File.unused_hints`
    mpi_io: reach the file through MPI-IO (bool; needs MPI)

    Raises FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, BlockingIOError
    (the file is locked) and other OSError;
    FormatError if it is not HDF5, or truncated or damaged; UnsupportedError; ValueError for modes
    and values of options, TypeError for unknown options. @collective @same

    >>> with onecast.File("file.h5", "w") as f:
    ...     f["x"] = 1
    >>> f
    <Closed HDF5 file>
    >>> onecast.File("missing.h5")
    Traceback (most recent call last):
    FileNotFoundError: ...
    """

    def __init__(
        self,
        name: str | os.PathLike,
        mode: str = "r",
        comm: MPI.Intracomm | None = None,
        **options: Any,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"Invalid mode; must be one of {', '.join(MODES)}")
        path = os.fsdecode(name)
        self._begin(path, _open(path, mode, comm, file_options(options)))
        self._finalizer = weakref.finalize(self, _close_forgotten, self._core_file)

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
        """Is it "r" or "r+"? Raises ValueError if the file is closed. @independent"""
        self._require_open()
        return "r+" if self._core_file.writable else "r"

    @property
    def profile(self) -> str:
        """Are new datasets "compatible" or "latest"? Raises ValueError if the file is
        closed. @independent"""
        self._require_open()
        return self._core_file.profile.name

    def flush(self) -> None:
        """Writes what changed, each page once. Raises DivergedError on all ranks if they made
        different calls, or one left the file, OSError; what the last flush left stays readable.
        @collective"""
        self._require_open()
        self._core_file.flush()

    def flush_async(self) -> Pending:
        """The same, begun: see `Pending`. @collective"""
        self._require_open()
        return Pending(self._core_file.flush_async())

    @contextmanager
    def independent(self) -> Iterator[Self]:
        """Inside `with file.independent():` this rank creates groups, datasets, attributes, links
        and committed types of its own, without the others: calls that create are @independent.

        This rank sees at once what it made, and may write to it, change it and read it. The others
        see it once a flush (or close), which may come inside or after, has merged the parts of all
        ranks, in their order, by one exchange. Until then it is this rank's own; afterwards, as all
        that was there before, only all ranks together can change it.

        A name that two ranks create is a DivergedError of that flush, on all ranks, which names
        both; it comes when all else is in the file. The first rank keeps the name, what the other
        made under it is left out. Two groups become one with the members of both; no error if they
        were made on the way to something else, or by `require_group`.

        Raises ValueError, which names the call, for what a rank cannot do alone: moving, deleting,
        copying, changing what others know, reading or writing together what they do not know. An
        exception inside ends the block like any other; what was made before is kept. Data written
        to a new dataset stays in memory until the flush; texts and sequences in datasets can, on
        several ranks, only then be read. @independent

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
        """A file that another program wrote, or changed since, gets a valid page list with the next
        flush, so that several ranks open it without a walk over its objects; with a communicator,
        any other change does that, too. Returns whether it had none. Raises ValueError if it is
        open for reading only, UnsupportedError. @independent @same"""
        self._require_open()
        return self._core_file.adopt()

    def close(self) -> None:
        """Flushes and closes; does nothing if the file is closed. An unmodified file is not written
        to. @collective for files open for writing, else @independent"""
        if self:
            self._core_file.close()
        if self._finalizer is not None:
            self._finalizer.detach()

    def abandon(self, reason: str) -> None:
        """Closes without a flush, for a rank that cannot go on: what was changed since the last
        flush is given up, on all ranks. The next collective call of the others, whatever it is,
        raises DivergedError with this rank's number and the reason on all of them, and so does each
        further one but `close`, which closes. Waits for nobody; does nothing if the file is closed.
        An exception that ends `with onecast.File(...)` does this, if there are other ranks.
        @independent

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

    def prefetch(self, path: str = "/", recursive: bool = True) -> None:
        """Brings the metadata of an object, and of all below it if `recursive`, to all ranks: one
        reads, one broadcast shares. @collective @same"""
        self._require_open()
        self._core_file.prefetch_all(path, recursive)

    def io_stats(self) -> _core.IoStats:
        """What this process did to the file system and the network for the file since it was
        opened, in exact counts: `opens, reads, bytes_read, writes, bytes_written, syncs,
        collectives`. @independent"""
        return self._core_file.io_stats()

    def metadata_report(self) -> _core.MetadataReport:
        """How the metadata lies: `file_size, metadata_bytes, small_data_bytes, pieces, page_size,
        pages, page_runs, extents, stripes_touched, reads_to_open, page_list_stale, complete`; and
        what of it is in memory on this rank: `objects_in_memory` (decoded), `memory_bytes` (as in
        the file, and decoded), `most_memory_bytes` (the most that came to). @independent"""
        self._require_open()
        return self._core_file.metadata_report()

    def explain(self) -> str:
        """How the last `read_all`, `write_all`, `read_multi` or `write_multi` of this file went,
        seen from this rank: a sentence with the method, why it was taken, and counts. Also after
        close. @independent

        >>> with onecast.File("file.h5", "w") as f:
        ...     x = f.create_dataset("x", data=[1, 2, 3])
        ...     x.write_all((), [4, 5, 6])
        ...     f.explain()
        'write_all: ...'
        """
        return self._core_file.explain()

    @property
    def unused_hints(self) -> list[str]:
        """Names of the `hints` given that mean nothing here. @independent

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


def file_options(given: dict[str, Any]) -> _core.FileOptions:
    """Raises TypeError for names, ValueError for values."""
    options = _core.FileOptions()
    given = dict(given)
    if "libver" in given:
        profile = _profile_of(given.pop("libver"))
        if given.setdefault("profile", profile) != profile:
            raise ValueError("libver, profile: they contradict each other")
    for name, value in given.items():
        if not hasattr(options, name):
            raise TypeError(f"File: unknown option {name!r}")
        if name == "decode_threads" and value is None:
            continue
        if name == "load_policy":
            value = member(_core.LoadPolicy, name, value)
        if name == "method":
            value = member(_core.TransferMethod, name, value)
        if name == "hints":
            value = {str(hint): str(said) for hint, said in value.items()}
        if name == "sharing":
            value = sharing_of(value)
        if name == "profile":
            value = member(_core.Profile, name, value)
        if name == "locking":
            value = _locking(value)
        if name == "follow_external":
            value = _follow_external(value)
        setattr(options, name, value)
    return options


def _profile_of(libver: str | tuple[str, str]) -> str:
    low = libver[0] if isinstance(libver, tuple) and len(libver) == 2 else libver
    if low in ("earliest", "v108"):
        return "compatible"
    if low in ("v110", "v112", "v114", "v200", "latest"):
        return "latest"
    raise ValueError(f"libver: a version as in h5py was expected, not {libver!r}")


def _locking(value: bool | str) -> _core.FileLocking:
    names = {True: "on", False: "off", "best-effort": "best_effort"}
    if not isinstance(value, bool | str) or value not in names:
        raise ValueError(f'locking: True, False or "best-effort" was expected, not {value!r}')
    return _core.FileLocking[names[value]]


def _follow_external(value: bool | str) -> _core.FollowExternal:
    if isinstance(value, bool):
        value = "everywhere" if value else "nowhere"
    return member(_core.FollowExternal, "follow_external", value)


def recover(name: str | os.PathLike, locking: bool | str = True) -> str:
    """Undoes the flush of a process that was killed in the middle of it; opening a file for writing
    does the same. Other programs refuse such a file before. @independent

    Returns what was found: "undone" (the file is as the last flush before left it), "complete" (the
    flush was done, but for removing its journal, or not begun) or "nothing". Raises OSError,
    BlockingIOError if the file is open elsewhere, FormatError.

    >>> onecast.File("file.h5", "w").close()
    >>> onecast.recover("file.h5")
    'nothing'
    """
    return _core.File.recover(os.fsencode(name), _locking(locking)).name


def adopt(name: str | os.PathLike, **options: Any) -> bool:
    """Adds a page list to a file that has none, or renews one that is stale, in place, with the
    options of File. Returns whether that was needed; if not, nothing is written. @independent

    >>> import h5py
    >>> h5py.File("stock.h5", "w").close()
    >>> onecast.adopt("stock.h5")
    True
    >>> onecast.adopt("stock.h5")
    False
    """
    with File(name, "r+", **options) as f:
        return f.adopt()


def _open(
    path: str, mode: str, comm: MPI.Intracomm | None, options: _core.FileOptions
) -> _core.File:
    communicator = core_communicator(comm)
    raw = os.fsencode(path)
    if mode in ("w-", "x"):
        reserve(path, comm)
    if mode == "a":
        try:
            return _core.File.open(raw, True, communicator, options)
        except FileNotFoundError:
            pass
    if mode in ("r", "r+"):
        return _core.File.open(raw, mode == "r+", communicator, options)
    return _core.File.create(raw, communicator, options)


class UnclosedFileWarning(RuntimeWarning):
    """A file was forgotten while it was open for writing on several ranks, which would have to
    close it together: what was changed since the last flush is lost. Shown by default, and also
    when the interpreter ends; a file of one process is closed then."""


def _close_forgotten(file: _core.File) -> None:
    """What h5py does with a file that nobody closed; but several ranks would have to meet."""
    if not file.is_open:
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
