"""Random programs in which one rank, at a random place, raises, returns early, forgets a call or
makes another one: nobody hangs, all ranks get one error with the right reason, and the file is as
the last flush of all left it.

As a program, on ranks: each seed is one program on one file, with a communicator of its own, so
that starting MPI is paid for once.

    . tools/env.sh
    $MPIEXEC $MPIEXEC_FLAGS -n 4 python tests/support/random_leaving.py FOLDER --count 500
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import gc
import random
import sys
from pathlib import Path

import h5py
import numpy as np
from mpi4py import MPI

import onecast

PATIENCE = 10  # seconds for one program
SIZES = {"small": 20, "large": 4000, "chunked": 300, "packed": 300}
CHUNK = 37
COLLECTIVE = ["write_all", "write_multi", "flush", "verify", "read_all", "read_multi", "prefetch"]
WAYS = ["raises", "abandons", "returns", "forgets", "calls something else", "lets go"]


class OnPurpose(Exception):
    pass


class Program:
    """What all ranks do, drawn from the seed; and what the odd one does instead, and where."""

    def __init__(self, comm, path: Path, seed: int) -> None:
        self.comm, self.path, self.seed = comm, path, seed
        draw = self.draw = random.Random(seed)
        self.odd = draw.randrange(comm.size)
        self.way = draw.choice(WAYS)
        self.reads_only = draw.random() < 0.2
        count = draw.randint(2, 12)
        self.steps = [self.draw_step() for _ in range(count)]
        self.place = draw.randrange(count)
        self.flushed: list[str] = []  # groups that the last flush of all had
        self.groups: list[str] = []

    def draw_step(self) -> tuple[str, str]:
        """What, and of which dataset."""
        collective = ["write_all", "write_multi", "flush", "verify"]
        alike = ["group", "attribute", "write_equal"]
        reading = ["read_all", "read_multi", "prefetch", "read", "read_all"]
        known = reading if self.reads_only else reading + collective + alike + ["write"]
        return self.draw.choice(known), self.draw.choice(list(SIZES))

    @staticmethod
    def is_collective(what: str) -> bool:
        return what in COLLECTIVE

    # --- the steps
    def part(self, name: str) -> slice:
        count, rank, size = SIZES[name], self.comm.rank, self.comm.size
        return slice(count * rank // size, count * (rank + 1) // size)

    def do(self, f: onecast.File, number: int, what: str, name: str) -> None:
        part = self.part(name)
        mine = np.full(part.stop - part.start, number)
        if what == "write_all":
            f[name].write_all(part, mine)
        elif what == "write_multi":
            f.write_multi([(f[name], part, mine)])
        elif what == "flush":
            f.flush()
            self.flushed = list(self.groups)
        elif what == "verify":
            f[name].write_equal(..., np.full(SIZES[name], number), sharing="verify")
        elif what == "group":
            f.create_group(f"group {number}")
            self.groups.append(f"group {number}")
        elif what == "attribute":
            f.attrs[f"attribute {number}"] = number
        elif what == "write_equal":
            f[name].write_equal(..., np.full(SIZES[name], number))
        elif what == "read_all":
            f[name].read_all(part)
        elif what == "read_multi":
            f.read_multi([(f[name], part)])
        elif what == "prefetch":
            f.prefetch("/")
        elif what == "read":
            f[name][part]
        elif what == "write":
            if name == "packed":  # a compressed chunk has one writer
                part = slice(-(-part.start // CHUNK) * CHUNK, part.stop // CHUNK * CHUNK)
            if part.start < part.stop:
                f[name][part] = mine[: part.stop - part.start]

    def another(self, what: str, name: str) -> tuple[str, str]:
        """A collective call that is not this one."""
        while True:
            other, of = self.draw_step()
            if self.is_collective(other) and (other, of) != (what, name):
                if other == what and what in ("flush", "prefetch"):
                    continue
                return other, of

    # --- running
    def make(self) -> None:
        with onecast.File(self.path, "w", comm=self.comm, page_size=4096) as f:
            f.create_dataset("small", (SIZES["small"],), "i8")
            f.create_dataset("large", (SIZES["large"],), "i8")
            f.create_dataset("chunked", (SIZES["chunked"],), "i8", chunks=(37,))
            f.create_dataset(
                "packed", (SIZES["packed"],), "i8", chunks=(CHUNK,), compression="gzip"
            )

    def body(self, f: onecast.File) -> None:
        for number, (what, name) in enumerate(self.steps):
            if self.comm.rank == self.odd and number == self.place:
                if self.way == "raises":
                    raise OnPurpose(f"seed {self.seed}")
                if self.way == "abandons":
                    return f.abandon(f"OnPurpose: seed {self.seed}")
                if self.way in ("returns", "lets go"):
                    return None
                if self.way == "forgets":
                    continue
                what, name = self.another(what, name)
            self.do(f, number, what, name)
        return None

    def run(self) -> Exception | None:
        """What this rank got."""
        mode = "r" if self.reads_only else "r+"
        if self.way == "lets go" and self.comm.rank == self.odd:
            f = onecast.File(self.path, mode, comm=self.comm)
            f._finalizer.detach()  # no warning
            try:
                self.body(f)
            except Exception as error:
                return error
            del f
            gc.collect()
            return None
        try:
            with onecast.File(self.path, mode, comm=self.comm) as f:
                self.body(f)
        except (OnPurpose, onecast.DivergedError, ValueError, OSError) as error:
            return error
        return None

    # --- judging
    def judge(self, got: list[str]) -> None:
        """`got`: what each rank raised; "" for nothing."""
        odd, way = self.odd, self.way
        others = [text for rank, text in enumerate(got) if rank != odd]
        rest = [what for what, _ in self.steps[self.place :]]
        heard = {text for text in got if text and "OnPurpose: seed" not in text[:20]}
        assert len(heard) <= 1, "one error"
        meets = not self.reads_only or any(map(self.is_collective, rest))
        if way in ("raises", "abandons", "lets go"):
            why = (
                "it has let go of the file" if way == "lets go" else f"OnPurpose: seed {self.seed}"
            )
            told = f"DivergedError: {self.path}: rank {odd} left: {why}"
            assert others == [told if meets else ""] * len(others), told
        elif way == "returns" and any(map(self.is_collective, rest)):
            told = f"rank {odd} left: it has closed the file" if self.reads_only else "close"
            assert all(told in text for text in others), told
        elif not self.reads_only and (
            way == "calls something else" or (way == "forgets" and self.is_collective(rest[0]))
        ):
            assert all("different" in text for text in got), "all hear what two of them called"


def run_seed(comm, folder: Path, seed: int) -> None:
    mine = comm.Dup()
    program = Program(mine, folder / "random.h5", seed)
    program.make()
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    error = program.run()
    faulthandler.cancel_dump_traceback_later()
    got = comm.allgather("" if error is None else f"{type(error).__name__}: {error}")
    flushed = comm.allgather(program.flushed)
    comm.Barrier()
    try:
        program.judge(got)
        if comm.rank == 0:
            # What all ranks flushed together is there, and the file is sound.
            all_flushed = set.intersection(*map(set, flushed)) if flushed else set()
            with h5py.File(program.path) as f:
                missing = all_flushed - set(f)
                assert not missing, missing
                for name in SIZES:
                    f[name][...]
    except Exception as failed:
        told = (
            f"seed {seed}: rank {program.odd} {program.way} at {program.place} of {program.steps}"
        )
        print(f"{told}, reads only: {program.reads_only}\n{got}\n{failed!r}", flush=True)
        comm.Abort(1)
    comm.Barrier()
    mine.Free()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--count", type=int, default=40)
    given = parser.parse_args()
    comm = MPI.COMM_WORLD
    for seed in range(given.seed, given.seed + given.count):
        run_seed(comm, given.folder, seed)
    if comm.rank == 0:
        print(f"{given.count} programs")
    with contextlib.suppress(Exception):
        sys.stdout.flush()


if __name__ == "__main__":
    main()
