"""Runs a program on several ranks."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import onecast


@pytest.fixture
def run_on_ranks(tmp_path):
    """run_on_ranks(ranks, file) runs a Python program in a folder of its own, and returns its
    output."""
    if not onecast.have_mpi:
        pytest.skip("Onecast was built without MPI")
    if not os.environ.get("MPIEXEC"):
        pytest.skip("MPIEXEC is not set; source tools/env.sh")
    pytest.importorskip("mpi4py")

    def run(ranks: int, program: Path) -> str:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        command = [os.environ["MPIEXEC"], *flags, "-n", str(ranks), sys.executable, str(program)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    return run
