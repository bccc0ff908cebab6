"""Members of compounds are matched by name; elements may be arrays; dtypes may say more than numpy
knows. Tests with `lib` also run with h5py."""

import h5py
import numpy as np
import pytest
from same_values import assert_same, plain

import onecast

KIND = np.dtype([("a", "i4"), ("b", "f8"), ("c", "S3")])
NESTED = np.dtype([("p", [("x", "f4"), ("y", "f4")]), ("q", "i4", (2,)), ("on", "?")])
TEXTS = np.dtype([("s", onecast.string_dtype()), ("a", "i4"), ("v", onecast.vlen_dtype("i2"))])
OTHER = [("b", "f4"), ("more", "i2"), ("a", "i8")]  # another order, other types, one that is new
ROWS = np.array([(5.5, 1, 7), (6.5, 2, 8), (-1.5, 3, 9)], OTHER)


def whole(number=3):
    return np.array([(1, 2, b"x")] * number, KIND)


@pytest.fixture(params=["contiguous", "chunked", "compressed", "compact"])
def dataset(request, lib, file):
    options = {
        "contiguous": {} if lib is h5py else {"compact": False},
        "chunked": {"chunks": (2,)},
        "compressed": {"chunks": (2,), "compression": 4},
        "compact": {},
    }[request.param]
    return file.create_dataset("d", data=whole(), **options)


def seen(dataset):
    """Returns what h5py sees."""
    path = dataset.file.filename
    dataset.file.close()
    with h5py.File(path) as f:
        return f["d"][...].tolist()


def test_members_are_found_by_their_names(dataset):
    dataset[...] = ROWS
    assert seen(dataset) == [(7, 5.5, b"x"), (8, 6.5, b"x"), (9, -1.5, b"x")]


def test_of_a_part(dataset):
    dataset[1:] = ROWS[["a"]][:2]
    dataset[0] = np.array((2, 0.5), [("a", "u1"), ("b", "f2")])
    assert seen(dataset) == [(2, 0.5, b"x"), (7, 2, b"x"), (8, 2, b"x")]


def test_broadcast(dataset):
    dataset[...] = ROWS[0:1]
    dataset[2:] = np.array((4,), [("a", "i8")])
    assert seen(dataset) == [(7, 5.5, b"x"), (7, 5.5, b"x"), (4, 5.5, b"x")]


def test_names_in_the_brackets(dataset):
    dataset["a"] = [7, 8, 9]
    dataset["b", 1:] = 0.5
    dataset["a", "c", 2] = (1, 2, b"z")
    dataset[:2, "b", "c"] = ROWS[:2]
    assert dataset["a"].tolist() == [7, 8, 1]
    assert dataset["a", "b"].dtype.names == ("a", "b")
    assert seen(dataset) == [(7, 5.5, b"x"), (8, 6.5, b"x"), (1, 0.5, b"z")]


def test_values_without_members_of_their_own(dataset):
    dataset[0] = (9, 8, b"zz")
    dataset[1:] = [(1, 2, b""), (3, 4, b"q")]
    assert seen(dataset) == [(9, 8, b"zz"), (1, 2, b""), (3, 4, b"q")]


@pytest.mark.parametrize(
    ("args", "value"),
    [
        (..., np.zeros(3, [("other", "i4")])),
        ("other", 1),
        (("a", "other"), 1),
        ("a", np.zeros(3, [("b", "i4")])),
        (..., np.zeros(3, [("a", "S4")])),
        (..., np.zeros(3, [("c", "i4")])),
        (..., np.zeros(3, [("a", "i4", (2,))])),
        (..., np.zeros(3, [("a", [("z", "i4")])])),
        (..., np.zeros(2, [("a", "i4")])),
    ],
)
def test_what_is_refused(dataset, args, value):
    with pytest.raises((ValueError, TypeError, OSError)):
        dataset[args] = value
    assert seen(dataset) == whole().tolist()


def test_refused_of_others(file):
    file["number"] = [1, 2]
    with pytest.raises(TypeError):
        file["number"]["a"] = 1
    with pytest.raises((TypeError, OSError)):
        file["number"][...] = np.zeros(2, [("a", "i4")])


def test_nested(file):
    d = file.create_dataset("d", (2,), NESTED)
    d[...] = np.array([((1, 2), [3, 4], True)] * 2, NESTED)
    d[...] = np.array(
        [([7, 8], (9,))] * 2, [("q", "i8", (2,)), ("p", [("y", "f8")])]
    )  # p.x and the others stay
    d["q", 1] = [5, 6]
    assert_same(d[...], np.array([((1, 9), [7, 8], True), ((1, 9), [5, 6], True)], NESTED))
    with pytest.raises((TypeError, OSError)):
        d[...] = np.zeros(2, [("q", "i4", (3,))])


def test_the_value_of_a_nested_member(path):
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", data=np.array([((1, 2), [3, 4], True)] * 2, NESTED))
        d["p"] = np.array([(5,), (6,)], [("y", "i4")])
        assert d["p"].tolist() == [(1, 5), (1, 6)]


def test_enumerations(lib, file):
    colors = lib.enum_dtype({"red": 1, "blue": 2}, "i1")
    d = file.create_dataset("d", (2,), [("color", colors), ("on", "?"), ("z", "c8")])
    d[...] = np.array([(True, 2), (False, 1)], [("on", "?"), ("color", colors)])
    d["z"] = [1j, 2]
    assert d[...].tolist() == [(2, True, 1j), (1, False, 2)]
    file["e"] = d["color"]
    assert lib.check_enum_dtype(file["e"].dtype) == {"red": 1, "blue": 2}


def test_elements_of_a_list_go_by_name(path):
    """h5py goes by position."""
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", data=whole())
        d[0] = ROWS[0]
        d[1:] = [ROWS[1], ROWS[2]]
        assert d[...].tolist() == [(7, 5.5, b"x"), (8, 6.5, b"x"), (9, -1.5, b"x")]


def test_new_datasets(path):
    """h5py stores zero instead of the fill value."""
    fill = np.array((1, 2, b"f"), KIND)
    with onecast.File(path, "w") as f:
        f.create_dataset("zero", data=ROWS, dtype=KIND)
        f.create_dataset("fill", data=ROWS, dtype=KIND, fillvalue=fill)
        f.create_dataset("later", (3,), KIND, fillvalue=fill, chunks=(2,))[1:] = ROWS[1:]
        with pytest.raises(ValueError):
            f.create_dataset("none", data=np.zeros(3, [("x", "i4")]), dtype=KIND)
        assert "none" not in f
    with h5py.File(path) as f:
        assert f["zero"][...].tolist() == [(7, 5.5, b""), (8, 6.5, b""), (9, -1.5, b"")]
        assert f["fill"][...].tolist() == [(7, 5.5, b"f"), (8, 6.5, b"f"), (9, -1.5, b"f")]
        assert f["later"][...].tolist() == [(1, 2, b"f"), (8, 6.5, b"f"), (9, -1.5, b"f")]


def test_attributes(lib, file):
    file.attrs.create("a", whole())
    file.attrs.modify("a", ROWS)
    assert file.attrs["a"].tolist() == [(7, 5.5, b"x"), (8, 6.5, b"x"), (9, -1.5, b"x")]
    file.attrs.modify("a", ROWS[["b"]])
    assert file.attrs["a"].dtype == KIND


def test_new_attributes(path):
    with onecast.File(path, "w") as f:
        f.attrs.create("a", ROWS, dtype=KIND)
    with h5py.File(path) as f:
        assert f.attrs["a"].tolist() == [(7, 5.5, b""), (8, 6.5, b""), (9, -1.5, b"")]


def test_values_of_variable_length(path):
    with onecast.File(path, "w") as f:
        for name, options in {"d": {}, "chunks": {"chunks": (2,), "compression": 1}}.items():
            d = f.create_dataset(name, (3,), TEXTS, **options)
            d[...] = np.array([("x", 1, np.arange(2)), ("é", 2, []), ("z", 3, [7])], TEXTS)
            d["a"] = [4, 5, 6]
            d["s", 1:] = ["Größe", "w"]
            d["v", 0] = np.arange(3)
            d[2] = np.array([("last",)], [("s", "S5")])[0]
    with h5py.File(path) as f:
        for name in ("d", "chunks"):
            found = [(s.decode(), a, v.tolist()) for s, a, v in f[name][...]]
            assert found == [("x", 4, [0, 1, 2]), ("Größe", 5, []), ("last", 6, [7])]


# --- elements that are arrays --------------------------------------------------------------------
PAIR = np.dtype(("f4", (2,)))


def test_arrays(lib, file):
    d = file.create_dataset("d", (3,), PAIR)
    d[...] = [[1, 2], [3, 4], [5, 6]]
    assert d[...].tolist() == [[1, 2], [3, 4], [5, 6]]
    d[1:] = np.array([[7, 8]])
    d[0] = (9, 10)
    assert seen(d) == [[9, 10], [7, 8], [7, 8]]


@pytest.mark.parametrize("value", [5, [[1], [2], [3]], [1, 2, 3], np.zeros((2, 2)), [[1, 2, 3]]])
def test_arrays_of_another_shape(file, value):
    d = file.create_dataset("d", (3,), PAIR)
    with pytest.raises(TypeError):
        d[...] = value


def test_arrays_are_broadcast(path):
    """h5py refuses the last one, and refuses to create datasets with such data."""
    with onecast.File(path, "w") as f:
        f.create_dataset("new", data=np.arange(6).reshape(3, 2), dtype=PAIR)
        f.create_dataset("one", data=[1, 2], dtype=PAIR)
        f.create_dataset("shaped", (3, 1), data=np.arange(6).reshape(3, 2), dtype=PAIR)
        f.create_dataset("filled", (2,), PAIR, fillvalue=[3, 4])
        f.create_dataset("d", (3,), PAIR)[...] = [1, 2]
        with pytest.raises(ValueError):
            f.create_dataset("wrong", (4,), data=np.arange(6).reshape(3, 2), dtype=PAIR)
        with pytest.raises(TypeError):
            f.create_dataset("wrong", data=np.arange(6), dtype=PAIR)
        f.create_dataset("texts", (2,), np.dtype((onecast.string_dtype(), (2,))))
        f["texts"][...] = [["a", "é"], ["", "b"]]
    with h5py.File(path) as f:
        assert f["new"].shape == (3,) and f["new"].dtype == PAIR
        assert f["new"][...].tolist() == [[0, 1], [2, 3], [4, 5]]
        assert f["one"].shape == () and f["one"][()].tolist() == [1, 2]
        assert f["shaped"].shape == (3, 1) and f["shaped"][...].tolist() == [
            [[0, 1]],
            [[2, 3]],
            [[4, 5]],
        ]
        assert f["filled"][...].tolist() == [[3, 4], [3, 4]]
        assert f["d"][...].tolist() == [[1, 2]] * 3


def test_arrays_in_attributes(lib, file):
    file.attrs.create("a", np.arange(6).reshape(3, 2), dtype=PAIR)
    file.attrs.create("b", np.arange(6).reshape(3, 2), shape=(3, 2), dtype=PAIR)
    file.attrs.create("one", np.arange(2), dtype=PAIR)
    assert file.attrs["a"].tolist() == file.attrs["b"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert file.attrs["one"].tolist() == [0, 1]
    with pytest.raises((TypeError, ValueError)):
        file.attrs.create("c", np.arange(6), dtype=PAIR)


# --- dtypes that say more ------------------------------------------------------------------------
def test_dtypes_of_what_was_read(lib, path, tmp_path):
    """`f["b"] = f["a"][...]` stores the same type."""
    colors = h5py.enum_dtype({"red": 1}, "i2")
    marked = {
        "utf8": (["é", "abc"], h5py.string_dtype()),
        "ascii": (["e", "abc"], h5py.string_dtype("ascii")),
        "fixed": ([b"e", b"abc"], h5py.string_dtype("utf-8", 5)),
        "sequences": ([np.arange(2), np.arange(3)], h5py.vlen_dtype("i2")),
        "texts": ([np.array(["a", "é"], object), np.array([], object)],
                  h5py.vlen_dtype(h5py.string_dtype())),
        "colors": ([1, 1], colors),
        "mixed": ([("é", 1)], [("s", h5py.string_dtype()), ("c", colors)]),
        "arrays": ([[1, 2], [3, 4]], np.dtype(("i4", (2,)))),
    }  # fmt: skip
    with h5py.File(path, "w") as f:
        for name, (data, dtype) in marked.items():
            d = f.create_dataset(name, (len(data),), dtype)
            for i, item in enumerate(data):
                d[i] = item
        f["to"] = 1
        f.create_dataset("refs", (2,), h5py.ref_dtype)[0] = f["to"].ref
        f.create_dataset("regions", (2,), h5py.regionref_dtype)
    with lib.File(path, "r+") as f:
        for name in [*marked, "refs", "regions"]:
            if name != "arrays":
                f[f"{name} again"] = f[name][...]
                f.attrs[name] = f[name][...]
            f.create_dataset(f"{name} as", (2,), f[name].dtype)
        if lib is onecast:
            f["listed"] = [f["utf8"][:1], f["utf8"][1:]]
    with h5py.File(path) as f:
        for name in [*marked, "refs", "regions"]:
            if name != "arrays":
                assert plain(f[f"{name} again"].dtype) == plain(f[name].dtype), name
                assert_same(f[f"{name} again"][...], f[name][...])
                assert f.attrs.get_id(name).get_type().equal(f[name].id.get_type()), name
            assert plain(f[f"{name} as"].dtype) == plain(f[name].dtype), name
        if lib is onecast:
            assert f["listed"].asstr()[...].tolist() == [["é"], ["abc"]]


def test_together(mpirun):
    """Each rank writes its own rows, which have only some members."""
    mpirun(
        3,
        """
kind = np.dtype([("a", "i4"), ("b", "f8")])
with onecast.File("members.h5", "w", comm=comm) as f:
    for name, options in {"plain": {"compact": False}, "chunks": {"chunks": (2,)},
                          "zip": {"chunks": (2,), "compression": 1}, "compact": {}}.items():
        d = f.create_dataset(name, data=np.array([(9, 1)] * 6, kind), **options)
        f.flush()
        mine = slice(2 * rank, 2 * rank + 2)
        d.write_all(mine, np.array([(rank,), (10 + rank,)], [("a", "i8")]))
        d.write_all(("b", slice(rank, rank + 1)), rank + 0.5)
        d.write_equal(("a", 5), 77)
        f.flush()
        expected = [(0, 0.5), (10, 1.5), (1, 2.5), (11, 1), (2, 1), (77, 1)]
        assert d.read_all().tolist() == expected, (name, d[...])
        same_everywhere(lambda: d.write_all(mine, np.zeros(2, [("z", "i4")])), ValueError)
        assert d.read_all().tolist() == expected
        same_everywhere(lambda: d.write_all("b" if rank != 1 else "z", 0.5), ValueError)
""",
    )
