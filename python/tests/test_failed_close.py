"""A failed close leaves nothing that takes space."""

import errno

import h5py
import numpy as np
import pytest
from allocated import allocated

import onecast

LARGE = 5_000_000  # numbers: 20 MB


def room_taken(path):
    return path.stat().st_blocks * 512


@pytest.mark.parametrize(
    "layout",
    [
        {},
        {"chunks": (LARGE // 20,)},
        {"chunks": True, "shuffle": True},
    ],
)
@pytest.mark.parametrize("mode", ["w", "r+"])
def test_room_and_memory_are_given_back(path, tmp_path, mode, layout):
    if mode == "r+":
        with onecast.File(path, "w") as f:
            f["small"] = 1
    numbers = np.random.default_rng(1).random(LARGE, "f4")
    before = allocated()
    f = onecast.File(path, mode)
    d = f.create_dataset("large", data=numbers, **layout)
    moved = tmp_path / "moved.h5"
    path.rename(moved)
    with pytest.raises(FileNotFoundError):
        f.close()
    assert not d
    assert allocated() - before < 1_000_000
    if mode == "r+":
        assert room_taken(moved) < 100_000
        with h5py.File(moved) as f:
            assert list(f) == ["small"]
    else:
        assert room_taken(moved) <= 4096  # an empty HDF5 file


WAITING = """
from allocated import allocated
from pathlib import Path
f = onecast.File(sys.argv[1], "w", comm=comm)
d = f.create_dataset("large", (5_000_000,), "f4", chunks=True, shuffle=True)
numbers = np.random.default_rng(1).random(5_000_000, "f4")
before = allocated()
d[...] = numbers
assert allocated() - before > 20_000_000  # they wait for the flush
Path(sys.argv[1]).unlink()
same_everywhere(f.close, FileNotFoundError)
assert not d
assert allocated() - before < 1_000_000
"""


def test_memory_of_what_waited_is_given_back(mpirun, path):
    mpirun(1, WAITING, path)


def test_a_full_disk(small_disk):
    """The next session has the space that a failed close gives back."""
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
