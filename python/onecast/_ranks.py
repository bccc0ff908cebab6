"""Work that one rank does for all ranks."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pickle
import secrets
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ._mpi import require_communicator

if TYPE_CHECKING:
    from mpi4py import MPI

T = TypeVar("T")


def for_other_ranks(error: Exception) -> Exception:
    """Returns `error` in a form that other ranks can raise: with its class, or the nearest base
    class that all ranks know, and with the same text."""
    if _is_known(type(error)):
        with contextlib.suppress(Exception):
            return pickle.loads(pickle.dumps(error))
    for kind in filter(_is_known, type(error).__mro__):
        with contextlib.suppress(Exception):
            return kind(str(error))
    return Exception(str(error))


def _is_known(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("builtins", "onecast")


def raise_alike(mine: Exception | None, first: Exception | None) -> None:
    """Raises the failure of the first rank that failed, if any. `mine` is the failure of this rank,
    which is raised itself if its text is the same."""
    if first is None:
        return
    if mine is not None and isinstance(mine, type(first)) and mine.args == first.args:
        raise mine
    raise first from mine


def on_rank_0(comm: MPI.Intracomm | None, work: Callable[[], T]) -> T:
    """Returns the result of rank 0, or raises what it raised, on all ranks. @collective"""
    if comm is None:
        return work()
    result: Any = None
    mine = first = None
    if comm.rank == 0:
        try:
            result = work()
        except Exception as error:
            mine, first = error, for_other_ranks(error)
    result, first = comm.bcast((result, first))
    raise_alike(mine, first)
    return result


def require_regular(path: str | bytes | os.PathLike) -> None:
    """Raises OSError if the path leads to something other than a file: a folder, a device, a
    pipe."""
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "a folder; a file was expected", os.fspath(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "no regular file, as was expected", os.fspath(path))


@contextlib.contextmanager
def replacing(path: str | bytes | os.PathLike, comm: MPI.Intracomm | None) -> Iterator[str]:
    """Yields a unique name beside `path`, NAME.XXXXXXXX.part. The file of that name replaces `path`
    and gets its permissions if all goes well; otherwise it is removed, and `path` is unchanged. An
    OSError about either file has `path` as its `filename`. If several programs replace `path` at
    the same time, the last one wins. A failure on one rank must be a failure on all. @collective
    """
    if comm is not None:
        require_communicator(comm)
    old, beside = on_rank_0(comm, lambda: _names(os.fsdecode(path)))
    try:
        yield beside
        on_rank_0(comm, lambda: _take_the_place(old, beside))
    except BaseException as error:
        if comm is None or comm.rank == 0:
            with contextlib.suppress(FileNotFoundError):
                os.remove(beside)
        if isinstance(error, OSError) and (about := _about(error, beside, path)) is not None:
            raise about from error
        raise


def _names(path: str) -> tuple[str, str]:
    """Returns the name of the file to be replaced, and of the file beside it. The latter is not
    created here, since its creator chooses its stripes."""
    require_regular(path)
    _require_no_writer(path)
    old = os.path.realpath(path)  # a link remains a link
    if not os.path.isdir(os.path.dirname(old)):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return old, f"{old}.{secrets.token_hex(4)}.part"


def _about(error: OSError, beside: str, path: str | bytes | os.PathLike) -> OSError | None:
    """Returns an error about the file beside `path` as one about `path`; None for an error about
    another file. The library's errors name the file in their text."""
    said = error.strerror or ""
    if error.filename == beside or f"{beside}: " in said:
        return OSError(error.errno, said.replace(f"{beside}: ", ""), os.fsdecode(path))
    return None


def _require_no_writer(path: str) -> None:
    """Raises if another process is writing the file, as its changes would be lost. Readers keep the
    old file."""
    with contextlib.suppress(FileNotFoundError, PermissionError), open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            text = "locked: it is being written, here or in another program"
            raise BlockingIOError(errno.EAGAIN, text, path) from None
        except OSError:  # a file system without locks
            return


def keep_rights(old: str, new: str) -> None:
    """Gives a new file the permissions of the file that it replaces."""
    with contextlib.suppress(OSError):
        rights = os.stat(old)
        with contextlib.suppress(PermissionError):
            os.chown(new, rights.st_uid, rights.st_gid)
        os.chmod(new, rights.st_mode & 0o777)


def _take_the_place(old: str, new: str) -> None:
    keep_rights(old, new)
    os.replace(new, old)
