"""The check's part in turn may be cut off, but no failure is lost."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def part_in_turn(folder: Path, long_tests: str):
    """Runs the part `long`, whose turn it is, for 2 seconds. It consists of the commands
    `long_tests`."""
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools/long_part.sh", folder / "tools")
    for name, commands in (("setup", ""), ("build", ""), ("test", long_tests)):
        script = folder / "tools" / f"{name}.sh"
        script.write_text(f"#!/usr/bin/env bash\nset -e\n{commands}\n")
        script.chmod(0o755)
    its_hour = os.environ | {"GIT_COMMITTER_DATE": "2024-01-01T08:00:00Z"}  # hours: 10 n
    identity = ["-c", "user.name=tests", "-c", "user.email=tests@localhost"]
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run(["git", *identity, *arguments], cwd=folder, env=its_hour, check=True)
    return subprocess.run(
        ["tools/long_part.sh", "--within", "2"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )


def test_what_ends_in_time_passes(tmp_path):
    done = part_in_turn(tmp_path, "echo 7 passed")
    assert done.returncode == 0, done.stdout
    assert "part: long passed after" in done.stdout


def test_no_time_is_no_failure(tmp_path):
    done = part_in_turn(tmp_path, "sleep 50")
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "part: long cut off after 2 s, nothing had failed"


def test_a_failure_fails(tmp_path):
    done = part_in_turn(tmp_path, "exit 8")
    assert done.returncode != 0
    assert "cut off" not in done.stdout


@pytest.mark.parametrize(
    "line",
    [
        "FAILED tests/test_it.py::test_it - assert 1 == 2",
        "2/5 Test #2: mpi_tests_3 ..............***Failed   22.25 sec",
    ],
    ids=["pytest", "ctest"],
)
def test_a_failure_counts_though_others_still_run(tmp_path, line):
    done = part_in_turn(tmp_path, f"echo '{line}'; sleep 50")
    assert done.returncode != 0
    assert line in done.stdout
