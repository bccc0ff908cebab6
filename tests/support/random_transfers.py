"""Random collective reads and writes of random data, stored in random ways, on random ranks.

As a program, on several ranks: each seed is one file. Every rank keeps all elements in numpy
arrays, with which each read is compared. At the end one process makes the same file with h5py, and
both files must have equal contents. If the bytes of the file must not depend on the ranks, one
process writes it once more with Onecast, and the complete files must be equal.

    . tools/env.sh
    $MPIEXEC $MPIEXEC_FLAGS -n 7 python tests/support/random_transfers.py FOLDER --seconds 300

From 17 ranks on, the ranks of a node send together. With --as-it-is no stripes and nodes are
pretended:

    python lab/run.py --nodes 4 --stripe-size 64k -- python tests/support/random_transfers.py \
        {lab} --seconds 300 --as-it-is
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from pathlib import Path

import h5py
import numpy as np
from chunked_values import resized
from mpi4py import MPI
from random_datasets import (
    ANY,
    APART,
    Stored,
    is_nothing,
    is_text,
    nothing,
    parts_of_ranks,
    values_of,
)

import onecast

STRIPES = [None, "64:4", "100:3", "256:1", "1000:2", "4096:5", "4096:13", "65536:7", "1048576:4"]
METHODS = ["automatic"] * 2 + ["plain", "independent"] + ["collective"] * 2 + ["broadcast"]
HINTS = {"cb_nodes": 2, "cb_buffer_size": 1 << 17, "romio_cb_write": "enable", "striping_unit": 999}
SHARING = ["automatic", "automatic", "trust", "verify", "serve"]


class Program:
    """Draws actions, carries them out on all ranks, and remembers what h5py has to do."""

    def __init__(self, comm, path: Path, seed: int, pretend: bool) -> None:
        self.comm, self.path, self.seed = comm, path, seed
        self.rank, self.size = comm.rank, comm.size
        draw = self.draw = random.Random(seed)
        self.environment = {
            "ONECAST_PRETEND_STRIPES": draw.choice(STRIPES),
            "ONECAST_RANKS_PER_NODE": draw.choice([None, "1", "2", "3", "16"]),
            # The ranks of a node share metadata however little it is.
            "ONECAST_SHARE_FROM": "1" if seed % 2 else None,
        }
        if not pretend:
            self.environment = {}
        self.options = {
            "page_size": draw.choice([4096, 4096, 65536]),
            "compact_limit": draw.choice([0, 4096]),
            "method": draw.choice(METHODS),
            "sharing": draw.choice(SHARING),
            "collective_buffer": draw.choice([0, 1 << 16, 1 << 18]),
            "aggregators": draw.choice([0, 0, 1, 2, 3]),
            "chunk_cache_bytes": draw.choice([0, 1 << 14, 16 << 20]),
            "decode_threads": draw.choice([0, 2]),
            "single_writer_stripes": draw.choice([None, 0, 3]),
            "profile": draw.choice(["compatible", "latest"]),
            "mpi_io": draw.random() < 0.15,
            "stripe_size": draw.choice([0, 0, 512, 10_000]),
            "stripe_count": draw.choice([0, 0, 1, 3]),
            "alignment_interval": draw.choice([0, 0, 1, 1024]),
            "hints": draw.choice([{}, {}, HINTS]),
        }
        self.sets = [Stored(draw, f"set {i}") for i in range(draw.randint(1, 4))]
        self.models = {x.name: x.begin() for x in self.sets}
        self.log = []  # (name, part, values) or (name, shape)
        self.steps = []  # for one process that writes the same file
        self.same_bytes = True
        self.done = [str(self.environment), str(self.options), *map(self.told, self.sets)]

    @staticmethod
    def told(x: Stored) -> str:
        first = "no data" if x.first is None else "data"
        return f"{x.name}: {x.dtype} {x.shape} {x.layout} {x.storage} {first}"

    def run(self) -> None:
        for name, value in self.environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self.f = onecast.File(self.path, "w", comm=self.comm, **self.options)
        for x in self.sets:
            x.create(self.f, ours=True)
        steps = [
            *(self.write, self.write, self.write_list, self.write_same, self.write_alone),
            *(self.read, self.read, self.read, self.read_list),
            *(self.resize, self.flush, self.reopen, self.differ),
        ]
        for _ in range(self.draw.randint(3, 9)):
            self.draw.choice(steps)()
        self.flush()
        for x in self.sets:
            self.compare(x, tuple(slice(None) for _ in x.shape), self.f[x.name].read_all())
        self.f.close()
        self.comm.Barrier()
        if self.rank == 0:
            self.compare_with_stock()
            if self.same_bytes:
                self.compare_with_one_process()
        self.comm.Barrier()

    # --- writing
    def prepare_write(self, x: Stored):
        """Returns the part and the values of this rank, and remembers those of all ranks."""
        model = self.models[x.name]
        overlaps = x.layout in ("compact", "filtered") and self.options["sharing"] != "verify"
        kinds = [*APART, "overlapping"] if overlaps else APART
        kind, parts = parts_of_ranks(self.draw, model.shape, self.size, kinds)
        if is_text(x.dtype) and kind != "blocks":
            self.same_bytes = False  # their heaps are in the order of the ranks
        seed = self.draw.randrange(1 << 30)
        written = np.zeros(model.shape, bool)
        mine = (nothing(model.shape), values_of(x.dtype, 0, 0).reshape((0,) * model.ndim))
        for r, part in enumerate(parts):
            if is_nothing(part, model.shape):
                continue
            shape = model[part].shape
            values = values_of(x.dtype, int(np.prod(shape)), seed + r).reshape(shape)
            model[part] = values
            written[part] = True
            self.log.append((x.name, part, values))
            if r == self.rank:
                mine = (part, values)
        self.tell(f"write {x.name} {kind} {parts if kind != 'points' else ''}")
        self.remember(x, written)
        return mine

    def remember(self, x: Stored, written) -> None:
        """Remembers all ranks' parts as one write of one process."""
        model = self.models[x.name]
        part = () if written.all() else written if written.any() else nothing(model.shape)
        self.steps.append(("write", [(x.name, part, model[part].copy())], False))

    def tell(self, what: str) -> None:
        self.done.append(what)

    def write(self) -> None:
        how = self.draw.choice(["write_all", "write_all", "brackets", "async"])
        count = self.draw.randint(1, 3)
        pending = []
        x = self.draw.choice(self.sets)
        for _ in range(count if how == "async" else 1):
            part, values = self.prepare_write(x)
            data = self.f[x.name]
            if how == "write_all":
                data.write_all(part, values)
            elif how == "brackets":
                with data.collective:
                    data[part] = values
            else:
                pending.append((data.write_all_async(part, values), values))
                x = self.draw.choice(self.sets)
        for call, _ in pending:
            call.wait()

    def write_list(self) -> None:
        some = self.draw.sample(self.sets, self.draw.randint(1, len(self.sets)))
        self.tell("write_multi:")
        self.f.write_multi([(self.f[x.name], *self.prepare_write(x)) for x in some])
        last = len(self.steps) - len(some)
        self.steps[last:] = [("write", [w for _, ws, _ in self.steps[last:] for w in ws], True)]

    def write_alone(self) -> None:
        """Each rank writes for itself; then a flush. Equal data, and filtered chunks, only one may
        write."""
        x = self.draw.choice(self.sets)
        self.tell("alone:")
        if x.layout == "filtered":
            return
        self.flush()  # first, what rank 0 wrote for all
        part, values = self.prepare_write(x)
        self.same_bytes = False
        self.f[x.name][part] = values
        self.flush()

    def write_same(self) -> None:
        """All ranks write equal data."""
        x = self.draw.choice(self.sets)
        model = self.models[x.name]
        _, (part, *_) = parts_of_ranks(self.draw, model.shape, self.size, ["same"])
        if is_nothing(part, model.shape):
            return
        shape = model[part].shape
        values = values_of(x.dtype, int(np.prod(shape)), self.draw.randrange(1 << 30))
        values = values.reshape(shape)
        model[part] = values
        written = np.zeros(model.shape, bool)
        written[part] = True
        self.log.append((x.name, part, values))
        how = self.draw.choice(["write_equal", "write_equal, verify", "write_all"])
        self.tell(f"{how} {x.name} {part}")
        if how == "write_all":
            self.remember(x, written)
            if is_text(x.dtype):
                self.same_bytes = False
            return self.f[x.name].write_all(part, values)
        sharing = "verify" if "verify" in how else None
        self.f[x.name].write_equal(part, values, sharing=sharing)
        self.steps.append((x.name, part, values))
        self.flush()

    def differ(self) -> None:
        """All ranks write everything, and one of them writes other bytes."""
        x = self.draw.choice(self.sets)
        one = self.draw.randrange(1, self.size) if self.size > 1 else 0
        if self.size == 1 or is_text(x.dtype) or np.dtype(x.dtype).kind == "b":
            return
        if self.options["sharing"] != "verify" or self.models[x.name].size == 0:
            return
        model = self.models[x.name]
        values = values_of(x.dtype, model.size, self.seed).reshape(model.shape)
        if self.rank == one:
            values = np.roll(values.reshape(-1), 1).reshape(model.shape)
            values.reshape(-1)[0] = values_of(x.dtype, 1, 12345)[0]
        self.tell(f"differ {x.name}: rank {one}")
        same = len(set(self.comm.allgather(values.tobytes()))) == 1
        if same:
            return
        self.same_bytes = False
        try:
            self.f[x.name].write_all((), values)
        except onecast.DivergedError as error:
            assert f"differ from rank 0: {one};" in str(error), error
        else:
            raise AssertionError("written, though the ranks differ")

    # --- reading
    def prepare_read(self, x: Stored, sharing: str):
        shape = self.models[x.name].shape
        kinds = ["same"] if sharing in ("trust", "verify") else ANY
        if sharing == "trust" and self.options["method"] == "plain":
            self.flush()  # so that nothing at all is sent
        kind, parts = parts_of_ranks(self.draw, shape, self.size, kinds)
        self.tell(f"read {x.name} {kind} {sharing} {parts if kind != 'points' else ''}")
        return nothing(shape) if parts[self.rank] is None else parts[self.rank]

    def compare(self, x: Stored, part, found) -> None:
        expected = self.models[x.name][part]
        if is_text(x.dtype):
            found = np.array([t.decode() for t in np.ravel(found)], object).reshape(found.shape)
        np.testing.assert_array_equal(found, expected)
        assert found.shape == expected.shape

    def read(self) -> None:
        how = self.draw.choice(["read_all", "read_all", "async", "alone"])
        reads = []
        for _ in range(self.draw.randint(1, 3)):
            x = self.draw.choice(self.sets)
            sharing = self.draw.choice([None, *SHARING])
            if how != "alone":
                self.steps.append(("read", [x.name], sharing or self.options["sharing"]))
            part = self.prepare_read(x, sharing or self.options["sharing"])
            data = self.f[x.name]
            if how == "async":
                reads.append((x, part, data.read_all_async(part, sharing=sharing)))
            elif how == "read_all":
                self.compare(x, part, data.read_all(part, sharing=sharing))
            else:
                self.flush()
                self.compare(x, part, data[part])
        for x, part, call in reads:
            self.compare(x, part, call.wait())
        self.comm.Barrier()  # other ranks may continue and write what is read alone

    def read_list(self) -> None:
        self.tell("read_multi:")
        some = [self.draw.choice(self.sets) for _ in range(self.draw.randint(1, 5))]
        parts = [self.prepare_read(x, self.options["sharing"]) for x in some]
        self.steps.append(("read", [x.name for x in some], self.options["sharing"]))
        found = self.f.read_multi(
            [(self.f[x.name], part) for x, part in zip(some, parts, strict=True)]
        )
        for x, part, values in zip(some, parts, found, strict=True):
            self.compare(x, part, values)
        self.comm.Barrier()

    # --- the file
    def resize(self) -> None:
        growing = [x for x in self.sets if "maxshape" in x.storage]
        if not growing:
            return
        x = self.draw.choice(growing)
        limits = x.storage["maxshape"]
        shape = tuple(
            self.draw.randint(1, 2 * n if limit is None else min(limit, 2 * n))
            for n, limit in zip(x.shape, limits, strict=True)
        )
        self.tell(f"resize {x.name} {shape}")
        old = self.models[x.name]
        fill = ("" if is_text(x.dtype) else np.zeros((), x.dtype)) if x.fill is None else x.fill
        self.models[x.name] = resized(old, shape, fill)
        self.f[x.name].resize(shape)
        self.log.append((x.name, shape))
        self.steps.append((x.name, shape, None))

    def flush(self) -> None:
        self.tell("flush")
        self.f.flush()
        self.steps.append(("flush", None, None))

    def reopen(self) -> None:
        self.tell("reopen")
        self.f.close()
        options = {k: v for k, v in self.options.items() if k not in ("profile", "compact_limit")}
        self.f = onecast.File(self.path, "r+", comm=self.comm, **options)
        self.steps.append(("reopen", options, None))

    # --- afterwards, on one process
    def compare_with_stock(self) -> None:
        findings = onecast.check(self.path, data=True)["findings"]
        assert not findings, findings
        stock = self.path.with_suffix(".stock.h5")
        with h5py.File(stock, "w") as f, h5py.File(self.path) as ours:
            for x in self.sets:
                x.create(f, ours=False)
            for name, *step in self.log:
                if len(step) == 1:
                    f[name].resize(step[0])
                else:
                    f[name][step[0]] = step[1]
            for x in self.sets:
                a, b = ours[x.name], f[x.name]
                assert (a.dtype, a.shape, a.maxshape, a.chunks) == (
                    b.dtype,
                    b.shape,
                    b.maxshape,
                    b.chunks,
                )
                if is_text(x.dtype):
                    assert a[...].tolist() == b[...].tolist(), x.name
                else:
                    assert a[...].tobytes() == b[...].tobytes(), x.name
        stock.unlink()

    def compare_with_one_process(self) -> None:
        path = self.path.with_suffix(".one.h5")
        f = onecast.File(path, "w", comm=MPI.COMM_SELF, **self.options)
        for x in self.sets:
            x.create(f, ours=True)
        for name, what, how in self.steps:
            if name == "flush":
                f.flush()
            elif name == "reopen":
                f.close()
                f = onecast.File(path, "r+", comm=MPI.COMM_SELF, **what)
            elif name == "read":  # a read may give chunks their places
                if len(what) == 1:
                    f[what[0]].read_all(sharing=how)
                else:
                    f.read_multi([(f[x], ()) for x in what])
            elif how is None:
                f[name].resize(what)
            elif name == "write" and how:
                f.write_multi([(f[x], part, values) for x, part, values in what])
            elif name == "write":
                x, part, values = what[0]
                f[x].write_all(part, values)
            else:
                f[name].write_equal(what, how)
        f.close()
        assert self.path.read_bytes() == path.read_bytes(), "not the bytes of one process"
        path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1 << 30)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--as-it-is", action="store_true")
    given = parser.parse_args()
    world = MPI.COMM_WORLD
    comms = {
        n: world.Split(0 if world.rank < n else MPI.UNDEFINED) for n in (1, 2, 3, 4, world.size)
    }
    end = time.monotonic() + given.seconds
    seed = given.seed
    while seed < given.seed + given.count and world.bcast(time.monotonic() < end):
        ranks = random.Random(seed).choice([1, 2, 3, 4, world.size])
        comm = comms[min(ranks, world.size)]
        if comm != MPI.COMM_NULL:
            path = given.folder / f"{seed}.h5"
            program = Program(comm, path, seed, not given.as_it_is)
            try:
                program.run()
            except BaseException:
                lines = [f"seed {seed}, rank {comm.rank} of {comm.size}", *program.done]
                print("\n".join(lines), traceback.format_exc(), sep="\n", file=sys.stderr)
                sys.stderr.flush()
                world.Abort(1)
            if comm.rank == 0:
                path.unlink()
        world.Barrier()
        seed += 1
    if world.rank == 0:
        print(f"{seed - given.seed} files")


main()
