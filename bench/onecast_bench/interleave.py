"""`onecast bench interleave`: small strided writes of all ranks. See bench/interleave/README.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from onecast_bench import cases, plot, table
from onecast_bench.cases import AUTO, Case, Contest, Settings
from onecast_bench.comparison import MIB, save, wide_console, work_folder
from onecast_bench.lab import Lab, sum_steps
from onecast_bench.programs import BenchError, need_program
from onecast_bench.results import Result

FIRST, FURTHER = "first small writes", "further small writes"
WRITING, AROUND = ("first", "further"), ("create", "close")  # steps of the programs


@dataclass(frozen=True)
class Sizes:
    mib: int
    steps: int
    lab: Lab | None


@dataclass(frozen=True)
class Measured:
    piece_bytes: int
    result: Result


def find_cases(settings: Settings, console: Console) -> list[Case]:
    mpi, ours = need_program("plain_interleave"), need_program("onecast_interleave")
    theirs = cases.find_stock("stock_interleave", settings.stock, console)
    found = []
    for by, environment in cases.by_mpi_io(settings.mpi_io):
        for how in ("independent", "collective"):
            found.append(Case(f"MPI-IO, {how}{by}", mpi, how, "pieces.bytes", environment))
            if theirs is not None:
                found.append(Case(f"stock HDF5, {how}{by}", theirs, how, "stock.h5", environment))
    found.sort(key=lambda case: case.program != mpi)
    return [
        *found,
        Case("Onecast, write", ours, "independent", "onecast.h5"),
        *cases.chosen_and_forced(ours),
        Case(f"{cases.AUTO}, over MPI-IO", ours, "mpi_io", "onecast.h5"),
    ]


def expected(count: int, size: int, steps: int) -> np.ndarray:
    """Returns the bytes that interleaved.h makes."""
    at = np.arange(size)
    number_bytes = np.arange(count, dtype="<u4").view("u1").reshape(count, 4)
    pieces = number_bytes[:, at % 4] + (at * 7).astype("u1")
    pieces[:, 0] = (steps - 1) % 256
    return pieces


def check_file(path: Path, pieces: np.ndarray, case: str, shift: int = 0) -> None:
    """Checks the file with another reader, if one is installed; the programs check it as well. The
    pieces begin at byte `shift`."""
    for found in cases.arrays_in(path, ["pieces"], lambda: [np.fromfile(path, "u1")]) or []:
        cases.require_written(found[shift:], pieces.reshape(-1), case, "pieces")


def result_table(results: list[Result], steps: int, title: str) -> Table:
    """Returns the seconds of one step, and the counts of all steps together."""
    columns = ["first step", *(["each further"] if steps > 1 else [])]
    columns += cases.COUNT_COLUMNS
    rows = {}
    for result in results:
        rows[result.case] = [table.seconds_text(result.seconds[FIRST])]
        if steps > 1:
            further = result.seconds[FURTHER] / (steps - 1)
            rows[result.case].append(table.seconds_text(further))
        rows[result.case] += cases.count_cells(result, (FIRST, FURTHER))
    return cases.make_table(title, columns, rows)


def lab_table(results: list[Result], lab: Lab) -> Table:
    """Returns what the emulated file system counted in the steps that write, and around them."""
    return cases.make_table(
        cases.lab_title(lab),
        (*cases.LAB_COLUMNS, "RPCs of create, close"),
        {result.case: cases.lab_cells(result, WRITING, AROUND) for result in results},
    )


def lab_verdict(ours: Result, others: list[Result], sizes: Sizes) -> str:
    counts, *theirs = (sum_steps(cases.lab_steps(result, WRITING)) for result in (ours, *others))
    stripe = cases.lab_steps(ours, WRITING)[0]["model"]["stripe_size"]
    stripes = -(-sizes.mib * MIB // stripe) * sizes.steps
    rpcs = [each.write_rpcs for each in theirs]
    revoked = [each.revocations for each in theirs]
    return (
        f"{stripes:,} stripes are touched. {AUTO}: {counts.write_rpcs:,} RPCs, "
        f"{counts.revocations:,} revocations; what is not ours: {min(rpcs):,} to {max(rpcs):,} "
        f"RPCs, {min(revoked):,} to {max(revoked):,} revocations"
    )


def verdict(results: list[Result], sizes: Sizes) -> str:
    """Compares the collective writes of Onecast with other libraries."""
    ours = next(r for r in results if r.case == AUTO)
    others = [r for r in results if not r.case.startswith("Onecast")]
    if sizes.lab:
        return lab_verdict(ours, others, sizes)
    best = min(others, key=lambda r: r.seconds[FIRST])
    seconds = [table.seconds_text(result.seconds[FIRST]) for result in (ours, best)]
    return f"First step: {AUTO} {seconds[0]}; the quickest other, {best.case}, {seconds[1]}"


def draw(measured: list[Measured], sizes: Sizes, path: Path, console: Console) -> None:
    """Draws seconds against the size of the pieces, with a plot for each number of ranks."""
    plots: dict[str, dict[str, plot.Points]] = {}
    for each in sorted(measured, key=lambda m: m.piece_bytes):
        about = f"{sizes.mib} MiB in pieces, {each.result.ranks} ranks: seconds of the first step"
        lines = plots.setdefault(about, {})
        point = (each.piece_bytes, each.result.seconds[FIRST])
        lines.setdefault(each.result.case, []).append(point)
    plot.save_lines(plots, "bytes of a piece", path, console)


def run_interleave_bench(pieces: Sequence[int], mib: int, settings: Settings) -> list[Contest]:
    """Runs all cases. The programs check what they wrote; wrong bytes end the benchmark."""
    if wrong := [piece for piece in pieces if mib * MIB % piece != 0]:
        raise BenchError(f"{mib} MiB are not whole pieces of {wrong[0]} bytes")
    console = wide_console()
    lab, steps, out = settings.lab, settings.steps, settings.out
    sizes = Sizes(mib, steps, lab)
    measured: list[Measured] = []
    contests: list[Contest] = []
    found_cases = find_cases(settings, console)
    launcher = cases.launcher_for(lab, settings.timeout)
    with work_folder("interleave-work", out, settings.directory) as work:
        for ranks, piece in ((n, p) for n in settings.ranks for p in pieces):
            wanted = expected(mib * MIB // piece, piece, steps)
            found = cases.run_cases(
                found_cases,
                launcher,
                ranks,
                settings.repeats,
                work,
                lambda file, case, wanted=wanted: check_file(file, wanted, case),
                bases=mib,
                zones=piece,
                rounds=steps,
            )
            title = f"{mib} MiB in turns, pieces of {piece:,} bytes, {ranks} ranks"
            title += f", {steps} steps" if steps > 1 else ""
            console.print()
            console.print(result_table(found, steps, title))
            console.print(verdict(found, sizes))
            if lab is not None:
                console.print(lab_table(found, lab))
            else:
                about = f"pieces of {piece:,} bytes"
                contests += cases.print_contests(found, (FIRST, FURTHER), about, console)
            measured += [Measured(piece, result) for result in found]
    name = "interleave-lab" if lab else "interleave"
    dicts = cases.contest_dicts(contests)
    save(name, sizes, settings.repeats, measured, out, console, contests=dicts)
    if lab is None:
        draw(measured, sizes, out / f"{name}.png", console)
    return contests
