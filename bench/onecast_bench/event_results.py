"""The results of `onecast bench events`: ratios, tables, pictures."""

from dataclasses import dataclass, field

from rich.table import Table

PLAIN_READ = "plain read"


def two_places(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:,.2f}×"


@dataclass
class Result:
    """One case. Ratios are relative to plain write calls, or to reading PDS, in the same round."""

    kind: str  # write, read, random
    name: str
    compression: str
    threads: int
    ranks: int
    seconds: float
    bytes: int
    processor_seconds: float = 0
    peak_memory: int = 0
    stages: dict[str, float] = field(default_factory=dict)
    events_per_second: float = 0
    mb_per_second: float = 0
    ratio: float | None = None
    processor_ratio: float | None = None  # processor time relative to PDS in the same case
    to_all: float | None = None  # speed of reading one product relative to reading all
    synced_seconds: float = 0  # with several ranks: until the bytes are on the disk
    jobs: int = 1  # concurrent jobs, each with the events and a file of its own
    # The costs of one event in random order:
    slowest: float = 0
    read_calls: float = 0
    read_bytes: float = 0

    @property
    def case(self) -> tuple[str, int, int]:
        return self.compression, self.threads, self.ranks


def reads_of_pds(results: list[Result]) -> list[Result]:
    """Returns reads by one process from a file without compression, as plain reads are."""
    wanted = ("read", "PDS", "none", 1, 1)
    return [r for r in results if (r.kind, r.name, r.compression, r.ranks, r.jobs) == wanted]


def complete(results: list[Result], events: int, event_bytes: int) -> None:
    plain = next(r for r in results if r.name == "plain write")
    fastest_pds = min(reads_of_pds(results), key=lambda r: r.seconds, default=None)
    by_case = {(r.kind, r.name, r.jobs, *r.case): r for r in results}
    for r in results:
        r.events_per_second = (1 if r.kind == "random" else r.jobs * events) / r.seconds
        r.mb_per_second = r.events_per_second * event_bytes / 1e6
        pds = by_case.get((r.kind, "PDS", r.jobs, *r.case))
        if pds is not None and pds.processor_seconds:
            r.processor_ratio = r.processor_seconds / pds.processor_seconds
        if r.kind == "write":
            r.ratio = r.jobs * plain.seconds / r.seconds
        elif r.kind == "read" and (pds := fastest_pds if r.name.startswith(PLAIN_READ) else pds):
            r.ratio = pds.seconds / r.seconds
        name = r.name.removesuffix(", one product")
        if name != r.name and (whole := by_case.get((r.kind, name, r.jobs, *r.case))):
            r.to_all = whole.seconds / r.seconds


def table_of(results: list[Result], kind: str) -> Table:
    beside = "plain write" if kind == "write" else "PDS"
    table = Table(title=f"Events, {kind}", title_justify="left", title_style="bold")
    for column in ("what", "compression"):
        table.add_column(column)
    columns = ("threads", "ranks", "events/s", "MB/s", f"speed to {beside}")
    last = "processor time to PDS" if kind == "write" else "speed to all products"
    for column in (*columns, last, "MB", "memory", "most of the threads' time"):
        table.add_column(column, justify="right")
    for r in results:
        if r.kind != kind:
            continue
        stages = sorted(r.stages.items(), key=lambda stage: -stage[1])[:3]
        table.add_row(
            r.name if r.jobs == 1 else f"{r.name}, {r.jobs} jobs",
            r.compression,
            f"{r.threads}",
            f"{r.ranks}",
            f"{r.events_per_second:,.0f}",
            f"{r.mb_per_second:,.0f}",
            two_places(r.ratio),
            two_places(r.processor_ratio if kind == "write" else r.to_all),
            f"{r.bytes / 1e6:,.1f}",
            f"{r.peak_memory / 1e6:,.0f}" if r.peak_memory else "–",
            ", ".join(f"{name} {seconds:.2f} s" for name, seconds in stages if seconds > 0),
        )
    return table


def ranks_table(results: list[Result]) -> Table:
    """Compares one file of all ranks with a file for each rank."""
    table = Table(title="One file of all ranks", title_justify="left", title_style="bold")
    for column in ("what", "compression"):
        table.add_column(column)
    for column in ("threads", "ranks", "speed to a file each", "until it is on the disk"):
        table.add_column(column, justify="right")
    by_name = {(r.name, r.case): r for r in results if r.kind == "write" and r.ranks > 1}
    for (name, case), one in by_name.items():
        if each := by_name.get((f"{name}, a file each", case)):
            speeds = (each.seconds / one.seconds, each.synced_seconds / one.synced_seconds)
            table.add_row(name, *map(str, case), *map(two_places, speeds))
    return table


def random_table(results: list[Result]) -> Table:
    table = Table(
        title="Events by identity, in random order", title_justify="left", title_style="bold"
    )
    for column in ("what", "compression"):
        table.add_column(column)
    for column in ("ms per event", "slowest ms", "read calls", "KB read"):
        table.add_column(column, justify="right")
    for r in results:
        if r.kind == "random":
            times = (f"{r.seconds * 1e3:.3f}", f"{r.slowest * 1e3:.3f}")
            counts = (f"{r.read_calls:.1f}", f"{r.read_bytes / 1e3:,.0f}")
            table.add_row(r.name, r.compression, *times, *counts)
    return table


def picture(results: list[Result]) -> dict[str, dict[str, float]]:
    """Returns the seconds for a thousand events."""
    plots: dict[str, dict[str, float]] = {}
    for r in results:
        if r.kind == "random" or r.jobs != 1:
            continue
        if (r.threads, r.ranks) != (max(x.threads for x in results), 1) and r.peak_memory:
            continue
        name = f"Onecast {r.name}" if r.name.startswith("HDF5") else r.name
        plots.setdefault(r.kind, {})[f"{name}, {r.compression}"] = 1000 / r.events_per_second
    return plots
