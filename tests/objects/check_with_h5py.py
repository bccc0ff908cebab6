"""Compares what h5py finds in a file with a description of it (description.hpp), and lets h5dump
read it if it is installed.

    check_with_h5py.py FILE DESCRIPTION.json
"""

import json
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np
from h5py import h5a, h5d, h5o, h5s, h5t

ORDER = {h5t.ORDER_LE: "little", h5t.ORDER_BE: "big"}
LAYOUT = {h5d.COMPACT: 0, h5d.CONTIGUOUS: 1, h5d.CHUNKED: 2}


def type_text(t):
    size = t.get_size()
    kind = t.get_class()
    if kind == h5t.INTEGER:
        sign = "signed" if t.get_sign() == h5t.SGN_2 else "unsigned"
        return f"integer {size} {sign} {ORDER.get(t.get_order(), 'little')}"
    if kind == h5t.FLOAT:
        return f"float {size} {ORDER[t.get_order()]}"
    if kind == h5t.STRING:
        return f"string {size} padding {t.get_strpad()} set {t.get_cset()}"
    if kind == h5t.COMPOUND:
        members = "".join(
            f"{t.get_member_name(i).decode()} at {t.get_member_offset(i)}: "
            f"{type_text(t.get_member_type(i))};"
            for i in range(t.get_nmembers())
        )
        return f"compound {size} ({members})"
    return f"class {kind}"


def value_of(thing, read):
    """Returns type, shape and stored bytes of a low-level dataset or attribute."""
    space = thing.get_space()
    stored = thing.get_type()
    text = type_text(stored)
    if space.get_simple_extent_type() == h5s.NULL:
        return [text, "null", ""]
    shape = space.get_simple_extent_dims()
    values = np.zeros(shape, f"V{stored.get_size()}")
    if values.size:
        read(values, stored)
    return [text, list(shape), values.tobytes().hex()]


def attributes_of(object_id):
    names = []
    h5a.iterate(object_id, lambda name: names.append(name))
    if h5a.get_num_attrs(object_id) != len(names):
        sys.exit(f"{h5a.get_num_attrs(object_id)} attributes counted, {len(names)} found")
    found = {}
    for name in names:
        attribute = h5a.open(object_id, name)
        found[name.decode()] = value_of(attribute, lambda out, t, a=attribute: a.read(out, mtype=t))
    return found


def describe(name, thing):
    found = {"attributes": attributes_of(thing.id)}
    if isinstance(thing, h5py.Dataset):
        low = thing.id
        found["layout"] = LAYOUT[low.get_create_plist().get_layout()]
        found["value"] = value_of(low, lambda out, t: low.read(h5s.ALL, h5s.ALL, out, mtype=t))
        return {name: found}
    found["links"] = list(thing)
    described = {name: found}
    for link in found["links"]:
        described |= describe(f"{name.rstrip('/')}/{link}", thing[link])
    return described


def main(path, expected_path):
    with open(expected_path) as text:
        expected = json.load(text)
    with h5py.File(path, "r") as file:
        found = describe("/", file)
        count = h5o.get_info(file.id).rc
    if list(found) != list(expected):
        sys.exit(f"objects: found {list(found)[:50]}, expected {list(expected)[:50]}")
    for name, wanted in expected.items():
        for key, value in wanted.items():
            if found[name][key] != value:
                sys.exit(
                    f"{name}: {key}: found {str(found[name][key])[:2000]}, "
                    f"expected {str(value)[:2000]}"
                )
    if count != 1:
        sys.exit(f"the root group has {count} links")
    if shutil.which("h5dump"):
        options = [] if os.path.getsize(path) < 1 << 20 else ["-A"]
        answer = subprocess.run(["h5dump", *options, path], capture_output=True, text=True)
        if answer.returncode != 0 or answer.stderr:
            sys.exit(f"h5dump: {answer.returncode}: {answer.stderr}")


main(*sys.argv[1:])
