"""Files with products, opened by onecast.events"""

import copy
import pickle
import subprocess
import sys

import h5py
import numpy as np
import pytest
from event_files import (
    BUILD,
    CODECS,
    as_in_pds,
    convert,
    sample_events,
    write_pds,
    write_version_1,
    write_version_2_product,
)

import onecast
from onecast import events

ak = pytest.importorskip("awkward")
pytest.importorskip("onecast._events", reason="Onecast was built without the events layer")
LAYOUTS = ["HDF5Product", "HDF5Event", "HDF5Batch", "PDS"]
LIBRARY = BUILD / "libonecast_events_root.so"
SHOWN = ["EventID_run", "EventID_lumi", "EventID_event"]
COMPRESSED = ["", ":compression=zstd", ":compression=lz4"]


def as_read(opened):
    """Returns the events in the form of event_files."""
    names = [name for name in opened.columns if name not in ("run", "lumi", "event")]
    return [(e["run"], e["lumi"], e["event"], {name: e[name] for name in names}) for e in opened]


def classes_of(sample, kind="Thing"):
    return dict.fromkeys(sample[0][3], kind)


@pytest.mark.parametrize("codec", CODECS)
def test_pds(tmp_path, codec):
    sample = sample_events()
    path = tmp_path / "a.pds"
    write_pds(path, sample, classes_of(sample), codec)
    with events.open(path) as opened:
        assert opened.kind == "products"
        assert as_read(opened) == as_in_pds(sample)
        assert opened.products["p0_0"] == "Thing"
    assert events.check(path, data=True) == []
    with events.open(path) as opened:
        for wanted in ((-1, 1, 1), (1, 1 << 32, 1), (1, 1, 1 << 70)):
            with pytest.raises(KeyError, match="there is no event"):
                opened.find(*wanted)


def test_pds_whose_writer_was_interrupted(tmp_path):
    sample = sample_events()
    path = tmp_path / "a.pds"
    write_pds(path, sample, classes_of(sample), "none")
    path.write_bytes(path.read_bytes()[:-5])
    with events.open(path) as opened:
        assert len(opened) == len(sample) - 1
    (said,) = events.check(path, data=True)
    assert "bytes behind the last complete event" in said


@pytest.mark.parametrize(
    "layout", [("product",), ("event",), ("batch", "zstd", "Batch")], ids=lambda row: row[0]
)
def test_version_1(tmp_path, layout):
    sample = [(1, 2, *event[2:]) for event in sample_events(first=5)]
    path = tmp_path / "a.h5"
    write_version_1(path, sample, classes_of(sample), *layout)
    with events.open(path) as opened:
        assert as_read(opened) == sample


@pytest.mark.parametrize("options", COMPRESSED)
@pytest.mark.parametrize("outputer", LAYOUTS)
def test_what_the_program_writes(tmp_path, outputer, options):
    sample = sample_events(20)
    source, path = tmp_path / "in.h5", tmp_path / "a:b"
    write_version_2_product(source, sample, classes_of(sample), "bytes")
    convert(f"HDF5={source}", f"{outputer}={str(path).replace(':', '::')}{options}")
    expected = as_in_pds(sample) if outputer == "PDS" else sample
    with events.open(path) as opened:
        assert as_read(opened) == expected
        assert len(opened) == 20
        last = opened.to_awkward(["p3_4000", "event"], 13)
        assert last.fields == ["p3_4000", "event"]
        assert last["p3_4000"].to_list() == [e[3]["p3_4000"] for e in expected[13:]]
        assert opened["p2_24"].to_list() == [e[3]["p2_24"] for e in expected]
        assert opened.find(*expected[11][:3]) == 11
        with pytest.raises(KeyError, match="no event 9, 9, 9"):
            opened.find(9, 9, 9)
        assert [len(batch) for batch in opened.batches(8)] == [8, 8, 4]


def numbers(path, layout="HDF5Product", options=""):
    """Writes events with numbers, one of which has no `count`."""
    rows = [
        (1, 1, 1, {"count": 3, "pt": [1.5, 2.5, 3.5], "pair": [(1, 0.5)], "other": b"x"}),
        (1, 1, 2, {"count": None, "pt": [], "pair": [], "other": b""}),
        (1, 2, 3, {"count": 1, "pt": [4.5], "pair": [(2, 1.5), (3, 2.5)], "other": b"yz"}),
    ]
    pair = np.dtype([("id", "<i4"), ("weight", "<f8")])

    def stored(row):
        count = b"" if row["count"] is None else np.int32(row["count"]).tobytes()
        pt, pairs = np.array(row["pt"], "<f4"), np.array(row["pair"], pair)
        return {
            "count": count,
            "pt": pt.tobytes(),
            "pair": pairs.tobytes(),
            "other": row["other"],
        }

    classes = {"count": "Int_t", "pt": "Float_t[count]", "pair": "id/I:weight/D", "other": "Thing"}
    source = path.with_suffix(".in")
    write_version_2_product(source, [(*r[:3], stored(r[3])) for r in rows], classes, "ROOT")
    convert(f"HDF5={source}", f"{layout}={path}{options}")
    return rows


@pytest.mark.parametrize("options", ["", ":numeric=compound"])
def test_numbers(tmp_path, options):
    path = tmp_path / "a.h5"
    rows = numbers(path, options=options)
    with events.open(path) as opened:
        found = opened.to_awkward()
        assert found["count"].to_list() == [row[3]["count"] for row in rows]
        assert found["pt"].to_list() == [row[3]["pt"] for row in rows]
        assert ak.type(found["pt"]).content.content.primitive == "float32"
        assert found["other"].to_list() == [row[3]["other"] for row in rows]
        assert found["pair"].tolist() == [
            [{"id": number, "weight": weight} for number, weight in row[3]["pair"]] for row in rows
        ]
        assert opened.to_numpy(["event"])["event"].tolist() == [1, 2, 3]
        assert opened.to_numpy(["count"], 2)["count"].tolist() == [1]
        with pytest.raises(TypeError, match="column count: numbers were expected"):
            opened.to_numpy(["count"])
        padded = opened.to_padded(["pt"], 2, fill=-1)
        assert padded["pt"].tolist() == [[1.5, 2.5], [-1, -1], [4.5, -1]]


def test_bytes_that_are_no_numbers(tmp_path):
    path = tmp_path / "a.h5"
    sample = [(1, 1, 1, {"pt": bytes(8)}), (1, 1, 2, {"pt": bytes(7)})]
    write_version_2_product(path, sample, {"pt": "Float_t[]"}, "ROOT")
    with events.open(path) as opened:
        assert opened.to_awkward(stop=1)["pt"].to_list() == [[0, 0]]
        with pytest.raises(ValueError, match=r"event 1: product pt: its bytes are no elements"):
            opened.to_awkward()
    assert events.check(path, data=True) == [
        f"{path}: event 1: product pt: its bytes are no elements of Float_t[]"
    ]


def test_columns_of_products(tmp_path):
    """Converted to columns, they keep the identity by which events are found."""
    path, target = tmp_path / "a.h5", tmp_path / "columns.h5"
    rows = numbers(path)
    assert events.convert(path, target, columns=["run", "lumi", "event", "pt"]) == 3
    with events.open(target) as opened:
        assert opened["pt"].to_list() == [row[3]["pt"] for row in rows]
        assert opened.products["pt"] == "Float_t[count]"
        assert opened.find(1, 2, 3) == 2


@pytest.mark.leaves_damage
@pytest.mark.parametrize("outputer", LAYOUTS)
def test_damaged(tmp_path, outputer):
    path = tmp_path / "a"
    batch = "" if outputer == "PDS" else ":batch=10"
    convert("TestProducts:events=300:size=200", f"{outputer}={path}{batch}")
    with events.open(path) as opened:
        whole = as_read(opened)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    try:
        with events.open(path) as opened:
            part = as_read(opened)
    except OSError as error:
        assert str(path) in str(error)
    else:
        assert whole[: len(part)] == part
        assert len(part) < len(whole)


def test_other_files(tmp_path):
    (tmp_path / "text").write_text("no file of events")
    with pytest.raises(onecast.FormatError, match="holds no events of a known kind"):
        events.open(tmp_path / "text")
    convert("TestProducts:events=3:size=8", f"HDF5Event={tmp_path}/a.h5")
    with pytest.raises(KeyError, match="none named 'Other'"):
        events.open(f"{tmp_path}/a.h5:Other")
    with pytest.raises(TypeError, match="has no option comment"):
        events.open(tmp_path / "a.h5", comment=1)
    with pytest.raises(ValueError, match="has no index"):
        events.index(tmp_path / "a.h5")
    with events.open(tmp_path / "a.h5") as opened:
        pass
    with pytest.raises(ValueError, match="the file is closed"):
        opened.to_awkward()


def test_each_convert_says_how_to_get_the_other(tmp_path):
    """Products become products on the command line, and columns in Python."""
    path, out = tmp_path / "a.pds", tmp_path / "b.h5"
    convert("TestProducts:events=3:size=8", f"PDS={path}")
    hint = f"onecast: {out}: products, as in {path}; --layout columnar makes columns\n"
    assert run_command("convert", path, out).stderr == hint
    with events.open(out) as opened:
        assert opened.kind == "products"
    assert run_command("convert", "-q", path, out).stderr == ""
    assert hint not in run_command("convert", "--help", path, out).stdout
    of_columns = command("convert", "--help", tmp_path / "columns.h5")
    assert "--layout columnar" in " ".join(of_columns.split())
    assert events.convert(path, out) == 3
    with events.open(out) as opened:
        assert opened.kind == "columnar"
    with pytest.raises(ValueError, match=r"layout 'product': .*`onecast events convert`"):
        events.convert(path, out, layout="product")


@pytest.mark.parametrize("copied", [copy.copy, lambda e: pickle.loads(pickle.dumps(e))])
def test_pickled(tmp_path, copied):
    path = tmp_path / "a.pds"
    convert("TestProducts:events=3:size=8", f"PDS={path}")
    opened = events.open(path)
    found, whole = copied(opened), opened.to_awkward().to_list()
    opened.close()
    assert opened.is_closed and not found.is_closed
    assert found.to_awkward().to_list() == whole
    with pytest.raises(TypeError, match=f"{path}: only open files.*its path"):
        copied(opened)


def run_command(*arguments):
    program = "import sys; from onecast_cli.main import main; sys.exit(main())"
    line = [sys.executable, "-c", program, "events", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, check=True)


def command(*arguments):
    """Returns what `onecast events` prints."""
    return run_command(*arguments).stdout


def test_commands_tell_columns_from_products(tmp_path):
    """`convert` makes columns of products if requested, and products of columns."""
    path = tmp_path / "a.pds"
    convert("TestProducts:events=3:size=8", f"PDS={path}")
    said = command("convert", "--layout", "columnar", path, tmp_path / "c.h5")
    assert said.strip() == f"{tmp_path}/c.h5: columnar, 3 events"
    with events.open(tmp_path / "c.h5") as opened:
        assert opened.kind == "columnar"
    command("convert", tmp_path / "c.h5", tmp_path / "b.pds")
    assert "3 events, 17 products" in command("ls", tmp_path / "b.pds")
    assert "3 events" in command("ls", path)


@pytest.mark.parametrize("outputer", ["PDS", "HDF5Event"])
def test_an_interrupted_writer_is_told(tmp_path, outputer):
    path = tmp_path / "a"
    convert("TestProducts:events=9:size=8", f"{outputer}={path}")
    with events.open(path) as opened:
        assert not opened.is_unfinished
    if outputer == "PDS":
        path.write_bytes(path.read_bytes()[:-5])
    else:
        with h5py.File(path, "r+") as file:
            file["Events"].attrs["interrupted"] = 1
    with events.open(path) as opened:
        assert opened.is_unfinished
    with pytest.warns(UserWarning, match=f"{path}: its writer was interrupted"):
        events.convert(path, tmp_path / "b.h5")
    assert len(events.check(path)) == 1


def root_file(tmp_path, outputer, sample, classes, serializer):
    """Writes a file with the program."""
    if not LIBRARY.exists():
        pytest.skip("the components for ROOT are not built: make events-root")
    pytest.importorskip("uproot")
    source, path = tmp_path / "in.h5", tmp_path / "a.root"
    write_version_2_product(source, sample, classes, serializer)
    convert(f"HDF5={source}", f"{outputer}={path}", "--load", LIBRARY)
    return path


def found_in(source, target, sample):
    """Returns the names of the identity in the file of columns made of `source`. Each event is
    found in both files."""
    events.convert(source, target)
    with events.open(source) as opened, events.open(target) as columns:
        assert events.check(source) == [] and events.check(target) == []
        for number, event in enumerate(sample):
            assert opened.find(*event[:3]) == columns.find(*event[:3]) == number
        return list(columns.identity)


@pytest.mark.parametrize("outputer", ["ROOT", "RNTuple"])
def test_the_identity_in_root_files(tmp_path, outputer):
    """The identity is shown as numbers, in place of the tree's record."""
    sample = [(7, n, 5 - n, {"run": b"x" * n, "x": b"abc"}) for n in range(3)]
    path = root_file(tmp_path, outputer, sample, {"run": "Thing", "x": "Thing"}, "bytes")
    assert found_in(path, tmp_path / "out.h5", sample) == SHOWN
    with events.open(path) as opened:
        assert opened.columns == [*SHOWN, "run", "x"]
        assert opened.to_awkward(SHOWN, 1).tolist() == [
            dict(zip(SHOWN, event[:3], strict=True)) for event in sample[1:]
        ]
        assert opened.to_numpy(SHOWN)["EventID_event"].dtype == "u8"


@pytest.mark.parametrize("text", ["Thing", "std::vector<int>", "run/i:lumi/i", "bool"])
def test_products_that_are_no_identity(tmp_path, text):
    """Such products do not hide the identity of the file."""
    path = tmp_path / "a.h5"
    sample = [(3, n, 7, {"run": bytes([1] * 8), "x": b"ab"}) for n in range(4)]
    if text == "bool":
        sample = [(*event[:3], event[3] | {"run": b"\1"}) for event in sample]
    write_version_2_product(path, sample, {"run": text, "x": "Thing"}, "raw")
    assert found_in(path, tmp_path / "out.h5", sample) == SHOWN
    with events.open(path) as opened:
        assert opened.columns == [*SHOWN, "run", "x"]
        assert [opened.products[name] for name in [*SHOWN, "run"]] == [
            *("uint32", "uint32", "uint64"),
            text,
        ]
        assert opened.to_numpy(SHOWN, 2)["EventID_lumi"].tolist() == [2, 3]
        assert set(SHOWN) <= opened.to_numpy().keys()
        assert opened[1].EventID_lumi == 1 and opened.find(3, 2, 7) == 2


def test_columns_that_were_made_pds(tmp_path):
    """Their numbers are bytes in the PDS file, and are found after converting back."""
    ids = {"run": np.full(3, 2, "u4"), "lumi": np.arange(3, dtype="u4"), "event": np.arange(3) + 7}
    source = tmp_path / "in.h5"
    events.write(source, ids | {"x": [1, 2, 3]})
    sample = [(2, n, n + 7) for n in range(3)]
    for number in range(2):  # the second time with the columns of the first
        path, out = tmp_path / f"{number}.pds", tmp_path / f"{number}.h5"
        convert(f"HDF5={source}", f"PDS={path}")
        assert found_in(path, out, sample) == SHOWN
        with events.open(path) as opened:
            assert opened["run"].to_list() == [b"\2\0\0\0"] * 3
        source = out


def test_products_of_one_number_stay_the_identity(tmp_path):
    path = tmp_path / "a.h5"
    sample = [(3, n, 7, {"run": np.uint32(3).tobytes(), "x": b"ab"}) for n in range(4)]
    write_version_2_product(path, sample, {"run": "uint32_t", "x": "Thing"}, "raw")
    assert found_in(path, tmp_path / "out.h5", sample) == ["run", "lumi", "event"]
    with events.open(path) as opened:
        assert opened.columns == ["lumi", "event", "run", "x"]


def test_products_without_a_class(tmp_path):
    path, out = tmp_path / "a.h5", tmp_path / "out.h5"
    write_version_2_product(path, [(1, 1, 1, {"p": b"ab"})], {"p": ""}, "bytes")
    events.convert(path, out)
    with events.open(path) as source, events.open(out) as opened:
        assert source.products["p"] == "" and opened.products["p"] == "bytestring"
        assert opened["p"].to_list() == [b"ab"]


def test_booleans(tmp_path):
    """Every byte except 0 is true."""
    path, out = tmp_path / "a.h5", tmp_path / "out.h5"
    bytes_of = {"one": [b"\0", b"\1", b"\2"], "list": [b"", b"\0\xff", b"\1"]}
    bytes_of["array"] = [b"\0\1", b"\3\0", b"\1\1"]
    bytes_of["text"] = [b"", b"a", b"\2"]
    columns = {name: [list(map(bool, b)) for b in found] for name, found in bytes_of.items()}
    columns["one"], columns["text"] = [False, True, True], bytes_of["text"]
    sample = [(1, 1, n, {name: found[n] for name, found in bytes_of.items()}) for n in range(3)]
    classes = {"one": "bool", "list": "std::vector<bool>", "array": "Bool_t[2]"}
    write_version_2_product(path, sample, classes | {"text": "std::string"}, "raw")
    events.convert(path, out)
    for place in (path, out):
        with events.open(place) as opened:
            assert {name: opened[name].to_list() for name in columns} == columns
            assert [event.one for event in opened] == columns["one"]
            assert opened.to_numpy(["one"])["one"].view("u1").tolist() == [0, 1, 1]
            assert opened.to_padded(["list"], 1)["list"].view("u1").tolist() == [[0], [0], [1]]
            assert str(opened["list"].type) == "3 * var * bool"


def test_booleans_of_events_as_blobs(tmp_path):
    sample = [(1, 1, n, {"one": bytes([n]), "array": bytes([0, n])}) for n in range(3)]
    classes = {"one": "Bool_t", "array": "Bool_t[2]"}
    path = root_file(tmp_path, "ROOTEvent", sample, classes, "ROOT")
    with events.open(path) as opened:
        assert opened.kind == "root-blobs"
        assert opened["one"].to_list() == [False, True, True]
        assert opened["array"].to_list() == [[False, False], [False, True], [False, True]]
