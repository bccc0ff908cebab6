"""Random programs of a writer for readers (SWMR), and what a reader may see of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

# One dataset for each kind of storage.
KINDS: dict[str, dict[str, Any]] = {
    "extensible array": {"shape": (0,), "maxshape": (None,), "chunks": (2,)},
    "filtered": {"shape": (0,), "maxshape": (None,), "chunks": (3,), "compression": "gzip"},
    "fixed array": {"shape": (400,), "maxshape": (400,), "chunks": (2,)},
    "large fixed array": {"shape": (5000,), "maxshape": (5000,), "chunks": (1,)},
    "btree": {"shape": (0, 0), "maxshape": (None, None), "chunks": (2, 2)},
    "one chunk": {"shape": (50,), "maxshape": (50,), "chunks": (50,)},
    "contiguous": {"shape": (40,)},
}


def attributes_at_first(name: str) -> dict[str, int]:
    """Those of one dataset are stored densely."""
    return {f"a{n}": n for n in range(12 if name == "btree" else 6)}


# The HDF5 library changes these in an order in which its own readers fail: it refers to contiguous
# data, and to pages of the array, before they are in the file.
NOT_IN_ORDER_BY_HDF5 = ("contiguous", "large fixed array")
# The newest file format that HDF5 1.10 reads
NEWEST: dict[str, dict[str, Any]] = {
    "h5py": {"libver": ("v110", "v110")},
    "onecast": {"profile": "latest"},
}
# The elements and the attributes of each dataset
Contents = dict[str, tuple[np.ndarray, dict[str, int]]]


def contents_of(f) -> Contents:
    return {
        name: (f[name][...], {key: int(value) for key, value in f[name].attrs.items()})
        for name in KINDS
    }


def make(target, library) -> Any:
    """Creates the file of a Model that has not changed yet."""
    f = library.File(target, "w", **NEWEST[library.__name__])
    for name, how in KINDS.items():
        f.create_dataset(name, dtype="i8", **how)
        for key, value in attributes_at_first(name).items():
            f[name].attrs[key] = value
    f.flush()
    return f


@dataclass
class Change:
    """What a writer does to one dataset."""

    name: str
    shape: tuple[int, ...] | None = None
    rows: slice | None = None
    values: np.ndarray | None = None
    attribute: tuple[str, int] | None = None

    def apply(self, f) -> None:
        dataset = f[self.name]
        if self.shape is not None:
            dataset.resize(self.shape)
        if self.values is not None and self.values.size:
            dataset[self.rows] = self.values
        if self.attribute is not None:
            dataset.attrs.modify(*self.attribute)


class Model:
    """What the last flush of a writer left, what each flush that failed since may have written, and
    what the next one writes."""

    def __init__(self) -> None:
        self.now: Contents = {
            name: (np.zeros(how["shape"], "i8"), attributes_at_first(name))
            for name, how in KINDS.items()
        }
        self.states: list[Contents] = []
        self.flushed()

    def tried(self) -> None:
        self.states.append({n: (v.copy(), dict(a)) for n, (v, a) in self.now.items()})

    def flushed(self) -> None:
        self.states = []
        self.tried()

    def change(self, rng: random.Random, library: str = "onecast") -> list[Change]:
        """Changes a few datasets and attributes as the library can."""
        by_hdf5 = library == "h5py"
        names = sorted(set(KINDS).difference(NOT_IN_ORDER_BY_HDF5 if by_hdf5 else ()))
        return [
            # That library cannot turn to dense storage of attributes meanwhile.
            self._change(rng, name, adds_attributes=not by_hdf5)
            for name in rng.sample(names, rng.randint(1, 3))
        ]

    def _change(self, rng: random.Random, name: str, *, adds_attributes: bool) -> Change:
        change = Change(name)
        value, attributes = self.now[name]
        if None in KINDS[name].get("maxshape", ()) and rng.random() < 0.8:
            change.shape = tuple(n + rng.choice((0, 1, 1, 2, 7)) for n in value.shape)
            grown = np.zeros(change.shape, "i8")
            grown[tuple(map(slice, value.shape))] = value
            change.rows = slice(value.shape[0], None)
            grown[change.rows] = rng.randint(1, 1 << 40)
            value = grown
        elif value.size:
            first = rng.randrange(value.shape[0])
            change.rows = slice(first, first + rng.randint(1, 5))
            value = value.copy()
            value[change.rows] = rng.randint(1, 1 << 40)
        if change.rows is not None:
            change.values = value[change.rows]
        if rng.random() < 0.5:
            last = 11 if adds_attributes else len(attributes) - 1
            change.attribute = (f"a{rng.randint(0, last)}", rng.randint(0, 1 << 30))
            attributes = attributes | dict([change.attribute])
        self.now[name] = (value, attributes)
        return change

    def compare(self, found: Contents) -> None:
        for name in KINDS:
            states = [state[name] for state in [*self.states, self.now]]
            compare_elements(name, [value for value, _ in states], found[name][0])
            for key in set(found[name][1]).union(*(attributes for _, attributes in states)):
                may_be = [attributes.get(key) for _, attributes in states]
                assert found[name][1].get(key) in may_be, (name, key)


def compare_elements(name: str, states: list[np.ndarray], found: np.ndarray) -> None:
    """Expects the shape of a state, and each element as it is in one; those that the first state
    did not have yet, in a state with that shape."""
    grown = np.ones(found.shape, bool)
    grown[tuple(map(slice, states[0].shape))] = False
    known = np.zeros(found.shape, bool)
    for state in states:
        part = tuple(map(slice, np.minimum(found.shape, state.shape)))
        known[part] |= found[part] == state[part]
    assert found.shape in [state.shape for state in states], (name, found.shape)
    assert known.all(), name
    later = [s for s in states if all(n >= m for n, m in zip(s.shape, found.shape, strict=True))]
    assert not grown.any() or any(
        (found[grown] == s[tuple(map(slice, found.shape))][grown]).all() for s in later
    ), name
