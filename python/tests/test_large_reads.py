"""More than 2 GiB in one collective read, though MPI counts a message's elements in 31 bits"""

import h5py
import pytest

SIZE = 2**31 + 65536
VALUES = {0: 1, 2**30 - 1: 2, 2**31 - 1: 3, 2**31: 4, 2**31 + 5: 5, SIZE - 1: 6}
NEEDED = 3 * SIZE
"""Bytes: an array of each rank, and the pages of the file that are read."""

READ = """
method = sys.argv[2]
with onecast.File(sys.argv[1], "r", comm=comm, method=method) as f:
    found = f["x"].read_all()
    assert found.shape == (2**31 + 65536,) and found.dtype == np.uint8
    words = found.view("u8")
    values = {}
    for word in np.flatnonzero(words):
        for at in range(8 * word, 8 * word + 8):
            if found[at]:
                values[int(at)] = int(found[at])
    reads = f.io_stats().bytes_read
print(rank, reads >= found.nbytes, sorted(values.items()))
"""


def available_bytes():
    with open("/proc/meminfo") as lines:
        kib = next(line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return int(kib) * 1024


@pytest.mark.long
@pytest.mark.parametrize("method", ["automatic", "plain"])
def test_more_than_2_gib_on_two_ranks(mpirun, path, method):
    if available_bytes() < NEEDED:
        pytest.skip(f"{NEEDED >> 30} GiB of memory are not free")
    with h5py.File(path, "w") as f:
        x = f.create_dataset("x", (SIZE,), "u1")
        for at, value in VALUES.items():
            x[at] = value
    try:
        lines = sorted(mpirun(2, READ, path, method).splitlines())
    finally:
        path.unlink()
    # One rank reads for both, or each rank for itself.
    reads = {"automatic": [True, False], "plain": [True, True]}[method]
    assert lines == [f"{rank} {of_it} {list(VALUES.items())}" for rank, of_it in enumerate(reads)]
