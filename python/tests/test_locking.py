"""Locks on files: a second writer, and readers that meet a writer; also with h5py"""

import errno
import os
import subprocess
import sys

import h5py
import pytest

import onecast


@pytest.fixture(autouse=True)
def no_variable(monkeypatch):
    monkeypatch.delenv("HDF5_USE_FILE_LOCKING", raising=False)


@pytest.fixture
def made(path):
    with onecast.File(path, "w") as f:
        f["x"] = 1
    return path


HOLDER = """
import sys
import {library} as library
f = library.File(sys.argv[1], sys.argv[2])
print("open", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def hold():
    """hold(library, path, mode) makes another process have the file open."""
    processes = []

    def start(library, path, mode):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER.format(library=library), str(path), mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        assert process.stdout.readline() == "open\n"
        return process

    yield start
    for process in processes:
        process.communicate("\n", timeout=60)


@pytest.mark.parametrize("library", ["h5py", "onecast"])
@pytest.mark.parametrize("theirs", ["r", "r+"])
@pytest.mark.parametrize("mode", ["r", "r+", "a", "w"])
def test_two_processes(made, hold, library, theirs, mode):
    hold(library, made, theirs)
    if theirs == "r" and mode == "r":
        assert onecast.File(made)["x"][()] == 1
        return
    content = made.read_bytes()
    with pytest.raises(BlockingIOError, match="locked: ") as raised:
        onecast.File(made, mode)
    assert raised.value.errno == errno.EAGAIN
    expected = f"it is open elsewhere, for {'reading' if theirs == 'r' else 'writing'}"
    assert expected in str(raised.value)
    assert "HDF5_USE_FILE_LOCKING" in str(raised.value)
    assert made.read_bytes() == content, "it was not replaced"
    if library == "onecast" or theirs == "r":
        with onecast.File(made, "r", locking=False) as f:
            assert f["x"][()] == 1


@pytest.mark.parametrize(("ours", "theirs"), [("r", "r+"), ("r+", "r"), ("r+", "r+"), ("w", "r")])
def test_h5py_respects_it(made, ours, theirs):
    with onecast.File(made, ours), pytest.raises(OSError, match="unable to lock file"):
        h5py.File(made, theirs)
    with h5py.File(made, "r+"):
        pass


def test_readers_share(made):
    with onecast.File(made), onecast.File(made), h5py.File(made) as f:
        assert f["x"][()] == 1


def test_the_option(made, hold):
    hold("onecast", made, "r+")
    for mode in ("r", "r+"):
        onecast.File(made, mode, locking=False).close()
        with pytest.raises(BlockingIOError):
            onecast.File(made, mode, locking="best-effort")
        with pytest.raises(BlockingIOError):
            onecast.File(made, mode, locking=None)
    for wrong in ("maybe", 2):
        with pytest.raises(ValueError, match="locking: one of on, off, best_effort"):
            onecast.File(made, locking=wrong)


@pytest.mark.parametrize("value", ["FALSE", "0"])
def test_the_variable_turns_it_off(made, monkeypatch, hold, value):
    hold("onecast", made, "r+")
    monkeypatch.setenv("HDF5_USE_FILE_LOCKING", value)
    onecast.File(made, locking=True).close()


@pytest.mark.parametrize("value", ["TRUE", "1", "BEST_EFFORT"])
def test_the_variable_turns_it_on(made, monkeypatch, hold, value):
    hold("onecast", made, "r+")
    monkeypatch.setenv("HDF5_USE_FILE_LOCKING", value)
    with pytest.raises(BlockingIOError):
        onecast.File(made, locking=False)


NO_LOCKS = """
#include <errno.h>
#include <stdlib.h>
int flock(int descriptor, int operation) { errno = atoi(getenv("NO_LOCKS")); return -1; }
"""


@pytest.mark.parametrize("reason", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_a_file_system_without_locks(made, tmp_path, reason):
    (tmp_path / "no_locks.c").write_text(NO_LOCKS)
    library = tmp_path / "no_locks.so"
    command = ["cc", "-shared", "-fPIC", "-o", library, tmp_path / "no_locks.c"]
    if subprocess.run(command, check=False).returncode != 0:
        pytest.skip("no C compiler")
    program = """
import sys, onecast
for locking in (True, False, "best-effort"):
    try:
        onecast.File(sys.argv[1], "r+", locking=locking).close()
        print("opened")
    except OSError as error:
        print(error.errno, "the file system has no locks" in str(error))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, made],
        env=os.environ | {"LD_PRELOAD": str(library), "NO_LOCKS": str(reason)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [f"{reason} True", "opened", "opened"]


def test_links_back_to_a_file_that_is_written(made):
    with h5py.File(made, "r+") as f:
        f["back"] = h5py.ExternalLink(os.fspath(made), "/x")
    with onecast.File(made, "r+") as f:
        assert f["back"][()] == 1


def test_one_rank_locks_for_all(mpirun, path):
    output = mpirun(
        3,
        """
f = onecast.File(sys.argv[1], "w", comm=comm)
x = f.create_dataset("x", (30,), "i4")
x.write_all(slice(10 * comm.rank, 10 * comm.rank + 10), comm.rank)
if rank == 1:
    for mode in ("r", "r+", "w"):
        try:
            onecast.File(sys.argv[1], mode)
            print("opened")
        except BlockingIOError as error:
            assert "this process has it open for writing already" in str(error), error
comm.Barrier()
f.close()
f = onecast.File(sys.argv[1], "r", comm=comm)
g = onecast.File(sys.argv[1], "r")
assert g["x"][29] == f["x"][29] == 2
""",
        path,
    )
    assert "opened" not in output
