"""Run, lumi and event of ROOT files that uproot writes: numbers of any type, and columns that are
not an identity; names of products, including those of the identity"""

import os
from pathlib import Path

import awkward as ak
import h5py
import numpy as np
import pytest
import uproot
from event_files import BUILD, convert, events_of, events_program, write_pds

LIBRARY = BUILD / "libonecast_events_root.so"
CORPUS = Path(os.environ.get("ONECAST_CORPUS", "/nowhere")) / "hep"
OUTPUTERS = ("ROOT={}", "ROOTEvent={}", "ROOTEvent={}:pair", "RNTuple={}")
NUMBERED = [(1, 1, 1), (1, 1, 2), (1, 1, 3)]

pytestmark = pytest.mark.skipif(
    not LIBRARY.exists(), reason="the components for ROOT are not built: make events-root"
)


def load(source, outputer, **how):
    return convert(source, outputer, "--load", LIBRARY, **how)


def read(source):
    return events_of(source, "--load", LIBRARY)


def ids(path, options=""):
    return [event[:3] for event in read(f"ROOT={path}{options}")]


def write_tree(path, columns):
    with uproot.recreate(path) as file:
        file.mktree("Events", {name: ak.type(ak.Array(c)).content for name, c in columns.items()})
        file["Events"].extend(columns)


def write_ntuple(path, columns):
    with uproot.recreate(path) as file:
        file.mkrntuple("Events", columns)


@pytest.fixture(params=[write_tree, write_ntuple], ids=["TTree", "RNTuple"])
def write(request, tmp_path):
    """Returns a function that writes three events with other columns than usual, and returns the
    file."""

    def written(**others):
        path = tmp_path / "a.root"
        usual = {"run": np.ones(3, "u4"), "lumi": np.arange(3, dtype="u4")}
        usual |= {"event": np.arange(10, 13, dtype="u8"), "x": np.arange(3.0)}
        request.param(path, usual | others)
        return path

    return written


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
def test_numbers_of_any_type(write, dtype):
    most = {"f4": 2**24 - 1, "f8": 2**53 - 1}.get(dtype) or np.iinfo(dtype).max
    small = np.array([0, 1, 100], dtype)
    path = write(run=small, lumi=small, event=np.array([0, 1, most], dtype))
    assert ids(path) == [(0, 0, 0), (1, 1, 1), (100, 100, most)]
    assert ids(path, ":identity=lumi,,event") == [(0, 1, 0), (1, 1, 1), (100, 1, most)]


@pytest.mark.parametrize(
    ("column", "dtype", "value", "most", "said"),
    [
        ("event", "f8", 1.5, 2**53 - 1, "1.5"),
        ("event", "f8", np.nan, 2**53 - 1, "nan"),
        ("event", "f8", -np.inf, 2**53 - 1, "-inf"),
        ("event", "f8", 1e30, 2**53 - 1, "1e+30"),
        ("event", "f8", 2.0**53, 2**53 - 1, "9007199254740992"),
        ("event", "f4", 2.0**24, 2**24 - 1, "16777216"),
        ("event", "i8", -1, 2**64 - 1, "-1"),
        ("run", "i4", -2, 2**32 - 1, "-2"),
        ("run", "u8", 2**32, 2**32 - 1, "4294967296"),
        ("run", "u8", 2**63, 2**32 - 1, "9223372036854775808"),
        ("lumi", "f8", 2.0**32, 2**32 - 1, "4294967296"),
        ("lumi", "f4", -1.0, 2**24 - 1, "-1"),
        ("lumi", "i1", -1, 2**32 - 1, "-1"),
    ],
)
def test_a_number_that_an_identity_cannot_have(write, column, dtype, value, most, said):
    path = write(**{column: np.array([3, 4, value], dtype)})
    error = load(f"ROOT={path}", "Dummy", fails=True)
    expected = f"integers from 0 to {most} were expected, not {said}"
    assert f"{path}: entry 2: column {column}: {expected} " in error


def test_events_before_such_a_number_stay(tmp_path, write):
    numbers = np.arange(30.0)
    numbers[20] = 0.5
    path = write(**dict.fromkeys(("run", "lumi", "event", "x"), numbers))
    for options in ("", ":identity=x,,event"):
        target = f"HDF5Event={tmp_path}/a.h5:batch=4"
        error = load(f"ROOT={path}{options}", target, fails=True)
        assert "entry 20: column" in error
        assert len(events_of(f"HDF5={tmp_path}/a.h5")) == 20
    assert ids(path, ":identity=,,")[19:22] == [(1, 1, 20), (1, 1, 21), (1, 1, 22)]


@pytest.mark.parametrize(
    ("values", "tree_class", "ntuple_class"),
    [
        (np.ones((3, 2), "i4"), "Int_t[2]", "std::array<std::int32_t,2>"),
        (ak.Array([[1], [2], [3]]), "Long64_t[nrun]", "std::vector<std::int64_t>"),
        (ak.Array(["1", "2", "3"]), "char*", "std::string"),
        (np.array([True, False, True]), "Bool_t", "bool"),
    ],
    ids=["array", "list", "text", "bool"],
)
def test_a_column_of_another_kind(write, values, tree_class, ntuple_class):
    assert ids(write(lumi=values)) == NUMBERED
    path = write(run=values)
    assert ids(path) == NUMBERED
    error = load(f"ROOT={path}:identity=run,lumi,event", "Dummy", fails=True)
    with uproot.open(path) as file:
        is_tree = file["Events"].classname == "TTree"
    assert (
        f"{path}: column run: one number for each event was expected, not "
        f"{tree_class if is_tree else ntuple_class} "
    ) in error


def test_elements_are_no_column(write):
    """RNTuple also has a field for the elements of a list."""
    path = write(v=ak.Array([[1], [2], [3]]))
    assert "there is no column w" in load(f"ROOT={path}:identity=w,,event", "Dummy", fails=True)
    error = load(f"ROOT={path}:identity=v._0,,event", "Dummy", fails=True)
    assert "v._0: one number for each" in error or "there is no column v._0" in error


def test_columns_of_collections():
    """The header of EDM4hep is a collection of one element. No other collection is an identity."""
    path = CORPUS / "edm4hep.root"
    if not path.exists():
        pytest.skip("ONECAST_CORPUS has no such file")
    names = ":identity=EventHeader.runNumber,,EventHeader.eventNumber"
    assert ids(path, names) == ids(path)
    for name in ("_TrackCollection_tracks.index", "_TrackCollection_tracks", "EventHeader"):
        error = load(f"ROOT={path}:identity=,,{name}", "Dummy", fails=True)
        assert f"column {name}: one number for each event was expected" in error


def test_no_events(tmp_path, write):
    path = write(**{name: np.zeros(0, "u4") for name in ("run", "lumi", "event", "x")})
    assert ids(path) == []
    load(f"ROOT={path}", f"HDF5Product={tmp_path}/a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert sorted(file["Events/ProductNames"]) == [b"event", b"lumi", b"run", b"x"]
    error = load(f"ROOT={path}:identity=a,b,c", "Dummy", fails=True)
    assert "there is no column a" in error


def test_a_cluster_without_events(tmp_path):
    """ROOT cannot read it. The error does not mention ROOT's internals."""
    with uproot.recreate(tmp_path / "a.root") as file:
        ntuple = file.mkrntuple("Events", {"x": np.zeros(0)})
        ntuple.extend({"x": np.zeros(3)})
    error = load(f"ROOT={tmp_path}/a.root", "Dummy", fails=True)
    assert "a.root: empty cluster" in error and "RResult" not in error


def named(path, *names):
    """Writes a file of two events with products of these names."""
    products = {name: f"{n:04}".encode() for n, name in enumerate(names)}
    write_pds(path, [(1, 1, n, products) for n in (1, 2)], dict.fromkeys(names, "Some::Class"))
    return f"PDS={path}"


def test_names_that_end_with_a_point(tmp_path):
    """CMS has such names. ROOT would remove the point."""
    source = named(tmp_path / "a.pds", "jets.", "jets", "..", ".", "onecast.serializer")
    load(source, f"ROOT={tmp_path}/a.root")
    load(f"ROOT={tmp_path}/a.root", f"ROOT={tmp_path}/b.root")
    for name in "ab":
        assert read(f"ROOT={tmp_path}/{name}.root") == events_of(source)
        said = events_program("ls", tmp_path / f"{name}.root")
        assert said.count("Some::Class") == 5
    with uproot.open(tmp_path / "b.root") as file:
        found = {branch.name: branch for branch in file["Events"].branches}
        assert bytes(found["jets."].array()[0].to_list()) == b"0000"
        assert bytes(found["jets"].array()[0].to_list()) == b"0001"


@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_products_that_are_called_as_blobs(tmp_path, outputer):
    source = named(tmp_path / "a.pds", "offsets", "blob", "offsetsAndBlob")
    load(source, outputer.format(tmp_path / "a.root"))
    assert read(f"ROOT={tmp_path}/a.root") == events_of(source)


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize(
    ("outputer", "names", "said"),
    [
        ("ROOT", ["a", "EventID"], "product EventID: EventID is the name of the identity"),
        (
            "RNTuple",
            ["EventID_run"],
            "product EventID_run: EventID_run is the name of the identity",
        ),
        ("RNTuple", ["EventID.lumi"], "EventID.lumi: EventID_lumi is the name of the identity"),
        ("RNTuple", ["a.b", "a_b"], "products a.b and a_b: both would be a_b"),
        ("RNTuple", ["a/b"], "a/b"),
        ("ROOT", ["a", ""], "product 2 of 2 has no name"),
        ("RNTuple", ["", "a"], "product 1 of 2 has no name"),
    ],
)
def test_names_that_a_file_cannot_have(tmp_path, outputer, names, said, there):
    path = tmp_path / "a.root"
    if there:
        path.write_bytes(b"before")
    source = named(tmp_path / "a.pds", *names)
    error = load(source, f"{outputer}={path}", fails=True)
    assert f"{path}: " in error and said in error
    assert path.read_bytes() == b"before" if there else not path.exists()


def test_names_beside_those_of_the_identity(tmp_path):
    source = named(tmp_path / "a.pds", "EventID_x", "EventID_", "run", "event")
    for outputer in OUTPUTERS:
        load(source, outputer.format(tmp_path / "a.root"))
        assert read(f"ROOT={tmp_path}/a.root") == events_of(source)
