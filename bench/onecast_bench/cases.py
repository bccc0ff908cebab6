"""The common part of benchmarks of transfers. A case is a program with a setting. This module runs
cases on a disk or on the emulated striped file system, shows the results, and compares the method
that Onecast chooses with the methods that it can be forced to use."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from onecast_bench import table
from onecast_bench.lab import FOLDER, Lab, LabLauncher, sum_steps
from onecast_bench.programs import HOW_TO_GET_STOCK, BenchError, Launcher, find_program
from onecast_bench.results import Result, gather

OWN_MPI_IO = "own"
AUTO = "Onecast, write_all"
METHODS = ("plain", "independent", "collective")
BROADCAST = "broadcast"
"""One more, for what all ranks want: of other data it is collective."""
SLOWER = 1.15
"""More than so many times slower than the best method that can be forced is told."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run, from the command line."""

    ranks: Sequence[int]
    steps: int
    repeats: int
    out: Path
    directory: Path | None
    stock: bool
    mpi_io: Sequence[str]
    lab: Lab | None
    timeout: float


@dataclass(frozen=True)
class Case:
    name: str
    program: Path
    setting: str
    file: str
    environment: tuple[str, ...] = ()


def find_stock(name: str, wanted: bool, console: Console) -> Path | None:
    program = find_program(name) if wanted else None
    if wanted and program is None:
        console.print(f"No stock HDF5 to compare with: {HOW_TO_GET_STOCK}.", style="yellow")
    return program


def by_mpi_io(mpi_io: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields (suffix of a case's name, environment) for each implementation of MPI-IO."""
    for name in mpi_io:
        # This setting selects one of Open MPI's two implementations; other MPIs ignore it.
        own = name == OWN_MPI_IO
        yield ("", ()) if own else (f" ({name})", (f"OMPI_MCA_io={name}",))


def forced(method: str) -> str:
    return f"{AUTO}, {method}"


def chosen_and_forced(program: Path, methods: Sequence[str] = METHODS) -> list[Case]:
    """Returns write_all with the method that it chooses, and with each forced method."""
    settings = {AUTO: "auto", **{forced(method): f"method_{method}" for method in methods}}
    return [Case(name, program, setting, "onecast.h5") for name, setting in settings.items()]


def launcher_for(lab: Lab | None, timeout: float) -> Launcher:
    launcher = Launcher.from_environment(timeout)
    return launcher if lab is None else LabLauncher.of(launcher, lab)


def run_cases(
    cases: Sequence[Case],
    launcher: Launcher,
    ranks: int,
    repeats: int,
    work: Path,
    check: Callable[[Path, str], None],
    **options,
) -> list[Result]:
    """Runs all cases in turn, `repeats` times. `check(file, case)` gets the file on disk that the
    first run of each case left. `options` are passed to the program."""
    in_lab = isinstance(launcher, LabLauncher)
    reports: dict[str, list[dict]] = {case.name: [] for case in cases}
    for case in list(cases) * repeats:
        if in_lab:
            file = FOLDER / case.file
            options["lab"] = FOLDER / ".lab"
        else:
            file = work / case.file
            file.unlink(missing_ok=True)
        by = replace(launcher, environment=case.environment)
        report = by.run(
            case.program, ranks, file, work / "report.json", setting=case.setting, **options
        )
        if not in_lab and not reports[case.name]:
            check(file, case.name)
        reports[case.name].append(report)
    return [gather(name, "own file", runs) for name, runs in reports.items()]


def arrays_in(
    file: Path, names: Sequence[str], of_bytes: Callable[[], list[np.ndarray]]
) -> list[np.ndarray] | None:
    """Returns the arrays in a program's file: `of_bytes()` of a plain file, or datasets as h5py
    reads them; None without h5py."""
    if file.suffix == ".bytes":
        return of_bytes()
    try:
        import h5py
    except ImportError:
        return None
    with h5py.File(file) as f:
        return [f[name][...] for name in names]


def require_written(found: np.ndarray, wanted: np.ndarray, case: str, name: str) -> None:
    if not np.array_equal(found, wanted):
        raise BenchError(f"{case}: {name}: the file is not what the ranks wrote")


def counts_of(result: Result, counter: str, measures: Sequence[str]) -> list[int]:
    """Returns the sum over these measures, by rank."""
    found = [result.counts[name][counter] for name in measures if name in result.counts]
    return [sum(values) for values in zip(*found, strict=True)]


COUNT_COLUMNS = ("writes: rank 0 / others", "reads", "truncates", "file locks", "collectives")


def count_cells(result: Result, measures: Sequence[str]) -> list[str]:
    if result.counts is None:
        return ["–"] * len(COUNT_COLUMNS)
    return [
        table.count_text(counts_of(result, "writes", measures)),
        f"{sum(counts_of(result, 'reads', measures)):,}",
        f"{sum(counts_of(result, 'truncates', measures)):,}",
        f"{sum(counts_of(result, 'locks', measures)):,}",
        f"{counts_of(result, 'collectives', measures)[0]:,}",
    ]


def make_table(title: str, columns: Sequence[str], rows: dict[str, list[str]]) -> Table:
    """Returns a table with one row for each case."""
    shown = Table(title=title, title_justify="left", title_style="bold")
    shown.add_column("case")
    for name in columns:
        shown.add_column(name, justify="right")
    for case, cells in rows.items():
        shown.add_row(case, *cells, style="bold" if case.startswith("Onecast") else "")
    return shown


def lab_steps(result: Result, names: Sequence[str]) -> list[dict]:
    return [result.lab[name] for name in names if name in result.lab]


LAB_COLUMNS = ("write RPCs", "KiB each", "read RPCs", "revoked", "nodes that write", "to one OST")


def lab_cells(result: Result, writing: Sequence[str], around: Sequence[str]) -> list[str]:
    """Returns the counts of the steps that write, and the number of RPCs of the steps around
    them."""
    counts, others = sum_steps(lab_steps(result, writing)), sum_steps(lab_steps(result, around))
    each = counts.write_bytes / max(1, counts.write_rpcs)
    return [
        f"{counts.write_rpcs:,}",
        f"{each / 1024:,.0f}",
        f"{counts.read_rpcs:,}",
        f"{counts.revocations:,}",
        f"{counts.nodes:,}",
        f"{counts.nodes_per_ost:,}",
        f"{others.write_rpcs + others.read_rpcs:,}",
    ]


def lab_title(lab: Lab) -> str:
    sizes = f"{lab.nodes} nodes, {lab.osts} OSTs, stripes of {lab.stripe_size}"
    return " ".join([sizes, *lab.model])


def balance_text(balance: float | None) -> str:
    return "–" if balance is None else f"{balance:.2f}"


@dataclass(frozen=True)
class Contest:
    """A comparison of the chosen method with the best forced one, in one measure."""

    about: str
    ranks: int
    measure: str
    chosen: float
    forced: float
    best: str

    @property
    def ratio(self) -> float:
        return self.chosen / self.forced if self.forced else 1.0

    def __str__(self) -> str:
        return (
            f"{self.about}, {self.measure}: the chosen method takes {self.ratio:.2f} times as long "
            f"as the best forced one, {self.best} ({table.seconds_text(self.chosen)}, "
            f"{table.seconds_text(self.forced)})" + (": TOO LONG" if self.ratio > SLOWER else "")
        )


def contest_of(results: Sequence[Result], measure: str, about: str) -> Contest | None:
    """Compares the fastest run of each method; None if no method was forced."""
    seconds = {r.case: min(r.runs[measure]) for r in results if measure in r.runs}
    asked_for = {
        method: seconds[forced(method)]
        for method in (*METHODS, BROADCAST)
        if forced(method) in seconds
    }
    if AUTO not in seconds or not asked_for:
        return None
    best = min(asked_for, key=asked_for.__getitem__)
    return Contest(about, results[0].ranks, measure, seconds[AUTO], asked_for[best], best)


def print_contests(
    results: Sequence[Result], measures: Sequence[str], about: str, console: Console
) -> list[Contest]:
    found = [contest_of(results, measure, about) for measure in measures]
    for contest in filter(None, found):
        console.print(str(contest), style="bold red" if contest.ratio > SLOWER else "")
    return [contest for contest in found if contest]


def contest_dicts(contests: Sequence[Contest]) -> list[dict]:
    return [asdict(contest) | {"ratio": contest.ratio} for contest in contests]
