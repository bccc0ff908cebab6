"""What a close that fails leaves behind: nothing that takes room."""

import ctypes
import errno
import gc
import os
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

LARGE = 5_000_000  # numbers: 20 MB


def memory():
    """Of this process, in bytes, without what the C library keeps for later."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def room_taken(path):
    return path.stat().st_blocks * 512


@pytest.mark.parametrize(
    "layout",
    [
        {},
        {"chunks": (LARGE // 20,)},
        pytest.param(
            {"chunks": True, "shuffle": True},
            marks=pytest.mark.xfail(strict=False, reason="8.5 MB stayed in one run"),
        ),
    ],
)
@pytest.mark.parametrize("mode", ["w", "r+"])
def test_room_and_memory_are_given_back(path, tmp_path, mode, layout):
    if mode == "r+":
        with onecast.File(path, "w") as f:
            f["small"] = 1
    numbers = np.random.default_rng(1).random(LARGE, "f4")
    before = memory()
    f = onecast.File(path, mode)
    d = f.create_dataset("large", data=numbers, **layout)
    moved = tmp_path / "moved.h5"
    path.rename(moved)
    with pytest.raises(FileNotFoundError):
        f.close()
    assert not d
    assert memory() - before < 8_000_000
    if mode == "r+":
        assert room_taken(moved) < 100_000
        with h5py.File(moved) as f:
            assert list(f) == ["small"]
    else:
        assert room_taken(moved) <= 4096  # an empty HDF5 file


def test_a_full_disk(small_disk):
    """The room that a failed close gives back is there for the next session."""
    folder = small_disk("24m")
    path = folder / "a.h5"
    with onecast.File(path, "w") as f:
        f["small"] = 1
    f = onecast.File(path, "r+")
    f["large"] = np.ones(LARGE, "f4")
    rest = folder / "rest"
    with pytest.raises(OSError), open(rest, "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with pytest.raises(OSError) as raised:
        f.close()
    assert raised.value.errno == errno.ENOSPC
    assert room_taken(path) < 100_000
    with onecast.File(path, "r+") as f:
        assert list(f) == ["small"]
        f["more"] = 2
    with h5py.File(path) as f:
        assert sorted(f) == ["more", "small"]


def test_no_room_for_a_journal_is_said_at_open(small_disk):
    folder = small_disk("2m")
    path = folder / "a.h5"
    with onecast.File(path, "w") as f:
        f["small"] = 1
    with pytest.raises(OSError), open(folder / "rest", "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with pytest.raises(OSError, match=r"journal.*make room") as raised:
        onecast.File(path, "r+")
    assert raised.value.errno == errno.ENOSPC
    with onecast.File(path) as f:
        assert f["small"][()] == 1
    with onecast.File(path, "r+", journal=False) as f:
        f["small"][()] = 2
    (folder / "rest").unlink()
    with onecast.File(path, "r+") as f:
        assert f["small"][()] == 2
        f["more"] = 1
