"""A process that is forked while other threads are inside calls can use Onecast."""

import io
import os
import signal
import threading
import time

import h5py
import numpy as np
import pytest

import onecast

PATIENCE = 20  # seconds
FORKS = 15


def in_a_child(work):
    """Runs `work` in a forked process, which must end successfully."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException as error:
            os.write(2, f"child: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the forked process hangs")


class Busy:
    """Threads that are inside calls all the time"""

    def __init__(self, *works):
        self.ends = False
        self.errors = []
        self.threads = [threading.Thread(target=self.repeat, args=(w,)) for w in works]

    def repeat(self, work):
        try:
            while not self.ends:
                work()
        except Exception as error:
            self.errors.append(error)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        for thread in self.threads:
            thread.join(60)
        assert not self.errors


@pytest.fixture
def read(tmp_path):
    """Yields a file that is open for reading, with chunks to decode and many objects."""
    with h5py.File(tmp_path / "read.h5", "w") as f:
        f.create_dataset("chunked", data=np.arange(200_000), chunks=(5000,), compression=1)
        for i in range(300):
            f[f"many/{i}"] = i
    with onecast.File(tmp_path / "read.h5") as f:
        yield f


def works(tmp_path, read):
    def write():
        with onecast.File(tmp_path / "written.h5", "w") as f:
            f.create_dataset("x", data=np.arange(50_000), chunks=(1000,), compression=1)
            f.flush()
            f["y"] = 1

    def sessions():
        with onecast.File(tmp_path / "sessions.h5", "a") as f:
            f.attrs["n"] = f.attrs.get("n", 0) + 1

    def look():
        assert read["many/7"][()] == 7
        read["chunked"][::7]
        with onecast.File(tmp_path / "read.h5", locking=False, load_policy="lazy") as f:
            assert f["many/299"][()] == 299

    def objects():
        target = io.BytesIO()
        with onecast.File(target, "w") as f:
            f["x"] = np.arange(1000)

    def registers():
        onecast.register_filter(30000, "test", bytes, bytes)
        onecast.unregister_filter(30000)

    return {
        "write": [write],
        "sessions": [sessions],
        "look": [look, look],
        "objects": [objects],
        "registers": [registers],
        "all": [write, sessions, look, look, objects, registers],
    }


def uses(folder):
    def use():
        path = folder / f"{os.getpid()}.h5"
        with onecast.File(path, "w") as f:
            f.create_dataset("x", data=np.arange(50_000), chunks=(1000,), compression=1)
            f.create_group("g")
        with onecast.File(path) as f:
            np.testing.assert_array_equal(f["x"][::3], np.arange(50_000)[::3])
        target = io.BytesIO()
        with onecast.File(target, "w") as f:
            f["x"] = 1
        path.unlink()

    return use


@pytest.mark.parametrize("busy", ["write", "sessions", "look", "objects", "registers", "all"])
@pytest.mark.timeout(300)
def test_the_child_uses_files_of_its_own(tmp_path, read, busy):
    with Busy(*works(tmp_path, read)[busy]):
        for _ in range(FORKS):
            in_a_child(uses(tmp_path))
    onecast.File(tmp_path / "after.h5", "w").close()


@pytest.mark.timeout(300)
def test_the_child_reads_what_the_parent_reads(tmp_path, read):
    def look():
        for i in range(300):
            assert read[f"many/{i}"][()] == i
        np.testing.assert_array_equal(read["chunked"][:], np.arange(200_000))

    with Busy(look, *works(tmp_path, read)["all"]):
        for _ in range(FORKS):
            in_a_child(look)


class Slow(io.BytesIO):
    """A file object whose first write takes long"""

    def __init__(self):
        super().__init__()
        self.is_inside = threading.Event()
        self.goes_on = threading.Event()

    def write(self, data):
        self.is_inside.set()
        self.goes_on.wait(60)
        return super().write(data)


@pytest.mark.timeout(120)
def test_forked_in_the_middle_of_a_long_call(tmp_path):
    """The new process cannot use the file that the call changes, but it can use others."""
    slow = Slow()
    f = onecast.File(slow, "w")
    other = onecast.File(tmp_path / "other.h5", "w")
    other["x"] = 1
    thread = threading.Thread(target=lambda: f.create_dataset("x", data=np.zeros(100_000)))
    thread.start()
    assert slow.is_inside.wait(60)

    def use():
        uses(tmp_path)()
        with pytest.raises(ValueError, match="closed"):
            other.create_group("g")

    in_a_child(use)
    slow.goes_on.set()
    thread.join(60)
    f.close()
    other.close()
    with h5py.File(tmp_path / "other.h5") as f:
        assert f["x"][()] == 1


def test_a_child_does_not_keep_the_lock_of_a_closed_file(tmp_path):
    path = tmp_path / "a.h5"
    f = onecast.File(path, "w")
    ends, end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(end)
        os.read(ends, 1)
        os._exit(0)
    f.close()
    try:
        with h5py.File(path, "r+") as f:  # which the other process still has open
            f["x"] = 1
    finally:
        os.close(end)
        os.waitpid(child, 0)


def test_a_child_that_ends_does_not_unlock(tmp_path):
    path = tmp_path / "a.h5"
    with onecast.File(path, "w") as f:
        child = os.fork()
        if child == 0:
            del f
            os._exit(0)
        os.waitpid(child, 0)
        with pytest.raises(OSError, match="lock"):
            h5py.File(path, "r+")


@pytest.mark.parametrize("flushed", [False, True])
def test_a_child_that_gives_up_a_new_file_leaves_it_alone(tmp_path, flushed):
    path = tmp_path / "new.h5"
    f = onecast.File(path, "w")
    f["large"] = np.arange(50_000)
    if flushed:
        f.flush()
    f["more"] = 1

    before = path.read_bytes()
    in_a_child(lambda: f.abandon("tired"))
    assert path.read_bytes() == before
    f.close()
    with h5py.File(path) as f:
        assert f["large"][-1] == 49_999 and f["more"][()] == 1
