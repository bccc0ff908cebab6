"""Counts the costs of the steps in the table "Counts" of ARCHITECTURE.md, on 3 ranks.

Prints {step: [opens, reads, writes, collectives]} as JSON. "1 / 0" means rank 0 / each other rank.
"""

import json
from collections.abc import Callable

import numpy as np
from mpi4py import MPI

import onecast

comm = MPI.COMM_WORLD
COUNTERS = ("opens", "reads", "writes", "collectives")
counted: dict[str, list[str]] = {}


def counts_of(file: onecast.File | None) -> list[int]:
    if file is None:  # the step opens the file
        return [0] * len(COUNTERS)
    return [getattr(file.io_stats(), name) for name in COUNTERS]


def step(name: str, file: onecast.File | None, work: Callable[[], object]) -> None:
    """Runs a step. If the step opens a file, `file` is None and `work` returns the file."""
    before = counts_of(file)
    opened = work()
    after = counts_of(opened if file is None else file)
    mine = [b - a for a, b in zip(before, after, strict=True)]
    first, *others = comm.allgather(mine)
    assert all(other == others[0] for other in others), (name, others)
    counted[name] = [
        str(a) if what == "collectives" else f"{a} / {b}"
        for what, a, b in zip(COUNTERS, first, others[0], strict=True)
    ]
    if opened is not None and file is None:
        files.append(opened)


files: list[onecast.File] = []
thirds = slice(30000 * comm.rank, 30000 * (comm.rank + 1))

step("create", None, lambda: onecast.File("own.h5", "w", comm=comm))
f = files.pop()
step("create a group, set an attribute", f, lambda: f.create_group("g").attrs.update(n=1))
step("flush: page 0 changed", f, f.flush)
step("flush: nothing changed", f, f.flush)
step(
    "create a contiguous dataset with data", f, lambda: f.create_dataset("x", data=np.zeros(90000))
)
step("flush: page 0 changed, raw data last", f, f.flush)
x = f["x"]
step("`write_all`, contiguous, each its part", f, lambda: x.write_all(thirds, 1.0))
step("`read_all`, the same 720,000 bytes", f, lambda: x.read_all())
step("`read_all`, the same 16 bytes", f, lambda: x.read_all(slice(0, 2)))
step("`read_all`, each its part", f, lambda: x.read_all(thirds))
c = f.create_dataset("c", (3,), "i4")
step("`write_all`, compact, all the same", f, lambda: c.write_all((), 1))
step("`write_all`, compact, each its part", f, lambda: c.write_all(comm.rank, 2))
c[comm.rank] = 3
step("flush: compact data written independently", f, f.flush)
for i in range(20000):
    f.create_group(f"group {i}")
step("flush: page 0 and a run of new pages", f, f.flush)
f.close()

step("open for writing", None, lambda: onecast.File("own.h5", "r+", comm=comm))
f = files.pop()
step("close, nothing changed", f, f.close)
step("open: pages in 2 runs", None, lambda: onecast.File("own.h5", comm=comm))
f = files.pop()
step("look at all objects", f, lambda: f.visititems(lambda path, found: None))
step("close", f, f.close)
step("open, lazy", None, lambda: onecast.File("own.h5", comm=comm, load_policy="lazy"))
f = files.pop()
f.close()

if comm.rank == 0:
    print(json.dumps(counted))
