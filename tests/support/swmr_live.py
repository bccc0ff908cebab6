"""A writer for readers (SWMR) that appends at random, and readers in other processes, which check
every state that they see.

As a program, `swmr_live.py READER PATH ROWS` is one of these readers: "h5py", "onecast", or the
version of an HDF5 library (hdf5_by_ctypes.py). It prints the number of states.
"""

import random
import subprocess
import sys

import h5py
import hdf5_by_ctypes
import numpy as np
import swmr_model

import onecast

LIBRARIES = {"h5py": h5py, "onecast": onecast}
# Each row of these has its number, counted from 1.
GROWING = {
    "flat": {"shape": (0,), "maxshape": (None,), "chunks": (16,)},
    "packed": {"shape": (0, 3), "maxshape": (None, 3), "chunks": (5, 3), "compression": "gzip"},
    "wide": {"shape": (0, 2), "maxshape": (None, None), "chunks": (2, 2)},
}
# All its elements get the number of rows again and again.
OVERWRITTEN = {"shape": (8,), "maxshape": (8,), "chunks": (4,)}


def readers_here() -> list[str]:
    return [*LIBRARIES, *filter(hdf5_by_ctypes.is_here, hdf5_by_ctypes.VERSIONS)]


def follow_appends(path, library: str, rows: int, readers: list[str]) -> list[int]:
    """Returns how many states each of the readers has checked."""
    f = LIBRARIES[library].File(path, "w", **swmr_model.NEWEST[library])
    for name, how in (GROWING | {"overwritten": OVERWRITTEN}).items():
        f.create_dataset(name, dtype="i8", **how)
    f["flat"].attrs["rows"] = 0
    f.swmr_mode = True
    command = [sys.executable, __file__]
    programs = [
        subprocess.Popen([*command, reader, path, str(rows)], stdout=subprocess.PIPE, text=True)
        for reader in readers
    ]
    try:
        assert [program.stdout.readline() for program in programs] == ["ready\n"] * len(readers)
        append(f, rows, random.Random(rows))
        assert [program.wait(timeout=100) for program in programs] == [0] * len(readers)
        return [int(program.stdout.read()) for program in programs]
    finally:
        for program in programs:
            program.kill()
            program.wait()
        f.close()


def append(f, rows: int, rng: random.Random) -> None:
    done = 0
    while done < rows:
        new = min(done + rng.choice((1, 1, 1, 2, 9)), rows)
        for name in GROWING:
            dataset = f[name]
            dataset.resize(new, axis=0)
            dataset[done:new] = expected_rows(done, new, dataset.shape)
            if name == "flat":
                dataset.attrs.modify("rows", new)
            dataset.flush()
        first = rng.randrange(8)
        f["overwritten"][first : first + rng.randint(1, 8)] = new
        f["overwritten"].flush()
        done = new


def expected_rows(first: int, end: int, shape: tuple[int, ...]) -> np.ndarray:
    numbers = np.arange(first, end) + 1
    return numbers if len(shape) == 1 else np.repeat(numbers[:, None], shape[1], axis=1)


class Reader:
    """Nothing that it sees is older than what it saw before."""

    def __init__(self, f):
        self._datasets = {name: f[name] for name in (*GROWING, "overwritten")}
        self._rows = dict.fromkeys(GROWING, 0)
        self._attribute = 0
        self._elements = np.zeros(8, "i8")

    def look(self) -> None:
        for name in GROWING:
            dataset = self._datasets[name]
            dataset.refresh()
            rows = dataset.shape[0]
            assert rows >= self._rows[name], (name, rows)
            # Those that are new, and some that should not have changed
            first = max(0, min(self._rows[name], rows - 40))
            found = dataset[first:]
            assert (found == expected_rows(first, rows, dataset.shape)).all(), (name, rows, found)
            self._rows[name] = rows
        attribute = int(self._datasets["flat"].attrs["rows"])
        assert self._attribute <= attribute, attribute
        self._attribute = attribute
        overwritten = self._datasets["overwritten"]
        overwritten.refresh()
        elements = overwritten[...]
        assert (self._elements <= elements).all(), elements
        self._elements = elements

    def has_seen(self, rows: int) -> bool:
        return all(seen == rows for seen in self._rows.values()) and self._attribute == rows


def open_to_read(reader: str, path: str):
    if reader in LIBRARIES:
        return LIBRARIES[reader].File(path, "r", swmr=True)
    return hdf5_by_ctypes.File(hdf5_by_ctypes.find(reader), path)


def main(name: str, path: str, rows: int) -> None:
    with open_to_read(name, path) as f:
        reader = Reader(f)
        print("ready", flush=True)
        states = 0
        while not reader.has_seen(rows):
            reader.look()
            states += 1
    print(states)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
