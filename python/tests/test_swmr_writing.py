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


KINDS = {
    "extensible array": {"shape": (0,), "maxshape": (None,), "chunks": (2,)},
    "filtered": {"shape": (0,), "maxshape": (None,), "chunks": (3,), "compression": "gzip"},
    "fixed array": {"shape": (400,), "maxshape": (400,), "chunks": (2,)},
    "large fixed array": {"shape": (5000,), "maxshape": (5000,), "chunks": (1,)},
    "btree": {"shape": (0, 0), "maxshape": (None, None), "chunks": (2, 2)},
    "one chunk": {"shape": (50,), "maxshape": (50,), "chunks": (50,)},
    "contiguous": {"shape": (40,)},
}


class Model:
    """What the last flush of a writer left, what each flush that failed since may have written, and
    what the next one writes."""

    def __init__(self):
        self.now = {}
        self.states = []

    def tried(self):
        self.states.append({name: value.copy() for name, value in self.now.items()})

    def flushed(self):
        self.states = []
        self.tried()

    def compare(self, f):
        """Each dataset has the shape of a state, and each element the value that it has in one;
        those that the first state did not have yet, in a state with that shape."""
        for name in KINDS:
            states = [state[name] for state in [*self.states, self.now]]
            found = f[name][...]
            grown = np.ones(found.shape, bool)
            grown[tuple(map(slice, states[0].shape))] = False
            known = np.zeros(found.shape, bool)
            for state in states:
                part = tuple(map(slice, np.minimum(found.shape, state.shape)))
                known[part] |= found[part] == state[part]
            assert found.shape in [state.shape for state in states], (name, found.shape)
            assert known.all(), name
            later = [
                s for s in states if all(n >= m for n, m in zip(s.shape, found.shape, strict=True))
            ]
            assert not grown.any() or any(
                (found[grown] == s[tuple(map(slice, found.shape))][grown]).all() for s in later
            ), name


def random_step(f, model, rng):
    """Changes a few datasets and attributes."""
    for name in rng.sample(sorted(KINDS), rng.randint(1, 3)):
        dataset, value = f[name], model.now[name]
        if None in dataset.maxshape and rng.random() < 0.8:
            shape = tuple(n + rng.choice((0, 1, 1, 2, 7)) for n in value.shape)
            grown = np.zeros(shape, "i8")
            grown[tuple(map(slice, value.shape))] = value
            dataset.resize(shape)
            part = tuple(slice(n, None) for n in value.shape[:1])
            grown[part] = rng.randint(1, 1 << 40)
            if grown[part].size:
                dataset[part] = grown[part]
            model.now[name] = grown
        elif value.size:
            start = rng.randrange(value.shape[0])
            part = slice(start, start + rng.randint(1, 5))
            value = value.copy()
            value[part] = rng.randint(1, 1 << 40)
            dataset[part] = value[part]
            model.now[name] = value
        if rng.random() < 0.5:
            f[name].attrs[f"a{rng.randint(0, 11)}"] = rng.randint(0, 1 << 30)


def make_random(target, model):
    f = onecast.File(target, "w", profile="latest")
    for name, how in KINDS.items():
        f.create_dataset(name, dtype="i8", **how)
        model.now[name] = np.zeros(how["shape"], "i8")
        for n in range(6 if name != "btree" else 12):
            f[name].attrs[f"a{n}"] = n
    f.flush()
    model.flushed()
    return f


@pytest.mark.parametrize("seed", range(3))
def test_the_file_is_sound_after_every_write(tmp_path, seed):
    rng = random.Random(seed)
    model = Model()
    target = Recorded()
    f = make_random(target, model)
    f.swmr_mode = True
    seen = tmp_path / "seen.h5"
    looks = 0

    def look(image):
        seen.write_bytes(image)
        with h5py.File(seen, "r", swmr=True, locking=False) as read:
            model.compare(read)
        with onecast.File(seen, follow=True) as read:
            model.compare(read)
        # The writer is killed here.
        assert onecast.recover(seen) == "unmarked"
        assert onecast.check(seen, data=True)["findings"] == []
        with h5py.File(seen, "r+") as read:
            model.compare(read)
            read["further"] = np.arange(5000)

    for _ in range(6):
        random_step(f, model, rng)
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
        for name, value in model.now.items():
            assert (read[name][...] == value).all()


def test_failing_writes_leave_a_sound_file(tmp_path):
    """Each write of a flush fails once; the flush is tried again after further changes"""
    rng = random.Random(7)
    model = Model()
    target = Recorded()
    f = make_random(target, model)
    f.swmr_mode = True
    seen = tmp_path / "seen.h5"

    for failing in range(25):
        random_step(f, model, rng)
        target.images = []
        target.left = failing % 12
        with suppress(OSError):
            f.flush()
        target.left = None
        model.tried()
        random_step(f, model, rng)
        f.flush()
        for image in target.images:
            seen.write_bytes(image)
            with h5py.File(seen, "r", swmr=True, locking=False) as read:
                model.compare(read)
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


READER = """
import sys, h5py, numpy as np, onecast
path, lib, follows = sys.argv[1], sys.argv[2], {"swmr": True}
f = {"h5py": h5py, "onecast": onecast}[lib].File(path, "r", **follows)
names = ["flat", "packed", "wide"]
print("ready", flush=True)
last, states = 0, 0
while last < int(sys.argv[3]):
    for name in names:
        d = f[name]
        d.refresh()
        rows = d.shape[0]
        assert rows >= last or name != names[0], (name, rows, last)
        tail = d[max(0, rows - 40):]
        expected = np.arange(max(0, rows - 40), rows)
        expected = expected if tail.ndim == 1 else np.repeat(expected[:, None], d.shape[1], 1)
        assert (tail == expected + 1).all(), (name, rows, tail[:10])
        states += 1
        if name == names[-1]:
            last = rows
print(states, flush=True)
"""


def follow_appends(path, rows, readers):
    f = onecast.File(path, "w", profile="latest")
    f.create_dataset("flat", (0,), "i8", maxshape=(None,), chunks=(16,))
    f.create_dataset("packed", (0, 3), "i8", maxshape=(None, 3), chunks=(5, 3), compression="lzf")
    f.create_dataset("wide", (0, 2), "i8", maxshape=(None, None), chunks=(2, 2))
    f.swmr_mode = True
    rng = random.Random(1)
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", READER, path, lib, str(rows)], stdout=subprocess.PIPE, text=True
        )
        for lib in readers
    ]
    try:
        for program in programs:
            assert program.stdout.readline() == "ready\n"
        done = 0
        while done < rows:
            new = min(done + rng.choice((1, 1, 1, 2, 9)), rows)
            for name in ("flat", "packed", "wide"):
                d = f[name]
                d.resize(new, axis=0)
                value = np.arange(done, new) + 1
                d[done:new] = value if d.ndim == 1 else np.repeat(value[:, None], d.shape[1], 1)
                d.flush()
            done = new
        assert all(program.wait(timeout=100) == 0 for program in programs)
        return [int(program.stdout.read()) for program in programs]
    finally:
        for program in programs:
            program.kill()
        f.close()


@pytest.mark.parametrize("rows", [300, pytest.param(20000, marks=pytest.mark.long)])
def test_readers_see_only_sound_states(path, rows):
    states = follow_appends(path, rows, ["h5py", "onecast"])
    assert min(states) > 3
    assert onecast.check(path, data=True)["findings"] == []


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
    with h5py.File(path, "w", libver="latest") as f:
        for name, how in KINDS.items():
            f.create_dataset(name, dtype="i8", **how)
            f[name].attrs["a"] = 1
    model = Model()
    model.now = {name: np.zeros(how["shape"], "i8") for name, how in KINDS.items()}
    model.flushed()
    rng = random.Random(3)
    with onecast.File(path, "r+", swmr=True) as f:
        for _ in range(30):
            random_step(f, model, rng)
            f.flush()
            model.flushed()
            with h5py.File(path, "r", swmr=True) as read:
                model.compare(read)
    with h5py.File(path, "r+") as f:
        model.compare(f)
    assert onecast.check(path, data=True)["findings"] == []
