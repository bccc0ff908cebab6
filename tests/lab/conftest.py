"""What tests of the emulated file system need; they skip where it is not there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = [sys.executable, str(Path(__file__).parents[2] / "lab" / "run.py")]


@pytest.fixture(scope="session", autouse=True)
def lab():
    check = subprocess.run([*RUN, "--check"], capture_output=True, text=True)
    if check.returncode != 0:
        pytest.skip(check.stderr.strip())


@pytest.fixture(scope="session")
def ranks():
    pytest.importorskip("mpi4py")
    onecast = pytest.importorskip("onecast")
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("no MPI, or tools/env.sh is not sourced")
