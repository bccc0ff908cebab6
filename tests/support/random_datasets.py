"""Random datasets, stored in random ways, and random parts of them for ranks"""

from __future__ import annotations

import random

import h5py
import numpy as np

import onecast

TYPES = ["i1", ">i4", "<u8", "<f4", ">f8", "?", "S5", "c16", [("a", "<i2"), ("b", ">f8")], "text"]
FILTERS = [
    {"shuffle": True},
    {"compression": "gzip", "compression_opts": 1},
    {"compression": "lzf", "shuffle": True},
    {"compression": "gzip", "shuffle": True, "fletcher32": True},
]


def values_of(dtype, count: int, seed: int):
    """Returns `count` elements, which depend only on the arguments."""
    numbers = np.random.default_rng(seed).integers(1, 100, count)
    if dtype == "text":
        return np.array(["t" * (n % 7) + str(n) for n in numbers], object)
    dtype = np.dtype(dtype)
    if dtype.names:
        values = np.zeros(count, dtype)
        for name in dtype.names:
            values[name] = numbers
        return values
    if dtype.kind == "S":
        return np.char.mod("%d", numbers).astype(dtype)
    return (numbers % 2 == 0) if dtype.kind == "b" else numbers.astype(dtype)


def is_text(dtype) -> bool:
    return isinstance(dtype, str) and dtype == "text"


class Stored:
    """A dataset, as all ranks know it"""

    def __init__(self, draw: random.Random, name: str) -> None:
        self.name = name
        self.dtype = draw.choice(TYPES)
        rank = draw.choice([1, 1, 2, 2, 3])
        most = draw.choice([6, 30, 30, 30_000]) if rank == 1 else draw.choice([5, 20, 150])
        self.shape = tuple(draw.randint(1, most) for _ in range(rank))
        if rank == 3:
            self.shape = tuple(min(n, 25) for n in self.shape)
        if is_text(self.dtype):
            self.shape = tuple(min(n, 12) for n in self.shape)
        self.layout = draw.choice(["compact", "contiguous", "contiguous", "chunked", "filtered"])
        size = 16 if is_text(self.dtype) else np.dtype(self.dtype).itemsize
        if self.layout == "compact" and np.prod(self.shape) * size > 60_000:
            self.layout = "contiguous"
        self.storage = {}
        if self.layout in ("chunked", "filtered"):
            self.storage["chunks"] = tuple(draw.randint(max(1, n // 6), n) for n in self.shape)
            if draw.random() < 0.5:
                self.storage["maxshape"] = tuple(draw.choice([None, 2 * n]) for n in self.shape)
        if self.layout == "filtered":
            self.storage |= draw.choice(FILTERS[:3] if is_text(self.dtype) else FILTERS)
        self.fill = None
        if not is_text(self.dtype) and draw.random() < 0.4:
            self.fill = values_of(self.dtype, 1, 7)[0]
        self.first = values_of(self.dtype, int(np.prod(self.shape)), draw.randrange(1 << 30))
        self.first = self.first.reshape(self.shape) if draw.random() < 0.5 else None

    def create(self, f, ours: bool):
        types = onecast if ours else h5py
        dtype = types.string_dtype() if is_text(self.dtype) else np.dtype(self.dtype)
        storage = dict(self.storage)
        if ours and self.layout in ("compact", "contiguous"):
            storage["compact"] = self.layout == "compact"
        if self.fill is not None:
            storage["fillvalue"] = self.fill
        elif not ours and not is_text(self.dtype):
            storage["fillvalue"] = np.zeros((), self.dtype)[()]  # else stock may leave anything
        return f.create_dataset(self.name, self.shape, dtype, data=self.first, **storage)

    def begin(self):
        """Returns its elements at creation."""
        if self.first is not None:
            return self.first.copy()
        if is_text(self.dtype):
            return np.full(self.shape, "", object)
        empty = np.zeros((), self.dtype) if self.fill is None else self.fill
        return np.full(self.shape, empty, self.dtype)


# --- parts -----------------------------------------------------------------------------------
def some_slices(draw: random.Random, shape, within=None, axis=0):
    """Returns slices of an array; along `axis` only within `within`."""
    part = []
    for i, n in enumerate(shape):
        low, high = within if within is not None and i == axis else (0, n)
        if draw.random() < 0.4:
            part.append(slice(low, high))
        else:
            first, last = sorted(draw.randint(low, high) for _ in range(2))
            part.append(slice(first, last, draw.choice([1, 1, 2, 3])))
    return tuple(part)


def parts_of_ranks(draw: random.Random, shape, ranks: int, kinds):
    """Returns a part for each rank, None for nothing, and the kind of the parts."""
    kind = draw.choice(kinds)
    axis = draw.randrange(len(shape))
    n = shape[axis]
    whole = [slice(None)] * len(shape)

    def along(side):
        return (*whole[:axis], side, *whole[axis + 1 :])

    if kind == "blocks":
        return kind, [along(slice(n * r // ranks, n * (r + 1) // ranks)) for r in range(ranks)]
    if kind == "cyclic":
        return kind, [along(slice(r, None, ranks)) for r in range(ranks)]
    if kind == "in blocks":
        return kind, [
            some_slices(draw, shape, (n * r // ranks, n * (r + 1) // ranks), axis)
            for r in range(ranks)
        ]
    if kind == "lists":
        owners = [draw.randrange(-1, ranks) for _ in range(n)]
        return kind, [along([i for i in range(n) if owners[i] == r]) for r in range(ranks)]
    if kind == "points":
        owners = np.random.default_rng(draw.randrange(1 << 30)).integers(-1, ranks, shape)
        return kind, [owners == r for r in range(ranks)]
    if kind == "one rank":
        one = draw.randrange(ranks)
        part = some_slices(draw, shape)
        return kind, [part if r == one else None for r in range(ranks)]
    if kind == "same":
        return kind, [draw.choice([tuple(whole), some_slices(draw, shape)])] * ranks
    if kind == "groups":
        two = [some_slices(draw, shape), some_slices(draw, shape)]
        return kind, [two[draw.randrange(2)] for _ in range(ranks)]
    assert kind == "overlapping"
    return kind, [some_slices(draw, shape) for _ in range(ranks)]


APART = ["blocks", "cyclic", "in blocks", "lists", "points", "one rank"]
ANY = [*APART, "same", "same", "groups", "overlapping"]


def nothing(shape):
    return (slice(0, 0),) * len(shape)


def is_nothing(part, shape) -> bool:
    return part is None or np.empty(shape, "u1")[part].size == 0
