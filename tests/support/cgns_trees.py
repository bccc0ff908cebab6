"""Trees of CGNS files, for comparison: [name, label, type, dimensions, values, children].

tree_by_h5py(path)                 what is in the file
tree_by_library(library, path)     what a CGNS library finds in it, through cgio
as_stored(node)                    a list of onecast.cgns, to compare with without_type(tree)
compare_writers(tmp_path, write)   `write(library, path)` with every library: equal trees
"""

import ctypes

import h5py
import numpy as np
import pytest
from cgns_libraries import KINDS, STOCK, library

# Libraries may store different versions.
IGNORED = ("CGNSLibraryVersion",)


def text(attribute):
    return bytes(attribute).split(b"\0")[0].decode("latin-1")


def plain(values):
    """Returns lists that compare equal for any byte order and width of integers."""
    values = np.asarray(values)
    if values.dtype.names:
        values = values["r"] + 1j * values["i"]
    return values.reshape(-1).tolist()


def _read_h5py(group, name):
    if "flags" in group.attrs or name == "/":
        assert group.attrs.get_id("name").dtype == np.dtype("S33"), name
    kind = text(group.attrs["type"])
    children = [_read_h5py(group[child], child) for child in group if not child.startswith(" ")]
    data = group.get(" data")
    dims = list(reversed(data.shape)) if data is not None else []
    if kind == "LK":
        return [name, text(group.attrs["label"]), kind, [], _link(group), []]
    values = plain(data[()]) if data is not None else []
    return [name, text(group.attrs["label"]), kind, dims, values, children]


def _link(group):
    parts = [bytes(group[part][()]) for part in (" file", " path") if part in group]
    return [part.split(b"\0")[0].decode() for part in parts]


def tree_by_h5py(path):
    """Returns the tree, with children in the order of creation."""
    with h5py.File(path, "r", track_order=True) as file:
        tree = _read_h5py(file, "/")
    tree[5] = [child for child in tree[5] if child[0] not in IGNORED]
    return tree


NUMPY = {
    "C1": np.int8,
    "B1": np.uint8,
    "I4": np.int32,
    "I8": np.int64,
    "U4": np.uint32,
    "U8": np.uint64,
    "R4": np.float32,
    "R8": np.float64,
    "X4": np.complex64,
    "X8": np.complex128,
}


def tree_by_library(lib, path):
    """Returns the tree through cgio: links are followed, and children are in the library's
    order."""
    cgio = lib.out()
    root = lib.out(ctypes.c_double)
    lib.cgio_open_file(path, ctypes.c_int(0), 2, cgio)
    lib.cgio_get_root_id(int(cgio), root)
    tree = _read_cgio(lib, int(cgio), root.value, "/")
    lib.cgio_close_file(int(cgio))
    tree[5] = [child for child in tree[5] if child[0] not in IGNORED]
    return tree


def _read_cgio(lib, cgio, node, name):
    identity = ctypes.c_double(node)
    label, kind = lib.text(), lib.text()
    lib.cgio_get_label(cgio, identity, label)
    lib.cgio_get_data_type(cgio, identity, kind)
    kind = kind.value.decode()
    dims, values = [], []
    if kind not in ("MT", "LK"):
        rank, extents = lib.out(), np.zeros(12, lib.size)
        lib.cgio_get_dimensions(cgio, identity, rank, extents)
        dims = extents[: int(rank)].tolist()
        memory = np.zeros(int(np.prod(dims)), NUMPY[kind])
        if kind == "C1":
            read = np.zeros(memory.size + 1, np.int8)
            lib.cgio_read_all_data_type(cgio, identity, kind, read)
            memory = read[: memory.size]
        else:
            lib.cgio_read_all_data_type(cgio, identity, kind, memory)
        values = plain(memory)
    count, found = lib.out(), lib.out()
    lib.cgio_number_children(cgio, identity, count)
    ids = np.zeros(max(int(count), 1), np.float64)
    if int(count):
        lib.cgio_children_ids(cgio, identity, 1, int(count), found, ids)
    children = []
    for child in ids[: int(count)]:
        its_name = lib.text()
        lib.cgio_get_name(cgio, ctypes.c_double(child), its_name)
        children.append(_read_cgio(lib, cgio, child, its_name.value.decode()))
    return [name, label.value.decode(), kind, dims, values, children]


def as_stored(node):
    """Returns name, label, dimensions, values and children of a node of onecast.cgns."""
    name, value, children, label = node
    if value is None:
        return [name, label, [], [], [as_stored(child) for child in children]]
    numbers = value.view("i1") if value.dtype.kind == "S" else value
    found = [as_stored(child) for child in children]
    return [name, label, list(value.shape), plain(numbers.T), found]


def without_type(tree):
    """Returns the tree for comparison with as_stored."""
    name, label, _, dims, values, children = tree
    return [name, label, dims, values, [without_type(child) for child in children]]


def _widened(tree):
    """Makes I4 and I8 equal, since libraries choose by their cgsize_t."""
    name, label, kind, dims, values, children = tree
    if kind in ("I4", "I8"):
        kind = "I"
    return [name, label, kind, dims, values, [_widened(child) for child in children]]


def assert_same(found, expected):
    """Expects equal trees, except for the width of integers. Names the first difference."""
    _compare(_widened(found), _widened(expected), "")


def _compare(found, expected, above):
    path = f"{above}/{expected[0]}".replace("//", "/")
    assert found[:5] == expected[:5], path
    assert [c[0] for c in found[5]] == [c[0] for c in expected[5]], f"children of {path}"
    for a, b in zip(found[5], expected[5], strict=True):
        _compare(a, b, path)


def compare_writers(tmp_path, write, readers=STOCK):
    """Writes one file with each library and expects equal trees. Each stock library must find in
    our file what h5py finds. Returns the path of our file."""
    ours = tmp_path / "ours.cgns"
    write(library("ours"), ours)
    tree = tree_by_h5py(ours)
    compared = 0
    for name in readers:
        if KINDS[name][0]() is None:
            continue
        lib = library(name)
        theirs = tmp_path / f"{name}.cgns"
        write(lib, theirs)
        assert_same(tree, tree_by_h5py(theirs))
        assert_same(tree_by_library(lib, ours), tree_by_library(lib, theirs))
        compared += 1
    if not compared:
        pytest.skip("no stock CGNS library")
    return ours
