"""Writes, with h5py, the files that foreign_test.cpp opens. Element i of a dataset has the value i.

make_foreign.py old|new PATH
"""

import sys

import h5py
import numpy as np

SHAPE = (20, 30, 7)


def values(dtype):
    return np.arange(np.prod(SHAPE)).reshape(SHAPE).astype(dtype)


def write_links(file):
    file["links/soft"] = h5py.SoftLink("/data/contiguous")
    file["links/relative"] = h5py.SoftLink("below/group")
    file["links/below/group/in"] = h5py.SoftLink("/links/soft")
    file["links/to group"] = h5py.SoftLink("/data/")
    file["links/dangling"] = h5py.SoftLink("/nothing/here")
    file["links/through data"] = h5py.SoftLink("/data/contiguous/x")
    file["links/loop1"] = h5py.SoftLink("/links/loop2")
    file["links/loop2"] = h5py.SoftLink("loop1")
    file["links/external"] = h5py.ExternalLink("other.h5", "/there")
    file["links/hard"] = file["data/contiguous"]
    for i in range(20):
        file[f"links/chain{i}"] = h5py.SoftLink(f"/links/chain{i + 1}")
    file["links/chain20"] = file["data"]


def write_data(file):
    data = file.create_group("data")
    data.create_dataset("contiguous", data=values("i4"))
    data.create_dataset("big", data=values(">i4"))
    data.create_dataset("chunked", data=values("i4"), chunks=(6, 7, 3))
    data.create_dataset("deflate", data=values("f8"), chunks=(6, 7, 3), compression="gzip")
    data.create_dataset(
        "shuffled", data=values("i4"), chunks=(7, 30, 2), compression="gzip", shuffle=True
    )
    data.create_dataset(
        "checked", data=values(">f4"), chunks=(1, 11, 7), fletcher32=True, shuffle=True
    )
    data.create_dataset("growing", data=values("i2"), maxshape=(None, 40, 7), chunks=(3, 3, 3))
    part = data.create_dataset("part", SHAPE, "i4", chunks=(5, 5, 5), fillvalue=-3)
    part[5:10, 5:10, 0:5] = values("i4")[5:10, 5:10, 0:5]
    data.create_dataset("unwritten", SHAPE, "i4", fillvalue=9)
    data.create_dataset("unwritten chunks", SHAPE, "i4", chunks=(5, 5, 5))


def write_texts(file):
    texts = ["", "one", "zwei \u20ac", "x" * 5000]
    group = file.create_group("texts")
    group.create_dataset("variable", data=texts, dtype=h5py.string_dtype())
    group.create_dataset("unwritten", 3, dtype=h5py.string_dtype())
    group.create_dataset("fixed", data=np.array([b"", b"one", b"two"], "S5"))
    group.attrs["variable"] = texts[2]
    group.attrs["list"] = texts
    group.attrs["fixed"] = np.bytes_(b"fixed")


def write_types(file):
    group = file.create_group("types")
    group["committed"] = np.dtype([("a", "<i4"), ("b", ">f8"), ("c", "S3")])
    group.create_dataset("of committed", 4, dtype=group["committed"])
    group.attrs.create(
        "of committed", np.zeros(2, group["committed"].dtype), dtype=group["committed"]
    )
    group.create_dataset("enumeration", data=[1, 2], dtype=h5py.enum_dtype({"one": 1, "two": 2}))
    group.create_dataset("array", 2, dtype=np.dtype(("i4", (2, 3))))
    group.create_dataset("opaque", data=np.zeros(2, "V5"))
    group.create_dataset("null", data=h5py.Empty("f4"))
    group.create_dataset("scalar", data=2.5)
    group.attrs["null"] = h5py.Empty("i4")


def write(path, libver):
    with h5py.File(path, "w", libver=libver) as file:
        write_data(file)
        write_links(file)
        write_texts(file)
        write_types(file)
        many = file.create_group("many")
        for i in range(1000):
            many.create_group(f"group{i:04}").attrs["i"] = i
        layout = h5py.VirtualLayout((20, 30, 7), "i4")
        layout[:] = h5py.VirtualSource(file["data/contiguous"])
        file.create_virtual_dataset("virtual", layout)


if __name__ == "__main__":
    write(sys.argv[2], {"old": "earliest", "new": "latest"}[sys.argv[1]])
