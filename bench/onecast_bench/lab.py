"""Runs programs on the emulated striped file system of lab/ and reads its counts."""

import subprocess
import sys
from dataclasses import dataclass, fields
from pathlib import Path

from onecast_bench.programs import BenchError, Launcher, roots

# A placeholder for the path of the file system; see lab/run.py.
FOLDER = Path("{lab}")


@dataclass(frozen=True)
class Lab:
    nodes: int
    osts: int
    stripe_size: str  # as an option of onecast_lab: 1M
    model: tuple[str, ...] = ()  # further options of onecast_lab

    @property
    def stripe_bytes(self) -> int:
        number = self.stripe_size.rstrip("kKMG")
        units = {"": 0, "k": 10, "K": 10, "M": 20, "G": 30}
        return int(number) << units[self.stripe_size[len(number) :]]

    def options(self) -> list[str]:
        sizes = ("--nodes", self.nodes, "--osts", self.osts, "--stripe-size", self.stripe_size)
        return [*map(str, sizes), *self.model]


@dataclass(frozen=True)
class LabLauncher(Launcher):
    """Runs each program in a lab of its own. Rank r is on node r modulo the number of nodes."""

    options: tuple[str, ...] = ()
    put: tuple[Path, ...] = ()  # files that exist before the program starts

    @classmethod
    def of(cls, launcher: Launcher, lab: Lab) -> "LabLauncher":
        own = {field.name: getattr(launcher, field.name) for field in fields(launcher)}
        return cls(**own, options=(*find_lab(), *lab.options(), "--quiet"))

    def start(self, ranks: int) -> list[str]:
        put = [word for file in self.put for word in ("--put", str(file))]
        return [*self.options, *put, "--ranks", str(ranks), "--"]


def find_lab() -> tuple[str, ...]:
    """Returns the command. Raises BenchError if no lab can run here."""
    for root in roots():
        if (script := root / "lab" / "run.py").is_file():
            command = (sys.executable, str(script))
            check = subprocess.run([*command, "--check"], capture_output=True, text=True)
            if check.returncode != 0:
                raise BenchError(check.stderr.strip())
            return command
    raise BenchError("lab: lab/run.py is not here; it is in the sources only")


@dataclass(frozen=True)
class LabCounts:
    """The counts of some steps together."""

    write_rpcs: int
    write_bytes: int
    read_rpcs: int
    revocations: int
    nodes: int  # nodes that sent data
    nodes_per_ost: int  # the most nodes that sent data to one OST
    balance: float | None = None  # balance of the OSTs over time, if they take time


def sum_steps(counters: list[dict]) -> LabCounts:
    def total(name: str) -> int:
        return sum(step["total"][name] for step in counters)

    osts: dict[int, set[int]] = {}
    busy = 0
    for step in counters:
        for ost in step["osts"]:
            osts.setdefault(ost["ost"], set()).update(ost["writers"])
            busy += ost["busy_ns"]
    any_busy = sum(step["any_busy_ns"] for step in counters)
    return LabCounts(
        write_rpcs=total("write_rpcs"),
        write_bytes=total("write_bytes"),
        read_rpcs=total("read_rpcs"),
        revocations=total("revocations"),
        nodes=len(set().union(*osts.values())),
        nodes_per_ost=max(len(writers) for writers in osts.values()),
        balance=busy / (len(osts) * any_busy) if any_busy else None,
    )
