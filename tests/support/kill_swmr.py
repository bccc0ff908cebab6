"""Writers for readers (SWMR) that are killed at their writes, and what must be left.

As a program, with killer.c preloaded: `kill_swmr.py LIBRARY SEED EVERY FOLDER` writes a random
session once for each of its writes (each EVERYth of them), and is killed before that write. It
prints how often it was killed.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from shutil import which

import h5py
import hdf5_by_ctypes
import numpy as np
import swmr_model
from kill_scenarios import BEFORE, killer

import onecast

LIBRARIES = {"h5py": h5py, "onecast": onecast}
# A file is opened for writing in the format that it has.
SAME_FORMAT = {"h5py": swmr_model.NEWEST["h5py"], "onecast": {}}
FLUSHES = 6


class Session:
    """Flushes of a random program. The file was closed before them."""

    def __init__(self, library: str, seed: int, base: Path):
        rng = random.Random(seed)
        self._base, self._library = base, library
        self._model = swmr_model.Model()
        swmr_model.make(base, LIBRARIES[library]).close()
        self._changes = []
        self._states = [self._model.states[0]]
        for _ in range(FLUSHES):
            self._changes.append(self._model.change(rng, library))
            self._model.flushed()
            self._states += self._model.states

    def killed_at(self, write: int, path: Path) -> swmr_model.Model | None:
        """Returns what a reader may see of the file at `path`; None if the session has fewer
        writes."""
        shutil.copy(self._base, path)
        done, tells = os.pipe()
        child = os.fork()
        if child == 0:
            self._write(write, path, tells)
        os.close(tells)
        _, status = os.waitpid(child, 0)
        flushes = len(os.read(done, 1 + FLUSHES))
        os.close(done)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0
            return None
        assert os.WTERMSIG(status) == signal.SIGKILL
        left = swmr_model.Model()
        left.states = self._states[flushes : flushes + 1]
        left.now = self._states[min(flushes + 1, FLUSHES)]
        return left

    def _write(self, write: int, path: Path, tells: int) -> None:
        try:
            f = LIBRARIES[self._library].File(path, "r+", **SAME_FORMAT[self._library])
            f.swmr_mode = True
            killer().killer_arm(write, BEFORE)
            for changes in self._changes:
                for change in changes:
                    change.apply(f)
                f.flush()
                os.write(tells, b".")
            f.close()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)


class Judge:
    """Looks at what is left of a file with every reader that is here, clears its mark in every way,
    and goes on writing."""

    def __init__(self, library: str, folder: Path):
        self._copy = folder / "copy.h5"
        # The HDF5 library does not tell the superblock of a new end before the file is closed.
        self._more = ["--increment=0"] if library == "h5py" else []
        self._others = [
            hdf5_by_ctypes.Elsewhere(version)
            for version in filter(hdf5_by_ctypes.is_here, hdf5_by_ctypes.VERSIONS)
        ]
        self._clear = [onecast.recover]
        if which("h5clear"):
            self._clear.append(self._h5clear)

    def look(self, path: Path, left: swmr_model.Model) -> None:
        for library, how in ((h5py, {"swmr": True}), (onecast, {"follow": True}), (onecast, {})):
            with library.File(path, "r", **how) as f:
                left.compare(swmr_model.contents_of(f))
        for other in self._others:
            left.compare(other.contents_of(path))
        for clear in self._clear:
            shutil.copy(path, self._copy)
            clear(self._copy)
            for library in (h5py, onecast):
                with library.File(self._copy, "r+") as f:
                    left.compare(swmr_model.contents_of(f))
                    f[f"of {library.__name__}"] = np.arange(500)
            found = onecast.check(self._copy, data=True)["findings"]
            assert [f for f in found if f["kind"] != "note"] == []

    def _h5clear(self, path: Path) -> None:
        subprocess.run(["h5clear", "-s", *self._more, path], check=True)

    def close(self) -> None:
        for other in self._others:
            other.close()


def main(library: str, seed: int, every: int, folder: Path) -> None:
    session = Session(library, seed, folder / "base.h5")
    path = folder / "killed.h5"
    judge = Judge(library, folder)
    kills = 0
    for write in itertools.count(1 + seed % every, every):
        left = session.killed_at(write, path)
        if left is None:
            break
        judge.look(path, left)
        kills += 1
    judge.close()
    print(kills)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
