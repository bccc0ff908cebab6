"""What the programs of this folder share."""

import sys
from pathlib import Path

try:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD if MPI.COMM_WORLD.size > 1 else None
except ImportError:
    comm = None
rank, size = (comm.rank, comm.size) if comm else (0, 1)


def path_of(name):
    """Returns the path of a file of this number of ranks, in the folder that the program got."""
    return Path(sys.argv[1]) / f"{name}{size}.h5"


def raises(kind, call, text):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"{kind.__name__} was expected")
