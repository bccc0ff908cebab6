"""Comments and times of objects, compared with h5py"""

import time

import h5py
import pytest

import onecast


@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_comments(path, libver):
    with h5py.File(path, "w", libver=libver) as f:
        f["group/data"] = 1
        f["plain"] = 2
        h5py.h5o.set_comment(f["group"].id, b"of the group")
        h5py.h5o.set_comment(f["group/data"].id, "größer".encode())
    with onecast.File(path) as f:
        assert f["group"].comment == "of the group"
        assert f["group/data"].comment == "größer"
        assert f["plain"].comment is None
        assert f.comment is None


@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_modification_times(path, libver):
    before = int(time.time())
    with h5py.File(path, "w", libver=libver) as f:
        f.create_dataset("timed", data=1, track_times=True)
        f.create_dataset("plain", data=1, track_times=False)
    with onecast.File(path) as f:
        assert before <= f["timed"].modification_time <= time.time()
        assert f["plain"].modification_time is None


def test_the_low_level(path):
    with h5py.File(path, "w") as f:
        f["plain"], f["noted"] = 1, 2
        h5py.h5o.set_comment(f["noted"].id, b"of the dataset")
    with onecast.File(path) as f:
        assert onecast.h5o.get_comment(f.id, b"plain") is None
        assert onecast.h5o.get_comment(f["noted"].id, b".") == b"of the dataset"


def test_set_by_onecast(path):
    with onecast.File(path, "w") as f:
        f["x"] = [1, 2]
        f["x"].comment = "größer"
        f.comment = "gone"
        group = f.create_group("group")
        onecast.h5o.set_comment(group.id, b"of the group")
        f.id.set_comment(b"x", b"another")
        f.flush()
        f.comment = None
    with h5py.File(path) as f:
        root = f["/"].id
        assert root.get_comment(b"x") == b"another"
        assert root.get_comment(b"group") == b"of the group"
        assert not root.get_comment(b".")
    with onecast.File(path) as f, pytest.raises(OSError, match="reading"):
        f.comment = "late"
