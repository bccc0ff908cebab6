"""The common part of the benchmarks samewrite, checkpoint, close and mesh: arrays of which each
rank has a part. See bench/arrays/README.md."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from onecast_bench import cases, plot, table
from onecast_bench.cases import AUTO, Case, Contest, Settings
from onecast_bench.comparison import MIB, save, wide_console, work_folder
from onecast_bench.lab import Lab, sum_steps
from onecast_bench.programs import need_program
from onecast_bench.results import Result

WRITE_CALLS = "write calls"
MOST_TOLD = 4
"""Of more cases the quickest and the slowest are told."""
MOST_CHECKED = 256 * MIB
"""Looked at by another reader: it has all of it in memory, several times."""


@dataclass(frozen=True)
class Array:
    """An array as arrays.h has it. With parts (1, 1) every rank has the whole array."""

    name: str
    type: str  # numpy's name: u1, i4, i8, f8
    shape: tuple[int, int]
    parts: tuple[int, int]
    node: str = ""  # the name of the node in a CGNS file

    @property
    def nbytes(self) -> int:
        return np.dtype(self.type).itemsize * self.shape[0] * self.shape[1]

    def spec(self) -> str:
        return ":".join(map(str, (self.name, self.type, *self.shape, *self.parts)))

    def values(self, number: int, steps: int) -> np.ndarray:
        """Returns what the programs write into the array of this number."""
        at = np.arange(self.shape[0] * self.shape[1], dtype=np.uint32)
        found = at * np.uint32(2654435761) + np.uint32(number * 97)
        if self.type == "i4":
            found &= np.uint32(0x7FFFFFFF)
        array = found.astype(self.type).reshape(self.shape)
        starts = [
            sorted({size * i // parts for i in range(parts)})
            for size, parts in zip(self.shape, self.parts, strict=True)
        ]
        array[np.ix_(*starts)] = steps - 1
        return array


@dataclass(frozen=True)
class Study:
    """The contents of a benchmark's report."""

    name: str
    phases: str  # the phases of the programs
    measures: tuple[str, ...]  # the columns
    contests: tuple[str, ...]  # measures that compare the chosen method with forced ones
    counted: tuple[str, ...]  # measures whose calls are shown as one sum
    lab_writing: tuple[str, ...]  # steps whose RPCs are shown
    lab_around: tuple[str, ...]  # steps whose RPCs are shown as one number
    drawn: str  # the measure of the picture
    all_counts: bool = False  # show the counts of each measure in a table of their own
    bandwidths: tuple[str, ...] = ()  # measures whose bandwidth is shown beside that of write calls
    memory_of: str = ""  # the measure whose memory is shown, if any


@dataclass(frozen=True)
class Sizes:
    steps: int
    lab: Lab | None
    arrays: dict[str, list[dict]]  # by workload and number of ranks


@dataclass(frozen=True)
class Measured:
    workload: str
    nbytes: int
    result: Result


def stock_cases(settings: Settings, ways: Sequence[str], console: Console) -> list[Case]:
    program = cases.find_stock("stock_arrays", settings.stock, console)
    if program is None:
        return []
    return [
        Case(f"stock HDF5, {way.replace('_', ', ')}{by}", program, way, "stock.h5", environment)
        for by, environment in cases.by_mpi_io(settings.mpi_io)
        for way in ways
        if way != "multi" or has_multi(program)
    ]


def has_multi(program: Path) -> bool:
    """True if its HDF5 writes several datasets by one call, which the program then uses."""
    return b"H5Dwrite_multi\0" in program.read_bytes()


def common_cases(settings: Settings, console: Console) -> list[Case]:
    """Returns the cases where each rank has a part: system calls, stock HDF5, Onecast's methods."""
    ours = need_program("onecast_arrays")
    return [
        Case(WRITE_CALLS, need_program("plain_arrays"), "each", "arrays.bytes"),
        *stock_cases(settings, ("independent", "collective", "multi"), console),
        Case("Onecast, write", ours, "alone", "onecast.h5"),
        *cases.chosen_and_forced(ours),
        Case("Onecast, write_multi", ours, "multi", "onecast.h5"),
    ]


def read_plainly(path: Path, arrays: Sequence[Array]) -> list[np.ndarray]:
    found, offset = [], 0
    for array in arrays:
        count = array.shape[0] * array.shape[1]
        values = np.fromfile(path, array.type, count, offset=offset)
        found.append(values.reshape(array.shape) if values.size == count else values)
        offset += -(-array.nbytes // MIB) * MIB
    return found


def check_file(path: Path, arrays: Sequence[Array], steps: int, case: str) -> None:
    """Checks the file with another reader, if one is installed; the programs check it as well."""
    if path.suffix == ".mpi" or sum(array.nbytes for array in arrays) > MOST_CHECKED:
        return
    of_cgns = path.suffix == ".cgns"
    names = [f"{array.node}/ data" if of_cgns else array.name for array in arrays]
    found = cases.arrays_in(path, names, lambda: read_plainly(path, arrays))
    for number, values in enumerate(found or []):
        wanted = arrays[number].values(number, steps)
        # CGNS stores arrays of one dimension.
        wanted = wanted.reshape(values.shape) if values.size == wanted.size else wanted
        cases.require_written(values, wanted, case, names[number])


def seconds_of(result: Result, measure: str, steps: int) -> float | None:
    """Returns the seconds of one step, if the measure has several steps."""
    seconds = result.seconds.get(measure)
    if seconds is None or measure != "further writes":
        return seconds
    return seconds / (steps - 1)


def result_table(results: Sequence[Result], study: Study, steps: int, title: str) -> Table:
    """Returns the seconds of one step, and the counts of all steps together."""
    measures = [name for name in study.measures if name in results[0].seconds]
    rows = {}
    for result in results:
        seconds = [seconds_of(result, name, steps) for name in measures]
        cells = ["–" if s is None else table.seconds_text(s) for s in seconds]
        rows[result.case] = cells + cases.count_cells(result, study.counted)
        if study.memory_of:
            taken = max(result.memory[study.memory_of], default=None)
            rows[result.case].append("–" if taken is None else f"{taken / MIB:,.1f}")
    named = ["each further write" if name == "further writes" else name for name in measures]
    memory = ("MiB beside, of a rank",) if study.memory_of else ()
    return cases.make_table(title, (*named, *cases.COUNT_COLUMNS, *memory), rows)


def lab_table(results: Sequence[Result], study: Study, lab: Lab) -> Table:
    writing, around = study.lab_writing, study.lab_around
    return cases.make_table(
        f"{cases.lab_title(lab)}; {', '.join(writing)}",
        (*cases.LAB_COLUMNS, f"RPCs of {', '.join(around)}"),
        {result.case: cases.lab_cells(result, writing, around) for result in results},
    )


def bandwidth_table(results: Sequence[Result], study: Study, nbytes: int, title: str) -> Table:
    """Returns the bandwidth of the fastest run, also relative to write calls and read calls. Where
    other programs run, processor time says more."""
    rows = {}
    for result in results:
        cells = []
        for measure in study.bandwidths:
            seconds, plain = (min(r.runs[measure]) for r in (result, results[0]))
            processor = result.cpu[measure] / results[0].cpu[measure]
            cells += [
                f"{nbytes / seconds / 1e6:,.0f}",
                f"{plain / seconds:.2f}",
                f"{processor:.2f}",
            ]
        rows[result.case] = cells
    of_each = ("MB/s", "of plain calls", "processor time ÷ theirs")
    columns = [f"{measure}: {name}" for measure in study.bandwidths for name in of_each]
    return cases.make_table(title, columns, rows)


def verdict(results: Sequence[Result], study: Study) -> str:
    """Compares the collective writes of Onecast with other libraries."""
    measure = study.drawn
    ours = [r for r in results if r.case == AUTO] or [
        r for r in results if r.case.startswith("Onecast")
    ]
    others = [r for r in results if not r.case.startswith("Onecast")]
    mine = min(ours[0].runs[measure])
    others.sort(key=lambda other: min(other.runs[measure]))
    if len(others) > MOST_TOLD:
        others = [others[0], others[-1]]
    ratios = [
        f"{min(other.runs[measure]) / mine:.2f} times as long with {other.case}" for other in others
    ]
    return f"{measure}: {ours[0].case} {table.seconds_text(mine)}; " + ", ".join(ratios)


def draw_lines(measured: Sequence[Measured], study: Study, path: Path, console: Console) -> None:
    """Draws seconds against ranks, with a plot for each workload."""
    plots: dict[str, dict[str, plot.Points]] = {}
    for each in sorted(measured, key=lambda m: m.result.ranks):
        lines = plots.setdefault(f"{each.workload}: seconds, {study.drawn}", {})
        point = (each.result.ranks, each.result.seconds[study.drawn])
        lines.setdefault(each.result.case, []).append(point)
    plot.save_lines(plots, "ranks", path, console)


def draw_bars(
    measured: Sequence[Measured], study: Study, in_lab: bool, path: Path, console: Console
) -> None:
    """Draws the seconds on one number of ranks, or what the lab counted."""
    plots: dict[str, dict[str, float]] = {}
    for each in measured:
        case, about = each.result.case, f"{each.workload}, {each.result.ranks} ranks"
        if in_lab:
            counts = sum_steps(cases.lab_steps(each.result, study.lab_writing))
            plots.setdefault(f"{about}: write RPCs", {})[case] = counts.write_rpcs
            plots.setdefault(f"{about}: locks taken away", {})[case] = counts.revocations
        else:
            seconds = each.result.seconds[study.drawn]
            plots.setdefault(f"{about}: {study.drawn}", {})[case] = seconds
    plot.save_bars(plots, in_lab, path, console)


def run_arrays_bench(
    study: Study,
    workloads: dict[str, Callable[[int], list[Array]]],
    find_cases: Callable[[Settings, Console], list[Case]],
    settings: Settings,
) -> list[Measured]:
    """Runs the cases of a study. `workloads` maps a name to a function that returns the arrays for
    a number of ranks. The programs check what they read back; wrong values end the benchmark."""
    console = wide_console()
    found_cases = find_cases(settings, console)
    launcher = cases.launcher_for(settings.lab, settings.timeout)
    sizes = Sizes(settings.steps, settings.lab, {})
    measured: list[Measured] = []
    contests: list[Contest] = []
    with work_folder(f"{study.name}-work", settings.out, settings.directory) as work:
        for name, ranks in ((w, r) for w in workloads for r in settings.ranks):
            arrays = workloads[name](ranks)
            sizes.arrays[f"{name}, {ranks} ranks"] = [asdict(array) for array in arrays]
            found = cases.run_cases(
                found_cases,
                launcher,
                ranks,
                settings.repeats,
                work,
                lambda file, case, arrays=arrays: check_file(file, arrays, settings.steps, case),
                arrays=";".join(array.spec() for array in arrays),
                rounds=settings.steps,
                phases=study.phases,
            )
            nbytes = sum(array.nbytes for array in arrays)
            measured += [Measured(name, nbytes, result) for result in found]
            plural = "s" if len(arrays) > 1 else ""
            title = f"{name}, {len(arrays)} array{plural}, {nbytes / MIB:,.2f} MiB, {ranks} ranks"
            console.print()
            console.print(result_table(found, study, settings.steps, f"{study.name}: {title}"))
            if study.all_counts and (counts := table.count_table(found, title)) is not None:
                console.print(counts)
            if settings.lab is not None:
                console.print(lab_table(found, study, settings.lab))
                continue
            if study.bandwidths:
                console.print(bandwidth_table(found, study, nbytes, title))
            console.print(verdict(found, study))
            contests += cases.print_contests(found, study.contests, name, console)
    file = f"{study.name}-lab" if settings.lab else study.name
    save(
        file,
        sizes,
        settings.repeats,
        measured,
        settings.out,
        console,
        contests=cases.contest_dicts(contests),
    )
    picture = settings.out / f"{file}.png"
    if settings.lab is None and len(settings.ranks) > 1:
        draw_lines(measured, study, picture, console)
    else:
        draw_bars(measured, study, settings.lab is not None, picture, console)
    return measured
