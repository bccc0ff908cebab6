"""The HDF5 layouts: h5py alone reads version 2 and writes version 1."""

import lzma
import os
import re
import subprocess

import h5py
import hdf5plugin  # noqa: F401  (the filters of chunks)
import numpy as np
import pytest
from event_files import (
    CODECS,
    PROGRAM,
    as_in_pds,
    convert,
    events_of,
    events_program,
    padded,
    sample_events,
    write_pds,
    write_version_1,
)

EVENTS = as_in_pds(sample_events(sizes=(0, 4, 24, 4000)))
CLASSES = {name: f"std::vector<T{i}>" for i, name in enumerate(EVENTS[0][3])}

UNITS = {
    "Product": ("product", "chunk"),
    "Event": ("event", "product", "chunk"),
    "Batch": ("batch", "event", "both"),
}
CASES = [(layout, "none", None) for layout in UNITS] + [
    (layout, codec, unit)
    for layout, units in UNITS.items()
    for unit in units
    for codec in ("lz4", "zstd", "lzma")
    if (unit, codec) != ("chunk", "lzma")
]


def piece(codec, data):
    """Returns the bytes of a compressed piece: its size, then the codec's output."""
    if codec == "none" or not len(data):
        return data
    size = int.from_bytes(data[:8], "little")
    unpack = {"lzma": lambda b, size: lzma.decompress(b)} | {
        name: row[2] for name, row in CODECS.items()
    }
    out = unpack[codec](data[8:], size)
    assert len(out) == size
    return out


def text(group, name):
    return group.attrs[name].decode()


def read_version_2(path):
    """Reads as docs/reference/events.md describes it."""
    with h5py.File(path) as file:
        group = file["Events"]
        assert group.attrs["version"] == 2
        layout, unit = text(group, "layout"), text(group, "compression_unit")
        codec = text(group, "compression")
        codec_of = {
            name: codec if unit == name else "none" for name in ("product", "event", "batch")
        }
        if unit == "both":
            codec_of["event"] = codec_of["batch"] = codec
        names = [name.decode() for name in group["ProductNames"][:]]
        classes = [name.decode() for name in group["ProductClasses"][:]]
        batches = group["Batches"][:]
        events = []
        for i, (run, lumi, event) in enumerate(group["EventIDs"][:].tolist()):
            batch = np.searchsorted(batches[:, 0], i, "right") - 1
            row = group["Offsets"][i].tolist()
            if layout == "product":
                is_first = batches[batch][0] == i
                starts = batches[batch][1:] if is_first else group["Offsets"][i - 1]
                parts = [
                    group["Data"][name][int(start) : end].tobytes()
                    for name, start, end in zip(names, starts, row, strict=True)
                ]
            else:
                blobs = group["Blobs"]
                start, end, *ends = row
                if layout == "batch":
                    whole = blobs[int(batches[batch][1]) : int(batches[batch][2])].tobytes()
                    blob = piece(codec_of["batch"], whole)[start:end]
                else:
                    blob = blobs[start:end].tobytes()
                blob = piece(codec_of["event"], blob)
                parts = [blob[a:b] for a, b in zip([0, *ends], ends, strict=False)]
            parts = [piece(codec_of["product"], part) for part in parts]
            events.append((run, lumi, event, dict(zip(names, parts, strict=True))))
        return events, dict(zip(names, classes, strict=True)), text(group, "serializer")


@pytest.fixture
def pds(tmp_path):
    write_pds(tmp_path / "a.pds", EVENTS, CLASSES)
    return f"PDS={tmp_path}/a.pds"


def outputer(path, layout, codec, unit, **options):
    given = {} if codec == "none" else {"compression": codec, "unit": unit}
    return f"HDF5{layout}={path}" + "".join(f":{k}={v}" for k, v in (given | options).items())


@pytest.mark.parametrize("layout, codec, unit", CASES)
def test_h5py_reads_what_was_written(tmp_path, pds, layout, codec, unit):
    path = tmp_path / "a.h5"
    convert(pds, outputer(path, layout, codec, unit, batch=3), "-t", 2)
    assert read_version_2(path) == (EVENTS, CLASSES, "root")
    assert events_of(f"HDF5={path}", "-t", 2) == EVENTS
    some = list(CLASSES)[1:3]
    assert events_of(f"HDF5={path}", "-p", some[1], "-p", some[0]) == [
        (*event[:3], {name: event[3][name] for name in reversed(some)}) for event in EVENTS
    ]
    assert "no problem" in events_program("check", path)


@pytest.mark.parametrize("layout", UNITS)
def test_a_file_of_few_events_is_small(tmp_path, layout):
    path = tmp_path / "a.h5"
    convert("TestProducts:events=10:products=17:size=100", f"HDF5{layout}={path}")
    assert path.stat().st_size < 10 * 17 * 100 + 60_000


@pytest.mark.parametrize("layout", UNITS)
def test_no_events_and_no_products(tmp_path, layout):
    path = tmp_path / "a.h5"
    convert("Empty:events=0", f"HDF5{layout}={path}")
    assert events_of(f"HDF5={path}") == [] == read_version_2(path)[0]
    convert("Empty:events=5", f"HDF5{layout}={path}")
    assert events_of(f"HDF5={path}") == [(1, 1, n, {}) for n in range(1, 6)]
    convert("TestProducts:events=2:size=0", f"HDF5{layout}={path}:compression=zstd")
    assert all(data == b"" for event in events_of(f"HDF5={path}") for data in event[3].values())


def test_events_are_found_by_identity(tmp_path, pds):
    first, second, both = tmp_path / "a.h5", tmp_path / "b.h5", tmp_path / "c.h5"
    convert(pds, f"HDF5Event={first}", "--first", 4)
    convert(pds, f"HDF5Event={second}", "-n", 4)
    events_program("cat", both, first, second)
    with h5py.File(both) as file:
        assert text(file["Events"], "index") == "Index"
        assert file["Events/Index"][:].tolist() == [3, 4, 5, 6, 0, 1, 2]
    with h5py.File(first) as file:
        assert text(file["Events"], "index") == "ascending"
    for path in (first, second, both):
        events = events_of(f"HDF5={path}")
        for entry, event in enumerate(events):
            name = ":".join(map(str, event[:3]))
            assert events_program("dump", path, "-e", name).startswith(f"entry {entry}: {name}\n")
    assert "has no event 9:9:9" in events_program("dump", both, "-e", "9:9:9", fails=True)


@pytest.mark.parametrize(
    "layout, codec, unit",
    [
        case if case[1] in ("none", "zstd") else pytest.param(*case, marks=pytest.mark.long)
        for case in CASES
    ],
)
def test_cat_copies_stored_bytes(tmp_path, pds, layout, codec, unit):
    paths = [tmp_path / name for name in ("a.h5", "b.h5", "c.h5")]
    convert(pds, outputer(paths[0], layout, codec, unit, batch=2, chunk=512), "-n", 5)
    convert(pds, outputer(paths[1], layout, codec, unit, batch=2, chunk=512), "--first", 5)
    events_program("cat", paths[2], *paths[:2])
    assert read_version_2(paths[2])[0] == EVENTS == events_of(f"HDF5={paths[2]}")


@pytest.mark.parametrize(
    "layout, kind", [("Product", "bytes"), ("Product", "compound"), ("Event", "")]
)
def test_cat_of_other_sizes_of_chunks(tmp_path, layout, kind):
    """Sizes follow from the first event, so files with equal options may differ."""
    source = "TestProducts:events=30:products=3:size=3k:lumi=7"
    paths = [tmp_path / name for name in ("a.h5", "b.h5", "c.h5")]
    options = "compression=zstd:unit=chunk" + (f":numeric={kind}" if kind else "")
    convert(source, f"HDF5{layout}={paths[0]}:{options}:chunk=4k:batch=7", "-n", 13)
    convert(source, f"HDF5{layout}={paths[1]}:{options}:chunk=1000:batch=3", "--first", 13)
    command = [PROGRAM, "cat", paths[2], *paths[:2]]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{paths[1]}: its chunks have other sizes than those of {paths[0]}" in done.stderr
    assert events_of(f"HDF5={paths[2]}") == events_of(source)
    assert "30 events, no problem" in events_program("check", paths[2])


def test_repeated_identities_are_told(tmp_path, pds):
    def said(out, *files):
        command = [PROGRAM, "cat", tmp_path / out, *(tmp_path / name for name in files)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stderr

    for layout, ending in (("PDS", "pds"), ("HDF5Event", "h5"), ("HDF5Product", "h5")):
        a, b, c = (f"{name}.{ending}" for name in ("first", "last", "one"))
        convert(pds, f"{layout}={tmp_path / a}", "-n", 4)
        convert(pds, f"{layout}={tmp_path / b}", "--first", 4)
        convert(pds, f"{layout}={tmp_path / c}", "--first", 3, "-n", 1)
        whole = "out." + ending
        assert said(whole, a, b) == "" == said(whole, b, a)
        run, lumi, event, _ = EVENTS[3]
        for files in ((a, c, b), (c, b, a), (b, a, c)):
            assert f"several events are {run}:{lumi}:{event}, " in said(whole, *files)
        assert "both" in events_program("check", tmp_path / whole, fails=True)


@pytest.mark.parametrize("codec, unit", [("zstd", "chunk"), ("lz4", "chunk"), ("lzma", "product")])
def test_products_are_compressed_by_chunk_where_hdf5_can(tmp_path, pds, codec, unit):
    path = tmp_path / "a.h5"
    convert(pds, f"HDF5Product={path}:compression={codec}")
    with h5py.File(path) as file:
        assert text(file["Events"], "compression_unit") == unit


@pytest.mark.parametrize("batch", [4, 40], ids=["decoded by batch", "decoded in parts"])
@pytest.mark.parametrize("layout", ["Product", "Event"])
def test_compressed_chunks_are_decoded_by_all_threads(tmp_path, layout, batch):
    source = "TestProducts:events=40:products=2:size=500k"
    path = tmp_path / "a.h5"
    chunks = f"compression=lz4:unit=chunk:chunk=200k:batch={batch}"
    convert(source, f"HDF5{layout}={path}:{chunks}", "-t", 2)
    convert(source, f"PDS={tmp_path}/a.pds")
    for lanes in (1, 8):
        convert(f"HDF5={path}", f"PDS={tmp_path}/b.pds", "-t", 3, "-l", lanes)
        assert (tmp_path / "b.pds").read_bytes() == (tmp_path / "a.pds").read_bytes()
    convert(source, f"PDS={tmp_path}/a.pds", "-p", "product01", "--first", 3, "-n", 20)
    convert(f"HDF5={path}", f"PDS={tmp_path}/b.pds", "-p", "product01", "--first", 3, "-n", 20)
    assert (tmp_path / "b.pds").read_bytes() == (tmp_path / "a.pds").read_bytes()


@pytest.mark.leaves_damage
@pytest.mark.parametrize("layout, dataset", [("Product", "Data/product01"), ("Event", "Blobs")])
def test_a_damaged_chunk_is_the_failure_of_its_events(tmp_path, layout, dataset):
    path = tmp_path / "a.h5"
    source = "TestProducts:events=60:products=3:size=200"
    convert(source, f"HDF5{layout}={path}:compression=zstd:unit=chunk:batch=20:chunk=1k")
    with h5py.File(path) as file:
        data = file["Events"][dataset]
        chunk = data.id.get_num_chunks() // 2
        place = data.id.get_chunk_info(chunk).byte_offset
        start = data.id.get_chunk_info(chunk).chunk_offset[0]
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(bytes(8))
    named = f"/Events/{dataset}: chunk at [{start}]"
    said = events_program("check", path, fails=True)
    problems = said.count(named)
    assert 1 <= problems <= 12 and f"60 events, {problems} problems" in said
    assert named in convert(f"HDF5={path}", "Serialize", "-t", 2, "-l", 8, fails=True)
    if layout == "Product":
        whole = events_of(source, "-p", "product00")
        assert events_of(f"HDF5={path}", "-p", "product00") == whole


@pytest.mark.parametrize("layout", UNITS)
def test_names_of_products_may_be_anything(tmp_path, layout):
    names = ["a/b", "..", "50%", "edm::X_y__HLT.", "é", "%", "."]
    events = [(1, 1, 1, {name: padded(name.encode()) for name in names})]
    write_pds(tmp_path / "a.pds", events, dict.fromkeys(names, "C"))
    path = tmp_path / "a.h5"
    convert(f"PDS={tmp_path}/a.pds", f"HDF5{layout}={path}")
    assert events_of(f"HDF5={path}") == events


# --- version 1 ---
# Products are stored in blobs in the order of the attributes, not in that of their names.
OLD = [
    (7, 8, n, dict(reversed(event[3].items())))
    for n, event in zip((1, 2, 2**31 + 5, 4, 5, 6, 7), EVENTS, strict=True)
]


@pytest.mark.parametrize(
    "layout, codec, choice",
    [("product", "none", None), ("event", "none", None), ("event", "zstd", None)]
    + [("batch", "none", "None"), ("batch", "lz4", "Events")]
    + [("batch", "zstd", choice) for choice in ("Events", "Batch", "Both")],
)
def test_version_1_is_read(tmp_path, layout, codec, choice):
    path = tmp_path / "a.h5"
    write_version_1(path, OLD, CLASSES, layout, codec, choice)
    assert events_of(f"HDF5={path}", "-t", 2) == OLD
    assert "version 1" in events_program("ls", path)
    assert events_program("dump", path, "-e", f"7:8:{2**31 + 5}").startswith("entry 2: ")
    convert(f"HDF5={path}", f"HDF5Product={tmp_path}/b.h5")
    assert read_version_2(tmp_path / "b.h5")[0] == OLD


def test_version_1_with_batches_without_bytes(tmp_path):
    """The end of a batch follows from its bytes alone."""
    events = [(7, 8, i, {"a": b"x" * 9 * (i in (3, 4, 17))}) for i in range(24)]
    write_version_1(tmp_path / "a.h5", events, {"a": "A"}, "batch", "zstd", "Batch")
    assert events_of(f"HDF5={tmp_path}/a.h5") == events


def test_version_1_is_opened_by_reading_it_once(tmp_path):
    """Batches are found one by one, without reading the file again for each of them."""
    random = np.random.default_rng(1)
    events = [(7, 8, i, {"a": random.bytes(3000)}) for i in range(300)]
    path = tmp_path / "a.h5"
    write_version_1(path, events, {"a": "A"}, "batch", "zstd", "Batch")
    shown = subprocess.run(
        ["bash", "-c", f"{PROGRAM} ls {path} && cat /proc/$$/io"],
        capture_output=True,
        text=True,
        check=True,
    )
    read = int(re.search(r"rchar: (\d+)", shown.stdout)[1])
    assert "300 events" in shown.stdout
    assert read < 6 * path.stat().st_size


@pytest.mark.parametrize("layout, choice", [("event", None), ("batch", "Batch"), ("batch", "Both")])
def test_version_1_without_stored_sizes_is_refused(tmp_path, layout, choice):
    path = tmp_path / "a.h5"
    write_version_1(path, OLD, CLASSES, layout, "lz4", choice)
    error = events_program("check", path, fails=True)
    assert "lz4 of the layout of version 1: the size of compressed" in error


# --- damage ---
def change(path, name, at, value):
    with h5py.File(path, "r+") as file:
        data = file["Events"][name][...]
        data[at] = value
        file["Events"][name][...] = data


DAMAGE = [
    ("Event", "none", None, "Offsets", (3, 0), 2**60, "Events/Offsets: row 3"),
    ("Event", "none", None, "Offsets", (6, 1), 2**60, "Events/Offsets: row 6: bytes"),
    ("Event", "none", None, "Offsets", (3, 4), 2**60, "event 3: product 2"),
    ("Event", "zstd", "event", "Offsets", (3, 4), 0, "event 3: product 2"),
    ("Event", "zstd", "product", "Offsets", (3, 4), 0, "event 3: product 2"),
    ("Event", "lzma", "event", "Blobs", 5, 255, "event 0: "),
    ("Batch", "zstd", "batch", "Blobs", 4, 1, "event 0: "),
    ("Batch", "zstd", "both", "Batches", (0, 2), 2**60, "Events/Blobs: batch 0: bytes"),
    ("Batch", "none", None, "Batches", (1, 0), 0, "Events/Batches: row 1"),
    ("Batch", "none", None, "Batches", (1, 0), 99, "Events/Batches: row 1"),
    ("Batch", "none", None, "Offsets", (2, 1), 2**63, "row 2: bytes"),
    ("Batch", "none", None, "Batches", (1, 1), 2**63, "leave batch 1"),
    ("Product", "none", None, "Offsets", (4, 2), 1, "Events/Offsets: row 4: product 2"),
    ("Product", "none", None, "Offsets", (6, 3), 2**60, "Events/Data/p3_4000: event"),
    ("Product", "none", None, "Batches", (1, 2), 2**60, "Events/Offsets: row 3: product 1"),
]


@pytest.mark.parametrize("layout, codec, unit, dataset, at, value, said", DAMAGE)
def test_damage_is_named(tmp_path, pds, layout, codec, unit, dataset, at, value, said):
    path = tmp_path / "a.h5"
    convert(pds, outputer(path, layout, codec, unit, batch=3))
    change(path, dataset, at, value)
    error = events_program("check", path, fails=True)
    assert str(path) in error and said in error


def test_sizes_without_bytes_take_no_memory(tmp_path, pds):
    path = tmp_path / "a.h5"
    convert(pds, f"HDF5Event={path}")
    with h5py.File(path, "r+") as file:
        file["Events/Blobs"].resize((2**50,))
        offsets = file["Events/Offsets"][...]
        offsets[-1, 1] = 2**49
        file["Events/Offsets"][...] = offsets
        batches = file["Events/Batches"][...]
        batches[-1, 2] = 2**49
        file["Events/Batches"][...] = batches
    assert "Events/Blobs" in events_program("check", path, fails=True)


@pytest.mark.parametrize(
    "layout, options", [("Event", ""), ("Batch", ""), ("Batch", ":compression=zstd")]
)
def test_offsets_that_became_zeros(tmp_path, layout, options):
    """Such events are damaged, not empty."""
    path = tmp_path / "a.h5"
    source = "TestProducts:events=40:products=2:size=50"
    for rows in (slice(20, 40), slice(13, 15), slice(39, 40), slice(0, 40)):
        convert(source, f"HDF5{layout}={path}:batch=4{options}")
        with h5py.File(path, "r+") as file:
            file["Events/Offsets"][rows] = 0
        assert "no problem" not in events_program("check", path, fails=True)
        assert f"{path}: " in convert(f"HDF5={path}", "Serialize", fails=True)


def test_missing_parts_are_named(tmp_path, pds):
    path = tmp_path / "a.h5"
    for name in ("Offsets", "Batches", "Blobs", "ProductNames", "EventIDs"):
        convert(pds, f"HDF5Event={path}")
        with h5py.File(path, "r+") as file:
            del file["Events"][name]
        assert f"has no dataset {name}" in events_program("check", path, fails=True)
    for name in ("layout", "compression", "serializer", "version"):
        convert(pds, f"HDF5Event={path}")
        with h5py.File(path, "r+") as file:
            del file["Events"].attrs[name]
        assert f"has no attribute {name}" in events_program("check", path, fails=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_an_error(tmp_path):
    assert "No space left" in convert("TestProducts", "PDS=/dev/full", fails=True)


def test_the_program_is_built():
    assert PROGRAM.is_file()
