"""`onecast bench events`: writing and reading events, compared with plain write calls and h5py.

See bench/events/README.md.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from onecast_bench import plot
from onecast_bench.comparison import progress_bar, save, wide_console, work_folder
from onecast_bench.event_beside import h5py_case, plain_case, plain_read_case
from onecast_bench.event_cases import INPUT, Case, Target, cases_of, remove
from onecast_bench.event_formats import FORMATS
from onecast_bench.event_program import root_library
from onecast_bench.event_results import (
    Result,
    complete,
    picture,
    random_table,
    ranks_table,
    table_of,
)
from onecast_bench.event_workload import Workload, workload_of
from onecast_bench.programs import BenchError


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
            target = Target(work, load, format, compression)
            all_cases += cases_of(target, threads, ranks, with_reads)
    return all_cases


@contextmanager
def telling(total: int) -> Iterator[Callable[[int, str], None]]:
    """Yields tell(runs done, current run): a bar on a terminal, else a line for each run."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, now: print(f"{done + 1} of {total}: {now}", file=sys.stderr, flush=True)
        return
    with progress_bar(console) as bar:
        task = bar.add_task("", total=total)
        yield lambda done, now: bar.update(task, completed=done, description=now)


def better(before: Result | None, result: Result) -> Result:
    """Returns the faster result, with the lower time to the disk of both."""
    if before is None:
        return result
    synced = min(result.synced_seconds, before.synced_seconds)
    best = min(before, result, key=lambda r: r.seconds)
    best.synced_seconds = synced
    return best


def time_all(work: Path, timed: list[Case], repeats: int, best: dict[str, Result]) -> None:
    """Runs the cases in turn, so that what slows the machine down slows all of them; `best` gets
    the fastest run of each. Input files are made anew in each round: how fast a file is read
    depends on which memory the page cache has for it."""
    with telling(repeats * len(timed)) as tell:
        for round_ in range(repeats):
            remove(work, f"{INPUT}*")
            for i, case in enumerate(timed):
                tell(round_ * len(timed) + i, case.what)
                best[case.what] = better(best.get(case.what), case.measure())


def report(load: Workload, repeats: int, results: list[Result], done: bool, out: Path) -> None:
    """Writes tables, JSON and pictures."""
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
    """Runs all cases. After an interrupt, reports what was measured, and then raises."""
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
