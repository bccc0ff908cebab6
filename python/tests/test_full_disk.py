"""What does not fit on a disk takes no room for what comes after it."""

import os

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
