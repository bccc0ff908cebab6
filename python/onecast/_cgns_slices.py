"""Checks that the slices of all ranks form one array, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mpi4py import MPI


class Slice(NamedTuple):
    """Indices [start, stop) of the last dimension of an array, which has `extent` of them."""

    path: str
    start: int
    stop: int
    extent: int


def require_one_array_each(comm: MPI.Intracomm, slices: list[Slice] | None) -> None:
    """Raises ValueError on all ranks if slices overlap or leave gaps. None means that this rank has
    failed and reports it later. @collective"""
    gathered = comm.gather(slices)
    wrong = comm.bcast(None if gathered is None else _first_wrong(gathered))
    if wrong is not None:
        raise ValueError(wrong)


def _first_wrong(gathered: list[list[Slice] | None]) -> str | None:
    """Describes the first wrong array. Ranks with different arrays are reported when these are
    written."""
    of_ranks = [slices for slices in gathered if slices is not None]
    paths = {tuple(each.path for each in slices) for slices in of_ranks}
    if len(of_ranks) < len(gathered) or len(paths) > 1:
        return None
    for of_array in zip(*of_ranks, strict=True):
        wrong = _wrong_of_array(of_array)
        if wrong is not None:
            return f"{of_array[0].path}: {wrong}"
    return None


def _wrong_of_array(of_array: tuple[Slice, ...]) -> str | None:
    extent = of_array[0].extent
    parts = sorted((s.start, s.stop, rank) for rank, s in enumerate(of_array) if s.stop > s.start)
    reached, last = 0, None
    for start, stop, rank in [*parts, (extent, extent, None)]:
        if start > reached:
            return f"no rank has indices {reached} to {start - 1} of the last dimension"
        if start < reached:
            shared = f"{start} to {min(stop, reached) - 1}"
            return f"ranks {last} and {rank} both have indices {shared} of the last dimension"
        reached, last = stop, rank
    return None
