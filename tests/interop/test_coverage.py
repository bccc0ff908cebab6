"""Files of others: Onecast reads in them what h5py reads; what it refuses is written down."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import onecast

sys.path.insert(0, str(Path(__file__).parent))
import compare
import coverage_of_files as coverage


@pytest.fixture(scope="module")
def corpus():
    if not coverage.files():
        pytest.skip(f"no corpus at {coverage.CORPUS} (set ONECAST_CORPUS)")


@pytest.mark.parametrize("path", coverage.files(), ids=lambda path: path.name)
def test_reads_what_h5py_reads(path):
    assert compare.examine(path).differences == []


def test_the_table_of_refusals_is_that_of_the_files(corpus):
    assert coverage.table() == coverage.written_table(), (
        "run python tests/interop/coverage_of_files.py"
    )


def test_on_ranks_too(corpus, tmp_path):
    """Files of others are walked by one rank and broadcast."""
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("without MPI, or MPIEXEC is not set; source tools/env.sh")
    pytest.importorskip("mpi4py")
    flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
    small = [path for path in coverage.files() if path.stat().st_size < 1 << 20]
    command = [os.environ["MPIEXEC"], *flags, "-n", "3", sys.executable, compare.__file__, "--mpi"]
    done = subprocess.run(
        [*command, *small], capture_output=True, text=True, timeout=100, cwd=tmp_path
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
