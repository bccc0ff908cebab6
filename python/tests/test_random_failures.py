"""Random programs in which some writes to the file fail"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from on_ranks import require_ranks, run_on_ranks

pytestmark = pytest.mark.long

PROGRAM = Path(__file__).resolve().parents[2] / "tests" / "support" / "random_failures.py"
# ONECAST_FAILURE_SEEDS=50000, for example, runs more programs.
COUNT = int(os.environ.get("ONECAST_FAILURE_SEEDS", "6000"))
LIMIT = 120 + COUNT / 10  # seconds


@pytest.mark.timeout(LIMIT + 10)
@pytest.mark.parametrize("with_comm", [False, True], ids=["alone", "with a communicator"])
def test_nothing_is_lost_but_what_failed(tmp_path, with_comm):
    arguments = [str(tmp_path), "--count", str(COUNT)]
    if with_comm:
        require_ranks()
        done = run_on_ranks(1, PROGRAM, *arguments, "--comm", timeout=LIMIT)
    else:
        command = [sys.executable, PROGRAM, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"{COUNT} programs\n"
