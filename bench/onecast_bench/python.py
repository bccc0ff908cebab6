"""`onecast bench python`: small operations that Python programs repeat often, compared with h5py.

See bench/python/README.md.
"""

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
from rich.table import Table

import onecast
from onecast_bench.comparison import name_of, save, style_of, wide_console, work_folder
from onecast_bench.python_cases import CASES, Case
from onecast_model.looks import seconds_text

LIBRARIES = {"h5py": h5py, "onecast": onecast}


@dataclass(frozen=True)
class Result:
    name: str
    aim: float
    stock: float
    onecast: float
    equal: bool

    @property
    def ratio(self) -> float:
        """The speed as a multiple of h5py's."""
        return self.stock / self.onecast


@dataclass(frozen=True)
class Sizes:
    scale: float


def measure(case: Case, work: Path, scale: float, repeats: int) -> Result:
    """Runs both in turn, so that what slows the machine down slows both. Takes the fastest of
    each."""
    count = max(1, round(case.count * scale))
    seconds: dict[str, list[float]] = {name: [] for name in LIBRARIES}
    found: dict[str, object] = {}
    starts: dict[str, Path] = {}
    if case.prepare is not None:
        for name in LIBRARIES if case.own else ("h5py",):
            starts[name] = work / f"{name} before.h5"
            case.prepare(LIBRARIES[name], starts[name], count)
    for _ in range(repeats):
        for name, library in LIBRARIES.items():
            path = work / f"{name}.h5"
            path.unlink(missing_ok=True)
            if starts:
                shutil.copy(starts.get(name, starts["h5py"]), path)
            begin = time.process_time()
            found[name] = case.run(library, path, count)
            seconds[name].append(time.process_time() - begin)
    fastest = {name: min(took) for name, took in seconds.items()}
    equal = bool(np.all(found["h5py"] == found["onecast"]))
    return Result(case.name, case.aim, fastest["h5py"], fastest["onecast"], equal)


def table_of(results: list[Result]) -> Table:
    table = Table(title="Small things", title_justify="left", title_style="bold")
    table.add_column("what")
    for column in ("h5py", "Onecast", "times faster", "aim"):
        table.add_column(column, justify="right")
    for r in results:
        numbers = (seconds_text(r.stock), seconds_text(r.onecast), f"{r.ratio:.2f}", f"{r.aim:g}")
        table.add_row(name_of(r), *numbers, style=style_of(r))
    return table


def run_python_bench(
    names: list[str], scale: float, repeats: int, out: Path, directory: Path | None
) -> bool:
    """Returns True if all values are equal."""
    console = wide_console()
    results = []
    with work_folder("python", out, directory) as work:
        for case in CASES:
            if case.name in names:
                with console.status(case.name):
                    results.append(measure(case, work, scale, repeats))
    console.print(table_of(results))
    save("python", Sizes(scale), repeats, results, out, console)
    return all(result.equal for result in results)
