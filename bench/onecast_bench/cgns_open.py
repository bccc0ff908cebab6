"""`onecast bench cgns --part open`: many ranks open one file with many zones. See
bench/cgns/README.md."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from onecast_bench import cases, cgns_tree, plot, table
from onecast_bench.cases import Case, Settings
from onecast_bench.cgns_tree import (
    CLOSE,
    CREATE,
    LIBCGNS,
    LOOK,
    ONECAST,
    OPEN,
    OPEN_AND_LOOK,
    Session,
    Shape,
)
from onecast_bench.comparison import progress_bar, wide_console, work_folder
from onecast_bench.programs import BenchError, Launcher
from onecast_bench.results import Result

OWN = "Onecast, its own file"
STOCK = "stock HDF5, the calls of libcgns"
COLUMNS = (
    *("create", "open", "look at all", "close"),
    *("file calls to open and look: rank 0 / others", "to close", "collectives to open and look"),
    "MB a rank",
)


def stock_case(settings: Settings, console: Console) -> list[Case]:
    program = cases.find_stock("stock_metadata", settings.stock, console)
    return [] if program is None else [Case(STOCK, program, "best", "stock.h5")]


def seconds_of_cg_open(result: Result) -> float:
    """Returns the seconds of `cg_open`, in which libcgns reads all small values. The program over
    stock HDF5 reads these values in its second step."""
    return result.seconds[OPEN if result.case == LIBCGNS else OPEN_AND_LOOK]


def result_table(results: Sequence[Result], title: str) -> Table:
    rows = {}
    for result in results:
        created = [result.seconds[name] for name in CREATE if name in result.seconds]
        rows[result.case] = [
            table.seconds_text(sum(created)) if created else "–",
            *(table.seconds_text(result.seconds[name]) for name in (OPEN, LOOK, CLOSE)),
            cgns_tree.calls_text(result, OPEN_AND_LOOK),
            cgns_tree.calls_text(result, CLOSE),
            cgns_tree.collectives_text(result, OPEN_AND_LOOK),
            cgns_tree.megabytes_text(result, OPEN_AND_LOOK),
        ]
    return cases.make_table(title, COLUMNS, rows)


def verdicts(results: Sequence[Result]) -> list[str]:
    ours = next(result for result in results if result.case == ONECAST)
    lines = []
    for other in results:
        if other.case not in (LIBCGNS, STOCK):
            continue
        alone, looked = (seconds_of_cg_open(other) / ours.seconds[m] for m in (OPEN, OPEN_AND_LOOK))
        lines.append(
            f"{table.ranks_text(ours.ranks)}: {other.case} takes {alone:,.0f} times as long to "
            f"open as Onecast, {looked:,.0f} times as long as Onecast with a look at all"
        )
    return lines


def draw(session: Session, path: Path, console: Console) -> None:
    plots: dict[str, dict[str, plot.Points]] = {"open and look at all: seconds": {}, "close": {}}
    for measure, lines in zip((OPEN_AND_LOOK, CLOSE), plots.values(), strict=True):
        for case, measured in cgns_tree.by_case(session.measured).items():
            lines[case] = [(m.result.ranks, m.result.seconds[measure]) for m in measured]
    plot.save_lines(plots, "ranks", path, console)


def measure(
    session: Session, found: Sequence[Case], shape: Shape, ranks: int, subject: str, file: Path
) -> list[Result]:
    """Each case creates a file and opens `file`. Onecast also opens the file that it created."""
    reports: dict[str, list[dict]] = {}
    for case in list(found) * session.settings.repeats:
        own = session.work / case.file
        created = session.create(case, shape, ranks, own)["steps"]
        opened = session.run(case, shape, ranks, file, "open_read")
        reports.setdefault(case.name, []).append(opened | {"steps": created + opened["steps"]})
        if case.name == ONECAST:
            reports.setdefault(OWN, []).append(session.run(case, shape, ranks, own, "open_read"))
    return session.keep(reports, shape, subject)


def measure_given(
    session: Session, found: Sequence[Case], shape: Shape, ranks: int, file: Path
) -> list[Result]:
    reports: dict[str, list[dict]] = {case.name: [] for case in found}
    for case in list(found) * session.settings.repeats:
        reports[case.name].append(session.run(case, shape, ranks, file, "open_read"))
    return session.keep(reports, shape, file.name)


def reads(
    session: Session, library: list[Case], shape: Shape, file: Path, console: Console
) -> bool:
    """Returns False if libcgns cannot read the file: version 3.4 refuses files of later
    versions."""
    try:
        session.run(library[0], shape, 1, file, "open_read")
        return True
    except BenchError as error:
        said = str(error).splitlines()
        reason = next((line for line in said if line.startswith("bench:")), said[0])
        console.print(f"Without libcgns, which does not open this file: {reason}", style="yellow")
        return False


def run_open(bases: int, zones: int, file: Path | None, settings: Settings) -> bool:
    """Opens `file`, or if it is None a file of this shape, created by the CGNS library or, where
    that is missing, by Onecast. Returns True if all programs saw the same contents."""
    console = wide_console()
    shape = Shape(bases, zones, "bare")
    ours, library = cgns_tree.our_case(), cgns_tree.libcgns_case(console)
    on_many = [ours, *stock_case(settings, console)]
    with (
        work_folder("cgns-work", settings.out, settings.directory) as work,
        progress_bar(console) as progress,
    ):
        session = Session(settings, Launcher.from_environment(settings.timeout), work, progress)
        progress.add_task("", total=None)
        if file and library and not reads(session, library, shape, file.resolve(), console):
            library = []
        on_one = [*on_many, *library]
        of_ranks = {ranks: on_one if ranks == 1 else on_many for ranks in settings.ranks}
        runs = sum(len(of) if file else 2 * len(of) + 1 for of in of_ranks.values())
        progress.update(progress.task_ids[0], total=1 + runs * settings.repeats)
        subject = file.name if file else f"{bases} bases × {zones} zones"
        if file is None:
            session.create((library or [ours])[0], shape, 1, work / "same.cgns")
        for ranks, found in of_ranks.items():
            if file:
                results = measure_given(session, found, shape, ranks, file.resolve())
            else:
                results = measure(session, found, shape, ranks, subject, work / "same.cgns")
            console.print()
            console.print(result_table(results, f"{subject}, {table.ranks_text(ranks)}"))
            console.print(*verdicts(results), sep="\n", style="bold")
    equal = session.finish("cgns-open", shape, console)
    draw(session, settings.out / "cgns-open.png", console)
    return equal
