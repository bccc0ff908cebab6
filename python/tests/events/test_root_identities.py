"""Events of ROOT files whose identity is in columns with unusual names, or not in numbers"""

import awkward as ak
import numpy as np
import pytest

from onecast import events

uproot = pytest.importorskip("uproot")
SHOWN = ["EventID_run", "EventID_lumi", "EventID_event"]


def write_tree(path, columns):
    with uproot.recreate(path) as file:
        file.mktree("Events", {name: ak.type(ak.Array(c)).content for name, c in columns.items()})
        file["Events"].extend(columns)


def write_ntuple(path, columns):
    with uproot.recreate(path) as file:
        file.mkrntuple("Events", columns)


def found_in(root, target, *identity):
    """Returns the event's number in the ROOT file and in the columns made of it, and their
    names."""
    events.convert(root, target)
    with events.open(root) as source, events.open(target) as opened:
        assert events.check(target, data=True) == []
        assert source.columns == opened.columns
        assert source.find(*identity) == opened.find(*identity)
        return source.find(*identity), list(opened.identity)


@pytest.mark.parametrize("write", [write_tree, write_ntuple])
def test_bytes_beside_the_identity(tmp_path, path, write):
    """The products `run`, `lumi` and `event` are not numbers."""
    root = tmp_path / "a.root"
    columns = {name: ak.Array([[1, 2], [3], []]) for name in ("run", "lumi", "event")}
    numbers = zip(SHOWN, ("u4", "u4", "u8"), ([1, 1, 2], [7, 8, 9], [5, 4, 3]), strict=True)
    write(root, columns | {name: np.array(values, dtype) for name, dtype, values in numbers})
    assert found_in(root, path, 2, 9, 3) == (2, SHOWN)


@pytest.mark.parametrize("write", [write_tree, write_ntuple])
def test_numbers_with_the_usual_names_come_first(tmp_path, path, write):
    root = tmp_path / "a.root"
    usual = ["run", "luminosityBlock", "event"]
    write(root, {name: np.arange(3) for name in usual} | {name: np.zeros(3, int) for name in SHOWN})
    assert found_in(root, path, 2, 2, 2) == (2, usual)


@pytest.mark.parametrize(
    "columns",
    [
        {"run": ak.Array([[1], [2]]), "lumi": np.ones(2), "event": np.ones(2)},
        {"run": np.ones((2, 2)), "lumi": np.ones(2), "event": np.ones(2)},
        {"run": np.ones(2, bool), "lumi": np.ones(2), "event": np.ones(2)},
        {"x": np.ones(2)},
    ],
)
def test_no_identity(tmp_path, columns):
    root = tmp_path / "a.root"
    write_tree(root, columns)
    with events.open(root) as opened, pytest.raises(ValueError, match="no columns are run, lumi"):
        opened.find(1, 1, 1)


def test_a_real_header_of_edm4hep(corpus, path):
    root = corpus / "hep" / "edm4hep.root"
    assert found_in(root, path, 43, 1, 42) == (0, SHOWN)
    with events.open(path) as opened:
        assert opened.columns[:3] == SHOWN
        assert [opened.products[name] for name in SHOWN] == ["uint32", "uint32", "uint64"]
        assert opened["EventHeader.runNumber"].to_list() == [[43]] * 3


def header(runs, numbers):
    lists = {"EventHeader.runNumber": runs, "EventHeader.eventNumber": numbers}
    return {name: ak.values_astype(ak.Array(value), "i4") for name, value in lists.items()}


def test_a_header(tmp_path, path):
    root = tmp_path / "a.root"
    write_tree(root, header([[1], [1], [2]], [[5], [6], [5]]))
    assert found_in(root, path, 2, 1, 5) == (2, SHOWN)
    with events.open(root) as opened:
        part = opened.to_awkward(SHOWN, 1, 2)
        assert part.tolist() == [dict(zip(SHOWN, (1, 1, 6), strict=True))]
        assert opened[2].EventID_event == 5


@pytest.mark.parametrize(
    "runs, numbers",
    [
        ([[1], []], [[5], [6]]),  # an event without a header
        ([[1], [1]], [[5], [6, 7]]),  # an event with two headers
        ([[1], [-1]], [[5], [6]]),  # not the number of a run
    ],
)
def test_headers_that_are_no_identity(tmp_path, path, runs, numbers):
    """The columns stay as they are."""
    root = tmp_path / "a.root"
    write_tree(root, header(runs, numbers))
    events.convert(root, path)
    with events.open(path) as opened:
        assert not set(SHOWN).intersection(opened.columns) and opened.identity is None
        assert opened["EventHeader.runNumber"].to_list() == runs
