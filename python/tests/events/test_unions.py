"""Columns with unions, and the data below each of their types"""

import json

import awkward as ak
import h5py
import numpy as np
import pytest

from onecast import FormatError, events

LISTS = ["a", [1.5], "b", [2.5], "ccc", [3.5, 4.5, 5.5]]
RECORDS = ak.contents.UnionArray(
    ak.index.Index8(np.array([0, 1, 1, 0], "i1")),
    ak.index.Index64(np.array([0, 0, 1, 1])),
    [
        ak.Array([{"pt": [1, 2]}, {"pt": [3]}]).layout,
        ak.Array([{"eta": [0.5, 1.5], "s": "x"}, {"eta": [2.5], "s": "y"}]).layout,
    ],
)
COLUMNS = {
    "texts and lists": LISTS,
    "records of lists": RECORDS,
    "lists of lists": [[["a"]], [1.5], [["b"], []], [2.5, 3.5], [], "x"],
    "unions of each event": [["a", [1.5]], [], [[2.5], "b", "c"], [[]]],
    "with None": ["a", None, [1.5], None, "b", [2.5]],
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("lazy", [False, True])
def test_each_part(path, column, lazy):
    """Types with equal offsets need different parts of them."""
    array = ak.Array(column)[np.repeat(np.arange(len(column)), 2)]
    column = array.to_list()
    events.write(path, {"u": array})
    with events.open(path) as opened:
        for start in range(len(column) + 1):
            for stop in range(start, len(column) + 1):
                found = opened.to_awkward(["u"], start, stop, lazy=lazy)["u"].to_list()
                assert found == column[start:stop], (start, stop)
        assert opened.read_all(["u"], 1, 4)["u"].to_list() == column[1:4]
        assert [event["u"] for event in opened.to_awkward().to_list()] == column
        assert opened[[3, 1]]["u"].to_list() == [column[3], column[1]]
    events.convert(path, path.with_name("part.h5"), start=1, stop=4, batch=1)
    with events.open(path.with_name("part.h5")) as opened:
        assert opened["u"].to_list() == column[1:4]


def test_lists_of_a_type_share_offsets(path):
    events.write(path, {"u": ak.Array([{"a": [1], "b": [2]}, 5, {"a": [3], "b": [4]}])})
    with h5py.File(path) as file:
        assert sum(name.endswith("offsets") for name in file["Events"]) == 1
    with events.open(path) as opened:
        assert opened[1:3].to_list() == [{"u": 5}, {"u": {"a": [3], "b": [4]}}]


def test_types_that_share_offsets_are_refused(path):
    events.write(path, {"u": ak.Array(LISTS)})
    with h5py.File(path, "r+") as file:
        group = file["Events"]
        form = json.loads(group.attrs["form"])
        first, second = form["contents"][0]["contents"]
        second["form_key"] = first["form_key"]
        group.attrs["form"] = json.dumps(form)
    with pytest.raises(FormatError, match="stands for nodes that differ"):
        events.open(path)


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_bytes_of_one_process(mpirun, path, tmp_path, ranks):
    program = f"""
import awkward as ak
from mpi4py import MPI
from onecast import events

comm = MPI.COMM_WORLD
mine = slice(6 * comm.rank // comm.size, 6 * (comm.rank + 1) // comm.size)
events.write(sys.argv[1], {{"u": ak.Array({LISTS})[mine]}}, comm=comm)
with events.open(sys.argv[1], comm=comm) as opened:
    assert opened.read_all(["u"], *opened.part())["u"].to_list() == {LISTS}[mine]
"""
    mpirun(ranks, program, path)
    events.write(tmp_path / "alone.h5", {"u": ak.Array(LISTS)})
    assert path.read_bytes() == (tmp_path / "alone.h5").read_bytes()
