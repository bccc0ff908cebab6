"""On every rank of a lab, writes pieces of one dataset collectively, and prints the cost.

write_together.py FILE PIECE_BYTES PIECES OPTIONS [LAYOUT]: rank r of n writes each n-th piece. The
file is opened with the OPTIONS, a JSON object, in a folder with this LAYOUT of layouts.py.
"""

import json
import os
import sys
from pathlib import Path

import layouts
import numpy as np
from mpi4py import MPI

import onecast

comm = MPI.COMM_WORLD
path, size, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
lab = path.parent / ".lab"
if len(sys.argv) > 5:
    path = path.parent / "folder" / path.name
    if comm.rank == 0:
        path.parent.mkdir()
        os.setxattr(path.parent, "lustre.lov", getattr(layouts, sys.argv[5]))
    comm.barrier()


def values_of(pieces: np.ndarray) -> np.ndarray:
    return (pieces[:, None] * 7 + np.arange(size) % 251).astype("u1")


with onecast.File(path, "w", comm=comm, **json.loads(sys.argv[4])) as f:
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
