"""`onecast bench cgns --part zones`: the cost of opening a file and looking at it, for each of many
zones. See bench/cgns/README.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from onecast_bench import cases, cgns_tree, plot, table
from onecast_bench.cases import Settings
from onecast_bench.cgns_tree import (
    LIBCGNS,
    LOOK,
    OPEN,
    OPEN_AND_LOOK,
    Measured,
    Session,
    Shape,
)
from onecast_bench.comparison import progress_bar, wide_console, work_folder
from onecast_bench.programs import Launcher

COLUMNS = (
    *("zones", "open", "a zone", "open and look at all", "a zone", "processor time, a zone"),
    *("collectives to open", "MB a rank to open", "to open and look"),
)


@dataclass(frozen=True)
class Sizes:
    blocks: list[int]


def per_zone(measured: Measured, measure: str) -> float:
    return measured.result.seconds[measure] / measured.zones


def result_table(found: Sequence[Measured], title: str) -> Table:
    rows = {}
    for each in found:
        result = each.result
        rows[f"{result.case}, {each.zones:,}"] = [
            f"{each.zones:,}",
            table.seconds_text(result.seconds[OPEN]),
            table.seconds_text(per_zone(each, OPEN)),
            table.seconds_text(result.seconds[OPEN_AND_LOOK]),
            table.seconds_text(per_zone(each, OPEN_AND_LOOK)),
            table.seconds_text(result.cpu[OPEN_AND_LOOK] / each.zones),
            cgns_tree.collectives_text(result, OPEN),
            cgns_tree.megabytes_text(result, OPEN),
            cgns_tree.megabytes_text(result, OPEN_AND_LOOK),
        ]
    return cases.make_table(title, COLUMNS, rows)


def draw(session: Session, path: Path, console: Console) -> None:
    """Draws seconds against zones."""
    plots: dict[str, dict[str, plot.Points]] = {}
    for measure, about in ((OPEN, "open"), (LOOK, "look at all")):
        lines = plots.setdefault(f"{about}: seconds for each zone", {})
        for each in session.measured:
            name = f"{each.result.case}, {table.ranks_text(each.result.ranks)}"
            lines.setdefault(name, []).append((each.zones, per_zone(each, measure)))
    plot.save_lines(plots, "zones", path, console)


def run_zones(blocks: Sequence[int], settings: Settings) -> bool:
    """Returns True if all programs saw the same contents."""
    console = wide_console()
    ours, library = cgns_tree.our_case(), cgns_tree.libcgns_case(console)
    with (
        work_folder("cgns-work", settings.out, settings.directory) as work,
        progress_bar(console) as progress,
    ):
        session = Session(settings, Launcher.from_environment(settings.timeout), work, progress)
        of_ranks = {ranks: [ours, *(library if ranks == 1 else [])] for ranks in settings.ranks}
        runs = sum(map(len, of_ranks.values())) * settings.repeats + 1
        progress.add_task("", total=runs * len(blocks))
        for zones in blocks:
            shape = Shape(1, zones, "full")
            session.create(ours, shape, 1, work / ours.file)
            for ranks, found in of_ranks.items():
                reports: dict[str, list[dict]] = {case.name: [] for case in found}
                for case in found * settings.repeats:
                    report = session.run(case, shape, ranks, work / ours.file, "open_read")
                    reports[case.name].append(report)
                session.keep(reports, shape, f"{zones:,} zones")
    for ranks in settings.ranks:
        of = [each for each in session.measured if each.result.ranks == ranks]
        of.sort(key=lambda each: each.result.case == LIBCGNS)
        console.print()
        console.print(result_table(of, f"full zones, {table.ranks_text(ranks)}"))
    equal = session.finish("cgns-zones", Sizes(list(blocks)), console)
    draw(session, settings.out / "cgns-zones.png", console)
    return equal
