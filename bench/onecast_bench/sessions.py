"""`onecast bench sessions`: many small changes, in one session or in many, compared with h5py.

See bench/sessions/README.md.
"""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import h5py
import numpy as np
from rich.console import Console
from rich.table import Table

import onecast
from onecast_bench import sessions_program
from onecast_bench.comparison import save, wide_console, work_folder
from onecast_bench.programs import BenchError
from onecast_bench.sessions_program import CASES, Case
from onecast_model.looks import ratio_text, seconds_text

LIBRARIES = {"h5py": h5py, "onecast": onecast}
# The aims: the most that Onecast may take, as multiples of what stock HDF5 takes.
MOST_TIME = 1.5
MOST_BYTES = 1.3
MORE_BYTES = 8192
# The most that a late step may take, as a multiple of an early step.
MOST_LATE = 2.0
# The number of steps of a case, and the size of what the file holds before.
SIZES = {
    "append a chunk": (50, 200_000),
    "append to a table, latest": (50, 200_000),
    "append a row": (2_000, 0),
    "replace a dataset": (100, 0),
    "overwrite strings": (2_000, 1_000),
    "append compressed": (10_000, 0),
    "append compressed, latest": (10_000, 0),
    "a group and 3 datasets": (10_000, 0),
    "an attribute, h5py's file": (20, 30_000),
    "an attribute, own file": (20, 30_000),
}


@dataclass(frozen=True)
class Sizes:
    scale: float


@dataclass(frozen=True)
class Run:
    """What one library took: seconds in all, of an early and of a late step; bytes of the file."""

    seconds: float
    processor: float
    early: float
    late: float
    growth: int
    bytes: int


@dataclass(frozen=True)
class Result:
    name: str
    steps: int
    stock: Run
    onecast: Run
    equal: bool

    @property
    def times(self) -> float:
        return self.onecast.processor / self.stock.processor

    @property
    def is_small(self) -> bool:
        return self.onecast.bytes <= MOST_BYTES * self.stock.bytes + MORE_BYTES

    @property
    def is_as_aimed(self) -> bool:
        is_steady = self.onecast.late <= MOST_LATE * self.onecast.early
        return self.equal and self.is_small and is_steady and self.times <= MOST_TIME


def bytes_of(value) -> bytes:
    value = np.asarray(value)
    # Objects, such as strings of variable length, are only addresses in numpy's bytes.
    return repr(value.tolist()).encode() if value.dtype.kind == "O" else value.tobytes()


def contents(path: Path) -> str:
    """Returns a digest of all names, attributes and values, as h5py reads them."""
    digest = sha256()

    def visit(name: str, thing) -> None:
        digest.update(name.encode())
        for key in sorted(thing.attrs):
            digest.update(key.encode() + bytes_of(thing.attrs[key]))
        if isinstance(thing, h5py.Dataset):
            digest.update(str(thing.shape).encode() + bytes_of(thing[()]))

    with h5py.File(path) as f:
        f.visititems(visit)
    return digest.hexdigest()


def run_once(name: str, case: Case, start: Path | None, path: Path, steps: int) -> Run:
    path.unlink(missing_ok=True)
    if start is not None:
        shutil.copy(start, path)
    report = path.with_suffix(".json")
    given = {"library": name, "case": case.name, "file": path, "json": report, "steps": steps}
    command = [sys.executable, "-P", sessions_program.__file__]
    for option, value in given.items():
        command += [f"--{option}", str(value)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"{case.name}, {name}: {done.stderr.strip()}")
    return Run(**json.loads(report.read_text()))


def measure(case: Case, work: Path, scale: float, repeats: int) -> Result:
    """Runs both in turn, so that what slows the machine down slows both. Takes the fastest of
    each."""
    steps, size = (max(1, round(number * scale)) for number in SIZES[case.name])
    starts: dict[str, Path | None] = dict.fromkeys(LIBRARIES)
    if case.prepare is not None:
        for name, library in LIBRARIES.items():
            starts[name] = work / f"{name} before.h5"
            case.prepare(library, starts[name], size)
    paths = {name: work / f"{name}.h5" for name in LIBRARIES}
    runs: dict[str, list[Run]] = {name: [] for name in LIBRARIES}
    for _ in range(repeats):
        for name in LIBRARIES:
            runs[name].append(run_once(name, case, starts[name], paths[name], steps))
    fastest = {name: min(found, key=lambda run: run.processor) for name, found in runs.items()}
    equal = contents(paths["h5py"]) == contents(paths["onecast"])
    return Result(case.name, steps, fastest["h5py"], fastest["onecast"], equal)


def table_of(results: list[Result]) -> Table:
    table = Table(title="Many small changes", title_justify="left", title_style="bold")
    table.add_column("each step")
    columns = ("steps", "h5py", "Onecast", "ratio", "h5py early, late", "Onecast early, late")
    for column in (*columns, "h5py bytes", "Onecast bytes", "Onecast memory"):
        table.add_column(column, justify="right")
    for r in results:
        table.add_row(
            r.name if r.equal else f"{r.name}: VALUES DIFFER",
            f"{r.steps:,}",
            seconds_text(r.stock.processor),
            seconds_text(r.onecast.processor),
            ratio_text(r.times),
            f"{seconds_text(r.stock.early)}, {seconds_text(r.stock.late)}",
            f"{seconds_text(r.onecast.early)}, {seconds_text(r.onecast.late)}",
            f"{r.stock.bytes:,}",
            f"{r.onecast.bytes:,}",
            f"{r.onecast.growth / 1e6:+.1f} MB",
            style="bold red" if not r.equal else "" if r.is_as_aimed else "yellow",
        )
    return table


def run_sessions_bench(
    cases: list[str], scale: float, repeats: int, out: Path, directory: Path | None
) -> bool:
    """Measures, prints and saves. Returns True if all files agree."""
    console = wide_console()
    results: list[Result] = []
    with (
        work_folder("sessions-work", out, directory) as work,
        Console(stderr=True).status("") as status,
    ):
        for name in cases:
            status.update(name)
            results.append(measure(CASES[name], work, scale, repeats))
    console.print(table_of(results))
    save("sessions", Sizes(scale), repeats, results, out, console)
    return all(result.equal for result in results)
