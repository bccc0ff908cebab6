"""Files that a program forgets to close, and files that outlive MPI"""

import subprocess
import sys
from pathlib import Path

import h5py
import pytest

import onecast

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(tmp_path, program, *options):
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_file_of_one_process_is_closed_at_exit(tmp_path):
    program = """
import onecast
f = onecast.File("left.h5", "w")
f["x"] = [1, 2, 3]
"""
    assert run(tmp_path, program, "-W", "error") == ""
    with h5py.File(tmp_path / "left.h5") as f:
        assert f["x"][:].tolist() == [1, 2, 3]


def test_a_file_that_was_read_is_closed_at_exit(path, tmp_path):
    onecast.File(path, "w").close()
    assert run(tmp_path, f"import onecast; f = onecast.File({str(path)!r})", "-W", "error") == ""


FORKED = """
import os, sys
import onecast
f = onecast.File("f.h5", "w")
f["x"] = 1
f.flush()
f["y"] = [2] * 5000
f.flush()
assert os.path.exists("f.h5.onecast-journal")
f["z"] = 3
read, write = os.pipe()
child = os.fork()
if child == 0:
    os.read(read, 1)
    if sys.argv[1] == "forget":
        f = None
    sys.exit(0)
f["more"] = [4] * 5000
f.flush()
os.write(write, b"!")
os.waitpid(child, 0)
assert os.path.exists("f.h5.onecast-journal")
if sys.argv[1] != "end":
    f["last"] = 5
    f.close()
"""


@pytest.mark.parametrize("how", ["exit", "forget", "end"])
def test_a_forked_process_does_not_close_the_file(tmp_path, how):
    program = tmp_path / "program.py"
    program.write_text(FORKED)
    subprocess.run([sys.executable, program, how], cwd=tmp_path, check=True, timeout=120)
    assert not (tmp_path / "f.h5.onecast-journal").exists()
    with h5py.File(tmp_path / "f.h5") as f:
        assert sorted(f) == sorted(["x", "y", "z", "more"] + ["last"] * (how != "end"))
        assert f["more"][:].tolist() == [4] * 5000
    assert not onecast.check(tmp_path / "f.h5")["findings"]


LEFT_OPEN = """
import os
os.dup2(1, 2)  # what is said on stderr is looked at
f = onecast.File("left.h5", "w", comm=comm)
f["x"] = 1
f.flush()
f["y"] = 1
read = onecast.File("other.h5", comm=comm)
"""


def test_a_file_of_many_is_named_at_exit(tmp_path, mpirun):
    onecast.File(tmp_path / "other.h5", "w").close()
    said = mpirun(2, LEFT_OPEN, own=True)
    text = "left.h5: was not closed; changes since the last flush are lost"
    assert said.count(text) == 2, said
    assert "UnclosedFileWarning" in said
    assert "onecast: warning" not in said
    assert "other.h5" not in said
    with h5py.File(tmp_path / "left.h5") as f:
        assert list(f) == ["x"]


AFTER_FINALIZE = """
f = onecast.File("late.h5", "w", comm=comm)
x = f.create_dataset("x", data=[1, 2, 3])
f.flush()
f["y"] = 1
read = onecast.File("read.h5", comm=comm)
MPI.Finalize()
assert list(x[:]) == [1, 2, 3]
assert list(read["x"][:]) == [4, 5]
read.close()
alone = size == 1  # then nobody needs to be met
for call in (() if alone else (x.read_all,)) + (f.flush, f.close):
    try:
        call()
    except (ValueError, RuntimeError) as error:
        assert "inalized" in str(error), error
    else:
        raise AssertionError(call)
assert not f
f.close()
try:
    onecast.File("late.h5", comm=comm)
except ValueError as error:
    assert "inalized" in str(error), error
"""


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_closing_after_finalize_is_an_error(tmp_path, mpirun, ranks):
    with onecast.File(tmp_path / "read.h5", "w") as f:
        f["x"] = [4, 5]
    mpirun(ranks, AFTER_FINALIZE, own=True)
    with h5py.File(tmp_path / "late.h5") as f:
        assert list(f) == ["x"]


FORGOTTEN_AFTER_FINALIZE = """
import os
os.dup2(1, 2)
f = onecast.File("late.h5", "w", comm=MPI.COMM_SELF)
MPI.Finalize()
"""


def test_forgetting_a_file_until_mpi_is_finalized_warns(mpirun):
    said = mpirun(1, FORGOTTEN_AFTER_FINALIZE, own=True)
    assert "late.h5: was not closed, and cannot be now" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py"), key=str), ids=lambda p: p.name)
def test_examples_close_their_files(tmp_path, example):
    if example.stem.startswith("gpu"):
        pytest.importorskip("cupy", reason="it needs arrays of a GPU; tests/device runs it")
    if example.stem.endswith("_mpi") and not onecast.have_mpi:
        pytest.skip("Onecast was built without MPI")
    assert run(tmp_path, example.read_text(), "-W", "error") == ""


READING = """
import sys, threading, time, io
import numpy as np
import onecast

def slowly(self, into):
    time.sleep(0.0005)
    return io.BytesIO.readinto(self, into)

class Slow(io.BytesIO):
    readinto = slowly

kind = sys.argv[1]
if kind == "filter":
    onecast.register_filter(400, "nothing", lambda b, _: bytes(bytearray(b)), lambda b, _: b)
chunks = {"chunks": (100,), "compression": 400} if kind == "filter" else {}
target = Slow() if kind in ("object", "pending") else "f.h5"
f = onecast.File(target, "w")
f.create_dataset("x", data=np.arange(5000.0), **chunks)
if kind != "writable":
    f.close()
    f = onecast.File(target, decode_threads=2, load_policy="lazy")
x = f["x"]
if kind == "events":
    from onecast import events
    writer = events.create("e.h5")
if kind == "held":
    onecast.register_filter(401, "own", lambda b, _: (x, b)[1])
    sys.exit()

def read():
    while True:
        if kind == "pending":
            assert x.read_async().wait()[7] == 7
        elif kind == "events":
            writer.append({"a": np.arange(10)})
        elif kind == "opening":
            onecast.File("f.h5")["x"][7]
        else:
            assert x[::2][7] == 14

for _ in range(3):
    threading.Thread(target=read, daemon=True).start()
time.sleep(0.05)
"""


KINDS = ["path", "writable", "object", "filter", "pending", "held", "events", "opening"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_thread_that_reads_at_the_end(tmp_path, kind):
    program = tmp_path / "program.py"
    if kind == "events":
        pytest.importorskip("awkward")
    program.write_text(READING)
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, program, kind],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    if kind in ("writable", "events"):
        name = {"writable": "f.h5", "events": "e.h5"}[kind]
        with h5py.File(tmp_path / name) as f:
            assert len(f)
