"""onecast stat"""

import h5py
import numpy as np

import onecast as package


def test_of_h5py(onecast, path):
    with h5py.File(path, "w") as f:
        for i in range(20):
            f[f"group {i}/x"] = i
    report = onecast("stat", "--json", path).json
    assert report["file_size"] == path.stat().st_size
    assert report["metadata_bytes"] > 1000
    assert report["page_size"] == 0
    assert report["pages"] == 0
    assert report["complete"] is True
    assert report["page_list_stale"] is False
    assert report["reads_to_open"] >= 1


def test_of_onecast(onecast, path):
    with package.File(path, "w", page_size=4096) as f:
        f["x"] = np.arange(10)
    report = onecast("stat", "--json", path).json
    assert report["page_size"] == 4096
    assert report["pages"] >= 1
    assert report["page_list_stale"] is False
    with h5py.File(path, "r+") as f:
        f["y"] = 1
    assert onecast("stat", "--json", path).json["page_list_stale"] is True


def test_table(onecast, path):
    with package.File(path, "w") as f:
        f["x"] = np.arange(10)
    result = onecast("stat", path)
    assert result.code == 0
    assert "bytes of metadata" in result.out
    assert "file.h5" in result.out


def test_stripes(onecast, path):
    with package.File(path, "w", page_size=4096) as f:
        for i in range(300):
            f[f"group {i}/x"] = np.zeros(100)
    small = onecast("stat", "--json", "--stripe-size", 4096, path).json
    large = onecast("stat", "--json", path).json
    assert small["stripes_touched"] > large["stripes_touched"]


def test_usage(onecast, path):
    with h5py.File(path, "w", libver="latest", userblock_size=512) as f:
        f["contiguous"] = np.arange(100, dtype="i8")
        f.create_dataset("x", data=np.zeros((100, 100)), chunks=(10, 10), compression="gzip")
        f["kind"] = np.dtype("i4")
        f["soft"] = h5py.SoftLink("/x")
        f.attrs["a"] = 1
    usage = onecast("stat", "--json", path).json["usage"]
    assert usage["user_block"] == 512
    assert usage["objects"] == {
        "attributes": 1,
        "chunked datasets": 1,
        "chunks": 100,
        "committed datatypes": 1,
        "contiguous datasets": 1,
        "datasets": 2,
        "groups": 1,
        "hard links": 3,
        "soft links": 1,
    }
    bytes_of = {(s["structure"], s["use"]): s["bytes"] for s in usage["structures"]}
    assert bytes_of["raw data", "contiguous"] == 800
    assert bytes_of["fixed array", "chunks"] > 1000
    (filters,) = usage["filters"]
    assert filters["filters"] == "deflate"
    assert filters["plain_bytes"] == 80_000
    assert bytes_of["raw data", "chunks"] == filters["stored_bytes"] < 20_000
    assert usage["damaged"] is False
    table = onecast("stat", path).out
    assert "fixed array" in table
    assert "deflate" in table


def test_corpus(onecast, corpus):
    for file in sorted((corpus / "cgns").iterdir()):
        result = onecast("stat", "--json", file)
        assert result.code in (0, 1), file
        if result.code == 0:
            assert result.json["metadata_bytes"] > 0
