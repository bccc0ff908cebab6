"""Objects that a program holds outlive their last link until the handle goes, as with h5py."""

import h5py
import numpy as np
import pytest

import onecast

CHUNKED = {"chunks": (10,), "maxshape": (None,)}


def check(path):
    findings = onecast.check(path, data=True)["findings"]
    assert [f for f in findings if f["kind"] != "note"] == []


def fill(f):
    group = f.create_group("parent/inner")
    group.attrs["of"] = "inner"
    group.create_dataset("plain", data=np.arange(20_000))
    group.create_dataset("chunked", data=np.arange(100), compression="gzip", **CHUNKED)
    group["texts"] = ["one", "two"]
    group["kind"] = np.dtype("i4")


@pytest.mark.parametrize("flushed", [True, False])
def test_all_kinds(lib, path, flushed):
    with lib.File(path, "w") as f:
        fill(f)
        if flushed:
            f.flush()
        group = f["parent/inner"]
        plain, chunked, texts, kind = (group[n] for n in ("plain", "chunked", "texts", "kind"))
        del f["parent"]
        assert list(f) == []
        for _ in range(2):
            plain[5] = -1
            chunked.resize((120,))
            chunked[110] = 7
            plain.attrs["unit"] = "m"
            assert plain[4:7].tolist() == [4, -1, 6]
            assert chunked[[3, 110]].tolist() == [3, 7]
            assert [t.decode() for t in texts[:]] == ["one", "two"]
            assert kind.dtype == np.dtype("i4")
            assert plain.attrs["unit"] == "m" and group.attrs["of"] == "inner"
            f.flush()
        f["new"] = np.arange(20_000)
        f.flush()
        assert plain[[0, 5, 19_999]].tolist() == [0, -1, 19_999]
        assert f["new"][5] == 5
    with h5py.File(path) as f:
        assert list(f) == ["new"] and f["new"][19_999] == 19_999
    check(path)


def test_a_link_again(lib, path):
    with lib.File(path, "w") as f:
        data = f.create_dataset("data", data=np.arange(10), **CHUNKED)
        del f["data"]
        f["again"] = data
        data[3] = 9
        f.flush()
        del data
        assert f["again"][:5].tolist() == [0, 1, 2, 9, 4]
    with h5py.File(path) as f:
        assert f["again"][3] == 9 and h5py.h5o.get_info(f["again"].id).rc == 1
    check(path)


def test_names(path):
    with onecast.File(path, "w") as f:
        f["g/x"] = [1, 2]
        group = f["g"]
        del f["g"]
        assert group.file == f and repr(group["x"]).startswith("<HDF5 dataset")
        assert f[group["x"].ref][()].tolist() == [1, 2]


def test_names_of_what_was_removed(path):
    """They are as in h5py, except that members follow their group."""
    with onecast.File(path, "w") as f:
        x, inner = f.create_dataset("x", data=[1]), f.create_dataset("g/inner", data=[2])
        group = f["g"]
        del f["x"], f["g"]
        assert (x.name, group.name, inner.name) == (None, None, None)
        f["back"], f["again"] = x, group
        assert (x.name, group.name, inner.name) == ("/back", "/again", "/again/inner")
        assert f[inner.name] == inner
        f.move("again", "moved")
        assert inner.name == "/moved/inner"


def test_the_space_is_free_afterwards(path):
    sizes = []
    for session in range(4):
        with onecast.File(path, "r+" if session else "w") as f:
            group = f.create_group("group")
            data = group.create_dataset("x", data=np.full(100_000, 3))
            f.flush()
            del f["group"]
            f.flush()
            assert data[99_999] == 3
            del data, group
            f.flush()
        sizes.append(path.stat().st_size)
    assert len(set(sizes[1:])) == 1, sizes
    check(path)


def test_a_process_that_is_killed_leaves_a_sound_file(path, tmp_path):
    copy = tmp_path / "copy.h5"
    with onecast.File(path, "w") as f:
        data = f.create_dataset("x", data=np.arange(1000), **CHUNKED)
        f.flush()
        del f["x"]
        f.flush()
        copy.write_bytes(path.read_bytes())
        assert data[999] == 999
    check(copy)
    with h5py.File(copy, "r+") as f:
        assert list(f) == []
        f["y"] = 1
    check(copy)


def test_on_ranks_until_the_next_flush(same_bytes):
    program = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    data = f.create_dataset("x", data=np.arange(1000))
    f.flush()
    if rank % 2:
        data = None
    del f["x"]
    if data is not None:
        assert data[999] == 999
    f["y"] = np.arange(10)
"""
    for _ in same_bytes(program):
        pass
