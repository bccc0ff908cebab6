"""The fixtures of tests on the emulated file system, which are skipped where it is missing."""

import subprocess
import sys
from pathlib import Path

import pytest
from on_ranks import require_ranks

RUN = [sys.executable, str(Path(__file__).parents[2] / "lab" / "run.py")]


@pytest.fixture(scope="session", autouse=True)
def lab():
    check = subprocess.run([*RUN, "--check"], capture_output=True, text=True)
    if check.returncode != 0:
        pytest.skip(check.stderr.strip())


@pytest.fixture(scope="session")
def ranks():
    require_ranks()
