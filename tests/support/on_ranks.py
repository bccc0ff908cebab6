"""Runs programs of tests on several ranks."""

import os
import shlex
import subprocess
import sys

import kept_ranks
import pytest

import onecast

# Seconds that a program may take. It is long, since a busy machine lets ranks wait for each other.
PATIENCE = 300


def mpiexec(ranks):
    """Returns the beginning of a command on several ranks. Skips the test if there is no
    mpiexec."""
    if not onecast.have_mpi:
        pytest.skip("Onecast was built without MPI")
    if not os.environ.get("MPIEXEC"):
        pytest.skip("MPIEXEC is not set; source tools/env.sh")
    flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
    return [os.environ["MPIEXEC"], *flags, "-n", str(ranks)]


def require_ranks():
    """Skips the test if Python programs cannot run on several ranks."""
    mpiexec(1)
    pytest.importorskip("mpi4py")


def run_on_ranks(ranks, program, *arguments, options=(), under=(), **how):
    """Runs the file `program` and returns the completed process of mpiexec.

    options: of the interpreter. under: a command that starts it. how: as in subprocess.run.
    """
    command = [*mpiexec(ranks), *under, sys.executable, *options, program, *arguments]
    how = {"capture_output": True, "text": True, "timeout": PATIENCE} | how
    return subprocess.run(list(map(str, command)), **how)


def output_of_ranks(ranks, program, *arguments, cwd=None, timeout=PATIENCE):
    """Runs the file `program`, which must succeed, on a job of ranks that stays. Returns its
    output."""
    done = kept_ranks.run(mpiexec(ranks), ranks, program, arguments, cwd=cwd, timeout=timeout)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def output_of_own_ranks(ranks, program, *arguments, **how):
    """Does what output_of_ranks does, on a job of its own."""
    done = run_on_ranks(ranks, program, *arguments, **how)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
