"""A rank leaves a file, and the others get the reason from their next collective call."""

import os
import time

import h5py
import pytest
from on_ranks import require_ranks, run_on_ranks

RANKS = [2, 3, 4]

LEAVING = """
class OnPurpose(Exception):
    pass

def kept():
    comm.Barrier()
    with onecast.File(path) as f:
        assert list(f) == ["x"], list(f)
    comm.Barrier()

CALLS = {
    "flush": lambda f: f.flush(),
    "close": lambda f: f.close(),
    "write_all": lambda f: f["x"].write_all(slice(rank, rank + 1), 1.0),
    "read_all": lambda f: f["x"].read_all(),
    "prefetch_all": lambda f: f.prefetch_all("/"),
    "write_multi": lambda f: f.write_multi([(f["x"], slice(rank, rank + 1), 1.0)]),
}
for number, (name, call) in enumerate(CALLS.items()):
    path = f"{name}.h5"
    odd = number % size
    with onecast.File(path, "w", comm=comm) as f:
        f.create_dataset("x", (size,))
    heard = None
    try:
        with onecast.File(path, "r+", comm=comm) as f:
            f.create_group("given up")
            if rank == odd:
                raise OnPurpose("for the test: ä")
            call(f)
    except (OnPurpose, onecast.DivergedError) as error:
        heard = error
    assert not f
    if rank == odd:
        assert type(heard) is OnPurpose
    else:
        assert type(heard) is onecast.DivergedError, heard
        assert f"{path}: rank {odd} left: OnPurpose: for the test: ä" in str(heard), heard
    kept()

# It need not be `with`, and further calls say so at once.
f = onecast.File(path, "r+", comm=comm)
f.create_group("given up")
if rank == 0:
    f.abandon("had enough")
    assert not f
else:
    for call in (f.flush, f["x"].read_all, f.flush):
        try:
            call()
            raise AssertionError("heard nothing")
        except onecast.DivergedError as error:
            assert "rank 0 left: had enough" in str(error), error
    f.close()
    assert not f
kept()

# All raise alike: what was flushed is kept, and the next file opens.
try:
    with onecast.File(path, "r+", comm=comm) as f:
        f.create_group("given up")
        raise OnPurpose
except OnPurpose:
    pass
kept()

# A file that they read: who closes early, and who does nothing but close.
try:
    with onecast.File(path, comm=comm) as f:
        if rank != size - 1:
            f["x"].read_all()
            raise AssertionError("heard nothing")
except onecast.DivergedError as error:
    assert f"rank {size - 1} left: it has closed the file" in str(error), error
try:
    with onecast.File(path, comm=comm) as f:
        if rank == size - 1:
            raise OnPurpose
except OnPurpose:
    assert rank == size - 1

# Different calls; a program goes on after them.
with onecast.File(path, "r+", comm=comm) as f:
    def differ():
        f.flush() if rank == 0 else f["x"].write_all(slice(rank, rank + 1), 1.0)
    texts = same_everywhere(differ, onecast.DivergedError)
    assert len(set(texts)) == 1
    assert 'rank 0 called flush, rank 1 write_all of "/x"' in texts[0], texts
    f["x"].write_all(slice(rank, rank + 1), 2.0)
    assert f["x"].read_all().tolist() == [2.0] * size

# One that is still open at the end of the program is left; nobody hears of it here.
last = onecast.File(path, comm=comm)
print("done", flush=True)
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_the_others_hear_it(mpirun, ranks):
    assert mpirun(ranks, LEAVING).split() == ["done"] * ranks


def names_once_unlocked(path):
    """Reads the names. Killed ranks may keep their lock a little longer than mpiexec runs."""
    for _ in range(100):
        try:
            with h5py.File(path) as f:
                return list(f)
        except BlockingIOError:
            time.sleep(0.1)
    raise AssertionError(f"{path} is locked")


@pytest.fixture
def ended(tmp_path):
    """ended(ranks, program, ONECAST_WATCH="1") returns the process of mpiexec and its seconds."""
    require_ranks()

    def run(ranks, program, options=(), before="", **environment):
        script = tmp_path / "program.py"
        script.write_text(before + BEGIN + program)
        begin = time.monotonic()
        done = run_on_ranks(
            ranks,
            script,
            options=options,
            timeout=60,
            cwd=tmp_path,
            env=os.environ | environment,
        )
        seconds = time.monotonic() - begin
        assert names_once_unlocked(tmp_path / "file.h5") == ["x"], "the last flush"
        return done, seconds

    return run


BEGIN = """
import os, sys, time
from mpi4py import MPI
import onecast
comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
comm.Barrier()  # some may start late
with onecast.File("file.h5", "w", comm=comm) as f:
    f.create_dataset("x", (size,))
f = onecast.File("file.h5", "r+", comm=comm)
f.create_group("given up")
"""


@pytest.mark.parametrize("ranks", [2, 4])
def test_an_exception_that_nobody_catches(ended, ranks):
    """It ends the rank, and the file is left when MPI ends."""
    done, _ = ended(ranks, "if rank == 1: raise ValueError('its own')\nf.flush()\n")
    assert done.returncode != 0
    assert "ValueError: its own" in done.stderr
    assert done.stderr.count("DivergedError: file.h5: rank 1 left: ") == ranks - 1, done.stderr


def test_the_end_of_the_program(ended):
    done, _ = ended(3, "if rank == 0: sys.exit(0)\nf.flush()\n")
    assert done.stderr.count("DivergedError: file.h5: rank 0 left: ") == 2, done.stderr


def test_an_exit_without_mpi(ended):
    """The launcher ends the job."""
    done, _ = ended(3, "comm.Barrier()\nif rank == 1: os._exit(0)\nf.flush()\nprint('through')\n")
    assert "through" not in done.stdout


MISSING = """
comm.Barrier()
if rank in (0, 2):
    time.sleep(4)
f["x"].write_all(slice(rank, rank + 1), 1.0)
f["x"].read_all()
f.abandon("the end")
print("through", flush=True)
"""


def test_the_watch(ended):
    done, _ = ended(4, MISSING, ONECAST_WATCH="0.5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("through") == 4
    said = [line for line in done.stderr.splitlines() if line.startswith("onecast: ")]
    assert len(said) == 1, done.stderr
    assert 'onecast: file.h5: rank 1 and 1 other wait in write_all of "/x"' in said[0], said
    assert "missing: ranks 0, 2" in said[0], said


@pytest.mark.long
def test_the_watch_is_quiet(ended):
    for seconds in ("0", "60"):
        done, _ = ended(2, MISSING, ONECAST_WATCH=seconds)
        assert done.returncode == 0 and "onecast: " not in done.stderr, done.stderr


def test_the_watch_ends_the_job(ended):
    program = MISSING.replace("time.sleep(4)", "time.sleep(50)")
    done, seconds = ended(3, program, ONECAST_WATCH="0.5", ONECAST_WATCH_ABORT="1")
    assert done.returncode != 0
    assert "through" not in done.stdout
    assert "missing: ranks 0, 2" in done.stderr
    assert "ending the job" in done.stderr
    assert seconds < 40


# Rank 0 is slow while the others wait for its chunk.
INSIDE = """
import numpy as np
def encode(data, _):
    time.sleep(6 * (rank == 0))
    return bytes(data)
onecast.register_filter(40001, "slow", lambda data, _: data, encode)
d = f.create_dataset("d", (10 * size,), "i4", chunks=(10,), compression=40001)
d.write_all(slice(10 * rank, 10 * rank + 10), np.full(10, rank))
f.abandon("the end")
print("through", flush=True)
"""
FUNNELED = "import mpi4py; mpi4py.rc.thread_level = 'funneled'\n"


def said_by(done):
    return [line for line in done.stderr.splitlines() if line.startswith("onecast: ")]


@pytest.mark.long
def test_the_watch_inside_of_a_call(ended):
    done, _ = ended(4, INSIDE, ONECAST_WATCH="0.5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("through") == 4
    said = said_by(done)
    assert len(said) == 1, done.stderr
    where = 'in the messages that follow write_all of "/d" (collective call '
    assert f"onecast: file.h5: rank 1 and 2 others wait {where}" in said[0], said
    assert said[0].endswith("missing: rank 0"), said


@pytest.mark.long
def test_the_watch_of_a_rank_that_cannot_ask(ended):
    done, _ = ended(4, INSIDE, before=FUNNELED, ONECAST_WATCH="0.5")
    assert done.returncode == 0, done.stderr
    said = said_by(done)
    assert len(said) == 1, done.stderr
    assert 'rank 1 waits in the messages that follow write_all of "/d"' in said[0], said
    assert "MPI_THREAD_MULTIPLE" in said[0], said


@pytest.mark.long
def test_the_watch_ends_the_job_inside_of_a_call(ended):
    program = INSIDE.replace("sleep(6 ", "sleep(50 ")
    for before in ("", FUNNELED):
        done, seconds = ended(
            3, program, before=before, ONECAST_WATCH="0.5", ONECAST_WATCH_ABORT="1"
        )
        assert done.returncode != 0
        assert "through" not in done.stdout
        assert "ending the job" in done.stderr
        assert seconds < 40


@pytest.mark.long
def test_the_watch_of_an_open(ended):
    program = """
f.abandon("the end")
comm.Barrier()
if rank == 2:
    time.sleep(4)
with onecast.File("file.h5", comm=comm) as g:
    print(*g, flush=True)
"""
    done, _ = ended(4, program, ONECAST_WATCH="0.5")
    assert done.stdout.split() == ["x"] * 4, done.stderr
    said = sorted(said_by(done))
    assert len(said) == 2, "of the lowest ranks: there is nobody to ask"
    for rank, line in enumerate(said):
        waits = f"onecast: rank {rank} waits for a communicator of 4 to be made, as to open a file,"
        assert line.startswith(waits), said


def test_mpi4py_ends_the_job(ended):
    """This is so whatever the others wait for, as the guide says."""
    program = "if rank == 1: raise ValueError('its own')\ncomm.Barrier()\nprint('through')\n"
    done, _ = ended(3, program, options=("-m", "mpi4py"))
    assert done.returncode != 0
    assert "through" not in done.stdout
    assert "ValueError: its own" in done.stderr
