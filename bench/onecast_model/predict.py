"""Predicts the time of some work, and the number of ranks from which on Onecast is faster."""

from collections.abc import Sequence
from dataclasses import dataclass

from .machine import Machine
from .methods import METHODS, Method, Work

OPERATIONS = {
    "open": "open and read all of {objects:,} objects",
    "small_reads": "{reads:,} reads of the same {read_bytes} bytes",
    "same_write": "a small file that all write alike",
    "flush": "flush {objects:,} new objects",
    "close": "close a file that was written",
    "large_write": "write {bytes_per_rank:,.0f} bytes a rank, contiguous",
    "interleaved": "write the same in interleaved pieces of {piece:,.0f} bytes",
}
MOST_RANKS = 100_000


@dataclass(frozen=True)
class Prediction:
    operation: str
    title: str
    seconds: dict[str, list[float]]  # method -> seconds for each number of ranks
    faster_from: int | None  # ranks from which on Onecast is faster than all of stock


def methods_of(operation: str) -> list[Method]:
    return [m for m in METHODS.values() if m.operation == operation]


def is_onecast_faster(machine: Machine, operation: str, ranks: int, work: Work) -> bool:
    found = methods_of(operation)
    ours = min(m.seconds(machine, ranks, work) for m in found if m.is_onecast)
    others = [m.seconds(machine, ranks, work) for m in found if m.is_stock]
    return ours < min(others)


def faster_from(machine: Machine, operation: str, work: Work) -> int | None:
    """Returns the smallest number of ranks from which on, up to MOST_RANKS, Onecast is faster."""
    if not any(m.is_stock for m in methods_of(operation)):
        return None

    def faster(ranks: int) -> bool:
        return is_onecast_faster(machine, operation, ranks, work)

    # The steps are fine at first, then a fiftieth.
    grid = [1]
    while grid[-1] < MOST_RANKS:
        grid.append(min(MOST_RANKS, max(grid[-1] + 1, grid[-1] * 51 // 50)))
    slower = next((i for i in reversed(range(len(grid))) if not faster(grid[i])), -1)
    if slower == len(grid) - 1:
        return None
    if slower < 0:
        return 1
    low, high = grid[slower], grid[slower + 1]
    while high - low > 1:
        between = (low + high) // 2
        low, high = (low, between) if faster(between) else (between, high)
    return high


def predict_all(machine: Machine, ranks: Sequence[int], work: Work) -> list[Prediction]:
    return [
        Prediction(
            operation,
            title.format(**vars(work)),
            {
                m.name: [m.seconds(machine, number, work) for number in ranks]
                for m in methods_of(operation)
            },
            faster_from(machine, operation, work),
        )
        for operation, title in OPERATIONS.items()
    ]
