"""Random programs in which some writes to the file fail. After each successful flush h5py must find
everything that was written, or if a write failed, the old data, and nothing in the file may be both
free and in use.

    python random_failures.py FOLDER --seed 0 --count 100 [--comm]
"""

import argparse
import io
import random
from pathlib import Path

import h5py

import onecast

STORAGE = {
    "contiguous": {"compact": False},
    "compact": {"compact": True},
    "chunked": {"chunks": (7,), "maxshape": (None,)},
    "filtered": {"chunks": (7,), "maxshape": (None,), "compression": "gzip"},
}
MOST = 40  # elements
TEXT = h5py.string_dtype()


class FullDisk(io.BytesIO):
    """A file whose writes fail at random."""

    def __init__(self, seed):
        super().__init__()
        self.random = random.Random(seed)
        self.rate = 0.0

    def write(self, data):
        if self.random.random() < self.rate:
            raise OSError(28, "No space left on device")
        return super().write(data)


def text_of(number):
    """Returns texts of very different lengths."""
    return f"{number} " * (number % 60 + (200 if number % 13 == 0 else 0))


class Program:
    """Each element has a set of values that it may have: several after a failed write."""

    def __init__(self, seed, folder, comm):
        self.random = random.Random(seed)
        self.disk = FullDisk(seed + 1)
        self.folder = folder
        options = {"profile": self.random.choice(["compatible", "latest"])}
        self.file = onecast.File(self.disk, "w", **options, **({"comm": comm} if comm else {}))
        self.datasets: dict[str, list[set[str]]] = {}
        self.number = 0
        self.log: list[str] = []

    def next_text(self):
        self.number += 1
        return text_of(self.number)

    def tried(self, what, call):
        self.log.append(what)
        try:
            call()
        except OSError:
            self.log[-1] += " failed"
            return False
        return True

    def run(self, steps):
        actions = [self.create, self.write, self.write, self.write, self.attribute, self.resize]
        for _ in range(steps):
            self.disk.rate = self.random.choice([0, 0, 0.05, 0.3])
            self.random.choice([*actions, self.remove, self.flush, self.flush])()
        self.disk.rate = 0
        self.file.close()
        self.expect_sound()

    def create(self):
        name, count = f"d{len(self.log)}", self.random.randrange(1, MOST)
        storage, text = self.random.choice(list(STORAGE)), self.next_text()
        filled = self.random.random() < 0.6
        data = {"data": [text] * count} if filled else {}
        if self.tried(
            f"create {name} {storage}",
            lambda: self.file.create_dataset(name, (count,), TEXT, **data, **STORAGE[storage]),
        ):
            self.datasets[name] = [{text if filled else ""} for _ in range(count)]
        else:
            assert name not in self.file

    def some_dataset(self):
        return self.random.choice(list(self.datasets)) if self.datasets else None

    def write(self):
        name = self.some_dataset()
        if not name or not self.datasets[name]:
            return
        known, text = self.datasets[name], self.next_text()
        first = self.random.randrange(len(known))
        end = self.random.randrange(first, len(known)) + 1
        part = slice(first, end)
        done = self.tried(
            f"write {name} {first}:{end}",
            lambda: self.file[name].__setitem__(part, [text] * (end - first)),
        )
        known[part] = [{text} if done else old | {text} for old in known[part]]

    def attribute(self):
        name, text = f"a{self.random.randrange(12)}", self.next_text()
        self.tried(f"attribute {name}", lambda: self.file.attrs.__setitem__(name, text))

    def resize(self):
        name = self.some_dataset()
        if not name or not self.file[name].chunks:
            return
        count, known = self.random.randrange(MOST), self.datasets[name]
        self.tried(f"resize {name} {count}", lambda: self.file[name].resize((count,)))
        if self.file[name].shape[0] == count:
            self.datasets[name] = (known + [{""} for _ in range(MOST)])[:count]

    def remove(self):
        name = self.some_dataset()
        if len(self.datasets) > 3 and self.tried(
            f"remove {name}", lambda: self.file.__delitem__(name)
        ):
            del self.datasets[name]

    def flush(self):
        if self.tried("flush", self.file.flush):
            self.expect_sound()

    def expect_sound(self):
        """Expects a sound file. Values of attributes need only be readable: h5py reads all of
        them."""
        path = self.folder / "copy.h5"
        path.write_bytes(self.disk.getvalue())
        with h5py.File(path) as f:
            assert set(f) == set(self.datasets), self.log
            for name, known in self.datasets.items():
                found = f[name].asstr()[()]
                assert len(found) == len(known), (name, self.log)
                wrong = [i for i, text in enumerate(found) if text not in known[i]]
                assert not wrong, (name, {i: found[i] for i in wrong}, self.log)
            for name in f.attrs:
                assert isinstance(f.attrs[name], str), (name, self.log)
        findings = onecast.check(path, data=True)["findings"]
        assert not [f for f in findings if f["kind"] != "note"], (findings, self.log)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--comm", action="store_true", help="open with a communicator")
    arguments = parser.parse_args()
    comm = None
    if arguments.comm:
        from mpi4py import MPI

        comm = MPI.COMM_SELF
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        try:
            Program(seed, arguments.folder, comm).run(30)
        except Exception:
            print(f"seed {seed}")
            raise
    print(f"{arguments.count} programs")


if __name__ == "__main__":
    main()
