"""What one rank does for all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ._mpi import require_communicator
from ._pending import words_of

if TYPE_CHECKING:
    from mpi4py import MPI

T = TypeVar("T")


def on_rank_0(comm: MPI.Intracomm | None, work: Callable[[], T]) -> T:
    """Its result, or what it raised, on all ranks. @collective"""
    if comm is None:
        return work()
    result: Any = None
    failure: Exception | None = None
    if comm.rank == 0:
        try:
            result = work()
        except Exception as error:
            failure = error
    result, failure = comm.bcast((result, failure))
    if failure is not None:
        raise failure
    return result


def alike(comm: MPI.Intracomm | None, work: Callable[[], T]) -> T:
    """The result of `work`, which must look equal on all ranks. What it raises on one rank is a
    ValueError on the others; so are results that differ. @collective"""
    if comm is None:
        return work()
    require_communicator(comm)
    result: Any = None
    failure: Exception | None = None
    try:
        result = work()
    except Exception as error:
        failure = error
    words = None if failure is None else words_of(failure)
    words, _ = comm.allreduce((words, repr(result)), op=_compared)
    if failure is not None:
        raise failure
    if words is not None:
        raise ValueError(words)
    return result


def _compared(a: tuple[str | None, str], b: tuple[str | None, str]) -> tuple[str | None, str]:
    """(what went wrong, the result) of some ranks, and of those behind them."""
    wrong = a[0] or b[0]
    if wrong is None and a[1] != b[1]:
        wrong = f"ranks were given different arguments: {a[1]} and {b[1]}"
    return wrong, a[1]


def require_regular(path: str | bytes | os.PathLike) -> None:
    """Raises OSError if something is there that is no file: a folder, a device, a pipe."""
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "a folder; a file was expected", os.fspath(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "no regular file, as was expected", os.fspath(path))


@contextlib.contextmanager
def replacing(path: str | bytes | os.PathLike, comm: MPI.Intracomm | None) -> Iterator[str]:
    """A name beside `path` that nobody else has, NAME.XXXXXXXX.part. What is written there takes
    the place of `path`, with its rights, when all went well; else it is removed, and `path` is as
    it was. Where programs replace `path` at the same time, the last one has its file there. A
    failure on one rank must be one on all. @collective"""
    if comm is not None:
        require_communicator(comm)
    path, beside = on_rank_0(comm, lambda: _names(os.fsdecode(path)))
    try:
        yield beside
        on_rank_0(comm, lambda: _take_the_place(path, beside))
    except BaseException:
        if comm is None or comm.rank == 0:
            with contextlib.suppress(FileNotFoundError):
                os.remove(beside)
        raise


def _names(path: str) -> tuple[str, str]:
    """Of what is to be replaced, and of the file beside it. That is not made here: who makes it
    chooses its stripes."""
    path = os.path.realpath(path)  # a link stays one
    require_regular(path)
    if not os.path.isdir(os.path.dirname(path)):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return path, f"{path}.{secrets.token_hex(4)}.part"


def keep_rights(old: str, new: str) -> None:
    """As a new file has that replaces an old one."""
    with contextlib.suppress(OSError):
        rights = os.stat(old)
        with contextlib.suppress(PermissionError):
            os.chown(new, rights.st_uid, rights.st_gid)
        os.chmod(new, rights.st_mode & 0o777)


def _take_the_place(old: str, new: str) -> None:
    keep_rights(old, new)
    os.replace(new, old)


def reserve(path: str, comm: MPI.Intracomm | None) -> None:
    """Makes an empty file that must not exist yet. Raises OSError on all ranks. @collective"""
    on_rank_0(comm, lambda: os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)))


def give_back_reserved(path: str, comm: MPI.Intracomm | None) -> None:
    """Removes what `reserve` made, if nothing was written to it."""
    if (comm is None or comm.rank == 0) and os.path.getsize(path) == 0:
        os.remove(path)


def is_empty(path: str, comm: MPI.Intracomm | None) -> bool:
    """Has the file no bytes? What rank 0 sees. @collective"""
    return on_rank_0(comm, lambda: os.path.exists(path) and os.path.getsize(path) == 0)
