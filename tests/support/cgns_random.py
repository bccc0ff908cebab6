"""Random trees of CGNS files, for Hypothesis, as lists [name, value, children, label].

trees(types, fitting)               a root with any nodes below; values of these types: those that
                                    fit the labels, or any
write_by_library(lib, path, tree)   as a CGNS library writes it, through cgio
"""

import ctypes
import sys

import numpy as np
from cgns_libraries import ROOT
from hypothesis import strategies as st

sys.path.append(str(ROOT / "tools"))

import cgns_tables

# The labels include some without a meaning. A file has one version.
ROWS = cgns_tables.load().labels
LABELS = [*sorted(ROWS), "OwnLabel_t", "x" * 32]
LABELS.remove("CGNSLibraryVersion_t")
DTYPES = {
    "C1": "S1",
    "I4": "i4",
    "I8": "i8",
    "R4": "f4",
    "R8": "f8",
    "U4": "u4",
    "U8": "u8",
    "X4": "c8",
    "X8": "c16",
}
# Every CGNS library has these types.
OLD_TYPES = ("C1", "I4", "I8", "R4", "R8")
MOST_VALUES, DEEPEST = 4096, 4


def names():
    """Returns names of 1 to 32 bytes. Libraries trim blanks at both ends."""
    text = st.text(st.sampled_from("abcXYZ019 _-#.:+'()ü"), min_size=1, max_size=24)
    return text.map(str.strip).filter(
        lambda name: name not in ("", ".", "..") and len(name.encode()) <= 32
    )


@st.composite
def values(draw, types):
    if draw(st.integers(0, 3)) == 0:
        return None
    kind = draw(st.sampled_from(types))
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=12))
    while np.prod(shape) > MOST_VALUES:
        shape.pop()
    random = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    if kind == "C1":
        flat = random.integers(32, 127, np.prod(shape)).astype(np.int8).view("S1")
    elif kind[0] in "IU":
        limits = np.iinfo(DTYPES[kind])
        flat = random.integers(limits.min, limits.max, np.prod(shape), DTYPES[kind], endpoint=True)
    else:
        parts = random.standard_normal((2, np.prod(shape)))
        flat = (parts[0] + 1j * parts[1] if kind[0] == "X" else parts[0]).astype(DTYPES[kind])
    return np.asfortranarray(flat.reshape(shape))


@st.composite
def children(draw, types, fitting, depth):
    found = []
    for name in draw(st.lists(names(), max_size=4, unique=True)):
        below = draw(children(types, fitting, depth + 1)) if depth < DEEPEST else []
        label = draw(st.sampled_from(LABELS))
        value = draw(values(types_for(label, types) if fitting else types))
        found.append([name, value, below, label])
    return found


def types_for(label, types):
    """Returns the types that values of the label may have. save converts others."""
    demanded = set(ROWS.get(label, {"types": ["MT"]})["types"]) - {"MT"}
    return tuple(kind for kind in types if not demanded or kind in demanded)


@st.composite
def trees(draw, types=OLD_TYPES, fitting=True):
    nodes = draw(children(types, fitting, 1))
    return ["CGNSTree", None, [n for n in nodes if n[0] != "CGNSLibraryVersion"], "CGNSTree_t"]


def write_by_library(lib, path, tree):
    file, root = lib.out(), lib.out(ctypes.c_double)
    lib.cgio_open_file(path, 1, 2, file)
    lib.cgio_get_root_id(int(file), root)
    for child in tree[2]:
        _write_node(lib, int(file), root.value, child)
    lib.cgio_close_file(int(file))


def _write_node(lib, file, parent, node):
    name, value, below, label = node
    made = lib.out(ctypes.c_double)
    lib.cgio_create_node(file, ctypes.c_double(parent), name, made)
    identity = ctypes.c_double(made.value)
    lib.cgio_set_label(file, identity, label)
    if value is not None:
        (kind,) = (kind for kind, dtype in DTYPES.items() if value.dtype == dtype)
        lib.cgio_set_dimensions(file, identity, kind, value.ndim, lib.sizes(value.shape))
        lib.cgio_write_all_data(file, identity, value)
    for child in below:
        _write_node(lib, file, made.value, child)
    lib.cgio_release_id(file, identity)
