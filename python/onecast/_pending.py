"""Calls that go on while Python does something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _core


def words_of(error: Exception) -> str:
    """What other ranks hear of it."""
    return f"{type(error).__name__}: {error}"


class Pending:
    """A call that was begun by a method whose name ends in `_async`.

    The calls of a file are carried out in the order they were begun, by a thread that Onecast
    starts for them; on ranks of MPI only at MPI_THREAD_MULTIPLE (mpi4py's default), else before the
    method returns. Until `wait` has returned, the array that is written or read belongs to Onecast:
    it must not be changed, nor looked at where it is read into. Any other call on the file waits
    for all that were begun, but for `dtype` and `shape` of datasets, and for beginning the next.

    One that goes without `wait` waits, and its error is raised by the next flush, on all ranks,
    when all else is in the file; so is, by close, that of one nobody waited for yet.

    >>> f = onecast.File("file.h5", "w")
    >>> x = f.create_dataset("x", (4,), "i4")
    >>> writing = x.write_all_async(..., [1, 2, 3, 4])
    >>> reading = x.read_all_async(slice(2))
    >>> 6 * 7  # meanwhile
    42
    >>> reading.wait()
    array([1, 2], dtype=int32)
    >>> writing.wait()
    >>> f.close()
    """

    def __init__(
        self,
        call: _core.Pending,
        finish: Callable[[], Any] | None = None,
        error: Exception | None = None,
    ) -> None:
        self._call = call
        self._finish = finish
        self._error = error
        self._result: Any = None

    def wait(self) -> Any:
        """Returns when the call is done: what was read, or None. Raises what the call raises; a
        @collective one on all ranks. Once more: likewise. @independent"""
        try:
            self._call.wait()
        except Exception:
            if self._error is None:
                raise
        if self._error is not None:
            raise self._error
        if self._finish is not None:
            self._result = self._finish()
            self._finish = None
        return self._result

    @property
    def done(self) -> bool:
        """Would `wait` return at once? @independent"""
        return self._call.is_done

    def __repr__(self) -> str:
        return f"<Pending call, {'done' if self.done else 'under way'}>"
