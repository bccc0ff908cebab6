"""`onecast bench memory`: compares the memory of a collective call, and of data that waits for a
flush, with its budget.

See bench/memory/README.md.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from onecast_bench import memory_program
from onecast_bench.comparison import MIB, save, work_folder
from onecast_bench.programs import BenchError, Launcher

# The memory that a process takes meanwhile for MPI's connections and for pages of programs.
AROUND = 4 * MIB
# The part of the data waiting for a flush that stays in memory.
WAITING = 64 * MIB


@dataclass(frozen=True)
class Sizes:
    ranks: int
    mib: int
    buffer: int


@dataclass(frozen=True)
class Peak:
    call: str
    storage: str
    piece_bytes: int
    peaks: list[int]  # of each rank, above its own memory
    how: str
    budget: int

    @property
    def of_node(self) -> int:
        """All ranks run on one node. Memory that they share counts for each of them."""
        return sum(self.peaks)

    @property
    def is_within(self) -> bool:
        return max(self.peaks) <= self.budget + AROUND


def measure(sizes: Sizes, pieces: Sequence[int], work: Path, timeout: float) -> list[Peak]:
    # No counting library is loaded; `env` starts Python.
    launcher = replace(
        Launcher.from_environment(timeout), preload=None, environment=(sys.executable, "-P")
    )
    report = launcher.run(
        Path(memory_program.__file__),
        sizes.ranks,
        work / "memory.h5",
        work / "report.json",
        pieces=",".join(map(str, pieces)),
        mib=sizes.mib,
        buffer=sizes.buffer,
    )
    return [
        Peak(**result, budget=WAITING if result["call"] == "independent()" else sizes.buffer)
        for result in report["results"]
    ]


def peak_table(found: list[Peak], sizes: Sizes) -> Table:
    title = f"{sizes.ranks} ranks, {sizes.mib} MiB each; a buffer of {sizes.buffer / MIB:g} MiB"
    shown = Table(title=title, title_justify="left", title_style="bold")
    for name in ("call", "storage"):
        shown.add_column(name)
    for name in ("bytes of a piece", "most, MiB", "least, MiB", "of the node, MiB"):
        shown.add_column(name, justify="right")
    for peak in found:
        shown.add_row(
            peak.call,
            peak.storage,
            f"{peak.piece_bytes:,}",
            f"{max(peak.peaks) / MIB:.1f}",
            f"{min(peak.peaks) / MIB:.1f}",
            f"{peak.of_node / MIB:.1f}",
            style="" if peak.is_within else "bold red",
        )
    return shown


def run_memory_bench(
    ranks: int,
    mib: int,
    buffer_mib: int,
    pieces: Sequence[int],
    out: Path,
    directory: Path | None,
    timeout: float,
) -> bool:
    """Returns True if all calls stayed within their budget. The ranks check what they read."""
    if wrong := [piece for piece in pieces if mib * MIB % piece != 0]:
        raise BenchError(f"{mib} MiB are not whole pieces of {wrong[0]} bytes")
    console = Console()
    sizes = Sizes(ranks, mib, buffer_mib * MIB)
    with work_folder("memory-work", out, directory) as work:
        found = measure(sizes, pieces, work, timeout)
    console.print(peak_table(found, sizes))
    save("memory", sizes, 1, found, out, console)
    return all(peak.is_within for peak in found)
