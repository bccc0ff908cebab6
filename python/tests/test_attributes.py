"""Attributes, compared with h5py"""

import numpy as np
import pytest

import onecast

VALUES = {
    "int": 1,
    "negative": -5,
    "float": 2.5,
    "complex": 1 + 2j,
    "text": "Größe",
    "empty text": "",
    "bytes": np.bytes_(b"xyz"),
    "empty bytes": np.bytes_(b""),
    "array": np.arange(3),
    "big-endian": np.ones((2, 2), ">f4"),
    "list": [1.5, 2],
    "tuple": (1, 2),
    "texts": ["a", "bcd", "é"],
    "bytes array": np.array([b"a", b"bc"]),
    "no elements": np.zeros(0),
    "numpy scalar": np.float32(0.5),
    "record": np.array((1, 2.5), dtype=[("a", "i4"), ("b", ">f8")]),
    "records": np.array([(1, (2.5, b"x"))], dtype=[("a", "i4"), ("n", [("b", "f8"), ("s", "S3")])]),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
@pytest.mark.parametrize("owner", ["/", "group", "dataset"])
def test_values(lib, path, value, owner):
    with lib.File(path, "w") as f:
        f.create_group("group")
        f["dataset"] = 1
        f[owner].attrs["name"] = value
        again = f[owner].attrs["name"]
    with lib.File(path) as f:
        read = f[owner].attrs["name"]
        assert type(read) is type(again)
        np.testing.assert_array_equal(read, np.asarray(value))
        if isinstance(value, str):
            assert type(read) is str
        elif np.ndim(value) == 0 and not isinstance(value, np.ndarray):
            assert type(read) is np.asarray(value).dtype.type
        elif isinstance(value, np.ndarray):
            assert read.dtype == value.dtype


def test_mapping(file):
    attrs = file.attrs
    for name in "zab":
        attrs[name] = 1
    assert sorted(attrs) == ["a", "b", "z"]
    assert len(attrs) == 3
    assert "a" in attrs
    assert "q" not in attrs
    assert attrs.get("q", 5) == 5
    assert dict(attrs) == {"z": 1, "a": 1, "b": 1}
    attrs["a"] = "replaced"
    assert attrs["a"] == "replaced"
    assert len(attrs) == 3
    del attrs["a"]
    assert "a" not in attrs
    assert attrs.pop("b") == 1
    attrs.update(x=1, y=2)
    assert sorted(attrs) == ["x", "y", "z"]
    for access in (lambda: attrs["q"], lambda: attrs.__delitem__("q")):
        with pytest.raises(KeyError):
            access()
    with pytest.raises(TypeError):
        attrs[3]


def test_all_at_once(lib, path):
    """items and values return what the brackets return, in the same order."""
    with lib.File(path, "w") as f:
        for name, value in VALUES.items():
            f.attrs[name] = value
        f.attrs["null"] = lib.Empty("i4")
        f.attrs["large"] = np.arange(5000)
    with lib.File(path) as f:
        names, values = list(f.attrs), list(f.attrs.values())
        assert [name for name, _ in f.attrs.items()] == names
        for name, value, (_, item) in zip(names, values, f.attrs.items(), strict=True):
            alone = f.attrs[name]
            assert type(value) is type(item) is type(alone)
            if isinstance(alone, lib.Empty):
                assert value == alone
            else:
                np.testing.assert_array_equal(value, alone)
                np.testing.assert_array_equal(item, alone)
        attrs = f.attrs
    with pytest.raises((ValueError, RuntimeError)):
        list(attrs.values())


def test_unreadable_among_others(path):
    """Attributes before an unreadable one are returned."""
    h5py = pytest.importorskip("h5py")
    time = h5py.h5t.UNIX_D32LE.copy()
    with h5py.File(path, "w") as f:
        f.attrs["a"] = 1
        h5py.h5a.create(f.id, b"b", time, h5py.h5s.create(h5py.h5s.SCALAR))
        f.attrs["c"] = 3
    with onecast.File(path) as f:
        assert list(f.attrs) == ["a", "b", "c"]
        items = iter(f.attrs.items())
        assert next(items) == ("a", 1)
        with pytest.raises(onecast.UnsupportedError, match="'b'"):
            next(items)
        assert f.attrs["c"] == 3


def test_empty(lib, file):
    file.attrs["e"] = lib.Empty("i4")
    assert isinstance(file.attrs["e"], lib.Empty)
    assert file.attrs["e"].dtype == "i4"


def test_create(file):
    attrs = file.attrs
    attrs.create("a", np.arange(4), shape=(2, 2), dtype="f4")
    assert attrs["a"].dtype == "f4"
    assert attrs["a"].tolist() == [[0, 1], [2, 3]]
    attrs.create("a", 3)
    assert attrs["a"] == 3
    with pytest.raises(ValueError):
        attrs.create("b", np.arange(4), shape=(3, 2))


def test_modify(file):
    attrs = file.attrs
    attrs["a"] = np.arange(3, dtype="i4")
    attrs.modify("a", [4.7, 5, 6])
    assert attrs["a"].dtype == "i4"
    assert attrs["a"].tolist() == [4, 5, 6]
    attrs.modify("new", 3)
    assert attrs["new"] == 3
    with pytest.raises(TypeError):
        attrs.modify("a", [1, 2])


@pytest.mark.parametrize("value", [None, {}, np.datetime64("2020-01-01"), ["a", 1, None]], ids=str)
def test_types_that_cannot_be_stored(file, value):
    with pytest.raises(TypeError):
        file.attrs["x"] = value


def test_text_with_nul(file):
    with pytest.raises(ValueError):
        file.attrs["x"] = "a\0b"
    assert "x" not in file.attrs


def test_large(lib, path):
    values = np.arange(70_000)
    # h5py keeps attributes of that size only if it may use version 1.8 of the format.
    with lib.File(path, "w", **({"libver": "latest"} if lib.__name__ == "h5py" else {})) as f:
        f.attrs["x"] = values
    for reader in ("h5py", "onecast"):
        with pytest.importorskip(reader).File(path) as f:
            np.testing.assert_array_equal(f.attrs["x"], values)


def test_many(lib, path):
    with lib.File(path, "w") as f:
        for i in range(300):
            f.attrs[f"attribute {i:03}"] = i
    with lib.File(path) as f:
        assert len(f.attrs) == 300
        assert f.attrs["attribute 123"] == 123
        assert sorted(f.attrs) == [f"attribute {i:03}" for i in range(300)]
