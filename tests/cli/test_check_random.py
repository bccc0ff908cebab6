"""onecast check finds every file sound that h5py wrote in several random sessions.

`python tests/cli/test_check_random.py FIRST LAST` runs more seeds."""

import random
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

pytestmark = pytest.mark.long

SEEDS = 24
LIBVERS = ["earliest", "latest", ("earliest", "v108"), ("v108", "v108"), ("v110", "v110")]
LENGTHS = [1, 8, 40, 200, 1000, 2000, 3000, 4090, 6000]


class Session:
    """Makes changes to one file that is open for writing."""

    def __init__(self, file, draw, number):
        self.file = file
        self.draw = draw
        self.number = number
        self.made = 0

    def name(self):
        self.made += 1
        letter = self.draw.choice("abc")
        return f"{self.number}_{self.made}_" + letter * self.draw.choice(LENGTHS)

    def groups(self):
        found = [self.file]
        self.file.visititems(lambda _, o: found.append(o) if isinstance(o, h5py.Group) else None)
        return found

    def group(self):
        return self.draw.choice(self.groups())

    def datasets(self):
        found = []
        self.file.visititems(lambda _, o: found.append(o) if isinstance(o, h5py.Dataset) else None)
        return found

    def add_groups(self):
        group = self.group()
        for _ in range(self.draw.choice([1, 2, 25])):
            group.create_group(self.name(), track_order=self.draw.choice([True, False]))

    def add_links(self):
        group = self.group()
        for _ in range(self.draw.choice([1, 30])):
            target = "/t" * self.draw.choice([1, 10, 500, 2500])
            group[self.name()] = self.draw.choice(
                [h5py.SoftLink(target), h5py.ExternalLink("other.h5", target)]
            )

    def rename(self):
        group = self.group()
        for old in self.draw.sample(list(group), min(len(group), self.draw.choice([1, 3, 20]))):
            group.move(old, self.name())

    def remove(self):
        group = self.group()
        for old in self.draw.sample(list(group), min(len(group), self.draw.choice([1, 2, 15]))):
            del group[old]

    def set_attributes(self):
        owner = self.draw.choice(self.groups() + self.datasets())
        for _ in range(self.draw.choice([1, 3, 30])):
            value = np.arange(self.draw.choice([1, 20, 300, 3000]))
            owner.attrs[self.name()[:200]] = self.draw.choice([value, "text" * len(value)])

    def change_attributes(self):
        owner = self.draw.choice(self.groups() + self.datasets())
        for name in self.draw.sample(list(owner.attrs), len(owner.attrs) // 2):
            if self.draw.choice([True, False]):
                del owner.attrs[name]
            else:
                owner.attrs[name] = np.arange(self.draw.choice([1, 50, 900]))

    def add_dataset(self):
        rank = self.draw.choice([1, 2])
        shape = tuple(self.draw.choice([1, 7, 60, 200]) for _ in range(rank))
        kind = self.draw.choice(["f4", "f4", "i8", h5py.string_dtype()])
        is_text = h5py.check_string_dtype(np.dtype(kind)) is not None
        options = {}
        if self.draw.random() < 0.8:
            options["chunks"] = tuple(self.draw.randint(1, min(n, 30)) for n in shape)
            if self.draw.random() < 0.7:
                unlimited = self.draw.choice([(None,) * rank, (None, *shape[1:])])
                options["maxshape"] = self.draw.choice([unlimited, tuple(2 * n for n in shape)])
            if self.draw.random() < 0.5 and not is_text:
                options["compression"] = self.draw.choice(["gzip", "lzf"])
            options["fletcher32"] = not is_text and self.draw.choice([True, False])
        if not is_text and self.draw.random() < 0.5:
            options["fillvalue"] = 5
        dataset = self.group().create_dataset(self.name(), shape, kind, **options)
        if self.draw.random() < 0.8:
            self.fill(dataset)

    def fill(self, dataset):
        part = tuple(slice(self.draw.randrange(n), None) for n in dataset.shape)
        if any(n == 0 for n in dataset.shape):
            return
        dataset[part] = "text" if dataset.dtype.kind == "O" else self.draw.randrange(100)

    def write(self):
        for dataset in self.datasets()[:3]:
            if dataset.shape and min(dataset.shape) > 0:
                self.fill(dataset)

    def resize(self):
        for dataset in self.datasets():
            if dataset.chunks is None or self.draw.random() < 0.5:
                continue
            most = [m or 300 for m in dataset.maxshape]
            dataset.resize(tuple(self.draw.randint(0, m) for m in most))

    def step(self):
        steps = [self.add_groups, self.add_links, self.rename, self.rename, self.remove]
        steps += [self.set_attributes, self.change_attributes, self.add_dataset, self.add_dataset]
        self.draw.choice([*steps, self.write, self.resize])()


def make(path, seed):
    """Makes a file, and yields after each session."""
    draw = random.Random(seed)
    libver = draw.choice(LIBVERS)
    options = {"track_order": draw.choice([True, False])}
    if draw.random() < 0.2:
        options["userblock_size"] = 512
    # HDF5 1.8 had no strategies.
    if "v108" not in libver and draw.random() < 0.5:
        options["fs_strategy"] = draw.choice(["page", "fsm", "aggregate", "none"])
        options["fs_persist"] = options["fs_strategy"] in ("page", "fsm") and draw.random() < 0.6
    for number in range(draw.randint(1, 4)):
        mode = {"mode": "r+"} if number else {"mode": "w", **options}
        with h5py.File(path, libver=libver, **mode) as f:
            session = Session(f, draw, number)
            for _ in range(draw.choice([2, 8, 20])):
                session.step()
        yield number


def run(path, seed):
    for number in make(path, seed):
        report = onecast.check(path, data=True)
        findings = [f for f in report["findings"] if f["kind"] != "note"]
        assert findings == [], f"seed {seed}, after session {number}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_h5py_wrote_is_sound(path, seed):
    run(path, seed)


def test_a_long_name_in_a_small_heap_is_renamed(path):
    with h5py.File(path, "w", libver="latest") as f:
        f.create_group("n" * 2010)
        for i in range(20):
            f.create_group(f"group {i}")
    with h5py.File(path, "r+", libver="latest") as f:
        f.move("n" * 2010, "short")
        f.move("short", "n" * 2010)
    assert onecast.check(path, data=True)["findings"] == []


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for s in range(int(sys.argv[1]), int(sys.argv[2])):
            run(Path(folder) / "file.h5", s)
