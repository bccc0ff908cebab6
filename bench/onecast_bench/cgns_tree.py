"""The common part of `onecast bench cgns --part open` and `--part zones`: programs create CGNS
files, open them and look at all nodes. See bench/cgns/README.md."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from onecast_bench import table
from onecast_bench.cases import Case, Settings
from onecast_bench.comparison import save
from onecast_bench.programs import Launcher, find_program, need_program
from onecast_bench.results import FILE_CALLS, Check, Result, check_contents, gather

OPEN, LOOK = "open + read all: open", "open + read all: read"
OPEN_AND_LOOK, CLOSE = "open + read all", "close after reading"
CREATE = ("create: fill", "create: flush", "create: close")
ONECAST, LIBCGNS = "Onecast", "libcgns"


@dataclass(frozen=True)
class Shape:
    bases: int
    zones: int  # in each base
    content: str  # the content of each zone, "bare" or "full" (see cgns_tree.c)

    @property
    def all_zones(self) -> int:
        return self.bases * self.zones


@dataclass(frozen=True)
class Measured:
    zones: int
    result: Result


@dataclass
class Session:
    """How the programs of one part are run, and their results."""

    settings: Settings
    launcher: Launcher
    work: Path
    progress: Progress
    measured: list[Measured] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    def run(self, case: Case, shape: Shape, ranks: int, file: Path, phase: str) -> dict:
        what = f"{case.name}, {shape.all_zones:,} zones, {table.ranks_text(ranks)}: {phase}"
        self.progress.update(self.progress.task_ids[0], description=what)
        report = self.launcher.run(
            case.program,
            ranks,
            file,
            self.work / "report.json",
            setting=case.setting or shape.content,
            phases=phase,
            bases=shape.bases,
            zones=shape.zones,
        )
        self.progress.advance(self.progress.task_ids[0])
        return report

    def create(self, case: Case, shape: Shape, ranks: int, file: Path) -> dict:
        file.unlink(missing_ok=True)  # replacing a file takes other calls than creating one
        return self.run(case, shape, ranks, file, "create")

    def keep(self, reports: dict[str, list[dict]], shape: Shape, subject: str) -> list[Result]:
        results = [gather(case, subject, runs) for case, runs in reports.items()]
        # Stock HDF5 sees groups and datasets instead of nodes.
        of_cgns = [result for result in results if not result.case.startswith("stock")]
        self.checks += check_contents(of_cgns, None, "the same for all")
        self.measured += [Measured(shape.all_zones, result) for result in results]
        return results

    def finish(self, name: str, sizes: object, console: Console) -> bool:
        """Saves NAME.json. Returns True if all programs saw the same contents."""
        checks = [vars(check) for check in self.checks]
        table.print_checks(console, self.checks)
        repeats = self.settings.repeats
        save(name, sizes, repeats, self.measured, self.settings.out, console, checks=checks)
        return all(check.passed for check in self.checks)


def our_case() -> Case:
    return Case(ONECAST, need_program("onecast_cgns_tree"), "", "onecast.cgns")


def libcgns_case(console: Console) -> list[Case]:
    """Returns a case for one rank if the CGNS library is installed, else none."""
    program = find_program("libcgns_tree")
    if program is None:
        text = "No CGNS library to compare with: apt-get install libcgns-dev, then build again."
        console.print(text, style="yellow")
        return []
    return [Case(LIBCGNS, program, "", "libcgns.cgns")]


def calls_text(result: Result, measure: str) -> str:
    """Returns the file calls of rank 0, then the most of any other rank."""
    if result.counts is None:
        return "–"
    counts = result.counts[measure]
    per_rank = [sum(counts[call][rank] for call in FILE_CALLS) for rank in range(result.ranks)]
    return table.count_text(per_rank)


def collectives_text(result: Result, measure: str) -> str:
    return f"{max(result.counts[measure]['collectives']):,}" if result.counts else "–"


def megabytes_text(result: Result, measure: str) -> str:
    """Returns the memory of the rank that used the most."""
    found = result.memory[measure]
    return f"{max(found) / 1e6:.1f}" if found else "–"


def by_case(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    cases = dict.fromkeys(each.result.case for each in measured)
    return {case: [m for m in measured if m.result.case == case] for case in cases}
