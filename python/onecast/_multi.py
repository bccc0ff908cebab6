"""Reading and writing many datasets in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from . import _core
from ._dataset import Dataset


def write_multi(file: _core.File, requests: Iterable[tuple[Dataset, Any, Any]]) -> None:
    """See File.write_multi."""

    def prepare() -> list[tuple]:
        prepared = []
        for dataset, args, value in requests:
            data, part, values = _checked(dataset)._to_write(args, value)
            prepared.append((dataset._object, data, part, values))
        return prepared

    file.write_multi(_prepared(prepare, file.fail_write_multi))


def read_multi(
    file: _core.File,
    requests: Iterable[tuple[Dataset, Any]],
    out: Sequence[np.ndarray | None] | None,
) -> list[Any]:
    """See File.read_multi."""
    reads: list[tuple] = []

    def prepare() -> list[Callable[[], Any]]:
        pairs = list(requests)
        targets = [None] * len(pairs) if out is None else list(out)
        if len(targets) != len(pairs):
            raise ValueError(f"out: {len(pairs)} arrays expected, {len(targets)} given")
        return [
            _begin(dataset, args, target, reads)
            for (dataset, args), target in zip(pairs, targets, strict=True)
        ]

    results = _prepared(prepare, file.fail_read_multi)
    file.read_multi(reads)
    return [result() for result in results]


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


def _prepared(prepare: Callable[[], list], fail: Callable[[str], None]) -> list:
    """What this rank asks for. If that makes no sense, it takes part all the same: all ranks then
    raise, and none waits."""
    try:
        return prepare()
    except Exception as error:
        with suppress(Exception):  # this one says it better
            fail(f"{type(error).__name__}: {error}")
        raise
