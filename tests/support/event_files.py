"""Files of events, written and read only from the descriptions of their formats, for comparison
with onecast-events. An event is (run, lumi, event, {name: bytes})."""

import os
import re
import shlex
import struct
import subprocess
from pathlib import Path

import h5py
import lz4.block
import numpy as np
import zstandard

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
# The program that is linked to the MPI of the tests.
PROGRAM = BUILD / f"onecast-events{os.environ.get('ONECAST_MPI_SUFFIX', '')}"
MAGIC = 3141592 * 256 + 1


def events_program(*arguments, ranks=None, fails=False, **how):
    """Runs onecast-events alone or on several ranks, and returns its output."""
    command = [str(PROGRAM), *map(str, arguments)]
    if ranks is not None:
        from on_ranks import mpiexec  # it needs onecast; the writers below do not

        command = [*mpiexec(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **how)
    assert (done.returncode != 0) == fails, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + (done.stderr if fails else "")


def checked_within_limits(path):
    """Runs `check` with little memory. Returns its exit code and its output."""
    command = f"ulimit -v 2000000; exec {shlex.quote(str(PROGRAM))} check {shlex.quote(str(path))}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def convert(source, outputer, *arguments, **how):
    """Copies all events from a source to an outputer, both as `run` takes them."""
    return events_program("run", "-q", "-s", source, "-o", outputer, *arguments, **how)


def events_of(source, *arguments):
    """Returns the events of a source, as the program reads them."""
    text = events_program("run", "-q", "-s", source, "-o", "TextDump:bytes=4000000000", *arguments)
    events = []
    for line in text.splitlines():
        if found := re.fullmatch(r"run (\d+) lumi (\d+) event (\d+)", line):
            events.append((*map(int, found.groups()), {}))
        else:
            name, _class_name, size, *rest = re.fullmatch(
                r"  (\S+) (.+?) (\d+) bytes ?([0-9a-f]*)", line
            ).groups()
            data = bytes.fromhex(rest[0])
            assert len(data) == int(size)
            events[-1][3][name] = data
    return events


def sample_events(count=7, first=2**32 + 5, sizes=(0, 4, 24, 4000)):
    """Returns small events of several runs and lumis, with products of several sizes."""
    random = np.random.default_rng(3)
    events = []
    for i in range(count):
        products = {
            f"p{k}_{size}": random.integers(0, 9, size if i % 3 else size * 2, np.uint8).tobytes()
            for k, size in enumerate(sizes)
        }
        events.append((1 + i // 4, 1 + i // 2, first + i, products))
    return events


# --- PDS ---
CODECS = {
    "none": (b"None", lambda b: b, lambda b, size: b),
    "lz4": (
        b"LZ4\0",
        lambda b: lz4.block.compress(b, store_size=False),
        lambda b, size: lz4.block.decompress(b, uncompressed_size=size),
    ),
    "zstd": (
        b"ZSTD",
        lambda b: zstandard.compress(b, 3),
        lambda b, size: zstandard.decompress(b, max_output_size=size),
    ),
}


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def write_pds(path, events, classes, codec="none", magic=MAGIC):
    names = list(events[0][3]) if events else []
    kinds = sorted({classes[name] for name in names})
    kind_bytes = padded(b"".join(kind.encode() + b"\0" for kind in kinds))
    words = struct.pack("<I", 2) + b"Event\0\0\0"
    words += struct.pack("<I", len(kind_bytes) // 4) + kind_bytes + struct.pack("<I", 0)
    words += struct.pack("<I", len(names))
    for name in names:
        words += struct.pack("<I", kinds.index(classes[name])) + padded(name.encode() + b"\0")
    tag, pack, _ = CODECS[codec]
    count = struct.pack("<I", len(words) // 4)
    out = struct.pack("<II", magic, 0) + tag + count + words + count
    for run, lumi, event, products in events:
        payload = b""
        for i, data in enumerate(products.values()):
            payload += struct.pack("<II", i, len(padded(data)) // 4) + padded(data)
        stored = pack(payload)
        n = struct.pack("<I", len(padded(stored)) // 4 + 1)
        size = struct.pack("<I", len(payload) + (len(stored) % 4 if codec != "none" else 0))
        out += struct.pack("<5I", 0, run, lumi, event >> 32, event & 0xFFFFFFFF)
        out += n + size + padded(stored) + n
    Path(path).write_bytes(out)


def read_pds(path):
    """Returns (events, classes, codec, magic)."""
    data = Path(path).read_bytes()
    magic, _, tag, count = struct.unpack_from("<II4sI", data)
    codec = next(name for name, row in CODECS.items() if row[0] == tag)
    assert struct.unpack_from("<I", data, 16 + 4 * count) == (count,)
    assert struct.unpack_from("<I8s", data, 16) == (2, b"Event\0\0\0")
    at = 28
    size = struct.unpack_from("<I", data, at)[0] * 4
    kinds = [kind.decode() for kind in data[at + 4 : at + 4 + size].split(b"\0") if kind]
    assert kinds == sorted(set(kinds))
    at += 4 + size
    zero, number = struct.unpack_from("<II", data, at)
    assert zero == 0
    at += 8
    classes = {}
    for _ in range(number):
        kind = struct.unpack_from("<I", data, at)[0]
        end = data.index(b"\0", at + 4)
        name = data[at + 4 : end].decode()
        classes[name] = kinds[kind]
        at += 4 + len(padded(data[at + 4 : end + 1]))
    assert at == 16 + 4 * count
    at += 4
    events = []
    while at < len(data):
        kind, run, lumi, high, low, n, size = struct.unpack_from("<7I", data, at)
        assert kind == 0
        stored = data[at + 28 : at + 24 + 4 * n]
        assert struct.unpack_from("<I", data, at + 24 + 4 * n) == (n,)
        rest = size % 4
        if codec != "none" and stored and rest:
            assert stored[len(stored) - 4 + rest :] == b"\0" * (4 - rest)
            stored = stored[: len(stored) - 4 + rest]
        payload = CODECS[codec][2](stored, size - rest) if stored else b""
        assert len(payload) == size - rest
        products = dict.fromkeys(classes, b"")
        inside = 0
        while inside < len(payload):
            index, words = struct.unpack_from("<II", payload, inside)
            products[list(classes)[index]] = payload[inside + 8 : inside + 8 + 4 * words]
            inside += 8 + 4 * words
        events.append((run, lumi, high << 32 | low, products))
        at += 28 + 4 * n
    return events, classes, codec, magic


def as_in_pds(events):
    """Returns the events with padded products, since PDS fills the last word."""
    return [
        (*event[:3], {name: padded(data) for name, data in event[3].items()}) for event in events
    ]


# --- the HDF5 layouts of version 1 ---
def write_version_1(path, events, classes, layout, codec="none", choice=None, batch=3):
    """Writes one run and lumi, with event numbers of 32 bits."""
    run, lumi, _, first = events[0]
    with h5py.File(path, "w") as file:
        group = file.create_group("Lumi")
        group.attrs["run"], group.attrs["lumisec"] = np.int32(run), np.int32(lumi)
        numbers = np.array([event[2] & 0xFFFFFFFF for event in events], np.uint32).view(np.int32)

        def grows(name, data):
            return group.create_dataset(name, data=data, maxshape=(None,), chunks=(128,))

        if layout == "product":
            grows("Event_IDs", numbers)
            for name in first:
                parts = [event[3][name] for event in events]
                data = grows(name, np.frombuffer(b"".join(parts), np.int8))
                data.attrs["classname"] = classes[name]
                grows(name + "_sz", np.cumsum([len(part) for part in parts]).astype(np.uint64))
            return
        group.attrs["CompressionLevel"] = np.int32(3)
        group.attrs["Compression"] = {"none": "None", "lz4": "LZ4", "zstd": "ZSTD"}[codec]
        if layout == "batch":
            group.attrs["CompressionChoice"] = choice
        for name in first:
            group.attrs[name] = classes[name]
        grows("EventIDs", numbers)
        pack = CODECS[codec][1]
        per_event = layout == "event" or choice in ("Events", "Both")
        offsets, blobs = [], []
        for event in events:
            blob = b"".join(event[3].values())
            stored = pack(blob) if per_event else blob
            offsets += [0, *np.cumsum([len(data) for data in event[3].values()])]
            if layout == "batch":
                offsets.append(len(stored))
            blobs.append(stored)
        if choice in ("Batch", "Both"):
            blobs = [pack(b"".join(blobs[i : i + batch])) for i in range(0, len(blobs), batch)]
        grows("Products", np.frombuffer(b"".join(blobs), np.int8))
        grows("Offsets", np.array(offsets, np.int32))


# --- the HDF5 layout `product` of version 2 ---
def write_version_2_product(path, events, classes, serializer):
    """Writes one batch without compression."""
    names = list(classes)
    with h5py.File(path, "w") as file:
        group = file.create_group("Events")
        group.attrs["layout"], group.attrs["version"] = "product", np.uint32(2)
        group.attrs["serializer"], group.attrs["batch_events"] = serializer, np.uint64(len(events))
        group.attrs["compression"], group.attrs["compression_level"] = "none", np.int32(0)
        group.attrs["compression_unit"], group.attrs["index"] = "none", "ascending"
        group["ProductNames"] = np.array(names, "S")
        group["ProductClasses"] = np.array(list(classes.values()), "S")
        kind = [("run", "<u4"), ("lumi", "<u4"), ("event", "<u8")]
        group["EventIDs"] = np.array([event[:3] for event in events], kind)
        group["Batches"] = np.zeros((1, 1 + len(names)), np.uint64)
        sizes = [[len(event[3][name]) for name in names] for event in events]
        group["Offsets"] = np.cumsum(np.array(sizes, np.uint64), axis=0)
        for name in names:
            data = b"".join(event[3][name] for event in events)
            group[f"Data/{name}"] = np.frombuffer(data, np.uint8)
