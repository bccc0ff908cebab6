"""ROOT files: uproot reads what the plug-in writes, and the plug-in reads what uproot reads."""

import itertools
import os
import subprocess
import time
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
import uproot
from event_files import BUILD, PROGRAM, convert, events_of, events_program

LIBRARY = BUILD / "libonecast_events_root.so"
CORPUS = Path(os.environ.get("ONECAST_CORPUS", "/nowhere")) / "hep"
SOURCE = "TestProducts:events=30:products=4:size=500:lumi=7:first=5000000000"
OUTPUTERS = ("ROOT", "ROOTEvent", "ROOTEvent:pair", "RNTuple")
FILES = {
    "nano_tt_v12.root": "Events",
    "nanoAOD_2015_CMS_Open_Data_ttbar.root": "Events",
    "pduneana.root": "pduneana/beamana",
    "edm4hep.root": "events",
}

pytestmark = pytest.mark.skipif(
    not LIBRARY.exists(), reason="the components for ROOT are not built: make events-root"
)


def load(source, outputer, *arguments, **how):
    return convert(source, outputer, "--load", LIBRARY, *arguments, **how)


def read(source, *arguments):
    return events_of(source, "--load", LIBRARY, *arguments)


def of_corpus(name):
    if not (CORPUS / name).exists():
        pytest.skip("ONECAST_CORPUS has no such file")
    return CORPUS / name


def as_outputer(text, path):
    name, _, options = text.partition(":")
    return f"{name}={path}" + (f":{options}" if options else "")


@pytest.mark.parametrize("compression", ["none", "zstd:level=9", "lzma", "lz4", "zlib"])
@pytest.mark.parametrize("outputer", OUTPUTERS)
def test_bytes_come_back(tmp_path, outputer, compression):
    path = tmp_path / "a.root"
    load(SOURCE, as_outputer(outputer, path) + f":compression={compression}", "-t", 2)
    assert read(f"ROOT={path}", "-t", 2) == events_of(SOURCE)
    assert read(f"ROOT={path}", "-p", "product02") == events_of(SOURCE, "-p", "product02")


def test_uproot_reads_what_is_written(tmp_path):
    expected = events_of(SOURCE)
    for outputer in ("ROOT", "ROOTEvent", "RNTuple"):
        load(SOURCE, f"{outputer}={tmp_path}/{outputer}.root")
    with uproot.open(tmp_path / "ROOT.root") as file:
        tree = file["Events"]
        ids = tree["EventID"].array(library="np")
        assert ids.dtype.names == ("run", "lumi", "event")
        assert [tuple(map(int, row)) for row in ids] == [event[:3] for event in expected]
        for name in expected[0][3]:
            found = tree[name].array(library="ak")
            rows = [np.asarray(row).tobytes() for row in found]
            assert rows == [event[3][name] for event in expected]
    with uproot.open(tmp_path / "RNTuple.root") as file:
        arrays = file["Events"].arrays()
        assert arrays["EventID_event"].to_list() == [event[2] for event in expected]
        for name in expected[0][3]:
            rows = [np.asarray(row).tobytes() for row in arrays[name]]
            assert rows == [event[3][name] for event in expected]
    with uproot.open(tmp_path / "ROOTEvent.root") as file:
        assert file["Meta"]["products"].array()[0].to_list() == list(expected[0][3])
        assert file["Meta"]["serializer"].array().to_list() == ["raw"]
        for row, offsets, event in zip(
            file["Events"]["blob"].array(),
            file["Events"]["offsets"].array(),
            expected,
            strict=True,
        ):
            blob = np.asarray(row).astype(np.uint8).tobytes()
            parts = [blob[a:b] for a, b in itertools.pairwise(offsets)]
            assert parts == list(event[3].values())


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("outputer", ["ROOT", "ROOTEvent", "RNTuple"])
def test_files_of_experiments_come_back(tmp_path, name, outputer):
    """From ROOT to HDF5 and back to ROOT, each product stays the same, whatever its class."""
    if outputer != "ROOT" and name.startswith("nanoAOD"):
        pytest.skip("as the other file of this kind")
    source = f"ROOT={of_corpus(name)}"
    load(source, f"HDF5Product={tmp_path}/a.h5", "-t", 2)
    load(f"HDF5={tmp_path}/a.h5", f"{outputer}={tmp_path}/b.root")
    expected, found = read(source), read(f"ROOT={tmp_path}/b.root")
    assert len(expected) > 2 and len(expected[0][3]) > 70
    if outputer == "RNTuple":  # RNTuple allows no points in names
        expected = [
            (*event[:3], {n.replace(".", "_"): data for n, data in event[3].items()})
            for event in expected
        ]
    assert found == expected


@pytest.mark.parametrize("outputer", ["ROOT", "RNTuple"])
@pytest.mark.parametrize("name", list(FILES)[:2])
def test_uproot_finds_columns_in_what_is_written(tmp_path, name, outputer):
    load(f"ROOT={of_corpus(name)}", f"{outputer}={tmp_path}/b.root")
    with uproot.open(CORPUS / name) as old, uproot.open(tmp_path / "b.root") as new:
        before, after = old[FILES[name]], new["Events"]
        names = before.keys(recursive=False)
        assert set(names) <= set(after.keys(recursive=False))
        for branch in names[::10]:
            expected, found = before[branch].array(), after[branch].array()
            assert ak.array_equal(expected, found, equal_nan=True, dtype_exact=False), branch


def test_numbers_are_bytes_as_they_are(tmp_path):
    """uproot agrees on numbers, and on lists whose lengths are in another column."""
    path = of_corpus("nano_tt_v12.root")
    events = read(f"ROOT={path}")
    with uproot.open(path) as file:
        tree = file["Events"]
        for name in ("run", "event", "nMuon", "MET_pt", "Muon_pt", "Jet_pt", "Muon_isGlobal"):
            numbers = [np.asarray(row) for row in tree[name].array()]
            expected = [row.astype(row.dtype.newbyteorder("<")).tobytes() for row in numbers]
            assert [event[3][name] for event in events] == expected, name
        assert [event[2] for event in events] == tree["event"].array().to_list()


def test_a_class_that_only_the_file_describes(tmp_path):
    """podio::ObjectID is an index (32 bits) and a collection (32 bits): big-endian in ROOT's bytes,
    behind the header that ROOT gives to a vector."""
    path = of_corpus("edm4hep.root")
    events = read(f"ROOT={path}", "-p", "_TrackCollection_tracks", "-p", "EventHeader")
    with uproot.open(path) as file:
        tree = file["events"]
        column = "_TrackCollection_tracks"
        index = tree[f"{column}/{column}.index"].array().to_list()
        collection = tree[f"{column}/{column}.collectionID"].array().to_list()
        numbers = tree["EventHeader/EventHeader.eventNumber"].array().to_list()
    assert [event[2] for event in events] == [row[0] for row in numbers]
    assert any(index)
    for event, indices, collections in zip(events, index, collection, strict=True):
        data = event[3][column]
        for at, number in zip(indices, collections, strict=True):
            assert np.array(at, ">i4").tobytes() + np.array(number, ">u4").tobytes() in data


def test_wrong_use_is_named(tmp_path):
    (tmp_path / "no.root").write_bytes(b"no ROOT file")
    assert "no.root" in load(f"ROOT={tmp_path}/no.root", "Dummy", fails=True)
    assert "none.root" in load(f"ROOT={tmp_path}/none.root", "Dummy", fails=True)
    path = tmp_path / "a.root"
    load(SOURCE, f"ROOT={path}")
    assert "there is no tree Other" in load(f"ROOT={path}:tree=Other", "Dummy", fails=True)
    error = load(f"ROOT={path}:identity=a,b,c", "Dummy", fails=True)
    assert "there is no column a" in error
    error = load(SOURCE, f"ROOT={path}:compression=zstd:level=12", fails=True)
    assert "level: 1 to 9 was expected" in error
    error = load(SOURCE, f"ROOT={tmp_path}/no/such/a.root", fails=True)
    assert "no/such/a.root" in error


@pytest.mark.parametrize("outputer", [*OUTPUTERS[:2], "RNTuple"])
def test_only_a_file_is_overwritten(tmp_path, outputer):
    (tmp_path / "folder").mkdir()
    said = load(SOURCE, f"{outputer}={tmp_path}/folder", fails=True)
    assert f"{tmp_path}/folder: Is a directory" in said
    os.mkfifo(tmp_path / "pipe")
    said = load(SOURCE, f"{outputer}={tmp_path}/pipe", fails=True)
    assert f"{tmp_path}/pipe: is no regular file" in said
    assert (tmp_path / "folder").is_dir() and (tmp_path / "pipe").is_fifo()


def test_damaged_files_are_errors(tmp_path):
    path = tmp_path / "a.root"
    load(SOURCE, f"ROOT={path}:compression=zstd")
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    for _ in range(12):
        damaged = bytearray(whole)
        for at in random.integers(len(damaged) // 10, len(damaged), 20):
            damaged[at] ^= int(random.integers(1, 256))
        path.write_bytes(damaged[: len(damaged) - int(random.integers(0, 400))])
        done = subprocess.run(
            [PROGRAM, "run", "-q", "--load", LIBRARY, "-s", f"ROOT={path}", "-o", "Serialize"],
            capture_output=True,
            timeout=60,
        )
        assert done.returncode in (0, 1), done.stderr


def test_the_components_are_listed():
    text = events_program("run", "--list", "--load", LIBRARY)
    assert "source ROOT=FILE: a TTree or an RNTuple of a ROOT file" in text
    assert "outputer RNTuple=FILE" in text


@pytest.mark.parametrize("outputer", [*OUTPUTERS, "HDF5Product", "PDS", "ROOT:staging=/tmp"])
def test_a_source_is_not_overwritten(tmp_path, outputer):
    path = tmp_path / "a.root"
    load(SOURCE, f"ROOT={path}")
    before = path.read_bytes()
    for source in (f"ROOT={path}", f"Replay=ROOT={path}"):
        said = load(source, as_outputer(outputer, path), fails=True)
        assert "a job cannot write over its own source" in said
    assert path.read_bytes() == before


def test_a_file_that_another_job_reads_is_not_overwritten(tmp_path):
    path = tmp_path / "a.root"
    load(SOURCE, f"ROOT={path}")
    before = path.read_bytes()
    command = [PROGRAM, "run", "-q", "--load", LIBRARY, "-s", f"ROOT={path}", "-o", "Dummy"]
    with subprocess.Popen([*command, "-w", "Uneven:time=100000", "-l", "1"]) as job:
        time.sleep(1)
        for outputer in ("ROOT", "PDS", "HDF5Event"):
            assert "locked" in load(SOURCE, f"{outputer}={path}", fails=True)
        job.terminate()
    assert path.read_bytes() == before


def test_a_source_of_another_format_is_not_overwritten(tmp_path):
    path = tmp_path / "a.h5"
    convert(SOURCE, f"HDF5Event={path}")
    before = path.read_bytes()
    said = load(f"HDF5={path}", f"ROOT={path}", fails=True)
    assert "a job cannot write over its own source" in said
    assert path.read_bytes() == before


@pytest.mark.parametrize("length", [1, 20, 254, 255, 100_000])
def test_texts_of_any_length(tmp_path, length):
    """uproot does not write their lengths."""
    texts = ["ab", "x" * length, "", "c"]
    path = tmp_path / "a.root"
    with uproot.recreate(path) as file:
        file.mktree("Events", {"s": "string", "n": "int64"})
        file["Events"].extend({"s": ak.Array(texts), "n": np.arange(4)})
    found = [event[3]["s"].decode() for event in read(f"ROOT={path}")]
    assert found == texts


def test_a_killed_writer_of_blobs(tmp_path):
    """ROOT recovers the tree that describes the products, which is not a tree of events."""
    path = tmp_path / "a.root"
    command = [PROGRAM, "run", "-q", "--load", LIBRARY, "-s", "TestProducts:events=400:size=1k"]
    command += ["-o", f"ROOTEvent={path}", "-w", "Uneven:time=20000"]
    with subprocess.Popen(command) as job:
        time.sleep(1.5)
        job.kill()
    said = load(f"ROOT={path}", "Dummy", fails=True)
    assert "its writer" in said and "interrupted" in said


@pytest.mark.parametrize("events", [0, 20])
def test_blobs_are_events_in_python(tmp_path, events):
    """They look like the events of a file in HDF5."""
    from onecast import events as library

    source = f"TestProducts:events={events}:products=3:size=30:lumi=3:spread=1"
    load(source, f"ROOTEvent={tmp_path}/a.root")
    load(source, f"HDF5Event={tmp_path}/a.h5")
    with library.open(tmp_path / "a.root") as found, library.open(tmp_path / "a.h5") as wanted:
        assert found.kind == "root-blobs" and found.products == wanted.products
        assert found.to_awkward().to_list() == wanted.to_awkward().to_list()
        part = (["product02", "event"], events // 4, events // 2)
        assert found.to_awkward(*part).to_list() == wanted.to_awkward(*part).to_list()
        if events:
            assert found.find(1, 2, 5) == 4
        with pytest.raises(KeyError, match="no event 1, 2, 99"):
            found.find(1, 2, 99)
    library.convert(tmp_path / "a.root", tmp_path / "columns.h5")
    with library.open(tmp_path / "columns.h5") as columns:
        assert len(columns) == events
    assert library.check(tmp_path / "a.root", data=True) == []


def columns_of_numbers():
    """Returns columns of each kind of number, with lists, an array and a text."""
    lists = ak.Array([[1], [], [2, 3], [4]])
    types = ["f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
    columns = {t: np.array([0, 1, 2, 100], t) for t in types}
    columns |= {f"list_{t}": ak.values_astype(lists, np.dtype(t)) for t in types}
    columns |= {"run": np.ones(4, "u4"), "lumi": np.ones(4, "u4"), "event": np.arange(5, 9)}
    flags = {"flag": np.arange(4) % 2 == 0, "list_flag": lists > 2}
    others = {
        "text": ak.Array(["a", "", "ß\0x", "d" * 300]),
        "array": np.arange(16.0).reshape(4, 2, 2),
    }
    return columns | flags | others | {"odd:na/me[2]": np.arange(4.0)}


@pytest.mark.parametrize("outputer", ["ROOT", "RNTuple"])
def test_columns_are_numbers_for_uproot(tmp_path, outputer):
    from onecast import events as library

    columns = columns_of_numbers()
    if outputer == "RNTuple":  # RNTuple allows no / in a name, and stores an array in one row
        del columns["odd:na/me[2]"]
    library.write(tmp_path / "a.h5", columns)
    source, path = f"HDF5={tmp_path}/a.h5", tmp_path / "a.root"
    load(source, f"{outputer}={path}")
    dump = "TextDump:bytes=1000"
    expected = events_program("run", "-q", "-s", source, "-o", dump)
    arguments = ("run", "-q", "-s", f"ROOT={path}", "-o", dump, "--load", LIBRARY)
    assert events_program(*arguments) == expected  # with classes and their order
    with uproot.open(path) as file:
        branches = {branch.name: branch for branch in getattr(file["Events"], "branches", [])}
        for name, column in columns.items():
            found = (branches.get(name) or file["Events"][name]).array()
            if outputer == "RNTuple" and name == "array":
                found = ak.Array(found.to_numpy().reshape(4, 2, 2))
            assert found.to_list() == ak.to_list(column), name
            inner = ak.flatten(found, axis=None).to_numpy().dtype if name != "text" else None
            assert inner == (ak.flatten(column, axis=None).to_numpy().dtype if inner else None)


def test_columns_that_count_others_come_back(tmp_path):
    path = of_corpus("nano_tt_v12.root")
    load(f"ROOT={path}", f"HDF5Columnar={tmp_path}/a.h5", "-n", 20)
    load(f"HDF5={tmp_path}/a.h5", f"ROOT={tmp_path}/b.root")
    with uproot.open(path) as old, uproot.open(tmp_path / "b.root") as new:
        for name in ("Muon_pt", "nMuon", "event", "MET_pt", "Muon_isGlobal"):
            expected = old["Events"][name].array(entry_stop=20)
            assert new["Events"][name].array().to_list() == expected.to_list()


@pytest.mark.parametrize("outputer", ["ROOT", "RNTuple"])
def test_an_event_without_its_number(tmp_path, outputer):
    from onecast import events as library

    columns = {"event": np.arange(3), "x": ak.Array([1.5, None, 2.5]), "half": np.zeros(3, "f2")}
    library.write(tmp_path / "a.h5", columns)
    said = load(f"HDF5={tmp_path}/a.h5", f"{outputer}={tmp_path}/a.root", fails=True)
    assert "product x: 0 bytes, 8 were expected; the outputer ROOTEvent keeps" in said
    load(f"HDF5={tmp_path}/a.h5", f"ROOTEvent={tmp_path}/a.root")
    assert read(f"ROOT={tmp_path}/a.root") == events_of(f"HDF5={tmp_path}/a.h5")


def test_a_file_without_trees(tmp_path):
    with uproot.recreate(tmp_path / "a.root") as file:
        file["h"] = np.histogram([1.0, 2.0])
    said = events_program("ls", tmp_path / "a.root", fails=True)
    assert "a.root: holds no tree" in said and "NAME" not in said
