"""Communicators of mpi4py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from mpi4py import MPI


def core_communicator(comm: MPI.Intracomm | None) -> _core.Communicator | None:
    """Returns the core's communicator. None stays None: this process alone. @collective over `comm`

    Raises UnsupportedError without MPI, TypeError if `comm` is not an intracommunicator of mpi4py,
    RuntimeError if mpi4py runs on another MPI library than Onecast.
    """
    if comm is None:
        return None
    require_communicator(comm)
    from mpi4py import MPI

    return _core.mpi_communicator(MPI._addressof(comm))


def require_communicator(comm: object) -> None:
    """Raises what core_communicator raises."""
    if not _core.have_mpi:
        raise _core.UnsupportedError("comm: this Onecast was built without MPI")
    from mpi4py import MPI

    if not isinstance(comm, MPI.Intracomm):
        raise TypeError(f"comm: an mpi4py.MPI.Intracomm was expected, not {type(comm).__name__}")
    _check_library(MPI)
    if comm == MPI.COMM_NULL:
        raise ValueError("comm: MPI.COMM_NULL")


def _check_library(MPI: Any) -> None:
    """Raises if mpi4py uses another MPI library, to which handles of this library mean nothing."""
    theirs, ours = MPI.Get_library_version(), _core.mpi_library_version()
    same = theirs.strip("\0\n ") == ours.strip("\0\n ")
    # If one library was loaded in place of the other, both report equal versions, but their handles
    # differ in size.
    if not same or MPI._sizeof(MPI.Comm) != _core.mpi_handle_size:
        raise RuntimeError(
            f"mpi4py runs on {_short(theirs)}; Onecast was built with {_core.mpi_built_with} and "
            f"runs on {_short(ours)}. Both must use the same MPI library (mpi4py takes the one "
            "that the environment variable MPI4PY_LIBMPI names)"
        )


def _short(version: str) -> str:
    """Returns the first words of an MPI library's version."""
    return " ".join(version.splitlines()[0].split(",")[0].split()) if version else "an unknown MPI"
