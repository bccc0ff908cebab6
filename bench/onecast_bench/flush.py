"""`onecast bench flush`: what a flush after one small change costs; see bench/flush/README.md."""

import json
import shutil
import statistics
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import onecast
from onecast_model.looks import seconds_text

WAYS = {
    "with the journal": {},
    "without": {"journal": False},
    "durable": {"durable": True},
    "durable, without": {"durable": True, "journal": False},
}
CHANGES = {
    "an attribute changed": lambda f, i: f["base 64/zone 16"].attrs.__setitem__("number", i),
    "a group added": lambda f, i: f.create_group(f"new {i}"),
}
COUNTERS = ("writes", "bytes_written", "syncs")


def make_file(path: Path, bases: int, zones: int, page_size: int) -> None:
    with onecast.File(path, "w", page_size=page_size) as f:
        for b in range(bases):
            for z in range(zones):
                zone = f.create_group(f"base {b}/zone {z}")
                zone.attrs["number"] = z
                zone["data"] = [float(z)] * 9


def measure(path: Path, change, options: dict, repeats: int) -> dict:
    """Returns medians for one flush, without the first flush, which creates the journal."""
    seconds, counts = [], []
    with onecast.File(path, "r+", **options) as f:
        for i in range(repeats + 1):
            change(f, i)
            before = f.io_stats()
            start = time.perf_counter()
            f.flush()
            seconds.append(time.perf_counter() - start)
            after = f.io_stats()
            counts.append([getattr(after, name) - getattr(before, name) for name in COUNTERS])
    middle = [statistics.median_low(column) for column in zip(*counts[1:], strict=True)]
    return {"seconds": statistics.median(seconds[1:]), **dict(zip(COUNTERS, middle, strict=True))}


def run_flush_bench(
    bases: int, zones: int, page_size: int, repeats: int, out: Path, directory: Path | None
) -> None:
    work = (directory or out) / "flush"
    work.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    base = work / "base.h5"
    results = []
    try:
        make_file(base, bases, zones, page_size)
        for what, change in CHANGES.items():
            for way, options in WAYS.items():
                path = work / "flushed.h5"
                shutil.copy(base, path)
                found = measure(path, change, options, repeats)
                results.append({"change": what, "way": way, **found})
    finally:
        shutil.rmtree(work)
    (out / "flush.json").write_text(json.dumps(results, indent=1))
    table = Table("one change, then flush", "", "time", "writes", "bytes", "syncs")
    for r in results:
        numbers = (f"{r[name]:,}" for name in COUNTERS)
        table.add_row(r["change"], r["way"], seconds_text(r["seconds"]), *numbers)
    Console().print(table)
