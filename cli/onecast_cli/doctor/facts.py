"""The facts that a file states."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import onecast

Box = tuple[slice, ...]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class DatasetFacts:
    path: str
    layout: str
    shape: Shape
    element_bytes: int
    chunk: Shape = ()
    chunks: int = 0  # the written chunks
    stored_bytes: int = 0
    filters: tuple[str, ...] = ()
    first_written: Shape = ()  # the corner of that chunk

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * self.element_bytes

    @property
    def chunk_bytes(self) -> int:
        return math.prod(self.chunk) * self.element_bytes

    @property
    def first_chunk(self) -> Box:
        """The first written chunk, cut to the extent of the dataset."""
        corner = zip(self.first_written, self.chunk, self.shape, strict=True)
        return tuple(slice(start, min(start + side, most)) for start, side, most in corner)

    @property
    def first_row(self) -> Box:
        """The first row of the first written chunk."""
        rows, *others = self.first_chunk
        return (slice(rows.start, rows.start + 1), *others)

    @property
    def plain_bytes(self) -> int:
        """The bytes of the written chunks without filters."""
        return self.chunks * self.chunk_bytes


@dataclass
class FileFacts:
    path: str
    stripe_size: int
    report: dict[str, Any]  # File.metadata_report()
    unused_bytes: int  # bytes that belong to nothing, or are known to be free
    groups: int = 1
    datasets: list[DatasetFacts] = field(default_factory=list)

    @property
    def objects(self) -> int:
        return self.groups + len(self.datasets)

    @property
    def small_contiguous(self) -> list[DatasetFacts]:
        """The contiguous datasets that would fit the headers of their objects."""
        limit = onecast.FILE_OPTIONS["compact_limit"].default
        return [d for d in self.datasets if d.layout == "contiguous" and 0 < d.bytes <= limit]


def facts_of(file: onecast.File, path: str, stripe_size: int) -> FileFacts:
    usage = onecast.check(path, limit=0)
    unused = usage["unaccounted_bytes"] + usage["free_bytes"]
    found = FileFacts(path, stripe_size, file.metadata_report()._asdict(), unused)

    def look(name: str, what: Any) -> None:
        if isinstance(what, onecast.Group):
            found.groups += 1
        elif isinstance(what, onecast.Dataset):
            found.datasets.append(dataset_facts(name, what))

    file.visititems(look)
    return found


def dataset_facts(path: str, dataset: onecast.Dataset) -> DatasetFacts:
    shape = (0,) if dataset.shape is None else dataset.shape
    layout = "external" if dataset.external else dataset.layout
    base = (path, layout, shape, dataset.datatype.size)
    chunks = dataset.id.get_num_chunks() if dataset.layout == "chunked" else 0
    if chunks == 0 or dataset.chunks is None:
        return DatasetFacts(*base)
    stored, first = dataset.id.get_storage_size(), dataset.id.get_chunk_info(0).chunk_offset
    names = tuple(dataset.filter_names)
    return DatasetFacts(*base, dataset.chunks, chunks, stored, names, tuple(first))


def decode_seconds(path: str, dataset: DatasetFacts) -> float | None:
    """Returns the seconds of decoding one chunk on this machine, the quickest of three; None if it
    cannot be decoded."""
    taken = []
    with onecast.File(path, chunk_cache_bytes=0, follow_external="folder") as file:
        found = file[dataset.path]
        for _ in range(3):
            start = time.perf_counter()
            try:
                found[dataset.first_chunk]
            except (OSError, NotImplementedError):
                return None
            taken.append(time.perf_counter() - start)
    return min(taken)
