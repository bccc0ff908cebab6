"""Data that does not fit on a disk takes no space from what comes later."""

import io
import os
from contextlib import suppress

import h5py
import numpy as np
import pytest

import onecast


@pytest.mark.parametrize("chunks", [None, (100_000,)])
def test_after_a_dataset_that_did_not_fit(small_disk, chunks):
    path = small_disk("4m") / "a.h5"
    large = np.arange(1_000_000, dtype="f8")
    with onecast.File(path, "w") as f:
        f["first"] = np.arange(1000)
        f.flush()
        with pytest.raises(OSError, match="No space left"):
            f.create_dataset("large", data=large, chunks=chunks)
        f["second"] = np.arange(1000)
    with h5py.File(path) as f:
        assert sorted(f) == ["first", "second"]
        assert f["second"][-1] == 999
    assert os.stat(path).st_blocks * 512 < 200_000


def test_after_a_write_that_did_not_fit(small_disk):
    path = small_disk("4m") / "a.h5"
    with onecast.File(path, "w") as f:
        dataset = f.create_dataset("large", (1_000_000,), "f8")
        with pytest.raises(OSError, match="No space left"):
            dataset[:] = 1
        del f["large"]
        f.flush()
        f["small"] = np.arange(1000)
    with h5py.File(path) as f:
        assert sorted(f) == ["small"]
    assert os.stat(path).st_blocks * 512 < 200_000


def fill(folder):
    with (folder / "filler").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)) == 4096:
            pass


@pytest.mark.parametrize("mode", ["w", "x", "a"])
@pytest.mark.parametrize("journal", [True, False])
def test_a_create_that_fails_leaves_no_file(small_disk, mode, journal):
    folder = small_disk("1m")
    fill(folder)
    with pytest.raises(OSError, match=r"a\.h5: open: No space left"):
        onecast.File(folder / "a.h5", mode, journal=journal)
    assert os.listdir(folder) == ["filler"]


def test_the_room_of_a_replaced_file_is_enough(small_disk):
    folder = small_disk("1m")
    with onecast.File(folder / "a.h5", "w") as f:
        f["old"] = np.arange(10_000)
    fill(folder)
    with onecast.File(folder / "a.h5", "w") as f:
        f["new"] = np.arange(1000)
    with h5py.File(folder / "a.h5") as f:
        assert list(f) == ["new"]


class FullDisk(io.BytesIO):
    is_full = False

    def write(self, data):
        if self.is_full:
            raise OSError(28, "No space left on device")
        return super().write(data)


def test_what_could_not_be_written_is_filled():
    disk = FullDisk()
    with onecast.File(disk, "w") as f:
        f.create_dataset("old", data=np.arange(1, 5000), compact=False)
        f.flush()
        del f["old"]
        f.flush()
        new = f.create_dataset("new", (4999,), "i8", compact=False)
        disk.is_full = True
        with pytest.raises(OSError, match="No space left"):
            new[10:20] = 7
        disk.is_full = False
        assert not new[:].any()
    with h5py.File(disk) as f:
        assert not f["new"][:].any()
