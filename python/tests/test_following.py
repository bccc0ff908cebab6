"""A reader beside a job that flushes: each refresh shows the state of one flush"""

import random
import subprocess
import sys
from contextlib import suppress

import h5py
import pytest

import onecast


class Job:
    """A writer in a process of its own, which runs lines that it is told."""

    def __init__(self, path, profile="compatible"):
        program = f"""
import sys, numpy as np, onecast
f = onecast.File(sys.argv[1], "w", profile={profile!r})
print("ready", flush=True)
for line in sys.stdin:
    exec(line)
    print("done", flush=True)
f.close()
"""
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout.readline() == "ready\n"

    def do(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.stdin.close()
        assert self._process.wait() == 0 or error[0] is not None


def test_each_flush_is_seen(path):
    with Job(path) as job:
        job.do("f.create_dataset('x', (0,), 'i8', maxshape=(None,), chunks=(4,)); f.flush()")
        with pytest.raises(BlockingIOError):
            onecast.File(path)  # it is locked
        with onecast.File(path, follow=True) as f:
            x = f["x"]
            assert x.shape == (0,)
            for n in range(1, 60):
                job.do(f"f['x'].resize(({n},)); f['x'][{n - 1}] = {n}")
                f.refresh()
                assert x.shape == (n - 1,)
                job.do(f"f.attrs['n'] = {n}; f.flush()")
                assert x.shape == (n - 1,)
                f.refresh()
                assert x[:].tolist() == list(range(1, n + 1))
                assert f.attrs["n"] == n
            job.do("g = f.create_group('g'); g['y'] = 5; f.flush()")
            x.refresh()
            assert f["g/y"][()] == 5
            y = f["g/y"]
            job.do("del f['g/y']; f.flush()")
            f.refresh()
            with pytest.raises(ValueError, match="removed"):
                y[()]
            assert list(f["g"]) == []


def test_what_did_not_change_is_not_read(path):
    with Job(path) as job:
        job.do("for i in range(300): f[f'd{i}'] = i")
        job.do("f.flush()")
        with onecast.File(path, follow=True) as f:
            assert f["d7"][()] == 7
            before = f.io_stats().bytes_read
            for _ in range(10):
                f.refresh()
            assert f.io_stats().bytes_read - before <= 10 * 512


def test_reading_meets_a_flush(path):
    """The state of the last refresh is gone, so elements are of that state or not read at all"""
    with Job(path) as job:
        how = "maxshape=(None,), chunks=(50,), compression='gzip'"
        job.do(f"f.create_dataset('x', (50,), 'i8', {how}); f['x'][:] = 1; f.flush()")
        with onecast.File(path, follow=True, chunk_cache_bytes=0) as f:
            x = f["x"]
            job.do("f['x'][:] = 0; f.flush()")
            with pytest.raises(BlockingIOError, match="refresh"):
                x[:]
            for n in range(2, 20):
                job.do(f"f['x'][:] = {n}; f.flush()")
                with suppress(BlockingIOError):
                    assert set(x[:].tolist()) == {n - 1}
                x.refresh()
                assert set(x[:].tolist()) == {n}


WRITER = """
import random, sys, numpy as np, onecast
rng = random.Random(int(sys.argv[2]))
f = onecast.File(sys.argv[1], "w", profile=sys.argv[3])
f.attrs["state"] = 0
kinds = {"plain": {}, "packed": {"compression": "gzip"}}
print("ready", flush=True)
for state in range(1, int(sys.argv[4]) + 1):
    names = list(f)
    for _ in range(rng.randint(1, 6)):
        name = f"d{rng.randint(0, 30)}"
        if name in f:
            if rng.random() < 0.5:
                del f[name]
                continue
            f[name].resize((rng.randint(1, 400),))
        else:
            f.create_dataset(
                name, (rng.randint(1, 400),), "i8", maxshape=(None,), chunks=(16,),
                **kinds[rng.choice(sorted(kinds))],
            )
    f.attrs["state"] = state
    for name in f:
        f[name].attrs["state"] = state
    f.flush()
f.close()
"""


def look(f):
    """One state: all attributes have its number."""
    state = int(f.attrs["state"])
    for name in f:
        dataset = f[name]
        assert int(dataset.attrs["state"]) == state, name
        assert 1 <= dataset.shape[0] <= 400
        assert not dataset[...].any()
    return state


@pytest.mark.parametrize(
    ("seed", "profile", "states"),
    [
        (1, "compatible", 60),
        (2, "latest", 60),
        pytest.param(3, "compatible", 4000, marks=pytest.mark.long),
        pytest.param(4, "latest", 4000, marks=pytest.mark.long),
    ],
)
def test_states_are_whole(path, seed, profile, states):
    arguments = [sys.executable, "-c", WRITER, path, str(seed), profile, str(states)]
    seen = set()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout.readline() == "ready\n"
        f = None
        while f is None:
            with suppress(FileNotFoundError, onecast.FormatError):
                f = onecast.File(path, follow=True)
        with f:
            while job.poll() is None:
                # A flush may come between.
                with suppress(BlockingIOError):
                    f.refresh()
                    seen.add(look(f))
            f.refresh()
            assert look(f) == states
        assert job.returncode == 0
    assert seen


def test_a_killed_job_leaves_the_last_flush(path):
    program = WRITER.replace("f.flush()", "f.flush(); print(state, flush=True)")
    arguments = [sys.executable, "-c", program, path, "5", "compatible", "100000"]
    job = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    rng = random.Random(5)
    assert job.stdout.readline() == "ready\n"
    last = [int(job.stdout.readline()) for _ in range(rng.randint(5, 30))][-1]
    with onecast.File(path, follow=True) as f:
        f.refresh()
        job.kill()
        job.wait()
        f.refresh()
        assert look(f) >= last
    onecast.recover(path)
    with h5py.File(path) as f:
        assert f.attrs["state"] >= last


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
