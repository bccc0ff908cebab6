"""Ways to damage a CGNS file: damaged_file(path, name), and the expected errors."""

import cgns_lists
import h5py
import numpy as np

import onecast.cgns

ZONE = "/Base/Zone"


def node(group, name, label="UserDefinedData_t", kind="MT"):
    made = group.create_group(name, track_order=True)
    for key, value, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        made.attrs.create(key, np.bytes_(value), dtype=f"S{size}")
    return made


def link(group, name, target):
    made = node(group, name, "", "LK")
    made[" link"] = h5py.SoftLink(target)
    made[" path"] = np.frombuffer(target.encode() + b"\0", "i1")
    return made


def relabel(file, value, dtype):
    del file[ZONE].attrs["label"]
    file[ZONE].attrs.create("label", value, dtype=dtype)


def retype(file, value):
    del file[ZONE].attrs["type"]
    file[ZONE].attrs.create("type", np.bytes_(value), dtype="S3")


def redata(file, **options):
    del file[f"{ZONE}/ data"]
    file[ZONE].create_dataset(" data", **options)


def replaced_by_group(file):
    del file[f"{ZONE}/ data"]
    file[ZONE].create_group(" data")


def without_attribute(name):
    return lambda file: file[ZONE].attrs.__delitem__(name)


def hard_cycle(file):
    file[f"{ZONE}/Again"] = file["/Base"]


def deep(file):
    group = file[ZONE]
    for _ in range(400):
        group = node(group, "D")


def own_cycle(file):
    link(file[ZONE], "Self", f"{ZONE}/Self")


def two_links(file):
    link(file[ZONE], "A", f"{ZONE}/B")
    link(file[ZONE], "B", f"{ZONE}/A")


def link_above(file):
    link(file[ZONE], "Up", "/Base")


def link_without_path(file):
    made = link(file[ZONE], "L", "/Base")
    del made[" path"]


# Each entry has the change to the file, what check reports at the zone or below, and what load
# raises.
DAMAGES = {
    "long label": (lambda f: relabel(f, np.bytes_("x" * 90), "S90"), "no text of 33 bytes", None),
    "label of variable length": (
        lambda f: relabel(f, "Zone_t", h5py.string_dtype()),
        "'label': not a text|no text of 33",
        "label",
    ),
    "number for a label": (lambda f: relabel(f, 7, "i4"), "not a text", "not a text"),
    "no label": (without_attribute("label"), "'label'.* missing", "'label': missing"),
    "no type": (without_attribute("type"), "'type'.* missing", "'type': missing"),
    "no name": (without_attribute("name"), "'name' is missing", None),
    "unknown type": (lambda f: retype(f, "ZZ"), "unknown data type 'ZZ'", "data type 'ZZ'"),
    "wrong type": (lambda f: retype(f, "R8"), "type R8 is not I4 or I8", None),
    "no value": (lambda f: f[ZONE].__delitem__(" data"), "value is missing", None),
    "value is a group": (replaced_by_group, "data", "data"),
    "wrong shape": (
        lambda f: redata(f, data=np.zeros((3, 4), "i4")),
        "sizes of a zone are not",
        None,
    ),
    "one dimension": (lambda f: redata(f, data=np.zeros(9, "i4")), "are not 3 x 3", None),
    "scalar": (lambda f: redata(f, data=np.int32(1)), "has 0 dimensions", None),
    "empty": (lambda f: redata(f, shape=(3, 0), dtype="i4"), "sizes of a zone are not", None),
    "huge": (
        lambda f: redata(f, shape=(3, 1 << 60), dtype="i4", chunks=(1, 1024)),
        "sizes of a zone are not",
        "allocate|too|large|MemoryError|Unable",
    ),
    "text for numbers": (lambda f: redata(f, data=np.bytes_("abc")), "", "conver|type"),
    "cells do not fit": (
        lambda f: redata(f, data=np.array([[4, 3, 2], [4, 3, 2], [0, 0, 0]], "i4")),
        "of 4 vertices in dimension 1 there are 4 cells",
        None,
    ),
    "array does not fit": (
        lambda f: redata(f, data=np.array([[9, 3, 2], [8, 2, 1], [0, 0, 0]], "i4")),
        "dimensions 4 x 3 x 2 are not those of the zone",
        None,
    ),
    "no zone type": (lambda f: f[ZONE].__delitem__("ZoneType"), "missing children: ZoneType", None),
    "wrong label here": (lambda f: node(f[ZONE], "X", "Zone_t"), "no Zone_t stands below", None),
    "unknown label": (lambda f: node(f[ZONE], "X", "Foo_t"), "'Foo_t' is none of CGNS", None),
    "wrong name here": (
        lambda f: node(f[ZONE], "X", "ZoneBC_t"),
        "has the name 'ZoneBC'",
        None,
    ),
    "long name": (lambda f: node(f[ZONE], "x" * 200), "has 200 characters", None),
    "own cycle": (own_cycle, "leads to nothing", "leads to nothing"),
    "two links": (two_links, "leads to nothing", "leads to nothing"),
    "link above": (link_above, None, "leads back to /Base"),
    "link without path": (link_without_path, " path", " path"),
    "hard cycle": (hard_cycle, "leads back to /Base", "leads back to /Base"),
    "deep": (deep, "too deep", "too deep"),
}


def damaged_file(path, name):
    """Writes the sample file with one kind of damage. Returns what check and load should report."""
    onecast.cgns.save(path, cgns_lists.sample())
    damage, rule, error = DAMAGES[name]
    with h5py.File(path, "r+") as file:
        damage(file)
    return rule, error
