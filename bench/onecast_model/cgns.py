"""A CGNS file of 128 bases × 32 zones on many ranks: published times of opening it by libcgns, and
what Onecast would take for it there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .checks import Check
from .machine import Machine
from .methods import METHODS, Work

LEAST_RANKS = 2048
OPENED_BY = ("open.all_read", "open.one_reads", "open.compact")


@dataclass(frozen=True)
class OnRanks:
    machine: str
    ranks: int
    published: dict[str, list[float]]  # method -> measured seconds
    flush: float  # of all nodes, when they are new
    open: float  # cgp_open
    look: float  # a goto to every node, its value and attributes

    @property
    def ratio(self) -> float:
        """The fastest published time over opening and looking at all, which it includes."""
        return min(min(seconds) for seconds in self.published.values()) / (self.open + self.look)


def predicted(machine: Machine, ranks: int, published: dict[str, list[float]]) -> OnRanks:
    """cgp_open is the open of Onecast, which decodes nothing; a look decodes."""
    work = Work()
    silent = replace(machine, values={**machine.values, "decode": 0.0})
    whole, opened = (METHODS["open.onecast"].seconds(m, ranks, work) for m in (machine, silent))
    flush = METHODS["flush.onecast"].seconds(machine, ranks, work)
    return OnRanks(machine.name, ranks, published, flush, opened, whole - opened)


def on_many_ranks(machines: dict[str, Machine], checks: Sequence[Check]) -> list[OnRanks]:
    """Where there are published times on many ranks."""
    published: dict[tuple[str, int], dict[str, list[float]]] = {}
    for point in (check.point for check in checks):
        if point.method in OPENED_BY and point.ranks >= LEAST_RANKS:
            of = published.setdefault((point.machine, point.ranks), {})
            of.setdefault(point.method, []).append(point.seconds)
    return [
        predicted(machines[machine], ranks, measured)
        for (machine, ranks), measured in sorted(published.items())
    ]
