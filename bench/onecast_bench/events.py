"""`onecast bench events`: writing and reading events, beside plain write calls and h5py.

See bench/events/README.md.
"""

import json
import os
import shlex
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from onecast_bench import plot
from onecast_bench.comparison import save, wide_console, work_folder
from onecast_bench.programs import BenchError, build_directories
from onecast_model.looks import ratio_text

PRODUCTS = 17
PRODUCT_BYTES = 6300  # 107 KB in all
KEPT = 40  # different events, repeated
EVENTS = f"TestProducts:events={KEPT}:products={PRODUCTS}:size={PRODUCT_BYTES}:spread=0.9"
OUTPUTERS = ("Serialize", "PDS", "HDF5Event", "HDF5Batch", "HDF5Product")
# What has no such compression.
LACKING = {"none": (), "lzma": ("Serialize", "PDS")}


@dataclass(frozen=True)
class Sizes:
    events: int
    event_bytes: int


@dataclass
class Result:
    """One case; ratios are to plain write calls, or to PDS read, in the same round."""

    kind: str  # write, read, random
    name: str
    compression: str
    threads: int
    ranks: int
    seconds: float
    bytes: int
    peak_memory: int = 0
    stages: dict[str, float] = field(default_factory=dict)
    events_per_second: float = 0
    mb_per_second: float = 0
    ratio: float | None = None
    jobs: int = 1  # at the same time, each with the events and a file of its own
    # Of one event in random order:
    slowest: float = 0
    read_calls: float = 0
    read_bytes: float = 0


Measure = Callable[[], Result]


def find_events_program() -> Path:
    for build in build_directories():
        if (path := build / "onecast-events").is_file():
            return path
    raise BenchError("onecast-events is not built; run `make build`")


def run_program(work: Path, ranks: int, *arguments: str, job: int = 0) -> dict:
    report = work / f"report{job}.json"
    command = [str(find_events_program()), "run", "-q", "--json", str(report), *arguments]
    if ranks > 1:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        command = [os.environ.get("MPIEXEC", "mpiexec"), *flags, "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"{shlex.join(command)}: {done.stderr.strip()}")
    return json.loads(report.read_text())


def options_of(compression: str) -> str:
    codec, _, level = compression.partition(":")
    if codec == "none":
        return ""
    return f":compression={codec}" + (f":level={level}" if level else "")


def sizes_of(work: Path, pattern: str) -> int:
    return sum(path.stat().st_size for path in work.glob(pattern))


def remove(work: Path, pattern: str) -> None:
    for path in work.glob(pattern):
        path.unlink()


def write_case(work: Path, events: int, name: str, compression: str, threads: int, ranks: int):
    file = "" if name == "Serialize" else f"={work}/out" + ("{rank}" if name == "PDS" else "")

    def measure() -> Result:
        remove(work, "out*")
        source = f"Replay={EVENTS.replace(':', '::')}:count={KEPT}:events={events}"
        outputer = f"{name}{file}{options_of(compression)}"
        found = run_program(work, ranks, "-s", source, "-o", outputer, "-t", str(threads))
        taken = (found["seconds"], sizes_of(work, "out*"), found["peak_memory"], found["stages"])
        return Result("write", name, compression, threads, ranks, *taken)

    return measure


def filling_case(work: Path, events: int, name: str, compression: str, jobs: int):
    """As many jobs of one thread as fill the machine."""

    def one(job: int) -> dict:
        source = f"Replay={EVENTS.replace(':', '::')}:count={KEPT}:events={events}"
        outputer = f"{name}={work}/out{job}{options_of(compression)}"
        return run_program(work, 1, "-s", source, "-o", outputer, "-t", "1", job=job)

    def measure() -> Result:
        remove(work, "out*")
        with ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(one, range(jobs)))
        stages = {stage: sum(job["stages"][stage] for job in found) for stage in found[0]["stages"]}
        seconds = max(job["seconds"] for job in found)
        memory = sum(job["peak_memory"] for job in found)
        taken = (seconds, sizes_of(work, "out*"), memory, stages)
        return Result("write", name, compression, 1, 1, *taken, jobs=jobs)

    return measure


def random_case(work: Path, events: int, name: str, compression: str):
    """Events by their identity, in random order."""
    program = find_events_program().parent / "bench" / "random_events"
    path = input_of(work, events, name, compression)
    source = f"{'PDS' if name == 'PDS' else 'HDF5'}={path}"

    def measure() -> Result:
        command = [str(program), source, "200"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise BenchError(f"{shlex.join(command)}: {done.stderr.strip()}")
        found = json.loads(done.stdout)
        result = Result("random", name, compression, 1, 1, found["seconds"], path.stat().st_size)
        for key in ("slowest", "read_calls", "read_bytes"):
            setattr(result, key, found[key])
        return result

    return measure


def plain_case(work: Path, events: int, event_bytes: int):
    """The same number of bytes, by one write call for each event."""

    def measure() -> Result:
        remove(work, "out*")
        kept = [memoryview(os.urandom(event_bytes)) for _ in range(KEPT)]
        start = time.perf_counter()
        out = os.open(work / "out", os.O_CREAT | os.O_WRONLY)
        for i in range(events):
            os.write(out, kept[i % KEPT])
        os.close(out)
        seconds = time.perf_counter() - start
        return Result("write", "plain write", "none", 1, 1, seconds, sizes_of(work, "out*"))

    return measure


def h5py_case(work: Path, events: int):
    """The layout product, as h5py writes it: batches of 100 events are appended."""
    import h5py
    import numpy as np

    batch = 100

    def measure() -> Result:
        remove(work, "out*")
        columns = [np.frombuffer(os.urandom(PRODUCT_BYTES * batch), np.uint8)] * PRODUCTS
        ends = np.arange(1, batch + 1, dtype=np.uint64) * PRODUCT_BYTES
        start = time.perf_counter()
        with h5py.File(work / "out", "w") as file:
            group = file.create_group("Lumi")
            for p in range(PRODUCTS):
                for name, kind in ((f"p{p}", "u1"), (f"p{p}_sz", "u8")):
                    chunk = (1 << 20,) if kind == "u1" else (1 << 12,)
                    group.create_dataset(name, (0,), kind, maxshape=(None,), chunks=chunk)
            for first in range(0, events, batch):
                count = min(batch, events - first)
                for p in range(PRODUCTS):
                    data, sizes = group[f"p{p}"], group[f"p{p}_sz"]
                    at = first * PRODUCT_BYTES
                    data.resize((at + count * PRODUCT_BYTES,))
                    data[at:] = columns[p][: count * PRODUCT_BYTES]
                    sizes.resize((first + count,))
                    sizes[first:] = ends[:count] + np.uint64(at)
        seconds = time.perf_counter() - start
        return Result("write", "h5py, product", "none", 1, 1, seconds, sizes_of(work, "out*"))

    return measure


def input_of(work: Path, events: int, name: str, compression: str) -> Path:
    """A file to read; it is made once."""
    path = work / f"in-{name}-{compression.replace(':', '-')}"
    if not path.exists():
        replay = f"Replay={EVENTS.replace(':', '::')}:count={KEPT}:events={events}"
        run_program(work, 1, "-s", replay, "-o", f"{name}={path}{options_of(compression)}")
    return path


def read_case(work: Path, events: int, name: str, compression: str, threads: int, one: bool):
    path = input_of(work, events, name, compression)
    source = f"{'PDS' if name == 'PDS' else 'HDF5'}={path}"
    product = ("-p", "product03") if one else ()

    def measure() -> Result:
        found = run_program(work, 1, "-s", source, "-o", "Serialize", "-t", str(threads), *product)
        what = f"{name}, one product" if one else name
        taken = (found["seconds"], sizes_of(work, path.name), found["peak_memory"], found["stages"])
        return Result("read", what, compression, threads, 1, *taken)

    return measure


def cases(
    work: Path,
    sizes: Sizes,
    compressions: list[str],
    threads: list[int],
    ranks: list[int],
    with_reads: bool,
) -> list[Measure]:
    events = sizes.events
    all_cases: list[Measure] = [
        plain_case(work, events, sizes.event_bytes),
        h5py_case(work, events),
    ]
    for compression in compressions:
        codec = compression.partition(":")[0]
        for name in OUTPUTERS:
            if name in LACKING.get(codec, ("Serialize",)):
                continue
            for t in threads:
                for r in ranks:
                    all_cases.append(write_case(work, events, name, compression, t, r))
            jobs = os.cpu_count() or 1
            if jobs > 1 and name != "Serialize":
                all_cases.append(filling_case(work, events, name, compression, jobs))
            if not with_reads or name == "Serialize":
                continue
            for t in threads:
                all_cases.append(read_case(work, events, name, compression, t, False))
            all_cases.append(read_case(work, events, name, compression, threads[0], True))
            all_cases.append(random_case(work, events, name, compression))
    return all_cases


def fastest(measures: list[Measure], repeats: int, status) -> list[Result]:
    """In turns, so that what slows the machine down slows all; the fastest of each counts."""
    best: list[Result | None] = [None] * len(measures)
    for round_ in range(repeats):
        for i, measure in enumerate(measures):
            status.update(f"round {round_ + 1} of {repeats}, case {i + 1} of {len(measures)}")
            result = measure()
            if best[i] is None or result.seconds < best[i].seconds:
                best[i] = result
    return [result for result in best if result is not None]


def complete(results: list[Result], sizes: Sizes) -> None:
    plain = next(r for r in results if r.name == "plain write")
    for r in results:
        if r.kind == "random":
            r.events_per_second = 1 / r.seconds
            r.mb_per_second = r.events_per_second * sizes.event_bytes / 1e6
            continue
        r.events_per_second = r.jobs * sizes.events / r.seconds
        r.mb_per_second = r.events_per_second * sizes.event_bytes / 1e6
        if r.kind == "write":
            r.ratio = r.jobs * plain.seconds / r.seconds
        else:
            like = (r.compression, r.threads)
            pds = [
                p
                for p in results
                if (p.kind, p.name) == ("read", "PDS") and (p.compression, p.threads) == like
            ]
            r.ratio = pds[0].seconds / r.seconds if pds else None


def table_of(results: list[Result], kind: str) -> Table:
    beside = "plain write" if kind == "write" else "PDS"
    table = Table(title=f"Events, {kind}", title_justify="left", title_style="bold")
    for column in ("what", "compression"):
        table.add_column(column)
    columns = ("threads", "ranks", "events/s", "MB/s", f"speed to {beside}", "MB", "memory")
    for column in (*columns, "most of the threads' time"):
        table.add_column(column, justify="right")
    for r in results:
        if r.kind != kind:
            continue
        stages = sorted(r.stages.items(), key=lambda stage: -stage[1])[:3]
        table.add_row(
            r.name if r.jobs == 1 else f"{r.name}, {r.jobs} jobs",
            r.compression,
            f"{r.threads}",
            f"{r.ranks}",
            f"{r.events_per_second:,.0f}",
            f"{r.mb_per_second:,.0f}",
            ratio_text(r.ratio),
            f"{r.bytes / 1e6:,.1f}",
            f"{r.peak_memory / 1e6:,.0f}" if r.peak_memory else "–",
            ", ".join(f"{name} {seconds:.2f} s" for name, seconds in stages if seconds > 0),
        )
    return table


def random_table(results: list[Result]) -> Table:
    table = Table(
        title="Events by identity, in random order", title_justify="left", title_style="bold"
    )
    for column in ("what", "compression"):
        table.add_column(column)
    for column in ("ms per event", "slowest ms", "read calls", "KB read"):
        table.add_column(column, justify="right")
    for r in results:
        if r.kind == "random":
            times = (f"{r.seconds * 1e3:.3f}", f"{r.slowest * 1e3:.3f}")
            counts = (f"{r.read_calls:.1f}", f"{r.read_bytes / 1e3:,.0f}")
            table.add_row(r.name, r.compression, *times, *counts)
    return table


def picture(results: list[Result]) -> dict[str, dict[str, float]]:
    """Seconds for a thousand events."""
    plots: dict[str, dict[str, float]] = {}
    for r in results:
        if r.kind == "random" or r.jobs != 1:
            continue
        if (r.threads, r.ranks) != (max(x.threads for x in results), 1) and r.peak_memory:
            continue
        title = f"{r.kind}, 1000 events"
        name = r.name if r.name in ("plain write", "h5py, product", "PDS") else f"Onecast {r.name}"
        plots.setdefault(title, {})[f"{name}, {r.compression}"] = 1000 / r.events_per_second
    return plots


def run_events_bench(
    events: int,
    compressions: list[str],
    threads: list[int],
    ranks: list[int],
    repeats: int,
    reads: bool,
    out: Path,
    directory: Path | None,
) -> list[dict]:
    console = wide_console()
    with (
        work_folder("events-work", out, directory) as work,
        Console(stderr=True).status("") as status,
    ):
        found = run_program(work, 1, "-s", EVENTS, "-o", "Serialize")
        sizes = Sizes(events, found["product_bytes"] // found["events"])
        measures = cases(work, sizes, compressions, threads, ranks, reads)
        results = fastest(measures, repeats, status)
    complete(results, sizes)
    for kind in ("write", "read") if reads else ("write",):
        console.print(table_of(results, kind))
    if reads:
        console.print(random_table(results))
    save("events", sizes, repeats, results, out, console)
    for kind, plots in picture(results).items():
        name = kind.partition(",")[0]
        plot.save_bars({kind: plots}, False, out / f"events-{name}.png", console)
    return [asdict(result) for result in results]
