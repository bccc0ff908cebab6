"""Writes a checkpoint on every rank of a lab, and prints its cost.

checkpoint.py FILE MIB PIECE_BYTES: 8 datasets of MIB MiB; rank r of n writes each n-th piece of
each dataset. bench/interleave/lab_checkpoint.c does the same with stock HDF5.
"""

import json
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

import onecast

comm = MPI.COMM_WORLD
path, mib, piece = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
lab = path.parent / ".lab"
COUNT = (mib << 20) // piece
NAMES = [f"step 0/field {i}" for i in range(8)]


def values_of(number: int, pieces: np.ndarray) -> np.ndarray:
    return (pieces[:, None] * 7 + np.arange(piece) % 251 + number).astype("u1")


if comm.rank == 0:
    (lab / "reset").write_text("1")
comm.barrier()
with onecast.File(path, "w", comm=comm) as f:
    for number, name in enumerate(NAMES):
        x = f.create_dataset(name, (COUNT, piece), "u1")
        x.attrs["unit"] = "m/s"
        pieces = np.arange(comm.rank, COUNT, comm.size)
        x.write_all(np.s_[comm.rank :: comm.size], values_of(number, pieces))
    f.flush()
comm.barrier()
if comm.rank == 0:
    counters = json.loads((lab / "counters").read_text())
    with onecast.File(path) as f:
        for number, name in enumerate(NAMES):
            assert np.array_equal(f[name][:], values_of(number, np.arange(COUNT))), name
        pages = f.metadata_report().page_size
    print(json.dumps(counters | {"file_size": path.stat().st_size, "page_size": pages}))
