"""Columns of ROOT files that cannot be read are the same for all readers of a file."""

import hashlib
import re
import warnings

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")
uproot = pytest.importorskip("uproot")
root_files = pytest.importorskip("root_files")

COUNT = 600
COLUMNS = {
    "run": np.full(COUNT, 3, "u4"),
    "lumi": np.arange(COUNT, dtype="u4"),
    "event": np.arange(COUNT, dtype="u8"),
    "first": np.arange(COUNT) / 2,
    "second": np.arange(COUNT, dtype="i4"),
    "third": np.arange(COUNT, dtype="i2"),
}
LEFT = ["run", "lumi", "event", "first", "third"]


@pytest.fixture
def root(tmp_path):
    """Writes three baskets of each branch."""
    path = tmp_path / "tree.root"
    root_files.write_tree(path, COLUMNS, batches=3)
    return path


def shortened(root):
    root_files.shorten(root, "second")
    return "column second.* it has 400 of the 600 entries of its tree"


def misplaced(root):
    root_files.misplace_basket(root, "second", 2)
    return "column second.* not in the file: 1 of its 3 baskets"


def damaged(number):
    def damage(root):
        root_files.damage_basket(root, "second", number)
        return "column second.* uproot cannot read it: .*compression"

    return damage


KNOWN_AT_ONCE = [shortened, misplaced]
ALL = [*KNOWN_AT_ONCE, *map(damaged, range(3))]


def expect_converted(path, columns):
    with events.open(path) as opened:
        assert opened.columns == columns and len(opened) == COUNT
        for name in columns:
            assert opened[name].to_list() == COLUMNS[name].tolist()
        assert opened.find(3, 17, 17) == 17


@pytest.mark.parametrize("change", KNOWN_AT_ONCE)
def test_open_names_it(root, change):
    said = change(root)
    with pytest.warns(events.UnreadColumnWarning, match=said) as caught, events.open(root) as found:
        assert found.columns == LEFT and len(found) == COUNT
        assert found.to_awkward().fields == LEFT
        with pytest.raises(KeyError, match=said):
            found["second"]
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("change", ALL)
def test_convert_leaves_it_out(root, path, change):
    said = change(root)
    with pytest.warns(events.UnreadColumnWarning, match=said) as caught:
        assert events.convert(root, path, batch=250) == COUNT
    assert len(caught) == 1 and caught[0].filename == __file__
    expect_converted(path, LEFT)
    before = path.read_bytes()
    with pytest.raises((KeyError, ValueError), match=said):
        events.convert(root, path, columns=["first", "second"])
    assert path.read_bytes() == before
    assert events.convert(root, path, columns=LEFT) == COUNT
    expect_converted(path, LEFT)


@pytest.mark.parametrize("change", ALL)
def test_check_names_it(root, change):
    said = change(root)
    with warnings.catch_warnings(action="error"):
        (wrong,) = events.check(root, data=True)
        assert re.match(said, wrong)
        assert events.check(root) == ([wrong] if change in KNOWN_AT_ONCE else [])


def test_what_a_program_reads_names_it(root):
    root_files.damage_basket(root, "second", 1)
    with events.open(root) as opened:
        assert opened[:20].second.to_list() == list(range(20))
        with pytest.raises(ValueError, match="column second: uproot cannot read it"):
            opened.to_awkward()
        assert opened.to_awkward(LEFT).first.to_list() == COLUMNS["first"].tolist()


def test_several_columns_and_baskets(root, path):
    root_files.damage_basket(root, "second", 2)
    root_files.damage_basket(root, "third", 1)
    root_files.shorten(root, "first")
    with pytest.warns(events.UnreadColumnWarning) as caught:
        events.convert(root, path, batch=70)
    said = [str(warning.message).split(": ")[1] for warning in caught]
    assert sorted(said) == [f"column {name} is left out" for name in ("first", "second", "third")]
    expect_converted(path, ["run", "lumi", "event"])


@pytest.mark.parametrize("change", [shortened, damaged(1)])
def test_a_file_of_several(root, tmp_path, path, change):
    """A column that one file lacks is left out of all."""
    other = tmp_path / "other.root"
    root_files.write_tree(other, COLUMNS)
    said = change(root)
    for sources in ([root, other], [other, root]):
        with pytest.warns(events.UnreadColumnWarning, match=f"{root}: {said}") as caught:
            assert events.convert(sources, path, batch=250) == 2 * COUNT
        assert len(caught) == 1
        with events.open(path) as opened:
            assert opened.columns == LEFT
            assert opened["third"].to_list() == 2 * COLUMNS["third"].tolist()
        with pytest.raises((KeyError, ValueError), match=f"{root}: {said}"):
            events.convert(sources, path, columns=["second"])


def test_padded(root, path):
    root_files.damage_basket(root, "second", 1)
    with pytest.warns(events.UnreadColumnWarning, match="column second"):
        assert events.convert(root, path, pad=2) == COUNT
    expect_converted(path, LEFT)


@pytest.mark.parametrize("number", [0, 2])
def test_no_column_can_be_read(tmp_path, path, number):
    root = tmp_path / "one.root"
    root_files.write_tree(root, {"second": COLUMNS["second"]}, batches=3)
    root_files.damage_basket(root, "second", number)
    path.write_bytes(b"what was there")
    with (
        pytest.warns(events.UnreadColumnWarning, match="column second"),
        pytest.raises(ValueError, match=f"{root}: there is no column that can be read"),
    ):
        events.convert(root, path)
    assert path.read_bytes() == b"what was there"


PROGRAM = """
import sys, warnings
from onecast import events

root, path = sys.argv[1:]
with warnings.catch_warnings(record=True, action="always") as caught:
    assert events.convert(root, path, batch=250, comm=comm) == 600
assert len(caught) == (rank == 0), caught
asked = {"columns": ["second"], "comm": comm}
said = same_everywhere(lambda: events.convert(root, path, **asked), ValueError)
assert all("column second: uproot cannot read it" in text for text in said), said
"""


@pytest.mark.parametrize("number", range(3))
def test_ranks(root, path, mpirun, number):
    root_files.damage_basket(root, "second", number)
    found = set()
    for ranks in (1, 2, 3):
        mpirun(ranks, PROGRAM, root, path)
        expect_converted(path, LEFT)
        found.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(found) == 1
