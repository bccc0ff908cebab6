"""The outputer HDF5Columnar writes columns as onecast.events does, on any number of ranks."""

import json
import subprocess

import h5py
import hdf5plugin  # noqa: F401
import numpy as np
import pytest
from event_files import PROGRAM, convert, events_of, events_program, write_version_2_product
from on_ranks import mpiexec, require_ranks

from onecast import events

ak = pytest.importorskip("awkward")

CLASSES = {
    "run_number": "int",
    "Muon_pt": "std::vector<float>",
    "Muon_charge": "std::vector<int8_t>",
    "Jet_pt": "Float_t[nJet]",
    "good": "bool",
    "flags": "std::vector<bool>",
    "hits": "x/F:id/s",
    "weight": "double",
    "name": "std::string",
    "track": "Track",
}
HIT = np.dtype([("x", "<f4"), ("id", "<u2")])
SECOND = 40  # the first event with different numbers of jets and muons, and without a weight


def sample(count=97):
    """Returns (identity and products in bytes, values) for events of several runs, with large
    numbers."""
    chance = np.random.default_rng(5)
    rows = []
    for i in range(count):
        muons = int(chance.integers(0, 4))
        jets = muons + (i >= SECOND)
        value = {
            "run_number": np.array([i - 3], "<i4"),
            "Muon_pt": chance.random(muons, "f4"),
            "Muon_charge": chance.integers(-1, 2, muons, "i1"),
            "Jet_pt": chance.random(jets, "f4"),
            "good": chance.integers(0, 2, 1).astype("?"),
            "flags": chance.integers(0, 2, i % 3).astype("?"),
            "hits": np.array([(i, i), (i + 0.5, 7)][: i % 3], HIT),
            "weight": np.array([i / 7] if i < SECOND or i % 2 else [], "<f8"),
            "name": np.frombuffer(("é" * (i % 5)).encode(), "u1"),
            "track": chance.integers(0, 255, i % 9, "u1"),
        }
        rows.append(((1 + i // 30, 1 + i // 11, 2**40 - i), value))
    return rows


def written(path, rows):
    found = [(*i, {name: v.tobytes() for name, v in value.items()}) for i, value in rows]
    write_version_2_product(path, found, CLASSES, "raw")
    return found


def with_h5py(path):
    """Returns all columns, read with h5py and awkward alone."""
    with h5py.File(path) as file:
        group = file["Events"]
        form = ak.forms.from_json(group.attrs["form"])
        arrays = {key: group[key][...] for key in form.expected_from_buffers()}
        return ak.from_buffers(form, int(group.attrs["length"]), arrays)


OPTIONS = ["", ":compression=zstd", ":compression=lz4:chunk=64", ":chunk=100", ":batch=1:chunk=64"]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("batch", [5, 1000])
def test_all_kinds_of_products(tmp_path, options, batch):
    rows = sample()
    found = written(tmp_path / "in.h5", rows)
    path = tmp_path / "out.h5"
    more = "" if "batch" in options else f":batch={batch}"
    convert(f"HDF5={tmp_path}/in.h5", f"HDF5Columnar={path}{options}{more}", "-t", 2)
    columns = with_h5py(path)
    for name in CLASSES:
        values = [value[name] for _, value in rows]
        mine = columns[name].to_list()
        if name in ("run_number", "good"):
            assert mine == [v[0] for v in values]
        elif name == "weight":
            assert mine == [v[0] if len(v) else None for v in values]
        elif name == "hits":
            assert mine == [[{"x": h["x"], "id": h["id"]} for h in v] for v in values]
        elif name == "name":
            assert mine == [bytes(v).decode() for v in values]
        elif name == "track":
            assert mine == [bytes(v) for v in values]
        else:
            assert mine == [v.tolist() for v in values]
    assert columns["good"].type.content.primitive == "bool"
    with events.open(path) as opened:
        assert ak.array_equal(opened.to_awkward(lazy=False), columns)
        assert opened.products["Muon_pt"] == "std::vector<float>"
        for entry in (0, 50, 96):
            assert opened.find(*found[entry][:3]) == entry
    assert "no problem" in events_program("check", path)
    readable = [(*e[:3], {n: b for n, b in e[3].items() if n != "hits"}) for e in found]
    assert events_of(f"HDF5={path}") == readable


def test_lists_share_offsets_until_they_differ(tmp_path):
    rows = sample()
    written(tmp_path / "in.h5", rows)
    for count, keys in ((SECOND, {"Muon"}), (len(rows), {"Muon", "Jet_pt"})):
        path = tmp_path / f"{count}.h5"
        convert(f"HDF5={tmp_path}/in.h5", f"HDF5Columnar={path}:batch=7:chunk=64", "-n", count)
        with h5py.File(path) as file:
            form = json.loads(file["Events"].attrs["form"])
        by_name = dict(zip(form["fields"], form["contents"], strict=True))
        names = ("Muon_pt", "Muon_charge", "Jet_pt")
        assert {by_name[name]["form_key"] for name in names} == keys


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("options", ["", ":compression=zstd:flush=3", ":compression=lz4:chunk=64"])
def test_many_ranks_write_the_bytes_of_one(tmp_path, ranks, options):
    require_ranks()
    written(tmp_path / "in.h5", sample())
    outs = tmp_path / "alone.h5", tmp_path / "together.h5"
    for out, on in zip(outs, (None, ranks), strict=True):
        target = f"HDF5Columnar={out}:batch=5{options}"
        convert(f"HDF5={tmp_path}/in.h5", target, "-t", 2 if on else 1, "-l", 3, ranks=on)
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert ak.array_equal(with_h5py(outs[1]), with_h5py(outs[0]))


@pytest.mark.parametrize("ranks", [None, 3])
def test_no_events(tmp_path, ranks):
    path = tmp_path / "out.h5"
    convert("TestProducts:events=0:types=both", f"HDF5Columnar={path}", ranks=ranks)
    with events.open(path) as found:
        assert len(found) == 0
        assert found.columns[:3] == ["run", "lumi", "event"]
    assert "0 events, no problem" in events_program("check", path)


def test_identities_without_products_of_them(tmp_path):
    source = "TestProducts:events=30:lumi=7:run=3:first=5000000000"
    path = tmp_path / "out.h5"
    convert(source, f"HDF5Columnar={path}:batch=4:compression=zstd")
    with events.open(path) as found:
        wanted = [event[:3] for event in events_of(source)]
        numbers = found.to_numpy(["run", "lumi", "event"])
        assert list(zip(*(n.tolist() for n in numbers.values()), strict=True)) == wanted
        assert [found.find(*identity) for identity in wanted] == list(range(30))
    assert events_of(f"HDF5={path}") == events_of(source)


def test_identities_beside_other_products_of_their_names(tmp_path):
    """Bytes that are called run were columns in a PDS file."""
    rows = [(7, 2, 2**33 + i, {"run": b"abc", "event": b""}) for i in range(5)]
    write_version_2_product(tmp_path / "in.h5", rows, {"run": "x", "event": "y"}, "raw")
    path = tmp_path / "out.h5"
    convert(f"HDF5={tmp_path}/in.h5", f"HDF5Columnar={path}")
    assert events_of(f"HDF5={path}") == rows
    with events.open(path) as found:
        assert found.find(7, 2, 2**33 + 4) == 4
        assert found.columns[:3] == ["EventID_run", "EventID_lumi", "EventID_event"]


USUAL = {"run": "uint32_t", "luminosityBlock": "uint32_t", "event": "uint64_t"}


@pytest.mark.parametrize(
    "classes, identity",
    [
        ({}, ["run", "lumi", "event"]),
        ({"run": "int"}, ["lumi", "event"]),
        ({"run": "double"}, ["EventID_run", "EventID_lumi", "EventID_event"]),
        ({"run": "bool"}, ["EventID_run", "EventID_lumi", "EventID_event"]),
        (USUAL, []),
    ],
)
def test_events_shows_the_columns_that_are_written(tmp_path, classes, identity):
    """onecast.events shows products under the names and in the order of the outputer."""
    source, path = tmp_path / "in.h5", tmp_path / "out.h5"
    classes = CLASSES | classes
    rows = [(1, 1, 1, dict.fromkeys(classes, b""))]
    write_version_2_product(source, rows, classes, "raw")
    convert(f"HDF5={source}", f"HDF5Columnar={path}")
    with events.open(source) as shown, events.open(path) as found:
        assert shown.columns == found.columns == [*identity, *classes]


@pytest.mark.parametrize("class_name", ["bool", "std::vector<bool>", "Bool_t[n]"])
def test_every_byte_except_zero_is_true(tmp_path, class_name):
    rows = [(1, 1, n, {"flag": bytes([n])}) for n in (0, 1, 2, 255)]
    write_version_2_product(tmp_path / "in.h5", rows, {"flag": class_name}, "raw")
    convert(f"HDF5={tmp_path}/in.h5", f"HDF5Columnar={tmp_path}/out.h5")
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["Events/flag-data"][...].view("u1").tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("ranks", [None, 3])
def test_identities_that_products_contradict(tmp_path, ranks):
    """There is no index, which would lead to other events, and a message says so."""
    names = ("run", "lumi", "event")
    numbers = {name: np.array([9], "<u4").tobytes() for name in names}
    rows = [(7, 2, 2**33 + i, numbers) for i in range(5)]
    write_version_2_product(tmp_path / "in.h5", rows, dict.fromkeys(names, "uint32_t"), "raw")
    path = tmp_path / "out.h5"
    job = ("run", "-q", "-s", f"HDF5={tmp_path}/in.h5", "-o", f"HDF5Columnar={path}:batch=2")
    command = [*(mpiexec(ranks) if ranks else ()), PROGRAM, *job]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = f"{path}: identities: the products run, lumi, event say something else"
    assert done.stderr.count(said) == 1
    with events.open(path) as found, pytest.raises((KeyError, ValueError), match="index"):
        found.find(7, 2, 2**33)


@pytest.mark.leaves_damage
@pytest.mark.parametrize(
    "name, data, said",
    [
        ("Muon_pt", b"abcde", "product Muon_pt: 5 bytes are no elements of 4 bytes"),
        ("weight", bytes(16), "product weight: 2 elements of class double; one was expected"),
    ],
)
@pytest.mark.parametrize("ranks", [None, 3])
def test_bytes_that_are_no_elements(tmp_path, name, data, said, ranks):
    """Events that were complete before are in the file."""
    rows = sample()
    rows[60][1][name] = np.frombuffer(data, "u1")
    written(tmp_path / "in.h5", rows)
    path = tmp_path / "out.h5"
    target = f"HDF5Columnar={path}:batch=8:compression=zstd:chunk=64"
    error = convert(f"HDF5={tmp_path}/in.h5", target, ranks=ranks, fails=True)
    assert f"event {2**40 - 60}: {said}" in error
    with events.open(path) as found:
        assert found.is_unfinished
        whole = 56 if ranks is None else 48
        assert len(found) == whole
        wanted = [value["Jet_pt"].tolist() for _, value in rows[:whole]]
        assert found.to_awkward(["Jet_pt"])["Jet_pt"].to_list() == wanted
    assert "was interrupted" in events_program("check", path, fails=True)


def test_names_that_columns_cannot_have(tmp_path):
    path = tmp_path / "out.h5"
    path.write_bytes(b"what was there")
    rows = [(1, 1, 1, {"a": b"x"})]
    write_version_2_product(tmp_path / "in.h5", rows, {"a": "x"}, "raw")
    with h5py.File(tmp_path / "in.h5", "r+") as file:
        file["Events/ProductClasses"][...] = np.array([b"\xff"], "S1")
    said = convert(f"HDF5={tmp_path}/in.h5", f"HDF5Columnar={path}", fails=True)
    assert f"{path}: product a: its name or class is no UTF-8" in said
    assert path.read_bytes() == b"what was there"


def test_convert_by_layout(tmp_path):
    written(tmp_path / "in.h5", sample())
    out = tmp_path / "out.h5"
    events_program(
        "convert", "-q", tmp_path / "in.h5", out, "--layout", "columnar", "--compression", "zstd:5"
    )
    assert "HDF5, layout columnar" in events_program("ls", out)
    with events.open(out) as found, h5py.File(out) as file:
        assert len(found) == 97
        filters = file["Events/Muon_pt-data"].id.get_create_plist()
        assert [filters.get_filter(n)[0] for n in range(2)] == [h5py.h5z.FILTER_SHUFFLE, 32015]
        assert filters.get_filter(1)[2][0] == 5


@pytest.mark.parametrize("options", ["", ":flush=0", ":compression=zstd"])
def test_later_events_are_much_larger(tmp_path, options):
    """Chunks are not as small as the data of the first event."""
    sizes = [(5_000_000, 1), (3, 1_000_000)]
    rows = [(1, 1, i, {"a": bytes(m), "b": b"b" * n}) for i, (m, n) in enumerate(sizes)]
    write_version_2_product(tmp_path / "in.h5", rows, {"a": "A", "b": "B"}, "root")
    path = tmp_path / "out.h5"
    convert(f"HDF5={tmp_path}/in.h5", f"HDF5Columnar={path}{options}")
    assert events_of(f"HDF5={path}") == rows
    with h5py.File(path) as file:
        assert file["Events/b-data"].chunks[0] > 100_000


@pytest.mark.long
@pytest.mark.parametrize("ranks", [None, 3])
def test_more_chunks_than_fit_the_memory_for_metadata(tmp_path, ranks):
    """Otherwise the file would flush by itself in the middle of a batch."""
    path = tmp_path / "out.h5"
    source = "TestProducts:events=900:products=2:size=20k"
    convert(source, f"HDF5Columnar={path}:chunk=64:flush=0", ranks=ranks)
    assert "900 events, no problem" in events_program("check", path)
