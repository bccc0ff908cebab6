"""Random programs of many sessions, which h5py and Onecast can carry out alike.

A session opens a file, changes it in place and in freed space, and closes it. Its actions follow
from its number, its seed and the contents of the file, so both libraries do the same.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

TEXT = h5py.string_dtype()
MOST_MEMBERS = 60
KINDS: dict[str, dict] = {
    "contiguous": {},
    "chunks": {"chunks": (16,), "maxshape": (None,)},
    "compressed": {"chunks": (40,), "maxshape": (None,), "compression": "gzip", "shuffle": True},
    "checksummed": {"chunks": (7,), "maxshape": (None,), "fletcher32": True},
    "texts": {"chunks": (16,), "maxshape": (None,), "dtype": TEXT},
    "texts at once": {"dtype": TEXT},
    "fixed": {"chunks": (25,), "maxshape": (4000,), "compression": "gzip"},
    "table": {"chunks": (9, 2), "maxshape": (None, None)},
    "compressed table": {"chunks": (4, 3), "maxshape": (None, None), "compression": "gzip"},
}


def write_alone(dataset, part: slice, values) -> None:
    dataset[part] = values


class Session:
    """One session of a program. `write(dataset, part, values)` writes. With `in_place` it also
    writes over stored bytes, which no flush can take back. `options` are those of all datasets."""

    def __init__(
        self,
        seed: int,
        number: int | str,
        write: Callable = write_alone,
        in_place: bool = True,
        **options: object,
    ) -> None:
        self.random = random.Random(f"{seed} {number}")
        self.write, self.in_place, self.options = write, in_place, options

    def change(self, f) -> None:
        if "many" not in f:
            f.create_group("many")
        ways = [self.create, self.create, self.append, self.shrink, self.overwrite, self.remove,
                self.move, self.add_members, self.remove_members, self.set_attributes,
                self.remove_attributes]  # fmt: skip
        for _ in range(self.random.randint(1, 6)):
            self.random.choice(ways)(f)

    # --- what is drawn ---------------------------------------------------------------------------
    def datasets(self, f, resizable: bool = False) -> list:
        found = [f[name] for name in sorted(f) if name != "many"]
        return [d for d in found if d.chunks is not None] if resizable else found

    def values(self, dataset, rows: int):
        start = self.random.randrange(1000)
        if dataset.dtype.kind == "O":
            return [f"text {start + i} " * ((start + i) % 4) for i in range(rows)]
        shape = (rows, *dataset.shape[1:])
        return (np.arange(np.prod(shape)).reshape(shape) + start).astype(dataset.dtype)

    # --- datasets --------------------------------------------------------------------------------
    def create(self, f) -> None:
        name = f"d{self.random.randrange(1000)}"
        kind = self.random.choice(list(KINDS))
        options = {"dtype": self.random.choice(["<i4", "<f8", "u1"])} | KINDS[kind]
        count = self.random.choice([1, 5, 40, 300, 2000])
        if name in f:
            return
        if kind == "contiguous" and isinstance(f, h5py.Group):
            options["fillvalue"] = 0  # otherwise stock HDF5 shows old contents
        columns = (5,) * (len(options.get("maxshape", (None,))) - 1)
        dataset = f.create_dataset(name, (count, *columns), **options, **self.options)
        # It writes only a part: the rest must not show old contents.
        first = self.random.randrange(count)
        last = self.random.choice([first, count, self.random.randint(first, count)])
        if last > first:
            self.write(dataset, slice(first, last), self.values(dataset, last - first))

    def append(self, f) -> None:
        if found := self.datasets(f, resizable=True):
            dataset = self.random.choice(found)
            before, more = len(dataset), self.random.choice([1, 3, 30, 200])
            if dataset.maxshape[0] is not None and before + more > dataset.maxshape[0]:
                return
            # A table may get more columns as well.
            columns = [n + self.random.choice([0, 0, 3]) for n in dataset.shape[1:]]
            dataset.resize((before + more, *columns))
            skipped = self.random.choice([0, 0, 1])
            if not self.in_place and before % dataset.chunks[0] != 0:
                return
            part = slice(before + skipped, before + more)
            if more > skipped:
                self.write(dataset, part, self.values(dataset, more - skipped))

    def shrink(self, f) -> None:
        if found := self.datasets(f, resizable=True):
            dataset = self.random.choice(found)
            count = self.random.randint(0, len(dataset))
            if not self.in_place:
                count -= count % dataset.chunks[0]
            columns = [self.random.randint(1, n) if self.in_place else n for n in dataset.shape[1:]]
            dataset.resize((count, *columns))

    def overwrite(self, f) -> None:
        found = [d for d in self.datasets(f) if len(d) and (self.in_place or d.compression)]
        if found:
            dataset = self.random.choice(found)
            first = self.random.randrange(len(dataset))
            last = self.random.randint(first + 1, len(dataset))
            values = self.values(dataset, last - first)
            self.write(dataset, slice(first, last), values)

    def remove(self, f) -> None:
        if found := self.datasets(f):
            del f[self.random.choice(found).name]

    def move(self, f) -> None:
        if found := self.datasets(f):
            name = f"d{self.random.randrange(1000)}"
            if name not in f:
                f.move(self.random.choice(found).name, name)

    # --- many links, many attributes -------------------------------------------------------------
    def add_members(self, f) -> None:
        many, number = f["many"], self.random.randrange(10_000)
        for i in range(self.random.choice([1, 5, 40])):
            name = f"member {number + i}" + "-" * self.random.choice([0, 0, 100])
            if name not in many and len(many) < MOST_MEMBERS:
                many.create_group(name)

    def remove_members(self, f) -> None:
        names = sorted(f["many"])
        for name in self.random.sample(names, self.random.choice([0, len(names) // 2, len(names)])):
            del f["many"][name]

    def set_attributes(self, f) -> None:
        thing = self.random.choice([f, f["many"], *self.datasets(f)])
        for _ in range(self.random.choice([1, 1, 12])):
            name = f"attribute {self.random.randrange(20)}"
            size = self.random.choice([1, 1, 30, 1200])
            thing.attrs[name] = np.arange(size) + self.random.randrange(100)

    def remove_attributes(self, f) -> None:
        thing = self.random.choice([f, f["many"], *self.datasets(f)])
        names = sorted(thing.attrs)
        for name in self.random.sample(names, self.random.choice([0, len(names) // 2, len(names)])):
            del thing.attrs[name]


def checksum_of(_library, dataset) -> tuple:
    values = dataset[()]
    texts = values.dtype.kind == "O"
    content = b"\0".join(values) if texts else values.tobytes()
    return dataset.shape, str(dataset.dtype), zlib.crc32(content)


def plain(value):
    found = np.asarray(value).tolist()
    return found.decode() if isinstance(found, bytes) else found


def describe(library, path: Path, value_of: Callable = checksum_of) -> dict | None:
    """Returns everything in a file as `library` reads it; None if it refuses the file.
    `value_of(library, dataset)` returns the values' form."""
    found = {}

    def visit(name: str, thing) -> None:
        found[name] = {key: plain(thing.attrs[key]) for key in sorted(thing.attrs)}
        if isinstance(thing, library.Dataset):
            found[name]["values"] = value_of(library, thing)

    try:
        with library.File(path, "r") as f:
            visit("/", f)
            f.visititems(visit)
    except OSError:
        return None
    return found


def differences(found: dict, expected: dict) -> list[str]:
    """Returns the first names that differ, with both values."""
    names = [name for name in sorted(found.keys() | expected.keys())
             if found.get(name) != expected.get(name)]  # fmt: skip
    return [f"{name}: {found.get(name)} not {expected.get(name)}"[:300] for name in names[:5]]
