"""The program forgets files, and Python collects them in a function that Onecast calls."""

import gc
import io
import threading
import time
import warnings

import h5py
import numpy as np
import pytest

import onecast
from onecast import events

OWN = 401  # a filter of this test


def forget(opened):
    """Makes a cycle of garbage that refers to it."""
    cycle = [opened]
    cycle.append(cycle)


def collect():
    gc.collect()


def collect_elsewhere():
    """Collects garbage like a file system whose requests go through a thread of its own."""
    thread = threading.Thread(target=gc.collect)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


class Calling(io.BytesIO):
    """Calls `first` in its next read."""

    first = None

    def readinto(self, into):
        call, self.first = self.first, None
        if call is not None:
            call()
        return super().readinto(into)


@pytest.fixture(params=[collect, collect_elsewhere])
def collecting(request):
    """Yields a file that is read, with an "x" of ones, and a function to call during a read."""
    target = Calling()
    with onecast.File(target, "w") as f:
        f["x"] = np.ones(500_000)
    gc.collect()
    gc.disable()
    yield target, request.param
    gc.enable()


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings(action="error"):
        yield


def new_file(path):
    f = onecast.File(path, "w")
    f["x"] = np.arange(5)
    return f


def expect_closed(path):
    with h5py.File(path, "r+") as f:
        assert f["x"][:].tolist() == [0, 1, 2, 3, 4]


def test_in_a_file_object(path, collecting):
    target, call = collecting
    forget(new_file(path))
    with onecast.File(target, load_policy="lazy") as f:
        target.first = call
        assert f["x"][:].sum() == 500_000
        assert target.first is None
        expect_closed(path)


def test_several(tmp_path, collecting):
    target, call = collecting
    paths = [tmp_path / f"{i}.h5" for i in range(5)]
    for path in paths:
        forget(new_file(path))
    memory = io.BytesIO()
    forget(new_file(memory))
    target.first = call
    with onecast.File(target):
        assert target.first is None
        for path in (*paths, memory):
            expect_closed(path)


def test_in_a_pending_call(path, collecting):
    target, call = collecting
    with onecast.File(target, load_policy="lazy") as f:
        x = f["x"]
        forget(new_file(path))
        target.first = call
        pending = x.read_async()
        assert pending.wait().sum() == 500_000
        assert target.first is None
        expect_closed(path)


@pytest.mark.parametrize("threads", [1, 4])
def test_in_a_filter(tmp_path, path, threads):
    calls = []

    def decode(stored, _):
        calls.append(gc.collect())
        return stored

    onecast.register_filter(OWN, "nothing", decode, lambda data, _: data)
    try:
        with onecast.File(tmp_path / "filtered.h5", "w") as f:
            f.create_dataset("x", data=np.arange(100), chunks=(10,), compression=OWN)
        with onecast.File(tmp_path / "filtered.h5", decode_threads=threads) as f:
            forget(new_file(path))
            assert f["x"][:].tolist() == list(range(100))
            expect_closed(path)
        assert calls
    finally:
        onecast.unregister_filter(OWN)


def test_events(path, collecting):
    pytest.importorskip("awkward")
    target, call = collecting
    writer = events.create(path)
    writer.append({"run": np.arange(3)})
    forget(writer)
    del writer
    target.first = call
    with onecast.File(target):
        assert target.first is None
        with events.open(path) as opened:
            assert opened["run"].to_list() == [0, 1, 2]


def test_what_closes_a_file_there_says_so(path, collecting):
    target, _ = collecting
    f = new_file(target2 := io.BytesIO())
    found = []

    def close():
        with pytest.raises(onecast.StateError, match="cannot use Onecast itself"):
            f.close()
        found.append(bool(f))

    target.first = close
    onecast.File(target).close()
    assert found == [True]
    f.close()
    expect_closed(target2)


def test_a_file_is_closed_at_once_while_another_thread_reads(tmp_path, path):
    with onecast.File(tmp_path / "read.h5", "w") as f:
        f.create_dataset("x", data=np.arange(2_000_000), chunks=(50_000,), compression="gzip")
    ends = threading.Event()

    def read():
        with onecast.File(tmp_path / "read.h5") as f:
            while not ends.is_set():
                assert f["x"][-1] == 1_999_999
                assert len(f["x"][:]) == 2_000_000

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for _ in range(20):
            f = new_file(path)
            time.sleep(0.001)
            f = None
            expect_closed(path)
    finally:
        ends.set()
        thread.join()
