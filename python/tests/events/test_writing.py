"""What cannot be written, and what a failed append leaves"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from onecast import events

ak = pytest.importorskip("awkward")

WRONG = {
    "length": ({"x": np.arange(3), "y": np.arange(2)}, ValueError, "column y has 2 events"),
    "dtype": ({"x": np.zeros(2, "M8[s]")}, TypeError, r"column x: .*datetime64.*astype"),
    "object": ({"x": np.array([None, object()])}, TypeError, "column x: .*: numbers of at most"),
    "scalar": ({"x": np.array(1)}, TypeError, "column x: .*, not one ndarray"),
    "name": ({1: np.arange(2)}, TypeError, "name of a column"),
    "empty name": ({"": np.arange(2)}, ValueError, "^the name of a column is empty$"),
    "no columns": (ak.Array([1, 2]), TypeError, "array of records"),
    "text": ("x", TypeError, "dict of arrays"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_written(path, name):
    data, kind, text = WRONG[name]
    path.write_bytes(b"what was there")
    with pytest.raises(kind, match=text):
        events.write(path, data)
    assert path.read_bytes() == b"what was there"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


LATER = {
    "type": ({"x": ak.Array([[1], []])}, r"column x\[\]: float64 was expected, not int64"),
    "depth": ({"x": np.array([1.0])}, "column x: list of float64 was expected, not float64"),
    "columns": ({"y": ak.Array([[1.5]])}, "column .: .* has not; all batches and ranks"),
    "option": ({"x": ak.Array([[1.5], None])}, "column x: list .* not option"),
}


@pytest.mark.parametrize("name", LATER)
def test_an_append_that_fails_changes_nothing(path, name):
    data, text = LATER[name]
    with events.create(path) as writer:
        writer.append({"x": ak.Array([[0.5], []])})
        with pytest.raises((TypeError, ValueError), match=text):
            writer.append(data)
        writer.append({"x": ak.Array([[2.5]])})
    with events.open(path) as opened:
        assert opened["x"].to_list() == [[0.5], [], [2.5]]


@pytest.mark.parametrize(
    "first, later",
    [
        ([None, 1], [3, 4]),
        ([[1], None], [[2, 3], []]),
        ([[1, None], [2]], [[], [3]]),
        ([{"a": None, "b": 1}, {"a": 1.5, "b": 2}], [{"a": 2.5, "b": 3}]),
        ([None, [None, 1]], [[2], [3]]),
    ],
)
def test_later_batches_may_have_all_values(path, first, later):
    first = ak.Array(first)
    with events.create(path) as writer:
        for batch in (first, ak.Array(later), first):
            writer.append({"x": batch})
    with events.open(path) as opened:
        assert opened["x"].to_list() == [*first.to_list(), *later, *first.to_list()]


def test_a_write_that_fails_changes_nothing(path, monkeypatch):
    """The disk is full in the middle of an append, and then has room again."""
    with events.create(path, chunk_bytes=64, compression="none") as writer:
        batch = {"a_x": ak.Array([[1, 2]] * 20), "a_y": ak.Array([[3, 4]] * 20)}
        writer.append(batch)
        apart = {"a_x": ak.Array([[1, 2]] * 20), "a_y": ak.Array([[3], []] * 20)[:20]}
        with monkeypatch.context() as patch:

            def no_space(requests):
                raise OSError(28, "No space left on device")

            patch.setattr(writer.file, "write_multi", no_space)
            with pytest.raises(OSError, match="No space"):
                writer.append(apart)
        writer.append(batch)
        writer.append(apart)
    whole = ak.concatenate([ak.Array(d) for d in (batch, batch, apart)])
    with events.open(path) as opened:
        assert opened.to_awkward().to_list() == whole.to_list()


@pytest.mark.parametrize("text", ["zstd:99", "zstd:x", "lz4:3", "none:1", "no", "shuffle", "zstd:"])
def test_compressions_that_are_not_there(path, text):
    if text == "zstd:":
        events.write(path, {"x": np.arange(3)}, compression=text)
        return
    with pytest.raises(ValueError, match="compression"):
        events.write(path, {"x": np.arange(3)}, compression=text)


def test_what_was_appended_may_change_afterwards(path):
    numbers = np.arange(100)
    with events.create(path) as writer:
        writer.append({"x": numbers})
        numbers[:] = 0
        writer.append({"x": numbers})
    with events.open(path) as opened:
        assert opened.to_numpy(["x"])["x"].tolist() == [*range(100), *[0] * 100]


def test_very_many_appends_of_single_events(path):
    with events.create(path, chunk_bytes=800) as writer:
        for number in range(300):
            writer.append({"x": np.array([number]), "n": ak.Array([[number]])})
    with events.open(path) as opened:
        assert opened.to_numpy(["x"])["x"].tolist() == list(range(300))
        assert opened["n"].to_list() == [[number] for number in range(300)]
    assert events.check(path, data=True) == []


def test_a_writer_that_is_left_leaves_no_events(path):
    with pytest.raises(ZeroDivisionError), events.create(path) as writer:
        writer.append({"x": np.arange(3)})
        raise ZeroDivisionError
    assert list(path.parent.iterdir()) == []
    with pytest.raises(ValueError, match="closed"):
        writer.append({"x": np.arange(3)})


def test_a_flush_keeps_what_was_appended(path):
    """This holds whatever happens afterwards, even if the process is killed."""
    none = ak.unflatten(np.empty(0, "f4"), np.zeros(90, int))
    whole = ak.Array({"x": [[1], [], [2, 3]] * 30, "run": np.arange(90), "none": none})
    with pytest.raises(ZeroDivisionError), events.create(path, chunk_bytes=100) as writer:
        for number in range(0, 90, 10):
            writer.append(whole[number : number + 10])
            if number in (20, 50):
                writer.flush()
        raise ZeroDivisionError
    with events.open(path) as opened:
        assert opened.to_awkward().to_list() == whole[:60].to_list()
    assert events.check(path, data=True) == [
        "its writer was interrupted: 60 events were flushed, later ones are lost"
    ]


@pytest.mark.parametrize("name", ["", ".", "a/."])
def test_names_of_no_group(path, name):
    with pytest.raises(ValueError):
        events.write(path, {"x": np.arange(3)}, name=name)
    with pytest.raises(ValueError):
        events.create(path, name=name)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("batch", [0, -1, "x"])
def test_wrong_batch(path, batch):
    events.write(path, {"a": np.arange(5)})
    other = path.with_name("other.h5")
    with pytest.raises((TypeError, ValueError)):
        events.convert(path, other, batch=batch)
    assert not other.exists()


def test_levels_of_zstd_below_zero(path, plainly):
    values = np.arange(10_000)
    events.write(path, {"a": values}, compression="zstd:-5")
    assert plainly(path)["a"].to_list() == values.tolist()
    with events.open(path) as opened:
        assert (opened.to_numpy()["a"] == values).all()


def test_very_deep_lists(path):
    layout = ak.Array([[1]]).layout
    for _ in range(300):
        layout = ak.contents.ListOffsetArray(ak.index.Index64(np.array([0, 1])), layout)
    with pytest.raises(ValueError, match="column a: more than 64 levels"):
        events.write(path, {"a": ak.Array(layout)})


def test_columns_from_an_iterator(path):
    events.write(path, {"a": [1, 2], "b": [3, 4]})
    other = path.with_name("other.h5")
    assert events.convert(path, other, columns=iter(["b"])) == 2
    with events.open(other) as opened:
        assert opened.columns == ["b"]


def test_closed(path):
    events.write(path, {"a": [1, 2]})
    opened = events.open(path)
    opened.close()
    for call in (lambda: opened[0], lambda: opened["a"], opened.read_all, lambda: list(opened)):
        with pytest.raises(ValueError, match="the file is closed"):
            call()


NO_NAMES = {
    "column": {"\ud800": np.arange(3)},
    "field": {"a": ak.zip({"\ud800": [1]})},
    "field of numpy": {"a": np.zeros(3, [("\ud800", "i4")])},
    "zero": {"a\0b": np.arange(3)},
}


@pytest.mark.parametrize("name", NO_NAMES)
def test_names_that_cannot_be_stored(path, name):
    path.write_bytes(b"what was there")
    said = r"column '(\\ud800|a.*)': the name .* cannot be stored: UTF-8 without zeros"
    with pytest.raises(ValueError, match=said):
        events.write(path, {"first": np.arange(3)} | NO_NAMES[name])
    assert path.read_bytes() == b"what was there"
    with events.create(path) as writer:
        writer.append({"x": np.arange(3)})
        with pytest.raises(ValueError, match=said):
            writer.append(NO_NAMES[name])
    with events.open(path) as opened:
        assert opened["x"].to_list() == [0, 1, 2]


def test_texts_that_cannot_be_stored(path):
    with pytest.raises(ValueError, match=r"column s: .*surrogates not allowed"):
        events.write(path, {"s": np.array(["a", "\ud800"])})


@pytest.mark.parametrize(
    "wrong, kind",
    [({"name": 5}, TypeError), ({"name": "\ud800"}, ValueError), ({"titles": 5}, TypeError)],
)
def test_wrong_options_are_named(path, wrong, kind):
    with pytest.raises(kind, match=f"^{min(wrong)}: "):
        events.create(path, **wrong)
    assert list(path.parent.iterdir()) == []


def test_a_writer_that_is_forgotten_is_closed(path, tmp_path):
    writer = events.create(path)
    writer.append({"a": np.arange(3)})
    del writer
    with events.open(path) as opened:
        assert opened.to_numpy(["a"])["a"].tolist() == [0, 1, 2]
    script = tmp_path / "script.py"
    other = tmp_path / "other.h5"
    script.write_text(
        "import sys\nfrom onecast import events\nw = events.create(sys.argv[1])\n"
        "w.append({'a': [[1], [2, 3]]})\nk = [w]\nk.append(k)\n"
    )
    subprocess.run([sys.executable, script, other], check=True)
    with events.open(other) as opened:
        assert opened["a"].tolist() == [[1], [2, 3]]


def test_threads_share_a_writer(path):
    with events.create(path) as writer, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: writer.append({"a": [[i] * (i % 5)] * 7}), range(200)))
    with events.open(path) as opened:
        assert len(opened) == 1400
        assert sum(map(len, opened["a"].tolist())) == 7 * 2 * 200
    assert events.check(path) == []


def test_what_is_being_written_is_not_replaced(path):
    with events.create(path) as writer:
        writer.append({"a": [1]})
        with pytest.raises(BlockingIOError, match="locked"):
            events.write(path, {"a": [2]})
    with events.open(path) as opened:
        assert opened["a"].tolist() == [1]
        events.write(path, {"a": [2]})  # readers keep the old file
        assert opened["a"].tolist() == [1]


def test_compression_has_one_name(path):
    with pytest.raises(ValueError, match="one of none, zstd, lz4, gzip, lzf, bzip2 was expected"):
        events.write(path, {"x": [1]}, compression="no")
    with pytest.raises(ValueError, match="'deflate:99': a level from"):
        events.write(path, {"x": [1]}, compression="deflate:99")
    found = set()
    for text in ("gzip:6", "deflate:6", "gzip"):
        events.write(path, {"x": np.arange(10_000)}, compression=text)
        found.add(path.read_bytes())
    assert len(found) == 1


def test_without_a_compression_it_is_the_default(path):
    """This holds for all calls."""
    other = path.with_name("other.h5")
    found = set()
    for given in ({}, {"compression": None}, {"compression": "zstd:3"}):
        events.write(path, {"x": np.arange(10_000)}, **given)
        events.convert(path, other, **given)
        found.add((path.read_bytes(), other.read_bytes()))
    assert len(found) == 1


def test_to_padded_takes_the_rest_by_name(path):
    events.write(path, {"x": [[1], [2]]})
    with events.open(path) as opened, pytest.raises(TypeError, match="positional"):
        opened.to_padded(["x"], 2, -1)


def test_an_append_of_plain_columns_does_not_pack_them(path, monkeypatch):
    data = ak.Array({"x": [[1], []], "y": [1, 2]})[:1]
    monkeypatch.setattr(ak, "to_packed", None)
    monkeypatch.setattr(ak.Array, "__getitem__", None)
    events.write(path, data)
    monkeypatch.undo()
    with events.open(path) as opened:
        assert opened.to_awkward().to_list() == [{"x": [1], "y": 1}]


def test_a_masked_structured_array(path):
    array = np.ma.zeros(2, dtype=[("a", "i4"), ("b", "f4")])
    array["a"][0] = np.ma.masked
    events.write(path, {"x": array})
    with events.open(path) as opened:
        assert opened["x"].to_list() == [{"a": None, "b": 0.0}, {"a": 0, "b": 0.0}]


def test_a_target_that_is_a_folder(path, calls_that_make):
    for call in calls_that_make(f"{path}/", path):
        with pytest.raises(ValueError, match="a file was expected, not the folder"):
            call()
    assert not path.exists()


def test_the_batch_that_lacks_a_column_is_named(path):
    with events.create(path) as writer:
        writer.append({"a": [1], "b": [2]})
        for data, said in (
            ({"a": [1]}, "column b: the first batch has it, and this one has not"),
            ({"a": [1], "b": [2], "c": [3]}, "column c: this one has it, and the first batch has"),
        ):
            with pytest.raises(TypeError, match=said):
                writer.append(data)


def test_a_conversion_of_no_columns(path):
    events.write(path, {"x": [1]})
    with pytest.raises(ValueError, match="columns: one name at least"):
        events.convert(path, path.with_name("out.h5"), columns=[])


def test_warnings_name_the_line_of_the_program(path):
    wrong = {name: np.array([-1]) for name in ("run", "lumi", "event")}
    with pytest.warns(UserWarning, match="no index") as caught:
        events.write(path, wrong)
        with events.create(path) as writer:
            writer.append(wrong)
    assert {warning.filename for warning in caught} == {__file__}


def test_a_skim_keeps_titles_and_classes(path):
    events.write(path, {"x": [1], "y": [2]}, titles={"x": "so", "y": "no"}, classes={"x": "int"})
    skim = path.with_name("skim.h5")
    with events.open(path) as source:
        about = {"titles": source.titles, "classes": source.products}
        events.write(skim, source[["x"]], **about)
    with events.open(skim) as opened:
        assert opened.titles == {"x": "so"} and opened.products == {"x": "int"}


def test_what_has_no_form_in_awkward_is_refused(path):
    """awkward has no option of a union, so such a file could not be read."""
    with events.create(path) as writer:
        writer.append({"x": [None, None]})
        with pytest.raises(TypeError, match="column x: option of unknown was expected, not union"):
            writer.append({"x": ak.Array([1, "u"])})
        writer.append({"x": [1]})
    with events.open(path) as opened:
        assert opened["x"].to_list() == [None, None, 1]


def test_arrays_of_awkward_with_two_dimensions(path):
    rows = ak.Array(np.arange(12.0).reshape(4, 3))
    with events.create(path) as writer:
        for batch in (rows, ak.concatenate([rows, rows]), ak.to_packed(rows), rows[[1, 0]]):
            writer.append({"x": batch})
    with events.open(path) as opened:
        assert len(opened) == 18 and opened["x"].to_list()[-2:] == [[3, 4, 5], [0, 1, 2]]


def test_converting_to_other_titles_and_classes(path, tmp_path):
    events.write(path, {"x": [1], "y": [2]}, titles={"x": "so", "y": "no"}, classes={"x": "int"})
    events.convert(path, tmp_path / "b.h5", titles={"y": "yes"}, classes={"y": "long"})
    with events.open(tmp_path / "b.h5") as opened:
        assert opened.titles == {"x": "so", "y": "yes"}
        assert opened.products == {"x": "int", "y": "long"}
    with pytest.raises(TypeError, match="titles: a dict of columns and texts"):
        events.convert(path, tmp_path / "b.h5", titles="yes")
