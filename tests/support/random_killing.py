"""Random programs of which one rank is killed (SIGKILL) at a random place, at a write or between
two calls, or exits without telling MPI. The job ends, and the file is as the last flush left it.

As a program, on several ranks with killer.c preloaded: `random_killing.py FOLDER SEED` is one of
them. It writes FOLDER/a.h5, and FOLDER/end just before the rank ends.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path

import h5py
from kill_scenarios import HALF, killer
from leaving_model import Leave, Meeting, Side
from random_leaving import Program, Step

import onecast

WAYS = ["is killed", "is killed at a write", "exits", "exits with an error"]


class Doomed(Program):
    def __init__(self, comm, folder: Path, seed: int) -> None:
        super().__init__(comm, folder, seed)
        draw = random.Random(f"killed {seed}")
        self.way = draw.choice(WAYS)
        self.write = draw.randint(1, 4)
        self.goes_on = False
        self.files = self.files[:1]
        for step in self.steps:
            step.file = self.files[0]

    def do(self, f: onecast.File, step: Step) -> None:
        if self.is_odd and step.number == self.place:
            (self.folder / "end").touch()
            if self.way == "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.way == "is killed at a write":
                killer().killer_arm(self.write, HALF)
            elif self.way.startswith("exits"):
                os._exit(self.way == "exits with an error")
        super().do(f, step)

    # --- what may be left
    def possible(self) -> list[tuple[list[str], list[str], list[str]]]:
        """Returns what the file may have, as Meeting.stored gives it: the rank ended at any step
        from `place` on, or at the place itself. Calls begun just before may not have been carried
        out."""
        first = self.place
        while first > 0 and self.steps[first - 1].what.endswith("_async"):
            first -= 1
        last = self.place if self.way != "is killed at a write" else len(self.steps) + 1
        found = []
        for end in range(first, last + 1):
            sides = []
            for rank in (0, 1):
                events = [e for step in self.steps[:end] if (e := step.event()) is not None]
                closes = self.ending(False) if end > len(self.steps) else []
                sides.append(Side(rank, [*events, *closes, Leave(self.files[0], "")], False))
            meeting = Meeting(*sides)
            meeting.run()
            found.append(meeting.stored.get(self.files[0], ([], [], [])))
        return found

    def judge_what_is_left(self) -> None:
        (path,) = self.files
        onecast.recover(path)
        wrong = []
        for stored in self.possible():
            try:
                return self.judge_file(path, *stored)
            except AssertionError as error:
                wrong.append(error)
        raise AssertionError(f"{self}\nnone of what may be left: {wrong}")

    def judge_sequel(self) -> None:
        """Expects that the file can still be written."""
        (path,) = self.files
        with onecast.File(path, "r+") as f:
            f.create_group("afterwards")
        with h5py.File(path, "r+") as f:
            assert "afterwards" in f
            f["large"][0] = 5
        with onecast.File(path) as f:
            assert f["large"][0] == 5


class Ranks:
    """Takes the place of a communicator for judging."""

    def __init__(self, size: int) -> None:
        self.rank, self.size = 0, size


def main(folder: Path, seed: int) -> None:
    from mpi4py import MPI

    program = Doomed(MPI.COMM_WORLD, folder, seed)
    program.make()
    MPI.COMM_WORLD.Barrier()
    program.run()
    assert not program.heard, program.heard
    killer().killer_arm(0, 0)
    MPI.COMM_WORLD.Barrier()
    print("came through", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
