"""When the OSTs are busy: there are 3 of them, each with 20 MiB per second; under `lab/run.py
--once`"""

import itertools
import mmap
import os
import time

from inside import MIB, counters, on, open_on, reset

STRIPE = 50_000_000
"""Nanoseconds for 1 MiB."""


def write_stripe(fd: int, stripe: int, size: int = MIB) -> None:
    """Writes from memory that begins on a page, so that it comes in one request."""
    with mmap.mmap(-1, size) as pages:
        os.pwrite(fd, pages, stripe * MIB)


def busy_times() -> tuple[list[int], int, float]:
    found = counters()
    return [o["busy_ns"] for o in found["osts"]], found["any_busy_ns"], found["balance"]


def balance() -> None:
    fd = os.open(on(0, "balance"), os.O_CREAT | os.O_RDWR | os.O_SYNC)
    reset()
    assert counters()["balance"] is None
    began = time.monotonic_ns()
    for number in range(3):
        write_stripe(fd, number)  # one after the other
    assert time.monotonic_ns() - began >= 3 * STRIPE
    assert busy_times() == ([STRIPE] * 3, 3 * STRIPE, round(1 / 3, 6))
    intervals = [ost["busy_intervals"] for ost in counters()["osts"]]
    assert [len(each) for each in intervals] == [1, 1, 1]
    in_time = sorted(each[0] for each in intervals)
    assert all(end - start == STRIPE for start, end in in_time)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(in_time))

    reset()
    assert busy_times() == ([0, 0, 0], 0, None)
    cached = open_on(1, "balance")
    for number in range(3):
        write_stripe(cached, number, MIB // 2)
    os.fsync(cached)  # all at the same time
    assert busy_times() == ([STRIPE // 2] * 3, STRIPE // 2, 1.0)

    reset()
    for number in (0, 3):
        write_stripe(cached, number, MIB // 2)
    os.fsync(cached)  # both on one OST, without a pause between them
    assert sorted(busy_times()[0]) == [0, 0, STRIPE]
    assert busy_times()[1:] == (STRIPE, round(1 / 3, 6))
    assert sorted(len(ost["busy_intervals"]) for ost in counters()["osts"]) == [0, 0, 1]


if __name__ == "__main__":
    balance()
