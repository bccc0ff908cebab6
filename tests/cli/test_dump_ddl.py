"""onecast dump --format h5dump prints a file like the program h5dump, except for whitespace."""

import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest

needs_h5dump = pytest.mark.skipif(shutil.which("h5dump") is None, reason="no program h5dump")

SAME = [
    "charsets",
    "packedbits",
    "taindices",
    "tall",
    "tarray1",
    "tarray2",
    "tarray3",
    "tarray4",
    "tarray5",
    "tarray6",
    "tarray7",
    "tarray8",
    "tattr",
    "tattr4_be",
    "tattrintsize",
    "tbitnopaque",
    "tchar",
    "tcmpdattrintsize",
    "tcmpdintarray",
    "tcmpdints",
    "tcmpdintsize",
    "tcompound_complex",
    "tcompound_complex2",
    "tdset",
    "tempty",
    "textlink",
    "tfvalues",
    "tgroup",
    "tgrp_comments",
    "thlink",
    "tloop",
    "tnamed_dtype_attr",
    "tnestedcomp",
    "tnullspace",
    "tslink",
    "tstr",
    "tstr2",
    "tudlink",
    "tvldtypes1",
    "tvldtypes2",
    "tvldtypes3",
    "tvldtypes4",
    "tvldtypes5",
    "zerodim",
]


def words(text: str) -> list[str]:
    return re.sub(r'^HDF5 "[^"]*"', "HDF5", text).split()


def of_h5dump(path, *options) -> list[str]:
    done = subprocess.run(["h5dump", *options, path], capture_output=True, timeout=60, check=True)
    return words(done.stdout.decode("utf-8", "replace"))


@needs_h5dump
@pytest.mark.parametrize("name", SAME)
def test_corpus(onecast, corpus, name):
    path = corpus / "h5dump" / f"{name}.h5"
    assert words(onecast("dump", "--format", "h5dump", path).out) == of_h5dump(path)
    header = onecast("dump", "--format", "h5dump", "--header", path)
    assert words(header.out) == of_h5dump(path, "-H")


@needs_h5dump
@pytest.mark.parametrize("libver", ["earliest", ("v108", "v108")])
def test_own_files(onecast, path, libver):
    with h5py.File(path, "w", libver=libver) as f:
        f["numbers"] = np.linspace(-1, 1, 50).reshape(5, 10)
        f["big"] = np.arange(2000, dtype=">u2").reshape(20, 100)
        f["text"] = "Text"
        f["texts"] = np.array([b"a", b"bcd"])
        f["enum"] = np.array([0, 1], h5py.enum_dtype({"RED": 0, "GREEN": 1}))
        f["record"] = np.array([(1, (2.5, b"x"))], [("a", "i4"), ("n", [("b", "f8"), ("s", "S3")])])
        f["none"] = h5py.Empty("f4")
        f["chunked"] = np.arange(30)
        f.create_dataset("grows", (3, 2), "i4", maxshape=(None, 2), chunks=(2, 2))
        f["group/x"] = 1
        f["group/x"].attrs["a"] = [1.5, np.inf, -np.inf]
        f["again"] = f["group"]
        f["soft"] = h5py.SoftLink("/group/x")
    assert words(onecast("dump", "--format", "h5dump", path).out) == of_h5dump(path)


def test_limit(onecast, path):
    with h5py.File(path, "w") as f:
        f.create_dataset("huge", (1 << 40,), "f8", chunks=(1024,))
    out = onecast("dump", "--format", "h5dump", "--limit", 3, path).out
    assert "(0): 0, 0, 0\n" in out


@pytest.mark.leaves_damage
def test_damage_does_not_end_it(onecast, path):
    with h5py.File(path, "w") as f:
        f.create_dataset("bad", data=np.arange(100), chunks=(10,), compression="gzip")
        f["good"] = 5
        offset = f["bad"].id.get_chunk_info(0).byte_offset
    data = bytearray(path.read_bytes())
    data[offset] ^= 0xFF
    path.write_bytes(data)
    result = onecast("dump", "--format", "h5dump", path)
    assert result.code == 1
    assert "(0): 5" in result.out
    assert "/bad" in result.err


def test_deep(onecast, path):
    with h5py.File(path, "w") as f:
        group = f
        for _ in range(500):
            group = group.create_group("g")
    assert onecast("dump", "--format", "h5dump", path).out.count("GROUP") == 501


def test_whole_corpus_ends_well(onecast, corpus):
    for folder in ("jhdf", "h5dump"):
        for file in sorted((corpus / folder).iterdir()):
            if file.suffix not in (".h5", ".hdf5") or file.stat().st_size > 5_000_000:
                continue
            result = onecast("dump", "--format", "h5dump", "--limit", 1000, file)
            assert result.code in (0, 1), file
            assert result.out.startswith("HDF5") or result.code == 1, file
