"""The workloads in Python: see README.md. The argument is a folder."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import onecast

COUNT = 300


def attributes(path: Path) -> None:
    with onecast.File(path, "w") as f:
        group = f.create_group("g")
        for i in range(COUNT):
            group.attrs[f"a{i}"] = i
        for i in range(COUNT):
            assert group.attrs[f"a{i}"] == i


def elements(path: Path) -> None:
    with onecast.File(path, "w") as f:
        dataset = f.create_dataset("x", data=np.arange(COUNT * 10))
        for i in range(COUNT):
            dataset[i] = i + 1
        for i in range(COUNT):
            assert dataset[i] == i + 1


def slices(path: Path) -> None:
    with onecast.File(path, "w") as f:
        dataset = f.create_dataset("x", (COUNT, 64), "f8", chunks=(16, 64))
        row = np.arange(64.0)
        for i in range(COUNT):
            dataset[i] = row
        for i in range(COUNT):
            dataset[i, 3:40]


def objects(path: Path) -> None:
    with onecast.File(path, "w") as f:
        for i in range(COUNT):
            f[f"g{i % 10}/d{i}"] = i
    with onecast.File(path) as f:
        for group in f.values():
            for dataset in group.values():
                dataset[()]


WORKLOADS: dict[str, Callable[[Path], None]] = {
    "attributes in Python": attributes,
    "single elements in Python": elements,
    "slices in Python": slices,
    "objects in Python": objects,
}


def main(folder: Path) -> None:
    for name, work in WORKLOADS.items():
        # A first run does the lookups that later calls reuse, and leaves no garbage from elsewhere.
        work(folder / "first.h5")
        gc.collect()
        gc.disable()
        os.getppid()  # these marks are functions of the C library that nothing else calls
        work(folder / "measured.h5")
        os.getpgrp()
        gc.enable()
        print(name, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
