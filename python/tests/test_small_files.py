"""A small file is small even with a communicator, and every library reads it."""

import h5py
import numpy as np
import pytest

import onecast

PROGRAM = """
path, profile = sys.argv[1:]
for session in range(3):
    with onecast.File(path, "a", comm=comm, **({} if session else {"profile": profile})) as f:
        for name in "ab":
            group = f.create_group(f"{name}{session}")
            group.attrs["label"] = "Zone_t"
            group["compact"] = np.arange(100, dtype="i4")
            mine = np.s_[comm.rank * 1100 // comm.size : (comm.rank + 1) * 1100 // comm.size]
            x = group.create_dataset("contiguous", (1100,), "i4")
            x.write_all(mine, np.arange(1100, dtype="i4")[mine])
"""


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_a_small_file_is_small(mpirun, path, ranks, profile):
    mpirun(ranks, PROGRAM, path, profile)
    report = onecast.check(path, data=True)
    assert not report["damaged"]
    contents = report["metadata_bytes"] + report["raw_data_bytes"]
    assert path.stat().st_size <= contents + 12288  # 26,400 bytes of data
    buffered = {"page_buf_size": 1 << 16} if profile == "latest" else {}
    for options in ({}, buffered):
        with h5py.File(path, **options) as f:
            assert len(f) == 6
            for group in f.values():
                assert group.attrs["label"] in ("Zone_t", b"Zone_t")
                assert np.array_equal(group["compact"], np.arange(100))
                assert np.array_equal(group["contiguous"], np.arange(1100))
    # Stock HDF5 can continue with the file.
    with h5py.File(path, "r+") as f:
        f["more"] = np.arange(3000)
        del f["a0"]
    with onecast.File(path, "r+") as f:
        f["last"] = np.arange(3000)
    with h5py.File(path) as f:
        assert np.array_equal(f["more"], f["last"])
    assert not onecast.check(path, data=True)["damaged"]
