"""Onecast reads what h5py writes in all versions of the format as h5py does, or refuses it by
name."""

import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import compare

VERSIONS = {
    "earliest": ("earliest", "v108"),
    "v108": ("v108", "v108"),
    "v110": ("v110", "v110"),
    "latest": ("latest", "latest"),
}
COMPOUND = np.dtype([("a", "<i4"), ("b", ">f8"), ("c", "S5"), ("d", [("x", "<u2"), ("y", "i1")])])
rng = np.random.default_rng(20261121)


def many_links(file):
    group = file.create_group("group")
    target = group.create_group("target")
    for i in rng.permutation(5000):
        group[f"link {i}"] = target if i % 2 else h5py.SoftLink(f"/nowhere/{i}")


def many_attributes(file):
    for i in range(1000):
        file.attrs[f"attribute {i}"] = f"text {i}" if i % 2 else np.int32(i)


def chunks(file):
    values = rng.integers(0, 1000, (37, 53)).astype("<i4")
    for name, filters in {
        "plain": {},
        "deflate": {"compression": 6},
        "shuffle": {"shuffle": True},
        "fletcher": {"fletcher32": True},
        "all": {"compression": 1, "shuffle": True, "fletcher32": True},
    }.items():
        file.create_dataset(name, data=values, chunks=(10, 7), **filters)
    file.create_dataset("big-endian", data=values.astype(">f8"), chunks=(37, 1), compression=1)
    growing = file.create_dataset(
        "growing", (5, 5), "i2", maxshape=(None, None), chunks=(3, 3), fillvalue=-1
    )
    growing[...] = 1
    growing.resize((11, 4))
    file.create_dataset("sparse", (1000, 1000), "u1", chunks=(64, 64), fillvalue=9)[500:502, 7] = 3
    file.create_dataset("never written", (100,), "f4", chunks=(10,), fillvalue=1.5)
    file.create_dataset("no elements", (0, 5), "f4", maxshape=(None, 5))
    file.create_dataset("four", data=rng.random((3, 4, 5, 6)), chunks=(2, 2, 2, 2), shuffle=True)
    texts = file.create_dataset("texts", (20,), h5py.string_dtype(), chunks=(6,), compression=1)
    texts[3:9] = ["Größe", "", "x" * 500, "a", "b", "c"]


def contiguous(file):
    file["numbers"] = np.arange(24, dtype=">i8").reshape(2, 3, 4)
    file["scalar"] = 3.5
    file["half"] = np.float16([1, 2.5])
    file["empty"] = h5py.Empty("f4")
    file["compound"] = np.zeros(3, COMPOUND)
    file["complex"] = np.array([1 + 2j, 3])
    file["words"] = np.array([b"one", b"three", b""], "S6")
    file["text"] = "variable"
    file["texts"] = np.array([["a", "Größe"], ["", "long " * 100]], dtype=object)
    file.create_dataset("late", (4, 4), "i4", fillvalue=7)
    file.create_dataset("padded", data=b"ab", dtype=h5py.string_dtype("utf-8", 10))
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((5,))
    made = h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I32BE, space, layout)
    made.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(5, dtype=">i4"))


def committed(file):
    file["type"] = COMPOUND
    file["types/number"] = np.dtype("<i2")
    file.create_dataset("of it", data=np.ones(2, COMPOUND), dtype=file["type"])
    file.create_dataset("chunked", data=np.ones(9, "<i2"), dtype=file["types/number"], chunks=(4,))
    file.attrs.create("a", np.zeros(2, COMPOUND), dtype=file["type"])
    file["type"].attrs["of the type"] = "text"


def links(file):
    file["a/b/c"] = 1
    file["hard"] = file["a/b"]
    file["soft"] = h5py.SoftLink("/a/b/c")
    file["relative"] = h5py.SoftLink("a/b")
    file["a/up"] = h5py.SoftLink("/soft")
    file["dangling"] = h5py.SoftLink("/nowhere")
    file["outside"] = h5py.ExternalLink("other.h5", "/data")
    file["Größe"] = 2
    file["a/b/circle"] = file["a"]


def ordered(file):
    group = file.create_group("group", track_order=True)
    for i in rng.permutation(100):
        group.create_group(f"{i}")
        group.attrs[f"{i}"] = i
    assert list(group) != sorted(group)


def large_attributes(file):
    for i in range(3):
        file.attrs[f"small {i}"] = np.arange(8000 + i)


CONTENTS = (
    many_links,
    many_attributes,
    chunks,
    contiguous,
    committed,
    links,
    ordered,
    large_attributes,
)


@pytest.mark.parametrize("block", [0, 2048], ids=["", "user-block"])
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: content.__name__)
def test_is_read_as_h5py_reads_it(tmp_path, content, version, block):
    path = tmp_path / "file.h5"
    with h5py.File(path, "w", libver=VERSIONS[version], userblock_size=block) as file:
        content(file)
    found = compare.examine(path)
    assert found.differences == []
    assert found.damaged == set()
    assert found.refused == set()


def test_names_are_found_in_no_more_than_linear_time(tmp_path):
    """20,000 attributes and links are looked up by name."""
    path = tmp_path / "file.h5"
    with h5py.File(path, "w", libver="latest") as file:
        for i in range(20_000):
            file.attrs[f"attribute {i}"] = np.int8(1)
            file[f"link {i}"] = file["/"]
    import onecast

    with onecast.File(path) as file:
        start = time.monotonic()
        assert sum(int(value) for value in file.attrs.values()) == 20_000
        assert sum(1 for name in file if file[name] == file) == 20_000
        assert time.monotonic() - start < 10
