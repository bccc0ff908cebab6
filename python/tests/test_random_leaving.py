"""Random programs in which one rank raises, returns early, calls or opens something else."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import onecast

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_leaving.py"
# For more: ONECAST_LEAVING_SEEDS=500
COUNT = int(os.environ.get("ONECAST_LEAVING_SEEDS", "24"))


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
@pytest.mark.timeout(180 + COUNT)
def test_nobody_waits_for_ever(tmp_path, ranks):
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("needs MPI, and MPIEXEC of tools/env.sh")
    pytest.importorskip("mpi4py")
    done = subprocess.run(
        [
            os.environ["MPIEXEC"],
            *shlex.split(os.environ.get("MPIEXEC_FLAGS", "")),
            *("-n", str(ranks), sys.executable, str(PROGRAM), str(tmp_path)),
            *("--seed", str(1000 * ranks), "--count", str(COUNT)),
        ],
        capture_output=True,
        text=True,
        timeout=170 + COUNT,
    )
    where = [stacks.read_text() for stacks in tmp_path.glob("stacks.*")]
    assert done.returncode == 0, "\n".join([done.stdout, done.stderr, *where])
    assert done.stdout == f"{COUNT} programs\n"
