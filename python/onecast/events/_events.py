"""The common part of all files of events, whatever their kind: `onecast.events.open`."""

from __future__ import annotations

import operator
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np

from ._optional import require
from ._picked import WANTED, numbers_of
from ._storage import whole_number

Columns = Sequence[str] | None
WayBack = tuple[Callable[..., "Events"], tuple[Any, ...]]
BATCH_BYTES = 64 << 20  # the size of a batch, if none is given


class Events(ABC):
    """Events of a file that is open for reading. `len(events)` is their number.

    `events[17]` is one event; `events[10:20]`, `events[::2]`, `events[[5, 3]]` and `events[mask]`
    are several; `events["Muon_pt"]` is a column. Iteration yields all events.
    """

    kind: str  #: of the file: "columnar", "root"
    path: str
    comm: Any = None
    is_closed = False

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    def is_unfinished(self) -> bool:
        """True if the writer was interrupted after a flush, so that later events are lost.
        @independent"""
        return False

    def __repr__(self) -> str:
        return f'<{self.kind} "{self.path}": {len(self)} events, {len(self.columns)} columns>'

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """The names of the columns. @independent"""

    @property
    @abstractmethod
    def products(self) -> dict[str, str]:
        """The class of each column, as the program that made it calls it, otherwise awkward-array.
        @independent"""

    @property
    @abstractmethod
    def titles(self) -> dict[str, str]:
        """The descriptions of columns, by name. Columns without one are left out. @independent"""

    def to_awkward(
        self,
        columns: Columns = None,
        start: int = 0,
        stop: int | None = None,
        *,
        lazy: bool = True,
    ) -> Any:
        """Returns the events from `start` to `stop` as an array of records of awkward, with all
        columns or the named ones. With `lazy`, a file of columns is read when data is used; files
        of other kinds are always read at once. Raises KeyError for a column that does not exist.
        @independent"""
        return self._to_awkward(self.named(columns), self.span(start, stop), lazy)

    def _to_awkward(self, names: list[str], span: tuple[int, int], lazy: bool) -> Any:
        """Does the work of to_awkward, which kinds of other packages define themselves."""
        raise NotImplementedError(f"{self.kind}: to_awkward")

    @abstractmethod
    def close(self) -> None:
        """Closes the file. Reading afterwards raises ValueError. @collective for a file of
        columns"""

    @abstractmethod
    def bytes_per_event(self, columns: Columns = None) -> float:
        """Returns the approximate size of an event in memory, in bytes. @independent"""

    # --- the same for all kinds ------------------------------------------------------------------
    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def named(self, columns: Columns) -> list[str]:
        """Returns the names. Raises KeyError for a column that does not exist."""
        if columns is None:
            return self.columns
        if isinstance(columns, str):
            raise TypeError(f"columns: a list of names was expected, not {columns!r}")
        names, known = list(dict.fromkeys(columns)), set(self.columns)
        for name in names:
            if name not in known:
                raise KeyError(f"{self.path}: there is no column {name!r}")
        return names

    def span(self, start: int, stop: int | None) -> tuple[int, int]:
        """Returns the range as a slice of a list has it. Raises ValueError if the file is closed,
        TypeError that names the argument."""
        if self.is_closed:
            raise ValueError(f"{self.path}: the file is closed")
        start = None if start is None else whole_number(start, None, "start")
        stop = None if stop is None else whole_number(stop, None, "stop")
        first, last, _ = slice(start, stop).indices(len(self))
        return first, max(first, last)

    def part(self) -> tuple[int, int]:
        """Returns (start, stop), this rank's share of the events. Shares are equal, in the order of
        ranks. @independent"""
        rank, ranks = (0, 1) if self.comm is None else (self.comm.rank, self.comm.size)
        return len(self) * rank // ranks, len(self) * (rank + 1) // ranks

    def __contains__(self, column: Any) -> bool:
        return column in self.columns

    def __getitem__(self, what: Any) -> Any:
        if isinstance(what, str):
            return self.to_awkward([what])[what]
        if isinstance(what, slice):
            start, stop, step = what.indices(len(self))
            if step == 1:
                return self.to_awkward(None, start, max(start, stop))
            return self._picked(np.arange(start, stop, step))
        if isinstance(what, (list, tuple)) and what and all(isinstance(n, str) for n in what):
            return self.to_awkward(what)
        if isinstance(what, (list, tuple)) or getattr(what, "ndim", False):
            return self._picked(numbers_of(what, len(self)))
        try:
            number = operator.index(what)
        except TypeError:
            raise TypeError(f"{WANTED}, not {what!r}") from None
        if isinstance(what, bool):
            raise TypeError(f"{WANTED}, not {what}")
        if not -len(self) <= number < len(self):
            raise IndexError(f"event {number} of {len(self)}")
        return self._event(number % len(self))

    def _picked(self, numbers: np.ndarray) -> Any:
        """Returns the events of these numbers, in this order. The events between them are read,
        too."""
        if not len(numbers):
            return self.to_awkward(None, 0, 0)
        first = int(numbers.min())
        return self.to_awkward(None, first, int(numbers.max()) + 1)[numbers - first]

    def _event(self, number: int) -> Any:
        return self.to_awkward(None, number, number + 1)[0]

    def read_all(self, columns: Columns = None, start: int = 0, stop: int | None = None) -> Any:
        """Reads events like to_awkward without `lazy`, for all ranks together, each with its own
        events. In a file of columns, chunks that several ranks want are read once; files of other
        kinds are read by each rank for itself. @collective @local"""
        return self.to_awkward(columns, start, stop, lazy=False)

    def __iter__(self) -> Iterator[Any]:
        """Yields all events as records. They are read in batches."""
        for batch in self.batches():
            yield from batch

    def batch_events(self, columns: Columns = None) -> int:
        """Returns the number of events in a batch of BATCH_BYTES."""
        return max(1, int(BATCH_BYTES // max(1.0, self.bytes_per_event(columns))))

    def batches(
        self,
        size: int | None = None,
        columns: Columns = None,
        start: int = 0,
        stop: int | None = None,
    ) -> Iterator[Any]:
        """Yields arrays of `size` events each, by default about 64 MiB. @independent"""
        first, last = self.span(start, stop)
        size = self.batch_events(columns) if size is None else whole_number(size, 1, "size")
        return self._each_batch(size, columns, first, last)

    def _each_batch(self, size: int, columns: Columns, first: int, last: int) -> Iterator[Any]:
        for begin in range(first, last, size):
            yield self.to_awkward(columns, begin, min(begin + size, last))

    def to_numpy(
        self, columns: Columns = None, start: int = 0, stop: int | None = None
    ) -> dict[str, np.ndarray]:
        """Returns columns of numbers as arrays of numpy; without `columns` all such columns.
        @independent

        Raises TypeError if another column is named.
        """
        ak = require("awkward")
        names = self.named(columns)
        array = self.to_awkward(names, start, stop)
        found = {}
        for name in names:
            if array[name].ndim == 1 and array[name].layout.is_numpy:
                found[name] = ak.to_numpy(array[name])
            elif columns is not None:
                raise TypeError(f"column {name}: numbers were expected; see to_padded")
        return found

    def to_padded(
        self,
        columns: Columns,
        length: int,
        *,
        start: int = 0,
        stop: int | None = None,
        fill: float = 0,
    ) -> dict[str, np.ndarray]:
        """Returns columns with equally many elements in each event, for machine learning; without
        `columns` all columns for which this is possible. @independent

        A list of numbers becomes its first `length` elements, filled up with `fill`: shape (events,
        length). The array `NAME_mask` of the same shape is True for elements of the event. A column
        of numbers stays as it is. Raises TypeError for any other column, ValueError if `fill`
        cannot be an element of one of the columns, or if a column has the name of a mask.
        """
        from ._padded import can_be_padded, padded

        array = self.to_awkward(self.named(columns), start, stop)
        if columns is None:
            array = array[[name for name in array.fields if can_be_padded(array[name])]]
        return padded(array, length, fill)

    def find(self, run: int, lumi: int, event: int) -> int:
        """Returns the number of the event with that identity, for `events[number]`; the first one
        if there are several. @independent

        Raises KeyError if there is none, ValueError if the file has no index.
        """
        raise ValueError(f"{self.path}: a file of kind {self.kind} has no index of identities")


def way_back(
    events: Events, name: str | None = None, options: dict[str, Any] | None = None
) -> WayBack:
    """Returns what pickle stores of events: how another process opens them. Raises TypeError."""
    if events.is_closed or events.comm is not None:
        raise TypeError(
            f"{events.path}: only open files that one process has can be pickled; pickle its path, "
            "and open it there"
        )
    return _open_again, (type(events), os.path.abspath(events.path), name, options or {})


def _open_again(kind: Callable[..., Events], path: str, name: str | None, options: Any) -> Events:
    return kind(path, name, **options)
