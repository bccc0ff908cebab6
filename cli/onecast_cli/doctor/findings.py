"""The findings: one function for each, in the table at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, prod

from .costs import Costs
from .facts import Box, DatasetFacts, FileFacts, Shape, decode_seconds

# Smaller counts are not reported.
MANY_PIECES = 32
MANY_SMALL = 16
MANY_CHUNKS = 64
MUCH_UNUSED = 1 << 20
UNUSED_SHARE = 1 / 8
TINY_CHUNK = 16 << 10
GOOD_CHUNK = 1 << 20
LARGE_CHUNK = 4 << 20
LEAST_COMPRESSED = 64 << 10
POOR_RATIO = 0.9
CHECKSUM = "fletcher32"


@dataclass(frozen=True)
class Finding:
    """`before` and `after` the remedy: seconds of the task on the machine of the model, or bytes of
    the file if there is no task."""

    name: str
    words: str
    remedy: str  # the command: adopt or repack
    task: str | None
    before: float
    after: float
    options: Sequence[str] = ()  # options of the command
    datasets: Sequence[str] = ()  # datasets that the task reads
    parts: Mapping[str, Box] = field(default_factory=dict)  # parts of these, if not all
    storage: Mapping[str, dict] = field(default_factory=dict)  # in the form of onecast.repack
    stripe_size: int = 0


def scattered(facts: FileFacts, costs: Costs) -> Finding | None:
    report = facts.report
    if report["page_size"] or report["pieces"] < MANY_PIECES:
        return None
    words = (
        f"The metadata lies in {report['pieces']:,} stretches, and no list says where. "
        f"One process walks through {facts.objects:,} objects at each open."
    )
    return spare_the_walk("scattered metadata", words, facts, costs)


def stale(facts: FileFacts, costs: Costs) -> Finding | None:
    if not facts.report["page_list_stale"]:
        return None
    words = "The page list is stale: another program changed the file. Each open walks again."
    return spare_the_walk("stale page list", words, facts, costs)


def spare_the_walk(name: str, words: str, facts: FileFacts, costs: Costs) -> Finding:
    """A walk reads small data as well, a page list does not."""
    before = costs.walk(facts)
    if len(facts.small_contiguous) < MANY_SMALL:
        return Finding(name, words, "adopt", "open", before, costs.open_with_list(facts))
    words += " An open with a list alone (adopt) would not bring the small data, as a walk does."
    return Finding(name, words, "repack", "open", before, costs.open_with_pages(facts))


def small_data(facts: FileFacts, costs: Costs) -> Finding | None:
    small = facts.small_contiguous
    if len(small) < MANY_SMALL:
        return None
    size = sum(d.bytes for d in small)
    words = (
        f"{len(small):,} small datasets ({size:,} bytes in all) lie outside of the metadata. "
        "Unless the open brings them along, each costs a read. In a new file they are in the "
        "headers of their objects."
    )
    before = costs.small_reads(len(small), size / len(small))
    return Finding(
        "contiguous small data",
        words,
        "repack",
        "read them",
        before,
        costs.copies(len(small)),
        datasets=[d.path for d in small],
    )


def tiny_chunks(facts: FileFacts, costs: Costs) -> Finding | None:
    found = [d for d in facts.datasets if d.chunks >= MANY_CHUNKS and d.chunk_bytes < TINY_CHUNK]
    changed = {d.path: larger_chunk(d) for d in found}
    found = [d for d in found if changed[d.path] != d.chunk]
    if not found:
        return None
    count, size = sum(d.chunks for d in found), sum(d.stored_bytes for d in found)
    fewer = sum(ceil(d.chunks * prod(d.chunk) / prod(changed[d.path])) for d in found)
    words = (
        f"{count:,} chunks have {size // count:,} bytes on average. Each has an entry in an index, "
        f"and its own request. Chunks of about 1 MiB would be {fewer:,}."
    )
    return Finding(
        "tiny chunks",
        words,
        "repack",
        "read them",
        costs.storage(size, count, facts.stripe_size),
        costs.storage(size, fewer, facts.stripe_size),
        layout_options(changed, found),
        [d.path for d in found],
        storage=layouts(changed, found),
    )


def layouts(changed: Mapping[str, Shape], found: Sequence[DatasetFacts]) -> dict[str, dict]:
    return {d.path: {"layout": "chunked", "chunks": changed[d.path]} for d in found}


def layout_options(changed: Mapping[str, Shape], found: Sequence[DatasetFacts]) -> list[str]:
    return [
        word
        for d in found
        for word in ("--layout", f"{d.path}:chunked:{'x'.join(map(str, changed[d.path]))}")
    ]


def larger_chunk(dataset: DatasetFacts) -> Shape:
    """Enlarges the chunk up to GOOD_CHUNK, along the fastest dimensions first."""
    chunk = list(dataset.chunk)
    for i in reversed(range(len(chunk))):
        while chunk[i] < dataset.shape[i]:
            wider = min(dataset.shape[i], 2 * chunk[i])
            if prod(chunk) // chunk[i] * wider * dataset.element_bytes > GOOD_CHUNK:
                break
            chunk[i] = wider
    return tuple(chunk)


def poor_compression(facts: FileFacts, costs: Costs) -> Finding | None:
    before = after = 0.0
    found = []
    for dataset in facts.datasets:
        plain, stored = dataset.plain_bytes, dataset.stored_bytes
        if (
            set(dataset.filters) <= {CHECKSUM, "shuffle"}
            or plain < LEAST_COMPRESSED
            or stored < POOR_RATIO * plain
        ):
            continue
        one = decode_seconds(facts.path, dataset)
        if one is None:
            continue
        decoding = one * ceil(dataset.chunks / costs.ranks)
        encoded = costs.storage(stored, dataset.chunks, facts.stripe_size) + decoding
        as_it_is = costs.storage(plain, dataset.chunks, facts.stripe_size)
        if as_it_is < encoded:
            found.append(dataset)
            before, after = before + encoded, after + as_it_is
    if not found:
        return None
    plain, stored = sum(d.plain_bytes for d in found), sum(d.stored_bytes for d in found)
    words = (
        f"Filters ({', '.join(sorted({name for d in found for name in d.filters}))}) bring "
        f"{plain:,} bytes to {stored:,}. Decoding them takes longer than reading what they save."
    )
    kept = {d.path: [CHECKSUM] if CHECKSUM in d.filters else [] for d in found}
    options = [
        word
        for path, one in kept.items()
        for word in ("--filter", f"{path}:{(one or ['none'])[0]}")
    ]
    return Finding(
        "compression that costs more than it saves",
        words,
        "repack",
        "read them",
        before,
        after,
        options,
        [d.path for d in found],
        storage={path: {"filters": [(name,) for name in one]} for path, one in kept.items()},
    )


def large_chunks(facts: FileFacts, costs: Costs) -> Finding | None:
    """A part of a chunk can be read only without filters."""
    large = [d for d in facts.datasets if d.filters and d.chunk_bytes > LARGE_CHUNK]
    changed = {d.path: smaller_chunk(d) for d in large}
    taken: dict[str, float] = {}
    for d in large:
        if changed[d.path] != d.chunk and (one := decode_seconds(facts.path, d)) is not None:
            taken[d.path] = one
    found = [d for d in large if d.path in taken]
    if not found:
        return None
    before = after = 0.0
    for d in found:
        stored, share = d.stored_bytes / d.chunks, prod(changed[d.path]) / prod(d.chunk)
        before += costs.storage(stored, 1, facts.stripe_size) + taken[d.path]
        after += costs.storage(stored * share, 1, facts.stripe_size) + taken[d.path] * share
    words = (
        f"To read any part of a chunk, a rank decodes the whole chunk, up to "
        f"{max(d.chunk_bytes for d in found):,} bytes; ranks cannot share this work."
    )
    return Finding(
        "large filtered chunks",
        words,
        "repack",
        "read a row" if len(found) == 1 else "read a row of each",
        before,
        after,
        layout_options(changed, found),
        [d.path for d in found],
        {d.path: d.first_row for d in found},
        layouts(changed, found),
    )


def smaller_chunk(dataset: DatasetFacts) -> Shape:
    """Reduces the chunk to GOOD_CHUNK, along the slowest dimensions first."""
    chunk = list(map(min, dataset.chunk, dataset.shape))
    for i in range(len(chunk)):
        while chunk[i] > 1 and prod(chunk) * dataset.element_bytes > GOOD_CHUNK:
            chunk[i] = ceil(chunk[i] / 2)
    return tuple(chunk)


def unused_space(facts: FileFacts, costs: Costs) -> Finding | None:
    size, unused = facts.report["file_size"], facts.unused_bytes
    if unused < max(MUCH_UNUSED, UNUSED_SHARE * size):
        return None
    words = (
        f"{unused:,} of {size:,} bytes are not used: their contents were removed or replaced, or "
        "moved when they grew."
    )
    return Finding("unused space", words, "repack", None, size, size - unused)


def stripes(facts: FileFacts, costs: Costs) -> Finding | None:
    touched, size = facts.report["stripes_touched"], facts.report["metadata_bytes"]
    needed = ceil(size / facts.stripe_size)
    if touched <= 2 * (needed + 1):
        return None
    words = (
        f"Metadata of {size:,} bytes lies in {touched:,} stripes of {facts.stripe_size:,} bytes; "
        f"{needed:,} would hold it. An open sends requests to all of these, and writers of raw "
        "data share stripes with the metadata."
    )
    return Finding(
        "metadata on many stripes",
        words,
        "repack",
        "read the metadata",
        costs.storage(size, touched, facts.stripe_size),
        costs.storage(size, needed, facts.stripe_size),
        ["--stripe-size", str(facts.stripe_size)],
        stripe_size=facts.stripe_size,
    )


FINDINGS: tuple[Callable[[FileFacts, Costs], Finding | None], ...] = (
    stale,
    scattered,
    small_data,
    stripes,
    tiny_chunks,
    large_chunks,
    poor_compression,
    unused_space,
)


def findings_of(facts: FileFacts, costs: Costs) -> list[Finding]:
    return [found for find in FINDINGS if (found := find(facts, costs)) is not None]
