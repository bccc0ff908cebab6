"""Files that another program writes for readers (SWMR): they are read and followed"""

import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

import onecast

MORE = {"plain": {}, "filtered": {"compression": "gzip", "shuffle": True}}


def make(path, lib=h5py):
    latest = {"libver": "latest"} if lib is h5py else {"profile": "latest"}
    f = lib.File(path, "w", **latest)
    for name, more in MORE.items():
        f.create_dataset(name, (0, 4), "i4", maxshape=(None, 4), chunks=(3, 4), **more)
    f.create_dataset("grid", (0, 0), "i4", maxshape=(None, None), chunks=(2, 2))
    f["plain"].attrs["rows"] = 0
    f.swmr_mode = True
    return f


def append(f, rows):
    for name in MORE:
        f[name].resize((rows, 4))
        f[name][rows - 1] = np.arange(4) + rows
        f[name].flush()
    f["grid"].resize((rows, rows))
    f["grid"][rows - 1] = rows
    f["grid"].flush()


def expect(f, rows):
    for name in MORE:
        assert f[name][...].tolist() == [[row + i for i in range(1, 5)] for row in range(rows)]
    assert f["grid"].shape == (rows, rows)
    assert [f["grid"][row, 0] for row in range(rows)] == list(range(1, rows + 1))


@pytest.fixture(params=[h5py, onecast], ids=["stock", "own"])
def writers(request):
    """The library that writes. Onecast's writer runs in another process: in this one, handles of a
    file share its state."""
    return request.param


class Elsewhere:
    """A writer in a process of its own, which appends when it is told."""

    def __init__(self, path, lib):
        program = f"""
import sys, h5py, onecast, test_swmr
f = test_swmr.make(sys.argv[1], {lib.__name__})
print("ready", flush=True)
for line in sys.stdin:
    exec(line)
    print("done", flush=True)
f.close()
"""
        here = str(__file__).rpartition("/")[0]
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=here,
        )
        assert self._process.stdout.readline() == "ready\n"

    def do(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def append(self, rows):
        self.do(f"test_swmr.append(f, {rows})")

    def kill(self):
        self._process.kill()
        self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.stdin.close()
        assert self._process.wait() == 0 or error[0] is not None


@pytest.mark.parametrize("options", [{}, {"load_policy": "eager"}, {"locking": "off"}])
def test_while_it_is_written(path, options):
    with make(path) as writer:
        for rows in range(1, 60):
            append(writer, rows)
            if rows % 10 == 1:
                with onecast.File(path, **options) as f:
                    expect(f, rows)
    with onecast.File(path, "r+") as f:
        expect(f, 59)
        f["plain"].resize((60, 4))
    with h5py.File(path) as f:
        assert f["plain"].shape == (60, 4)


def test_a_reader_follows(path, writers):
    with Elsewhere(path, writers) as writer, onecast.File(path, "r", swmr=True) as f:
        assert f.swmr_mode
        held = {name: f[name] for name in ("plain", "filtered", "grid")}
        for rows in range(1, 40):
            writer.append(rows)
            assert held["plain"].shape == (rows - 1, 4)
            held["plain"].refresh()
            assert held["plain"].shape == (rows, 4)
            assert held["plain"][rows - 1].tolist() == [rows, rows + 1, rows + 2, rows + 3]
            if rows % 10 == 1:
                f.refresh()
                expect(f, rows)
                expect(held, rows)
        f.refresh()
        expect(held, 39)
    with onecast.File(path) as f:
        expect(f, 39)


def test_attributes_are_followed(path, writers):
    with Elsewhere(path, writers) as writer, onecast.File(path, follow=True) as f:
        dataset = f["plain"]
        for n in range(1, 20):
            writer.do(f"f['plain'].attrs.modify('rows', {n}); f.flush()")
            dataset.refresh()
            assert dataset.attrs["rows"] == n
        writer.do("f['plain'].attrs['more'] = 'text ' * 40; f.flush()")
        f.refresh()
        assert dataset.attrs["more"] == "text " * 40


def test_polling_costs_what_changed(path, writers):
    """A refresh brings the object header; elements, the parts of the index that lead to them"""
    with Elsewhere(path, writers) as writer:
        writer.do("f['plain'].resize((30000, 4)); f['plain'][:] = 1; f.flush()")
        with onecast.File(path, follow=True) as f:
            dataset = f["plain"]
            for rows in (30001, 30002, 30003):
                assert dataset[-1].tolist()
                writer.append(rows)
                before = f.io_stats().bytes_read
                dataset.refresh()
                assert dataset.shape == (rows, 4)
                refreshed = f.io_stats().bytes_read
                assert refreshed - before < 2048
                assert dataset[rows - 1].tolist() == [rows + i for i in range(4)]
                assert f.io_stats().bytes_read - refreshed < 32 << 10


def test_memory_of_a_follower_stays_bounded(path):
    with make(path) as writer, onecast.File(path, follow=True) as f:
        dataset, other = f["plain"], f["filtered"]
        assert other.shape == (0, 4)
        append(writer, 1)
        for _ in range(30000):
            dataset.refresh()
            assert dataset[0, 0] == 1
        assert f.metadata_report().most_memory_bytes < 32 << 20
        assert other.name == "/filtered"
        other.refresh()
        assert other.shape == (1, 4)


def test_without_a_writer_refresh_does_nothing(path):
    with make(path) as writer:
        for rows in (1, 2, 3):
            append(writer, rows)
    for options in ({}, {"swmr": True}, {"follow": True}):
        with onecast.File(path, **options) as f:
            f.refresh()
            f["plain"].refresh()
            expect(f, 3)
    with onecast.File(path, "r+") as f:
        dataset = f["plain"]
        dataset.resize((4, 4))
        dataset.refresh()
        f.refresh()
        assert dataset.shape == (4, 4)


def leave_without_closing(path):
    """A writer appends 30 rows, and its process ends as if it were killed."""
    program = """
import os, sys, test_swmr
f = test_swmr.make(sys.argv[1])
for rows in range(1, 31):
    test_swmr.append(f, rows)
os._exit(0)
"""
    here = str(__file__).rpartition("/")[0]
    subprocess.run([sys.executable, "-c", program, path], check=True, cwd=here)


def test_the_writer_was_killed(path):
    leave_without_closing(path)
    with onecast.File(path) as f:
        expect(f, 30)
    report = onecast.check(path, data=True)
    assert [f["kind"] for f in report["findings"]] == ["note"], report["findings"]
    assert "not closed" in report["findings"][0]["what"]
    with onecast.File(path, "r+") as f, pytest.raises(onecast.UnsupportedError, match="h5clear"):
        f["x"] = 1
    assert onecast.recover(path) == "unmarked"
    assert onecast.recover(path) == "nothing"
    for lib in (h5py, onecast):
        with lib.File(path, "r+") as f:
            expect(f, 30)
            f["x" + lib.__name__] = 1
    assert onecast.check(path, data=True)["findings"] == []


@pytest.mark.leaves_damage
def test_damage_is_reported_soon(path):
    """A structure that a writer may be about to change is read again for about a second"""
    leave_without_closing(path)
    image = bytearray(path.read_bytes())
    for signature in (b"EAHD", b"EAIB", b"EADB", b"BTHD", b"BTLF"):
        at = image.find(signature)
        while at >= 0:
            image[at + 8] ^= 1
            at = image.find(signature, at + 1)
    path.write_bytes(image)
    with onecast.File(path, follow=True) as f:
        start = time.monotonic()
        for name in ("plain", "grid"):
            with pytest.raises(onecast.FormatError):
                f[name][...]
        assert time.monotonic() - start < 15


def test_the_mark_of_a_file_with_small_addresses(path):
    program = """
import os, sys, h5py
made = h5py.h5p.create(h5py.h5p.FILE_CREATE)
made.set_sizes(4, 4)
opened = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
opened.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
f = h5py.File(h5py.h5f.create(sys.argv[1].encode(), h5py.h5f.ACC_TRUNC, made, opened))
f["x"] = 1
f.swmr_mode = True
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", program, path], check=True)
    assert path.read_bytes()[11] == 5
    assert onecast.recover(path) == "unmarked"
    for lib in (h5py, onecast):
        with lib.File(path, "r+") as f:
            assert f["x"][()] == 1
    assert onecast.check(path, data=True)["findings"] == []


def test_several_ranks_do_not_follow(mpirun, path):
    with make(path) as writer:
        append(writer, 1)
        mpirun(
            2,
            """
found = same_everywhere(
    lambda: onecast.File(sys.argv[1], follow=True, comm=comm), onecast.UnsupportedError
)
assert all("follow with several ranks" in text for text in found)
""",
            path,
        )


def test_on_ranks(mpirun, path):
    with make(path) as writer:
        for rows in range(1, 31):
            append(writer, rows)
        mpirun(
            3,
            """
with onecast.File(sys.argv[1], comm=comm) as f:
    assert f["plain"].read_all()[:, 0].tolist() == list(range(1, 31))
    assert f["filtered"].read_all(np.s_[rank * 10 : rank * 10 + 10]).shape == (10, 4)
    assert f["grid"][29, 29] == 30
""",
            path,
        )


def test_values_of_variable_length_are_followed(path):
    """Stock HDF5 does not write them for readers"""
    with Elsewhere(path, onecast) as writer:
        writer.do("f['plain'].attrs['text'] = 'text 0'; f.flush()")
        with onecast.File(path, follow=True) as f:
            dataset = f["plain"]
            for n in range(1, 60):
                writer.do(f"f['plain'].attrs['text'] = 'text {n}' * {n}; f.flush()")
                dataset.refresh()
                assert dataset.attrs["text"] == f"text {n}" * n
