"""Small files of events in every layout that is read, made from the descriptions of the formats."""

import json
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from event_files import (
    CODECS,
    sample_events,
    write_pds,
    write_version_1,
    write_version_2_product,
)

EVENTS = sample_events(5, sizes=(0, 4, 24))
CLASSES = {
    name: f"std::vector<{'int' if i % 2 else 'Track'}>" for i, name in enumerate(EVENTS[0][3])
}


def write_version_2_blobs(path, layout):
    """Of the layouts event and batch; one batch, without compression."""
    write_version_2_product(path, EVENTS, CLASSES, "raw")
    ends = np.cumsum([[len(data) for data in event[3].values()] for event in EVENTS], axis=1)
    stop = np.cumsum(ends[:, -1])
    with h5py.File(path, "r+") as file:
        group = file["Events"]
        group.attrs["layout"] = layout
        for name in ("Data", "Offsets", "Batches"):
            del group[name]
        blobs = b"".join(data for event in EVENTS for data in event[3].values())
        group["Blobs"] = np.frombuffer(blobs, np.uint8)
        offsets = np.column_stack([stop - ends[:, -1], stop, ends])
        group["Offsets"] = offsets.astype(np.uint64)
        group["Batches"] = np.array([[0, 0, len(blobs)]], np.uint64)


def write_columns(path):
    def numbers(key, kind):
        return {"class": "NumpyArray", "primitive": kind, "form_key": key}

    columns = {
        "run": numbers("run", "uint32"),
        "lumi": numbers("lumi", "uint32"),
        "event": numbers("event", "uint64"),
        "x": {
            "class": "ListOffsetArray",
            "offsets": "i64",
            "form_key": "x",
            "content": numbers("x", "float32"),
        },
        "y": {
            "class": "IndexedOptionArray",
            "index": "i64",
            "form_key": "y",
            "content": numbers("y", "int16"),
        },
    }
    form = {
        "class": "RecordArray",
        "fields": list(columns),
        "contents": list(columns.values()),
    }
    with h5py.File(path, "w", libver="latest") as file:
        group = file.create_group("Events")
        group.attrs["layout"], group.attrs["layout-version"] = "columnar", 1
        group.attrs["length"], group.attrs["form"] = 3, json.dumps(form)
        for name in ("run", "lumi", "event"):
            group[f"{name}-data"] = np.arange(3, dtype=columns[name]["primitive"])
        group["x-offsets"], group["x-data"] = np.array([0, 2, 2, 5]), np.arange(5, dtype="f4")
        group["y-index"], group["y-data"] = np.array([0, -1, 1]), np.arange(2, dtype="i2")


def event_files() -> dict[str, dict[str, bytes]]:
    """For each program its seeds."""
    pds, hdf5 = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for codec in CODECS:
            write_pds(path, EVENTS, CLASSES, codec)
            pds[codec] = path.read_bytes()
        for layout, codec, choice in (
            ("product", "none", None),
            ("event", "none", None),
            ("event", "zstd", None),
            ("batch", "zstd", "Events"),
            ("batch", "zstd", "Batch"),
            ("batch", "zstd", "Both"),
        ):
            write_version_1(path, EVENTS, CLASSES, layout, codec, choice)
            hdf5[f"1-{layout}-{codec}-{choice}"] = path.read_bytes()
        write_version_2_product(path, EVENTS, CLASSES, "raw")
        hdf5["2-product"] = path.read_bytes()
        for layout in ("event", "batch"):
            write_version_2_blobs(path, layout)
            hdf5[f"2-{layout}"] = path.read_bytes()
        write_columns(path)
        hdf5["columns"] = path.read_bytes()
    return {"events_fuzz": pds, "event_files_fuzz": hdf5}
