"""Random programs of what each rank makes for itself: h5py's contents, and the same bytes on any
number of ranks."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import onecast

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_independent.py"
# For more: ONECAST_INDEPENDENT_SEEDS=500
COUNT = int(os.environ.get("ONECAST_INDEPENDENT_SEEDS", "6"))


@pytest.mark.timeout(240 + 30 * COUNT)
def test_what_ranks_make_alone(tmp_path):
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("needs MPI, and MPIEXEC of tools/env.sh")
    pytest.importorskip("mpi4py")
    done = subprocess.run(
        [
            os.environ["MPIEXEC"],
            *shlex.split(os.environ.get("MPIEXEC_FLAGS", "")),
            *("-n", "7", sys.executable, str(PROGRAM), str(tmp_path)),
            *("--count", str(COUNT)),
        ],
        capture_output=True,
        text=True,
        timeout=230 + 30 * COUNT,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout == f"{COUNT} programs\n"
