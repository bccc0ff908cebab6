"""Groups, compared with h5py"""

import numpy as np
import pytest

import onecast


def test_mapping(file):
    file.create_group("a")
    file.create_group("b/c")
    file["b/x"] = [1, 2, 3]
    assert list(file) == ["a", "b"]
    assert list(file.keys()) == ["a", "b"]
    assert repr(file.keys()) == "<KeysViewHDF5 ['a', 'b']>"
    assert len(file) == 2
    assert sorted(file["b"].keys()) == ["c", "x"]
    assert dict(file["b"].items()) == {"c": file["b/c"], "x": file["b/x"]}
    assert list(file.values()) == [file["a"], file["b"]]
    assert "a" in file
    assert "zz" not in file
    assert [name for name, _ in file.items()] == ["a", "b"]


def test_paths(file):
    file["a/b/x"] = 1
    x = file["a/b/x"]
    for name in ("/a/b/x", "a//b/x", "a/./b/x", "./a/b/x", b"a/b/x"):
        assert file[name] == x
        assert file[name].name == "/a/b/x"
    assert file["a"]["b/x"] == x
    assert file["a"]["/a/b/x"] == x
    assert file["a/b/"].name == "/a/b"
    assert file["/"] == file
    assert file["."] == file
    assert x.parent == file["a/b"]
    assert x.parent.name == "/a/b"
    assert hash(x) == hash(file["a/b/x"])
    assert x != file["a/b"]


def test_contains(file):
    file["a/x"] = 1
    for name in ("a", "a/x", "/a/x", "/", ".", b"a"):
        assert name in file, name
    for name in ("", "x", "a/y", "q/x", "a/x/y"):
        assert name not in file, name
    with pytest.raises(TypeError):
        3 in file  # noqa: B015


@pytest.mark.parametrize("name", ["zz", "zz/y", "a/zz", "x/y", ""])
def test_missing(file, name):
    file.create_group("a")
    file["x"] = 1
    with pytest.raises(KeyError):
        file[name]


@pytest.mark.parametrize("key", [3, None, 1.5, ("a",)])
def test_keys_are_names(file, key):
    with pytest.raises(TypeError):
        file[key]


def test_get(lib, file):
    file.create_group("a")
    file["x"] = 1
    assert file.get("a") == file["a"]
    assert file.get("zz") is None
    assert file.get("zz", 3) == 3
    assert file.get("a", getclass=True) is lib.Group
    assert file.get("x", getclass=True) is lib.Dataset
    assert file.get("zz", 3, getclass=True) == 3
    assert isinstance(file.get("a", getlink=True), lib.HardLink)
    assert file.get("a", getclass=True, getlink=True) is lib.HardLink
    assert file.get("zz", 3, getlink=True) == 3


def test_create_group(file):
    group = file.create_group("a/b/c")
    assert group.name == "/a/b/c"
    assert len(group) == 0
    assert group.create_group("d").name == "/a/b/c/d"
    assert group.create_group("/top").name == "/top"
    for name in ("a", "a/b", "top"):
        with pytest.raises(ValueError):
            file.create_group(name)


def test_require_group(file):
    a = file.require_group("a")
    assert file.require_group("a") == a
    file["x"] = 1
    with pytest.raises(TypeError):
        file.require_group("x")


def test_require_dataset(lib, file):
    x = file.require_dataset("x", (2, 3), "i4")
    assert file.require_dataset("x", (2, 3), "i4") == x
    assert file.require_dataset("x", (2, 3), "i2") == x
    with pytest.raises(TypeError):
        file.require_dataset("x", (2, 4), "i4")
    with pytest.raises(TypeError):
        file.require_dataset("x", (2, 3), "f8")
    with pytest.raises(TypeError):
        file.require_dataset("x", (2, 3), "i2", exact=True)
    file.create_group("g")
    with pytest.raises(TypeError):
        file.require_dataset("g", (2, 3), "i4")


def test_delete(file):
    file["a/x"] = 1
    file["a/y"] = 2
    del file["a/x"]
    assert list(file["a"]) == ["y"]
    del file["a"]
    assert list(file) == []
    with pytest.raises(KeyError):
        del file["a"]
    file["a"] = 3
    assert file["a"][()] == 3


def test_visit(file):
    file["a/b/x"] = 1
    file["a/y"] = 1
    file.create_group("c")
    names = []
    assert file.visit(names.append) is None
    assert names == ["a", "a/b", "a/b/x", "a/y", "c"]
    names.clear()
    file["a"].visit(names.append)
    assert names == ["b", "b/x", "y"]
    assert file.visit(lambda name: name if name.endswith("x") else None) == "a/b/x"
    assert file.visititems(lambda name, found: found if name == "a/y" else None) == file["a/y"]
    kinds = {}
    file.visititems(lambda name, found: kinds.__setitem__(name, type(found).__name__))
    assert kinds["a"] == "Group"
    assert kinds["a/y"] == "Dataset"


def test_setitem(file):
    file["list"] = [1, 2]
    file["number"] = 2.5
    file["array"] = np.ones((2, 2), "i2")
    assert file["list"].dtype == "i8"
    assert file["number"].shape == ()
    assert file["array"].dtype == "i2"
    with pytest.raises((ValueError, OSError)):
        file["list"] = 3


@pytest.mark.parametrize(
    "name", ["ünï", "with space", "#hash", "a.b", "..", "[x]", "x" * 3000, "new\nline", "日本"]
)
def test_names(lib, path, name):
    with lib.File(path, "w") as f:
        f.create_group(name)
        f.attrs[name] = 1
    with lib.File(path) as f:
        assert list(f) == [name]
        assert name in f
        assert f[name].name == "/" + name
        assert list(f.attrs) == [name]


def test_names_that_are_not_utf8(lib, path):
    with lib.File(path, "w") as f:
        f.create_group(b"\xff\xfe")
    with lib.File(path) as f:
        (name,) = f
        assert f[name] == f[b"\xff\xfe"]


def test_repr(file):
    file.create_group("a/b")
    assert repr(file["a"]) == '<HDF5 group "/a" (1 members)>'


def test_many_members(lib, path):
    names = [f"member {i:05}" for i in range(3000)]
    with lib.File(path, "w") as f:
        for name in names:
            f.create_group(name)
    with lib.File(path) as f:
        assert list(f) == names
        assert names[1234] in f
        assert len(f) == 3000
        assert [member.name for member in f.values()] == [f"/{name}" for name in names]
        assert [(name, member.name) for name, member in f.items()] == [(n, f"/{n}") for n in names]


def test_members_that_lead_nowhere(lib, path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as f:
        f["a/x"] = 1
        f["a/soft"] = h5py.SoftLink("/a/x")
        f["a/dangling"] = h5py.SoftLink("/missing")
        f["a/again"] = f["a/x"]
        f["b"] = f["a"]
    with lib.File(path) as f:
        assert {name: member and member[()] for name, member in f["a"].items()} == {
            "again": 1,
            "dangling": None,
            "soft": 1,
            "x": 1,
        }
        names = []
        f.visit(names.append)
        assert names == ["a", "a/again"]
        f["b"].visit(names.append)
        assert names[2:] == ["again"]


@pytest.mark.leaves_damage
def test_damaged_member(path):
    """Members before it are there."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w", libver="latest") as f:
        for i in range(9):
            f[f"member {i}"] = i
        address = h5py.h5o.get_info(f["member 5"].id).addr
    with open(path, "r+b") as raw:
        raw.seek(address + 20)
        raw.write(b"DAMAGED")
    with onecast.File(path) as f:
        members = iter(f.values())
        assert [next(members)[()] for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(onecast.FormatError, match=hex(address)):
            next(members)
        names = []
        with pytest.raises(onecast.FormatError, match=hex(address)):
            f.visit(names.append)
        assert len(names) == 5


def test_what_a_visitor_changes(file):
    """A group is visited after the visitor has seen it."""
    file.create_group("a")
    names = []

    def visit(name, found):
        names.append(name)
        if name == "a":
            found.create_group("new")

    file.visititems(visit)
    assert names == ["a", "a/new"]
