import os
import shlex
import shutil
import subprocess
import sys

import kill_scenarios
import pytest

import onecast


@pytest.fixture
def killer(tmp_path):
    """A library that kills the process that it is preloaded to."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler for killer.c")
    return kill_scenarios.build_killer(tmp_path)


@pytest.fixture
def run_on_ranks(killer):
    """run_on_ranks(ranks, program, arguments ...) -> the completed process of mpiexec."""
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("needs MPI; source tools/env.sh")
    pytest.importorskip("mpi4py")

    def run(ranks, program, *arguments):
        command = [
            os.environ["MPIEXEC"],
            *shlex.split(os.environ.get("MPIEXEC_FLAGS", "")),
            *("-n", ranks, "env", f"LD_PRELOAD={killer}", sys.executable, program, *arguments),
        ]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)

    return run
