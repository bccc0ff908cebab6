"""Many ranks write one file together:  $MPIEXEC $MPIEXEC_FLAGS -n 3 python parallel_write_mpi.py

The file is the same, byte by byte, on any number of ranks.
"""

import numpy as np
from mpi4py import MPI

import onecast

comm = MPI.COMM_WORLD
ROWS = 1000

with onecast.File("parallel_write.h5", "w", comm=comm) as f:
    for zone in range(100):  # the same calls on all ranks; no message is sent
        f.create_group(f"zone {zone}").attrs["number"] = zone
    rows = f.create_dataset("rows", (ROWS, 3), "f8")
    mine = np.arange(ROWS * comm.rank // comm.size, ROWS * (comm.rank + 1) // comm.size)
    rows.write_all(np.s_[mine[0] : mine[-1] + 1], mine[:, None])

with onecast.File("parallel_write.h5", comm=comm) as f:  # rank 0 reads and broadcasts
    assert f["zone 42"].attrs["number"] == 42
    everything = f["rows"].read_all()
    assert (everything == np.arange(ROWS)[:, None]).all()
    print(f"rank {comm.rank}: {f.io_stats()}")
