"""The built programs: the counts of libiocount.so, and a small run of the whole benchmark."""

import json
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from onecast_bench.metadata import run_metadata_bench
from onecast_bench.programs import Launcher, find_program
from onecast_bench.workload import expected_contents

SCRIPT = """
import ctypes, fcntl, os, sys
path = sys.argv[1]
fd = os.open(path, os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 100)
os.pwrite(fd, b"y" * 50, 1000)
os.pwritev(fd, [b"a", b"b"], 10)
copy = os.dup(fd)
os.pread(copy, 30, 0)
os.lseek(fd, 0, os.SEEK_SET)
os.read(fd, 7)
os.close(copy)
os.ftruncate(fd, 500)
os.fsync(fd)
fcntl.lockf(fd, fcntl.LOCK_EX)
os.close(fd)
os.close(os.open("/dev/null", os.O_RDONLY))
os.stat(path)
os.unlink(path)
counts = (ctypes.c_uint64 * 100)()
ctypes.CDLL(None).iocount_snapshot(counts)
print(*counts[:9])
"""
CALLS = {
    "opens": ("openat", "open"),
    "reads": ("read", "pread64", "readv", "preadv"),
    "writes": ("write", "pwrite64", "writev", "pwritev", "pwritev2"),
    "truncates": ("ftruncate",),
    "syncs": ("fsync",),
    "locks": ("fcntl",),
    "other": ("lseek", "newfstatat", "stat", "unlink"),
}


def test_counts_equal_those_of_strace(library, tmp_path):
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    file = tmp_path / "counted"
    trace = tmp_path / "trace"
    command = ["strace", "-f", "-P", str(file), "-o", str(trace)]
    command += ["-E", f"LD_PRELOAD={library}", "-E", f"IOCOUNT_PREFIX={file}"]
    run = subprocess.run(
        [*command, sys.executable, "-c", SCRIPT, str(file)], capture_output=True, text=True
    )
    if run.returncode != 0 and "ptrace" in run.stderr:
        pytest.skip("strace may not trace here")
    assert run.returncode == 0, run.stderr
    names = ("opens", "reads", "bytes_read", "writes", "bytes_written", "truncates", "syncs")
    counted = dict(zip((*names, "locks", "other"), map(int, run.stdout.split()), strict=True))
    # A descriptor may also be duplicated by fcntl, which is no lock.
    lines = [line for line in trace.read_text().splitlines() if "F_DUPFD" not in line]
    traced = Counter(line.split()[1].partition("(")[0] for line in lines)
    for name, system_calls in CALLS.items():
        assert counted[name] == sum(traced[call] for call in system_calls), (name, traced)
    assert counted["bytes_read"] == 37
    assert counted["bytes_written"] == 152


@pytest.fixture
def launcher(library):
    launcher = Launcher.from_environment(timeout=300)
    if shutil.which(launcher.mpiexec[0]) is None:
        pytest.skip("no mpiexec")
    return launcher


@pytest.mark.parametrize("setting", ["default", "best", "independent", "contiguous", "latest"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_stock_reads_what_the_workload_says(launcher, tmp_path, setting, ranks):
    program = find_program("stock_metadata")
    if program is None:
        pytest.skip("stock_metadata is not built")
    report = launcher.run(
        program, ranks, tmp_path / "a.h5", tmp_path / "a.json", bases=2, zones=3, setting=setting
    )
    expected = expected_contents(2, 3)
    assert {name: report["contents"][name] for name in expected} == expected
    assert report["contents"]["ranks_agree"]
    read = next(step for step in report["steps"] if step["step"] == "read")["counts"]
    assert read["reads"][0] > 0
    if setting in ("best", "contiguous", "latest"):
        assert sum(read["reads"][1:]) == 0  # collective metadata: rank 0 reads for all


@pytest.mark.long
def test_the_whole_benchmark_agrees(launcher, tmp_path):
    if find_program("onecast_metadata") is None:
        pytest.skip("onecast_metadata is not built")
    assert run_metadata_bench(ranks=[1, 2], bases=2, zones=2, repeats=1, out=tmp_path)
    document = json.loads((tmp_path / "metadata.json").read_text())
    assert document["checks"]
    assert not (tmp_path / "metadata-work").exists()
