"""What `onecast bench events` compares the formats with: plain system calls, and h5py."""

import os
import time
from pathlib import Path

from onecast_bench.event_cases import Case, Target, input_of, remove, run_beside, sizes_of
from onecast_bench.event_formats import FORMATS
from onecast_bench.event_results import PLAIN_READ, Result
from onecast_bench.event_workload import Workload


def plain_read_case(work: Path, load: Workload, places: int) -> Case:
    """Reads the PDS file 1 MiB at a time, from one place, or each MiB from several places."""
    name = PLAIN_READ if places == 1 else f"{PLAIN_READ}, of {places} places"
    pds = next(format for format in FORMATS if format.name == "PDS")

    def measure() -> Result:
        path = input_of(Target(work, load, pds, "none"))
        seconds = run_beside("plain_reads", str(path), str(places))["seconds"]
        return Result("read", name, "none", 1, 1, seconds, path.stat().st_size)

    return Case(name, measure)


def plain_case(work: Path, load: Workload) -> Case:
    """Writes as many bytes, with one write call for each event."""

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
    """Writes the layout product with h5py: appends batches of 100 events."""
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
