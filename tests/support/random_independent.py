"""Random programs for `independent()`: ranks create items for themselves. Each item is a sequence
of creating, writing, resizing, renaming and removing in a group of its own, alternating with calls
of all ranks, in several sessions.

Each program runs on communicators of several sizes, with its items dealt in rows. The result is
compared with h5py, which does everything alone, and byte by byte between the communicators.

As a program, on several ranks; the largest communicator has all of them:

    . tools/env.sh
    $MPIEXEC $MPIEXEC_FLAGS -n 7 python tests/support/random_independent.py FOLDER --count 500
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import random
import sys
import traceback
import zlib
from pathlib import Path

import h5py
from mpi4py import MPI
from random_sessions import Session, describe, differences, write_alone

import onecast

PATIENCE = 100  # seconds for one program
RANKS = (1, 2, 3, 4, 7)
PROFILES = {"compatible": {}, "latest": {"libver": "latest"}}


def write_equal(dataset, part: slice, values) -> None:
    dataset.write_equal(part, values)


class Program:
    """One program with one library. `deal(count)` returns the items of this rank, `alone(file)` the
    block in which they are made, `equal(dataset, part, values)` makes a write of all ranks, and
    `options` are those of all datasets."""

    def __init__(self, seed: int, deal, alone, equal, **options: object) -> None:
        self.seed, self.deal, self.alone, self.equal = seed, deal, alone, equal
        self.options = options
        self.draw = random.Random(f"independent {seed}")

    def run(self, opened) -> None:
        """`opened(mode)` opens the file."""
        for session in range(self.draw.randint(1, 3)):
            with opened("w" if session == 0 else "r+") as f:
                if session == 0:
                    f.create_group("known").attrs["number"] = self.seed
                    f.create_group("items")
                    f.create_group("of all")
                for turn in range(self.draw.randint(1, 4)):
                    self.turn(f, f"{session}.{turn}")

    def turn(self, f, name: str) -> None:
        count = self.draw.choice([0, 1, 3, 8])
        together, changed = self.draw.random() < 0.5, self.draw.random() < 0.5
        with self.alone(f):
            for i in self.deal(count):
                self.make(f, f"{name}.{i}")
        if together:
            Session(self.seed, f"{name} all", self.equal, **self.options).change(f["of all"])
        f.flush()
        if not changed or not (items := sorted(f["items"])):
            return
        # All ranks change what some of them created, each rank a part of it.
        everyones = self.draw.sample(items, min(len(items), 2))
        for item in everyones:
            one = Session(self.seed, f"{name} {item} all", self.equal, **self.options)
            one.change(f["items"][item])
        f.flush()
        alones = [item for item in items if item not in everyones]
        with self.alone(f):
            for i in self.deal(len(alones)):
                Session(self.seed, f"{name} {alones[i]} one").overwrite(f["items"][alones[i]])

    def make(self, f, key: str) -> None:
        draw = random.Random(f"{self.seed} {key}")
        place = draw.choice(["items", "items", "deep/down", f"shared {draw.randrange(3)}"])
        own = f.create_group(f"{place}/item {key}")
        for step in range(draw.randint(1, 5)):
            Session(self.seed, f"{key} {step}", **self.options).change(own)
            if draw.random() < 0.1:
                del f[own.name]
                own = f.create_group(f"{place}/item {key}")
        if draw.random() < 0.5:
            f["known"].attrs[f"of {key}"] = draw.choice([draw.random(), "text " * 9, [1, 2, 3]])
        self.read_back(own, key)

    def read_back(self, own, key: str) -> None:
        """Reads, before any other rank knows the items, what the model has, except texts."""
        numbers = [own[name] for name in sorted(own) if name != "many"]
        numbers = [d for d in numbers if d.dtype.kind != "O"]
        found = {d.name: (len(d), zlib.crc32(d[()].tobytes())) for d in numbers}
        model = MODEL.setdefault(key, found)
        assert not (wrong := differences(found, model)), f"item {key}, read back: {wrong}"


# The values that h5py read in the running program
MODEL: dict[str, dict] = {}


def run_model(path: Path, seed: int, options: dict) -> None:
    # In reused space, the HDF5 library shows the old contents.
    Program(seed, range, lambda f: contextlib.nullcontext(), write_alone, fill_time="alloc"
            ).run(lambda mode: h5py.File(path, mode, **options))  # fmt: skip


def run_on(comm, path: Path, seed: int, profile: str) -> None:
    def deal(count: int) -> range:
        return range(count * comm.rank // comm.size, count * (comm.rank + 1) // comm.size)

    options = {"page_size": 4096, "profile": profile}

    def opened(mode: str):
        return onecast.File(path, mode, comm=comm, **(options if mode == "w" else {}))

    Program(seed, deal, lambda f: f.independent(), write_equal).run(opened)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    arguments = parser.parse_args()
    world = MPI.COMM_WORLD
    comms = {n: world.Split(0 if world.rank < n else MPI.UNDEFINED)
             for n in RANKS if n <= world.size}  # fmt: skip
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        for profile, stock in PROFILES.items():
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            with told(world, f"seed {seed}, {profile}"):
                compare(arguments.folder, world, comms, seed, profile, stock)
    if world.rank == 0:
        print(arguments.count, "programs")


def compare(folder: Path, world, comms: dict, seed: int, profile: str, stock: dict) -> None:
    name = f"{seed}-{profile}"
    MODEL.clear()
    expected = None
    if world.rank == 0:
        model = folder / f"{name}-model.h5"
        run_model(model, seed, stock)
        expected = describe(h5py, model)
        model.unlink()
    MODEL.update(world.bcast(MODEL))
    first = None
    for ranks, comm in comms.items():
        path = folder / f"{name}-{ranks}.h5"
        if comm != MPI.COMM_NULL:
            run_on(comm, path, seed, profile)
        world.barrier()
        if world.rank == 0:
            found = path.read_bytes()
            if first is None:
                first = found
                check(path, expected)
            elif found != first:
                check(path, expected)
                raise AssertionError(f"{ranks} ranks leave other bytes than one")
            if ranks > 1:
                path.unlink()
    if world.rank == 0:
        (folder / f"{name}-1.h5").unlink()
    world.barrier()


def check(path: Path, expected: dict) -> None:
    for library in (h5py, onecast):
        assert not (wrong := differences(describe(library, path), expected)), (library, wrong)
    findings = onecast.check(path, data=True)["findings"]
    assert not [f for f in findings if f["kind"] != "note"], findings


@contextlib.contextmanager
def told(world, what: str):
    """Makes an error of one rank end all ranks, and names the program."""
    try:
        yield
    except BaseException as error:
        print(f"{what}, rank {world.rank}: {type(error).__name__}: {error}", flush=True)
        traceback.print_exc()
        sys.stderr.flush()
        world.Abort(1)


if __name__ == "__main__":
    main()
