"""All ranks create a file together and read it back."""

import numpy as np
from mpi4py import MPI

import onecast

comm = MPI.COMM_WORLD

# All ranks create the same objects. These calls send no messages.
with onecast.File("quickstart.h5", "w", comm=comm) as f:
    zone = f.create_group("base/zone")
    zone.attrs["family"] = "wing"
    x = zone.create_dataset("x", (comm.size, 3), "f8")
    x.write_all(np.s_[comm.rank], comm.rank)  # collective: each rank writes its own row

# Rank 0 reads the dataset and broadcasts it.
with onecast.File("quickstart.h5", comm=comm) as f:
    assert f["base/zone"].attrs["family"] == "wing"
    assert f["base/zone/x"].read_all()[-1].tolist() == [comm.size - 1] * 3
