"""Columns: awkward, h5py and Onecast read one file alike."""

import sys

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_events import random_events

import onecast
from onecast import events

ak = pytest.importorskip("awkward")

QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def types(array):
    return {name: str(array[name].type.content) for name in array.fields}


def same(found, wanted):
    assert found.fields == wanted.fields
    assert len(found) == len(wanted)
    assert found.to_list() == wanted.to_list()


@pytest.mark.long
@QUICK
@given(st.integers(0, 10**6), st.sampled_from([0, 1, 2, 7, 40]), st.data())
def test_every_shape(tmp_path, plainly, seed, count, data):
    whole = random_events(seed, count)
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=4)))
    compression = data.draw(st.sampled_from(["none", "zstd:3", "lz4", "gzip:1"]))
    chunk_bytes = data.draw(st.sampled_from([1, 64, 1000, 1 << 18]))
    path = tmp_path / "file.h5"
    with events.create(path, compression=compression, chunk_bytes=chunk_bytes) as writer:
        for start, stop in zip([0, *cuts], [*cuts, count], strict=True):
            writer.append(whole[start:stop])
    same(plainly(path), whole)
    with events.open(path) as opened:
        same(opened.to_awkward(), whole)
        start, stop = sorted(data.draw(st.tuples(st.integers(0, count), st.integers(0, count))))
        same(opened.to_awkward(None, start, stop), whole[start:stop])
        same(opened.to_awkward(None, start, stop, lazy=False), whole[start:stop])
        same(opened.read_all(None, start, stop), whole[start:stop])
        assert types(opened.to_awkward()) == types(ak.to_packed(plainly(path)))
    assert events.check(path, data=True) == []


def test_dtypes_and_parameters_are_kept(path):
    whole = ak.Array(
        {
            "x": np.arange(3, dtype="f4"),
            "n": ak.values_astype(ak.Array([[1], [], [2, 3]]), "u2"),
            "p": ak.Array([{"a": 1.5, "b": "x"}] * 3, with_name="particle"),
            "m": np.zeros((3, 2, 2), "i2"),
            "o": ak.Array([None, 1.5, 2.5]),
            "b": ak.Array([b"1", b"", b"22"]),
        }
    )
    events.write(path, whole)
    with events.open(path) as opened:
        assert ak.array_equal(opened.to_awkward(), whole, check_parameters=True)
        assert opened.to_awkward().type == whole.type
        assert opened["p"].layout.parameter("__record__") == "particle"


def test_offsets_are_stored_once(path):
    pt, eta = ak.Array([[1.0], [], [2.0, 3.0]]), ak.Array([[4.0], [], [5.0, 6.0]])
    events.write(path, {"Jet_pt": pt, "Jet_eta": eta, "Muon_pt": eta[::-1]})
    with h5py.File(path) as file:
        names = sorted(file["Events"])
    offsets = [name for name in names if name.endswith("-offsets")]
    assert offsets == ["Jet-offsets", "Muon-offsets"]
    assert "Jet_pt-data" in names


def test_lists_that_shared_offsets_part_company(path, plainly):
    """Lists share offsets in the first batches and not in the last one, after data was written."""
    first = ak.Array({"a_x": [[1, 2]] * 50, "a_y": [[3, 4]] * 50, "a_z": [[5, 6]] * 50})
    last = ak.Array({"a_x": [[1], []], "a_y": [[3], []], "a_z": [[5], [6]]})
    with events.create(path, chunk_bytes=64) as writer:
        for batch in (first, first, last, first):
            writer.append(batch)
    with h5py.File(path) as file:
        assert sum(name.endswith("-offsets") for name in file["Events"]) == 2
    same(plainly(path), ak.concatenate([first, first, last, first]))
    assert events.check(path, data=True) == []


def test_equal_offsets_below_different_lists_are_not_shared(path, plainly):
    """The inner lists are equal, but belong to other events."""
    a = ak.Array([[[1], [2]], []])
    b = ak.Array([[], [[1], [2]]])
    events.write(path, {"a": a, "b": b})
    same(plainly(path), ak.Array({"a": a, "b": b}))


def test_columns_that_were_empty_get_their_type_later(path, plainly):
    with events.create(path) as writer:
        writer.append({"x": ak.Array([[], []])})
        writer.append({"x": ak.Array([[1.5], []])})
        writer.append({"x": ak.Array([[], []])})
    assert plainly(path)["x"].to_list() == [[], [], [1.5], [], [], []]


def test_arrays_are_read_when_they_are_used(path):
    n = 50_000
    column = ak.unflatten(np.random.default_rng(1).random(2 * n), np.full(n, 2))
    events.write(path, {"a_x": column, "a_y": column + 1, "b": np.arange(n)}, chunk_bytes=1 << 20)
    with events.open(path) as opened:
        before = opened.file.io_stats().reads
        whole = opened.to_awkward()
        assert len(whole) == n and opened.file.io_stats().reads == before
        assert whole["a_x"][3, 1] == column[3, 1]
        assert opened.file.io_stats().reads == before + 2  # a chunk each of offsets and data
        assert ak.all(whole["a_y"] == column + 1)
        assert opened.file.io_stats().reads == before + 3  # the offsets are in memory


def test_a_part_is_a_view_of_what_was_read(path):
    events.write(path, {"x": np.arange(1000.0)}, compression="none")
    with events.open(path) as opened:
        array = opened.to_awkward(["x"], 100, 200)["x"]
        numbers = ak.to_numpy(array)
        assert np.shares_memory(numbers, ak.to_numpy(array))
        assert numbers.tolist() == list(range(100, 200))


def test_what_is_read_at_once_is_shown_and_no_copy(path, monkeypatch):
    whole = ak.Array({"a": np.arange(3), "b": [[1], [], [2]], "u": [1, "a", None]})
    events.write(path, whole)
    read_multi, found = onecast.File.read_multi, []
    monkeypatch.setattr(onecast.File, "read_multi", lambda *given: _kept(read_multi(*given), found))
    with events.open(path) as opened:
        for array in (opened.to_awkward(lazy=False), opened.read_all()):
            assert "??" not in repr(array) + repr(array.b) + str(array.u)
            for column in (array.a.layout, array.b.layout.content):
                assert any(np.shares_memory(column.data, read) for read in found)
            same(array, whole)
        assert "??" in repr(opened.to_awkward())


def _kept(arrays, found):
    found.extend(arrays)
    return arrays


@pytest.mark.parametrize(
    "name,call",
    [
        ("size", lambda opened: opened.batches(1.5)),
        ("stop", lambda opened: opened.batches(stop="x")),
        ("start", lambda opened: opened.to_awkward(start=1.5)),
        ("stop", lambda opened: opened.read_all(stop=1.5)),
        ("start", lambda opened: opened.to_padded(["x"], 1, start=1.5)),
    ],
)
def test_numbers_that_are_none_are_named(path, name, call):
    events.write(path, {"x": [1, 2, 3]})
    with events.open(path) as opened:
        with pytest.raises(TypeError, match=f"^{name}: a whole number was expected"):
            call(opened)
        assert len(opened.to_awkward(None, None, np.int64(2))) == 2


def test_events_and_batches(path):
    whole = ak.Array({"x": [[1], [], [2, 3], [4], []], "run": [1, 2, 3, 4, 5]})
    events.write(path, whole)
    with events.open(path) as opened:
        assert len(opened) == 5 and opened.columns == ["x", "run"] and opened.kind == "columnar"
        assert opened.products == {"x": "list of int64", "run": "int64"}
        assert opened[2].to_list() == {"x": [2, 3], "run": 3}
        assert opened[-1].to_list() == opened[4].to_list()
        same(opened[1:4], whole[1:4])
        same(opened[["run"]], whole[["run"]])
        assert opened["x"].to_list() == whole["x"].to_list()
        assert [event.to_list() for event in opened] == whole.to_list()
        batches = list(opened.batches(2, ["run"], start=1))
        assert [batch["run"].to_list() for batch in batches] == [[2, 3], [4, 5]]
        assert opened.part() == (0, 5)
        for wrong, kind in ((5, IndexError), ("y", KeyError), ("z", KeyError)):
            with pytest.raises(kind):
                opened[wrong]
        with pytest.raises(TypeError):
            opened.to_awkward("x")


def test_classes_and_titles(path):
    events.write(path, {"x": np.arange(2)}, classes={"x": "Long64_t"}, titles={"x": "a number"})
    with events.open(path) as opened:
        assert opened.products == {"x": "Long64_t"} and opened.titles == {"x": "a number"}


def test_repr(path):
    events.write(path, {"a": np.arange(3), "b": np.arange(3)})
    opened = events.open(path)
    shown = f'<columnar "{path}": 3 events, 2 columns>'
    with opened:
        assert repr(opened) == shown
    assert repr(opened) == shown


def test_several_groups(path):
    events.write(path, {"x": np.arange(2)}, name="Runs")
    with events.open(f"{path}:Runs") as opened:
        assert len(opened) == 2
    with pytest.raises(KeyError, match="Runs"):
        events.open(f"{path}:Events")


def test_small_files_are_small(path):
    """Ten tiny events have many columns."""
    data = {f"c{n}": ak.Array([[n]] * 10) for n in range(300)}
    events.write(path, data)
    assert path.stat().st_size < 200_000


def test_chunks_are_filled_equally(path):
    """No chunk is nearly empty: without compression it would take its full size."""
    count = (1 << 18) // 8 + 10
    events.write(path, {"x": np.arange(count)}, chunk_bytes=1 << 18)
    with h5py.File(path) as file:
        assert file["Events/x-data"].chunks == ((count + 1) // 2,)


def forget(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)


def test_without_uproot(path, monkeypatch):
    forget(monkeypatch, "uproot")
    path.write_bytes(b"root" + bytes(100))
    with pytest.raises(ImportError, match=r"uproot.*onecast\[events\]"):
        events.open(path)


def test_without_awkward(path, monkeypatch):
    forget(monkeypatch, "awkward")
    record = np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
    data = {"run": np.array([1, 2]), "name": np.array(["x", "yy"]), "r": record}
    events.write(path, data)
    with events.open(path) as opened:
        assert opened.columns == ["run", "name", "r"]
        assert opened.to_numpy(["run"], 1)["run"].tolist() == [2]
        with pytest.raises(ImportError, match=r"awkward.*onecast\[events\]"):
            opened["name"]
    with pytest.raises(ImportError, match="awkward"):
        events.write(path, {"x": [[1], []]})


@pytest.mark.parametrize(
    ("name", "fill"),
    [("charge", np.nan), ("charge", 1.7), ("flavour", 999), ("isLoose", 7), ("flavour", -1)],
)
def test_what_fills_must_be_an_element(tmp_path, name, fill):
    columns = {"charge": np.int32([1, 2]), "flavour": np.uint8([3, 4]), "isLoose": [True, False]}
    lists = {key: ak.Array([list(values), []]) for key, values in columns.items()}
    lists["flavour"] = ak.values_astype(lists["flavour"], np.uint8)
    events.write(tmp_path / "a.h5", lists)
    with events.open(tmp_path / "a.h5") as opened:
        assert opened.to_padded([name], 3, fill=1)[name][1].tolist() == [1, 1, 1]
        with pytest.raises(ValueError, match=f"column {name}: fill: "):
            opened.to_padded([name], 3, fill=fill)


def test_what_names_an_event(tmp_path):
    events.write(tmp_path / "a.h5", {"x": np.arange(3)})
    with events.open(tmp_path / "a.h5") as opened:
        assert "x" in opened
        assert "y" not in opened
        with pytest.raises(TypeError, match=r"a number, .* not True"):
            opened[True]


@pytest.mark.parametrize("name", ["a/b", "/a", "", "."])
def test_a_group_has_one_name(tmp_path, name):
    with pytest.raises(ValueError, match="the name of one group was expected"):
        events.write(tmp_path / "a.h5", {"x": np.arange(3)}, name=name)
    assert not list(tmp_path.iterdir())


def test_events_of_one_batch_are_read_together(path):
    """An array of awkward is made once, not for each event."""
    n = 1000
    events.write(path, {"l": ak.Array([[k] * (k % 3) for k in range(n)]), "x": np.arange(n)})
    with events.open(path) as opened:
        alone, first, other = opened[7], opened[7], opened[n - 1]
        assert len(alone.layout.array) == 1
        assert first.layout.array is other.layout.array
        assert [opened[k]["l"].to_list() for k in (7, 8, 9, -1)] == [[7], [8, 8], [], []]


def test_events_of_several_batches(path, monkeypatch):
    events.write(path, {"l": [[k] * (k % 3) for k in range(100)]})
    monkeypatch.setattr(events._events, "BATCH_BYTES", 200)
    with events.open(path) as opened:
        assert 1 < opened.batch_events() < 20
        far = [opened[k] for k in (99, 0, 50)]
        assert all(len(event.layout.array) == 1 for event in far)
        kept = [opened[k] for k in (5, 5, 99, 98, 0, 6, 98, 50, 49)]
        assert [event["l"].to_list() for event in kept] == [
            [k] * (k % 3) for k in (5, 5, 99, 98, 0, 6, 98, 50, 49)
        ]
        assert kept[3].layout.array is kept[6].layout.array  # as long as somebody holds it
