import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


class DropIn:
    """Runs Python programs with the plug-in, or without."""

    def __init__(self, variables, folder):
        self.variables = variables
        self.folder = folder  # the current folder of the programs

    def run(
        self, program, *arguments, plugin=True, trace=False, check=True, timeout=540, more=None
    ):
        """Returns the finished process of a program: a file, or a text with several lines.

        `more` has further variables of its environment.
        """
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HDF5_")}
        if plugin:
            environment |= self.variables | ({"ONECAST_TRACE": "1"} if trace else {})
        environment |= more or {}
        first = ["-c", program] if "\n" in str(program) else [str(program)]
        done = subprocess.run(
            [sys.executable, *first, *map(str, arguments)],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def describe(self, library, *paths, plugin=True):
        """Returns what a library reads in files, a line for each; None if the process dies."""
        lines = []
        while len(lines) < len(paths):
            rest = paths[len(lines) :]
            done = self.run(HERE / "describe.py", library, *rest, plugin=plugin, check=False)
            lines += done.stdout.splitlines()
            if done.returncode != 0:
                lines.append(None)
        return lines


@pytest.fixture(scope="session")
def dropin(tmp_path_factory):
    """Skips tests if this build has no plug-in."""
    from onecast_cli import dropin as command

    try:
        variables = command.environment()
    except Exception as error:
        pytest.skip(str(error))
    return DropIn(variables, tmp_path_factory.mktemp("current"))
