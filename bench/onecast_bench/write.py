"""`onecast bench write`: compares Onecast with h5py and stock parallel HDF5. See
bench/write/README.md."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import h5py
import numpy as np
from rich.console import Console
from rich.table import Table

import onecast
from onecast_bench.comparison import MIB, name_of, save, style_of, work_folder
from onecast_bench.programs import HOW_TO_GET_STOCK, Launcher, find_program, need_program
from onecast_bench.read import STRIDES
from onecast_bench.results import steps_of
from onecast_model.looks import ratio_text, seconds_text

RANKS = 2


@dataclass(frozen=True)
class Sizes:
    datasets: int = 100_000
    attributes: int = 10_000
    appends: int = 10_000
    table_mib: int = 16
    contiguous_mib: int = 1024
    chunked_mib: int = 512


@dataclass(frozen=True)
class Case:
    """Work that both libraries do. `stock` and `ours` return the seconds."""

    name: str
    other: str
    aim: float
    """Times faster than the other, at least."""
    stock: Callable[[Path], float]
    ours: Callable[[Path], float]
    contents: Callable[[h5py.File], object]
    """What is compared of both files, as h5py reads them."""


@dataclass(frozen=True)
class Result:
    name: str
    other: str
    stock_seconds: float
    onecast_seconds: float
    ratio: float
    aim: float
    equal: bool
    stock_bytes: int
    onecast_bytes: int


def seconds_of(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def create_datasets(library, path: Path, count: int, **options) -> None:
    values = [np.arange(n, dtype="<f4") for n in range(1, 8)]
    with library.File(path, "w", **options) as file:
        group = file.create_group("many")
        for i in range(count):
            group.create_dataset(f"{i:06}", data=values[i % 7])


def create_attributes(library, path: Path, count: int, **options) -> None:
    with library.File(path, "w", **options) as file:
        attributes = file.create_group("one").attrs
        for i in range(count):
            attributes[f"{i:05}"] = i


def append(library, path: Path, count: int, **options) -> None:
    row = np.arange(8.0)
    with library.File(path, "w", **options) as file:
        dataset = file.create_dataset("x", (0, 8), "<f8", maxshape=(None, 8), chunks=(1024, 8))
        for i in range(count):
            dataset.resize(i + 1, axis=0)
            dataset[i] = row


def write_strides(library, path: Path, mib: int, **options) -> None:
    """Writes some elements of every row, and some rows, of a contiguous table."""
    table = np.arange(mib * MIB // 8, dtype="<f8").reshape(-1, 512)
    with library.File(path, "w", **options) as file:
        dataset = file.create_dataset("x", data=table)
        for number, part in enumerate(STRIDES):
            dataset[part] = table[part] + number


def write_plainly(path: Path, data: np.ndarray) -> None:
    """Writes the bytes alone, as a program without a format does."""
    with open(path, "wb", buffering=0) as file:
        rest = memoryview(data).cast("B")
        while rest:
            rest = rest[file.write(rest) :]


def write_contiguous(path: Path, data: np.ndarray) -> None:
    with onecast.File(path, "w") as file:
        file.create_dataset("x", data=data)


def beside_h5py(name: str, aim: float, work: Callable, count: int, contents: Callable) -> Case:
    return Case(
        name,
        "h5py latest",
        aim,
        lambda path: seconds_of(lambda: work(h5py, path, count, libver="latest")),
        lambda path: seconds_of(lambda: work(onecast, path, count)),
        contents,
    )


def beside_plain_writes(mib: int) -> Case:
    data = np.arange(mib * MIB // 8, dtype="<f8")
    return Case(
        f"contiguous, {mib} MiB",
        "plain write calls",
        1 / 1.05,
        lambda path: seconds_of(lambda: write_plainly(path, data)),
        lambda path: seconds_of(lambda: write_contiguous(path, data)),
        lambda file: np.array_equal(file["x"], data),
    )


def in_parallel(launcher: Launcher, way: str, mib: int) -> Case:
    def run(program: str) -> Callable[[Path], float]:
        def seconds(path: Path) -> float:
            report = path.with_suffix(".json")
            options = {"setting": way, "bases": mib}
            done = launcher.run(need_program(program), RANKS, path, report, **options)
            return max(steps_of(done)["write", "file"]["seconds"])

        return seconds

    return Case(
        f"chunked, {way}, {mib} MiB, {RANKS} ranks",
        "stock parallel",
        1.5,
        run("stock_write"),
        run("onecast_write"),
        lambda file: file["x"][...],
    )


def make_cases(sizes: Sizes) -> Iterator[Case]:
    yield beside_h5py(
        f"{sizes.datasets:,} small datasets created",
        10,
        create_datasets,
        sizes.datasets,
        # h5py is slow here, so only every hundredth dataset is read.
        lambda file: [file[f"many/{i:06}"][()].tolist() for i in range(0, sizes.datasets, 100)],
    )
    yield beside_h5py(
        f"{sizes.attributes:,} attributes of one object",
        10,
        create_attributes,
        sizes.attributes,
        lambda file: sorted(file["one"].attrs.items()),
    )
    yield beside_h5py(
        f"{sizes.appends:,} appends to a chunked dataset",
        3,
        append,
        sizes.appends,
        lambda file: file["x"][...],
    )
    yield beside_h5py(
        f"columns and strides of {sizes.table_mib} MiB",
        1,
        write_strides,
        sizes.table_mib,
        lambda file: file["x"][...],
    )
    yield beside_plain_writes(sizes.contiguous_mib)
    if find_program("stock_write") is None:
        return
    launcher = Launcher.from_environment()
    yield in_parallel(launcher, "deflate", sizes.chunked_mib)
    if find_spec("hdf5plugin"):
        import hdf5plugin

        os.environ["HDF5_PLUGIN_PATH"] = hdf5plugin.PLUGIN_PATH
        yield in_parallel(launcher, "zstd", sizes.chunked_mib)


def are_equal(case: Case, theirs: Path, ours: Path) -> bool:
    with h5py.File(ours) as file:
        written = case.contents(file)
    if not h5py.is_hdf5(theirs):
        return bool(written)
    with h5py.File(theirs) as file:
        expected = case.contents(file)
    if isinstance(expected, np.ndarray):
        return bool(np.array_equal(expected, written))
    return bool(expected == written)


def measure(case: Case, work: Path, repeats: int) -> Result:
    """Runs both in turn, so that what slows the machine down slows both. Takes the fastest of
    each."""
    theirs, ours = work / "stock.h5", work / "onecast.h5"
    stock_seconds, onecast_seconds = [], []
    for _ in range(repeats):
        for path in (theirs, ours):
            path.unlink(missing_ok=True)
        stock_seconds.append(case.stock(theirs))
        onecast_seconds.append(case.ours(ours))
    stock, mine = min(stock_seconds), min(onecast_seconds)
    return Result(
        case.name,
        case.other,
        stock,
        mine,
        stock / mine,
        case.aim,
        are_equal(case, theirs, ours),
        theirs.stat().st_size,
        ours.stat().st_size,
    )


def table_of(results: list[Result]) -> Table:
    table = Table(title="Writing", title_justify="left", title_style="bold")
    table.add_column("create, write, close")
    table.add_column("beside")
    for column in ("its time", "Onecast", "ratio", "aim", "its MiB", "Onecast MiB"):
        table.add_column(column, justify="right")
    for r in results:
        table.add_row(
            name_of(r),
            r.other,
            seconds_text(r.stock_seconds),
            seconds_text(r.onecast_seconds),
            ratio_text(r.ratio),
            ratio_text(r.aim),
            f"{r.stock_bytes / MIB:,.1f}",
            f"{r.onecast_bytes / MIB:,.1f}",
            style=style_of(r),
        )
    return table


def run_write_bench(sizes: Sizes, repeats: int, out: Path, directory: Path | None = None) -> bool:
    """Measures, prints and saves. Returns True if all values agree."""
    console = Console()
    results: list[Result] = []
    with work_folder("write-work", out, directory) as work, console.status("") as status:
        for case in make_cases(sizes):
            status.update(case.name)
            results.append(measure(case, work, repeats))
    console.print(table_of(results))
    if find_program("stock_write") is None:
        console.print(f"Stock parallel HDF5 is left out: {HOW_TO_GET_STOCK}.", style="yellow")
    save("write", sizes, repeats, results, out, console)
    return all(result.equal for result in results)
