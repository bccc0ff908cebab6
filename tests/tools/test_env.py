"""After `. tools/env.sh` a plain mpiexec starts ranks, as root, and more of them than cores."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def in_a_new_shell(commands: str) -> subprocess.CompletedProcess:
    """Runs commands in a shell in which MPI has no settings except which one it is."""
    kept = ("HOME", "LANG", "MPI", "PATH", "PRESET", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    return subprocess.run(
        ["bash", "-c", f'. "{ROOT}/tools/env.sh"\n{commands}'],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("flags", ["", "$MPIEXEC_FLAGS"], ids=["plain", "flags"])
def test_more_ranks_than_cores(flags):
    if not os.environ.get("MPIEXEC") or not shutil.which(os.environ["MPIEXEC"]):
        pytest.skip("there is no MPI")
    ranks = os.cpu_count() + 3
    done = in_a_new_shell(f'"$MPIEXEC" {flags} -n {ranks} echo rank')
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == ["rank"] * ranks
    assert done.stderr == ""
