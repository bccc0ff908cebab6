"""What one rank does for all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ._mpi import require_communicator

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


@contextlib.contextmanager
def replacing(path: str | bytes | os.PathLike, comm: MPI.Intracomm | None) -> Iterator[str]:
    """A name beside `path`. What is written there takes the place of `path`, with its rights, when
    all went well; else it is removed, and `path` is as it was. A failure on one rank must be one on
    all. @collective"""
    if comm is not None:
        require_communicator(comm)
    path = on_rank_0(comm, lambda: os.path.realpath(os.fsdecode(path)))  # a link stays one
    beside = f"{path}.part"
    try:
        yield beside
        on_rank_0(comm, lambda: _take_the_place(path, beside))
    except BaseException:
        if (comm is None or comm.rank == 0) and os.path.exists(beside):
            os.remove(beside)
        raise


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
