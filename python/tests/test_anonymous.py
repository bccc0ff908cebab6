"""Objects that are created without a link. The tests with `lib` also run with h5py."""

import h5py
import numpy as np
import pytest

import onecast


def check(path):
    """Expects that the checker of the format finds nothing."""
    findings = onecast.check(path, data=True)["findings"]
    assert [f for f in findings if f["kind"] != "note"] == []


def fill(f):
    """Creates objects of several kinds, and links them at the end."""
    group = f.create_group(None)
    group["inside"] = np.arange(4)
    group.attrs["of"] = "a group"
    contiguous = f.create_dataset(None, data=np.arange(40000.0))
    chunked = f.create_dataset(None, (30, 4), "i2", chunks=(7, 2), compression="gzip", fillvalue=3)
    texts = f.create_dataset(None, data=["one", "two"], dtype=h5py.string_dtype())
    chunked[3:20] = 8
    contiguous[5] = -1
    contiguous.attrs["unit"] = "m"
    f.create_dataset(None, data=[1, 2])
    f.flush()
    chunked[25] = 9
    f["group"] = group
    f["group/contiguous"] = contiguous
    f["new/chunked"] = chunked
    f["texts"] = texts
    f["again"] = texts


def test_read_by_h5py(lib, path):
    with lib.File(path, "w") as f:
        fill(f)
    with h5py.File(path) as f:
        found = []
        f.visit(found.append)
        assert sorted(found) == [
            "again",
            "group",
            "group/contiguous",
            "group/inside",
            "new",
            "new/chunked",
        ]
        assert sorted(f) == ["again", "group", "new", "texts"]
        contiguous = f["group/contiguous"]
        assert contiguous[:8].tolist() == [0, 1, 2, 3, 4, -1, 6, 7]
        assert contiguous.attrs["unit"] == "m"
        assert f["group"].attrs["of"] == "a group"
        assert f["new/chunked"][:, 0].tolist() == [3] * 3 + [8] * 17 + [3] * 5 + [9] + [3] * 4
        assert f["texts"].asstr()[()].tolist() == ["one", "two"]
        counts = {name: h5py.h5o.get_info(f[name].id).rc for name in (*found, "texts")}
        assert counts == {**dict.fromkeys(found, 1), "again": 2, "texts": 2}
    check(path)


def test_names(file):
    group, data = file.create_group(None), file.create_dataset(None, data=[1, 2])
    inside = group.create_group("inside")
    assert (group.name, data.name, inside.name) == (None, None, None)
    assert [name for name, member in group.items() if member.name is None] == ["inside"]
    assert repr(group) == "<HDF5 group (anonymous) (1 members)>"
    assert repr(data).startswith("<HDF5 dataset (anonymous): ")
    assert group["/"].name == "/"
    with pytest.raises(ValueError, match="Parent of an anonymous object is undefined"):
        print(data.parent)
    file["a/data"] = data
    file["group"] = group
    assert (data.name, data.parent.name) == ("/a/data", "/a")
    assert (group.name, inside.name, group["inside"].name) == (
        "/group",
        "/group/inside",
        "/group/inside",
    )


def test_references(file):
    data = file.create_dataset(None, data=[1, 2])
    file["reference"] = data.ref
    found = file[file["reference"][()]]
    assert found == data and found.name is None
    file.flush()
    assert file[data.ref][()].tolist() == [1, 2]
    file["data"] = data
    assert file[data.ref].name == "/data"


def test_other_calls(file, tmp_path, lib):
    data = file.create_dataset(None, data=[1, 2])
    with lib.File(tmp_path / "other.h5", "w") as other:
        with pytest.raises((OSError, ValueError)):
            other["data"] = data
        file.copy(data, other, name="copy")
        assert other["copy"][()].tolist() == [1, 2] and not list(file)
        with pytest.raises(TypeError):
            file.copy(data, other)
    for call in (file.require_group, lambda name: file.require_dataset(name, (2,), "i4")):
        with pytest.raises(TypeError):
            call(None)
    with pytest.raises(TypeError):
        file[None] = 3


def test_virtual(file, lib):
    file["source"] = np.arange(4)
    layout = lib.VirtualLayout((4,), "i8")
    layout[:] = lib.VirtualSource(file["source"])
    data = file.create_virtual_dataset(None, layout)
    assert data.name is None
    file["virtual"] = data
    file.flush()
    assert data.is_virtual and data[()].tolist() == [0, 1, 2, 3]


def test_no_source_of_a_virtual_dataset(path):
    with onecast.File(path, "w") as f, pytest.raises(ValueError, match="needs a path"):
        onecast.VirtualSource(f.create_dataset(None, data=[1, 2]))


def test_space(path):
    """In many sessions, thousands of objects without links take no lasting space."""
    sizes = []
    for session in range(6):
        with onecast.File(path, "w" if session == 0 else "r+") as f:
            kept = []
            for i in range(1000):
                data = f.create_dataset(None, data=np.full(50, i), chunks=(50,))
                data.attrs["number"] = i
                f.create_group(None)["x"] = np.arange(200)
                if i % 100 == 0:
                    kept.append(data)
                    f.flush()
            assert all(data[7] == 100 * i for i, data in enumerate(kept))
        sizes.append(path.stat().st_size)
    assert len(set(sizes[1:])) == 1, sizes
    with h5py.File(path) as f:
        assert not list(f)
    check(path)


def test_space_in_a_session(path):
    """An object that nobody holds ends with a flush."""
    with onecast.File(path, "w") as f:
        sizes = []
        for i in range(10):
            f.create_dataset(None, data=np.full(100_000, i))
            f.flush()
            sizes.append(path.stat().st_size)
        assert len(set(sizes[2:])) == 1, sizes


def test_flushed_and_not_linked(path, tmp_path):
    """After a flush and the death of the process, other programs find no error in the file."""
    copy = tmp_path / "copy.h5"
    with onecast.File(path, "w") as f:
        data = f.create_dataset(None, data=np.arange(1000), chunks=(100,), compression="gzip")
        f["x"] = 1
        f.flush()
        copy.write_bytes(path.read_bytes())
        assert data[999] == 999
    check(copy)
    with h5py.File(copy, "r+") as f:
        assert list(f) == ["x"]
        f["y"] = np.arange(5000)
    check(copy)
    with onecast.File(copy, "r+") as f:
        f["z"] = f["y"]
    check(copy)


def test_in_files_of_h5py(path):
    """A file without pages of metadata is changed in place."""
    with h5py.File(path, "w") as f:
        f["x"] = np.arange(10)
    for _ in range(3):
        with onecast.File(path, "r+") as f:
            kept, lost = f.create_dataset(None, data=[1, 2]), f.create_group(None)
            lost["inside"] = [3]
            f.flush()
            if "kept" not in f:
                f["kept"] = kept
    check(path)
    with h5py.File(path) as f:
        assert list(f) == ["kept", "x"] and f["kept"][()].tolist() == [1, 2]


def test_another_opening_goes_on(path):
    """It ends with the last opening that could link it."""
    with onecast.File(path, "w") as f:
        reading = onecast.File(path, "r")
        data = f.create_dataset(None, data=np.arange(50_000))
        f.flush()
        assert data[3] == 3
    size = path.stat().st_size
    reading.close()
    for i in range(3):
        with onecast.File(path, "r+") as f:
            f.create_dataset(None, data=np.full(50_000, i))
        assert path.stat().st_size == size
