"""Reading and writing many datasets in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from . import _core
from ._dataset import Dataset
from ._dataset_reading import plan_read
from ._dataset_writing import plan_write
from ._pending import Pending, words_of

Writes = Iterable[tuple[Dataset, Any, Any]]
Reads = Iterable[tuple[Dataset, Any]]
Outs = Sequence[np.ndarray | None] | None


class ManyDatasets:
    """The calls of a File that transfer many datasets at once."""

    _core_file: _core.File
    _require_open: Callable[[], None]

    def write_multi(self, requests: Writes, *, own_datasets: bool = False) -> None:
        """Writes to many datasets in one collective call. Each request is (dataset, selection,
        value), as `dataset.write_all(selection, value)` takes them. All ranks name the same
        datasets in one order, each with its own selection, which may be empty (`np.s_[0:0]`). With
        `own_datasets` (@same) each rank names its own datasets, as many as it likes, or none.
        Contiguous data and unfiltered chunks of all datasets go to the file in one transfer, with
        one agreement; other data follows in the order of the list. Parts of one dataset must not
        overlap.

        Raises, on all ranks or none, what `write_all` raises, and DivergedError if the lists name
        different datasets. @collective @local

        >>> with onecast.File("multi.h5", "w") as f:
        ...     p, v = f.create_dataset("p", (4,), "f8"), f.create_dataset("v", (4, 3), "f4")
        ...     f.write_multi([(p, (), [1, 2, 3, 4]), (v, np.s_[:, 2], 5)])
        ...     f.read_multi([(p, np.s_[1:3]), (v, 0)])
        [array([2., 3.]), array([0., 0., 5.], dtype=float32)]
        """
        self._require_open()
        own = bool(own_datasets)
        fail = partial(self._core_file.fail_write_multi, own=own)
        self._core_file.write_multi(_prepared(lambda: _to_write(requests), fail), own)

    def read_multi(
        self, requests: Reads, out: Outs = None, *, own_datasets: bool = False
    ) -> list[Any]:
        """Reads from many datasets in one collective call. Returns a list with the result of
        `dataset.read_all(selection)` for each (dataset, selection). `out` has for each of them an
        array to read into and to return, with the shape of the selection, or None. With
        `own_datasets` (@same) each rank names its own datasets, as many as it likes, or none.

        A part that all ranks want is read once. So is a filtered chunk that several ranks want, if
        they name the same datasets. If the file's option `sharing` is "serve", ranks with equal
        lists share their reads; with "verify", the lists of all ranks must be equal. Raises, on all
        ranks or none, what `read_all` raises, and DivergedError if the lists name different
        datasets. @collective @local
        """
        self._require_open()
        own = bool(own_datasets)
        fail = partial(self._core_file.fail_read_multi, own=own)
        reads, finish = _prepared(lambda: _to_read(requests, out), fail)
        self._core_file.read_multi(reads, own)
        return finish()

    def write_multi_async(self, requests: Writes, *, own_datasets: bool = False) -> Pending:
        """Begins `write_multi`: see `Pending`. The list is copied. An array of the stored dtype is
        not copied, and must not change before `wait()` returns. `wait()` raises all errors on all
        ranks, including those of the arguments. @collective @local"""
        self._require_open()
        file = self._core_file
        try:
            writes = _to_write(requests)
        except Exception as error:
            failing = file.fail_write_multi_async(words_of(error), bool(own_datasets))
            return Pending(failing, error=error)
        return Pending(file.write_multi_async(writes, bool(own_datasets)))

    def read_multi_async(
        self, requests: Reads, out: Outs = None, *, own_datasets: bool = False
    ) -> Pending:
        """Begins `read_multi`: `wait()` returns the list of arrays, or raises all errors on all
        ranks, including those of the arguments. Until then the program must not use the arrays of
        `out`: see `Pending`. @collective @local

        >>> with onecast.File("multi.h5", "w") as f:
        ...     p = f.create_dataset("p", data=[1, 2, 3])
        ...     reading = f.read_multi_async([(p, np.s_[1:]), (p, 0)])
        ...     reading.wait()
        [array([2, 3]), np.int64(1)]
        """
        self._require_open()
        file = self._core_file
        try:
            requests = list(requests)
            reads, finish = _to_read(requests, out)
        except Exception as error:
            failing = file.fail_read_multi_async(words_of(error), bool(own_datasets))
            return Pending(failing, error=error)
        reading = Pending(file.read_multi_async(reads, bool(own_datasets)), finish)
        waits = any(dataset._refers_elsewhere for dataset, _ in requests)
        return reading._complete() if waits else reading


def _to_write(requests: Writes) -> list[tuple]:
    prepared = []
    for dataset, args, value in requests:
        prepared.append((_checked(dataset)._object, *plan_write(dataset, args, value)))
    return prepared


def _to_read(requests: Reads, out: Outs) -> tuple[list[tuple], Callable[[], list[Any]]]:
    """Returns the requests, and a function that returns the arrays."""
    pairs = list(requests)
    targets = [None] * len(pairs) if out is None else list(out)
    if len(targets) != len(pairs):
        raise ValueError(f"out: {len(pairs)} arrays expected, {len(targets)} given")
    planned = [
        (_checked(dataset)._object, plan_read(dataset, args, target))
        for (dataset, args), target in zip(pairs, targets, strict=True)
    ]
    reads = [
        (core, read.array, read.part, read.form) for core, read in planned if read.array is not None
    ]
    return reads, lambda: [read.finish() for _, read in planned]


def _checked(dataset: Any) -> Dataset:
    if not isinstance(dataset, Dataset):
        raise TypeError(f"a Dataset was expected, not {type(dataset).__name__}")
    return dataset


def _prepared(prepare: Callable[[], Any], fail: Callable[[str], None]) -> Any:
    """Returns this rank's request. If that raises, this rank still takes part in the call, so that
    all ranks raise and none waits."""
    try:
        return prepare()
    except Exception as error:
        with suppress(Exception):  # the first exception says more
            fail(words_of(error))
        raise
