"""Writing for readers in other processes (SWMR): after every write call the file is sound, for the
HDF5 library and for Onecast"""

import io
import os
import random
import subprocess
import sys
from contextlib import suppress
from shutil import which

import h5py
import numpy as np
import pytest
import swmr_model

import onecast

FLAGS_AT = 11


class Recorded(io.BytesIO):
    """Keeps its bytes after every write, once `images` is a list. Fails after `left` writes."""

    images = None
    left = None

    def write(self, data):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise OSError(28, "no space")
        count = super().write(data)
        if self.images is not None:
            self.images.append(self.getvalue())
        return count


def flags(path):
    with open(path, "rb") as file:
        return file.read(48)[FLAGS_AT]


def new_file(path, **more):
    f = onecast.File(path, "w", profile="latest")
    f.create_dataset("x", (0,), "i8", maxshape=(None,), chunks=(8,), **more)
    return f


def test_the_flags_are_set_and_cleared(path):
    f = new_file(path)
    assert not f.swmr_mode
    f.swmr_mode = True
    assert f.swmr_mode and f["x"].file.swmr_mode and flags(path) == 5
    f["x"].resize((9,))
    f["x"][:] = range(9)
    f["x"].flush()
    assert flags(path) == 5
    with h5py.File(path, swmr=True) as read:
        assert read["x"][:].tolist() == list(range(9))
    f.close()
    assert flags(path) == 0
    assert onecast.check(path, data=True)["findings"] == []
    with h5py.File(path, "r+") as f:
        f["y"] = f["x"][:]


def test_opened_for_readers(path):
    new_file(path).close()
    with onecast.File(path, "r+", swmr=True) as f:
        assert f.swmr_mode and flags(path) == 5
    assert flags(path) == 0


def test_what_cannot_begin(path, tmp_path, mpirun):
    with onecast.File(path, "w") as f:
        with pytest.raises(onecast.UnsupportedError, match='profile "latest"'):
            f.swmr_mode = True
        assert not f.swmr_mode
        f["x"] = 1
    with pytest.raises(onecast.UnsupportedError, match='profile "latest"'):
        onecast.File(path, "r+", swmr=True)
    with onecast.File(path) as f, pytest.raises(ValueError, match="swmr=True"):
        f.swmr_mode = True
    with new_file(tmp_path / "new.h5") as f:
        with f.independent(), pytest.raises(ValueError, match="independent"):
            f.swmr_mode = True
        f.swmr_mode = True
        with pytest.raises(ValueError, match="begun already"):
            f.swmr_mode = True
        with pytest.raises(ValueError, match="ends when"):
            f.swmr_mode = False
    mpirun(
        2,
        """
with onecast.File(sys.argv[1], "w", profile="latest", comm=comm) as f:
    def start():
        f.swmr_mode = True
    found = same_everywhere(start, onecast.UnsupportedError)
    assert all("several ranks" in text for text in found)
    f["x"] = 1
""",
        path,
    )


def test_objects_cannot_be_created_or_removed(path):
    with new_file(path) as f:
        f.create_group("g")
        f.swmr_mode = True
        before = path.read_bytes()
        for change in (
            lambda: f.create_group("h"),
            lambda: f.create_dataset("d", data=[1]),
            lambda: f.create_dataset(None, data=[1]),
            lambda: f.__setitem__("t", np.dtype("i4")),
            lambda: f.__setitem__("s", onecast.SoftLink("/x")),
            lambda: f.__delitem__("g"),
            lambda: f.move("g", "k"),
            lambda: f.copy("x", "y"),
            lambda: f.require_group("new/er"),
            lambda: f.adopt(),
            lambda: f.independent().__enter__(),
        ):
            with pytest.raises(onecast.StateError, match="SWMR"):
                change()
        assert f.require_group("g").name == "/g"
        f.flush()
        assert path.read_bytes() == before
        assert list(f) == ["x", "g"]


def test_a_forgotten_or_failing_program_leaves_no_mark(path):
    with pytest.raises(ZeroDivisionError), new_file(path) as f:
        f.swmr_mode = True
        f["x"].resize((3,))
        f.flush()
        1 / 0  # noqa: B018
    assert flags(path) == 0
    with h5py.File(path) as f:
        assert f["x"].shape == (3,)


def change(f, model, rng):
    for one in model.change(rng):
        one.apply(f)


@pytest.mark.parametrize("seed", range(3))
def test_the_file_is_sound_after_every_write(tmp_path, seed):
    rng = random.Random(seed)
    model = swmr_model.Model()
    target = Recorded()
    f = swmr_model.make(target, onecast)
    f.swmr_mode = True
    seen = tmp_path / "seen.h5"
    looks = 0

    def look(image):
        seen.write_bytes(image)
        with h5py.File(seen, "r", swmr=True, locking=False) as read:
            model.compare(swmr_model.contents_of(read))
        with onecast.File(seen, follow=True) as read:
            model.compare(swmr_model.contents_of(read))
        # The writer is killed here.
        assert onecast.recover(seen) == "unmarked"
        assert onecast.check(seen, data=True)["findings"] == []
        with h5py.File(seen, "r+") as read:
            model.compare(swmr_model.contents_of(read))
            read["further"] = np.arange(5000)

    for _ in range(6):
        change(f, model, rng)
        target.images = []
        f.flush()
        for image in target.images:
            look(image)
        looks += len(target.images)
        target.images = None
        model.flushed()
    assert looks > 30
    f.close()
    seen.write_bytes(target.getvalue())
    assert onecast.check(seen, data=True)["findings"] == []
    with h5py.File(seen) as read:
        model.flushed()
        model.compare(swmr_model.contents_of(read))


def test_failing_writes_leave_a_sound_file(tmp_path):
    """Each write of a flush fails once; the flush is tried again after further changes"""
    rng = random.Random(7)
    model = swmr_model.Model()
    target = Recorded()
    f = swmr_model.make(target, onecast)
    f.swmr_mode = True
    seen = tmp_path / "seen.h5"

    for failing in range(25):
        change(f, model, rng)
        target.images = []
        target.left = failing % 12
        with suppress(OSError):
            f.flush()
        target.left = None
        model.tried()
        change(f, model, rng)
        f.flush()
        for image in target.images:
            seen.write_bytes(image)
            with h5py.File(seen, "r", swmr=True, locking=False) as read:
                model.compare(swmr_model.contents_of(read))
        target.images = None
        model.flushed()
    f.close()
    seen.write_bytes(target.getvalue())
    assert onecast.check(seen, data=True)["findings"] == []


class FailsOnce(Recorded):
    def write(self, data):
        if self.left == 0:
            self.left = None
            raise OSError(28, "no space")
        if self.left is not None:
            self.left -= 1
        return io.BytesIO.write(self, data)


@pytest.mark.parametrize("failing", range(8))
def test_a_last_flush_that_fails_leaves_no_mark(failing):
    target = FailsOnce()
    f = new_file(target)
    f.swmr_mode = True
    f["x"].resize((9,))
    f["x"].attrs["n"] = 1
    f.flush()
    target.left = failing
    with suppress(OSError):
        f.close()
    assert target.getvalue()[FLAGS_AT] == 0
    target.left = None
    with h5py.File(target) as f:
        assert f["x"].shape == (9,)


@pytest.mark.parametrize("failing", range(12))
def test_a_beginning_that_fails(failing):
    target = FailsOnce()
    f = new_file(target)
    target.left = failing
    with suppress(OSError):
        f.swmr_mode = True
    target.left = None
    assert f.swmr_mode == (len(target.getvalue()) > 48 and target.getvalue()[FLAGS_AT] == 5)
    f.close()
    assert target.getvalue()[FLAGS_AT] == 0


def test_a_killed_writer(path):
    """A process that is killed, with its readers"""
    program = """
import sys, onecast
f = onecast.File(sys.argv[1], "w", profile="latest")
f.create_dataset("x", (0,), "i8", maxshape=(None,), chunks=(4,))
f.swmr_mode = True
print("ready", flush=True)
for n in range(1, 1 << 30):
    f["x"].resize((n,))
    f["x"][n - 1] = n
    f.flush()
"""
    writer = subprocess.Popen(
        [sys.executable, "-c", program, path], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "ready\n"
    with onecast.File(path, follow=True) as f:
        while f["x"].shape[0] < 200:
            f.refresh()
        with pytest.raises(BlockingIOError):
            onecast.recover(path)
        writer.kill()
        writer.wait()
        f.refresh()
        rows = f["x"].shape[0]
        assert f["x"][:].tolist() == list(range(1, rows + 1))
    with h5py.File(path, swmr=True) as f:
        assert f["x"][:].tolist() == list(range(1, rows + 1))
    assert onecast.recover(path) == "unmarked"
    with h5py.File(path, "r+") as f:
        assert f["x"][:].tolist() == list(range(1, rows + 1))
    assert not os.path.exists(f"{path}.onecast-journal")


def test_tools_of_the_hdf5_library(path):
    if which("h5dump") is None or which("h5clear") is None:
        pytest.skip("no h5dump or no h5clear")
    f = new_file(path)
    f.swmr_mode = True
    f["x"].resize((3,))
    f["x"][:] = 7
    f.flush()
    killed = path.with_name("killed.h5")
    killed.write_bytes(path.read_bytes())
    f.close()
    subprocess.run(["h5clear", "-s", killed], check=True)
    with h5py.File(killed, "r+") as f:
        assert f["x"][:].tolist() == [7, 7, 7]
    for name in (killed, path):
        shown = subprocess.run(["h5dump", "-d", "x", name], capture_output=True, text=True)
        assert "7, 7, 7" in shown.stdout


def test_a_file_of_the_hdf5_library(path):
    """It has no page list, and headers and arrays as that library makes them"""
    swmr_model.make(path, h5py).close()
    model = swmr_model.Model()
    rng = random.Random(3)
    with onecast.File(path, "r+", swmr=True) as f:
        for _ in range(30):
            change(f, model, rng)
            f.flush()
            model.flushed()
            with h5py.File(path, "r", swmr=True) as read:
                model.compare(swmr_model.contents_of(read))
    with h5py.File(path, "r+") as f:
        model.compare(swmr_model.contents_of(f))
    assert onecast.check(path, data=True)["findings"] == []
