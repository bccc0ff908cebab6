"""Later batches have fields and types in another order than the first one."""

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")

ORDERS = {
    "record": ([{"x": 1, "y": 2.5}], [{"y": 3.5, "x": 4}]),
    "record in a list": ([[{"x": 1, "y": [2.5]}], []], [[], [{"y": [3.5, 4.5], "x": 4}]]),
    "union": ([1, "a", 2], ["b", 3, "c"]),
    "three types": ([1, "a", [2.5]], [[3.5, 4.5], 5, "b", 6]),
    "union in a list": ([[1, "a"], []], [["b"], [], ["c", 2, 3]]),
    "records in a union": ([{"x": 1, "y": "a"}, 2.5], [3.5, {"y": "b", "x": 4}]),
    "union in a record": (
        [{"x": 1, "y": 2}, {"x": "a", "y": 3}],
        [{"y": 4, "x": "b"}, {"y": 5, "x": 6}],
    ),
    "union in a union": ([[1, "a"], 2.5], [3.5, ["b", 3]]),
    "with None": ([1, "a", None], ["b", 2]),
    "with None everywhere": ([1, None, "a"], ["b", None, 2]),
    "empty at first": ([[]], [[1, "a"]], [["b", 2], []]),
    "empty inside": ([[], {"x": 1}], [{"x": 2}, [1.5]], [[2.5], {"x": 3}]),
}


@pytest.mark.parametrize("name", ORDERS)
def test_orders(path, plainly, name):
    batches = [*ORDERS[name], ORDERS[name][0]]
    with events.create(path) as writer:
        for batch in batches:
            writer.append({"c": ak.Array(batch)})
    whole = [element for batch in batches for element in batch]
    with events.open(path) as opened:
        assert opened["c"].to_list() == whole
        assert opened.to_awkward(None, 1, len(whole))["c"].to_list() == whole[1:]
    assert plainly(path)["c"].to_list() == whole
    assert events.check(path, data=True) == []


def test_lists_share_offsets_in_any_order(path, plainly):
    """The lists are below a type of a union whose number differs in the second batch."""
    pairs = [{"a": [1, 2], "b": [3, 4]}, {"a": [], "b": []}]
    others = [{"b": [5], "a": [6]}, {"b": [7, 8], "a": [9]}]
    batches = [["x", *pairs], [*others, "y"], ["z", *others, *pairs]]
    with events.create(path, chunk_bytes=8) as writer:
        for batch in batches:
            writer.append({"c": ak.Array(batch)})
    whole = [element for batch in batches for element in batch]
    assert plainly(path)["c"].to_list() == whole
    assert events.check(path, data=True) == []


DIFFERENT = {
    "field": (
        [{"x": 1, "y": 2}],
        [{"x": 1, "z": 2}],
        r"record \(x: int64, y: int64\) was expected",
    ),
    "one field more": ([{"x": 1}], [{"x": 1, "y": 2}], r"record \(x: int64\) was expected"),
    "a tuple": ([{"0": 1, "1": 2}], [(1, 2)], "record .* was expected, not record"),
    "type of a field": (
        [{"x": 1, "y": 2}],
        [{"y": 2, "x": "a"}],
        r"column c\.x: int64 was expected",
    ),
    "type of a union": ([1, "a"], [["b"], 1], r"union \(int64, string\) was expected, not union"),
    "one type more": ([1, "a"], [1, "a", [2]], r"union \(int64, string\) was expected, not union"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_different_is_refused(path, name):
    first, later, text = DIFFERENT[name]
    with events.create(path) as writer:
        writer.append({"c": ak.Array(first)})
        with pytest.raises(TypeError, match=text):
            writer.append({"c": ak.Array(later)})
        writer.append({"c": ak.Array(first)})
    with events.open(path) as opened:
        assert opened["c"].to_list() == [*first, *first]


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_each_rank_has_its_order(mpirun, path, ranks):
    """The orders differ in the first batch already, and a rank may have no events."""
    program = """
import awkward as ak
from onecast import events

def batch(k, number):
    x, y = {"x": number, "y": [number, 0], "z": [1, 2]}, {"z": [], "y": [], "x": -number}
    return [["a", [number, "b"], x], [x, "cd", ["b", 1]], [["c"] * number + [5], y, x, ""]][k % 3]

def found(number):
    return [] if number % 4 == rank else batch(rank + number, number)

rounds = [found(number) for number in range(1, 7)]
with events.create(sys.argv[1], comm=comm, chunk_bytes=40) as writer:
    for events_of_rank in rounds:
        writer.append({"c": ak.Array(events_of_rank)} if events_of_rank else {})
parts = comm.allgather(rounds)
whole = [event for batches in zip(*parts) for part in batches for event in part]
with events.open(sys.argv[1], comm=comm) as opened:
    assert opened["c"].to_list() == whole
"""
    mpirun(ranks, program, path)
    assert events.check(path, data=True) == []


def test_an_order_costs_no_copy_where_it_is_the_first(path):
    """The tags of a union are the given array."""
    from onecast.events._parts import fitted, part_of

    part = part_of(ak.Array([1, "a", 2]))
    assert np.shares_memory(fitted(part, part.node).arrays["tags"], part.arrays["tags"])
