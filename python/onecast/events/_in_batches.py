"""Files that take single events out of batches if several are requested one by one."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from .._core import FormatError
from ._events import Events
from ._optional import require


class InBatches(Events):
    _batch_before: int | None = None  # the start of the last requested event's batch
    _kept: Any = None  # the last used entry of _batches

    def _event(self, number: int) -> Any:
        """Returns an event. From the second request in a row for one batch on, the event comes from
        an array of that batch, since making an array for each event takes awkward longer than
        reading it. A single request keeps no batch in memory; several keep one."""
        self.span(0, 0)
        start = number // self._batch_size * self._batch_size
        batch = self._batches.get(start)
        if batch is None and start != self._batch_before:
            self._batch_before = start
            return super()._event(number)
        if batch is None:
            batch = self.to_awkward(None, start, start + self._batch_size).layout
            self._batches[start] = batch
        self._batch_before, self._kept = start, batch
        return require("awkward").Array(batch)[number - start]

    @cached_property
    def _batches(self) -> WeakValueDictionary[int, Any]:
        """The batches that are still in use, by their start."""
        return WeakValueDictionary()

    @cached_property
    def _batch_size(self) -> int:
        try:
            return self.batch_events()
        except FormatError:  # one column is damaged: the others can be read
            return 1
