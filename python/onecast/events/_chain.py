"""Files whose events follow each other, as the source of a conversion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from ._columnar import ColumnarEvents
from ._events import Columns, Events
from ._files import opened
from ._forgotten import warn_user
from ._join import joined
from ._nodes import Node, to_form
from ._optional import require
from ._root import RootEvents


class Link(NamedTuple):
    """A file of a chain. `nodes` is empty unless it is a file of columns. `unread` has the columns
    of a ROOT file that are left out, with the reasons."""

    path: str
    length: int
    columns: list[str]
    nodes: Mapping[str, Node]
    unread: Mapping[str, str]


class Chain:
    """Files that have the columns of the first one, in any order; with `columns`, only these
    matter. One file is open at a time. @collective"""

    def __init__(self, locations: Sequence[str], columns: Columns, comm: Any) -> None:
        self.locations, self.columns, self.comm = locations, columns, comm
        self.number = -1
        self.events: Events | None = None
        self.links: list[Link] = []

    def __enter__(self) -> Chain:
        try:
            for number in range(len(self.locations)):
                events = self.open(number)
                nodes = events.nodes if isinstance(events, ColumnarEvents) else {}
                unread = events.unread if isinstance(events, RootEvents) else {}
                self.links.append(Link(events.path, len(events), events.columns, nodes, unread))
                if events.is_unfinished and (self.comm is None or self.comm.rank == 0):
                    warn_user(f"{events.path}: its writer was interrupted")
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def __exit__(self, *error: Any) -> None:
        events, self.events = self.events, None
        if events is not None:
            events.__exit__(*error)

    def __len__(self) -> int:
        return sum(link.length for link in self.links)

    def open(self, number: int) -> Events:
        """Opens this file in place of the one that is open."""
        if self.events is None or number != self.number:
            self.__exit__(None, None, None)
            self.events, self.number = opened(self.locations[number], self.comm), number
        return self.events

    def first_of(self, first: int, last: int) -> Events:
        """Opens the file with the first event."""
        number, _, _ = next(self._parts(first, last))
        return self.open(number)

    def left_out(self) -> dict[str, str]:
        """Returns {name: text} for columns that a file has and nobody can read. The text names the
        first such file and the reason."""
        if self.columns is not None:
            return {}
        found: dict[str, str] = {}
        for link in self.links:
            for name, why in link.unread.items():
                found.setdefault(name, f"{link.path}: column {name} is left out: {why}")
        return found

    def types_of(self, names: Sequence[str], like: Events) -> dict[str, Any]:
        """Returns forms for columns whose types differ between files of columns: a form has the
        elements of all of them. Raises KeyError if a file lacks a column or, if all columns are
        wanted, has another one; TypeError if there is no such type."""
        known = {*like.columns, *self.left_out()}
        for link in self.links:
            if lacking := set(names).difference(link.columns):
                if why := link.unread.get(min(lacking)):
                    raise KeyError(f"{link.path}: column {min(lacking)}: {why}")
                what = f"there is no column {min(lacking)!r}"
                raise KeyError(f"{link.path}: {what}{self._way_out(like, 'as in')}")
            if self.columns is None and (more := set(link.columns) - known):
                what = f"column {min(more)!r} is more than there is"
                raise KeyError(f"{link.path}: {what}{self._way_out(like, 'in')}")
        types = {}
        for name in names:
            has = [(f"in {link.path}", link.nodes[name]) for link in self.links if link.nodes]
            if any(node != has[0][1] for _, node in has):
                types[name] = require("awkward").forms.from_dict(to_form(joined(has, name)))
        return types

    def _way_out(self, like: Events, word: str) -> str:
        if self.columns is not None:
            return ""
        return f" {word} {like.path}; name the columns to take, which all files have"

    def batches(
        self, names: Sequence[str], first: int, last: int, size: int | None
    ) -> Iterator[tuple[Callable[[], Any], int]]:
        """Yields for each batch, which is from one file, a function that reads this rank's part,
        and the number of events in the batch. Without events, there is one batch of none."""
        rank, ranks = (0, 1) if self.comm is None else (self.comm.rank, self.comm.size)
        for number, begin, end in self._parts(first, last):
            events = self.open(number)
            step = size or events.batch_events(names)
            for start in range(begin, max(end, begin + 1), step):
                count = min(step, end - start)
                part = (start + count * rank // ranks, start + count * (rank + 1) // ranks)
                yield partial(events.to_awkward, names, *part), count

    def _parts(self, first: int, last: int) -> Iterator[tuple[int, int, int]]:
        """Yields (number of a file, start and stop among its events). Without events, yields an
        empty part of the last file."""
        before = 0
        for number, link in enumerate(self.links):
            begin, end = max(first - before, 0), min(last - before, link.length)
            if begin < end:
                yield number, begin, end
            before += link.length
        if first >= last:
            yield len(self.links) - 1, self.links[-1].length, self.links[-1].length

    @contextmanager
    def told(self) -> Iterator[None]:
        """Puts the path in front of errors about events of one of several files."""
        try:
            yield
        except (TypeError, ValueError) as error:
            begin = f"{self.links[self.number].path}: "
            is_named = len(self.links) == 1 or str(error).startswith(begin)
            if is_named or type(error) not in (TypeError, ValueError):
                raise
            raise type(error)(f"{begin}{error}") from error
