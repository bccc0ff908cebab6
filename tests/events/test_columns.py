"""Columns as products: the source HDF5 reads what onecast.events writes."""

import os
import random
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from event_files import BUILD, PROGRAM, ROOT, convert, events_of, events_program
from on_ranks import require_ranks

from onecast import events

ak = pytest.importorskip("awkward")
pytest.importorskip("hdf5plugin")

CORPUS = Path(os.environ.get("ONECAST_CORPUS", ROOT / ".." / "shared" / "corpus"))
IDENTITY = {
    "run": np.array([1, 1, 7], "u4"),
    "luminosityBlock": np.array([5, 6, 5], "u4"),
    "event": np.array([2**40, 20, 2**63 + 1], "u8"),
}
COLUMNS = {
    "pt": ak.values_astype(ak.Array([[1.5, 2], [], [3]]), "float32"),
    "charge": ak.values_astype(ak.Array([[1, -1], [], [1]]), "int8"),
    "n": np.array([2, 0, 1], "u4"),
    "good": np.array([True, False, True]),
    "flags": [[True], [], [False, True]],
    "mass": ak.Array([1.0, None, 2.0]),
    "name": ["a", "", "bcd"],
    "raw": [b"\0x", b"", b"y"],
    "matrix": np.arange(12, dtype="f8").reshape(3, 2, 2),
}


def bytes_of(*numbers, dtype):
    return np.array(numbers, dtype).tobytes()


WANTED = {
    "pt": ("std::vector<float>", [bytes_of(1.5, 2, dtype="f4"), b"", bytes_of(3, dtype="f4")]),
    "charge": ("std::vector<int8_t>", [b"\x01\xff", b"", b"\x01"]),
    "n": ("uint32_t", [bytes_of(n, dtype="u4") for n in (2, 0, 1)]),
    "good": ("bool", [b"\x01", b"\x00", b"\x01"]),
    "flags": ("std::vector<bool>", [b"\x01", b"", b"\x00\x01"]),
    "mass": ("double", [bytes_of(1, dtype="f8"), b"", bytes_of(2, dtype="f8")]),
    "name": ("std::string", [b"a", b"", b"bcd"]),
    "raw": ("bytes", [b"\0x", b"", b"y"]),
    "matrix": (
        "double[2][2]",
        [bytes_of(*range(4 * i, 4 * i + 4), dtype="f8") for i in range(3)],
    ),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "columns.h5"


@pytest.mark.parametrize("compression", ["none", "zstd:3", "lz4", "gzip:6"])
def test_all_kinds_of_columns(path, compression):
    events.write(path, {**IDENTITY, **COLUMNS}, compression=compression)
    found = events_of(f"HDF5={path}")
    assert [event[:3] for event in found] == list(zip(*IDENTITY.values(), strict=True))
    listed = events_program("ls", path)
    for name, (class_name, products) in WANTED.items():
        assert [event[3][name] for event in found] == products
        assert f"  {name}  {class_name}\n" in listed
    assert "3 events, no problem" in events_program("check", path)
    assert events_program("dump", path, "-e", "7:5:9223372036854775809").startswith("entry 2: ")


def test_what_is_no_product_is_named(path):
    nested = ak.Array([[[1]], [], [[2], []]])
    pairs = ak.Array([[{"a": 1}], [], []])
    events.write(path, {**IDENTITY, "nested": nested, "pairs": pairs, "x": np.arange(3)})
    listed = events_program("ls", path)
    assert "left out: nested: a ListOffsetArray of ListOffsetArray\n" in listed
    assert "left out: pairs: a ListOffsetArray of RecordArray\n" in listed
    assert [*events_of(f"HDF5={path}")[0][3]] == [*IDENTITY, "x"]


@pytest.mark.parametrize("ranks", [None, 3])
@pytest.mark.parametrize("ending", ["pds", "h5"])
def test_there_and_back(tmp_path, path, ending, ranks):
    """Products become columns, and columns become products again."""
    if ranks is not None:
        require_ranks()
    source = "TestProducts:events=333:products=5:size=500:lumi=7:run=3:first=5000000000"
    convert(source, f"HDF5Event={tmp_path}/in.h5")
    events.convert(tmp_path / "in.h5", path)
    target = tmp_path / (f"out{{rank}}.{ending}" if ending == "pds" else "out.h5")
    events_program("convert", "-q", path, target, ranks=ranks)
    outs = [str(target).format(rank=rank) for rank in range(ranks or 1)]
    kind = "PDS" if ending == "pds" else "HDF5"
    found = [
        e for out in (outs if ending == "pds" else outs[:1]) for e in events_of(f"{kind}={out}")
    ]
    assert sorted(found) == sorted(events_of(source))


def test_events_without_identities_are_numbered(path):
    events.write(path, {"x": np.arange(3)})
    assert [event[:3] for event in events_of(f"HDF5={path}")] == [(1, 1, n) for n in (1, 2, 3)]


@pytest.mark.leaves_damage
@pytest.mark.parametrize(
    "name, number", [("run", -1), ("run", 2**32), ("event", 1.5), ("event", np.float32(2**24))]
)
def test_numbers_that_an_identity_cannot_have(path, name, number):
    """The writer did not take them for an identity, so the events are numbered. A claim of one is
    wrong."""
    columns = {**IDENTITY, name: np.array([1, number, 3], np.asarray(number).dtype)}
    with pytest.warns(UserWarning, match="no index"):
        events.write(path, columns)
    assert [event[:3] for event in events_of(f"HDF5={path}")] == [(1, 1, n) for n in (1, 2, 3)]
    assert events_program("dump", path, "-e", "1:1:3").startswith("entry 2: ")
    assert "has no event 1:1:4" in events_program("dump", path, "-e", "1:1:4", fails=True)
    with h5py.File(path, "r+") as file:
        file["Events"].attrs["identity"] = '["run", "luminosityBlock", "event"]'
    said = convert(f"HDF5={path}", "Dummy", fails=True)
    assert f"{path}: /Events/{name}-data: event 1: " in said
    assert ": a number from 0 to " in said


@pytest.mark.parametrize("wrong", [np.array([True, False, True]), np.ones((3, 2), "u4")])
@pytest.mark.filterwarnings("ignore:no index")
def test_columns_that_are_no_identity(path, wrong):
    events.write(path, {**IDENTITY, "run": wrong})
    assert [event[2] for event in events_of(f"HDF5={path}")] == [1, 2, 3]


def test_a_class_of_other_numbers_is_not_believed(path):
    classes = {"x": "double", "y": "float", "z": "Float_t[n]", "w": "Track"}
    columns = {n: np.arange(3, dtype="f4") for n in "xyw"} | {"z": COLUMNS["pt"]}
    events.write(path, columns, classes=classes)
    listed = events_program("ls", path)
    for line in ("x  float", "y  float", "z  Float_t[n]", "w  float"):
        assert f"  {line}\n" in listed


def test_a_group_of_any_name_and_two_groups(tmp_path, path):
    import onecast

    events.write(f"{path}:Muons", {"x": np.arange(3)})
    assert "3 events" in events_program("ls", path)
    events.write(tmp_path / "b.h5", {"x": np.arange(3)})
    with onecast.File(tmp_path / "b.h5") as b, onecast.File(path, "r+") as a:
        b.copy("Events", a, "Events")
    said = events_program("ls", path, fails=True)
    assert f"{path}: the groups Muons, Events have columns: the option group names one" in said
    for name in ("Muons", "Events"):
        assert f"{path}:{name}: HDF5, layout columnar" in events_program("ls", f"{path}:{name}")
    said = events_program("check", f"{path}:Jets", fails=True)
    assert f"{path}: no group Jets has columns; there are Muons, Events" in said
    convert(f"HDF5={path}:group=Muons", f"HDF5Event={tmp_path}/products.h5")
    events_program("convert", "-q", f"{path}:Muons", tmp_path / "muons.h5", "--layout=columnar")
    with events.open(tmp_path / "muons.h5") as found:
        assert found.to_awkward(["x"])["x"].to_list() == [0, 1, 2]


@pytest.mark.leaves_damage
@pytest.mark.parametrize(
    "dataset, values, said",
    [
        ("pt-offsets", [0, 2, 1, 3], "/Events/pt-offsets: event 1: ends at 1, and begins at 2"),
        ("pt-offsets", [0, 2, 2, 9], " to 9 of 3"),
        ("pt-offsets", [0, 2, 2, 2**62], "/Events/pt-data: event "),
        ("pt-offsets", [-5, 2, 2, 3], "/Events/pt-offsets: event 0: "),
        ("mass-index", [0, -1, 5], "/Events/mass-"),
        ("mass-index", [0, -1, 2**63 - 1], "/Events/mass-"),
    ],
)
def test_places_that_lead_elsewhere(path, dataset, values, said):
    columns = {"pt": COLUMNS["pt"], "mass": COLUMNS["mass"]}
    events.write(path, {**IDENTITY, **columns}, compression="none")
    with h5py.File(path, "r+") as file:
        file["Events"][dataset][...] = values
    assert said in convert(f"HDF5={path}", "Serialize", fails=True)


@pytest.mark.leaves_damage
def test_a_shape_that_the_form_does_not_say(path):
    events.write(path, {"matrix": COLUMNS["matrix"]}, compression="none")
    with h5py.File(path, "r+") as file:
        form = file["Events"].attrs["form"]
        file["Events"].attrs["form"] = form.replace("[2,2]", "[4]")
    said = events_program("check", path, fails=True)
    assert "/Events/matrix-data: has another shape than the form says" in said


@pytest.mark.leaves_damage
def test_a_length_without_end(path):
    events.write(path, {"x": [1]})
    with h5py.File(path, "r+") as file:
        file["Events"].attrs["form"] = '{"class": "RecordArray", "fields": [], "contents": []}'
        file["Events"].attrs["length"] = 2**62
    assert events_program("dump", path, "-e", "1:1:9").startswith("entry 8: ")


@pytest.mark.leaves_damage
def test_random_damage(path):
    """The result is an error or events: no crash, and no command that does not end."""
    events.write(path, {**IDENTITY, **COLUMNS})
    whole = path.read_bytes()
    chance = random.Random(4)
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        done = subprocess.run([PROGRAM, "check", path], capture_output=True, timeout=20)
        assert done.returncode in (0, 1, 2), done.stderr


def test_a_real_file(tmp_path, path):
    """NanoAOD becomes columns, and each column becomes a product."""
    nano = CORPUS / "hep" / "nano_tt_v12.root"
    if not nano.exists():
        pytest.skip(f"no {nano} (set ONECAST_CORPUS)")
    events.convert(nano, path)
    convert(f"HDF5={path}", f"HDF5Product={tmp_path}/b.h5", "-t", 2)
    with events.open(path) as columns, events.open(tmp_path / "b.h5") as products:
        assert len(products) == len(columns) == 200
        for name in columns.columns:
            if name in ("run", "event"):
                continue
            found, wanted = products[name], columns[name]
            assert ak.to_list(ak.nan_to_num(found)) == ak.to_list(ak.nan_to_num(wanted)), name


def test_an_index_in_any_order(path):
    events.write(path, {"mass": COLUMNS["mass"]}, compression="none")
    with h5py.File(path, "r+") as file:
        file["Events/mass-index"][...] = [1, -1, 0]
    wanted = [bytes_of(2, dtype="f8"), b"", bytes_of(1, dtype="f8")]
    assert [event[3]["mass"] for event in events_of(f"HDF5={path}")] == wanted


@pytest.mark.skipif(
    not (BUILD / "libonecast_events_root.so").exists(),
    reason="the components for ROOT: make events-root",
)
def test_root_files_by_name(tmp_path, path):
    """`convert` loads the components for ROOT by itself."""
    events.write(path, {**IDENTITY, "n": COLUMNS["n"]})
    events_program("convert", "-q", path, tmp_path / "a.root")
    events_program("convert", "-q", tmp_path / "a.root", tmp_path / "b.h5")
    assert events_of(f"HDF5={tmp_path}/b.h5") == events_of(f"HDF5={path}")
    assert "3 events" in events_program("ls", tmp_path / "a.root")
    assert "no problem" in events_program("check", tmp_path / "a.root")
    assert events_of(f"Replay=ROOT={tmp_path}/a.root:count=3:events=3") == events_of(f"HDF5={path}")
