"""Ranks have different types in the first append."""

import awkward as ak
import pytest

from onecast import events

JOINED = [
    ([1, None], [3]),
    ([3], [1, None]),
    ([None], [1]),
    ([1, "a"], [3]),
    ([1], ["a", 3]),
    ([1, "a"], [None]),
    (["a", 1], [2, None]),
    ([2, "b", None], ["c"], [None, 4]),
    ([[None, 1]], [[1]]),
    ([[1]], [[1, "a"], []]),
    ([None], [[]], [[2]]),
    ([1, "a"], [[2.5]], [[], "b"]),
    ([{"a": None, "b": 1}], [{"b": 2, "a": 1.5}]),
]


@pytest.mark.parametrize("shares", JOINED, ids=str)
def test_ranks_that_need_different_types(mpirun, path, plainly, shares):
    """The first append on several ranks is like one on one process: the column holds all ranks'
    data."""
    whole = [event for share in shares for event in share]
    events.write(path, {"x": whole})
    other = path.with_name("ranks.h5")
    program = f"""
from onecast import events
shares = {shares!r}
events.write(sys.argv[1], {{"x": shares[rank]}}, comm=comm)
"""
    mpirun(len(shares), program, other)
    assert plainly(other)["x"].to_list() == whole
    assert events.check(other, data=True) == []
    assert other.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("first", [0, 1])
def test_ranks_that_have_unions_of_lists(mpirun, path, plainly, first):
    program = f"""
import awkward as ak
from onecast import events
kinds = [["s"]], [[]], None, [[1], 2], [[1, 1], [1, "s"]]
union = ak.concatenate([ak.Array([kind]) for kind in kinds])
shares = [union, [[5]]] if {first} == 0 else [[None, [5]], union]
events.write(sys.argv[1], {{"x": shares[rank]}}, comm=comm)
"""
    mpirun(2, program, path)
    union = [[["s"]], [[]], None, [[1], 2], [[1, 1], [1, "s"]]]
    wanted = [*union, [5]] if first == 0 else [None, [5], *union]
    assert plainly(path)["x"].to_list() == wanted
    assert events.check(path, data=True) == []


def test_ranks_whose_types_differ(mpirun, path):
    program = """
from onecast import events
with events.create(sys.argv[1], comm=comm) as writer:
    cases = {
        "int64 on rank 0, string on rank 2": [[1], [2], ["a"]],
        "list of float64 on rank 0, int64 on rank 1": [[[0.5]], [2], [None]],
    }
    for text, shares in cases.items():
        said = same_everywhere(lambda: writer.append({"x": shares[rank]}), TypeError)
        assert len(set(said)) == 1 and said[0].startswith("column x: ") and text in said[0], said
    writer.append({"x": []})
    writer.append({"x": [[[]], [None], [[1.5]]][rank]})
    writer.append({"x": [[], [[]], [None]][rank]})
events.write(sys.argv[1] + "2", {"x": [[1, "a"], [2.5], [3]][rank]}, comm=comm)
"""
    mpirun(3, program, path)
    with events.open(path) as opened:
        assert opened["x"].to_list() == [[], None, [1.5], [], None]
    with events.open(f"{path}2") as opened:
        assert opened["x"].to_list() == [1, "a", 2.5, 3]
        assert opened["x"].type.content == ak.types.from_datashape(
            "union[int64, string, float64]", highlevel=False
        )
