"""What tasks take on this machine, for one process: timed on samples of the file, as they are and
with the remedy, in about a second."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import onecast

from ..opening import FAILURES
from ..pieces import PIECE_BYTES, boxes
from .facts import Box, DatasetFacts, FileFacts, Shape
from .findings import Finding

# How the second is divided.
MOST_REPEATS = 3
TIME_OF_ONE = 0.05  # seconds, after which a task is not repeated
TIME_OF_SAMPLES = 0.3  # seconds, after which no further dataset is looked at
SAMPLE_BYTES = 4 << 20
SMALL_SAMPLES = 100
PROBE_BYTES = 16 << 20

# These options open the file like one with a page list, or for writing: small data is not loaded.
PLAIN: Mapping[str, Any] = {
    "load_policy": "eager",
    "small_data_limit": 0,
    "chunk_cache_bytes": 0,
    "follow_external": "folder",
}


def quickest(work: Callable[[], float]) -> float:
    """Returns the smallest result of a few repetitions of work(), which returns seconds."""
    found = [work()]
    while len(found) < MOST_REPEATS and sum(found) < TIME_OF_ONE:
        found.append(work())
    return min(found)


def seconds_of(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Here:
    """`folder`: the place for copies of samples."""

    def __init__(self, facts: FileFacts, folder: Path) -> None:
        self.facts, self.folder = facts, folder
        self.datasets = {d.path: d for d in facts.datasets}
        self.open_as_it_is, self.look = self._open_and_look()
        self.open_small_list = self._open_small_list()
        self.read, self.bandwidth = self._reads()

    # --- opening ---------------------------------------------------------------------------------
    def _open_and_look(self) -> tuple[float, float]:
        def opened() -> tuple[float, float]:
            start = time.perf_counter()
            with onecast.File(self.facts.path, **PLAIN) as file:
                middle = time.perf_counter()
                file.visititems(lambda name, found: None)
                return middle - start, time.perf_counter() - middle

        first = opened()
        return min([first] if sum(first) > TIME_OF_ONE else [first, opened(), opened()], key=sum)

    def _open_small_list(self) -> float:
        """Opens a file with one page of metadata."""
        path = self.folder / "list.h5"
        onecast.File(path, "w").close()
        return quickest(lambda: seconds_of(lambda: onecast.File(path, **PLAIN).close()))

    def _reads(self) -> tuple[float, float]:
        """Returns the seconds of a small read, and the bytes per second of large reads, of the
        file."""
        size = min(os.path.getsize(self.facts.path), PROBE_BYTES)
        with open(self.facts.path, "rb", buffering=0) as file:

            def pieces(piece: int, count: int) -> None:
                for number in range(count):
                    os.pread(file.fileno(), piece, number * piece)

            count = max(1, size >> 20)
            large = quickest(lambda: seconds_of(lambda: pieces(1 << 20, count)))
            small = quickest(lambda: seconds_of(lambda: pieces(512, SMALL_SAMPLES)))
        return small / SMALL_SAMPLES, min(size, count << 20) / large

    def open_with_pages(self) -> float:
        return self.open_small_list + self.facts.report["metadata_bytes"] / self.bandwidth

    def open_with_list(self) -> float:
        """Counts at most as many reads as the walk made."""
        more = max(0, self.facts.report["reads_to_open"] - 2)
        return min(self.open_with_pages() + more * self.read, self.open_as_it_is)

    # --- findings --------------------------------------------------------------------------------
    def predict(self, finding: Finding) -> tuple[float, float] | None:
        """Returns the seconds of its task before and after; None if they cannot be determined."""
        if finding.datasets:
            with suppress(*FAILURES):
                return self._of_samples(finding)
            return None
        after = self.open_with_list if finding.remedy == "adopt" else self.open_with_pages
        return self.open_as_it_is + self.look, after() + self.look

    def small(self) -> tuple[float, float]:
        """Returns the seconds of one read of small contiguous data, and of data in the headers."""
        path, copies = self.folder / "small.h5", {}
        with onecast.File(self.facts.path, **PLAIN) as old, onecast.File(path, "w") as new:
            for number, dataset in enumerate(self.facts.small_contiguous[:SMALL_SAMPLES]):
                with suppress(*FAILURES):  # numpy lacks some number types
                    found = old[dataset.path]
                    found[()]
                    new.copy(found, str(number), without_attrs=True)
                    copies[dataset.path] = str(number)
        if not copies:
            return 0.0, 0.0
        before = quickest(lambda: read_time(self.facts.path, dict.fromkeys(copies, ())))
        after = quickest(lambda: read_time(path, dict.fromkeys(copies.values(), ())))
        return before / len(copies), after / len(copies)

    def open_and_read(self) -> dict[str, float]:
        """Returns the ways to open the file and to visit all objects and small data."""
        report, count = self.facts.report, len(self.facts.small_contiguous)
        apart, in_headers = self.small()
        listed = report["page_size"] != 0 and not report["page_list_stale"]
        found = {"as it is": self.open_as_it_is + count * (apart if listed else in_headers)}
        if not listed:
            found["adopted"] = self.open_with_list() + count * apart
        if not listed or count or report["extents"]:
            found["repacked"] = self.open_with_pages() + count * in_headers
        return {way: seconds + self.look for way, seconds in found.items()}

    def _of_samples(self, finding: Finding) -> tuple[float, float]:
        if not finding.storage:
            each, in_header = self.small()
            return len(finding.datasets) * each, len(finding.datasets) * in_header
        begun = time.perf_counter()
        before = after = share = whole = 0.0
        for name in finding.datasets:
            dataset = self.datasets[name]
            whole += dataset.plain_bytes
            if share and time.perf_counter() - begun > TIME_OF_SAMPLES:
                continue
            pair = self._of_dataset(dataset, finding)
            before, after = before + pair[0], after + pair[1]
            share += dataset.plain_bytes
        return before * whole / share, after * whole / share

    def _of_dataset(self, dataset: DatasetFacts, finding: Finding) -> tuple[float, float]:
        change = dict(finding.storage[dataset.path])
        part = finding.parts.get(dataset.path)
        box = sample_box(dataset, change.get("chunks", dataset.chunk), part)
        shape = tuple(side.stop - side.start for side in box)
        if "chunks" in change:
            change["chunks"] = tuple(map(min, change["chunks"], shape))
        sample, copy = self.folder / "sample.h5", self.folder / "copy.h5"
        with onecast.File(self.facts.path, **PLAIN) as old, onecast.File(sample, "w") as new:
            found = old[dataset.path]
            chunks = tuple(map(min, dataset.chunk, shape))
            made = new.create_dataset_like("x", found, shape=shape, chunks=chunks, maxshape=None)
            made[...] = found[box]
        onecast.repack(sample, copy, {"x": onecast.StorageChange(**change)}, force=True)
        if part is not None:
            first = (slice(0, 1), *(slice(None) for _ in shape[1:]))
            return self._timed(dataset, part, copy, first)
        before, after = self._timed(dataset, box, copy, ())
        times = dataset.plain_bytes / (prod(shape) * dataset.element_bytes)
        return times * before, times * after

    def _timed(
        self, dataset: DatasetFacts, part: Box, copy: Path, same: Box
    ) -> tuple[float, float]:
        return (
            quickest(lambda: read_time(self.facts.path, {dataset.path: part})),
            quickest(lambda: read_time(copy, {"x": same})),
        )


def sample_box(dataset: DatasetFacts, chunk: Shape, part: Box | None) -> Box:
    """Returns a box around the first written chunk, large enough to try the remedy on it."""
    sides = list(chunk)
    if part is not None:  # a row: as wide as the part
        sides[1:] = [side.stop - side.start for side in part[1:]]
    else:
        row = prod(sides[1:]) * dataset.element_bytes
        sides[0] *= max(1, SAMPLE_BYTES // (sides[0] * row))
    return tuple(
        slice(start, min(start + side, most))
        for start, side, most in zip(dataset.first_written, sides, dataset.shape, strict=True)
    )


def read_time(path: str | Path, parts: Mapping[str, Box]) -> float:
    """Times the reads without opening the file."""
    with onecast.File(path, **PLAIN) as file:

        def read() -> None:
            for name, part in parts.items():
                read_part(file[name], part)

        return seconds_of(read)


def read_part(dataset: onecast.Dataset, part: Box) -> None:
    """Reads a part; an empty `part` is the whole dataset, which may not fit in memory."""
    if part or dataset.nbytes <= PIECE_BYTES:
        dataset[part]
        return
    for box in boxes(dataset.shape or (), dataset.datatype.size, dataset.chunks):
        dataset[box]
