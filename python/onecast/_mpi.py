"""Communicators of mpi4py."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from mpi4py import MPI


def core_communicator(comm: MPI.Intracomm | None) -> _core.Communicator | None:
    """None, this process alone, stays None. @collective over `comm`

    Raises UnsupportedError without MPI, TypeError if `comm` is not an intracommunicator of mpi4py,
    RuntimeError if mpi4py runs on another MPI library than Onecast.
    """
    if comm is None:
        return None
    if not _core.have_mpi:
        raise _core.UnsupportedError("comm: this Onecast was built without MPI")
    from mpi4py import MPI

    if not isinstance(comm, MPI.Intracomm):
        raise TypeError(f"comm: an mpi4py.MPI.Intracomm was expected, not {type(comm).__name__}")
    _check_library(MPI)
    if comm == MPI.COMM_NULL:
        raise ValueError("comm: MPI.COMM_NULL")
    return _core.mpi_communicator(MPI._addressof(comm))


def _check_library(MPI) -> None:
    """Handles of one MPI library mean nothing to another."""
    theirs = _clean(MPI.Get_library_version())
    ours = _clean(_core.mpi_library_version())
    built_with = _core.mpi_built_with
    if (
        theirs != ours
        or not ours.startswith(built_with)
        or MPI._sizeof(MPI.Comm) != _core.mpi_handle_size
    ):
        raise RuntimeError(
            f"mpi4py runs on {_first_line(theirs)}; Onecast was built with {built_with} "
            f"and runs on {_first_line(ours)}. Both must use the same MPI library "
            "(mpi4py takes the one that the environment variable MPI4PY_LIBMPI names)"
        )


def _clean(version: str) -> str:
    return version.strip("\0\n ")


def _first_line(version: str) -> str:
    return version.splitlines()[0] if version else "an unknown MPI"


def reserve(path: str, comm: MPI.Intracomm | None) -> None:
    """Makes an empty file that must not exist yet. Raises OSError on all ranks. @collective"""
    error = None
    if comm is None or comm.rank == 0:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except OSError as caught:
            error = caught
    if comm is not None:
        error = comm.bcast(error)
    if error is not None:
        raise error
