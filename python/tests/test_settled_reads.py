"""read_all returns equal data on all ranks, even if no program has written it."""

import h5py
import numpy as np
import pytest

PROGRAM = """
import numpy as np
import onecast
from mpi4py import MPI

comm = MPI.COMM_WORLD
with onecast.File("late.h5", "r+", comm=comm) as f:
    for name in ("late", "texts"):
        if comm.rank == comm.size - 1:
            f[name][2:4] = [5, 6] if name == "late" else ["a", "b"]
        found = f[name].read_all()
        assert all(np.array_equal(found, other) for other in comm.allgather(found))
        expected = [7, 7, 5, 6] if name == "late" else [b"", b"", b"a", b"b"]
        assert list(found) == expected, found
"""


@pytest.mark.parametrize("ranks", [2, 3])
def test_data_without_a_place(mpirun, tmp_path, ranks):
    with h5py.File(tmp_path / "late.h5", "w") as f:
        f.create_dataset("late", (4,), "i4", fillvalue=7)
        f.create_dataset("texts", (4,), h5py.string_dtype())
    mpirun(ranks, PROGRAM)
    with h5py.File(tmp_path / "late.h5") as f:
        assert np.array_equal(f["late"], [7, 7, 5, 6])
        assert list(f["texts"]) == [b"", b"", b"a", b"b"]
