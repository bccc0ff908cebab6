"""What one rank finds out for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def on_rank_0(comm: Any, work: Callable[[], T]) -> T:
    """Its result, or what it raised, on all ranks. @collective"""
    if comm is None:
        return work()
    result: Any = None
    failure: Exception | None = None
    if comm.rank == 0:
        try:
            result = work()
        except Exception as error:
            failure = error
    result, failure = comm.bcast((result, failure))
    if failure is not None:
        raise failure
    return result
