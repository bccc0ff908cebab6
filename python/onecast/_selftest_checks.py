"""What `python -m onecast.selftest` tries, on one process and on ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._file import File
from ._filters import known_filters

if TYPE_CHECKING:
    from mpi4py import MPI

ROWS = 1000  # of each rank
Check = Callable[[Path, "MPI.Intracomm | None"], None]


class OnPurpose(Exception):
    """The failure of a rank that the test wants."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


# --- on one process ------------------------------------------------------------------------------


def stripe_size(folder: Path) -> int:
    """Returns the stripe size of new files in the folder, in bytes. 0: none is known."""
    with File(folder / "stripes.h5", "w") as file:
        return file.metadata_report().stripe_size


def codecs(folder: Path) -> tuple[list[str], list[str]]:
    """Writes and reads with each filter. Returns the names of those that work, and the others with
    reasons. A filter of a plug-in that cannot write is not tried."""
    works, fails = [], []
    values = np.arange(4096, dtype="i4")
    for known in known_filters():
        if known.decodes and not known.encodes:
            works.append(f"{known.name} (reads)")
            continue
        try:
            expect(known.decodes, "built without its library")
            path = folder / f"{known.name}.h5"
            with File(path, "w") as file:
                file.create_dataset("x", data=values, chunks=(1024,), compression=known.id)
            with File(path) as file:
                expect(np.array_equal(file["x"][()], values), "other values are read")
            works.append(known.name)
        except Exception as error:
            fails.append(f"{known.name} ({error})")
    return works, fails


# --- on ranks ------------------------------------------------------------------------------------


def write(path: Path, comm: MPI.Intracomm | None, ranks: int, mine: slice) -> None:
    with File(path, "w", comm=comm) as file:
        for number in range(50):
            group = file.create_group(f"zones/zone {number}")
            group.attrs["number"] = number
        plain = file.create_dataset("plain", (ROWS * ranks, 3), "f8")
        packed = file.create_dataset(
            "packed", (ROWS * ranks,), "i8", chunks=(ROWS // 2,), compression="gzip"
        )
        rows = np.arange(mine.start, mine.stop)
        plain.write_all(mine, np.repeat(rows[:, None], 3, axis=1).astype("f8"))
        packed.write_all(mine, rows)


def rank_and_size(comm: MPI.Intracomm | None) -> tuple[int, int]:
    return (0, 1) if comm is None else (comm.rank, comm.size)


def create_and_write(folder: Path, comm: MPI.Intracomm | None) -> None:
    rank, size = rank_and_size(comm)
    write(folder / "file.h5", comm, size, slice(ROWS * rank, ROWS * (rank + 1)))


def read_all(folder: Path, comm: MPI.Intracomm | None) -> None:
    rank, size = rank_and_size(comm)
    with File(folder / "file.h5", comm=comm) as file:
        numbers = [file[f"zones/zone {number}"].attrs["number"] for number in range(50)]
        expect(numbers == list(range(50)), "other attributes are read")
        rows = np.arange(ROWS * size)
        expect(np.array_equal(file["plain"].read_all()[:, 2], rows), "other values are read")
        mine = slice(ROWS * rank, ROWS * (rank + 1))
        expect(np.array_equal(file["packed"].read_all(mine), rows[mine]), "other rows are read")


def same_bytes(folder: Path, comm: MPI.Intracomm | None) -> None:
    """One process writes the file of all ranks again."""
    rank, size = rank_and_size(comm)
    if rank == 0:
        write(folder / "alone.h5", None, size, slice(0, ROWS * size))
        alone, together = (folder / name for name in ("alone.h5", "file.h5"))
        expect(alone.read_bytes() == together.read_bytes(), "one process writes other bytes")


def failing_call(folder: Path, comm: MPI.Intracomm | None) -> None:
    """The last rank gives too many rows to a collective call."""
    rank, size = rank_and_size(comm)
    with File(folder / "failing.h5", "w", comm=comm) as file:
        dataset = file.create_dataset("x", (size,), "f8")
        try:
            dataset.write_all(slice(rank, rank + 1), np.ones(2 if rank == size - 1 else 1))
        except Exception:
            return
    raise AssertionError("the call did not fail here")


def leaving_rank(folder: Path, comm: MPI.Intracomm | None) -> None:
    """An exception ends the work of the last rank."""
    rank, size = rank_and_size(comm)
    with suppress(OnPurpose, _core.DivergedError), File(folder / "left.h5", "w", comm=comm) as file:
        if rank == size - 1:
            raise OnPurpose("this rank fails on purpose")
        file.flush()
        raise AssertionError("the flush did not tell that a rank has left")


ON_RANKS: dict[str, Check] = {
    "create a file, each rank writes its rows": create_and_write,
    "open it, read all": read_all,
    "one process writes the same bytes": same_bytes,
    "a call that fails on one rank fails on all": failing_call,
    "a rank that leaves is noticed by the others": leaving_rank,
}


def try_on_ranks(folder: Path, comm: MPI.Intracomm | None) -> Iterator[tuple[str, str | None]]:
    """Makes the checks. Yields what each tries, and why it failed, the same on all ranks.
    @collective over `comm`"""
    _, size = rank_and_size(comm)
    for name, check in ON_RANKS.items():
        if size == 1 and check is leaving_rank:
            continue  # there are no others
        reason = None
        try:
            check(folder, comm)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        reasons = [reason] if comm is None else comm.allgather(reason)
        failed = [(at, text) for at, text in enumerate(reasons) if text is not None]
        yield name, f"rank {failed[0][0]}: {failed[0][1]}" if failed else None
