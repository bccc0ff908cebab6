"""`onecast bench mpiio`: all ranks read the same small pieces. See bench/mpiio/README.md."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import onecast
from onecast_bench import cases as transfers
from onecast_bench import plot, table
from onecast_bench.comparison import work_folder
from onecast_bench.lab import FOLDER, Lab, LabLauncher, sum_steps
from onecast_bench.programs import HOW_TO_GET_STOCK, Launcher, find_program, need_program
from onecast_bench.results import Result, gather

SECONDS, OPENED = "small reads", "open + small reads"
ALL_COLLECTIVE = "MPI-IO, all read, collective"
ONE_BROADCAST = "plain MPI, one reads all + one broadcast"
PRELOADED = "Onecast, preloaded, read each"


@dataclass(frozen=True)
class Case:
    name: str
    program: Path
    setting: str
    file: Path


def pieces(count: int, size: int) -> np.ndarray:
    """Returns the bytes that pieces.h expects."""
    number, byte = np.ogrid[:count, :size]
    return ((number * size + byte) * 7 + number * 131).astype(np.uint8)


def make_files(work: Path, count: int, size: int) -> tuple[Path, Path]:
    """Creates a file of the bytes alone, and one with them as a contiguous dataset."""
    plain, hdf5 = work / "pieces.bytes", work / "pieces.h5"
    values = pieces(count, size)
    plain.write_bytes(values.tobytes())
    with onecast.File(hdf5, "w", compact_limit=0) as f:
        f["pieces"] = values
    return plain, hdf5


def find_cases(stock: bool, plain: Path, hdf5: Path, console: Console) -> list[Case]:
    mpi, ours = need_program("plain_mpiio"), need_program("onecast_mpiio")
    cases = [
        Case(ALL_COLLECTIVE, mpi, "collective", plain),
        Case("MPI-IO, all read, independent", mpi, "independent", plain),
        Case("plain MPI, one reads + a broadcast each", mpi, "broadcast_each", plain),
        Case(ONE_BROADCAST, mpi, "one_broadcast", plain),
    ]
    program = find_program("stock_mpiio") if stock else None
    if program is not None:
        cases += [
            Case("stock HDF5, collective", program, "collective", hdf5),
            Case("stock HDF5, independent", program, "independent", hdf5),
        ]
    elif stock:
        console.print(f"No stock HDF5 to compare with: {HOW_TO_GET_STOCK}.", style="yellow")
    return [
        *cases,
        Case("Onecast, read_all each", ours, "read_all_each", hdf5),
        Case("Onecast, read_all each, trusting", ours, "read_all_each_trust", hdf5),
        Case("Onecast, one read_all of all", ours, "read_all_once", hdf5),
        Case(PRELOADED, ours, "preloaded", hdf5),
        Case("Onecast, read each, not preloaded", ours, "independent", hdf5),
    ]


def sum_of(result: Result, counter: str, rank: int) -> str:
    if result.counts is None:
        return "–"
    return f"{result.counts[OPENED][counter][rank]:,}"


def result_table(results: list[Result], title: str) -> Table:
    """Returns one row for each case, with the counts of opening and reading on the first and last
    rank."""
    shown = Table(title=title, title_justify="left", title_style="bold")
    shown.add_column("case")
    names = ("seconds, opening too", "reading", "first ÷ this", "reads of rank 0", "of the last")
    for name in (*names, "collectives"):
        shown.add_column(name, justify="right")
    slowest = results[0].seconds[OPENED]
    for result in results:
        shown.add_row(
            result.case,
            table.seconds_text(result.seconds[OPENED]),
            table.seconds_text(result.seconds[SECONDS]),
            table.ratio_text(slowest / result.seconds[OPENED]),
            sum_of(result, "reads", 0),
            sum_of(result, "reads", -1),
            sum_of(result, "collectives", 0),
            style="bold" if result.case.startswith("Onecast") else "",
        )
    return shown


def lab_table(results: list[Result], lab: Lab) -> Table:
    """Returns what reached the emulated file system while opening and reading."""
    rows = {}
    for result in results:
        counts = sum_steps(transfers.lab_steps(result, ("open", "read")))
        rows[result.case] = [f"{n:,}" for n in (counts.read_rpcs, counts.revocations)]
    return transfers.make_table(transfers.lab_title(lab), ("read RPCs", "revoked"), rows)


def run_case(case: Case, launcher: Launcher, ranks: int, work: Path, sizes: dict) -> dict:
    file = case.file
    if isinstance(launcher, LabLauncher):
        launcher = replace(launcher, put=(file,))
        file, sizes = FOLDER / file.name, {**sizes, "lab": FOLDER / ".lab"}
    return launcher.run(
        case.program, ranks, file, work / "report.json", setting=case.setting, **sizes
    )


def verdict(results: list[Result]) -> str:
    """Compares preloaded Onecast with the slowest and the fastest way without Onecast."""
    seconds = {result.case: result.seconds[OPENED] for result in results}
    ours = seconds[PRELOADED]
    return f"{PRELOADED}: " + ", ".join(
        f"{table.ratio_text(seconds[case] / ours)} as fast as {case}"
        for case in (ALL_COLLECTIVE, ONE_BROADCAST)
    )


def save(
    results: list[Result], sizes: dict, out: Path, title: str, console: Console, name: str
) -> None:
    document = {
        "benchmark": "mpiio",
        "machine": {"system": platform.platform(), "processor": platform.machine()},
        **sizes,
        "results": [asdict(result) for result in results],
    }
    path = out / f"{name}.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
    console.print(f"Saved {path}")
    lines: dict[str, plot.Points] = {}
    for result in sorted(results, key=lambda r: r.ranks):
        lines.setdefault(result.case, []).append((result.ranks, result.seconds[OPENED]))
    about = f"{title}: opening and reading, seconds of the slowest rank"
    plot.save_lines({about: lines}, "ranks", path.with_suffix(".png"), console)


def run_mpiio_bench(
    ranks: Sequence[int],
    reads: int,
    read_bytes: int,
    repeats: int,
    out: Path,
    directory: Path | None,
    stock: bool,
    timeout: float,
    lab: Lab | None = None,
) -> None:
    """Runs all cases. The programs check what they read; wrong bytes end the benchmark."""
    console = Console()
    results: list[Result] = []
    title = f"{reads:,} reads of the same {read_bytes:,} bytes"
    with work_folder("mpiio-work", out, directory) as work:
        cases = find_cases(stock, *make_files(work, reads, read_bytes), console)
        launcher = transfers.launcher_for(lab, timeout)
        for number in ranks:
            reports: dict[str, list[dict]] = {case.name: [] for case in cases}
            for case in cases * repeats:
                sizes = {"bases": reads, "zones": read_bytes}
                reports[case.name].append(run_case(case, launcher, number, work, sizes))
            found = [gather(name, "pieces", runs) for name, runs in reports.items()]
            console.print()
            plural = "s" if number > 1 else ""
            console.print(result_table(found, f"{title}, {number} rank{plural}"))
            if lab is not None:
                console.print(lab_table(found, lab))
            console.print(verdict(found))
            results += found
    name = "mpiio-lab" if lab else "mpiio"
    save(results, {"reads": reads, "read_bytes": read_bytes}, out, title, console, name)
