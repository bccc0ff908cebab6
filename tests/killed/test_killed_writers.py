"""A process that is killed (SIGKILL) in the middle of a flush loses only that flush."""

import os
import subprocess
import sys
from pathlib import Path

import kill_scenarios
import pytest

pytestmark = pytest.mark.long

PROGRAM = Path(kill_scenarios.__file__)


@pytest.mark.parametrize("scenario", kill_scenarios.SCENARIOS)
def test_at_every_write(scenario, tmp_path, killer):
    done = subprocess.run(
        [sys.executable, PROGRAM, "loop", scenario, tmp_path],
        env=os.environ | {"LD_PRELOAD": str(killer)},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 3
    before, half, after = ([state.split("/") for state in states[1:]] for states in lines)
    assert len(before) == len(half) == len(after) >= 2
    if scenario != "new":
        assert before[0] == ["before", "before"], "nothing was written"
    assert after[-1][1] == "after", "all was written"
    if scenario == "attribute":
        assert len(before) == 2, "the journal, and one page"
    if scenario not in ("new", "attribute"):
        assert ["refused", "before"] in before, "the flush was under way"


@pytest.mark.parametrize("scenario", ["much", "new", "foreign-old", "texts", "references"])
def test_one_of_four_ranks(scenario, tmp_path, run_on_ranks):
    checker = kill_scenarios.Checker(scenario, tmp_path)
    path = tmp_path / "killed.h5"
    writers = 0
    for rank in range(4):
        for write in range(1, 1000):
            how = (kill_scenarios.BEFORE, kill_scenarios.HALF)[(rank + write) % 2]
            checker.prepare(path)
            done = run_on_ranks(4, PROGRAM, "ranks", scenario, path, rank, write, how)
            if done.returncode == 0:
                assert "flushed" in done.stdout
                break
            assert "flushed" not in done.stdout, done.stderr
            checker.check(path, torn=how == kill_scenarios.HALF)
            writers += write == 1
    assert writers == 4, "every rank wrote"
