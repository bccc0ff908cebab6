"""Calls that continue while Python does something else"""

import gc
import subprocess
import sys
import threading

import h5py
import numpy as np
import pytest

import onecast
from onecast._selection import select

GATE = 40322


@pytest.fixture
def gate():
    """Yields a filter that lets a write end only while it is open, and an event for its
    beginning."""
    begun, opened = threading.Event(), threading.Event()

    def encode(data, _):
        begun.set()
        assert opened.wait(60)
        return bytes(data)

    onecast.register_filter(GATE, "gate", lambda data, _: data, encode)
    yield begun, opened
    opened.set()
    onecast.unregister_filter(GATE)


def test_the_caller_goes_on(path, gate):
    begun, opened = gate
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (1000,), "i4", chunks=(1000,), compression=GATE)
        y = f.create_dataset("y", (1000,), "i4")
        values = np.arange(1000, dtype="i4")
        first = x.write_all_async(..., values)
        second = y.write_async(np.s_[:500], values[:500])
        assert begun.wait(60)
        assert not first.done and not second.done
        assert repr(first) == "<Pending call, under way>"
        assert x.shape == y.shape == (1000,) and y.dtype == "<i4"  # without waiting
        opened.set()
        assert second.wait() is None and second.done and first.done
        first.wait()
        assert (x[...] == values).all()
        assert repr(first) == "<Pending call, done>"
    onecast.unregister_filter(GATE)
    with h5py.File(path) as f:
        assert (f["y"][:500] == values[:500]).all() and not f["y"][500:].any()


def test_other_calls_wait(path, gate):
    begun, opened = gate
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (1000,), "i4", chunks=(1000,), compression=GATE)
        pending = x.write_async(..., np.arange(1000))
        threading.Thread(target=lambda: begun.wait(60) and opened.set()).start()
        f.attrs["after"] = 1
        assert pending.done


def test_reading(path):
    texts = np.array(["one", "another", "", "the last"], object)
    records = np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
    values = np.arange(12.0).reshape(3, 4)
    with h5py.File(path, "w") as f:
        f["values"], f["records"], f["scalar"] = values, records, 7
        f.create_dataset("texts", data=texts, dtype=h5py.string_dtype())
        f.create_dataset("chunks", data=values, chunks=(2, 2), compression="gzip")
        f["empty"] = h5py.Empty("f4")
    with onecast.File(path) as f:
        reads = [f["values"].read_async, f["values"].read_all_async, f["chunks"].read_all_async]
        pending = [read(np.s_[1:, ::2]) for read in reads]
        for call in pending:
            np.testing.assert_array_equal(call.wait(), values[1:, ::2])
            np.testing.assert_array_equal(call.wait(), values[1:, ::2])
        assert f["scalar"].read_all_async().wait() == 7
        assert f["texts"].read_all_async().wait().tolist() == f["texts"][...].tolist()
        assert (f["records"].read_async("a").wait() == [1, 3]).all()
        assert f["empty"].read_all_async().wait() == f["empty"][()]
        out = np.zeros((3, 4))
        call = f["chunks"].read_all_async(out=out, sharing="verify")
        assert call.wait() is out and (out == values).all()
        converted = np.zeros((2, 4), "f4", order="F")
        assert f["values"].read_async(slice(1, 3), converted).wait() is converted
        assert (converted == values[1:]).all()
        with pytest.raises(TypeError, match=r"shape \(3, 4\) was expected"):
            f["values"].read_async(out=np.zeros(4))
        with pytest.raises(TypeError, match="shape"):
            f["values"].read_all_async(out=np.zeros(4)).wait()


def test_many_in_order(path):
    with onecast.File(path, "w") as f:
        sets = [f.create_dataset(f"x{i}", (500,), "f8") for i in range(5)]
        names = f.create_dataset("names", (3,), onecast.string_dtype())
        for step in range(10):
            calls = [x.write_all_async(..., np.full(500, step + i)) for i, x in enumerate(sets)]
            calls.append(names.write_all_async(1, f"step {step}"))
            calls.append(f.flush_async())
            calls += [x.read_all_async() for x in sets]
            for i, call in enumerate(calls[-5:]):
                assert (call.wait() == step + i).all()
        del calls
    with h5py.File(path) as f:
        assert all((f[f"x{i}"][...] == 9 + i).all() for i in range(5))
        assert f["names"].asstr()[...].tolist() == ["", "step 9", ""]


def test_errors(path):
    with onecast.File(path, "w") as f:
        f["x"] = np.arange(10)
    with onecast.File(path) as f:
        x = f["x"]
        call = x.write_all_async(..., np.arange(10))
        for _ in range(2):
            with pytest.raises(ValueError, match="reading only"):
                call.wait()
        call = x.write_all_async(np.s_[:4], np.arange(3))  # numpy's error comes later, too
        with pytest.raises(TypeError):
            call.wait()
        with pytest.raises(TypeError):
            x.write_async(np.s_[:4], np.arange(3))
        with pytest.raises(ValueError, match="reading only"):
            x.write_async(..., np.arange(10)).wait()
    with pytest.raises(ValueError, match="closed"):
        x.read_async()


def test_an_error_that_nobody_heard(path):
    """The next flush or close raises it, once."""
    f = onecast.File(path, "w")
    x = f.create_dataset("x", (10,), "i4")
    everything = select((10,), ...).part
    calls = [x._object.write_async(np.arange(3, dtype="i4"), everything)]
    f.attrs["kept"] = 1
    calls.clear()
    gc.collect()
    with pytest.raises(ValueError, match="bytes given"):
        f.flush()
    f.flush()
    call = x._object.write_async(np.arange(3, dtype="i4"), everything)
    with pytest.raises(ValueError, match="bytes given"):
        f.close()
    assert not f
    with pytest.raises(ValueError, match="bytes given"):
        call.wait()
    with h5py.File(path) as f:
        assert f.attrs["kept"] == 1


def test_arrays_are_kept(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (100_000,), "f8")
        call = x.write_async(..., np.arange(100_000.0))
        gc.collect()
        call.wait()
        del call
        x.write_async(..., x[...] + 1)  # nobody waits for it, so it waits when it is freed
        assert x[7] == 8
    with h5py.File(path) as f:
        assert (f["x"][...] == np.arange(100_000.0) + 1).all()


def test_many_threads(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (40, 1000), "i4")
        y = f.create_dataset("y", (40, 1000), "i4", chunks=(3, 400), compression="gzip")

        def write(first):
            for row in range(first, 40, 4):
                call = x.write_async(row, np.full(1000, row, "i4"))
                y[row] = row
                call.wait()
                assert (x[row] == row).all() and x.shape == (40, 1000)

        threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (x[...] == y[...]).all() and (x[:, 0] == np.arange(40)).all()


WRITE = """
levels = {"multiple": MPI.THREAD_MULTIPLE, "serialized": MPI.THREAD_SERIALIZED}
assert MPI.Query_thread() == levels[sys.argv[2]]
steps, n = 4, 30_000
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    x = f.create_dataset("x", (steps, n), "i4")
    c = f.create_dataset("c", (steps, n), "i4", chunks=(1, 7000), compression="gzip")
    mine = slice(n * rank // size, n * (rank + 1) // size)
    for step in range(steps):
        values = np.arange(mine.start, mine.stop, dtype="i4") + step
        calls = [d.write_all_async((step, mine), values) for d in (x, c)]
        calls.append(f.flush_async())
        back = x.read_all_async(step)
        if sys.argv[2] != "multiple":
            assert all(call.done for call in calls)
        for call in calls:
            call.wait()
        assert (back.wait() == np.arange(n) + step).all()
    # Lists of datasets.
    call = f.write_multi_async([(x, (0, mine), values), (c, (0, mine), values)])
    back = f.read_multi_async([(x, 0), (c, (0, mine))])
    call.wait()
    whole, part = back.wait()
    assert (whole == np.arange(n) + steps - 1).all() and (part == values).all()
    call = f.write_multi_async([(d, (0, mine), values - (steps - 1)) for d in (x, c)])
    call.wait()
    # What is wrong on one rank is raised on all.
    some = np.arange(3) if rank == size - 1 else np.arange(mine.start, mine.stop, dtype="i4")
    call = x.write_all_async((0, mine), some)
    texts = same_everywhere(call.wait, TypeError, ValueError)
    assert all("Can't broadcast (3,)" in text for text in texts), texts
    call = x.read_all_async((0, slice(0, 4)), out=np.empty(3 if rank == 0 else 4, "i4"))
    same_everywhere(call.wait, TypeError, ValueError)
    call = f.write_multi_async([(c, (0, mine), values), (x, (0, mine), some)])
    same_everywhere(call.wait, TypeError, ValueError)
    call = f.read_multi_async([(x, 0), (c, (5 if rank == 0 else 0, mine))])
    same_everywhere(call.wait, IndexError, ValueError)
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_on_ranks(mpirun, path, ranks):
    mpirun(ranks, WRITE, path, "multiple")
    check(path)


def test_with_a_lower_thread_level(mpirun, path):
    """Each call is complete when it was begun."""
    level = 'import mpi4py\nmpi4py.rc.thread_level = "serialized"\n'
    mpirun(2, WRITE, path, "serialized", before=level)
    check(path)


def check(path):
    with h5py.File(path) as f:
        for step in range(4):
            for name in "xc":
                np.testing.assert_array_equal(f[name][step], np.arange(30_000) + step)


@pytest.mark.parametrize("how", ["read_async", "read_all_async", "read_multi_async"])
@pytest.mark.parametrize("later", ["new %d", "a longer one %d"])
def test_values_of_variable_length_are_those_of_the_read(path, how, later):
    """Values are looked up in the file, where later writes and flushes replace them."""
    old = [b"old %d" % i for i in range(20)]

    def begin(f):
        if how == "read_multi_async":
            return f.read_multi_async([(f["n"], ()), (f["s"], ())])
        return getattr(f["s"], how)(())

    def outcome(reading):
        return list(reading.wait()[1] if how == "read_multi_async" else reading.wait())

    with onecast.File(path, "w") as f:
        f["n"] = [1, 2]
        f.create_dataset("s", data=np.array(old, object), dtype=onecast.string_dtype())
        f.flush()
        reading = begin(f)
        for _ in range(4):
            f["s"][()] = np.array([later % i for i in range(20)], object)
            f.flush()
        assert outcome(reading) == old
        f["s"][()] = np.array(old, object)
        reading = begin(f)
    assert outcome(reading) == old  # after close, too


@pytest.mark.leaves_damage
def test_values_that_are_damaged_raise_in_wait(path):
    with onecast.File(path, "w") as f:
        f["s"] = np.array(["some text"] * 3, object)
    data = bytearray(path.read_bytes())
    at = data.index(b"GCOL")
    data[at : at + 4] = b"XXXX"
    path.write_bytes(data)
    with onecast.File(path) as f:
        reading = f["s"].read_async(())
        for _ in range(2):
            with pytest.raises(onecast.FormatError, match="Signature"):
                reading.wait()


FORK = """
import os, signal, sys
import numpy as np
import onecast

def child(work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print("child:", repr(error), flush=True)
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0, work

path = sys.argv[1]
with onecast.File(path, "w") as f:
    f["x"] = np.arange(1000)
with onecast.File(path) as f:
    read = lambda: f["x"].read_async(slice(3)).wait().tolist()
    def reads():
        assert read() == [0, 1, 2]
        assert f["x"][:3].tolist() == [0, 1, 2]
        assert read() == [0, 1, 2]
    child(reads)
    reads()
    child(reads)
    child(lambda: child(reads))
    child(lambda: f.close())
with onecast.File(path, "w") as f:
    x = f.create_dataset("x", (30_000_000,), "i4")
    writing = x.write_async((), np.ones(30_000_000, "i4"))
    if not writing.done:
        def waits():
            f["x"][:3]
            for _ in range(2):
                try:
                    writing.wait()
                except ValueError as error:
                    assert "forked" in str(error), error
                else:
                    assert writing.done
            x.read_async(slice(3)).wait()
        child(waits)
    writing.wait()
    assert (x[:] == 1).all()
"""


def test_a_fork(tmp_path):
    """A forked process has no thread that carries out calls until it begins one itself."""
    done = subprocess.run(
        [sys.executable, "-c", FORK, str(tmp_path / "a.h5")],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
