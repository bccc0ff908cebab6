"""Readers beside a job on ranks that flushes"""

import pytest


def test_a_job_on_ranks(mpirun, path):
    mpirun(
        3,
        """
import subprocess
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    x = f.create_dataset("x", (0, size), "i8", maxshape=(None, size), chunks=(2, 1))
    f.flush()
    if rank == 0:
        reader = subprocess.Popen(
            [sys.executable, "-c", READER, sys.argv[1]], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )
    for n in range(1, 21):
        x.resize(n, axis=0)
        x.write_all((n - 1, slice(rank, rank + 1)), np.array([n]))
        f.flush()
        if rank == 0:
            reader.stdin.write(f"{n}\\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == f"{n}\\n"
        comm.barrier()
    if rank == 0:
        reader.stdin.close()
        assert reader.wait() == 0
""".replace("READER", repr(FOLLOWER)),
        path,
    )


FOLLOWER = """
import sys, onecast
with onecast.File(sys.argv[1], follow=True) as f:
    x = f["x"]
    for line in sys.stdin:
        f.refresh()
        n = int(line)
        assert x.shape == (n, 3), x.shape
        assert x[:].tolist() == [[row] * 3 for row in range(1, n + 1)]
        print(n, flush=True)
"""


WRITER = """
import random, subprocess
path, states = sys.argv[1], int(sys.argv[2])
rng = random.Random(states)
with onecast.File(path, "w", comm=comm) as f:
    f.attrs["state"] = 0
    f.flush()
    command = [sys.executable, "-c", READER, path, str(states)]
    readers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for _ in range(2 if rank == 0 else 0)
    ]
    for reader in readers:
        assert reader.stdout.readline() == "ready\\n"
    comm.barrier()
    for state in range(1, states + 1):
        for _ in range(rng.randint(1, 5)):
            name = f"d{rng.randint(0, 9)}"
            length = rng.randint(3, 400)
            if name in f and rng.random() < 0.3:
                del f[name]
                continue
            if name in f:
                f[name].resize((length,))
            else:
                how = {"maxshape": (None,), "chunks": (16,), "compression": "gzip"}
                f.create_dataset(name, (length,), "i8", **how)
            mine = slice(length * rank // size, length * (rank + 1) // size)
            f[name].write_all(mine, np.full(mine.stop - mine.start, state))
            f[name].attrs["value"] = state
        f.attrs["state"] = state
        for name in f:
            f[name].attrs["state"] = state
        f.flush()
    seen = [int(reader.communicate()[0]) for reader in readers]
    assert all(reader.returncode == 0 for reader in readers)
    assert all(count > 1 for count in seen), seen
"""

READER = """
import sys, onecast
path, states = sys.argv[1], int(sys.argv[2])

def look(f):
    state = int(f.attrs["state"])
    for name in f:
        dataset = f[name]
        assert int(dataset.attrs["state"]) == state, name
        assert set(dataset[...].tolist()) == {int(dataset.attrs["value"])}, name
    return state

seen = set()
with onecast.File(path, follow=True) as f:
    print("ready", flush=True)
    while states not in seen:
        try:
            f.refresh()
            seen.add(look(f))
        except BlockingIOError:
            pass  # the job has flushed meanwhile
print(len(seen))
"""


@pytest.mark.parametrize("states", [40, pytest.param(500, marks=pytest.mark.long)])
@pytest.mark.timeout(900)
def test_states_are_whole(mpirun, path, states):
    """Ranks create, fill and remove datasets, whose elements a flush writes with the rest of it."""
    mpirun(3, WRITER.replace("READER", repr(READER)), path, states)
