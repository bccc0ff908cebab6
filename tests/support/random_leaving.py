"""Random programs in which one rank, at a random place, raises, returns early, forgets a call,
makes another one, or opens something else. Nobody hangs, all ranks get one error with the right
reason, and the file is as the last common flush left it.

As a program, on several ranks: each seed is one program on one or two files, with communicators of
its own, so that MPI starts only once. FOLDER/stacks.RANK tells where a rank was that took too long.

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
import traceback
from pathlib import Path

import h5py
import numpy as np
from leaving_model import CLOSED, Alone, Collective, Event, Leave, Meeting, Side, Structural
from mpi4py import MPI

import onecast

VALUES_GONE = (
    "values of variable length that were written since the last flush cannot be read, "
    "because a rank left the file"
)
PATIENCE = 30  # seconds for one program; it takes far less than one, except on a busy machine
CHUNK = 37
TEXT = h5py.string_dtype()
# The number of written elements; "growing" writes more
SIZES = {"small": 20, "large": 4000, "chunked": 300, "packed": 300, "growing": 60, "texts": 30}
OPTIONS = {
    "chunked": {"chunks": (CHUNK,)},
    "packed": {"chunks": (CHUNK,), "compression": "gzip"},
    "growing": {"chunks": (CHUNK,), "maxshape": (None,), "compression": "gzip"},
}
READING = ["read_all", "read_all verify", "read_all_async", "read_multi", "prefetch", "read"]
WRITING = ["write_all", "write_all_async", "write_multi", "flush", "flush_async", "verify"]
STRUCTURAL = ["group", "attribute", "dataset", "write_equal", "resize", "delete"]
ALONE = ["write", "independent"]
LEAVING = ["raises", "raises outside", "abandons", "lets go"]
WAYS = [*LEAVING, "returns", "forgets", "calls something else", "opens something else"]
ERRORS = (onecast.DivergedError, ValueError, OSError, KeyError)


class OnPurpose(Exception):
    pass


class Step:
    def __init__(self, number: int, draw: random.Random, file: str, what: str) -> None:
        self.number, self.file, self.what = number, file, what
        self.name = draw.choice(list(SIZES))
        self.also = draw.choice(list(SIZES))  # for a list of datasets
        self.size = draw.randint(SIZES["growing"], 200)

    def __repr__(self) -> str:
        return f"{self.number}: {self.what} of {self.name} in {self.file}"

    @property
    def names(self) -> list[str]:
        return [self.name] if self.also == self.name else [self.name, self.also]

    def event(self) -> Event | None:
        """Returns what other ranks notice of it."""
        what, file, name = self.what, self.file, f'"/{self.name}"'
        number = self.number
        if what == "verify":
            return Collective(file, "write_equal", name, then=f"write {number}")
        if what in ("read_multi", "write_multi"):
            listed = ", ".join(f'"/{one}"' for one in self.names)
            several = f"{len(self.names)} datasets ({listed})"
            return Collective(file, what, listed if len(self.names) == 1 else several)
        if what.startswith("read_all"):
            return Collective(file, "read_all", name, how="verify" if "verify" in what else "")
        if what.startswith("write_all"):
            return Collective(file, "write_all", name)
        if what.startswith("flush"):
            return Collective(file, "flush")
        if what == "prefetch":
            return Collective(file, "prefetch_all", '"/"')
        if what in ("group", "dataset"):
            return Structural(file, f"link {what} {number}")
        if what == "delete":
            return Structural(file, f"unlink doomed {number}")
        if what == "independent":
            return Alone(file, f"own {number}")
        return Structural(file, f"{what} {number}") if what in STRUCTURAL else None


class Program:
    """The steps of all ranks, drawn from the seed; and what the odd rank does instead, and
    where."""

    def __init__(self, comm, folder: Path, seed: int) -> None:
        self.comm, self.folder, self.seed = comm, folder, seed
        draw = self.draw = random.Random(seed)
        self.odd = draw.randrange(comm.size)
        self.is_odd = comm.rank == self.odd
        self.way = draw.choice(WAYS)
        self.reads_only = draw.random() < 0.2
        # All ranks catch their errors, and continue.
        self.goes_on = self.way != "raises outside" and draw.random() < 0.4
        # Calls of different files cannot meet here, since each has its own communicator.
        two = self.way in LEAVING and draw.random() < 0.4
        self.files = [str(folder / name) for name in ("a.h5", "b.h5")[: 1 + two]]
        count = draw.randint(2, 14)
        self.steps = [self.draw_step(number) for number in range(count)]
        self.place = draw.randrange(count)
        self.another = self.draw_another(self.steps[self.place])
        self.mode = "r" if self.reads_only else "r+"
        self.heard: list[str] = []
        self.pending: onecast.Pending | None = None

    def draw_step(self, number: int, kinds: list[str] | None = None) -> Step:
        if kinds is None:
            kinds = READING if self.reads_only else READING + WRITING * 2 + STRUCTURAL + ALONE
        step = Step(number, self.draw, self.draw.choice(self.files), self.draw.choice(kinds))
        # A compressed chunk has one writer between two flushes.
        if step.what == "write" and step.name in ("packed", "growing"):
            step.name = "large"
        return step

    def draw_another(self, step: Step) -> Step:
        """Draws a different collective call."""
        kinds = [kind for kind in READING + WRITING if kind not in ("read", *ALONE)]
        if self.reads_only:
            kinds = [kind for kind in kinds if kind in READING]
        while True:
            other = self.draw_step(step.number, kinds)
            other.file = step.file
            if other.event() != step.event():
                return other

    def __repr__(self) -> str:
        instead = f" ({self.another})" if self.way == "calls something else" else ""
        return (
            f"seed {self.seed}: rank {self.odd} of {self.comm.size} {self.way}{instead} at "
            f"{self.place} of {self.steps}; mode {self.mode}, goes on: {self.goes_on}"
        )

    # --- what is expected
    def expected(self) -> Meeting:
        odd = self.odd
        sides = []
        for side, is_odd in ((odd, True), (0 if odd else 1, False)):
            events: list[Event] = []
            for step in self.steps:
                if is_odd and step.number == self.place:
                    if self.way in (*LEAVING, "returns"):
                        break
                    if self.way == "forgets":
                        continue
                    if self.way == "calls something else":
                        step = self.another
                if (event := step.event()) is not None:
                    events.append(event)
            sides.append(Side(side, events + self.ending(is_odd), self.goes_on))
        meeting = Meeting(*sides)
        if self.way != "opens something else":
            meeting.run()
        return meeting

    def ending(self, is_odd: bool) -> list[Event]:
        if is_odd and self.way in LEAVING:
            goes = self.way in ("raises outside", "lets go")
            why = "it has released the file" if goes else f"OnPurpose: seed {self.seed}"
            return [Leave(path, why) for path in self.files]
        if self.reads_only:
            return [Leave(path, CLOSED) for path in self.files]
        return [Collective(path, "close") for path in reversed(self.files)]

    # --- the steps
    def part(self, name: str) -> slice:
        count, rank, size = SIZES[name], self.comm.rank, self.comm.size
        return slice(count * rank // size, count * (rank + 1) // size)

    def values(self, step: Step, name: str, count: int):
        return np.full(count, f"text {step.number}" if name == "texts" else step.number, object
                       if name == "texts" else int)  # fmt: skip

    def mine(self, step: Step, name: str):
        part = self.part(name)
        return part, self.values(step, name, part.stop - part.start)

    def do(self, f: onecast.File, step: Step) -> None:
        what, name = step.what, step.name
        if isinstance(step.event(), Collective):
            self.wait()
        if what in ("write_all", "write_all_async"):
            self.begun(getattr(f[name], what)(*self.mine(step, name)))
        elif what == "write_multi":
            f.write_multi([(f[one], *self.mine(step, one)) for one in step.names])
        elif what == "read_multi":
            f.read_multi([(f[one], self.part(one)) for one in step.names])
        elif what == "flush":
            f.flush()
        elif what == "flush_async":
            self.begun(f.flush_async())
        elif what in ("verify", "write_equal"):
            all_of_it = self.values(step, name, SIZES[name])
            sharing = "verify" if what == "verify" else None
            f[name].write_equal(slice(0, SIZES[name]), all_of_it, sharing=sharing)
        elif what == "read_all verify":
            f[name].read_all(slice(3, 9), sharing="verify")
        elif what == "read_all":
            f[name].read_all(self.part(name) if step.number % 2 else slice(1, 15))
        elif what == "read_all_async":
            self.begun(f[name].read_all_async(self.part(name)))
        elif what == "prefetch":
            f.prefetch_all("/")
        elif what == "read":
            f[name][self.part(name)]
        else:
            self.change(f, step)

    def change(self, f: onecast.File, step: Step) -> None:
        what, number = step.what, step.number
        if what == "group":
            f.create_group(f"group {number}")
        elif what == "dataset":
            f.create_dataset(f"dataset {number}", data=np.full(step.size * 30, number))
        elif what == "attribute":
            f.attrs[f"attribute {number}"] = number
        elif what == "resize":
            f["growing"].resize((step.size,))
        elif what == "delete":
            del f[f"doomed {number}"]
        elif what == "write":
            part, values = self.mine(step, step.name)
            if len(values) > 0:
                f[step.name][part] = values
        elif what == "independent":
            with f.independent():
                name = f"own {number} {self.comm.rank}"
                f.create_dataset(name, data=np.full(step.size * 10, number)).attrs["a"] = number

    def begun(self, pending) -> None:
        self.pending = pending

    def wait(self) -> None:
        pending, self.pending = self.pending, None
        if pending is not None:
            with self.going_on():
                pending.wait()

    @contextlib.contextmanager
    def going_on(self):
        try:
            yield
        except ERRORS as error:
            if not self.goes_on:
                raise
            self.hears(error)

    def hears(self, error: BaseException) -> None:
        self.heard.append(f"{type(error).__name__}: {error}")

    # --- running
    def make(self) -> None:
        for path in self.files:
            with onecast.File(path, "w", comm=self.comm, page_size=4096) as f:
                for name, count in SIZES.items():
                    shape = (100 if name == "growing" else count,)
                    dtype = TEXT if name == "texts" else "i8"
                    f.create_dataset(name, shape, dtype, **OPTIONS.get(name, {}))
                for step in self.steps:
                    if step.what == "delete" and step.file == path:
                        f.create_group(f"doomed {step.number}")

    def body(self, files: dict[str, onecast.File]) -> None:
        for planned in self.steps:
            step = planned
            if self.is_odd and step.number == self.place:
                if self.way in ("raises", "raises outside"):
                    raise OnPurpose(f"seed {self.seed}")
                if self.way == "abandons":
                    for f in files.values():
                        f.abandon(f"OnPurpose: seed {self.seed}")
                    return
                if self.way in ("returns", "lets go"):
                    break
                if self.way == "forgets":
                    continue
                if self.way == "calls something else":
                    step = self.another
            with self.going_on():
                self.do(files[step.file], step)
        self.wait()

    def open(self, path: str) -> onecast.File:
        if self.way == "opens something else" and self.is_odd:
            other = self.draw.randrange(3)
            if other == 0:
                path += " of another name"
            mode = {"r": "r+", "r+": "r"}[self.mode] if other == 1 else self.mode
            return onecast.File(path, mode, comm=self.comm, metadata_budget=2**20 + other)
        return onecast.File(path, self.mode, comm=self.comm)

    def in_with(self) -> None:
        with contextlib.ExitStack() as stack:
            files = {path: stack.enter_context(self.open(path)) for path in self.files}
            self.body(files)
            if self.goes_on:
                for path in reversed(self.files):
                    with self.going_on():
                        files[path].close()

    def without(self) -> None:
        files = {path: self.open(path) for path in self.files}
        for f in files.values():
            f._finalizer.detach()  # no warning
        self.body(files)

    def run(self) -> None:
        """Notes the errors of this rank."""
        outside = self.is_odd and self.way in ("raises outside", "lets go")
        try:
            self.without() if outside else self.in_with()
        except OnPurpose:
            assert self.is_odd
        except ERRORS as error:
            self.hears(error)
            error.__traceback__ = None
        if outside:
            self.pending = None
            gc.collect()

    # --- judging
    def judge(self, heard: list[list[str]]) -> None:
        """`heard` has the errors of each rank."""
        meeting = self.expected()
        if self.way == "opens something else":
            assert len({tuple(texts) for texts in heard}) == 1, "one error"
            assert "ranks open the file with different arguments: " in heard[0][0]
        for rank, texts in enumerate(heard):
            side = meeting.odd if rank == self.odd else meeting.others
            expected = side.heard
            if self.way == "opens something else":
                continue
            # Values that the leaving rank had to write may be missing in a sound file.
            texts = [text for text in texts if VALUES_GONE not in text]
            assert len(texts) == len(expected), (rank, expected)
            for text, start in zip(texts, expected, strict=True):
                assert text.startswith(f"DivergedError: {start}"), (rank, expected)
        for path in self.files:
            self.judge_file(path, *meeting.stored.get(path, ([], [], [])))

    def judge_file(self, path: str, made: list[str], odd: list[str], others: list[str]) -> None:
        """Expects exactly what all ranks flushed together, in a sound file."""
        names = {f"doomed {step.number}" for step in self.steps
                 if step.what == "delete" and step.file == path}  # fmt: skip
        for what in made:
            kind, _, name = what.partition(" ")
            if kind == "link":
                names.add(name)
            elif kind == "unlink":
                names.remove(name)
        for rank in range(self.comm.size):
            names.update(f"{what} {rank}" for what in (odd if rank == self.odd else others))
        with h5py.File(path) as f:
            assert set(f) == {*SIZES, *names}, set(f) ^ {*SIZES, *names}
            for name, found in f.items():
                if isinstance(found, h5py.Dataset):
                    values = found[...]
                    if name.startswith(("own", "dataset")):
                        assert (values == int(name.split()[1])).all(), name
        assert not onecast.check(path, data=True)["damaged"]


def run_seed(comm, folder: Path, seed: int, stacks) -> None:
    mine = comm.Dup()
    program = Program(mine, folder, seed)
    program.make()
    stacks.truncate(0)
    stacks.seek(0)
    stacks.write(f"{program}\n")
    stacks.flush()
    faulthandler.dump_traceback_later(PATIENCE, exit=True, file=stacks)
    program.run()
    heard = comm.allgather(program.heard)
    faulthandler.cancel_dump_traceback_later()
    if comm.rank == 0:
        try:
            program.judge(heard)
        except Exception:
            print(program, *heard, sep="\n")
            traceback.print_exc(file=sys.stdout)
            sys.stdout.flush()
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
    with open(given.folder / f"stacks.{comm.rank}", "w") as stacks:
        for seed in range(given.seed, given.seed + given.count):
            run_seed(comm, given.folder, seed, stacks)
    if comm.rank == 0:
        print(f"{given.count} programs", flush=True)


if __name__ == "__main__":
    main()
