"""Writes docs/reference/founding-tables.md from the kept results and from the model."""

import json
from dataclasses import dataclass
from pathlib import Path

from onecast_bench.scale_tables import draw, page_rows
from onecast_model.checks import Check
from onecast_model.looks import seconds_text
from onecast_model.machine import Machine
from onecast_model.methods import METHODS, Work
from onecast_model.points import Apart, Point, load_apart
from onecast_model.report import Model
from onecast_model.stored import stored_model

KEPT = Path("bench/founding/kept.json")
PAGE = Path("docs/reference/founding-tables.md")
Rows = list[list[str]]


@dataclass(frozen=True)
class Ours:
    """A table of measured results, with a line for each case."""

    title: str
    result: str  # its name in kept.json
    measures: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()  # steps on the emulated file system, whose counts are added
    about: str = ""  # only workloads whose names contain this


@dataclass(frozen=True)
class OurCounts:
    """The table and the picture of `onecast bench scale`."""

    result: str
    picture: Path


@dataclass(frozen=True)
class Section:
    title: str
    operation: str  # the model's operation, or ""
    apart: tuple[str, ...]  # the beginnings of the model's reasons for excluded points
    ours: tuple[Ours | OurCounts, ...]
    found: str


PICTURE = Path("docs/reference/founding-scale.svg")
SECTIONS = (
    Section(
        "The library itself on 2,048 to 8,192 ranks",
        "",
        (),
        (OurCounts("scale", PICTURE),),
        "Expected: what a rank sends, receives and holds does not grow with the ranks, apart from "
        "one more message for each doubling; only rank 0 reads the metadata. Result: as expected "
        "for the counts. Ranks are threads of four processes on two cores, so their seconds say "
        "nothing about a machine with as many cores. Each cell with a stroke has the count of rank "
        "0, then that of any other rank; nodes have 128 ranks. These runs are older than two "
        "changes: the first open on several nodes takes 4 collective calls instead of 10, "
        "since it finds the nodes out without calls of their own, and since steps along one tree "
        "count as one call (with MPI, where each is a call, it takes about 11), and creating a "
        "file takes 0.8 KB of each rank for each of its objects instead of 1.4 KB. So the ranks "
        "created smaller files than they read; the 8,192 ranks read with a metadata_budget of 128 "
        "MiB, half the default, since another program needed the machine. Stock in its default "
        "setting reads as often on each rank, whatever their number. See "
        "[bench/scale](../../bench/scale/README.md).",
    ),
    Section(
        "8192 reads of the same 64 bytes",
        "small_reads",
        (),
        (
            Ours("on a disk, opening too", "mpiio", ("open + small reads",)),
            Ours("50 reads on the striped file system", "mpiio-lab", steps=("open", "read")),
        ),
        "Expected: the time of a read by all ranks grows with the ranks, that of one reader and a "
        "broadcast does not. Result: as expected. Not known: how much of the 474 s the file system "
        "takes and how much MPI. See [bench/mpiio](../../bench/mpiio/README.md).",
    ),
    Section(
        "Equal reads against size",
        "",
        (),
        (
            Ours("on a disk", "equal-reads", ("read back",)),
            Ours("on the striped file system", "equal-reads-lab", steps=("read",)),
            Ours("groups of ranks, on a disk", "equal-reads-groups", ("read back",)),
            Ours(
                "groups of ranks, on the striped file system",
                "equal-reads-groups-lab",
                steps=("read",),
            ),
        ),
        "No report gives seconds against size, so there are no published numbers to compare. "
        "[bench/arrays](../../bench/arrays/README.md#read-by-all-or-by-one) says what was "
        "expected, what the result is, and what is not known.",
    ),
    Section(
        "Opening a file of 128 × 32 zones and reading it",
        "open",
        ("one cgp_open",),
        (Ours("the same groups and datasets, on a disk", "metadata", ("open + read all",)),),
        "Expected: the time of stock grows with objects and ranks, that of Onecast with neither. "
        "The counts on few ranks already show it: stock reads and broadcasts each object. Not "
        "known: the time of Onecast on thousands of ranks. See "
        "[bench/metadata](../../bench/metadata/README.md).",
    ),
    Section(
        "40 equal bytes, written by all",
        "same_write",
        (),
        (
            Ours("on a disk", "samewrite", ("first write",)),
            Ours(
                "on the striped file system, 3 writes",
                "samewrite-lab",
                steps=("first", "further", "flush"),
            ),
        ),
        "Expected: ranks that all write one place take its lock from each other. Result: the "
        "striped file system counts one revoked lock for each further writer, and none if one rank "
        "writes for all. Not known: why the time of stock's collective write grew with the square "
        "of the ranks.",
    ),
    Section(
        "Closing, with truncation and without",
        "close",
        ("aligned blocks", "create and close", "open for reading"),
        (
            Ours("aligned blocks, on a disk", "close-truncation", ("close after writing",)),
            Ours(
                "aligned blocks, on the striped file system",
                "close-truncation-lab",
                steps=("flush", "close"),
            ),
        ),
        "The published numbers contradict each other by a factor of thousands: truncation takes "
        "45 s on 3,000 processes and 2 ms on 8,192. Both can be true for different files, because "
        "setting the length that a file already has differs from cutting it. Another report says "
        "that closing on 16,384 processes is about 100 times faster without truncation; the "
        "model, fitted to 3,000 processes, says {truncation} times. See "
        "[does truncation cost](../../bench/arrays/README.md#does-truncation-cost-or-do-locks).",
    ),
    Section(
        "Metadata just before the close",
        "",
        (),
        (
            Ours("on a disk", "close-metadata", ("flush + close",)),
            Ours("on the striped file system", "close-metadata-lab", steps=("flush", "close")),
        ),
        "A report asks, without numbers, whether scattered metadata and locks make a close slow. "
        "On the emulated file system scattered metadata costs locks. "
        "[The results](../../bench/arrays/README.md#does-truncation-cost-or-do-locks).",
    ),
    Section(
        "A FLASH checkpoint: 24 variables of 320 KiB a rank",
        "large_write",
        ("CGNS data",),
        (
            Ours("on a disk", "checkpoint", ("first write",)),
            Ours("on the striped file system", "checkpoint-lab", steps=("first",)),
        ),
        "Expected: aggregators that own stripes write without revoking locks. Result: as expected. "
        "Not known: why collective writing took twice as long as independent writing in the "
        "report. See [bench/arrays](../../bench/arrays/README.md).",
    ),
    Section(
        "Small pieces of all ranks in turns",
        "interleaved",
        (),
        (
            Ours("4 MiB, on a disk", "interleave", ("first small writes",)),
            Ours("1 MiB, on the striped file system", "interleave-lab", steps=("first",)),
        ),
        "Expected: small pieces of many clients in one stripe cost a lock each. Result: the counts "
        "show this. Not known: the total sizes of the two published tests, so only products are "
        "fitted. See [bench/interleave](../../bench/interleave/README.md).",
    ),
    Section(
        "Transfer size, stripes and writers",
        "",
        (),
        tuple(
            Ours(f"{title}, {place}", result, measures, steps, about=place)
            for title, result, measures, steps in (
                ("on a disk", "stripes", ("first small writes",), ()),
                ("8 MiB on the striped file system, 2 targets", "stripes-lab", (), ("further",)),
            )
            for place in ("aligned", "shifted")
        ),
        "The reports draw curves without numbers. 2 ranks are 1 writer for each target, 8 ranks "
        "are 4 writers. Expected: a full stripe of one writer costs one RPC and no lock, and all "
        "other transfers cost more. On a disk the command shows which part of a collective write "
        "is exchange, and on which ranks. "
        "[The results](../../bench/interleave/README.md#transfer-size-stripes-and-writers).",
    ),
    Section(
        "Three clients that queue on one target after the other",
        "",
        (),
        (
            Ours("writes that are waited for", "stripes-queue-lab", steps=("further",)),
            Ours("reads", "stripes-queue-lab", steps=("read",)),
        ),
        "Each client writes 3 MiB to 3 targets with stripes of 1 MiB; a report draws this, without "
        "numbers. Expected: equal bytes on all targets, but not at the same time. "
        "[The results](../../bench/interleave/README.md#queues).",
    ),
)


def table_of(rows: Rows) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"


def time_text(seconds: float) -> str:
    return seconds_text(seconds).replace(". ", " ")


def size_of(point: Point) -> str:
    if point.method.startswith("interleaved.generic"):
        return f", pieces of {point.work.piece:,.0f} bytes"
    return ""


def published_rows(model: Model, section: Section) -> Rows:
    columns = ("the model", "÷ published", "Onecast there, by the model")
    rows = [["published", "machine", "ranks", "seconds", *columns]]
    for check in model.checks:
        point = check.point
        if METHODS[point.method].operation == section.operation and point.source == "published":
            rows.append(fitted_row(model, check))
    for apart in load_apart():
        if section.apart and apart.what.startswith(section.apart):
            rows += apart_rows(model, apart)
    return rows


def of_onecast(machine: Machine, operation: str, ranks: int, work: Work) -> str:
    found = [m for m in METHODS.values() if m.operation == operation and m.is_onecast]
    return time_text(min(m.seconds(machine, ranks, work) for m in found))


def fitted_row(model: Model, check: Check) -> list[str]:
    point = check.point
    method = METHODS[point.method]
    seconds = ("at least " if point.is_lower_bound else "") + time_text(point.seconds)
    ours = of_onecast(model.machines[point.machine], method.operation, point.ranks, point.work)
    found = (seconds, time_text(check.predicted), f"{check.ratio:.2f}", ours)
    return [method.title + size_of(point), point.machine, f"{point.ranks:,}", *found]


def apart_rows(model: Model, apart: Apart) -> Rows:
    rows = []
    for ranks, seconds in apart.seconds:
        predicted = ours = "–"
        if apart.method:
            machine, method = model.machines[apart.like], METHODS[apart.method]
            predicted = time_text(method.seconds(machine, ranks, Work()))
            ours = of_onecast(machine, method.operation, ranks, Work())
        reason = f"not in the fit: {apart.why}"
        row = [apart.what, "not named", f"{ranks:,}", time_text(seconds)]
        rows.append([*row, predicted, reason, ours])
    return rows


def counts_of(each: dict, steps: tuple[str, ...]) -> list[str]:
    found = [each["lab"][step] for step in steps if step in each["lab"]]
    return [f"{sum(values):,}" for values in zip(*found, strict=True)]


def balance_of(each: dict, steps: tuple[str, ...]) -> float | None:
    """Returns the balance, if `steps` is a single step."""
    return each.get("balance", {}).get(steps[0]) if len(steps) == 1 else None


def counts_table(results: list[dict], ours: OurCounts) -> str:
    """Returns the picture and a table with a line for each work of each number of ranks."""
    picture = f"![Counts and memory against the number of ranks]({ours.picture.name})\n"
    return f"{picture}\n{table_of(page_rows(results))}"


def our_table(kept: dict, ours: Ours | OurCounts) -> str:
    """Returns a table with cases as lines, workloads and ranks as columns."""
    results = kept.get(ours.result)
    if not results:
        title = getattr(ours, "title", "Thousands of ranks")
        return f"**{title}**: not measured yet; `onecast bench founding` does it.\n"
    if isinstance(ours, OurCounts):
        return counts_table(results, ours)
    of_case: dict[str, dict[str, list[str]]] = {}
    for each in (result for result in results if ours.about in result["about"]):
        column = ", ".join(filter(None, [each["about"], f"{each['ranks']} ranks"]))
        column = column.replace("1 ranks", "1 rank") if each["ranks"] == 1 else column
        if ours.steps:
            cells = ["; ".join(counts_of(each, ours.steps))]
            if balance := balance_of(each, ours.steps):
                cells[0] += f"; {balance:.2f}"
        else:
            cells = [
                time_text(each["seconds"][name])
                for name in ours.measures
                if name in each["seconds"]
            ]
        if cells and cells[0]:
            of_case.setdefault(each["case"], {})[column] = cells
    columns = list(dict.fromkeys(name for cells in of_case.values() for name in cells))
    rows = [["case", *columns]]
    for case, cells in of_case.items():
        name = f"**{case}**" if case.startswith("Onecast") else case
        rows.append([name, *(", ".join(cells.get(column, ["–"])) for column in columns)])
    what = "write RPCs; read RPCs; revoked locks" if ours.steps else ", ".join(ours.measures)
    if any(balance_of(each, ours.steps) for each in results):
        what += "; balance over time"
    return f"**{ours.title}**: {what}\n\n{table_of(rows)}"


def section_text(model: Model, kept: dict, section: Section) -> str:
    close = METHODS["close.mpi_truncation"], METHODS["close.no_truncation"]
    ours, theirs = (m.seconds(model.machines["close test"], 16_384, Work()) for m in close)
    parts = [
        f"## {section.title}\n",
        section.found.format(truncation=f"{ours / theirs:,.0f}") + "\n",
    ]
    published = published_rows(model, section)
    if len(published) > 1:
        parts.append(table_of(published))
    parts += [our_table(kept, each) for each in section.ours]
    return "\n".join(parts)


HEAD = """# The founding tables

Onecast is based on five reports about parallel HDF5, CGNS and Lustre. This page has their \
measurements. It compares the published seconds with the prediction of [the model](model.md) for \
the same machine and number of ranks. Then it has our own measurements of Onecast, stock and \
MPI-IO, at a size that suits two cores. On a disk these are seconds, medians of few runs; on the \
[emulated striped file system](../../lab/README.md) they are counts, for 4 nodes and 4 targets. \
Our seconds say nothing about thousands of ranks; the counts, those of thousands of ranks \
first, and the model do. Published numbers \
that contradict others, or for which there is no formula, are not in the fit; their lines say why.

One command makes all measurements and writes this page, in about ten minutes on a quiet machine:

```sh
onecast bench founding
```
"""


def page_of(kept: dict) -> str:
    model = stored_model()
    sections = [section_text(model, kept, section) for section in SECTIONS]
    return "\n".join([HEAD, *sections])


def write_page(root: Path) -> None:
    kept = json.loads((root / KEPT).read_text())
    (root / PAGE).write_text(page_of(kept))
    if "scale" in kept:
        steps = [each for each in kept["scale"] if "step" in each]
        draw(steps, [each for each in kept["scale"] if "step" not in each], root / PICTURE)
