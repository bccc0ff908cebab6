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
            data, part, values = _checked(dataset)._writing(args, value)
            prepared.append((dataset._object, data, part, values))
        return prepared

    file.write_multi(_prepared(prepare, file.fail_write_multi))


def read_multi(
    file: _core.File,
    requests: Iterable[tuple[Dataset, Any]],
    out: Sequence[np.ndarray | None] | None,
) -> list[Any]:
    """See File.read_multi."""

    def prepare() -> list:
        pairs = list(requests)
        targets = [None] * len(pairs) if out is None else list(out)
        if len(targets) != len(pairs):
            raise ValueError(f"out: {len(pairs)} arrays expected, {len(targets)} given")
        return [
            _begin(_checked(dataset), args, target)
            for (dataset, args), target in zip(pairs, targets, strict=True)
        ]

    begun = _prepared(prepare, file.fail_read_multi)
    file.read_multi([request for request, _ in begun if request is not None])
    return [result() for _, result in begun]


def _begin(
    dataset: Dataset, args: Any, target: np.ndarray | None
) -> tuple[tuple | None, Callable[[], Any]]:
    """What is asked for, nothing of an empty dataset; and what makes the array of it."""
    if dataset.shape is None:
        empty = dataset._empty(args)
        return None, lambda: empty
    reading = dataset._reading(args, target)
    return (dataset._object, reading.array, reading.part), reading.result


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
