"""Random collective reads and writes of all kinds, against numpy and one process with h5py."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import onecast

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_transfers.py"


@pytest.mark.parametrize(("ranks", "seed", "files"), [(4, 0, 60), (7, 10_000, 40)])
def test_random_transfers(tmp_path, ranks, seed, files):
    """For longer: see the program."""
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("needs MPI, and MPIEXEC of tools/env.sh")
    pytest.importorskip("mpi4py")
    done = subprocess.run(
        [
            os.environ["MPIEXEC"],
            *shlex.split(os.environ.get("MPIEXEC_FLAGS", "")),
            *("-n", str(ranks), sys.executable, str(PROGRAM), str(tmp_path)),
            *("--seed", str(seed), "--count", str(files)),
        ],
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout == f"{files} files\n"
