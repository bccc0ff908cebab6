"""Reading and writing many datasets in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from . import _core
from ._dataset import Dataset
from ._pending import Pending, words_of

Writes = Iterable[tuple[Dataset, Any, Any]]
Reads = Iterable[tuple[Dataset, Any]]
Outs = Sequence[np.ndarray | None] | None


class ManyDatasets:
    """What a File does with many datasets at once."""

    _core_file: _core.File

    def write_multi(self, requests: Writes) -> None:
        """Writes to many datasets at once, together: each request is (dataset, selection, value),
        as `dataset.write_all(selection, value)` takes them. All ranks name the same datasets in the
        same order, each with its own selection, which may be empty (`np.s_[0:0]`). Contiguous data
        and unfiltered chunks of all of them go to the file in one transfer, with one agreement;
        all else follows in the order of the list. Parts of one dataset must not overlap.

        Raises, on all ranks or none, what `write_all` raises, and DivergedError if the lists name
        different datasets. @collective @local

        >>> with onecast.File("multi.h5", "w") as f:
        ...     p, v = f.create_dataset("p", (4,), "f8"), f.create_dataset("v", (4, 3), "f4")
        ...     f.write_multi([(p, (), [1, 2, 3, 4]), (v, np.s_[:, 2], 5)])
        ...     f.read_multi([(p, np.s_[1:3]), (v, 0)])
        [array([2., 3.]), array([0., 0., 5.], dtype=float32)]
        """
        self._require_open()
        file = self._core_file
        file.write_multi(_prepared(lambda: _to_write(requests), file.fail_write_multi))

    def read_multi(self, requests: Reads, out: Outs = None) -> list[Any]:
        """Reads of many datasets at once, together: what `dataset.read_all(selection)` gives, of
        each (dataset, selection) of the list. `out`: arrays to read into, or None, one for each;
        they have the shapes of the selections and are what is given back then.

        What all ranks want is read once, and so is a filtered chunk that several want. With the
        option `sharing` of the file "serve", ranks whose whole lists are the same share their
        reads; with "verify", the lists of all must be. Raises, on all ranks or none, what
        `read_all` raises, and DivergedError if the lists name different datasets.
        @collective @local
        """
        self._require_open()
        file = self._core_file
        reads, finish = _prepared(lambda: _to_read(requests, out), file.fail_read_multi)
        file.read_multi(reads)
        return finish()

    def write_multi_async(self, requests: Writes) -> Pending:
        """`write_multi`, begun: see `Pending`. The list is copied; an array of the stored dtype is
        not, and must not change before `wait()`, which raises the errors of the call on all ranks,
        what is wrong with the arguments too. @collective @local"""
        self._require_open()
        file = self._core_file
        try:
            writes = _to_write(requests)
        except Exception as error:
            return Pending(file.fail_write_multi_async(words_of(error)), error=error)
        return Pending(file.write_multi_async(writes))

    def read_multi_async(self, requests: Reads, out: Outs = None) -> Pending:
        """`read_multi`, begun: `wait()` returns the list of arrays, or raises the errors of the
        call on all ranks, what is wrong with the arguments too. Until then the arrays of `out`
        must not be looked at: see `Pending`. @collective @local

        >>> with onecast.File("multi.h5", "w") as f:
        ...     p = f.create_dataset("p", data=[1, 2, 3])
        ...     reading = f.read_multi_async([(p, np.s_[1:]), (p, 0)])
        ...     reading.wait()
        [array([2, 3]), np.int64(1)]
        """
        self._require_open()
        file = self._core_file
        try:
            reads, finish = _to_read(requests, out)
        except Exception as error:
            return Pending(file.fail_read_multi_async(words_of(error)), error=error)
        return Pending(file.read_multi_async(reads), finish)


def _to_write(requests: Writes) -> list[tuple]:
    prepared = []
    for dataset, args, value in requests:
        data, part, values = _checked(dataset)._to_write(args, value)
        prepared.append((dataset._object, data, part, values))
    return prepared


def _to_read(requests: Reads, out: Outs) -> tuple[list[tuple], Callable[[], list[Any]]]:
    """What is to be read, and what makes the arrays of it."""
    pairs = list(requests)
    targets = [None] * len(pairs) if out is None else list(out)
    if len(targets) != len(pairs):
        raise ValueError(f"out: {len(pairs)} arrays expected, {len(targets)} given")
    reads: list[tuple] = []
    finish = [
        _begin(dataset, args, target, reads)
        for (dataset, args), target in zip(pairs, targets, strict=True)
    ]
    return reads, lambda: [array() for array in finish]


def _begin(
    dataset: Dataset, args: Any, out: np.ndarray | None, reads: list[tuple]
) -> Callable[[], Any]:
    """Adds what is to be read to the list, and returns what makes the array of it."""

    def read(array: np.ndarray, part: _core.Selection) -> None:
        reads.append((dataset._object, array, part))

    return _checked(dataset)._begin_read(args, read, out)


def _checked(dataset: Any) -> Dataset:
    if not isinstance(dataset, Dataset):
        raise TypeError(f"a Dataset was expected, not {type(dataset).__name__}")
    return dataset


def _prepared(prepare: Callable[[], Any], fail: Callable[[str], None]) -> Any:
    """What this rank asks for. If that makes no sense, it takes part all the same: all ranks then
    raise, and none waits."""
    try:
        return prepare()
    except Exception as error:
        with suppress(Exception):  # this one says it better
            fail(words_of(error))
        raise
