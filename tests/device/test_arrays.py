"""Arrays of a GPU in Python, on the fake driver"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import onecast

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
FAKE = BUILD / "libonecast_fake_cuda.so"

pytestmark = pytest.mark.skipif(not FAKE.exists(), reason="the fake driver is not built")


def run(tmp_path, program, ranks=1):
    environment = os.environ | {
        "ONECAST_DEVICE_DRIVER": os.environ.get("ONECAST_DEVICE_DRIVER", str(FAKE)),
        "PYTHONPATH": os.pathsep.join([str(HERE / "fake_cupy"), os.environ.get("PYTHONPATH", "")]),
    }
    start = []
    if ranks > 1:
        flags = shlex.split(os.environ.get("MPIEXEC_FLAGS", ""))
        start = [os.environ["MPIEXEC"], *flags, "-n", str(ranks)]
    done = subprocess.run(
        [*start, sys.executable, str(program), str(tmp_path)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_one_process(tmp_path):
    assert run(tmp_path, HERE / "arrays.py") == "done\n"


@pytest.mark.ranks
def test_three_ranks(tmp_path):
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("there is no MPI")
    pytest.importorskip("mpi4py")
    assert run(tmp_path, HERE / "arrays.py", ranks=3) == "done\n" * 3


def test_the_example(tmp_path):
    assert run(tmp_path, ROOT / "examples" / "gpu.py") == "7.007999897003174 99.499\n"
