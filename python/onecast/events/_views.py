"""Finds the parts of stored arrays that a span of events needs. Nothing is read before it is
needed, and nothing that is read is trusted: offsets and indexes are checked against the arrays to
which they refer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .._core import FormatError
from .._dataset import Dataset
from .._group import Group
from ._nodes import Node

Span = tuple[int, int]
Request = tuple[Dataset, slice]


class Stored:
    """The stored arrays of a group."""

    def __init__(self, group: Group, path: str) -> None:
        self.group, self.path = group, path
        self._datasets: dict[str, Dataset] = {}

    def wrong(self, name: str, what: str) -> FormatError:
        return FormatError(f"{self.path}: {self.group.name}/{name}: {what}")

    def dataset(self, node: Node, attribute: str) -> Dataset:
        """Returns the dataset. Raises FormatError unless it exists and agrees with the form."""
        name, wanted = node.name_of(attribute), node.stored()[attribute]
        if name not in self._datasets:
            self._datasets[name] = self._found(name)
        found = self._datasets[name]
        inner = node.inner_shape
        if not found.shape or found.shape[1:] != inner:
            shape = ", ".join(["n", *map(str, inner)])
            raise self.wrong(name, f"shape ({shape}) was expected, not {found.shape}")
        if found.dtype.newbyteorder("=") != wanted:
            raise self.wrong(name, f"elements of {wanted} were expected, not {found.dtype}")
        return found

    def _found(self, name: str) -> Dataset:
        try:
            found = self.group[name]
        except KeyError:
            raise self.wrong(name, "is missing, and the form names it") from None
        if not isinstance(found, Dataset):
            raise self.wrong(name, "is no dataset")
        return found

    def length(self, node: Node) -> int | None:
        """Returns the number of elements of a node; None if it is not stored."""
        if node.kind == "record":
            lengths = [n for n in map(self.length, node.contents) if n is not None]
            return min(lengths, default=None)
        if node.kind == "regular":
            below = self.length(node.contents[0])
            return below // node.size if below is not None and node.size else None
        if node.kind == "unknown":
            return 0
        length = min(len(self.dataset(node, name)) for name in node.stored())
        if node.kind == "list":
            if length == 0:
                raise self.wrong(node.name_of("offsets"), "has no elements; one was expected")
            length -= 1
        return length


class Loaded(NamedTuple):
    """The arrays of a node, checked, with offsets and indexes that begin at 0."""

    arrays: dict[str, np.ndarray]
    below: list[Span]  # the needed elements of each of its contents


class View(NamedTuple):
    """A node and its wanted elements. The selection keeps what was read. No node above refers to a
    view, so that an array and its file are freed when nobody uses them."""

    selection: Selection
    node: Node
    above: View | None = None
    number: int = 0  # its number among the contents of `above`

    @property
    def contents(self) -> list[View]:
        return [View(self.selection, c, self, n) for n, c in enumerate(self.node.contents)]

    @property
    def is_ready(self) -> bool:
        """True if the wanted elements are known."""
        above = self.above
        while above is not None:
            if above.node.stored():
                return above.node.place in self.selection.loaded
            above = above.above
        return True

    def span(self) -> Span:
        """Returns the wanted elements; reads the arrays above if necessary."""
        if self.above is None:
            return self.selection.span
        return self.above.below()[self.number]

    def below(self) -> list[Span]:
        if self.node.kind == "record":
            return [self.span()] * len(self.node.contents)
        if self.node.kind == "regular":
            start, stop = self.span()
            return [(start * self.node.size, stop * self.node.size)]
        return self.load().below

    def load(self) -> Loaded:
        loaded = self.selection.loaded.get(self.node.place)
        if loaded is None:
            arrays = [dataset[part] for dataset, part in self.requests()]
            return self.take(arrays)
        return loaded

    def requests(self) -> list[Request]:
        start, stop = self.span()
        stored, node = self.selection.stored, self.node
        length = stored.length(node) or 0
        if stop > length:
            name = next(iter(node.stored()))
            raise self.wrong(name, f"has {length} elements, and {stop} are needed")
        more = 1 if node.kind == "list" else 0
        return [(stored.dataset(node, name), slice(start, stop + more)) for name in node.stored()]

    def take(self, arrays: list[np.ndarray]) -> Loaded:
        native = [array.astype(array.dtype.newbyteorder("="), copy=False) for array in arrays]
        found = dict(zip(self.node.stored(), native, strict=True))
        below = _BELOW[self.node.kind](self, found)
        for content, (_, stop) in zip(self.node.contents, below, strict=True):
            length = self.selection.stored.length(content)
            if length is not None and stop > length:
                last = list(found)[-1]
                raise self.wrong(last, f"leads to element {stop}, and there are {length}")
        loaded = Loaded(found, below)
        self.selection.loaded[self.node.place] = loaded
        return loaded

    def wrong(self, attribute: str, what: str) -> FormatError:
        return self.selection.stored.wrong(self.node.name_of(attribute), what)

    def walk(self) -> Iterator[View]:
        yield self
        for content in self.contents:
            yield from content.walk()


# --- what an array refers to ---------------------------------------------------------------------
def _of_list(view: View, arrays: dict[str, np.ndarray]) -> list[Span]:
    offsets = arrays["offsets"]
    first, last = int(offsets[0]), int(offsets[-1])
    if first < 0 or (first > 0 and view.span()[0] == 0):
        raise view.wrong("offsets", f"begins with {first}, not with 0")
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if len(falls):
        at = view.span()[0] + int(falls[0])
        raise view.wrong("offsets", f"decreases behind element {at}")
    if first:
        arrays["offsets"] = offsets - first
    return [(first, last)]


def _referred(index: np.ndarray) -> Span:
    return (int(index.min()), int(index.max()) + 1) if len(index) else (0, 0)


def _of_option(view: View, arrays: dict[str, np.ndarray]) -> list[Span]:
    index = arrays["index"]
    is_there = index >= 0
    first, stop = _referred(index[is_there])
    if first:
        arrays["index"] = np.where(is_there, index - first, index)
    return [(first, stop)]


def _of_union(view: View, arrays: dict[str, np.ndarray]) -> list[Span]:
    tags, index = arrays["tags"], arrays["index"]
    count = len(view.node.contents)
    if len(tags) and not 0 <= int(tags.min()) <= int(tags.max()) < count:
        raise view.wrong("tags", f"numbers below {count} were expected")
    if len(index) and index.min() < 0:
        raise view.wrong("index", "has a negative number")
    spans = [_referred(index[tags == tag]) for tag in range(count)]
    if any(first for first, _ in spans):
        arrays["index"] = index - np.array([first for first, _ in spans])[tags]
    return spans


_BELOW: dict[str, Callable[[View, dict[str, np.ndarray]], list[Span]]] = {
    "numbers": lambda view, arrays: [],
    "list": _of_list,
    "option": _of_option,
    "union": _of_union,
}


class Selection:
    """The events [start, stop) of some columns."""

    def __init__(self, stored: Stored, columns: Node, span: Span) -> None:
        self.stored, self.columns, self.span = stored, columns.contents, span
        self.loaded: dict[tuple[str, ...], Loaded] = {}  # by place

    @property
    def views(self) -> list[View]:
        return [View(self, column) for column in self.columns]

    def nodes(self) -> Iterator[View]:
        """Yields the nodes that have arrays of their own."""
        for view in self.views:
            yield from (below for below in view.walk() if below.node.stored())

    def arrays(self) -> dict[str, Callable[[], np.ndarray]]:
        """Returns name -> a function that reads the array when first called."""
        return {
            view.node.name_of(name): _reader(view, name)
            for view in self.nodes()
            for name in view.node.stored()
        }

    def values(self) -> dict[str, np.ndarray]:
        """Returns {name: array} once everything is loaded. awkward shows arrays, but not what a
        function would return."""
        return {name: read() for name, read in self.arrays().items()}

    def load(self, read_multi: Callable[[Iterator[Request]], list[np.ndarray]]) -> None:
        """Reads everything, by one call for each level of nodes and a last one. The number of calls
        is the same whatever a rank finds. @collective if read_multi is"""
        asked: list[tuple[View, int]] = []
        found: list[np.ndarray] = []

        def level() -> Iterator[Request]:
            self._take(asked, found)
            asked.clear()
            asked.extend(self._ready())
            for view, _ in asked:
                yield from view.requests()

        for _ in range(self._levels() + 1):
            found = read_multi(level())

    def _take(self, asked: list[tuple[View, int]], found: list[np.ndarray]) -> None:
        at = 0
        for view, count in asked:
            view.take(found[at : at + count])
            at += count

    def _ready(self) -> list[tuple[View, int]]:
        """Returns the views that can be read now, each array once."""
        ready: dict[tuple[str, ...], tuple[View, int]] = {}
        for view in self.nodes():
            if view.node.place not in self.loaded and view.is_ready:
                ready.setdefault(view.node.place, (view, len(view.node.stored())))
        return list(ready.values())

    def _levels(self) -> int:
        return max(map(_levels, self.columns), default=0)


def _levels(node: Node) -> int:
    return bool(node.stored()) + max(map(_levels, node.contents), default=0)


def _reader(view: View, name: str) -> Callable[[], Any]:
    return lambda: view.load().arrays[name]
