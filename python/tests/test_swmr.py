"""Files that another program writes for readers (SWMR), whose superblock has an old end"""

import subprocess
import sys

import h5py
import numpy as np
import pytest

import onecast

MORE = {"plain": {}, "filtered": {"compression": "gzip", "shuffle": True}}


def make(path):
    f = h5py.File(path, "w", libver="latest")
    for name, more in MORE.items():
        f.create_dataset(name, (0, 4), "i4", maxshape=(None, 4), chunks=(3, 4), **more)
    f.create_dataset("grid", (0, 0), "i4", maxshape=(None, None), chunks=(2, 2))
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


def test_a_reader_does_not_follow(path):
    with make(path) as writer:
        append(writer, 1)
        with onecast.File(path, "r", swmr=True, locking=False) as f:
            assert f.swmr_mode
            expect(f, 1)
            append(writer, 2)
            with pytest.raises(onecast.UnsupportedError, match="open the file again"):
                f["plain"].refresh()
            expect(f, 1)
        with onecast.File(path, "r", swmr=True, locking=False) as f:
            expect(f, 2)
    with onecast.File(path, "r", swmr=True) as f:
        f["plain"].refresh()
        expect(f, 2)


def test_the_writer_was_killed(path):
    program = """
import os, sys, test_swmr
f = test_swmr.make(sys.argv[1])
for rows in range(1, 31):
    test_swmr.append(f, rows)
os._exit(0)
"""
    here = str(__file__).rpartition("/")[0]
    subprocess.run([sys.executable, "-c", program, path], check=True, cwd=here)
    with onecast.File(path) as f:
        expect(f, 30)
    report = onecast.check(path, data=True)
    assert [f["kind"] for f in report["findings"]] == ["note"], report["findings"]
    assert "not closed" in report["findings"][0]["what"]
    with onecast.File(path, "r+") as f, pytest.raises(onecast.UnsupportedError, match="h5clear"):
        f["x"] = 1


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
