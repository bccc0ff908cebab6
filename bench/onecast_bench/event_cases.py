"""The cases of `onecast bench events`: each format with numbers of threads, ranks and jobs."""

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from onecast_bench.event_formats import Format
from onecast_bench.event_program import find_events_program, output_of, run_program
from onecast_bench.event_results import Result
from onecast_bench.event_workload import Workload

INPUT = "in-"  # prefix of the names of input files


@dataclass(frozen=True)
class Case:
    what: str
    measure: Callable[[], Result]


@dataclass(frozen=True)
class Target:
    """What a case writes or reads."""

    work: Path
    load: Workload
    format: Format
    compression: str

    def writing(self, file: str) -> tuple[str, ...]:
        """Returns the arguments of the program."""
        return "-s", self.load.replayed, "-o", self.format.outputer(file, self.compression)

    def reading(self, file: str) -> tuple[str, ...]:
        return "-s", f"{self.format.source}={file}", "-o", "Serialize"


def sizes_of(work: Path, pattern: str) -> int:
    return sum(path.stat().st_size for path in work.glob(pattern))


def sync_seconds(work: Path, pattern: str) -> float:
    """Returns the time that the disk needs for what is in the page cache."""
    start = time.perf_counter()
    for path in work.glob(pattern):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    return time.perf_counter() - start


def remove(work: Path, pattern: str) -> None:
    for path in work.glob(pattern):
        path.unlink()


def measured(kind: str, name: str, target: Target, threads: int, ranks: int, found: dict) -> Result:
    """Returns what a run of the program reported."""
    return Result(
        kind,
        name,
        target.compression,
        threads,
        ranks,
        seconds=found["seconds"],
        processor_seconds=found["processor_seconds"],
        bytes=0,
        peak_memory=found["peak_memory"],
        stages=found["stages"],
    )


def write_case(target: Target, threads: int, ranks: int, each: bool) -> Case:
    """With `each`, an outputer that could share one file writes a file for each rank."""
    work, format = target.work, target.format
    name = f"{format.name}, a file each" if each else format.name
    file = f"{work}/out" + ("{rank}" if each or not format.shared else "")

    def measure() -> Result:
        remove(work, "out*")
        found = run_program(work, ranks, *target.writing(file), "-t", str(threads))
        result = measured("write", name, target, threads, ranks, found)
        result.bytes = sizes_of(work, "out*")
        if ranks > 1:
            result.synced_seconds = result.seconds + sync_seconds(work, "out*")
        return result

    return Case(f"write {name}, {target.compression}, {threads} threads, {ranks} ranks", measure)


def input_of(target: Target) -> Path:
    """Returns a file to read, which is made once in each round."""
    compression = target.compression.replace(":", "-")
    path = target.work / f"{INPUT}{target.format.name}-{compression}"
    if not path.exists():
        run_program(target.work, 1, *target.writing(str(path)))
    return path


def read_case(target: Target, threads: int, ranks: int, one: bool) -> Case:
    """All ranks read one file. With `one`, only one of its products is read."""
    name = f"{target.format.name}, one product" if one else target.format.name
    products = target.load.products
    product = ("-p", products[len(products) // 5]) if one else ()

    def measure() -> Result:
        path = input_of(target)
        arguments = (*target.reading(str(path)), "-t", str(threads), *product)
        found = run_program(target.work, ranks, *arguments)
        result = measured("read", name, target, threads, ranks, found)
        result.bytes = path.stat().st_size
        return result

    return Case(f"read {name}, {target.compression}, {threads} threads, {ranks} ranks", measure)


def run_jobs(work: Path, jobs: int, arguments: Callable[[str], tuple[str, ...]]) -> dict:
    """Runs jobs of one thread at the same time, each with a file of its own, and returns the sum of
    their reports. The slowest job gives the time."""

    def one(job: int) -> dict:
        return run_program(work, 1, *arguments(f"{work}/out{job}"), "-t", "1", job=job)

    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(one, range(jobs)))
    stages = {stage: sum(job["stages"][stage] for job in found) for stage in found[0]["stages"]}
    whole = {"seconds": max(job["seconds"] for job in found), "stages": stages}
    for key in ("processor_seconds", "peak_memory"):
        whole[key] = sum(job[key] for job in found)
    return whole


def jobs_case(kind: str, target: Target, jobs: int) -> Case:
    """Runs as many jobs as the machine has cores. Jobs that read get files that the same number of
    jobs wrote just before, not those of `input_of`: many of these would not fit on the disk."""

    def measure() -> Result:
        remove(target.work, "out*")
        found = run_jobs(target.work, jobs, target.writing)
        size = sizes_of(target.work, "out*")
        if kind == "read":
            found = run_jobs(target.work, jobs, target.reading)
        result = measured(kind, target.format.name, target, 1, 1, found)
        result.jobs, result.bytes = jobs, size
        return result

    return Case(f"{kind} {target.format.name}, {target.compression}, {jobs} jobs", measure)


def run_beside(program: str, *arguments: str) -> dict:
    """Runs a program of bench/events."""
    path = find_events_program().parent / "bench" / program
    return json.loads(output_of([str(path), *arguments]))


def random_case(target: Target) -> Case:
    """Reads events by their identity, in random order."""
    format, compression = target.format, target.compression

    def measure() -> Result:
        path = input_of(target)
        found = run_beside("random_events", f"{format.source}={path}", "200")
        size = path.stat().st_size
        result = Result("random", format.name, compression, 1, 1, found["seconds"], size)
        for key in ("slowest", "read_calls", "read_bytes"):
            setattr(result, key, found[key])
        return result

    return Case(f"by identity {format.name}, {compression}", measure)


def cases_of(target: Target, threads: list[int], ranks: list[int], with_reads: bool) -> list[Case]:
    made: list[Case] = []
    format = target.format
    for t in threads:
        for r in ranks:
            made.append(write_case(target, t, r, False))
            if r > 1 and format.shared:
                made.append(write_case(target, t, r, True))
    if not format.source:
        return made
    jobs = os.cpu_count() or 1
    if jobs > 1:
        made.append(jobs_case("write", target, jobs))
    if not with_reads:
        return made
    made += [read_case(target, t, r, False) for t in threads for r in ranks]
    if jobs > 1:
        made.append(jobs_case("read", target, jobs))
    made.append(read_case(target, threads[0], ranks[0], True))
    if not format.of_root:
        made.append(random_case(target))
    return made
