"""Programs of many sessions whose writer is killed: the file is that of one of the sessions.

As a program: `kill_sessions.py loop SEED PROFILE FOLDER` kills a process at every write of every
session, checks what is left and continues with it; `kill_sessions.py ranks SEED NUMBER FILE RANK
WRITE HOW` is one rank of a writer of session NUMBER whose RANK is killed. Both run with killer.c
preloaded.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import h5py
from kill_scenarios import AFTER, BEFORE, HALF, JOURNAL, killer
from random_sessions import Session, describe, differences

import onecast

SESSIONS = 16
# A killed session is tried again. In total this many sessions follow.
GO_ON = 3
PROFILES = {
    "compatible": ({}, {}),
    "latest": ({"profile": "latest"}, {"libver": "latest"}),
}
# Every page is a stripe, which one of the ranks writes.
STRIPED = {"stripe_size": 4096, "single_writer_stripes": 0}


def write_equal(dataset, part, values) -> None:
    dataset.write_equal(part, values)


def session(library, path: Path, seed: int, number: int, **options) -> None:
    with library.File(path, "r+" if number else "w", **options) as f:
        Session(seed, number, in_place=False).change(f)


class Program:
    """All sessions of a seed: the result of each with h5py, and the files of Onecast."""

    def __init__(self, seed: int, profile: str, folder: Path, count: int = SESSIONS) -> None:
        self.seed, self.folder, self.count = seed, folder, count
        ours, stock = PROFILES[profile]
        model, path = folder / "stock.h5", folder / "onecast.h5"
        self.states = []
        for number in range(count):
            session(h5py, model, seed, number, **stock)
            self.states.append(describe(h5py, model))
            session(onecast, path, seed, number, **(ours if number == 0 else {}))
            shutil.copy(path, self.file_after(number))
            self.expect(path, number)

    def file_after(self, number: int) -> Path:
        return self.folder / f"after {number}.h5"

    def prepare(self, path: Path, number: int) -> None:
        """Restores the file before session `number`."""
        Path(f"{path}{JOURNAL}").unlink(missing_ok=True)
        shutil.copy(self.file_after(number - 1), path)

    def expect(self, path: Path, number: int) -> None:
        """Expects everyone to see session `number` as the last one in the file."""
        for library in (onecast, h5py):
            found = describe(library, path)
            assert found is not None, f"{library.__name__} refuses {path}"
            wrong = differences(found, self.states[number])
            assert not wrong, (self.seed, number, library.__name__, wrong)
        findings = onecast.check(path, data=True)["findings"]
        assert not [f for f in findings if f["kind"] != "note"], (self.seed, number, findings)

    def check(self, path: Path, number: int) -> str:
        """For a file whose writer was killed in session `number`, returns "before" or "after"."""
        found = describe(onecast, path)  # uses the old bytes of a half-done flush
        after = found == self.states[number]
        if not after:
            wrong = differences(found or {}, self.states[number - 1])
            assert not wrong, (self.seed, number, "half a session", wrong)
        onecast.recover(path)
        last = number if after else number - 1
        self.expect(path, last)
        for further in range(last + 1, min(last + 1 + GO_ON, self.count)):
            session(onecast, path, self.seed, further)
            self.expect(path, further)
        return "after" if after else "before"


def loop(seed: int, profile: str, folder: Path) -> None:
    program = Program(seed, profile, folder)
    path = folder / "killed.h5"
    kills = 0
    for number in range(1, SESSIONS):
        for write in range(1, 1000):
            how = (BEFORE, HALF, AFTER)[(number + write) % 3]
            program.prepare(path, number)
            child = os.fork()
            if child == 0:
                killer().killer_arm(write, how)
                session(onecast, path, seed, number, stripe_size=4096, single_writer_stripes=0)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if os.WIFEXITED(status):
                assert os.WEXITSTATUS(status) == 0
                program.expect(path, number)
                break
            assert os.WTERMSIG(status) == 9
            program.check(path, number)
            kills += 1
    print("kills", kills)


def rank(seed: int, number: int, path: Path, killed: int, write: int, how: int) -> None:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    f = onecast.File(path, "r+", comm=comm, **STRIPED)
    if comm.rank == killed:
        killer().killer_arm(write, how)
    Session(seed, number, write_equal, in_place=False).change(f)
    f.close()
    comm.Barrier()
    if comm.rank == 0:
        print("closed", flush=True)


if __name__ == "__main__":
    action, *given = sys.argv[1:]
    if action == "loop":
        loop(int(given[0]), given[1], Path(given[2]))
    else:
        rank(int(given[0]), int(given[1]), Path(given[2]), *map(int, given[3:]))
