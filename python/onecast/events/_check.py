"""Finds the problems of a file of events."""

from __future__ import annotations

import numpy as np

from .._core import FormatError
from ._columnar import ColumnarEvents
from ._index import ENTRY, INDEX, sorted_index
from ._root import RootEvents


def check_columnar(events: ColumnarEvents, data: bool) -> list[str]:
    """Checks that the writer came to the end, every offset and index, the lengths and the index of
    identities, and with `data` all chunks."""
    wrong: list[str] = []
    for name in events.columns:
        _, selection = events.selection([name], events.span(0, None))
        for view in selection.nodes():
            try:
                view.requests()
                if data or view.node.kind != "numbers":
                    view.load()
            except (FormatError, OSError, ValueError, NotImplementedError) as error:
                wrong.append(f"column {name}: {error}".replace(f"{events.path}: ", ""))
                break
    return [*_check_end(events), *wrong, *_check_index(events)]


def _check_end(events: ColumnarEvents) -> list[str]:
    if not events.is_unfinished:
        return []
    return [f"its writer was interrupted: {len(events)} events were flushed, later ones are lost"]


def _check_index(events: ColumnarEvents) -> list[str]:
    if events.identity is None:
        return []
    where = f"{events.group.name}/{INDEX}"
    index = events.group.get(INDEX)
    if index is None:
        return []
    if index.shape != (len(events),) or index.dtype != ENTRY:
        return [f"{where}: {len(events)} elements of (run, lumi, event, entry) were expected"]
    try:
        columns = events.to_numpy(events.identity)
        right = sorted_index([columns[name] for name in events.identity], events.identity)
    except (OSError, ValueError) as error:
        return [f"{where}: {error}".replace(f"{events.path}: ", "")]
    differs = np.flatnonzero(index[...] != right)
    return [f"{where}: element {differs[0]} is not what the columns say"] if len(differs) else []


def check_root(events: RootEvents, data: bool) -> list[str]:
    """Lists the columns that are left out and, with `data`, those that cannot be read."""
    wrong = [f"column {name}: {why}" for name, why in events.unread.items()]
    for name in events.columns if data else ():
        try:
            for _ in events.batches(columns=[name]):
                pass
        except ValueError as error:
            wrong.append(str(error).replace(f"{events.path}: ", ""))
    return wrong
