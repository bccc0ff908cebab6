"""`onecast bench events`: writing and reading events, beside plain write calls and h5py.

See bench/events/README.md.
"""

import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from onecast_bench import plot
from onecast_bench.comparison import save, wide_console, work_folder
from onecast_bench.event_results import (
    Result,
    complete,
    picture,
    random_table,
    ranks_table,
    table_of,
)
from onecast_bench.programs import BenchError, build_directories

MADE = "TestProducts:events=40:products=17:size=6300:spread=0.9"  # 107 KB an event
INPUT = "in-"  # begins the names of files to read
MOST_KEPT = 100  # different events, repeated from memory
OUTPUTERS = ("Serialize", "PDS", "HDF5Event", "HDF5Batch", "HDF5Product")
ROOT_OUTPUTERS = ("ROOT", "ROOTEvent")
ROOT_LIBRARY = "libonecast_events_root.so"
# What has no such compression.
LACKING = {"none": (), "lzma": ("Serialize", "PDS")}


@dataclass(frozen=True)
class Workload:
    """Events of which some are repeated from memory."""

    events: int
    source: str  # of those that are repeated
    kept: int  # how many these are
    products: tuple[str, ...]
    event_bytes: int

    @property
    def replayed(self) -> str:
        inner = self.source.replace(":", "::")
        return f"Replay={inner}:count={self.kept}:events={self.events}"


Measure = Callable[[], Result]


def find_events_program() -> Path:
    for build in build_directories():
        if (path := build / "onecast-events").is_file():
            return path
    raise BenchError("onecast-events is not built; run `make build`")


def root_library() -> Path | None:
    path = find_events_program().parent / ROOT_LIBRARY
    return path if path.is_file() else None


def run_program(work: Path, ranks: int, *arguments: str, job: int = 0) -> dict:
    report = work / f"report{job}.json"
    command = [str(find_events_program()), "run", "-q", "--json", str(report), *arguments]
    if any(argument.startswith("ROOT") for argument in arguments):
        command += ["--load", str(root_library())]
    if ranks > 1:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        command = [os.environ.get("MPIEXEC", "mpiexec"), *flags, "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"{shlex.join(command)}: {done.stderr.strip()}")
    return json.loads(report.read_text())


def workload_of(work: Path, events: int, file: Path | None) -> Workload:
    source = MADE
    if file is not None:
        with file.open("rb") as opened:
            kind = "HDF5" if opened.read(4) == b"\x89HDF" else "PDS"
        source = f"{kind}={str(file.resolve()).replace(':', '::')}"
    found = run_program(work, 1, "-s", source, "-n", str(MOST_KEPT), "-o", "Serialize")
    if not found["events"]:
        raise BenchError(f"{file}: has no events")
    text = work / "first"
    run_program(work, 1, "-s", source, "-n", "1", "-o", f"TextDump={text}")
    products = re.findall(r"^  (\S+) .* bytes$", text.read_text(), re.MULTILINE)
    event_bytes = found["product_bytes"] // found["events"]
    return Workload(events, source, found["events"], tuple(products), event_bytes)


def source_of(name: str, path: Path) -> str:
    """What reads the file of an outputer."""
    kind = "PDS" if name == "PDS" else "ROOT" if name in ROOT_OUTPUTERS else "HDF5"
    return f"{kind}={path}"


def options_of(compression: str) -> str:
    codec, _, level = compression.partition(":")
    if codec == "none":
        return ""
    return f":compression={codec}" + (f":level={level}" if level else "")


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
    work: Path, load: Workload, name: str, compression: str, threads: int, ranks: int, each: bool
):
    """each: a file for each rank, of an outputer that could write one."""
    has_own = each or not name.startswith(("HDF5", "Serialize"))
    file = "" if name == "Serialize" else f"={work}/out" + ("{rank}" if has_own else "")

    def measure() -> Result:
        remove(work, "out*")
        outputer = f"{name}{file}{options_of(compression)}"
        found = run_program(work, ranks, "-s", load.replayed, "-o", outputer, "-t", str(threads))
        what = f"{name}, a file each" if each else name
        result = measured("write", what, compression, threads, ranks, found)
        result.bytes = sizes_of(work, "out*")
        if ranks > 1:
            result.synced_seconds = result.seconds + sync_seconds(work, "out*")
        return result

    return measure


def filling_case(work: Path, load: Workload, name: str, compression: str, jobs: int):
    """As many jobs of one thread as fill the machine."""

    def one(job: int) -> dict:
        outputer = f"{name}={work}/out{job}{options_of(compression)}"
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
        result = measured("write", name, compression, 1, 1, whole)
        result.jobs, result.bytes = jobs, sizes_of(work, "out*")
        return result

    return measure


def random_case(work: Path, load: Workload, name: str, compression: str):
    """Events by their identity, in random order."""
    program = find_events_program().parent / "bench" / "random_events"

    def measure() -> Result:
        path = input_of(work, load, name, compression)
        command = [str(program), source_of(name, path), "200"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise BenchError(f"{shlex.join(command)}: {done.stderr.strip()}")
        found = json.loads(done.stdout)
        result = Result("random", name, compression, 1, 1, found["seconds"], path.stat().st_size)
        for key in ("slowest", "read_calls", "read_bytes"):
            setattr(result, key, found[key])
        return result

    return measure


def plain_case(work: Path, load: Workload):
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

    return measure


def h5py_case(work: Path, load: Workload):
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

    return measure


def input_of(work: Path, load: Workload, name: str, compression: str) -> Path:
    """A file to read; it is made once a round."""
    path = work / f"{INPUT}{name}-{compression.replace(':', '-')}"
    if not path.exists():
        outputer = f"{name}={path}{options_of(compression)}"
        run_program(work, 1, "-s", load.replayed, "-o", outputer)
    return path


def read_case(work: Path, load: Workload, name: str, compression: str, threads: int, one: bool):
    product = ("-p", load.products[len(load.products) // 5]) if one else ()

    def measure() -> Result:
        path = input_of(work, load, name, compression)
        source = source_of(name, path)
        found = run_program(work, 1, "-s", source, "-o", "Serialize", "-t", str(threads), *product)
        what = f"{name}, one product" if one else name
        result = measured("read", what, compression, threads, 1, found)
        result.bytes = path.stat().st_size
        return result

    return measure


def cases_of(
    work: Path,
    load: Workload,
    name: str,
    compression: str,
    threads: list[int],
    ranks: list[int],
    with_reads: bool,
) -> list[Measure]:
    """Of one outputer."""
    made: list[Measure] = []
    for t in threads:
        for r in ranks:
            made.append(write_case(work, load, name, compression, t, r, False))
            if r > 1 and name.startswith("HDF5"):
                made.append(write_case(work, load, name, compression, t, r, True))
    if name == "Serialize":
        return made
    jobs = os.cpu_count() or 1
    if jobs > 1:
        made.append(filling_case(work, load, name, compression, jobs))
    if not with_reads:
        return made
    for t in threads:
        made.append(read_case(work, load, name, compression, t, False))
    made.append(read_case(work, load, name, compression, threads[0], True))
    if name not in ROOT_OUTPUTERS:
        made.append(random_case(work, load, name, compression))
    return made


def cases(
    work: Path,
    load: Workload,
    compressions: list[str],
    threads: list[int],
    ranks: list[int],
    with_reads: bool,
) -> list[Measure]:
    all_cases: list[Measure] = [plain_case(work, load), h5py_case(work, load)]
    outputers = OUTPUTERS if root_library() is None else (*OUTPUTERS, *ROOT_OUTPUTERS)
    for compression in compressions:
        lacking = LACKING.get(compression.partition(":")[0], ("Serialize",))
        for name in outputers:
            if name not in lacking:
                all_cases += cases_of(work, load, name, compression, threads, ranks, with_reads)
    return all_cases


def fastest(work: Path, measures: list[Measure], repeats: int, status) -> list[Result]:
    """In turns, so that what slows the machine down slows all; the fastest of each counts. Files to
    read are made anew in each round: how fast one is depends on where the page cache has it."""
    best: list[Result | None] = [None] * len(measures)
    for round_ in range(repeats):
        remove(work, f"{INPUT}*")
        for i, measure in enumerate(measures):
            status.update(f"round {round_ + 1} of {repeats}, case {i + 1} of {len(measures)}")
            result, before = measure(), best[i]
            if before is None or result.seconds < before.seconds:
                best[i] = result
            if before is not None:
                synced = min(result.synced_seconds, before.synced_seconds)
                best[i].synced_seconds = synced
    return [result for result in best if result is not None]


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
) -> list[dict]:
    console = wide_console()
    with (
        work_folder("events-work", out, directory) as work,
        Console(stderr=True).status("") as status,
    ):
        load = workload_of(work, count, events)
        measures = cases(work, load, compressions, threads, ranks, reads)
        results = fastest(work, measures, repeats, status)
    complete(results, load.events, load.event_bytes)
    for kind in ("write", "read") if reads else ("write",):
        console.print(table_of(results, kind))
    if max(ranks) > 1:
        console.print(ranks_table(results))
    if reads:
        console.print(random_table(results))
    save("events", load, repeats, results, out, console)
    for kind, plots in picture(results).items():
        name = kind.partition(",")[0]
        plot.save_bars({kind: plots}, False, out / f"events-{name}.png", console)
    return [asdict(result) for result in results]
