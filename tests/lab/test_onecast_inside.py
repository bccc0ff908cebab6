"""Onecast on the emulated striped file system, from one process and from several nodes"""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onecast")

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, str(ROOT / "lab" / "run.py")]
INSIDE = [sys.executable, str(Path(__file__).with_name("onecast_inside.py"))]


@pytest.mark.parametrize("name", ["replace", "alignment", "reserve"])
@pytest.mark.parametrize("strict", ["0", "1"])
def test_inside(name, strict):
    options = ["--nodes", "2", "--strict-layout", strict, "--once"]
    done = subprocess.run([*RUN, *options, "--", *INSIDE, name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
