"""Opening a CGNS file of 128 bases × 32 zones on many ranks: published times of libcgns, and the
times that the model predicts for Onecast there."""

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
    flush: float  # of all nodes of a new file
    open: float  # cgp_open
    look: float  # a goto to every node, with its value and attributes

    @property
    def ratio(self) -> float:
        """The fastest published time, divided by the time to open and look at all nodes."""
        return min(min(seconds) for seconds in self.published.values()) / (self.open + self.look)


def predicted(machine: Machine, ranks: int, published: dict[str, list[float]]) -> OnRanks:
    """Predicts cgp_open, which decodes nothing, and looking at all nodes, which decodes them."""
    work = Work()
    silent = replace(machine, values={**machine.values, "decode": 0.0})
    whole, opened = (METHODS["open.onecast"].seconds(m, ranks, work) for m in (machine, silent))
    flush = METHODS["flush.onecast"].seconds(machine, ranks, work)
    return OnRanks(machine.name, ranks, published, flush, opened, whole - opened)


def on_many_ranks(machines: dict[str, Machine], checks: Sequence[Check]) -> list[OnRanks]:
    """Returns predictions where there are published times on many ranks."""
    published: dict[tuple[str, int], dict[str, list[float]]] = {}
    for point in (check.point for check in checks):
        if point.method in OPENED_BY and point.ranks >= LEAST_RANKS:
            of = published.setdefault((point.machine, point.ranks), {})
            of.setdefault(point.method, []).append(point.seconds)
    return [
        predicted(machines[machine], ranks, measured)
        for (machine, ranks), measured in sorted(published.items())
    ]
