"""onecast check: damage of every kind is found, and sound files are clean."""

import json
import struct

import h5py
import numpy as np
import pytest

import onecast as package

pytestmark = pytest.mark.leaves_damage

LIBVERS = ["earliest", "v108", "v110", "v112", "latest"]


def make(path, libver="latest", **options):
    """Writes every structure that the library has."""
    with h5py.File(path, "w", libver=libver, **options) as f:
        for i in range(40):
            group = f.create_group(f"many/group {i}", track_order=i % 2 == 0)
            group.attrs["number"] = i
        dense = f.create_group("dense", track_order=True)
        for i in range(600):
            dense[f"a rather long name of a link, number {i}"] = h5py.SoftLink("/x" * (i % 50 + 1))
        for i in range(50):
            dense.attrs[f"attribute {i}"] = np.arange(i * 20)
        f["dense"].attrs["long text"] = "text" * 2000
        f["contiguous"] = np.arange(1000)
        f["texts"] = [f"text {i}" for i in range(100)]
        data = np.arange(40_000, dtype="i4").reshape(200, 200)
        f.create_dataset("fixed", data=data, chunks=(50, 50), compression="gzip")
        f.create_dataset("pages", data=data, chunks=(4, 4))
        f.create_dataset("extensible", data=data, chunks=(3, 7), maxshape=(None, 200))
        f.create_dataset("tree", data=data, chunks=(10, 20), maxshape=(None, None), fletcher32=True)
        f.create_dataset("single", data=data, chunks=(200, 200), compression="lzf")
        f["kind"] = np.dtype([("a", "i4"), ("b", "f8")])
        f.create_dataset("committed", (10,), f["kind"])
        for i in range(30):  # a header with a continuation block
            f["contiguous"].attrs.create(f"late {i}", i) if i < 7 else None
    return path


@pytest.fixture(scope="module")
def latest(tmp_path_factory):
    return make(tmp_path_factory.mktemp("check") / "latest.h5").read_bytes()


def report_of(path, data=True):
    return package.check(path, data=data)


def damage_of(report):
    return [f for f in report["findings"] if f["kind"] in ("damage", "overlap")]


@pytest.mark.parametrize("libver", LIBVERS)
def test_sound_files(path, libver):
    report = report_of(make(path, libver))
    assert report["walked"]
    assert report["findings"] == []
    assert report["objects"]["groups"] == 43
    assert report["objects"]["datasets"] == 8
    assert report["objects"]["committed datatypes"] == 1
    used = report["metadata_bytes"] + report["raw_data_bytes"]
    assert used + report["free_bytes"] + report["unaccounted_bytes"] == report["file_size"]


@pytest.mark.parametrize("strategy", ["fsm", "page", "none"])
def test_free_space(path, strategy):
    with h5py.File(path, "w", fs_strategy=strategy, fs_persist=strategy != "none") as f:
        f["a"] = np.zeros(10_000)
        f["b"] = np.zeros(10_000)
    with h5py.File(path, "r+") as f:
        del f["a"]
    report = report_of(path)
    assert report["findings"] == []
    if strategy != "none":
        assert report["free_bytes"] >= 80_000
        assert report["unaccounted_bytes"] < 20_000


def test_own_files(path):
    with package.File(path, "w") as f:
        for i in range(500):
            f[f"group/x{i}"] = np.arange(i)
            f.attrs[f"a{i}"] = i
    report = report_of(path)
    assert report["findings"] == []


# Signature -> the name of the structure in the report
SIGNATURES = {
    b"OHDR": "Object Header",
    b"OCHK": "Object Header",
    b"BTHD": "Version 2 B-tree Header",
    b"BTLF": "Version 2 B-tree Leaf Node",
    b"BTIN": "Version 2 B-tree Internal Node",
    b"FRHP": "Fractal Heap Header",
    b"FHDB": "Fractal Heap Direct Block",
    b"FHIB": "Fractal Heap Indirect Block",
    b"FSHD": "Free-space Manager Header",
    b"FSSE": "Free-space Section List",
    b"FAHD": "Fixed Array Header",
    b"FADB": "Fixed Array Data Block",
    b"EAHD": "Extensible Array Header",
    b"EAIB": "Extensible Array Index Block",
    b"EASB": "Extensible Array Secondary Block",
    b"EADB": "Extensible Array Data Block",
}


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: s.decode())
def test_every_checksum(path, latest, signature):
    places = [at for at in range(len(latest) - 4) if latest[at : at + 4] == signature]
    assert places, "the file should have one"
    for at in {places[0], places[len(places) // 2], places[-1]}:
        data = bytearray(latest)
        data[at + 7] ^= 0x10
        path.write_bytes(data)
        report = report_of(path)
        found = damage_of(report)
        assert any((f["address"], f["structure"]) == (at, SIGNATURES[signature]) for f in found), (
            at,
            found,
        )


def test_superblock(path, latest):
    data = bytearray(latest)
    data[44] ^= 0x01  # a bit of the checksum: everything else is still valid
    path.write_bytes(data)
    report = report_of(path)
    assert [(f["structure"], f["field"]) for f in damage_of(report)] == [
        ("Superblock (Versions 2 and 3)", "Superblock Checksum")
    ]
    assert report["objects"]["datasets"] == 8


def test_goes_on_behind_damage(path, latest):
    """A damaged leaf of an index loses only its own records."""
    data = bytearray(latest)
    places = [at for at in range(len(data) - 4) if data[at : at + 4] == b"BTLF"]
    data[places[-1] + 20] ^= 0xFF
    data[data.find(b"FADB") + 40] ^= 0xFF
    data[data.rfind(b"FHDB") + 40] ^= 0xFF
    path.write_bytes(data)
    report = report_of(path)
    assert len({f["structure"] for f in damage_of(report)}) >= 3
    assert report["objects"]["datasets"] == 8


def chunk_offset(path, name, number):
    with h5py.File(path) as f:
        return f[name].id.get_chunk_info(number).byte_offset


@pytest.mark.parametrize("name", ["fixed", "tree", "single"])
def test_filters(path, latest, name):
    path.write_bytes(latest)
    at = chunk_offset(path, name, 0)
    data = bytearray(latest)
    data[at] ^= 0x55
    path.write_bytes(data)
    assert damage_of(report_of(path, data=False)) == []
    (found,) = damage_of(report_of(path))
    assert (found["path"], found["address"]) == (f"/{name}", at)


def test_truncated(path, latest):
    for length in (len(latest) * 3 // 4, len(latest) // 4, 600, 100):
        path.write_bytes(latest[:length])
        report = report_of(path)
        assert report["damaged"]
        assert "truncated" in damage_of(report)[0]["what"]
    path.write_bytes(latest[:20])
    report = report_of(path)
    assert report["damaged"]
    assert not report["walked"]


def test_overlapping_data(path):
    with h5py.File(path, "w", libver="earliest") as f:
        f["a"] = np.arange(100)
        f["b"] = np.arange(100) + 1
        a, b = f["a"].id.get_offset(), f["b"].id.get_offset()
    data = path.read_bytes()
    assert data.count(struct.pack("<Q", b)) == 1
    path.write_bytes(data.replace(struct.pack("<Q", b), struct.pack("<Q", a + 8)))
    (found,) = damage_of(report_of(path))
    assert found["kind"] == "overlap"
    assert {found["path"], "/a" if "/a" in found["what"] else "/b"} <= {"/a", "/b"}


def test_overlapping_indexes(path):
    """Two groups have one B-tree."""
    with h5py.File(path, "w", libver="earliest") as f:
        f["a/x"] = 1
        f["b/y"] = 1
    data = bytearray(path.read_bytes())
    trees = [at for at in range(len(data)) if data[at : at + 4] == b"TREE"]
    first, second = (struct.pack("<Q", at) for at in trees[-2:])
    assert data.count(second) >= 1
    path.write_bytes(data.replace(second, first))
    found = damage_of(report_of(path))
    assert any(f["kind"] == "overlap" and "belongs to" in f["what"] for f in found), found


def test_exit_codes_and_text(onecast, path, tmp_path, latest):
    path.write_bytes(latest)
    result = onecast("check", path)
    assert result.code == 0
    assert result.out.startswith(f"{path}: sound, 52 objects")
    bad = tmp_path / "bad.h5"
    data = bytearray(latest)
    data[data.find(b"FRHP") + 9] ^= 1
    bad.write_bytes(data)
    result = onecast("check", path, bad)
    assert result.code == 1
    assert "damage: /" in result.out
    assert "address 0x" in result.out
    assert "Checksum" in result.out
    result = onecast("check", tmp_path / "missing.h5", path)
    assert result.code == 2
    assert "sound" in result.out
    report = json.loads(onecast("check", "--json", bad).out)
    assert report["damaged"] is True


def test_progress_is_for_terminals(onecast, path, latest):
    path.write_bytes(latest)
    assert onecast("check", path).err == ""
    calls = []
    package.check(path, progress=lambda done, known: calls.append((done, known)))
    assert calls


def test_progress_may_stop_it(path, latest):
    path.write_bytes(latest)

    def stop(done, known):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        package.check(path, progress=stop)


# These files of the corpus are damaged on purpose, or incomplete.
DAMAGED = {
    "3790_infinite_loop.h5",
    "tCVE-2021-37501_attr_decode.h5",
    "tCVE_2018_11206_fill_new.h5",
    "tCVE_2018_11206_fill_old.h5",
    "err_attr_dspace.h5",
    "test_subfiling_precreate_rank_0.h5",
    "test_subfiling_stripe_sizes.h5",
    "tfamily00000.h5",
}


@pytest.mark.parametrize("folder", ["h5dump", "jhdf", "cgns", "hep"])
def test_corpus(corpus, folder):
    for file in sorted((corpus / folder).iterdir()):
        if not file.is_file() or file.suffix not in (".h5", ".hdf5", ".cgns"):
            continue
        try:
            report = report_of(file)
        except package.FormatError:
            assert file.name.startswith(("tfamily", "tmulti", "tsplit")), file
            continue
        if file.name in DAMAGED:
            continue
        assert damage_of(report) == [], file


def test_hostile_files(corpus):
    for file in sorted((corpus / "hostile").iterdir()):
        try:
            report = package.check(file, data=True, limit=20)
        except (package.FormatError, package.UnsupportedError, OSError):
            continue
        assert len(report["findings"]) <= 20


def test_a_key_that_hides_chunks_from_a_search(tmp_path):
    """The key is in a node above the leaves, so a walk over the leaves still finds all chunks."""
    path = tmp_path / "hidden.h5"
    with h5py.File(path, "w", libver="earliest") as f:
        f.create_dataset("x", data=np.arange(1, 101), chunks=(1,))
    assert not package.check(path)["damaged"]
    bytes_ = bytearray(path.read_bytes())
    node = bytes_.index(b"TREE\x01\x01")
    prefix, size_and_mask = 24, 8
    struct.pack_into("<Q", bytes_, node + prefix + size_and_mask, 3)
    path.write_bytes(bytes_)
    with h5py.File(path) as f:
        assert f["x"][:4].tolist() == [0, 0, 0, 4]
    found = damage_of(package.check(path))
    assert "hides a chunk below it from a search" in found[0]["what"]


@pytest.mark.parametrize("widths", [(8, 4), (4, 8), (4, 4), (2, 4)])
def test_widths_of_addresses_and_lengths(path, widths):
    """The root group's header follows the superblock directly."""
    lists = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    lists.set_sizes(*widths)
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_LATEST)
    h5py.h5f.create(bytes(path), h5py.h5f.ACC_TRUNC, lists, access).close()
    with h5py.File(path, "r+") as f:
        f.create_group("g")
    assert package.check(path)["findings"] == []


@pytest.mark.parametrize("marked", [True, False])
def test_half_of_a_flush(path, marked):
    """The journal beside the file undoes the flush. The check sees what an open for writing
    sees."""
    with package.File(path, "w") as f:
        for i in range(200):
            f.create_group(f"group {i}").attrs["number"] = i
    before = path.read_bytes()
    journal = path.with_name(path.name + ".onecast-journal")
    with package.File(path, "r+") as f:
        for i in range(200):
            f[f"group {i}"].attrs["number"] = -i
        f.flush()
        saved = journal.read_bytes()
        after = path.read_bytes()
    changed = [at for at in range(0, len(before), 4096) if before[at:][:4096] != after[at:][:4096]]
    assert len(changed) > 1
    written = bytearray(after)
    written[changed[0] : changed[0] + 4096] = before[changed[0] : changed[0] + 4096]
    if marked:
        written[8] = 255  # the version of the superblock
    path.write_bytes(written)
    journal.write_bytes(saved)
    with package.File(path) as f:
        assert f["group 150"].attrs["number"] == 150
    report = report_of(path)
    assert [f["kind"] for f in report["findings"]] == ["note"]
    assert "onecast recover" in report["findings"][0]["what"]
    assert report["objects"]["attributes"] == 200
    assert not report["damaged"]
    journal.unlink()
    assert [f["field"] for f in damage_of(report_of(path))] == [
        "Version Number of the Superblock"
    ] * marked
