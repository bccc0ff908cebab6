"""Communicators of mpi4py."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from mpi4py import MPI


def core_communicator(comm: MPI.Intracomm | None) -> _core.Communicator | None:
    """Returns the core's communicator. None stays None: this process alone. @collective over `comm`

    Onecast uses the MPI library that mpi4py uses. Raises UnsupportedError without MPI or if that
    library is not known, TypeError if `comm` is not an intracommunicator of mpi4py, ValueError if
    its handles are those of another MPI.
    """
    if comm is None:
        return None
    require_communicator(comm)
    from mpi4py import MPI

    return _core.mpi_communicator(MPI._addressof(comm), MPI._sizeof(MPI.Comm), MPI.__file__)


def require_communicator(comm: object) -> None:
    """Raises what core_communicator raises."""
    if not _core.have_mpi:
        raise _core.UnsupportedError("comm: this Onecast was built without MPI")
    # Whoever has a communicator has imported mpi4py; without MPI that may be impossible.
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or not isinstance(comm, mpi.Intracomm):
        kind = type(comm)
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        raise TypeError(
            f"comm: an mpi4py.MPI.Intracomm was expected, not {module}{kind.__qualname__}"
        )
    if comm == mpi.COMM_NULL:
        raise ValueError("comm: MPI.COMM_NULL")
