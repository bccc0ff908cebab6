"""Events by identity, and lists of equal length"""

import warnings

import h5py
import numpy as np
import pytest

import onecast
from onecast import events
from onecast.events._index import KNOWN

ak = pytest.importorskip("awkward")


def identities(count, seed=1):
    rng = np.random.default_rng(seed)
    return {
        "run": rng.integers(1, 4, count).astype("u4"),
        "luminosityBlock": rng.integers(0, 50, count).astype("u4"),
        "event": rng.permutation(count).astype("u8") + (1 << 40),
    }


@pytest.mark.parametrize("count", [0, 1, 15, 17, 4096, 4097, 30_000])
def test_every_event_is_found(path, count):
    data = identities(count)
    events.write(path, data)
    wanted = list(zip(*(column.tolist() for column in data.values()), strict=True))
    with events.open(path) as opened:
        for number in sorted({0, 1, count // 2, count - 1} & set(range(count))):
            assert opened.find(*wanted[number]) == number
        for wrong in ((9, 0, 1 << 40), (1, 0, 0), (1, 1, 1 << 63), (-1, 0, 0), (1 << 33, 0, 0)):
            with pytest.raises(KeyError):
                opened.find(*wrong)
    assert events.check(path) == []


def test_the_first_of_several_is_found(path):
    count = 10_000
    data = {
        "run": np.ones(count, "u4"),
        "lumi": np.ones(count, "i8"),
        "event": np.zeros(count, int),
    }
    data["event"][7000:] = 5
    events.write(path, data)
    with events.open(path) as opened:
        assert opened.find(1, 1, 5) == 7000 and opened.find(1, 1, 0) == 0


def test_few_chunks_are_read(path):
    data = identities(100_000)
    events.write(path, data)
    with events.open(path) as opened:
        before = opened.file.io_stats().reads
        opened.find(int(data["run"][7]), int(data["luminosityBlock"][7]), int(data["event"][7]))
        assert opened.file.io_stats().reads - before <= 6  # of 25 chunks


def test_other_names(path):
    pytest.importorskip("hdf5plugin")
    data = dict(zip(("r", "l", "e"), identities(20).values(), strict=True))
    events.write(path, data)
    with events.open(path) as opened, pytest.raises(ValueError, match="no index"):
        opened.find(1, 1, 1)
    with pytest.raises(ValueError, match="run, lumi, event"):
        events.index(path)
    assert events.index(path, identity=["r", "l", "e"]) == 20
    with events.open(path) as opened:
        assert opened.find(*(int(column[3]) for column in data.values())) == 3
    other = path.with_name("other.h5")
    events.write(other, data, identity=["r", "l", "e"])
    with h5py.File(path) as a, h5py.File(other) as b:
        assert (a["Events/identity"][...] == b["Events/identity"][...]).all()
    for wrong in (["r", "l"], ["r", "l", "x"], "rle"):
        with pytest.raises(ValueError, match="identity"):
            events.write(path, data, identity=wrong)


def test_numbers_that_no_identity_has(path):
    """Without a request there is no index. A request for it gets an error."""
    data = {"run": np.array([-1]), "lumi": np.array([1]), "event": np.array([1])}
    with pytest.warns(UserWarning, match="no index of identities: column run"):
        events.write(path, data)
    with events.open(path) as opened:
        assert opened.to_numpy()["run"].tolist() == [-1]
        with pytest.raises(ValueError, match="no index"):
            opened.find(1, 1, 1)
    assert events.check(path, data=True) == []
    with pytest.raises(ValueError, match="column run"):
        events.write(path, data, identity=["run", "lumi", "event"])


def test_a_column_with_the_name_of_a_mask(path):
    events.write(path, {"x": [[1], [2, 3]], "x_mask": [7, 8]})
    with events.open(path) as opened:
        with pytest.raises(ValueError, match="column x_mask: the mask of x"):
            opened.to_padded(None, 2)
        assert opened.to_padded(["x"], 2)["x_mask"].tolist() == [[True, False], [True, True]]


def test_padded_without_names_takes_what_fits(path):
    events.write(path, {"x": [[1], [2, 3]], "s": ["a", "b"], "o": [None, 1], "n": [4, 5]})
    with events.open(path) as opened:
        assert sorted(opened.to_padded(None, 2)) == ["n", "x", "x_mask"]
        with pytest.raises(TypeError, match="column s"):
            opened.to_padded(["s"], 2)


def test_padded(path):
    whole = ak.Array(
        {"pt": [[1.5, 2.5], [], [3.5, 4.5, 5.5]], "n": [2, 0, 3], "s": ["a", "b", "c"]}
    )
    events.write(path, whole)
    with events.open(path) as opened:
        found = opened.to_padded(["pt", "n"], 2, fill=-1)
        assert found["pt"].tolist() == [[1.5, 2.5], [-1, -1], [3.5, 4.5]]
        assert found["pt_mask"].tolist() == [[True, True], [False, False], [True, True]]
        assert found["n"].tolist() == [2, 0, 3] and len(found) == 3
        assert opened.to_padded(["pt"], 2, start=1, stop=2)["pt"].tolist() == [[0, 0]]
        wanted = ak.to_numpy(ak.fill_none(ak.pad_none(whole["pt"], 5, clip=True), 0))
        assert (opened.to_padded(["pt"], 5)["pt"] == wanted).all()
        with pytest.raises(TypeError, match="column s"):
            opened.to_padded(["s"], 2)
        with pytest.raises(ValueError, match="length"):
            opened.to_padded(["pt"], 0)


def test_convert_to_padded(path, tmp_path):
    whole = ak.Array({"pt": [[1.5, 2.5], [], [3.5]], "s": ["a", "b", "c"]})
    events.write(path, whole)
    out = tmp_path / "padded.h5"
    with pytest.warns(events.UnreadColumnWarning, match="column s is left out"):
        assert events.convert(path, out, pad=2, batch=2) == 3
    with h5py.File(out) as file:
        assert file["Events/pt-data"][...].tolist() == [[1.5, 2.5], [0, 0], [3.5, 0]]
        assert file["Events/pt_mask-data"].dtype == bool
    with pytest.raises(TypeError, match="column s"):
        events.convert(path, out, pad=2, columns=["s"])


def test_what_is_padded_has_no_class_of_lists(path, tmp_path):
    columns = {"pt": [[1.5, 2.5], []], "one": [1, 2], "own": [[1], []], "pair": np.ones((2, 2))}
    classes = {"pt": "float[]", "one": "int", "own": "int[]", "pair": "int[2]"}
    events.write(path, columns, classes=classes)
    out = tmp_path / "padded.h5"
    for chosen in (None, list(columns)):
        events.convert(path, out, columns=chosen, pad=3, classes={"own": "mine"})
        with events.open(out) as opened:
            found = opened.products
            assert found["pt"] == "float64 of shape (3,)"
            assert (found["one"], found["own"], found["pair"]) == ("int", "mine", "int[2]")


@pytest.mark.parametrize("dtype", ["f4", "f8", ">f8"])
def test_integers_stored_as_floats(path, dtype):
    data = {name: values.astype(dtype) for name, values in identities(100).items()}
    data["event"] %= 1000
    events.write(path, data)
    with events.open(path) as opened:
        wanted = [int(data[name][7]) for name in data]
        assert opened[opened.find(*wanted)].to_list() == {n: data[n][7] for n in data}
    assert events.check(path) == []


NO_IDENTITY = {
    "fraction": (np.array([1.5, 2]), "column event: integers were expected, not 1.5"),
    "no number": (np.array([np.nan, 2]), "column event: integers were expected, not nan"),
    "infinite": (np.array([np.inf, 2]), "column event: numbers from 0 to"),
    "not exact": (np.array([2.0**53, 2]), "column event: numbers from 0 to 9007199254740991 were"),
    "too large": (np.array([1e17, 2]), "column event: numbers from 0 to 9007199254740991 were"),
    "option": ([1, None], "column 'event': one integer for each event .*not option of int64"),
    "texts": (["a", "b"], "column 'event': one integer for each event .*not string"),
}


@pytest.mark.parametrize("name", NO_IDENTITY)
def test_why_there_is_no_index(path, name):
    values, text = NO_IDENTITY[name]
    data = {"run": [1, 1], "lumi": [1, 1], "event": values}
    with pytest.warns(UserWarning, match=text):
        events.write(path, data)
    with pytest.raises(ValueError, match=text):
        events.write(path, data, identity=["run", "lumi", "event"])


def test_the_first_names_with_numbers_make_the_index(path):
    events.write(path, {"run": [1], "luminosityBlock": [[1]], "event": [5], "lumi": [2]})
    with events.open(path) as opened:
        assert opened.find(1, 2, 5) == 0


@pytest.mark.parametrize("wanted", [("a", 1, 2), (1, 1.5, 2), (1, 1, None)])
def test_an_identity_is_whole_numbers(path, wanted):
    events.write(path, {name: np.ones(2, "i8") for name in ("run", "lumi", "event")})
    with (
        events.open(path) as opened,
        pytest.raises(TypeError, match=r"(run|lumi|event): a whole number"),
    ):
        opened.find(*wanted)


def test_in_a_root_file(tmp_path):
    uproot = pytest.importorskip("uproot")
    data = {"run": np.array([1, 1, 2]), "lumi": np.array([3, 4, 3]), "event": np.array([9, 9, 9])}
    with uproot.recreate(tmp_path / "a.root") as file:
        file.mktree("Events", dict.fromkeys(data, "i8")).extend(data)
        file.mktree("Other", {"x": "i8"}).extend({"x": data["run"]})
    with events.open(f"{tmp_path}/a.root:Events") as opened:
        assert [opened.find(*of) for of in zip(*data.values(), strict=True)] == [0, 1, 2]
        with pytest.raises(KeyError, match="no event 1, 3, 8"):
            opened.find(1, 3, 8)
    with (
        events.open(f"{tmp_path}/a.root:Other") as opened,
        pytest.raises(ValueError, match="no columns are run, lumi, event"),
    ):
        opened.find(1, 1, 1)


def test_the_length_of_padded_is_a_number(path):
    events.write(path, {"x": [[1]]})
    with events.open(path) as opened, pytest.raises(TypeError, match="length: "):
        opened.to_padded(["x"], 2.5)


@pytest.mark.parametrize(
    "data,why",
    [
        ({"x": [1]}, "and the file lacks the columns run, luminosityBlock, event to make it of"),
        ({"run": [1], "subrun": [1]}, "and the file lacks the columns event to make it of"),
        ({"run": ["a"], "lumi": [1], "event": [2]}, "and column 'run': one integer for each"),
    ],
)
def test_what_an_index_lacks(path, data, why):
    with warnings.catch_warnings(action="ignore"):
        events.write(path, data)
    with events.open(path) as opened, pytest.raises(ValueError, match="no index of ident") as said:
        opened.find(1, 1, 1)
    assert why in str(said.value)
    assert f"`onecast events index --identity RUN,LUMI,EVENT {path}` makes one" in str(said.value)


def test_an_index_of_one_of_several_groups(path, tmp_path):
    events.write(tmp_path / "other.h5", {"x": [1]})
    events.write(path, identities(3))
    with onecast.File(path, "r+") as file, onecast.File(tmp_path / "other.h5") as other:
        del file["Events/identity"]
        other.copy("Events", file, "Others")
    with (
        events.open(f"{path}:Events") as opened,
        pytest.raises(ValueError, match=f"index {path}:Events` makes one"),
    ):
        opened.find(1, 1, 1)
    assert events.index(f"{path}:Events") == 3


def test_the_usual_names_are_those_of_the_library():
    compiled = pytest.importorskip("onecast._events")
    assert tuple(map(tuple, compiled.usual_identities)) == KNOWN
