"""Transfers of a dataset that continue while Python does something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._options import sharing_of
from ._pending import Pending

Args = Any  # the arguments in brackets
Transfer = Callable[[Any, _core.Selection, Any], None]  # (array, part, form)


class BegunTransfers:
    """The calls of a Dataset that begin transfers."""

    _object: _core.Dataset

    def read_async(self, args: Args = (), out: np.ndarray | None = None) -> Pending:
        """Begins a read like that of the brackets; `wait()` returns the array. See `Pending`.

        out: the array to read into and to return; it must have the shape of the selection, else
            TypeError. No copy is made if it is C-contiguous and of the stored dtype. @independent
        """
        calls: list[_core.Pending] = []

        def read(array: np.ndarray, part: _core.Selection, form: Any) -> None:
            calls.append(self._object.read_async(array, part, form))

        return self._settled(self._begun(calls, self._begin_read(args, read, out)))

    def read_all_async(
        self, args: Args = (), out: np.ndarray | None = None, *, sharing: str | None = None
    ) -> Pending:
        """Begins `read_all`: see `Pending` and `read_async`. `wait()` raises all errors, including
        those of the arguments. @collective @local"""
        how = sharing_of(sharing)
        calls: list[_core.Pending] = []

        def read(array: np.ndarray, part: _core.Selection, form: Any) -> None:
            calls.append(self._object.read_all_async(array, part, form, how))

        return self._settled(
            self._begin_together(
                calls,
                lambda transfer: self._begin_read(args, transfer, out),
                read,
                lambda why: self._object.fail_read_all_async(why, how),
            )
        )

    def write_async(self, args: Args, value: Any) -> Pending:
        """Begins a write like that of the brackets. An array of the stored dtype is not copied, and
        must not change before `wait()` returns: see `Pending`. @independent"""
        calls: list[_core.Pending] = []

        def write(data: Any, part: _core.Selection, form: Any) -> None:
            calls.append(self._object.write_async(data, part, form))

        self._write(args, value, write)
        return self._begun(calls)

    def write_all_async(self, args: Args, value: Any) -> Pending:
        """Begins `write_all`: see `Pending` and `write_async`. `wait()` raises all errors,
        including those of the arguments. @collective @local"""
        calls: list[_core.Pending] = []

        def write(data: Any, part: _core.Selection, form: Any) -> None:
            calls.append(self._object.write_all_async(data, part, form))

        return self._begin_together(
            calls,
            lambda transfer: self._write(args, value, transfer),
            write,
            self._object.fail_write_all_async,
        )

    def _begin_together(
        self,
        calls: list[_core.Pending],
        work: Callable[[Transfer], Any],
        begin: Transfer,
        fail: Callable[[str], _core.Pending],
    ) -> Pending:
        """Calls work(begin), and adds the pending call that `begin` or `fail` returns to `calls`.
        Raises what `work` raises."""
        try:
            return self._begun(
                calls, self._together(work, begin, lambda why: calls.append(fail(why)))
            )
        except Exception as error:
            if not calls:
                raise  # on all ranks
            return Pending(calls[0], error=error)

    def _settled(self, reading: Pending) -> Pending:
        return reading._complete() if self._refers_elsewhere else reading

    @property
    def _refers_elsewhere(self) -> bool:
        """True if elements stand for values of variable length or references."""
        return self._object.datatype.points_elsewhere

    @staticmethod
    def _begun(calls: list[_core.Pending], finish: Callable[[], Any] | None = None) -> Pending:
        return Pending(calls[0] if calls else _core.Pending(), finish)
