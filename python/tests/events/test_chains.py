"""Several files of events become one."""

import awkward as ak
import h5py
import numpy as np
import pytest
import uproot

from onecast import events


def made(tmp_path, *batches):
    paths = []
    for number, data in enumerate(batches):
        paths.append(tmp_path / f"in{number}.h5")
        events.write(paths[-1], data)
    return paths


def numbers(first, count):
    every = np.arange(first, first + count)
    lists = ak.unflatten(every, np.ones(count, int))
    return {"run": every * 0 + 1, "lumi": every * 0 + 1, "event": every, "x_pt": lists}


def test_events_follow_each_other(tmp_path, path):
    sources = made(tmp_path, numbers(0, 5), numbers(5, 0), numbers(5, 3000), numbers(3005, 1))
    seen = []
    count = events.convert(
        sources, path, "columnar", "gzip", progress=lambda *done: seen.append(done)
    )
    assert count == 3006 and seen[-1] == (3006, 3006)
    with events.open(path) as opened:
        assert opened["event"].to_list() == list(range(3006))
        assert opened["x_pt"].to_list() == [[n] for n in range(3006)]
        assert opened.find(1, 1, 3005) == 3005
    with h5py.File(path) as file:
        form, length = ak.forms.from_json(file["Events"].attrs["form"]), 3006
        arrays = {key: data[()] for key, data in file["Events"].items()}
        assert ak.from_buffers(form, length, arrays)["event"].to_list() == list(range(3006))


@pytest.mark.parametrize("start, stop", [(0, None), (3, 9), (5, 5), (7, None), (-2, None), (2, -9)])
def test_a_part(tmp_path, path, start, stop):
    sources = made(tmp_path, numbers(0, 5), numbers(5, 5))
    expected = list(range(10))[start:stop]
    assert events.convert(sources, path, start=start, stop=stop) == len(expected)
    with events.open(path) as opened:
        assert opened["event"].to_list() == expected


def test_as_one_conversion_of_all(tmp_path, path):
    """The file has the bytes that it would have from one source."""
    whole = {
        name: ak.concatenate([numbers(0, 7)[name], numbers(7, 9)[name]]) for name in numbers(0, 1)
    }
    (one,) = made(tmp_path, whole)
    events.convert(one, tmp_path / "one.h5")
    events.convert(made(tmp_path, numbers(0, 7), numbers(7, 9)), path)
    assert path.read_bytes() == (tmp_path / "one.h5").read_bytes()


def test_types_of_all_files(tmp_path, path):
    batches = [[1, 2]], [[None, 3]], [[4]]
    sources = made(tmp_path, *({"x": ak.Array([b])} for (b,) in batches))
    events.convert(sources, path)
    with events.open(path) as opened:
        assert opened["x"].to_list() == [[1, 2], [None, 3], [4]]


def test_files_that_differ(tmp_path, path):
    a, b, c = made(tmp_path, {"x": [1], "y": [2]}, {"y": [3]}, {"y": ["a"], "x": [5]})
    with pytest.raises(KeyError, match=r"in1.h5: there is no column 'x'"):
        events.convert([a, b], path)
    with pytest.raises(
        KeyError, match=r"in0.h5: column 'x' is more .* in .*in1.h5; name the columns"
    ):
        events.convert([b, a], path)
    with pytest.raises(TypeError, match=r"column y: int64 in .*in0.h5, string in .*in2.h5"):
        events.convert([a, c], path)
    assert not path.exists()
    events.convert([a, b], path, columns=["y"])
    with events.open(path) as opened:
        assert opened["y"].to_list() == [2, 3]


def test_records_of_other_names(tmp_path, path):
    sources = made(tmp_path, *({"x": ak.Array([{"a": 1}], with_name=n)} for n in ("P", "Q")))
    with pytest.raises(TypeError, match=r"record P \(a: int64\) in .*, record Q \(a: int64\) in"):
        events.convert(sources, path)
    arrays = [ak.with_parameter(ak.Array([[1]]), "unit", unit) for unit in ("GeV", "MeV")]
    sources = made(tmp_path, *({"x": array} for array in arrays))
    with pytest.raises(TypeError, match=r"with {'unit': 'GeV'} in .* with {'unit': 'MeV'} in"):
        events.convert(sources, path)


def test_files_of_root(tmp_path, path):
    for name, values in (("a", np.arange(3)), ("b", np.arange(3, 5)), ("c", np.arange(2.0))):
        with uproot.recreate(tmp_path / f"{name}.root") as file:
            file["Events"] = {"x": values}
    a, b, c = (f"{tmp_path}/{name}.root" for name in "abc")
    events.convert([a, b], path)
    with events.open(path) as opened:
        assert opened["x"].to_list() == list(range(5))
    with pytest.raises(TypeError, match=r"c\.root: column x"):
        events.convert([a, c], path)


@pytest.mark.parametrize("wrong", [[], [5], [None]])
def test_no_files(path, wrong):
    with pytest.raises((TypeError, ValueError), match="source: "):
        events.convert(wrong, path)


def test_a_file_is_no_source_of_itself(tmp_path):
    a, b = made(tmp_path, {"x": [1]}, {"x": [2]})
    with pytest.raises(ValueError, match="its own source"):
        events.convert([a, b], b)


def test_an_interrupted_file(tmp_path, path):
    a, b = made(tmp_path, {"x": [1]}, {"x": [2]})
    with h5py.File(b, "r+") as file:
        file["Events"].attrs["unfinished"] = 1
    with pytest.warns(UserWarning, match="in1.h5: its writer was interrupted") as caught:
        events.convert([a, b], path)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_on_ranks(mpirun, tmp_path, path, ranks):
    sources = made(tmp_path, numbers(0, 5), numbers(5, 1), {**numbers(6, 2), "x_pt": [[None], []]})
    events.convert(sources, tmp_path / "one.h5")
    program = """
from mpi4py import MPI
from onecast import events

comm = MPI.COMM_WORLD
*sources, target = sys.argv[1:]
assert events.convert(sources, target, comm=comm) == 8
try:
    events.convert([*sources, sources[0] + "x"], target, comm=comm)
except FileNotFoundError as error:
    assert error.filename == sources[0] + "x"
else:
    raise AssertionError
"""
    mpirun(ranks, program, *sources, path)
    assert path.read_bytes() == (tmp_path / "one.h5").read_bytes()


def test_the_name_of_the_group(tmp_path, path):
    """The group has the name of the tree or group in the source."""
    with uproot.recreate(tmp_path / "a.root") as file:
        file["folder/tree"] = {"x": np.arange(3)}
    events.convert(tmp_path / "a.root", path)
    with events.open(path) as opened:
        assert opened.group.name == "/tree"
    events.convert(path, tmp_path / "b.h5")
    with events.open(tmp_path / "b.h5") as opened:
        assert opened.group.name == "/tree"
    events.convert(path, tmp_path / "c.h5:Other")
    assert events.open(f"{tmp_path}/c.h5:Other").group.name == "/Other"
