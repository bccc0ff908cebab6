"""Calls that continue while Python does something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _core


def words_of(error: BaseException) -> str:
    """Returns the text of an error, as other ranks get it."""
    return f"{type(error).__name__}: {error}".removesuffix(": ")


class Pending:
    """A call that was begun by a method whose name ends in `_async`.

    A thread of Onecast carries out the calls of a file in the order in which they were begun. With
    MPI this needs MPI_THREAD_MULTIPLE (mpi4py's default); otherwise the call is complete when the
    method returns. Until `wait` returns, the program must not change an array that is written, and
    must not use an array that is read into. Any other call on the file waits for all calls that
    were begun before, except `dtype` and `shape` of datasets, and beginning another call.

    Reads of values of variable length and references are complete when the method returns. After a
    fork, the new process cannot wait for calls that the old one began: `wait` raises ValueError.

    A Pending that is garbage collected without `wait` waits. The next flush raises its error, on
    all ranks, after it has written everything else. close raises the errors of all calls that were
    not waited for.

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
        """Waits until the call is complete, and returns what was read, or None. Raises the error of
        the call; for a @collective call, on all ranks. A further `wait` does the same.
        @independent"""
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

    def _complete(self) -> Pending:
        """Waits now and keeps the outcome, since values of variable length are looked up in the
        file, which later calls may change."""
        try:
            self._result = self.wait()
        except Exception as error:
            self._error = error
        return self

    @property
    def done(self) -> bool:
        """True if `wait` would return at once. @independent"""
        return self._call.is_done

    def __repr__(self) -> str:
        return f"<Pending call, {'done' if self.done else 'under way'}>"
