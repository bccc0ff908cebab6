"""One run of `onecast bench sessions`: one library does one case. See bench/sessions/README.md."""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

COMPRESSED = {"chunks": (128,), "compression": "gzip", "compression_opts": 1}
ROW = 119  # the numbers of a row, 952 bytes
LATEST = {"h5py": {"libver": "latest"}, "onecast": {"profile": "latest"}}


@dataclass(frozen=True)
class Case:
    """`change(file, step)` is one step. `prepare(library, path, size)` makes the file
    beforehand."""

    name: str
    change: Callable
    prepare: Callable | None = None
    one_session: bool = False
    """All steps in one open file, with a flush after each; else each opens and closes the file."""
    latest: bool = False

    def options(self, library) -> dict:
        return LATEST[library.__name__] if self.latest else {}


def prepare_chunks(library, path: Path, size: int) -> None:
    with library.File(path, "w") as f:
        x = f.create_dataset("x", (size,), "<i4", maxshape=(None,), chunks=(1,))
        x[...] = np.arange(size)


def prepare_table(library, path: Path, size: int) -> None:
    with library.File(path, "w", **LATEST[library.__name__]) as f:
        x = f.create_dataset("x", (size // 100, 100), "<i4", maxshape=(None, None), chunks=(1, 1))
        x[...] = np.arange(size).reshape(x.shape)


def append_to_table(f, step: int) -> None:
    x = f["x"]
    x.resize(len(x) + 1, axis=0)
    x[-1, 0] = step


def append_chunk(f, step: int) -> None:
    x = f["x"]
    x.resize(len(x) + 1, axis=0)
    x[-1] = step


def prepare_rows(library, path: Path, _size: int) -> None:
    with library.File(path, "w") as f:
        f.create_dataset("x", (0, ROW), "<f8", maxshape=(None, ROW), chunks=(1, ROW))


def append_row(f, step: int) -> None:
    x = f["x"]
    x.resize(len(x) + 1, axis=0)
    x[-1] = np.full(ROW, step, "<f8")


def prepare_replaced(library, path: Path, _size: int) -> None:
    with library.File(path, "w") as f:
        f["x"] = np.zeros(10_000)


def replace(f, step: int) -> None:
    del f["x"]
    f["x"] = np.full(10_000, step, "<f8")


def text_of(step: int) -> str:
    return f"{step} {'x' * (37 * step % 120)}"


def prepare_texts(library, path: Path, size: int) -> None:
    with library.File(path, "w") as f:
        f.create_dataset("x", (size,), h5py.string_dtype())[:] = [text_of(i) for i in range(size)]


def overwrite_texts(f, step: int) -> None:
    x = f["x"]
    for i in range(5):
        x[(step + i) * 7919 % len(x)] = text_of(11 * step + i)


def append_compressed(f, step: int) -> None:
    if step == 0:
        f.create_dataset("x", (0,), "<f8", maxshape=(None,), **COMPRESSED)
    x = f["x"]
    x.resize(128 * (step + 1), axis=0)
    x[-128:] = np.arange(128) + step


def add_group(f, step: int) -> None:
    group = f.create_group(f"step {step}")
    for name in "xyz":
        group[name] = np.arange(10) + step


def prepare_own(library, path: Path, size: int) -> None:
    with library.File(path, "w") as f:
        for i in range(size):
            f.create_dataset(f"d{i:06}", data=np.arange(3) + i).attrs["number"] = i


def prepare_foreign(_library, path: Path, size: int) -> None:
    prepare_own(h5py, path, size)


def change_attribute(f, step: int) -> None:
    f[f"d{7 * step:06}"].attrs["number"] = -step


CASES = {
    case.name: case
    for case in (
        Case("append a chunk", append_chunk, prepare_chunks),
        Case("append to a table, latest", append_to_table, prepare_table, latest=True),
        Case("append a row", append_row, prepare_rows),
        Case("replace a dataset", replace, prepare_replaced),
        Case("overwrite strings", overwrite_texts, prepare_texts),
        Case("append compressed", append_compressed, one_session=True),
        Case("append compressed, latest", append_compressed, one_session=True, latest=True),
        Case("a group and 3 datasets", add_group, one_session=True),
        Case("an attribute, h5py's file", change_attribute, prepare_foreign),
        Case("an attribute, own file", change_attribute, prepare_own),
    )
}


def resident() -> int:
    """Returns the bytes of this process that are in memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("the system does not tell VmRSS")


class Clock:
    """Records the wall time and processor time of each step, and the memory after it."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.processor: list[float] = []
        self.resident: list[int] = []

    def take(self, step: Callable[[], None]) -> None:
        wall, processor = time.perf_counter(), time.process_time()
        step()
        self.processor.append(time.process_time() - processor)
        self.seconds.append(time.perf_counter() - wall)

    def report(self) -> dict:
        tenth = max(1, len(self.seconds) // 10)
        return {
            "seconds": sum(self.seconds),
            "processor": sum(self.processor),
            # The second tenth of the steps: the first includes the costs of starting a program.
            "early": float(np.median(self.processor[tenth : 2 * tenth] or self.processor)),
            "late": float(np.median(self.processor[-tenth:])),
            "growth": self.resident[-1] - self.resident[0],
        }


def run(library, case: Case, path: Path, steps: int) -> dict:
    clock = Clock()

    def session(step: int) -> None:
        with library.File(path, "r+", **case.options(library)) as f:
            case.change(f, step)

    def flushed(f, step: int) -> None:
        case.change(f, step)
        f.flush()

    def note(step: int) -> None:
        if step in (steps // 10, steps - 1):
            clock.resident.append(resident())

    if case.one_session:
        with library.File(path, "w", **case.options(library)) as f:
            for step in range(steps):
                clock.take(lambda at=step: flushed(f, at))
                note(step)
    else:
        for step in range(steps):
            clock.take(lambda at=step: session(at))
            note(step)
    return clock.report() | {"bytes": path.stat().st_size}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", choices=["h5py", "onecast"], required=True)
    parser.add_argument("--case", choices=CASES, required=True)
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    given = parser.parse_args()
    library = importlib.import_module(given.library)
    given.json.write_text(json.dumps(run(library, CASES[given.case], given.file, given.steps)))


if __name__ == "__main__":
    main()
