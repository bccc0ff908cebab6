"""Runs the command, in the test's process or in another one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture
def onecast(capfd):
    """onecast(*arguments) runs the command, and returns its exit code and output."""
    from onecast_cli.main import main

    def run(*arguments: object) -> Result:
        code = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def onecast_process():
    """Does the same as `onecast` in another process."""

    def run(*arguments: object) -> Result:
        program = "import sys; from onecast_cli.main import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def corpus():
    folder = Path(os.environ.get("ONECAST_CORPUS", ROOT / ".." / "shared" / "corpus"))
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder} (set ONECAST_CORPUS)")
    return folder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.h5"
