"""Datasets, compared with h5py"""

import numpy as np
import pytest

NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("order", "<>")
def test_numbers(lib, path, kind, order):
    values = np.arange(12).reshape(3, 4).astype(order + kind)
    with lib.File(path, "w") as f:
        f["x"] = values
    with lib.File(path) as f:
        x = f["x"]
        assert x.dtype == values.dtype
        assert x.dtype.str == values.dtype.str
        assert x.shape == (3, 4)
        np.testing.assert_array_equal(x[...], values)
        assert x[1, 2] == values[1, 2]


INDEXES = [
    (),
    ...,
    0,
    -1,
    np.int64(2),
    True,
    (0, 1),
    (-1, -1, -1),
    slice(None),
    slice(1, 3),
    slice(1, 100),
    slice(-2, None),
    slice(-2, -1),
    slice(2, 1),
    slice(None, None, 2),
    slice(1, None, 3),
    (slice(None), 0),
    (slice(None), slice(None), slice(0, 4, 3)),
    (..., 2),
    (1, ...),
    (1, 2, 3, ...),
    (slice(0, 0), 1),
    (0, slice(None), 1),
    (slice(1, 3), slice(0, 3, 2), slice(1, 4, 2)),
]


@pytest.mark.parametrize("index", INDEXES, ids=str)
@pytest.mark.parametrize("compact", [True, False])
def test_reading(lib, path, index, compact):
    values = np.arange(60, dtype="i4").reshape(3, 4, 5)
    options = {"compact": compact} if lib.__name__ == "onecast" else {}
    with lib.File(path, "w") as f:
        x = f.create_dataset("x", data=values, **options)
        result = x[index]
        expected = (
            values[tuple(int(i) if i is True else i for i in index)]
            if isinstance(index, tuple)
            else values[int(index) if index is True else index]
        )
        assert type(result) is type(x[0, 0, 0]) or isinstance(result, np.ndarray)
        np.testing.assert_array_equal(result, expected)
        assert np.shape(result) == np.shape(expected)


@pytest.mark.parametrize("index", INDEXES, ids=str)
def test_writing(lib, path, index):
    values = np.arange(60, dtype="i4").reshape(3, 4, 5)
    if index is True:
        index = 1
    with lib.File(path, "w") as f:
        f["x"] = values
        f["x"][index] = -1
        part = values[index]
        f["y"] = values
        f["y"][index] = np.asarray(part) * 2
    with lib.File(path) as f:
        expected = values.copy()
        expected[index] = -1
        np.testing.assert_array_equal(f["x"][...], expected)
        expected = values.copy()
        expected[index] = np.asarray(part) * 2
        np.testing.assert_array_equal(f["y"][...], expected)


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (3, IndexError),
        (-4, IndexError),
        ((0, 4), IndexError),
        ((0, 0, 0), ValueError),
        (slice(None, None, -1), ValueError),
        (slice(None, None, 0), ValueError),
        ((..., ...), ValueError),
        (1.0, TypeError),
        (None, TypeError),
        ("a", ValueError),
        (object, TypeError),
    ],
    ids=str,
)
def test_wrong_indexes(file, index, error):
    x = file.create_dataset("x", data=np.arange(12).reshape(3, 4))
    with pytest.raises(error):
        x[index]


def test_broadcasting(file):
    x = file.create_dataset("x", (3, 4), "i4")
    x[:] = [1, 2, 3, 4]
    assert x[2].tolist() == [1, 2, 3, 4]
    x[0] = [[5, 6, 7, 8]]
    assert x[0].tolist() == [5, 6, 7, 8]
    x[...] = np.arange(12).reshape(1, 3, 4)
    assert x[2, 3] == 11
    x[:, 1] = 2.7
    assert x[:, 1].tolist() == [2, 2, 2]
    for index, value in (
        (slice(None), [1, 2]),
        (slice(None), np.arange(12)),
        ((slice(None), 0), [[1], [2], [3]]),
    ):
        with pytest.raises(TypeError):
            x[index] = value
    with pytest.raises(ValueError):
        x[0] = "text"
    with pytest.raises(IndexError):
        x[7] = 1


def test_scalar(file):
    x = file.create_dataset("x", data=5.5)
    assert type(x[()]) is np.float64
    assert isinstance(x[...], np.ndarray)
    assert x[...].shape == ()
    assert (x.shape, x.size, x.ndim, x.nbytes, x.chunks, x.maxshape) == ((), 1, 0, 8, None, ())
    for index in (0, slice(None)):
        with pytest.raises(ValueError):
            x[index]
    with pytest.raises(TypeError):
        len(x)
    with pytest.raises(TypeError):
        list(x)
    x[()] = 6
    assert x[()] == 6
    x[...] = 7
    assert x[()] == 7


def test_empty(lib, path):
    with lib.File(path, "w") as f:
        f.create_dataset("e", data=lib.Empty("f4"))
        f.create_dataset("only a type", dtype="i2")
        f["set"] = lib.Empty("u1")
    with lib.File(path) as f:
        e = f["e"]
        assert isinstance(e[()], lib.Empty)
        assert isinstance(e[...], lib.Empty)
        assert e[()].dtype == "f4"
        assert (e.shape, e.size, e.dtype, e.nbytes) == (None, None, np.dtype("f4"), 0)
        with pytest.raises(ValueError):
            e[0]
        with pytest.raises(TypeError):
            len(e)
        assert f["only a type"].shape is None
        assert repr(e) == '<HDF5 dataset "e": shape None, type "<f4">'


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_without_elements(lib, path, shape):
    with lib.File(path, "w") as f:
        f.create_dataset("x", shape, "f8")
        f["y"] = np.zeros(shape)
    with lib.File(path) as f:
        for name in "xy":
            assert f[name].shape == shape
            assert f[name].size == 0
            assert f[name][...].shape == shape


def test_properties(file):
    x = file.create_dataset("g/x", (3, 4), "<i2")
    assert (x.shape, x.size, x.ndim, x.nbytes, x.maxshape) == ((3, 4), 12, 2, 24, (3, 4))
    assert x.chunks is None
    assert len(x) == 3
    assert x.name == "/g/x"
    assert x.parent == file["g"]
    assert x.file == file
    assert repr(x) == '<HDF5 dataset "x": shape (3, 4), type "<i2">'
    assert not x[...].any()
    assert [row.tolist() for row in x] == [[0] * 4] * 3
    assert np.asarray(x).dtype == "<i2"
    assert np.array(x, dtype="f4").dtype == "f4"
    with pytest.raises(ValueError):
        np.array(x, copy=False)


def test_create_dataset(file):
    assert file.create_dataset("a", 3, "i4").shape == (3,)
    assert file.create_dataset("b", (3, 1), data=[1, 2, 3]).shape == (3, 1)
    assert file.create_dataset("c", data=[1, 2, 3], dtype="f4").dtype == "f4"
    assert file.create_dataset("d/e/f", data=1).name == "/d/e/f"
    with pytest.raises(ValueError):
        file.create_dataset("g", (2,), data=[1, 2, 3])
    with pytest.raises(ValueError):
        file.create_dataset("a", data=1)
    with pytest.raises(TypeError):
        file.create_dataset("h")
    assert "g" not in file
    assert "h" not in file


@pytest.mark.parametrize(
    "data",
    [np.datetime64("2020-01-01"), np.array([{}], dtype=object), None, np.array(["a", 1, None])],
    ids=str,
)
def test_types_that_cannot_be_stored(file, data):
    with pytest.raises(TypeError):
        file["x"] = data


RECORD = np.dtype(
    [("a", "<i2"), ("b", ">f8"), ("n", [("c", ">u4"), ("s", "S4"), ("z", "<c8")]), ("d", "i1")]
)


def records(dtype=RECORD):
    values = np.zeros(3, dtype)
    values["a"] = [1, 2, 3]
    values["b"] = [0.5, 1.5, 2.5]
    values["n"]["c"] = [7, 8, 9]
    values["n"]["s"] = [b"ab", b"", b"wxyz"]
    values["n"]["z"] = [1j, 2, 3]
    return values


PADDED = np.dtype(
    {
        "names": ["a", "b", "n", "d"],
        "formats": [RECORD[name] for name in RECORD.names],
        "offsets": [4, 8, 24, 60],
        "itemsize": 64,
    }
)


@pytest.mark.parametrize("dtype", [RECORD, PADDED], ids=["packed", "padded"])
def test_compound(lib, path, dtype):
    values = records(dtype)
    with lib.File(path, "w") as f:
        f["x"] = values
        f["one"] = values[1]
    with lib.File(path) as f:
        x = f["x"]
        assert x.dtype == dtype
        np.testing.assert_array_equal(x[...], values)
        assert x[1] == values[1]
        assert f["one"][()] == values[1]
        assert isinstance(x[1], np.void)
        np.testing.assert_array_equal(x["a"], values["a"])
        np.testing.assert_array_equal(x["a", 1:], values["a"][1:])
        assert x[0, "b"] == 0.5
        assert x["a", "b"].dtype == np.dtype([("a", "<i2"), ("b", ">f8")])
        assert x["n"]["c"].tolist() == [7, 8, 9]
        with pytest.raises(ValueError):
            x["zz"]


def test_writing_compound(file):
    x = file.create_dataset("x", data=records())
    x[0] = (5, 6.0, (7, b"q", 1j), 8)
    assert x[0].tolist() == (5, 6.0, (7, b"q", 1j), 8)
    x[1:] = records()[:2]
    np.testing.assert_array_equal(x[1:], records()[:2])


def test_strings(lib, path):
    with lib.File(path, "w") as f:
        f["s"] = np.array([b"ab", b"", b"wxyz"])
        f["one"] = np.bytes_(b"text")
        f["s"][1] = b"too long"
    with lib.File(path) as f:
        assert f["s"].dtype == "S4"
        assert f["s"][...].tolist() == [b"ab", b"too ", b"wxyz"]
        assert f["s"][2] == b"wxyz"
        assert type(f["one"][()]) is np.bytes_
        assert f["one"][()] == b"text"


def test_utf8_strings(lib, path):
    dtype = lib.string_dtype("utf-8", 6)
    with lib.File(path, "w") as f:
        f.create_dataset("s", (2,), dtype)[:] = ["Größe".encode()[:6], b"x"]
    with lib.File(path) as f:
        assert f["s"].dtype.metadata == dtype.metadata
        assert f["s"][0].decode() == "Größ"


def test_read_direct(file):
    x = file.create_dataset("x", data=np.arange(12).reshape(3, 4))
    out = np.zeros((3, 4))
    x.read_direct(out)
    np.testing.assert_array_equal(out, x[...])
    out = np.zeros(5)
    x.read_direct(out, np.s_[0, :2], np.s_[1:3])
    assert out.tolist() == [0, 0, 1, 0, 0]
    with pytest.raises(TypeError):
        x.read_direct(np.zeros((2, 2)))


def test_write_direct(file):
    x = file.create_dataset("x", (3, 4), "i4")
    x.write_direct(np.arange(12, dtype="f8").reshape(3, 4))
    assert x[2, 3] == 11
    x.write_direct(np.arange(4), np.s_[:2], np.s_[0, 2:])
    assert x[0].tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("size", [10, 5_000, 2_000_000])
def test_sizes(lib, path, size):
    values = np.arange(size, dtype="u1")
    with lib.File(path, "w") as f:
        f["x"] = values
        f["x"][size // 2] = 200
    with lib.File(path, "r+") as f:
        assert f["x"][size // 2] == 200
        f["x"][-1] = 201
    with lib.File(path) as f:
        values[size // 2], values[-1] = 200, 201
        np.testing.assert_array_equal(f["x"][...], values)
