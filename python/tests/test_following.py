"""A reader beside a job that flushes: each refresh shows the state of one flush"""

import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import h5py
import numpy as np
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


def test_each_opening_follows_by_itself(path):
    with Job(path) as job:
        job.do("f['x'] = 1; f.flush()")
        with onecast.File(path, follow=True) as f, onecast.File(path, follow=True) as g:
            job.do("f['x'][()] = 2; f.attrs['n'] = 2; f['y'] = 2; f.flush()")
            f.refresh()
            assert list(f) == ["x", "y"] and list(g) == ["x"]
            g.refresh()
            assert list(g) == ["x", "y"]


def test_a_follower_in_the_process_of_the_writer(path):
    """It shares the writer's state, which is ahead of the file."""
    with onecast.File(path, "w") as f, onecast.File(path, follow=True) as g:
        f["x"] = 1
        assert g["x"][()] == 1
        g.refresh()
        assert g["x"][()] == 1


def test_all_below_a_removed_group_is_gone(path):
    with Job(path) as job:
        job.do("f['g/h/y'] = 5; f['to'] = f['g/h/y'].ref; f.flush()")
        with onecast.File(path, follow=True) as f:
            by_path, by_reference = f["g/h/y"], f[f["to"][()]]
            assert by_path[()] == by_reference[()] == 5
            job.do("del f['g']; f.flush()")
            job.do("for i in range(20): f[f'other {i}'] = i")
            job.do("f.flush()")
            f.refresh()
            for gone in (by_path, by_reference):
                with pytest.raises(ValueError, match="removed"):
                    gone[()]
            assert f["other 7"][()] == 7


def test_objects_found_by_reference_stay(path):
    with Job(path) as job:
        job.do("f['y'] = 5; f['to'] = f['y'].ref; f.flush()")
        with onecast.File(path, follow=True) as f:
            y = f[f["to"][()]]
            job.do("f['z'] = 1; f.flush()")
            f.refresh()
            assert y[()] == f[f["to"][()]][()] == f["y"][()] == 5


def test_a_moved_object_is_found_at_its_new_path(path):
    with Job(path) as job:
        job.do("f['a'] = 5; f.flush()")
        with onecast.File(path, follow=True) as f:
            a = f["a"]
            job.do("f.move('a', 'b'); f.flush()")
            f.refresh()
            with pytest.raises(ValueError, match="removed"):
                a[()]
            assert f["b"][()] == 5
            job.do("f.attrs['n'] = 1; f.flush()")
            f.refresh()
            assert f["b"][()] == 5


STEPS = [
    "f['x'] = np.arange(4, dtype='i4')",
    "f['x'] = np.arange(6, dtype='f8')",
    "f['x'] = f['types/small']",
    "f.create_group('x')",
    "f.create_dataset('x', data=np.arange(4), dtype=f['types/t'])",
]


def test_objects_that_are_created_anew(path):
    """Each is at one of few addresses, and has other properties than the one before"""
    rng = random.Random(2)
    expected = [np.arange(4, dtype="i4"), np.arange(6, dtype="f8"), None, None, np.arange(4)]
    with Job(path) as job:
        job.do("f['types/small'] = np.dtype('i2'); f['x'] = 0; f.flush()")
        with onecast.File(path, follow=True) as f:
            handles = [f["x"]]
            for _ in range(60):
                step = rng.randrange(len(STEPS))
                kind = rng.choice(["i2", "i8", "u1", "f4"])
                job.do("del f['x']; 't' in f['types'] and f.__delitem__('types/t')")
                job.do(f"f['types/t'] = np.dtype({kind!r}); {STEPS[step]}")
                job.do("f.flush()")
                f.refresh()
                if expected[step] is None:
                    assert not isinstance(f["x"], onecast.Dataset)
                    continue
                now = expected[step].astype(kind) if step == 4 else expected[step]
                for x in [f["x"], *handles[-5:]]:
                    # A handle leads to the object that is there now, or to none.
                    with suppress(ValueError):
                        assert x.dtype == now.dtype
                        assert x.shape == now.shape
                        assert x[...].tolist() == now.tolist()
                assert f["x"][...].tolist() == now.tolist()
                handles.append(f["x"])


class States:
    """A file as the flushes of a job left it, with the journal of each, but beside no program. A
    state is written in place, as a job does."""

    def __init__(self, path, lines):
        source = path.with_name("source.h5")
        self._file, self._journal = path, journal_of(path)
        self.images, self.journals = [], []
        with Job(source) as job:
            for line in lines:
                job.do(line + "; f.flush()")
                self.images.append(source.read_bytes())
                journal = journal_of(source)
                self.journals.append(journal.read_bytes() if journal.exists() else None)
        self._file.write_bytes(self.images[0])

    def write(self, number):
        self._write(self._file, self.images[number])

    def write_part(self, number, first, end):
        with self._file.open("r+b") as file:
            file.seek(first)
            file.write(self.images[number][first:end])

    def write_journal(self, number):
        self._write(self._journal, self.journals[number])

    @staticmethod
    def _write(path, image):
        with path.open("r+b" if path.exists() else "wb") as file:
            file.write(image)
            file.truncate()
        stamp = path.stat().st_mtime_ns + 10_000_000
        os.utime(path, ns=(stamp, stamp))


def journal_of(path):
    return Path(f"{path}.onecast-journal")


def test_a_flush_that_was_under_way_has_ended(path):
    states = States(path, [f"f.attrs['n'] = {n}" for n in range(6)])
    with onecast.File(path, follow=True) as f:
        for n in range(2, 6):
            states.write(n - 1)
            states.write_journal(n)
            f.refresh()
            assert f.attrs["n"] == n - 1
            f.refresh()
            states.write(n)
            f.refresh()
            assert f.attrs["n"] == n


def test_two_flushes_with_equal_journals(path):
    states = States(path, [f"f.attrs['n'] = {n}" for n in range(6)])
    with onecast.File(path, follow=True) as f:
        states.write_journal(2)
        for n in range(2, 6):
            states.write(n)
            states.write_journal(2)
            f.refresh()
            assert f.attrs["n"] == n


def test_a_refresh_that_failed(path):
    """It is not taken for done, and what was looked up before is not read from freed memory"""
    states = States(path, [f"f.attrs['n'] = {n}; f['x{n}'] = {n}" for n in range(4)])
    states.write(2)
    with onecast.File(path, follow=True) as f:
        x = f["x1"]
        assert x[()] == 1
        whole = states.images[3]
        states.images[3] = whole[:512] + bytes(len(whole) - 512)
        states.write_journal(3)
        states.write(3)
        with pytest.raises((onecast.FormatError, onecast.UnsupportedError)):
            f.refresh()
        for _ in range(3):
            for looked_up in (
                lambda: x[()],
                lambda: f["x0"],
                lambda: list(f),
                lambda: f.attrs["n"],
            ):
                with pytest.raises(BlockingIOError):
                    looked_up()
        states.images[3] = whole
        states.write(3)
        f.refresh()
        assert x[()] == 1
        assert f["x3"][()] == f.attrs["n"] == 3


def test_a_file_that_was_replaced(path):
    with Job(path) as job:
        job.do("f['x'] = 1; f.flush()")
        with onecast.File(path, follow=True) as f:
            with Job(path.with_name("next.h5")) as after:
                after.do("f['x'] = 2; f.flush()")
                path.with_name("next.h5").rename(path)
            with pytest.raises(OSError, match="replaced"):
                f.refresh()
            assert f["x"][()] == 1
            path.unlink()
            with pytest.raises(FileNotFoundError):
                f.refresh()


def test_sources_of_virtual_datasets_are_followed(path):
    source = path.with_name("source.h5")
    with Job(source) as job:
        job.do("f.create_dataset('x', (0,), 'i8', maxshape=(None,), chunks=(4,)); f.flush()")
        layout = h5py.VirtualLayout((1,), "i8", maxshape=(None,))
        one = h5py.VirtualSource("source.h5", "x", (1,), maxshape=(None,))
        layout[: h5py.h5s.UNLIMITED] = one[: h5py.h5s.UNLIMITED]
        with h5py.File(path, "w", libver="latest") as f:
            f.create_virtual_dataset("v", layout)
            f["linked"] = h5py.ExternalLink("source.h5", "x")
        with onecast.File(path, follow=True) as f:
            v, linked = f["v"], f["linked"]
            for n in range(1, 8):
                job.do(f"f['x'].resize(({n},)); f['x'][:] = {n}; f.flush()")
                f.refresh()
                assert v[...].tolist() == linked[...].tolist() == [n] * n
                v.refresh()


def test_memory_of_a_file_that_does_not_change(path):
    with onecast.File(path, "w") as f:
        for i in range(20000):
            f.create_group(str(i)).attrs["text"] = "x" * 600
    with onecast.File(path, follow=True, metadata_budget=1 << 20) as f:
        for i in range(20000):
            assert len(f[str(i)].attrs["text"]) == 600
            if i % 500 == 0:
                f.refresh()
        f.refresh()
        assert f.metadata_report().most_memory_bytes < 14 << 20


def test_a_name_that_leaves_no_room_for_a_journal(tmp_path):
    path = tmp_path / ("x" * 250)
    with onecast.File(path, "w", journal=False) as f:
        f["x"] = 1
    with onecast.File(path, follow=True) as f:
        f.refresh()
        assert f["x"][()] == 1


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
