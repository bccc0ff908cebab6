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
HIP = BUILD / "libonecast_fake_hip.so"
CUFILE = BUILD / "libonecast_fake_cufile.so"

pytestmark = pytest.mark.skipif(not FAKE.exists(), reason="the fake driver is not built")


def run(tmp_path, program, ranks=1, driver=None):
    given = os.environ.get("ONECAST_DEVICE_DRIVER", str(FAKE))
    environment = os.environ | {
        "ONECAST_DEVICE_DRIVER": given if driver is None else str(driver),
        "PYTHONPATH": os.pathsep.join([str(HERE / "fake_cupy"), os.environ.get("PYTHONPATH", "")]),
    }
    if program.name == "direct.py" and "ONECAST_TEST_DEVICE" not in os.environ:
        environment["ONECAST_CUFILE"] = str(CUFILE)
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


@pytest.mark.parametrize("program", ["handed_over.py", "stored_chunks.py", "direct.py"])
@pytest.mark.parametrize("driver", [None, HIP], ids=["default", "hip"])
def test_with_both_drivers(tmp_path, driver, program):
    if "ONECAST_TEST_DEVICE" in os.environ and driver is not None:
        pytest.skip("a real driver is tried")
    assert run(tmp_path, HERE / program, driver=driver) == "done\n"


@pytest.mark.ranks
@pytest.mark.parametrize(
    "program", ["arrays.py", "handed_over.py", "stored_chunks.py", "direct.py"]
)
def test_three_ranks(tmp_path, program):
    if not onecast.have_mpi or not os.environ.get("MPIEXEC"):
        pytest.skip("there is no MPI")
    pytest.importorskip("mpi4py")
    assert run(tmp_path, HERE / program, ranks=3) == "done\n" * 3


def test_the_examples(tmp_path):
    assert run(tmp_path, ROOT / "examples" / "gpu.py") == "7.007999897003174 99.499\n"
    assert run(tmp_path, ROOT / "examples" / "gpu_stream.py") == "3.0\n"
