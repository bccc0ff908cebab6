"""A rank of a random program is killed (SIGKILL), or exits, at a random place."""

import os
import time
from pathlib import Path

import pytest
import random_killing

pytestmark = pytest.mark.long

PROGRAM = Path(random_killing.__file__)
# ONECAST_KILLED_SEEDS=250 runs more programs.
COUNT = int(os.environ.get("ONECAST_KILLED_SEEDS", "8"))
PATIENCE = 10  # seconds from the end of one rank to the end of all


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.timeout(120 + 30 * COUNT)
def test_the_job_ends(run_on_ranks, tmp_path, ranks):
    ended = 0
    for seed in range(1000 * ranks, 1000 * ranks + COUNT):
        folder = tmp_path / str(seed)
        folder.mkdir()
        program = random_killing.Doomed(random_killing.Ranks(ranks), folder, seed)
        done = run_on_ranks(ranks, PROGRAM, folder, seed)
        took = time.time() - (folder / "end").stat().st_mtime
        assert took < PATIENCE, program
        came_through = "came through" in done.stdout
        assert not came_through or program.way == "is killed at a write", f"{program}\n{done}"
        assert done.returncode == 0 or not came_through, f"{program}\n{done}"
        assert "Traceback" not in done.stderr, f"{program}\n{done.stderr}"
        ended += not came_through
        program.judge_what_is_left()
        program.judge_sequel()
    assert ended > 0
