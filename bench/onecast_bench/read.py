"""`onecast bench read`: Onecast and h5py read the files of bench/read/README.md."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import h5py
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import onecast
from onecast_bench.comparison import MIB, name_of, save, style_of, work_folder
from onecast_model.looks import ratio_text, seconds_text

CHUNK = (256, 1024)
STRIDES = (np.s_[:, 3], np.s_[::7], np.s_[:, ::2], np.s_[::2, ::2], np.s_[:, ::50], np.s_[:, :256])
"""Of a table of 512 columns."""
LIBRARIES = (h5py, onecast)


@dataclass(frozen=True)
class Sizes:
    contiguous_mib: int = 1024
    table_mib: int = 16
    chunked_mib: int = 512
    hyperslabs: int = 10_000
    datasets: int = 100_000


@dataclass(frozen=True)
class Case:
    """Work that both libraries do, and how its results are compared."""

    name: str
    file: Path
    work: Callable
    """work(open file) -> what is compared, cheaply"""
    aim: float
    """Times faster than h5py, at least."""


@dataclass(frozen=True)
class Result:
    name: str
    h5py_seconds: float
    onecast_seconds: float
    ratio: float
    aim: float
    equal: bool
    reads: int
    bytes_read: int


def values(mib: int) -> np.ndarray:
    """Returns values like measurements: neighbours differ little."""
    rng = np.random.default_rng(0)
    rows = max(CHUNK[0], mib * MIB // 4 // CHUNK[1])
    return np.cumsum(rng.integers(-3, 4, (rows, CHUNK[1]), np.int8), axis=1, dtype="<i4")


def compressions() -> dict[str, dict]:
    """Returns the compressions that h5py can write here: lz4 and zstd need the package
    hdf5plugin."""
    found = {"deflate and shuffle": {"compression": "gzip", "compression_opts": 4, "shuffle": True}}
    if find_spec("hdf5plugin"):
        import hdf5plugin

        found["lz4"] = dict(hdf5plugin.LZ4())
        found["zstd"] = dict(hdf5plugin.Zstd())
    return found


def read_all(file) -> np.ndarray:
    return file["x"][...]


def read_hyperslabs(count: int) -> Callable:
    def work(file) -> float:
        dataset = file["x"]
        rng = np.random.default_rng(1)
        rows = rng.integers(0, dataset.shape[0] - 10, count).tolist()
        columns = rng.integers(0, dataset.shape[1] - 10, count).tolist()
        total = 0
        for row, column in zip(rows, columns, strict=True):
            total += int(dataset[row : row + 10, column : column + 10][0, 0])
        return total

    return work


def read_strides(file) -> list[float]:
    """Reads some elements of every row, and some rows, of a contiguous table."""
    dataset = file["x"]
    return [float(dataset[part].sum()) for part in STRIDES for _ in range(3)]


def list_datasets(file) -> int:
    return sum(dataset.shape[0] for dataset in file["many"].values())


def walk(file) -> int:
    """Visits every object and reads its values."""
    total = 0

    def visit(_name: str, item) -> None:
        nonlocal total
        total += sum(np.size(value) for value in item.attrs.values())
        if hasattr(item, "dtype") and item.shape is not None:
            total += np.size(item[()])

    file.visititems(visit)
    return total


def make_cases(work: Path, sizes: Sizes, walked: Path | None) -> Iterator[Case]:
    """Writes each file just before the case that reads it."""
    path = work / "contiguous.h5"
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("x", (sizes.contiguous_mib * MIB // 8,), "<f8")
        for start in range(0, dataset.size, MIB):
            dataset[start : start + MIB] = start
    yield Case(f"contiguous, {sizes.contiguous_mib} MiB", path, read_all, 1)

    path = work / "table.h5"
    with h5py.File(path, "w") as file:
        table = np.arange(sizes.table_mib * MIB // 8, dtype="<f8")
        file["x"] = table.reshape(-1, 512)
    yield Case(f"columns and strides of {sizes.table_mib} MiB", path, read_strides, 1)

    data = values(sizes.chunked_mib)
    for name, options in compressions().items():
        path = work / f"{name.split()[0]}.h5"
        with h5py.File(path, "w") as file:
            file.create_dataset("x", data=data, chunks=CHUNK, **options)
        aim = 2.5 if name.startswith("deflate") else 2
        yield Case(f"chunked, {name}, {sizes.chunked_mib} MiB", path, read_all, aim)

    path = work / "hyperslabs.h5"
    with h5py.File(path, "w") as file:
        part = data[: 32 * MIB // data[0].nbytes]
        file.create_dataset("x", data=part, chunks=(64, 64), compression="gzip", shuffle=True)
    yield Case(
        f"{sizes.hyperslabs:,} random hyperslabs of 10 × 10",
        path,
        read_hyperslabs(sizes.hyperslabs),
        2,
    )

    path = work / "many.h5"
    with h5py.File(path, "w", libver="latest") as file:
        group = file.create_group("many")
        for i in range(sizes.datasets):
            group.create_dataset(f"{i:06}", (i % 7 + 1,), "<f4")
    yield Case(f"{sizes.datasets:,} datasets listed with shapes", path, list_datasets, 20)

    if walked is not None:
        yield Case(f"all of {walked.name}", walked, walk, 10)


def timed(library, case: Case) -> tuple[float, object, object]:
    """Returns the seconds from open to close, the result, and the counts of Onecast."""
    start = time.perf_counter()
    with library.File(case.file, "r") as file:
        outcome = case.work(file)
        stats = file.io_stats() if library is onecast else None
    return time.perf_counter() - start, outcome, stats


def measure(case: Case, repeats: int) -> Result:
    """Runs both in turn, so that what slows the machine down slows both. Takes the fastest of
    each."""
    seconds: dict[str, list[float]] = {library.__name__: [] for library in LIBRARIES}
    equal = True
    for _ in range(repeats):
        outcomes = []
        for library in LIBRARIES:
            taken, outcome, stats = timed(library, case)
            seconds[library.__name__].append(taken)
            outcomes.append(outcome)
        equal = equal and np.array_equal(*outcomes)
    theirs, ours = min(seconds["h5py"]), min(seconds["onecast"])
    return Result(
        case.name, theirs, ours, theirs / ours, case.aim, equal, stats.reads, stats.bytes_read
    )


def table_of(results: list[Result]) -> Table:
    table = Table(title="Reading, one process", title_justify="left", title_style="bold")
    table.add_column("open, read, close")
    for column in ("h5py", "Onecast", "h5py ÷ Onecast", "aim", "reads", "MiB read"):
        table.add_column(column, justify="right")
    for r in results:
        table.add_row(
            name_of(r),
            seconds_text(r.h5py_seconds),
            seconds_text(r.onecast_seconds),
            ratio_text(r.ratio),
            ratio_text(r.aim),
            f"{r.reads:,}",
            f"{r.bytes_read / MIB:,.1f}",
            style=style_of(r),
        )
    return table


def run_read_bench(
    sizes: Sizes,
    repeats: int = 3,
    out: Path = Path("bench-results"),
    directory: Path | None = None,
    file: Path | None = None,
    console: Console | None = None,
) -> bool:
    """Measures, prints and saves. Returns True if all values agree."""
    console = console or Console()
    results: list[Result] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    progress = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
    with work_folder("read-work", out, directory) as work, progress:
        total = 4 + len(compressions()) + (file is not None)
        task = progress.add_task("writes files", total=total)
        for case in make_cases(work, sizes, file):
            progress.update(task, description=case.name)
            results.append(measure(case, repeats))
            progress.advance(task)
            if case.file.parent == work:
                case.file.unlink()
    console.print(table_of(results))
    if not find_spec("hdf5plugin"):
        console.print("lz4 and zstd are left out: hdf5plugin is not installed.", style="yellow")
    save("read", sizes, repeats, results, out, console)
    return all(result.equal for result in results)
