"""Programs of packages built on h5py print the same with Onecast in h5py's place.

Each file of programs/ uses one package, and is skipped without it.
"""

import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
from run_suite import PACKAGES_APART

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*_program.py"))
IN_PLACE = "import onecast; onecast.install_as_h5py()"
RUN = "import runpy, sys; exec(sys.argv[1]); runpy.run_path(sys.argv[2])"


def printed(program, folder, before):
    folder.mkdir()
    command = [sys.executable, "-W", "ignore", "-c", RUN, before, str(program)]
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), PACKAGES_APART]))
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(str(folder), "FOLDER").splitlines()


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_no_difference_to_h5py(tmp_path, program):
    package = program.stem.removesuffix("_program")
    if PathFinder.find_spec(package, [*sys.path, PACKAGES_APART]) is None:
        pytest.skip(f"{package} is not installed")
    expected = printed(program, tmp_path / "h5py", "import h5py")
    assert len(expected) > 10
    assert printed(program, tmp_path / "onecast", IN_PLACE) == expected
