"""On every rank of a lab: all write pieces of one dataset together; prints what that cost.

write_together.py FILE PIECE_BYTES PIECES AGGREGATORS HINTS: rank r of n writes each n-th piece. 0
aggregators: as many as it takes; HINTS: 1: they are asked for as MPI-IO does, by cb_nodes.
"""

import json
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

import onecast

comm = MPI.COMM_WORLD
path, size, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
aggregators, by_hint = int(sys.argv[4]), sys.argv[5] == "1"
lab = path.parent / ".lab"


def values_of(pieces: np.ndarray) -> np.ndarray:
    return (pieces[:, None] * 7 + np.arange(size) % 251).astype("u1")


options = {"hints": {"cb_nodes": aggregators}} if by_hint else {"aggregators": aggregators}
with onecast.File(path, "w", comm=comm, **options) as f:
    x = f.create_dataset("x", (count, size), "u1")
    f.flush()
    mine = values_of(np.arange(comm.rank, count, comm.size))
    comm.barrier()
    if comm.rank == 0:
        (lab / "reset").write_text("1")
    comm.barrier()
    x.write_all(np.s_[comm.rank :: comm.size], mine)
    comm.barrier()
    counters = json.loads((lab / "counters").read_text())
    comm.barrier()
if comm.rank == 0:
    with onecast.File(path) as f:
        for first in range(0, count, 1024):
            some = np.arange(first, min(count, first + 1024))
            assert np.array_equal(f["x"][first : first + 1024], values_of(some))
    print(json.dumps(counters))
