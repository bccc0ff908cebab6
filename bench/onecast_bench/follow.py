"""`onecast bench follow`: frames that one process appends at a fixed rate, followed by readers.

See bench/follow/README.md.
"""

import json
import subprocess
import sys
import time
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import h5py
import numpy as np
from rich.table import Table

import onecast
from onecast_bench.comparison import save, wide_console, work_folder
from onecast_bench.programs import BenchError

LIBRARIES: dict[str, Any] = {"h5py": h5py, "onecast": onecast}
# Which library writes, and which ones read at the same time.
CASES = {
    "onecast, followed by onecast": ("onecast", "onecast"),
    "onecast, followed by h5py": ("onecast", "h5py"),
    "h5py, followed by onecast": ("h5py", "onecast"),
    "h5py, followed by h5py": ("h5py", "h5py"),
}
# The aim: the most frames that a reader may be behind, at this part of the wanted rate or more.
MOST_FRAMES = 2
LEAST_RATE = 0.98

READER = """
import json, sys, time, h5py, onecast
path, library, frames = sys.argv[1], sys.argv[2], int(sys.argv[3])
seen = []
with {"h5py": h5py, "onecast": onecast}[library].File(path, "r", swmr=True) as f:
    dataset = f["frames"]
    print("ready", flush=True)
    while len(seen) < frames:
        dataset.refresh()
        there = dataset.shape[0]
        if there == len(seen):
            time.sleep(0.0005)
            continue
        frame = dataset[there - 1]
        assert frame[0, 0] == frame[-1, -1] == there, (frame[0, 0], frame[-1, -1], there)
        seen += [time.monotonic()] * (there - len(seen))
print(json.dumps(seen))
"""


@dataclass(frozen=True)
class Sizes:
    frames: int
    rate: float
    frame_bytes: int
    readers: int


@dataclass(frozen=True)
class Result:
    """Delays are those of all readers: the number of frames that were flushed when a reader had
    read a frame, or a later one, without that frame."""

    name: str
    rate: float
    append_seconds: float
    median_frames: float
    most_frames: int
    median_seconds: float

    def is_as_aimed(self, sizes: Sizes) -> bool:
        return self.most_frames <= MOST_FRAMES and self.rate >= LEAST_RATE * sizes.rate


def write_frames(f: Any, sizes: Sizes) -> tuple[list[float], float]:
    """Appends frames at the wanted rate. Returns when each was flushed, and the median time of an
    append."""
    frames = f["frames"]
    frame = np.empty(frames.shape[1:], frames.dtype)
    flushed = []
    taken = []
    start = time.monotonic()
    for n in range(sizes.frames):
        time.sleep(max(0.0, start + n / sizes.rate - time.monotonic()))
        frame[...] = n + 1
        before = time.monotonic()
        frames.resize(n + 1, axis=0)
        frames[n] = frame
        frames.flush()
        flushed.append(time.monotonic())
        taken.append(flushed[-1] - before)
    return flushed, median(taken)


def measure(name: str, path: Path, sizes: Sizes) -> Result:
    writer, reader = CASES[name]
    side = max(1, round((sizes.frame_bytes // 4) ** 0.5))
    latest = {"libver": "latest"} if writer == "h5py" else {"profile": "latest"}
    path.unlink(missing_ok=True)
    f = LIBRARIES[writer].File(path, "w", **latest)
    f.create_dataset(
        "frames", (0, side, side), "u4", maxshape=(None, side, side), chunks=(1, side, side)
    )
    f.swmr_mode = True
    command = [sys.executable, "-c", READER, str(path), reader, str(sizes.frames)]
    readers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(sizes.readers)
    ]
    try:
        for process in readers:
            if process.stdout is None or process.stdout.readline() != "ready\n":
                raise BenchError(f"{name}: a reader ended")
        flushed, append_seconds = write_frames(f, sizes)
        outputs = [process.communicate(timeout=120)[0] for process in readers]
    finally:
        for process in readers:
            process.kill()
        f.close()
    if any(process.returncode != 0 for process in readers):
        raise BenchError(f"{name}: a reader failed")
    seen = [(n, at) for output in outputs for n, at in enumerate(json.loads(output))]
    frames = [bisect_right(flushed, at) - 1 - n for n, at in seen]
    return Result(
        name,
        (len(flushed) - 1) / (flushed[-1] - flushed[0]) if len(flushed) > 1 else sizes.rate,
        append_seconds,
        median(frames),
        max(frames),
        median(at - flushed[n] for n, at in seen),
    )


def table_of(results: list[Result], sizes: Sizes) -> Table:
    title = f"{sizes.readers} readers follow {sizes.frames} frames of {sizes.frame_bytes:,} bytes"
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("writer and readers")
    for column in (
        "frames a second",
        "an append",
        "behind, median",
        "behind, most",
        "median delay",
    ):
        table.add_column(column, justify="right")
    for r in results:
        table.add_row(
            r.name,
            f"{r.rate:.1f}",
            f"{r.append_seconds * 1e3:.2f} ms",
            f"{r.median_frames:g}",
            f"{r.most_frames}",
            f"{r.median_seconds * 1e3:.2f} ms",
            style="" if r.is_as_aimed(sizes) else "yellow",
        )
    return table


def verdict(results: list[Result], sizes: Sizes) -> str:
    aim = f"at {sizes.rate:g} frames a second, readers are at most {MOST_FRAMES} frames behind"
    lines = [f"{'met' if r.is_as_aimed(sizes) else 'missed'}: {r.name}" for r in results]
    return "\n".join([f"Aim: {aim}", *lines])


def run_follow_bench(cases: list[str], sizes: Sizes, out: Path, directory: Path | None) -> None:
    """Measures, prints and saves."""
    console = wide_console()
    with work_folder("follow-work", out, directory) as work:
        results = [measure(name, work / "frames.h5", sizes) for name in cases]
    console.print(table_of(results, sizes))
    console.print(verdict(results, sizes))
    save("follow", sizes, 1, results, out, console)
