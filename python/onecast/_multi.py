"""Reading and writing many datasets in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from . import _core
from ._dataset import Dataset
from ._values import fill_array


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
            (dataset, args, target, _reading(dataset, args, target))
            for (dataset, args), target in zip(pairs, targets, strict=True)
        ]

    prepared = _prepared(prepare, file.fail_read_multi)
    file.read_multi([(d._object, r.array, r.part) for d, _, _, r in prepared if r is not None])
    return [_result(*each) for each in prepared]


def _reading(dataset: Dataset, args: Any, target: np.ndarray | None) -> Any:
    """None of an empty dataset."""
    return None if _checked(dataset).shape is None else dataset._reading(args, target)


def _result(dataset: Dataset, args: Any, target: np.ndarray | None, reading: Any) -> Any:
    found = dataset._empty(args) if reading is None else reading.result()
    if target is None:
        return found
    if reading is not None and reading.array is not target:
        target[...] = fill_array(found, target.dtype, target.shape)
    return target


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
