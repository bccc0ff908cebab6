"""The examples of the CGNS layer, as the build made them"""

import os
import shlex
import subprocess

import pytest
from cgns_libraries import BUILD


def run(*command, folder):
    """Runs a command, which must succeed, and returns its output."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of(target, folder, ranks=0):
    """Runs a program of the build in a new folder, on several ranks if `ranks` says so. Returns the
    paths of its files, by name."""
    program = BUILD / target
    if not program.exists():
        pytest.skip(f"no {program}")
    folder.mkdir()
    launcher = []
    if ranks:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        launcher = [os.environ["MPIEXEC"], *flags, "-n", ranks]
    run(*launcher, program, folder=folder)
    return {path.name: path for path in folder.glob("*.cgns")}
