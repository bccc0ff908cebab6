"""`onecast bench stripes`: transfers of many sizes, on stripes or across them, by one or several
writers for each target, and clients that queue on one target after the other. See
bench/interleave/README.md."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from onecast_bench import arrays, cases, interleave, plot
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import AUTO, Case, Settings
from onecast_bench.comparison import MIB, progress_bar, save, wide_console, work_folder
from onecast_bench.interleave import FIRST
from onecast_bench.lab import Lab, LabCounts, sum_steps
from onecast_bench.programs import BenchError, need_program
from onecast_bench.results import Result

STEP = "further"
"""Of the lab: the second time, when the file is open wherever it is written. Who opens it asks for
its size, and that waits behind the writes of others."""
ALIGNED, SHIFTED = "aligned", "shifted by half a stripe"
STRIPE = MIB
"""On a disk, where there are none."""
TIMES = ("--bandwidth", "20", "--ost-service", "100")
"""So that a balance can be told: an OST takes 50.1 ms for 1 MiB, longer than the program does."""
SHOWN = ("write RPCs", "read RPCs", "locks taken away", "balance over time")


@dataclass(frozen=True)
class Sizes:
    mib: int
    lab: Lab | None


@dataclass(frozen=True)
class Measured:
    """`workload` names size and place. `nbytes` counts the bytes of all ranks."""

    workload: str
    piece_bytes: int
    place: str
    nbytes: int
    result: Result

    @property
    def counts(self) -> LabCounts:
        return sum_steps(cases.lab_steps(self.result, (STEP,)))

    @property
    def megabytes_per_second(self) -> float:
        return self.nbytes / self.result.seconds[FIRST] / 1e6


def size_text(size: int) -> str:
    for unit, name in ((MIB, "MiB"), (1024, "KiB")):
        if size % unit == 0:
            return f"{size // unit:,} {name}"
    return f"{size:,} bytes"


def bytes_of(ranks: int, size: int, mib: int) -> int:
    """Returns whole MiB, with at least one transfer for each rank."""
    return max(mib, -(-ranks * size // MIB)) * MIB


def find_cases(settings: Settings, console: Console) -> list[Case]:
    left_out = ("MPI-IO, independent", f"{AUTO},")
    calls = Case("write calls", need_program("plain_interleave"), "calls", "pieces.bytes")
    found = interleave.find_cases(settings, console)
    return [calls, *(case for case in found if not case.name.startswith(left_out))]


def cell(measured: Measured, lab: Lab | None) -> str:
    if lab is None:
        return f"{measured.megabytes_per_second:,.0f}"
    counts = measured.counts
    numbers = (counts.write_rpcs, counts.read_rpcs, counts.revocations)
    return "; ".join([*(f"{n:,}" for n in numbers), cases.balance_text(counts.balance)])


def table_of(measured: Sequence[Measured], lab: Lab | None, title: str) -> Table:
    """Returns the table for one number of ranks and one place, with sizes as columns."""
    rows: dict[str, list[str]] = {}
    for each in measured:
        rows.setdefault(each.result.case, []).append(cell(each, lab))
    sizes = dict.fromkeys(size_text(each.piece_bytes) for each in measured)
    return cases.make_table(title, tuple(sizes), rows)


def exchange_table(measured: Sequence[Measured], ranks: int, place: str) -> Table:
    """Returns two rows. The first is the part of `write_all`'s time, over all ranks, that is not
    spent in file calls. The second divides the longest such time of a rank by the mean."""
    rows: dict[str, list[str]] = {"Onecast: % in the exchange": [], "Onecast: most ÷ mean": []}
    for each in (m for m in measured if m.result.case == AUTO):
        spent = each.result.spent[FIRST]
        exchange, all_of_it = sum(spent["exchange"]), sum(map(sum, spent.values()))
        imbalance = max(spent["exchange"]) * ranks / exchange if exchange else 1.0
        cells = (f"{100 * exchange / all_of_it:.0f}", f"{imbalance:.2f}")
        for row, text in zip(rows.values(), cells, strict=True):
            row.append(text)
    sizes = dict.fromkeys(size_text(each.piece_bytes) for each in measured)
    return cases.make_table(f"write_all on {ranks} ranks, {place}", tuple(sizes), rows)


def title_of(ranks: int, place: str, lab: Lab | None) -> str:
    if lab is None:
        return f"{ranks} ranks, {place}: MB/s"
    return f"{ranks / lab.osts:g} writers a target, {place}: {'; '.join(SHOWN)}"


def run_one(
    found_cases: Sequence[Case], settings: Settings, ranks: int, size: int, place: str, nbytes: int
) -> list[Measured]:
    workload = f"{size_text(size)}, {place}"
    stripe = settings.lab.stripe_bytes if settings.lab else STRIPE
    shift = stripe // 2 if place == SHIFTED else 0
    small = nbytes <= arrays.MOST_CHECKED // 4
    wanted = interleave.expected(nbytes // size, size, steps=1) if small else None

    def check(file, case) -> None:
        if wanted is not None:
            interleave.check_file(file, wanted, case, shift)

    options = {"shift": shift} if shift else {}
    with work_folder("stripes-work", settings.out, settings.directory) as work:
        launcher = cases.launcher_for(settings.lab, settings.timeout)
        options |= {"bases": nbytes // MIB, "zones": size, "rounds": 2 if settings.lab else 1}
        found = cases.run_cases(
            found_cases, launcher, ranks, settings.repeats, work, check, **options
        )
    return [Measured(workload, size, place, nbytes, result) for result in found]


def draw(measured: Sequence[Measured], settings: Settings, name: str, console: Console) -> None:
    """Draws a picture for each place, with a plot for each number of ranks."""
    lab = settings.lab
    for place in (ALIGNED, SHIFTED):
        plots: dict[str, dict[str, plot.Points]] = {}
        for each in (m for m in measured if m.place == place):
            about = title_of(each.result.ranks, place, lab).partition(":")[0]
            about += ": locks taken away" if lab else ": seconds for 1 MiB"
            value = each.counts.revocations if lab else MIB / 1e6 / each.megabytes_per_second
            lines = plots.setdefault(about, {})
            lines.setdefault(each.result.case, []).append((each.piece_bytes, value))
        path = settings.out / f"{name}-{place.partition(' ')[0]}.png"
        plot.save_lines(plots, "bytes of a transfer", path, console, counts=lab is not None)


def run_sizes(sizes: Sequence[int], mib: int, settings: Settings) -> None:
    for ranks, size in itertools.product(settings.ranks, sizes):
        if (nbytes := bytes_of(ranks, size, mib)) % size:
            raise BenchError(f"{nbytes // MIB} MiB are not whole transfers of {size} bytes")
    console = wide_console()
    lab = settings.lab and replace(settings.lab, model=TIMES)
    settings = replace(settings, lab=lab)
    found_cases = find_cases(settings, console)
    measured: list[Measured] = []
    with progress_bar(console) as progress:
        every = [(ranks, place) for ranks in settings.ranks for place in (ALIGNED, SHIFTED)]
        task = progress.add_task("", total=len(every) * len(sizes))
        for ranks, place in every:
            of_table: list[Measured] = []
            for size in sorted(sizes):
                progress.update(task, description=f"{ranks} ranks, {size_text(size)}, {place}")
                nbytes = bytes_of(ranks, size, mib)
                of_table += run_one(found_cases, settings, ranks, size, place, nbytes)
                progress.advance(task)
            console.print(table_of(of_table, lab, title_of(ranks, place, lab)))
            if lab is None:
                console.print(exchange_table(of_table, ranks, place))
            measured += of_table
    name = "stripes-lab" if lab else "stripes"
    save(name, Sizes(mib, lab), settings.repeats, measured, settings.out, console)
    draw(measured, settings, name, console)


# --- clients that queue --------------------------------------------------------------------------
QUEUE = Study(
    name="stripes-queue",
    phases="read",
    measures=("first write", "further writes"),
    contests=(),
    counted=("further writes",),
    lab_writing=(STEP,),
    lab_around=("create", "first", "close"),
    drawn="further writes",
)
CLIENTS = 3
QUEUE_LAB = Lab(CLIENTS, CLIENTS, "1M", ("--sync", "1", "--bandwidth", "10"))
"""A stripe takes an OST 100 ms, and its writer waits for it."""
ALL_AT_FIRST = "write calls, all begin on the first target"
EACH_ANOTHER = "write calls, each begins on another"


def queue_cases(settings: Settings, console: Console) -> list[Case]:
    plain, mpi = need_program("plain_arrays"), need_program("mpi_arrays")
    ours = need_program("onecast_arrays")
    return [
        Case(ALL_AT_FIRST, plain, "each", "arrays.bytes"),
        Case(EACH_ANOTHER, plain, "turned", "arrays.bytes"),
        *(
            Case(f"MPI-IO, collective{by}", mpi, "collective", "arrays.mpi", environment)
            for by, environment in cases.by_mpi_io(settings.mpi_io)
        ),
        *arrays.stock_cases(settings, ("independent", "collective"), console),
        Case("Onecast, write", ours, "alone", "onecast.h5"),
        Case(AUTO, ours, "auto", "onecast.h5"),
        Case(cases.forced("collective"), ours, "method_collective", "onecast.h5"),
    ]


def one_part_each(ranks: int) -> list[Array]:
    """Returns parts of as many stripes as there are targets, so that each begins on the first."""
    return [Array("data", "u1", (ranks, CLIENTS * MIB), (ranks, 1))]


def save_busy(measured: Sequence[arrays.Measured], name: str, path: Path, console: Console) -> None:
    """Draws when each target was busy in the step of that name, if any was."""
    plots = {}
    for each in measured:
        step = each.result.lab[name]
        if step["balance"] is None:
            continue
        title = (
            f"{each.result.case}: balance {step['balance']:.2f}, "
            f"{step['any_busy_ns'] / 1e6:,.0f} ms busy"
        )
        osts = [ost["busy_intervals"] for ost in step["osts"]]
        begin = min(intervals[0][0] for intervals in osts if intervals)
        plots[title] = [[((a - begin) / 1e9, (b - begin) / 1e9) for a, b in ost] for ost in osts]
    plot.save_intervals(plots, path, console)


def run_queue(settings: Settings) -> None:
    settings = replace(settings, lab=QUEUE_LAB, ranks=[CLIENTS], repeats=1, steps=2)
    about = f"{CLIENTS} clients, {CLIENTS} MiB each"
    measured = arrays.run_arrays_bench(QUEUE, {about: one_part_each}, queue_cases, settings)
    console = wide_console()
    rows = {
        each.result.case: [
            cases.balance_text(each.result.lab[step]["balance"]) for step in (STEP, "read")
        ]
        for each in measured
    }
    console.print(cases.make_table("balance over time", ("written", "read back"), rows))
    for step, what in ((STEP, "written"), ("read", "read")):
        save_busy(measured, step, settings.out / f"stripes-queue-{what}.png", console)


def run_stripes_bench(
    sizes: Sequence[int], mib: int, settings: Settings, parts: Sequence[str]
) -> None:
    """`sizes` are those of a transfer, in bytes. `mib` is for all ranks together, and grows if one
    transfer for each rank is more. The queue always runs in a lab."""
    if "sizes" in parts:
        run_sizes(sizes, mib, settings)
    if "queue" in parts and settings.lab:
        run_queue(settings)
