"""The common part of the tests: both libraries, the outside corpus, and ranks"""

import hashlib
import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from on_ranks import output_of_own_ranks, output_of_ranks, require_ranks
from small_disks import small_file_system

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("ONECAST_CORPUS", ROOT / ".." / "shared" / "corpus"))


@pytest.fixture(params=["h5py", "onecast"])
def lib(request):
    """A test with this fixture runs with h5py, and then unchanged with Onecast."""
    return pytest.importorskip(request.param)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.h5"


@pytest.fixture
def file(lib, path):
    """Yields a new file, open for writing."""
    with lib.File(path, "w") as opened:
        yield opened


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Returns tmp_path. The current folder is another one in it, and no variable tells where files
    are."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for variable in ("HDF5_EXT_PREFIX", "HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def corpus():
    if not CORPUS.is_dir():
        pytest.skip(f"no corpus at {CORPUS} (set ONECAST_CORPUS)")
    return CORPUS


@pytest.fixture
def small_disk(tmp_path):
    """small_disk(size) returns a folder on a file system of that size, as for mount: 200k, 4m."""
    with ExitStack() as mounted:
        yield lambda size: mounted.enter_context(small_file_system(tmp_path / "disk", size))


@pytest.fixture
def mpirun(tmp_path):
    """mpirun(ranks, program) runs the text of a program on this many ranks, and returns its output.
    `before` runs before MPI starts. With `own`, the test looks at the end of the job."""
    require_ranks()

    def run(
        ranks: int, program: str, *arguments: object, before: str = "", own: bool = False
    ) -> str:
        script = tmp_path / "program.py"
        script.write_text(before + PREAMBLE + program)
        output = output_of_own_ranks if before or own else output_of_ranks
        return output(ranks, script, *arguments, cwd=tmp_path)

    return run


@pytest.fixture
def same_bytes(mpirun, path):
    """`for ranks in same_bytes(program):` runs the program, with the path as its argument, on each
    number of ranks, and expects equal bytes there."""

    def run(program: str):
        first = None
        for ranks in (1, 2, 3, 4, 7):
            mpirun(ranks, program, path)
            found = hashlib.sha256(path.read_bytes()).hexdigest()
            first = first or found
            assert found == first, f"other bytes on {ranks} ranks"
            yield ranks

    return run


PREAMBLE = """
import sys
from mpi4py import MPI
import numpy as np
import onecast
comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

def same_everywhere(call, *kinds):
    '''call() must raise one of `kinds` on every rank; returns the texts of all.'''
    try:
        call()
    except kinds as error:
        return comm.allgather(str(error))
    print("rank", rank, "did not raise", flush=True)
    comm.Abort(1)
"""
