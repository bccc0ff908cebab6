"""Events are picked by a step, a mask, or their numbers."""

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")


@pytest.fixture
def opened(path):
    x = np.arange(10)
    events.write(path, {"x": x, "l": ak.Array([[int(n)] * (n % 3) for n in x])})
    with events.open(path) as opened:
        yield opened


PICKS = [
    slice(None, None, 2),
    slice(None, None, -1),
    slice(7, 2, -2),
    slice(3, 3, 2),
    [1, 2, 3],
    [7, -1, 7],
    np.array([5, 3], "u8"),
    np.array([], int),
    np.arange(10) > 6,
    ak.Array([4, 2]),
    [n % 4 == 0 for n in range(10)],
]


@pytest.mark.parametrize("what", PICKS, ids=str)
def test_picks_as_numpy_does(opened, what):
    wanted = opened.to_awkward(lazy=False)[what]
    assert opened[what].to_list() == wanted.to_list()


def test_a_mask_of_a_column(opened):
    assert opened[opened["x"] > 7]["x"].to_list() == [8, 9]
    assert opened[("x",)].fields == opened[["x"]].fields == ["x"]


WRONG = {
    "depth": (ak.Array([[1], []]), TypeError, "a mask of one bool"),
    "gaps": (ak.Array([1, None]), TypeError, "has missing values"),
    "gaps in a mask": (ak.Array([True, None] * 5), TypeError, "missing values; ak.fill_none"),
    "a list with gaps": ([True, None] * 5, TypeError, "missing values; ak.fill_none"),
    "a masked mask": (np.ma.array([True] * 10, mask=[1] * 10), TypeError, "missing values"),
    "ragged": ([[1], [2, 3]], TypeError, "a mask of one bool"),
    "float": (np.array([1.0]), TypeError, "a mask of one bool"),
    "mixed": (["x", 1], TypeError, "a mask of one bool"),
    "one float": (1.5, TypeError, "a mask of one bool"),
    "bool": (True, TypeError, "a mask of one bool"),
    "none": (None, TypeError, "a mask of one bool"),
    "length": (np.array([True]), ValueError, "a mask of 1 for 10 events"),
    "beyond": ([10], IndexError, "event 10 of 10"),
    "below": ([-11], IndexError, "event -11 of 10"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_picks_nothing(opened, name):
    what, kind, text = WRONG[name]
    with pytest.raises(kind, match=text):
        opened[what]


@pytest.mark.parametrize("what", [[], (), np.array([], int), ak.Array([])], ids=repr)
def test_nothing_is_picked(path, what):
    events.write(path, {"x": [1, 2]})
    with events.open(path) as opened:
        assert len(opened[what]) == 0
