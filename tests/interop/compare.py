"""Compares what Onecast and h5py read: every object, link, attribute, type and value.

python tests/interop/compare.py FILE...                      # prints the differences
mpiexec -n 3 python tests/interop/compare.py --mpi FILE...   # the same through a communicator
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import onecast

MOST_ELEMENTS = 1_000_000
CLASSES = {
    "integer": h5py.h5t.INTEGER,
    "floating": h5py.h5t.FLOAT,
    "time": h5py.h5t.TIME,
    "string": h5py.h5t.STRING,
    "bitfield": h5py.h5t.BITFIELD,
    "opaque": h5py.h5t.OPAQUE,
    "compound": h5py.h5t.COMPOUND,
    "reference": h5py.h5t.REFERENCE,
    "enumeration": h5py.h5t.ENUM,
    "variable_string": h5py.h5t.STRING,
    "sequence": h5py.h5t.VLEN,
    "array": h5py.h5t.ARRAY,
    "complex": 11,
}


@dataclass
class Findings:
    """The findings for one file."""

    refused: set[str] = field(default_factory=set)  # names of features
    damaged: set[str] = field(default_factory=set)  # reported for bytes that h5py reads
    differences: list[str] = field(default_factory=list)
    values: int = 0  # values that were compared and are equal


def examine(path: Path, comm: Any = None, compares: bool = True) -> Findings:
    """Compares everything that Onecast reads with what h5py reads. Collective with a communicator:
    all ranks open the file, and those with `compares` look at everything."""
    found = Findings()
    comparison = Comparison(found)
    theirs = attempt(lambda: h5py.File(path))
    ours = comparison.try_ours(lambda: onecast.File(path, comm=comm), theirs is not None)
    if ours is not None and theirs is not None:
        with ours, theirs:
            if compares:
                comparison.objects(ours, theirs)
    return found


def attempt(action: Callable[[], Any]) -> Any:
    """Returns None if h5py fails in any way."""
    try:
        return action()
    except Exception:
        return None


class Comparison:
    def __init__(self, found: Findings) -> None:
        self.found = found
        self.seen: set[Any] = set()

    def try_ours(self, action: Callable[[], Any], h5py_reads: bool) -> Any:
        """Returns None if the object was refused by name or called damaged."""
        try:
            return action()
        except onecast.UnsupportedError as error:
            self.found.refused.add(feature_of(str(error)))
        except onecast.FormatError as error:
            if h5py_reads:
                self.found.damaged.add(re.sub(r"^.*?: (address 0x\w+: )?", "", str(error)))
        except OSError:  # a file that belongs to this one is missing
            if h5py_reads:
                raise
        return None

    def objects(self, ours: Any, theirs: Any) -> None:
        """Compares all objects below, each once."""
        pending = [(ours, theirs)]
        while pending:
            mine, other = pending.pop()
            if other.id in self.seen:
                continue
            self.seen.add(other.id)
            self.attributes(mine, other)
            if isinstance(other, h5py.Group):
                pending.extend(self.members(mine, other))
            elif isinstance(other, h5py.Dataset):
                self.dataset(mine, other)

    def members(self, ours: Any, theirs: Any) -> Iterator[tuple[Any, Any]]:
        links = self.try_ours(ours.links, h5py_reads=True)
        if links is None:
            return
        # h5py cannot list a group if it finds a name that is not a text.
        names = attempt(lambda: set(theirs))
        if names is None:
            return
        self.equal(set(links), names, f"{ours.name}: names")
        for name in sorted(names & set(links)):
            where = f"{ours.name}/{name}"
            link = attempt(lambda name=name: theirs.get(name, getlink=True))
            if link is not None:
                self.equal(type(links[name]).__name__, type(link).__name__, where)
            if isinstance(link, h5py.SoftLink | h5py.ExternalLink):
                self.equal(links[name].path, link.path, where)
            member = attempt(lambda name=name: theirs[name])
            mine = None
            with suppress(KeyError):
                mine = self.try_ours(lambda name=name: ours[name], member is not None)
            if member is not None and mine is not None:
                yield mine, member

    def attributes(self, ours: Any, theirs: Any) -> None:
        expected = attempt(lambda: set(theirs.attrs))
        names = self.try_ours(lambda: set(ours.attrs), h5py_reads=expected is not None)
        if names is None or expected is None:
            return
        self.equal(names, expected, f"{ours.name}: attributes")
        for name in sorted(names & expected):
            where = f"{ours.name}@{name}"
            stored = theirs.attrs.get_id(name)
            self.header(
                lambda name=name: (ours.attrs.get_type(name), ours.attrs.get_shape(name)),
                stored,
                where,
            )
            self.value(lambda n=name: ours.attrs[n], lambda n=name: theirs.attrs[n], where)

    def dataset(self, ours: Any, theirs: Any) -> None:
        self.header(lambda: (ours.datatype, ours.shape), theirs.id, ours.name)
        shape = self.try_ours(lambda: ours.shape, h5py_reads=True)
        if shape is None and theirs.shape is not None:
            return
        self.equal(ours.maxshape, theirs.maxshape, f"{ours.name}: maxshape")
        self.equal(ours.chunks, theirs.chunks, f"{ours.name}: chunks")
        self.equal(ours.external, theirs.external, f"{ours.name}: external")
        self.equal(ours.is_virtual, theirs.is_virtual, f"{ours.name}: is_virtual")
        selection = ()
        if (theirs.size or 0) > MOST_ELEMENTS:
            selection = tuple(slice(n // 2, n // 2 + 2) for n in theirs.shape)
        self.value(lambda: ours[selection], lambda: theirs[selection], ours.name)

    def header(self, ours: Callable[[], Any], theirs: Any, where: str) -> None:
        header = self.try_ours(ours, h5py_reads=True)
        if header is None:
            return
        stored, shape = header
        space = theirs.get_space()
        null = space.get_simple_extent_type() == h5py.h5s.NULL
        self.equal(shape, None if null else space.shape, f"{where}: shape")
        type_id = theirs.get_type()
        if stored.type_class.name in ("integer", "floating", "string", "bitfield", "opaque"):
            self.equal(stored.size, type_id.get_size(), f"{where}: size of the type")
        self.equal(CLASSES[stored.type_class.name], type_id.get_class(), f"{where}: class")

    def value(self, ours: Callable[[], Any], theirs: Callable[[], Any], where: str) -> None:
        expected = attempt(theirs)
        mine = self.try_ours(ours, h5py_reads=expected is not None)
        if expected is None or mine is None:
            return
        before = len(self.found.differences)
        if isinstance(expected, h5py.Empty):
            self.equal(type(mine).__name__, "Empty", where)
        else:
            self.equal(plain(mine), plain(expected), where)
        self.found.values += before == len(self.found.differences)

    def equal(self, ours: Any, theirs: Any, where: str) -> None:
        if ours != theirs:
            self.found.differences.append(f"{where}: {str(ours)[:200]} and not {str(theirs)[:200]}")


def plain(value: Any) -> Any:
    """Returns a value that compares bit by bit."""
    array = np.asarray(value)
    if array.dtype.kind in "OSU":
        return array.shape, [plain_element(element) for element in array.flat]
    return array.shape, array.dtype.str, array.tobytes() if not array.dtype.names else fields(array)


def fields(array: np.ndarray) -> list[Any]:
    """Returns the members without the bytes between them, which mean nothing."""
    return [(name, plain(array[name])) for name in array.dtype.names]


def plain_element(element: Any) -> Any:
    """Returns a plain form of an array's object: text, a sequence, or a reference."""
    if isinstance(element, np.ndarray):
        return plain(element)
    if type(element).__name__ in ("Reference", "RegionReference"):
        return type(element).__name__, bool(element)
    return element.encode("utf-8", "surrogateescape") if isinstance(element, str) else element


def feature_of(error: str) -> str:
    """Returns the name of the feature without the place."""
    if found := re.search(r"the type (.+?)(?: of \d+ bytes)? cannot be read", error):
        return f"type: {found[1]}"
    text = error.rpartition("not supported: ")[2]
    text = text.partition(" (onecast.load_filter_plugins")[0]  # the remedy
    return re.sub(r" of \d+ bytes", "", text)


def main(arguments: list[str]) -> int:
    if arguments[:1] != ["--mpi"]:
        return compare(arguments, None)
    from mpi4py import MPI

    try:
        return compare(arguments[1:], MPI.COMM_WORLD)
    except BaseException:
        # Otherwise the other ranks would wait for this rank for ever.
        traceback.print_exc()
        MPI.COMM_WORLD.Abort(1)
        raise


def compare(arguments: list[str], comm: Any) -> int:
    different = 0
    for i, name in enumerate(arguments):
        # All other ranks have equal bytes. One of them compares, another one for each file.
        compares = comm is None or comm.size == 1 or comm.rank == 1 + i % (comm.size - 1)
        found = examine(Path(name), comm, compares)
        if not compares:
            continue
        different += bool(found.differences)
        for what in found.differences:
            print(f"{name}: {what}")
        for what in sorted(found.refused | found.damaged):
            print(f"{name}: not read: {what}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
