"""Jobs of tools/mpiexec.sh share no file of /dev/shm with other jobs, and leave none for long."""

import os
import subprocess
import time
from pathlib import Path

import pytest

MPIEXEC = Path(__file__).parents[2] / "tools" / "mpiexec.sh"
NAME = "OMPI_MCA_btl_sm_backing_directory"
SHM = Path("/dev/shm")


def folders_of(ranks, **variables):
    """Returns the folder that each rank of a new job is told."""
    environment = {name: value for name, value in os.environ.items() if name != NAME} | variables
    command = [MPIEXEC, *os.environ["MPIEXEC_FLAGS"].split(), "-n", str(ranks), "printenv", NAME]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@pytest.fixture(autouse=True)
def needs_the_wheel():
    if os.environ.get("MPIEXEC") != str(MPIEXEC) or not os.access(SHM, os.W_OK):
        pytest.skip("only for Open MPI's wheel, where /dev/shm can be written")


def test_each_job_has_a_folder_of_its_own():
    first, second = (folders_of(2).stdout.split() for _ in range(2))
    assert first == first[:1] * 2
    assert second == second[:1] * 2
    assert first != second
    assert Path(first[0]).parent == SHM


def test_a_folder_that_is_named_is_kept(tmp_path):
    assert folders_of(1, **{NAME: str(tmp_path)}).stdout.strip() == str(tmp_path)


def test_folders_of_old_jobs_are_removed():
    ended = subprocess.Popen(["true"])
    ended.wait()
    folder = SHM / f"mpiexec.sh.{ended.pid}"
    folder.mkdir()
    (folder / "sm_segment").write_bytes(b"left")
    folders_of(1)
    assert folder.exists()
    hours_ago = time.time() - 7200
    os.utime(folder, (hours_ago, hours_ago))
    folders_of(1)
    assert not folder.exists()
