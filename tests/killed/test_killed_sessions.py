"""A process is killed (SIGKILL) in one of many sessions, and leaves a sound file."""

import os
import subprocess
import sys
from pathlib import Path

import kill_sessions
import pytest
from kill_scenarios import BEFORE, HALF

pytestmark = pytest.mark.long

PROGRAM = Path(kill_sessions.__file__)


@pytest.mark.parametrize("profile", kill_sessions.PROFILES)
@pytest.mark.parametrize("seed", range(2))
def test_at_every_write(seed, profile, tmp_path, killer):
    done = subprocess.run(
        [sys.executable, PROGRAM, "loop", str(seed), profile, tmp_path],
        env=os.environ | {"LD_PRELOAD": str(killer)},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert int(done.stdout.split()[1]) >= 2 * kill_sessions.SESSIONS, "a journal, and a page each"


def test_one_of_four_ranks(tmp_path, run_on_ranks):
    seed, numbers = 3, (4, 7)
    program = kill_sessions.Program(seed, "compatible", tmp_path, max(numbers) + 2)
    path = tmp_path / "killed.h5"
    writers = 0
    for number in numbers:
        for rank in range(4):
            for write in range(1, 1000):
                how = (BEFORE, HALF)[(rank + write) % 2]
                program.prepare(path, number)
                done = run_on_ranks(4, PROGRAM, "ranks", seed, number, path, rank, write, how)
                if done.returncode == 0:
                    assert "closed" in done.stdout
                    program.expect(path, number)
                    break
                assert "closed" not in done.stdout, done.stderr
                program.check(path, number)
                writers += write == 1
    assert writers >= 2, "more than one rank wrote"
