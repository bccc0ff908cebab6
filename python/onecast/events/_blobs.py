"""ROOT files with whole events as blobs, as the outputer ROOTEvent writes them. A tree `Events` has
offsets, blob and EventID, and a tree `Meta` describes them (events/root/README.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core import FormatError
from ._index import IDENTITY
from ._optional import require
from ._products import ProductEvents, compiled
from ._root import is_root, readable, require_whole

EVENTS, META = "Events", "Meta"
_BRANCHES = ("offsets", "blob", "EventID")


def is_blob_file(path: str) -> bool:
    if not is_root(path):
        return False
    try:
        with require("uproot").open(path) as file:
            trees = {key.partition(";")[0] for key in file.keys(recursive=False)}
            return {EVENTS, META} <= trees and set(_BRANCHES) <= set(file[EVENTS].keys())
    except Exception:  # opening it as a ROOT file reports the damage
        return False


class BlobEvents(ProductEvents):
    """Events whose columns are the identity and one column for each product."""

    kind = "root-blobs"

    def _opened(self) -> Any:
        return _BlobFile(self.path)


class _BlobFile:
    """The counterpart of onecast._events.ProductFile, with the same methods, for ROOT files."""

    def __init__(self, path: str) -> None:
        self.path = path
        with readable(path):
            require_whole(path)
            file = require("uproot").open(path)
            meta = file[META].arrays()[0]
            self.tree = file[EVENTS]
            self.names, self.classes = meta["products"].to_list(), meta["classes"].to_list()
            self.made_by = str(meta["serializer"])
            compression = str(meta["compression"])
        if compression != "None" or len(self.names) != len(self.classes):
            raise FormatError(f"{path}: {META}: blobs of compression {compression}")

    def size(self) -> int:
        return int(self.tree.num_entries)

    def serializer(self) -> str:
        return self.made_by

    def columns(self) -> list[tuple[str, str, str, Any]]:
        products = list(zip(self.names, self.classes, strict=True))
        return compiled().columns_of(products, self.made_by)

    def is_interrupted(self) -> bool:
        return False

    def problem(self) -> None:
        return None

    def read(self, wanted: Sequence[int], start: int, stop: int) -> tuple[Any, ...]:
        with readable(self.path):
            found = self.tree.arrays(list(_BRANCHES), entry_start=start, entry_stop=stop)
        ids, products = found["EventID"], []
        if wanted:
            offsets, blob, begins = self._places(found, start)
            for number in wanted:
                lengths = offsets[:, number + 1] - offsets[:, number]
                ends = np.concatenate([[0], np.cumsum(lengths)])
                # The position of each wanted byte in the blobs.
                shift = np.repeat(begins + offsets[:, number] - ends[:-1], lengths)
                products.append((blob[shift + np.arange(ends[-1])], ends))
        return (*(np.asarray(ids[name]) for name in IDENTITY), products)

    def _places(self, found: Any, start: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns the offsets of each event, all blobs, and where each blob begins among them.
        Raises FormatError that names the event."""
        ak = require("awkward")
        width = len(self.names) + 1
        counts, sizes = ak.num(found["offsets"]).to_numpy(), ak.num(found["blob"]).to_numpy()
        if (bad := np.flatnonzero(counts != width)).size:
            raise self._wrong(start + bad[0], f"{counts[bad[0]]} offsets, not {width}")
        offsets = ak.flatten(found["offsets"]).to_numpy().astype("i8").reshape(-1, width)
        is_wrong = (np.diff(offsets) < 0).any(axis=1) | (offsets[:, -1] > sizes)
        if (bad := np.flatnonzero(is_wrong)).size:
            raise self._wrong(start + bad[0], "offsets that lead nowhere")
        blob = ak.flatten(found["blob"]).to_numpy().view("u1")
        return offsets, blob, np.cumsum(sizes) - sizes

    def _wrong(self, event: int, what: str) -> FormatError:
        return FormatError(f"{self.path}: event {event}: {what}")

    def find(self, run: int, lumi: int, event: int) -> int | None:
        runs, lumis, events, _ = self.read([], 0, self.size())
        found = np.flatnonzero((runs == run) & (lumis == lumi) & (events == event))
        return int(found[0]) if found.size else None
