"""One rank of `onecast bench memory`: measures the memory that calls take beside the caller's.

The result is the kernel's peak (VmHWM) since the call began, minus the memory of the process before
the call. It includes what MPI, Python and the page tables of the process take.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from mpi4py import MPI

import onecast

CHUNK_BYTES = 1 << 18
STORAGES = {
    "contiguous": {},
    "filtered chunks": {"compression": "lzf"},
}


def memory(name: str) -> int:
    """Returns VmRSS or VmHWM of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"the system does not tell {name}")


def peak_above(call: Callable[[], None]) -> int:
    MPI.COMM_WORLD.Barrier()
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = memory("VmRSS")
    call()
    return max(0, memory("VmHWM") - before)


def measure(file: str, piece: int, mib: int, buffer: int, storage: str) -> list[dict]:
    """Each rank has `mib` MiB in pieces, which alternate with those of the other ranks."""
    comm = MPI.COMM_WORLD
    rows = (mib << 20) // piece
    shape = (rows, comm.size, piece)
    options = dict(STORAGES[storage])
    if options:
        columns = min(piece, CHUNK_BYTES // comm.size)  # each chunk has data of all ranks
        options["chunks"] = (min(rows, CHUNK_BYTES // (comm.size * columns)), comm.size, columns)
    mine = np.s_[:, comm.rank : comm.rank + 1]
    data = np.random.default_rng(comm.rank).integers(0, 256, (rows, 1, piece), "u1")
    found = np.ones_like(data)
    results = []
    # Chunks kept for further reads are limited by an option of their own.
    with onecast.File(file, "w", comm=comm, collective_buffer=buffer, chunk_cache_bytes=0) as f:
        x = f.create_dataset("x", shape, "u1", **options)
        f.flush()
        for step, call in {
            "write_all": lambda: x.write_all(mine, data),
            "read_all": lambda: x.read_all_async(mine, found).wait(),
        }.items():
            peaks = comm.gather(peak_above(call))
            how = f.explain()
            results.append(
                {"call": step, "storage": storage, "piece_bytes": piece, "peaks": peaks, "how": how}
            )
    if not np.array_equal(found, data):
        raise SystemExit(f"rank {comm.rank} read something else")
    return results


def measure_independent(file: str, piece: int, mib: int, storage: str) -> dict:
    """Each rank writes a dataset of `mib` MiB in pieces. The flush is measured too."""
    comm = MPI.COMM_WORLD
    rows = (mib << 20) // piece
    options = dict(STORAGES[storage])
    if options:
        options["chunks"] = (max(1, CHUNK_BYTES // piece), min(piece, CHUNK_BYTES))
    data = np.random.default_rng(comm.rank).integers(0, 256, (rows, piece), "u1")
    with onecast.File(file, "w", comm=comm, chunk_cache_bytes=0) as f:

        def write() -> None:
            with f.independent():
                x = f.create_dataset(f"rank {comm.rank}", data.shape, "u1", **options)
                for row, values in enumerate(data):
                    x[row] = values
            f.flush()

        peaks = comm.gather(peak_above(write))
        if not np.array_equal(f[f"rank {comm.rank}"][:], data):
            raise SystemExit(f"rank {comm.rank} read something else")
    call = "independent()"
    return {"call": call, "storage": storage, "piece_bytes": piece, "peaks": peaks, "how": ""}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--pieces", required=True)
    parser.add_argument("--mib", type=int, required=True)
    parser.add_argument("--buffer", type=int, required=True)
    given = parser.parse_args()
    results = []
    for storage in STORAGES:
        for piece in map(int, given.pieces.split(",")):
            results += measure(given.file, piece, given.mib, given.buffer, storage)
            results.append(measure_independent(given.file, piece, given.mib, storage))
    if MPI.COMM_WORLD.rank == 0:
        Path(given.json).write_text(json.dumps({"results": results}))


if __name__ == "__main__":
    main()
