"""Damaged files cause a clear error that names the file and the field, and never a crash."""

import json

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_events import random_events

import onecast
from onecast import events

ak = pytest.importorskip("awkward")
pytestmark = pytest.mark.leaves_damage

WHOLE = ak.Array(
    {
        "a_x": [[1, 2], [], [3]],
        "o": [1.5, None, 2.5],
        "u": ak.Array(["x", 1, 2]),
        "n": [[[1], [2, 3]], [], [[]]],
        "m": ak.to_regular(ak.Array([[1, 2], [3, 4], [5, 6]])),
        "run": [1, 2, 3],
        "lumi": [1, 1, 1],
        "event": [3, 2, 1],
    }
)


@pytest.fixture
def damaged(path):
    """damaged(change) returns a file that h5py changed."""

    def make(change):
        events.write(path, WHOLE)
        with h5py.File(path, "r+") as file:
            change(file["Events"])
        return path

    return make


def replaced(name, values):
    def change(group):
        del group[name]
        group[name] = values

    return change


def form_with(change):
    def damage(group):
        form = json.loads(group.attrs["form"])
        change(form)
        group.attrs["form"] = json.dumps(form)

    return damage


def attribute(name, value):
    return lambda group: group.attrs.__setitem__(name, value)


ARRAYS = {
    "a_x": [
        (replaced("a-offsets", np.array([0, 2, 1, 3])), "a-offsets: decreases behind element 1"),
        (replaced("a-offsets", np.array([-1, 2, 2, 3])), "a-offsets: begins with -1"),
        (replaced("a-offsets", np.array([0, 2, 2, 4])), "a-offsets: leads to element 4"),
        (replaced("a-offsets", np.array([0, 2, 2, 1 << 62])), "a-offsets: leads to element 46"),
        (replaced("a-offsets", np.array([0, 2, 2])), "a-offsets: has 2 elements, and 3"),
        (replaced("a-offsets", np.zeros(0, "i8")), "a-offsets: has no elements"),
        (replaced("a-offsets", np.zeros(4)), "a-offsets: elements of int64 were expected"),
        (replaced("a-offsets", np.zeros((4, 1), "i8")), r"a-offsets: shape \(n\) was expected"),
        (replaced("a-offsets", 1), r"a-offsets: shape \(n\) was expected"),
        (replaced("a-offsets", h5py.Empty("i8")), "a-offsets: shape"),
        (replaced("a_x-data", np.zeros(2, "i8")), "leads to element 3, and there are 2"),
        (replaced("a_x-data", np.zeros(3, "i4")), "a_x-data: elements of int64"),
        (lambda group: group.__delitem__("a_x-data"), "a_x-data: is missing"),
    ],
    "o": [
        (replaced("o-index", np.array([0, -1, 7])), "o-index: leads to element 8"),
        (replaced("o-index", np.array([0, -1])), "o-index: has 2 elements"),
    ],
    "u": [
        (replaced("u-tags", np.array([0, 1, 2], "i1")), "u-tags: numbers below 2"),
        (replaced("u-index", np.array([0, -1, 1])), "u-index: has a negative number"),
        (replaced("u-index", np.array([0, 0, 9])), "leads to element 10"),
    ],
    "n": [(replaced("n[]-offsets", np.array([0, 3, 1, 3])), "decreases behind element 1")],
    "m": [(replaced("m-data", np.zeros(5, "i8")), "m-data: has 5 elements, and 6")],
}


@pytest.mark.parametrize("column,change,text", [(c, *case) for c in ARRAYS for case in ARRAYS[c]])
def test_arrays(damaged, column, change, text):
    path = damaged(change)
    with events.open(path) as opened:
        assert opened["event"].to_list() == [3, 2, 1]
        for read in (
            lambda: ak.materialize(opened.to_awkward([column])),
            lambda: opened.to_awkward([column], lazy=False),
            lambda: opened.read_all([column]),
        ):
            with pytest.raises(onecast.FormatError, match=f"{path}: /Events/.*{text}"):
                read()
    (found,) = (line for line in events.check(path) if line.startswith(f"column {column}:"))
    assert str(path) not in found


def first_content(**members):
    return form_with(lambda form: form["contents"][0].update(members))


def nested(levels):
    form = {"class": "EmptyArray"}
    for _ in range(levels):
        form = {"class": "RegularArray", "size": 1, "content": form}
    return json.dumps({"class": "RecordArray", "fields": ["x"], "contents": [form]})


ATTRIBUTES = [
    (attribute("form", "{"), "form: no JSON"),
    (attribute("form", 3), "form: a text"),
    (attribute("form", "[]"), "form: form: an object was expected"),
    (attribute("form", "[" * 100_000), "form: no JSON"),
    (attribute("form", nested(70)), "more than 64 levels"),
    (attribute("form", json.dumps({"class": "EmptyArray"})), "a RecordArray with fields"),
    (first_content(**{"class": "BitMaskedArray"}), "form.a_x: class 'BitMaskedArray'"),
    (first_content(**{"class": 3}), "form.a_x: class: str was expected"),
    (first_content(offsets="i32"), "form.a_x: offsets: 'i64'"),
    (first_content(form_key=None), "form.a_x: form_key: str"),
    (first_content(content=[]), "form.a_x: content: dict"),
    (first_content(form_key="../a"), None),
    (form_with(lambda form: form.update(fields=["x"])), "form: fields: 8 different names"),
    (form_with(lambda form: form.update(fields=["x"] * 8)), "form: fields: 8 different names"),
    (form_with(lambda form: form["contents"][0]["content"].update(primitive="O")), "primitive"),
    (
        form_with(lambda form: form["contents"][0]["content"].update(inner_shape=[-1])),
        "inner_shape",
    ),
    (form_with(lambda form: form["contents"][4].update(size=-1)), "form.m: size"),
    (attribute("length", -1), "length: -1 events"),
    (attribute("form", '{"class":"RecordArray","fields":[],"contents":[]}'), "3 events in 0 col"),
    (attribute("length", "x"), "length: a number"),
    (attribute("length", [1, 2]), "length: a number"),
    (attribute("layout-version", 2), "layout-version: 1 was expected, not 2"),
    (attribute("columns", "x"), "columns: no JSON"),
    (attribute("columns", "[]"), "columns: a JSON dict"),
    (attribute("identity", '["run"]'), "identity"),
    (attribute("identity", '["run", "lumi", "o"]'), "identity: .*'o'"),
    (attribute("identity", '["run", "lumi", {}]'), "identity"),
    (lambda group: group.attrs.__delitem__("form"), "form: a text"),
]


@pytest.mark.parametrize("change,text", ATTRIBUTES)
def test_attributes(damaged, change, text):
    path = damaged(change)
    if text is None:  # only the arrays do not fit
        with events.open(path) as opened, pytest.raises(onecast.FormatError, match="missing"):
            opened.to_awkward(["a_x"], lazy=False)
        return
    with pytest.raises(onecast.FormatError, match=f"{path}: /Events: attribute .*{text}"):
        events.open(path)


def test_a_length_that_is_too_large(damaged):
    path = damaged(attribute("length", 1 << 60))
    with events.open(path) as opened:
        with pytest.raises(onecast.FormatError, match="has 3 elements"):
            opened.to_awkward(["run"], lazy=False)
        assert opened.to_awkward(["run"], 0, 2)["run"].to_list() == [1, 2]
    assert len(events.check(path)) >= 8


def test_keys_that_nodes_share_wrongly(damaged):
    """One node is in another place, or has another type."""
    for change in (
        lambda form: form["contents"][3]["content"].update(form_key="a"),
        lambda form: form["contents"][1]["content"].update(form_key="run"),
        lambda form: form["contents"][5].update(form_key="a_x"),
    ):
        with pytest.raises(
            onecast.FormatError, match=r"form_key '.*' stands for nodes that differ"
        ):
            events.open(damaged(form_with(change)))


def test_the_index(damaged):
    def change(group):
        index = group["identity"][...]
        index["entry"][0] = 99
        del group["identity"]
        group["identity"] = index

    path = damaged(change)
    with events.open(path) as opened, pytest.raises(onecast.FormatError, match="leads to event 99"):
        opened.find(1, 1, 3)
    assert "element 0" in events.check(path)[0]
    assert events.index(path) == 3
    assert events.check(path) == []
    path = damaged(replaced("identity", np.arange(3)))
    with events.open(path) as opened, pytest.raises(ValueError, match="no index"):
        opened.find(1, 1, 3)
    assert "were expected" in events.check(path)[0]


def test_a_form_that_awkward_does_not_take(damaged):
    """A text consists of numbers that are not characters."""

    def change(form):
        form["contents"][0]["parameters"] = {"__array__": "string"}

    path = damaged(form_with(change))
    with events.open(path) as opened, pytest.raises(onecast.FormatError, match="attribute form"):
        opened["a_x"]


def test_files_of_no_kind(path):
    path.write_bytes(b"nothing")
    with pytest.raises(onecast.FormatError, match="no events of a known kind"):
        events.open(path)
    with h5py.File(path, "w") as file:
        file["x"] = [1]
    with pytest.raises(onecast.FormatError, match="no events of a known kind"):
        events.open(path)
    with pytest.raises(FileNotFoundError):
        events.open(path.with_name("none.h5"))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 10**6), st.data())
def test_random_damage(path, seed, data):
    """Numbers in offsets and indexes, or the form, are replaced: the file is read or refused."""
    whole = random_events(seed, 6)
    events.write(path, whole, compression="gzip:1")
    with h5py.File(path, "r+") as file:
        group = file["Events"]
        arrays = [n for n in group if not n.endswith("-data") and n != "identity"]
        if arrays and data.draw(st.booleans()):
            name = data.draw(st.sampled_from(arrays))
            values = group[name][...]
            for at in data.draw(st.lists(st.integers(0, max(0, len(values) - 1)), max_size=3)):
                if len(values):
                    limits = np.iinfo(values.dtype)
                    small = st.integers(-2, 9)
                    values[at] = data.draw(small | st.integers(int(limits.min), int(limits.max)))
            replaced(name, values)(group)
        else:
            text = group.attrs["form"]
            at = data.draw(st.integers(0, len(text) - 1))
            other = data.draw(st.sampled_from(['"', "{", "}", "[", "]", ",", "0", "9", "-", "x"]))
            group.attrs["form"] = text[:at] + other + text[at + 1 :]
    try:
        with events.open(path) as opened:
            for column in opened.columns:
                opened.read_all([column])
                ak.materialize(opened.to_awkward([column], 1, 4)).to_list()
            assert len(opened) == 6
    except (onecast.FormatError, KeyError) as error:
        assert str(path) in str(error)
