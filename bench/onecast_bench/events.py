"""`onecast bench events`: writing and reading events, beside plain write calls and h5py.

See bench/events/README.md.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from onecast_bench import plot
from onecast_bench.comparison import progress_bar, save, wide_console, work_folder
from onecast_bench.event_formats import FORMATS, Format
from onecast_bench.event_program import (
    find_events_program,
    output_of,
    root_library,
    run_program,
)
from onecast_bench.event_results import (
    PLAIN_READ,
    Result,
    complete,
    picture,
    random_table,
    ranks_table,
    table_of,
)
from onecast_bench.event_workload import Workload, workload_of
from onecast_bench.programs import BenchError

INPUT = "in-"  # begins the names of files to read


@dataclass(frozen=True)
class Case:
    what: str
    measure: Callable[[], Result]


def sizes_of(work: Path, pattern: str) -> int:
    return sum(path.stat().st_size for path in work.glob(pattern))


def sync_seconds(work: Path, pattern: str) -> float:
    """How long the disk takes for what is in the page cache."""
    start = time.perf_counter()
    for path in work.glob(pattern):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    return time.perf_counter() - start


def remove(work: Path, pattern: str) -> None:
    for path in work.glob(pattern):
        path.unlink()


def measured(kind: str, name: str, compression: str, threads: int, ranks: int, found: dict):
    """What a run of the program said."""
    return Result(
        kind,
        name,
        compression,
        threads,
        ranks,
        seconds=found["seconds"],
        processor_seconds=found["processor_seconds"],
        bytes=0,
        peak_memory=found["peak_memory"],
        stages=found["stages"],
    )


def write_case(
    work: Path,
    load: Workload,
    format: Format,
    compression: str,
    threads: int,
    ranks: int,
    each: bool,
) -> Case:
    """each: a file for each rank, of an outputer that could write one."""
    name = f"{format.name}, a file each" if each else format.name
    file = f"{work}/out" + ("{rank}" if each or not format.shared else "")
    outputer = format.outputer(file, compression)

    def measure() -> Result:
        remove(work, "out*")
        found = run_program(work, ranks, "-s", load.replayed, "-o", outputer, "-t", str(threads))
        result = measured("write", name, compression, threads, ranks, found)
        result.bytes = sizes_of(work, "out*")
        if ranks > 1:
            result.synced_seconds = result.seconds + sync_seconds(work, "out*")
        return result

    return Case(f"write {name}, {compression}, {threads} threads, {ranks} ranks", measure)


def filling_case(work: Path, load: Workload, format: Format, compression: str, jobs: int) -> Case:
    """As many jobs of one thread as fill the machine."""

    def one(job: int) -> dict:
        outputer = format.outputer(f"{work}/out{job}", compression)
        return run_program(work, 1, "-s", load.replayed, "-o", outputer, "-t", "1", job=job)

    def measure() -> Result:
        remove(work, "out*")
        with ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(one, range(jobs)))
        whole = {
            "seconds": max(job["seconds"] for job in found),
            "stages": {
                stage: sum(job["stages"][stage] for job in found) for stage in found[0]["stages"]
            },
        }
        for key in ("processor_seconds", "peak_memory"):
            whole[key] = sum(job[key] for job in found)
        result = measured("write", format.name, compression, 1, 1, whole)
        result.jobs, result.bytes = jobs, sizes_of(work, "out*")
        return result

    return Case(f"write {format.name}, {compression}, {jobs} jobs", measure)


def run_beside(program: str, *arguments: str) -> dict:
    """A program of bench/events."""
    path = find_events_program().parent / "bench" / program
    return json.loads(output_of([str(path), *arguments]))


def plain_read_case(work: Path, load: Workload, places: int) -> Case:
    """The file of PDS, 1 MiB at a time; of several places, as many parts of it."""
    name = PLAIN_READ if places == 1 else f"{PLAIN_READ}, of {places} places"
    pds = next(format for format in FORMATS if format.name == "PDS")

    def measure() -> Result:
        path = input_of(work, load, pds, "none")
        seconds = run_beside("plain_reads", str(path), str(places))["seconds"]
        return Result("read", name, "none", 1, 1, seconds, path.stat().st_size)

    return Case(name, measure)


def random_case(work: Path, load: Workload, format: Format, compression: str) -> Case:
    """Events by their identity, in random order."""

    def measure() -> Result:
        path = input_of(work, load, format, compression)
        found = run_beside("random_events", f"{format.source}={path}", "200")
        size = path.stat().st_size
        result = Result("random", format.name, compression, 1, 1, found["seconds"], size)
        for key in ("slowest", "read_calls", "read_bytes"):
            setattr(result, key, found[key])
        return result

    return Case(f"by identity {format.name}, {compression}", measure)


def plain_case(work: Path, load: Workload) -> Case:
    """The same number of bytes, by one write call for each event."""

    def measure() -> Result:
        remove(work, "out*")
        kept = [memoryview(os.urandom(load.event_bytes)) for _ in range(load.kept)]
        start, processor = time.perf_counter(), time.process_time()
        out = os.open(work / "out", os.O_CREAT | os.O_WRONLY)
        for i in range(load.events):
            os.write(out, kept[i % load.kept])
        os.close(out)
        taken = time.perf_counter() - start, sizes_of(work, "out*")
        used = time.process_time() - processor
        return Result("write", "plain write", "none", 1, 1, *taken, processor_seconds=used)

    return Case("plain write", measure)


def h5py_case(work: Path, load: Workload) -> Case:
    """The layout product, as h5py writes it: batches of 100 events are appended."""
    import h5py
    import numpy as np

    batch, events, products = 100, load.events, len(load.products)
    size = load.event_bytes // products

    def measure() -> Result:
        remove(work, "out*")
        columns = [np.frombuffer(os.urandom(size * batch), np.uint8)] * products
        ends = np.arange(1, batch + 1, dtype=np.uint64) * size
        start, processor = time.perf_counter(), time.process_time()
        with h5py.File(work / "out", "w") as file:
            group = file.create_group("Lumi")
            for p in range(products):
                for name, kind in ((f"p{p}", "u1"), (f"p{p}_sz", "u8")):
                    chunk = (1 << 20,) if kind == "u1" else (1 << 12,)
                    group.create_dataset(name, (0,), kind, maxshape=(None,), chunks=chunk)
            for first in range(0, events, batch):
                count = min(batch, events - first)
                for p in range(products):
                    data, sizes = group[f"p{p}"], group[f"p{p}_sz"]
                    at = first * size
                    data.resize((at + count * size,))
                    data[at:] = columns[p][: count * size]
                    sizes.resize((first + count,))
                    sizes[first:] = ends[:count] + np.uint64(at)
        taken = time.perf_counter() - start, sizes_of(work, "out*")
        used = time.process_time() - processor
        return Result("write", "h5py, product", "none", 1, 1, *taken, processor_seconds=used)

    return Case("h5py, product", measure)


def input_of(work: Path, load: Workload, format: Format, compression: str) -> Path:
    """A file to read; it is made once a round."""
    path = work / f"{INPUT}{format.name}-{compression.replace(':', '-')}"
    if not path.exists():
        outputer = format.outputer(str(path), compression)
        run_program(work, 1, "-s", load.replayed, "-o", outputer)
    return path


def read_case(
    work: Path, load: Workload, format: Format, compression: str, threads: int, one: bool
) -> Case:
    name = f"{format.name}, one product" if one else format.name
    product = ("-p", load.products[len(load.products) // 5]) if one else ()

    def measure() -> Result:
        path = input_of(work, load, format, compression)
        source = f"{format.source}={path}"
        found = run_program(work, 1, "-s", source, "-o", "Serialize", "-t", str(threads), *product)
        result = measured("read", name, compression, threads, 1, found)
        result.bytes = path.stat().st_size
        return result

    return Case(f"read {name}, {compression}, {threads} threads", measure)


def cases_of(
    work: Path,
    load: Workload,
    format: Format,
    compression: str,
    threads: list[int],
    ranks: list[int],
    with_reads: bool,
) -> list[Case]:
    made: list[Case] = []
    for t in threads:
        for r in ranks:
            made.append(write_case(work, load, format, compression, t, r, False))
            if r > 1 and format.shared:
                made.append(write_case(work, load, format, compression, t, r, True))
    if not format.source:
        return made
    jobs = os.cpu_count() or 1
    if jobs > 1:
        made.append(filling_case(work, load, format, compression, jobs))
    if not with_reads:
        return made
    for t in threads:
        made.append(read_case(work, load, format, compression, t, False))
    made.append(read_case(work, load, format, compression, threads[0], True))
    if not format.of_root:
        made.append(random_case(work, load, format, compression))
    return made


def cases(
    work: Path,
    load: Workload,
    compressions: list[str],
    threads: list[int],
    ranks: list[int],
    with_reads: bool,
) -> list[Case]:
    all_cases = [plain_case(work, load), h5py_case(work, load)]
    if with_reads and "none" in compressions:
        all_cases += [plain_read_case(work, load, places) for places in (1, len(load.products))]
    formats = [known for known in FORMATS if not known.of_root or root_library()]
    for compression in compressions:
        having = [known for known in formats if known.has(compression)]
        if not having:
            raise BenchError(f"no outputer has the compression {compression}")
        for format in having:
            all_cases += cases_of(work, load, format, compression, threads, ranks, with_reads)
    return all_cases


@contextmanager
def telling(total: int) -> Iterator[Callable[[int, str], None]]:
    """Gives tell(runs done, what runs now): a bar on a terminal, else a line for each run."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, now: print(f"{done + 1} of {total}: {now}", file=sys.stderr, flush=True)
        return
    with progress_bar(console) as bar:
        task = bar.add_task("", total=total)
        yield lambda done, now: bar.update(task, completed=done, description=now)


def better(before: Result | None, result: Result) -> Result:
    """The fastest, on its way to the page cache and to the disk."""
    if before is None:
        return result
    synced = min(result.synced_seconds, before.synced_seconds)
    best = min(before, result, key=lambda r: r.seconds)
    best.synced_seconds = synced
    return best


def time_all(work: Path, timed: list[Case], repeats: int, best: dict[str, Result]) -> None:
    """In turns, so that what slows the machine down slows all; `best` gets the fastest of each.
    Files to read are made anew in each round: how fast one is depends on where the page cache has
    it."""
    with telling(repeats * len(timed)) as tell:
        for round_ in range(repeats):
            remove(work, f"{INPUT}*")
            for i, case in enumerate(timed):
                tell(round_ * len(timed) + i, case.what)
                best[case.what] = better(best.get(case.what), case.measure())


def report(load: Workload, repeats: int, results: list[Result], done: bool, out: Path) -> None:
    """Tables, JSON and pictures."""
    console = wide_console()
    complete(results, load.events, load.event_bytes)
    kinds = {result.kind for result in results}
    for kind in ("write", "read"):
        if kind in kinds:
            console.print(table_of(results, kind))
    if (beside := ranks_table(results)).row_count:
        console.print(beside)
    if "random" in kinds:
        console.print(random_table(results))
    save("events", load, repeats, results, out, console, done=done)
    for kind, bars in picture(results).items():
        path = out / f"events-{kind}.png"
        plot.save_bars({kind: bars}, False, path, console, "seconds for 1000 events")


def run_events_bench(
    count: int,
    events: Path | None,
    compressions: list[str],
    threads: list[int],
    ranks: list[int],
    repeats: int,
    reads: bool,
    out: Path,
    directory: Path | None,
) -> None:
    """What stops it comes after the report of what there is."""
    told = Console(stderr=True)
    best: dict[str, Result] = {}
    stop: BaseException | None = None
    with work_folder("events-work", out, directory) as work:
        load = workload_of(work, count, events, told)
        timed = cases(work, load, compressions, threads, ranks, reads)
        told.print(f"{len(timed)} cases, each timed {repeats} times", highlight=False)
        try:
            time_all(work, timed, repeats, best)
        except (KeyboardInterrupt, BenchError) as error:
            stop = error
            told.print(f"Stopped: {len(best)} of {len(timed)} cases are timed", highlight=False)
    if best:
        report(load, repeats, list(best.values()), stop is None, out)
    if stop is not None:
        raise stop
