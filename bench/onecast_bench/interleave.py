"""`onecast bench interleave`: small strided writes of all ranks; see bench/interleave/README.md."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from onecast_bench import plot, table
from onecast_bench.comparison import MIB, save, work_folder
from onecast_bench.lab import FOLDER, Lab, LabLauncher, sum_steps
from onecast_bench.programs import (
    HOW_TO_GET_STOCK,
    BenchError,
    Launcher,
    find_program,
    need_program,
)
from onecast_bench.results import Result, gather

FIRST, FURTHER = "first small writes", "further small writes"
WRITING, AROUND = ("first", "further"), ("create", "close")  # steps of the programs
OWN_MPI_IO = "own"
COLLECTIVE = "Onecast, write_all"


@dataclass(frozen=True)
class Case:
    name: str
    program: Path
    setting: str
    file: str
    environment: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sizes:
    mib: int
    steps: int
    lab: Lab | None


@dataclass(frozen=True)
class Measured:
    piece_bytes: int
    result: Result


def find_cases(stock: bool, mpi_io: Sequence[str], console: Console) -> list[Case]:
    mpi, ours = need_program("plain_interleave"), need_program("onecast_interleave")
    theirs = find_program("stock_interleave") if stock else None
    if stock and theirs is None:
        console.print(f"No stock HDF5 to compare with: {HOW_TO_GET_STOCK}.", style="yellow")
    cases = []
    for name in mpi_io:
        # A setting of Open MPI, which has two; others do not look at it.
        environment = () if name == OWN_MPI_IO else (f"OMPI_MCA_io={name}",)
        by = "" if name == OWN_MPI_IO else f" ({name})"
        for how in ("independent", "collective"):
            cases.append(Case(f"MPI-IO, {how}{by}", mpi, how, "pieces.bytes", environment))
            if theirs is not None:
                cases.append(Case(f"stock HDF5, {how}{by}", theirs, how, "stock.h5", environment))
    cases.sort(key=lambda case: case.program != mpi)
    return [
        *cases,
        Case("Onecast, write", ours, "independent", "onecast.h5"),
        Case(COLLECTIVE, ours, "collective", "onecast.h5"),
    ]


def expected(count: int, size: int, steps: int) -> np.ndarray:
    """As interleaved.h makes them."""
    at = np.arange(size)
    number_bytes = np.arange(count, dtype="<u4").view("u1").reshape(count, 4)
    pieces = number_bytes[:, at % 4] + (at * 7).astype("u1")
    pieces[:, 0] = (steps - 1) % 256
    return pieces


def check_file(path: Path, pieces: np.ndarray, case: str) -> None:
    """Beside what the programs check: by another reader, where there is one."""
    if path.suffix == ".bytes":
        found = np.fromfile(path, "u1")
    else:
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(path) as f:
            found = f["pieces"][...]
    if not np.array_equal(found.reshape(pieces.shape), pieces):
        raise BenchError(f"{case}: the file is not what the ranks wrote")


def counts_of(result: Result, counter: str) -> list[int]:
    """Of all steps that write, by rank."""
    measures = [result.counts[name][counter] for name in (FIRST, FURTHER) if name in result.counts]
    return [sum(values) for values in zip(*measures, strict=True)]


def lab_steps(result: Result, names: Sequence[str]) -> list[dict]:
    return [result.lab[name] for name in names if name in result.lab]


def count_cells(result: Result) -> list[str]:
    if result.counts is None:
        return ["–"] * 4
    return [
        table.count_text(counts_of(result, "writes")),
        f"{sum(counts_of(result, 'reads')):,}",
        f"{sum(counts_of(result, 'locks')):,}",
        f"{counts_of(result, 'collectives')[0]:,}",
    ]


def make_table(title: str, columns: Sequence[str], rows: dict[str, list[str]]) -> Table:
    """One row a case."""
    shown = Table(title=title, title_justify="left", title_style="bold")
    shown.add_column("case")
    for name in columns:
        shown.add_column(name, justify="right")
    for case, cells in rows.items():
        shown.add_row(case, *cells, style="bold" if case.startswith("Onecast") else "")
    return shown


def result_table(results: list[Result], steps: int, title: str) -> Table:
    """Seconds of one step; the counts are of all steps together."""
    columns = ["first step", *(["each further"] if steps > 1 else [])]
    columns += ["writes: rank 0 / others", "reads", "file locks", "collectives"]
    rows = {}
    for result in results:
        rows[result.case] = [table.seconds_text(result.seconds[FIRST])]
        if steps > 1:
            further = result.seconds[FURTHER] / (steps - 1)
            rows[result.case].append(table.seconds_text(further))
        rows[result.case] += count_cells(result)
    return make_table(title, columns, rows)


def lab_cells(result: Result) -> list[str]:
    writing = sum_steps(lab_steps(result, WRITING))
    around = sum_steps(lab_steps(result, AROUND))
    each = writing.write_bytes / max(1, writing.write_rpcs)
    return [
        f"{writing.write_rpcs:,}",
        f"{each / 1024:,.0f}",
        f"{writing.read_rpcs:,}",
        f"{writing.revocations:,}",
        f"{writing.nodes:,}",
        f"{writing.nodes_per_ost:,}",
        f"{around.write_rpcs + around.read_rpcs:,}",
    ]


def lab_table(results: list[Result], lab: Lab) -> Table:
    """What the emulated file system counted: writing all steps, and what is around that."""
    columns = ("write RPCs", "KiB each", "read RPCs", "revoked", "nodes that write", "to one OST")
    return make_table(
        f"{lab.nodes} nodes, {lab.osts} OSTs, stripes of {lab.stripe_size}",
        (*columns, "RPCs of create, close"),
        {result.case: lab_cells(result) for result in results},
    )


def lab_verdict(ours: Result, others: list[Result], sizes: Sizes) -> str:
    counts, *theirs = (sum_steps(lab_steps(result, WRITING)) for result in (ours, *others))
    stripe = lab_steps(ours, WRITING)[0]["model"]["stripe_size"]
    stripes = -(-sizes.mib * MIB // stripe) * sizes.steps
    rpcs = [each.write_rpcs for each in theirs]
    revoked = [each.revocations for each in theirs]
    return (
        f"{stripes:,} stripes are touched. {COLLECTIVE}: {counts.write_rpcs:,} RPCs, "
        f"{counts.revocations:,} revocations; what is not ours: {min(rpcs):,} to {max(rpcs):,} "
        f"RPCs, {min(revoked):,} to {max(revoked):,} revocations"
    )


def verdict(results: list[Result], sizes: Sizes) -> str:
    """The collective writes of Onecast beside what is not ours."""
    ours = next(r for r in results if r.case == COLLECTIVE)
    others = [r for r in results if not r.case.startswith("Onecast")]
    if sizes.lab:
        return lab_verdict(ours, others, sizes)
    best = min(others, key=lambda r: r.seconds[FIRST])
    seconds = [table.seconds_text(result.seconds[FIRST]) for result in (ours, best)]
    return f"First step: {COLLECTIVE} {seconds[0]}; the quickest other, {best.case}, {seconds[1]}"


def run_case(
    case: Case, launcher: Launcher, ranks: int, piece: int, sizes: Sizes, work: Path
) -> dict:
    options = {"bases": sizes.mib, "zones": piece, "rounds": sizes.steps, "setting": case.setting}
    if sizes.lab:
        file = FOLDER / case.file
        options["lab"] = FOLDER / ".lab"
    else:
        file = work / case.file
        file.unlink(missing_ok=True)
    launcher = replace(launcher, environment=case.environment)
    return launcher.run(case.program, ranks, file, work / "report.json", **options)


def draw(measured: list[Measured], sizes: Sizes, path: Path, console: Console) -> None:
    """Seconds against the size of the pieces, a plot for each number of ranks."""
    plots: dict[str, dict[str, plot.Points]] = {}
    for each in sorted(measured, key=lambda m: m.piece_bytes):
        about = f"{sizes.mib} MiB in pieces, {each.result.ranks} ranks: seconds of the first step"
        lines = plots.setdefault(about, {})
        point = (each.piece_bytes, each.result.seconds[FIRST])
        lines.setdefault(each.result.case, []).append(point)
    plot.save_lines(plots, "bytes of a piece", path, console)


def run_interleave_bench(
    ranks: Sequence[int],
    pieces: Sequence[int],
    mib: int,
    steps: int,
    repeats: int,
    out: Path,
    directory: Path | None,
    stock: bool,
    mpi_io: Sequence[str],
    lab: Lab | None,
    timeout: float,
) -> None:
    """The programs check what they wrote; one that wrote something else ends the benchmark."""
    if wrong := [piece for piece in pieces if mib * MIB % piece != 0]:
        raise BenchError(f"{mib} MiB are not whole pieces of {wrong[0]} bytes")
    console = Console()
    sizes = Sizes(mib, steps, lab)
    measured: list[Measured] = []
    cases = find_cases(stock, mpi_io, console)
    launcher = Launcher.from_environment(timeout)
    if lab is not None:
        launcher = LabLauncher.of(launcher, lab)
    with work_folder("interleave-work", out, directory) as work:
        for number, piece in ((n, p) for n in ranks for p in pieces):
            reports: dict[str, list[dict]] = {case.name: [] for case in cases}
            for case in cases * repeats:
                report = run_case(case, launcher, number, piece, sizes, work)
                if lab is None and not reports[case.name]:
                    wanted = expected(mib * MIB // piece, piece, steps)
                    check_file(work / case.file, wanted, case.name)
                reports[case.name].append(report)
            found = [gather(name, "pieces", runs) for name, runs in reports.items()]
            title = f"{mib} MiB in turns, pieces of {piece:,} bytes, {number} ranks"
            title += f", {steps} steps" if steps > 1 else ""
            console.print()
            console.print(result_table(found, steps, title))
            if lab is not None:
                console.print(lab_table(found, lab))
            console.print(verdict(found, sizes))
            measured += [Measured(piece, result) for result in found]
    name = "interleave-lab" if lab else "interleave"
    save(name, sizes, repeats, measured, out, console)
    if lab is None:
        draw(measured, sizes, out / f"{name}.png", console)
