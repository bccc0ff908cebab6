"""What Onecast reads of the files of others, and what it refuses: docs/reference/coverage.md.

python tests/hostile/coverage_of_files.py        # writes the table anew
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import onecast

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("ONECAST_CORPUS", ROOT / ".." / "shared" / "corpus"))
FOLDERS = ("jhdf", "h5dump", "cgns")
PAGE = ROOT / "docs" / "reference" / "coverage.md"
BEGIN, END = "<!-- refused: begin -->\n", "<!-- refused: end -->\n"
MOST_ELEMENTS = 1_000_000


def files() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((CORPUS / folder).glob("*"))]


@dataclass
class Findings:
    """Of one file."""

    refused: set[str] = field(default_factory=set)  # features, by name
    damaged: set[str] = field(default_factory=set)  # said of bytes that h5py reads
    differences: list[str] = field(default_factory=list)
    values: int = 0  # compared and equal


def examine(path: Path) -> Findings:
    """Compares all that Onecast reads with what h5py reads."""
    found = Findings()
    comparison = Comparison(found)
    theirs = attempt(lambda: h5py.File(path))
    ours = comparison.try_ours(lambda: onecast.File(path), h5py_reads=theirs is not None)
    if ours is not None and theirs is not None:
        with ours, theirs:
            comparison.objects(ours, theirs)
    return found


def attempt(action: Callable[[], Any]) -> Any:
    """None where h5py fails, in whatever way."""
    try:
        return action()
    except Exception:
        return None


class Comparison:
    def __init__(self, found: Findings) -> None:
        self.found = found
        self.seen: set[Any] = set()

    def try_ours(self, action: Callable[[], Any], h5py_reads: bool) -> Any:
        """None if it was refused, by name, or called damaged."""
        try:
            return action()
        except onecast.UnsupportedError as error:
            self.found.refused.add(feature_of(str(error)))
        except onecast.FormatError as error:
            if h5py_reads:
                self.found.damaged.add(re.sub(r"^.*?: (address 0x\w+: )?", "", str(error)))
        return None

    def objects(self, ours: Any, theirs: Any) -> None:
        """All below, each object once."""
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
        # Where h5py finds a name that is no text, it cannot list the group.
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
        if ours.layout != "other":
            self.equal(ours.chunks, theirs.chunks, f"{ours.name}: chunks")
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
        if stored.type_class.name in ("integer", "floating", "string"):
            self.equal(stored.size, theirs.get_type().get_size(), f"{where}: size of the type")

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
    """Something that compares bit by bit."""
    array = np.asarray(value)
    if array.dtype.kind in "OSU":
        return array.shape, [text_bytes(element) for element in array.flat]
    return array.shape, array.dtype.str, array.tobytes() if not array.dtype.names else fields(array)


def fields(array: np.ndarray) -> list[Any]:
    """Without the bytes between them, which mean nothing."""
    return [(name, plain(array[name])) for name in array.dtype.names]


def text_bytes(element: Any) -> Any:
    return element.encode("utf-8", "surrogateescape") if isinstance(element, str) else element


def feature_of(error: str) -> str:
    """The feature's name without the place."""
    if found := re.search(r"the type (.+?)(?: of \d+ bytes)? cannot be read", error):
        return f"type: {found[1]}"
    text = error.rpartition("not supported: ")[2]
    return re.sub(r" of \d+ bytes", "", text)


def table() -> str:
    """The refusals of all files, as the page has them."""
    rows = []
    for path in files():
        found = examine(path)
        rows += [(feature, path) for feature in found.refused]
        rows += [(f"damaged: {what}", path) for what in found.damaged]
    features: dict[str, list[str]] = {}
    for feature, path in sorted(rows):
        features.setdefault(feature, []).append(f"{path.parent.name}/{path.name}")
    lines = ["| refused | in |\n", "|---|---|\n"]
    lines += [f"| {feature} | {', '.join(names)} |\n" for feature, names in features.items()]
    return "".join(lines)


def written_table() -> str:
    text = PAGE.read_text()
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)]


def main() -> None:
    text = PAGE.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:start] + table() + text[end:])


if __name__ == "__main__":
    main()
