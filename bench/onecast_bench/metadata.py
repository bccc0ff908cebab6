"""`onecast bench metadata`: Onecast and stock HDF5 do the work that bench/metadata/README.md
defines."""

import json
import platform
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from onecast_bench import plot, table
from onecast_bench.comparison import progress_bar, wide_console
from onecast_bench.programs import (
    HOW_TO_GET_STOCK,
    BenchError,
    Launcher,
    find_program,
    need_program,
)
from onecast_bench.results import Check, Result, check_contents, gather
from onecast_bench.workload import expected_contents

STOCK_SETTINGS = ("default", "best", "independent")
PNETCDF_SETTINGS = ("collective", "independent")


@dataclass(frozen=True)
class Case:
    name: str
    program: Path
    setting: str
    is_hdf5: bool = True  # it reads and writes HDF5 files

    @property
    def file_name(self) -> str:
        return self.name.replace(" ", "-").lower() + (".h5" if self.is_hdf5 else ".nc")


@dataclass
class Bench:
    """What one call of the benchmark runs, where, and its results."""

    cases: list[Case]
    launcher: Launcher
    work: Path
    bases: int
    zones: int
    repeats: int
    console: Console
    progress: Progress
    results: list[Result] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    @property
    def of_hdf5(self) -> list[Case]:
        return [case for case in self.cases if case.is_hdf5]

    def run(self, case: Case, ranks: int, file: Path, phases: str, what: str) -> dict:
        task = self.progress.task_ids[0]
        text = f"{case.name} on {table.ranks_text(ranks)}: {what}"
        self.progress.update(task, description=text)
        report = self.launcher.run(
            case.program,
            ranks,
            file,
            self.work / "report.json",
            phases=phases,
            bases=self.bases,
            zones=self.zones,
            setting=case.setting,
        )
        self.progress.advance(task)
        return report

    def keep(self, results: list[Result], expected: dict | None, what: str) -> None:
        self.results += results
        self.checks += check_contents(results, expected, what)

    def on_own_files(self, ranks: int, expected: dict) -> None:
        """Runs all phases, each case on a file of its own."""
        reports: dict[str, list[dict]] = {case.name: [] for case in self.cases}
        for turn in range(self.repeats):
            for case in self.cases:
                what = f"create, read, close ({turn + 1} of {self.repeats})"
                phases = "create,open_read,close_unmodified"
                file = self.work / case.file_name
                file.unlink(missing_ok=True)  # replacing a file takes other calls than creating one
                reports[case.name].append(self.run(case, ranks, file, phases, what))
        results = [gather(case.name, "its own file", reports[case.name]) for case in self.cases]
        self.keep(results, expected, "as written")
        title = f"{self.bases} bases × {self.zones} zones, {table.ranks_text(ranks)}"
        table.print_results(self.console, results, title)

    def on_each_others_files(self, ranks: int, expected: dict) -> None:
        """Onecast reads what each setting of stock HDF5 wrote, and each of these settings what
        Onecast wrote."""
        ours, *stock = self.of_hdf5
        for reader, writer in [pair for other in stock for pair in ((ours, other), (other, ours))]:
            file = self.work / writer.file_name
            report = self.run(reader, ranks, file, "open_read", f"reads {writer.name}'s file")
            result = gather(reader.name, f"{writer.name}'s file", [report])
            self.keep([result], expected, "as written")

    def on_given_file(self, ranks: int, file: Path, name: str) -> None:
        reports: dict[str, list[dict]] = {case.name: [] for case in self.of_hdf5}
        for turn in range(self.repeats):
            for case in self.of_hdf5:
                what = f"reads {name} ({turn + 1} of {self.repeats})"
                reports[case.name].append(self.run(case, ranks, file, "open_read", what))
        results = [gather(case.name, name, reports[case.name]) for case in self.of_hdf5]
        self.keep(results, None, "the same for all")
        table.print_results(self.console, results, f"{name}, {table.ranks_text(ranks)}")


def find_cases(stock: bool, settings: Sequence[str], console: Console) -> list[Case]:
    cases = [Case("Onecast", need_program("onecast_metadata"), "default")]
    program = find_program("stock_metadata") if stock else None
    if stock and program is None:
        console.print(f"No stock HDF5 to compare with: {HOW_TO_GET_STOCK}.", style="yellow")
    if program is not None:
        cases += [Case(f"stock {setting}", program, setting) for setting in settings]
    peer = find_program("pnetcdf_metadata") if stock else None
    if peer is not None:
        cases += [Case(f"PnetCDF {setting}", peer, setting, False) for setting in PNETCDF_SETTINGS]
    return cases


def write_cgns_file(launcher: Launcher, work: Path, bases: int, zones: int) -> Path | None:
    """Creates a file of this shape with the CGNS library, if its program is built."""
    program = find_program("libcgns_tree")
    if program is None:
        return None
    file = work / "cgns-library.cgns"
    sizes = {"bases": bases, "zones": zones}
    launcher.run(program, 1, file, work / "report.json", phases="create", **sizes)
    return file


def save(path: Path, bench: Bench, title: str) -> None:
    document = {
        "benchmark": "metadata",
        "title": title,
        "machine": {"system": platform.platform(), "processor": platform.machine()},
        "bases": bench.bases,
        "zones": bench.zones,
        "repeats": bench.repeats,
        "checks": [asdict(check) for check in bench.checks],
        "results": [asdict(result) for result in bench.results],
    }
    path.write_text(json.dumps(document, indent=1) + "\n")


def count_runs(cases: list[Case], ranks: int, repeats: int, file: bool, cgns: bool) -> int:
    of_hdf5 = sum(case.is_hdf5 for case in cases)
    if file:
        return of_hdf5 * repeats * ranks
    each_others = 2 * (of_hdf5 - 1)
    return (len(cases) * repeats + each_others + of_hdf5 * repeats * cgns) * ranks


def run_metadata_bench(
    ranks: Sequence[int] = (8,),
    bases: int = 128,
    zones: int = 32,
    file: Path | None = None,
    repeats: int = 3,
    out: Path = Path("bench-results"),
    stock: bool = True,
    settings: Sequence[str] = STOCK_SETTINGS,
    cgns: bool = True,
    directory: Path | None = None,
    timeout: float = 3600,
    console: Console | None = None,
) -> bool:
    """Runs, prints and saves. Returns True if all contents agree.

    The files are made in `directory` (default: `out`), which should be on the file system of
    interest.
    """
    console = console or wide_console()
    out.mkdir(parents=True, exist_ok=True)
    work = (directory or out).resolve() / "metadata-work"
    work.mkdir(parents=True, exist_ok=True)
    if file is not None and not file.is_file():
        raise BenchError(f"{file}: no such file")
    cases = find_cases(stock, settings, console)
    launcher = Launcher.from_environment(timeout)
    try:
        with progress_bar(console) as progress:
            wanted = cgns and file is None
            cgns_file = write_cgns_file(launcher, work, bases, zones) if wanted else None
            bench = Bench(cases, launcher, work, bases, zones, repeats, console, progress)
            total = count_runs(cases, len(ranks), repeats, file is not None, cgns_file is not None)
            progress.add_task("", total=total)
            expected = expected_contents(bases, zones) if file is None else None
            for number in ranks:
                if file is not None:
                    bench.on_given_file(number, file.resolve(), file.name)
                    continue
                bench.on_own_files(number, expected)
                bench.on_each_others_files(number, expected)
                if cgns_file is not None:
                    bench.on_given_file(number, cgns_file, "the CGNS library's file")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return report(bench, out, file, console)


def report(bench: Bench, out: Path, file: Path | None, console: Console) -> bool:
    shape = f"{bench.bases} bases × {bench.zones} zones"
    title = f"Metadata: {file.name if file else shape}"
    subject = file.name if file else "its own file"
    console.print()
    table.print_checks(console, bench.checks)
    save(out / "metadata.json", bench, title)
    console.print(f"Saved {out / 'metadata.json'}")
    shown = [result for result in bench.results if result.subject == subject]
    picture = out / "metadata.png"
    plot.save(lambda: plot.draw(shown, picture, title), picture, console)
    for line in table.summary_lines([r for r in shown if r.ranks == shown[-1].ranks]):
        console.print(line, style="bold")
    return all(check.passed for check in bench.checks)
