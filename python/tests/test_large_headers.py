"""Object headers of more than 64 KiB, changed in turns with the HDF5 library"""

import h5py
import numpy as np
import pytest

import onecast


def nil_messages(path):
    with onecast.File(path) as f:
        records = onecast.inspect.header(f["x"])
    return [r["size"] for r in records if r["title"] == "NIL Message"]


@pytest.mark.parametrize("kept", [0, 1, 2])
@pytest.mark.parametrize("size", [30_000, 40_002, 60_000])
def test_large_attributes_are_deleted_in_turns(tmp_path, size, kept):
    """The HDF5 library would join two adjacent NIL messages of more than 64 KiB together to one
    whose size does not fit into its field."""
    path = tmp_path / "a.h5"
    count = kept + 3
    with onecast.File(path, "w") as f:
        f["x"] = [1, 2]
        for i in range(count):
            f["x"].attrs[f"large {i}"] = np.full(size, i, "u1")
    before = path.stat().st_size
    with onecast.File(path, "r+") as f:
        for i in range(kept, count):
            del f["x"].attrs[f"large {i}"]
    assert len(nil_messages(path)) <= 1
    for turn in range(4):
        with (h5py if turn % 2 == 0 else onecast).File(path, "r+") as f:
            f["x"].attrs[f"small {turn}"] = turn
            if turn < kept:
                del f["x"].attrs[f"large {turn}"]
        assert not onecast.check(path)["damaged"]
        for library in (h5py, onecast):
            with library.File(path) as f:
                assert f["x"][:].tolist() == [1, 2]
                assert f["x"].attrs[f"small {turn}"] == turn
                left = range(min(turn + 1, kept), kept)
                assert all((f["x"].attrs[f"large {i}"] == i).all() for i in left)
    # The freed space is used again.
    with onecast.File(path, "r+") as f:
        for i in range(count):
            f["x"].attrs[f"large {i}"] = np.full(size, i, "u1")
    assert path.stat().st_size < 2 * before


def test_a_large_header_of_hdf5_is_rewritten(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w", libver="latest") as f:
        f.create_group("from")
        f["from/x"] = [1, 2]
        f["from/x"].id.get_create_plist()
        for i in range(7):
            f["from/x"].attrs[f"a{i}"] = np.full(15_000, i, "u1")
        f.copy("from/x", "x")
    with onecast.File(path, "r+") as f:
        for i in range(7):
            del f["x"].attrs[f"a{i}"]
    assert len(nil_messages(path)) <= 2
    with h5py.File(path, "r+") as f:
        f["x"].attrs["q"] = 1
    with h5py.File(path) as f:
        assert f["x"][:].tolist() == [1, 2]
    assert not onecast.check(path)["damaged"]
