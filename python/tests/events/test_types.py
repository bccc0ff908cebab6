"""Types that are declared before the first batch; and what can be an array of a column"""

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")

LATER = {
    "option": ("?float64", [1.5, 2.5], [None, 3.5]),
    "option in lists": ("var * ?int64", [[1], []], [[None, 2]]),
    "option of lists": ("option[var * int64]", [[1], []], [None, [2]]),
    "union": ("union[int64, string]", ["a", "b"], [1, "c"]),
    "three types": ("union[int64, string, bool]", ["a", True], [1, "c"]),
    "union with None": ("union[?int64, ?string]", [1, 2], ["a", None]),
    "union in lists": ("var * union[int64, string]", [[], ["a"]], [[1, "b"], [2]]),
    "nothing yet": ("var * float64", [[], []], [[1.5]]),
    "unknown": ("var * unknown", [[], []], [[1.5]]),
    "record": ("{x: int64, y: ?string}", [{"y": "a", "x": 1}], [{"x": 2, "y": None}]),
    "fixed lists": ("2 * float64", np.ones((3, 2)), [[2.5, 3.5]]),
}


@pytest.mark.parametrize("name", LATER)
def test_what_comes_later(path, name):
    text, first, later = LATER[name]
    if name == "fixed lists":
        later = ak.to_regular(ak.Array(later))
    with events.create(path, types={"x": text}) as writer:
        for batch in (first, later, first):
            writer.append({"x": batch, "run": np.arange(len(batch))})
    whole = [*ak.to_list(first), *ak.to_list(later), *ak.to_list(first)]
    with events.open(path) as opened:
        assert opened["x"].to_list() == whole
    assert events.check(path, data=True) == []
    if name != "nothing yet" and name != "unknown" and name != "fixed lists":
        with pytest.raises(TypeError), events.create(path) as writer:
            writer.append({"x": first})
            writer.append({"x": later})


SAME = [
    "var * float32",
    ak.types.from_datashape("var * float32", highlevel=False),
    ak.type(ak.values_astype(ak.Array([[1.5], []]), "f4")),
    ak.values_astype(ak.Array([[1.5], []]), "f4").layout.form,
]


@pytest.mark.parametrize("given", SAME)
def test_types_in_any_form(path, given):
    with events.create(path, types={"x": given}) as writer:
        with pytest.raises(TypeError, match=r"column x\[\]: float32 was expected, not float64"):
            writer.append({"x": [[1.5], []]})
        writer.append({"x": ak.values_astype(ak.Array([[1.5], []]), "f4")})
    with events.open(path) as opened:
        assert opened.products == {"x": "list of float32"}


@pytest.mark.parametrize("given", ["i4", ">i4", "int32", np.int32, np.dtype(">i4")])
def test_types_of_numpy(path, given):
    events.write(path, {"x": np.arange(3, dtype=">i4")}, types={"x": given})
    with events.open(path) as opened:
        assert opened.products == {"x": "int32"} and opened["x"].to_list() == [0, 1, 2]


@pytest.mark.parametrize(
    "given", ["var * nothing", 3, "datetime64[s]", None, "?union[int64, string]"]
)
def test_no_types(path, given):
    with pytest.raises((TypeError, ValueError), match="types: column x: a type of one event"):
        events.create(path, types={"x": given})
    with pytest.raises(TypeError, match="types: a dict"):
        events.create(path, types="float32")
    assert list(path.parent.iterdir()) == []


def test_what_is_declared_must_come(path):
    with events.create(path, types={"x": "int64", "y": "var * int64"}) as writer:
        with pytest.raises(ValueError, match="column y: types has it"):
            writer.append({"x": [1, 2]})
        writer.append({"x": [1, 2], "y": [[1], []], "z": [0, 0]})
    with events.open(path) as opened:
        assert opened.columns == ["x", "y", "z"] and len(opened) == 2


def test_declared_columns_without_events(path, plainly):
    types = {"a_x": "var * ?float32", "a_y": "var * {k: union[int64, string]}", "run": "uint32"}
    events.create(path, types=types).close()
    with events.open(path) as opened:
        assert len(opened) == 0 and opened.columns == list(types)
        assert opened.to_awkward(lazy=False).to_list() == []
    assert plainly(path).to_list() == []
    assert events.check(path, data=True) == []


@pytest.mark.parametrize("name", ["a\0b", "\udcff"])
def test_names_that_hdf5_cannot_have(path, name):
    with pytest.raises(ValueError, match=r"types: column .* cannot be stored"):
        events.create(path, types={name: "int64"})


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_types_on_ranks(mpirun, path, ranks):
    program = """
from onecast import events
mine = [[["a"], None], [[1], None], [["b", 2]]]
types = {"x": "option[var * union[int64, string]]"}
with events.create(sys.argv[1], comm=comm, types=types) as writer:
    for batch in range(3):
        writer.append({"x": mine[(rank + batch) % 3]} if rank != 1 or batch else {})
whole = [
    event
    for batch in range(3)
    for r in range(size)
    if r != 1 or batch
    for event in mine[(r + batch) % 3]
]
with events.open(sys.argv[1], comm=comm) as opened:
    assert opened["x"].to_list() == whole
events.create(sys.argv[1], comm=comm, types=types).close()
with events.open(sys.argv[1], comm=comm) as opened:
    assert len(opened) == 0 and opened.columns == ["x"]
"""
    mpirun(ranks, program, path)
    assert events.check(path, data=True) == []


ARRAYS = {
    "big-endian": (np.array([1, 2], ">i4"), [1, 2]),
    "big-endian, masked": (np.ma.array(np.array([1, 2], ">i4"), mask=[False, True]), [1, None]),
    "big-endian, in a record": (np.array([(1,)], [("a", ">f8")]), [{"a": 1.0}]),
    "bytes": (np.array([b"a", b"bc"], "S5"), [b"a", b"bc"]),
    "bytestrings": (ak.Array([b"a", b"bc"]), [b"a", b"bc"]),
    "texts": (np.array(["a", "bc"]), ["a", "bc"]),
    "rows of texts": (np.array([["a", "bc"], ["", "d"]]), [["a", "bc"], ["", "d"]]),
    "objects": (np.array(["a", None], object), ["a", None]),
    "arrays as objects": (np.array([np.arange(2), np.arange(1)], object), [[0, 1], [0]]),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_any_kind(path, name):
    array, wanted = ARRAYS[name]
    events.write(path, {"x": array})
    with events.open(path) as opened:
        assert opened["x"].to_list() == wanted


@pytest.mark.parametrize("given", [3, 1.5, np.float64(2), "text", b"bytes", None, np.array(1)])
def test_one_value_is_no_column(path, given):
    kind = type(given).__name__
    with pytest.raises(TypeError, match=f"column x: an array with one element .*not one {kind}"):
        events.write(path, {"x": given})


@pytest.mark.parametrize("given", [[object()], [1 << 80], {"a": 3}, np.array([object()])])
def test_what_awkward_refuses(path, given):
    with pytest.raises(
        TypeError, match=r"^column x: an array .*: numbers of at most 64 bits "
    ) as e:
        events.write(path, {"x": given})
    assert "\n" not in str(e.value)
