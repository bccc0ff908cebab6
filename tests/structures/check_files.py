"""Checks and changes with h5py and h5dump the files that the writing tests made.

    check_files.py check PATH LINKS ATTRIBUTES BIG     all there?
    check_files.py change PATH LINKS ATTRIBUTES BIG    then adds and deletes, and checks again

Link i is "link%06d" to the group "/target", which is the first link "target". Attribute i is
"attr%05d" with the value i; big attribute i is "big%03d", big_value(i).
"""

import shutil
import subprocess
import sys

import h5py
import numpy as np


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, expected {wanted!r}")


def big_value(number):
    return np.full(4000 + 500 * (number % 150), number % 256, "u1")


def check_attribute(holder, name):
    number = int(name.lstrip("atrbigx"))
    value = holder.attrs[name]
    if name.startswith("big"):
        expect(np.array_equal(value, big_value(number)), True, name)
    else:
        expect(int(value), number, name)


def check(path, links, attributes):
    with h5py.File(path, "r") as file:
        expect(sorted(file), sorted(links), "links by name")
        expect(len(file), len(links), "number of links")
        expect(list(file), links, "links by creation order")
        target = file["target"].id
        same_hash = [name for name in ("link040300", "link087139") if name in links]
        for name in links[:: max(1, len(links) // 2000)] + same_hash:
            expect(file[name].id == target, True, name)
        expect("link" in file or "no such" in file, False, "a link that is not there")
        expect(list(file.attrs), attributes, "attributes by creation order")
        for name in attributes:
            check_attribute(file, name)
        names = []
        h5py.h5a.iterate(
            file.id, lambda name: names.append(name.decode()), index_type=h5py.h5.INDEX_NAME
        )
        expect(names, sorted(attributes), "attributes by name")
    if shutil.which("h5dump"):
        text = subprocess.run(["h5dump", "-A", path], capture_output=True, text=True)
        expect((text.returncode, text.stderr), (0, ""), "h5dump")
        expect(text.stdout.count('   GROUP "'), len(links), "links in h5dump")
        expect(text.stdout.count('ATTRIBUTE "'), len(attributes), "attributes in h5dump")


def change(path, links, attributes, seed):
    """Deletes and adds about a third, in random order."""
    random = np.random.default_rng(seed)
    with h5py.File(path, "r+") as file:
        gone = set(random.choice(links[1:], len(links) // 3, replace=False).tolist())
        for name in gone:
            del file[name]
        links = [name for name in links if name not in gone]
        for i in range(len(gone) + 20):
            padding = int(random.integers(0, 300 if i % 10 == 0 else 5))
            links.append(f"x{seed}{i:06}" + "y" * padding)
            file[links[-1]] = file["target"]

        gone = set(random.choice(attributes, len(attributes) // 3, replace=False).tolist())
        for name in gone:
            del file.attrs[name]
        attributes = [name for name in attributes if name not in gone]
        for i in range(len(gone) + 20):
            number = seed * 100_000 + i
            if i % 10 == 3 and i < 1000:
                attributes.append(f"bigx{i:03}{seed}")
                file.attrs[attributes[-1]] = big_value(int(attributes[-1][4:]))
            else:
                attributes.append(f"attrx{number}")
                file.attrs[attributes[-1]] = np.int64(number)
    return links, attributes


def empty(path, links, attributes):
    with h5py.File(path, "r+") as file:
        for name in links[1:]:
            del file[name]
        for name in attributes:
            del file.attrs[name]
    check(path, links[:1], [])


def main(what, path, links, attributes, big):
    links = ["target"] + [f"link{i:06}" for i in range(int(links))]
    attributes = [f"attr{i:05}" for i in range(int(attributes))]
    attributes += [f"big{i:03}" for i in range(int(big))]
    check(path, links, attributes)
    if what == "change":
        for seed in range(1, 4):
            links, attributes = change(path, links, attributes, seed)
            check(path, links, attributes)
        print(len(links), len(attributes))
    if what == "empty":
        empty(path, links, attributes)


if __name__ == "__main__":
    main(*sys.argv[1:])
