"""Onecast's calls to the file system and to MPI, counted from outside by libiocount.so"""

import os
import shutil
import sys
from pathlib import Path

import pytest

from onecast_bench.programs import Launcher, find_program, run_to_end
from onecast_bench.workload import expected_contents

CORPUS = Path(
    os.environ.get("ONECAST_CORPUS", Path(__file__).parents[2] / ".." / "shared" / "corpus")
)
RANKS = [1, 2, 3, 4, 7]
# These are the read calls of one rank of stock parallel HDF5 for a file of 128 bases and 32 zones.
STOCK_READS = 42_637
FILE_CALLS = ("opens", "reads", "writes", "truncates", "syncs", "locks", "other")


@pytest.fixture
def launcher(library):
    launcher = Launcher.from_environment(timeout=120)
    if shutil.which(launcher.mpiexec[0]) is None:
        pytest.skip("no mpiexec")
    return launcher


@pytest.fixture
def program():
    program = find_program("onecast_metadata")
    if program is None:
        pytest.skip("onecast_metadata is not built")
    return program


def counts_of(report: dict, phase: str, step: str) -> dict[str, list[int]]:
    (found,) = (s for s in report["steps"] if (s["phase"], s["step"]) == (phase, step))
    return found["counts"]


def assert_no_calls(counts: dict[str, list[int]], from_rank: int) -> None:
    calls = {name: counts[name][from_rank:] for name in FILE_CALLS}
    assert not any(map(any, calls.values())), calls


def assert_one_rank_reads(report: dict, most_reads: int) -> None:
    """Expects that one rank reads during open and read, for any file."""
    opened = counts_of(report, "open_read", "open")
    assert opened["opens"][0] == 2  # the file, and a search for its journal
    assert opened["reads"][0] <= most_reads
    assert opened["truncates"][0] == opened["syncs"][0] == 0
    assert opened["locks"][0] <= 1
    assert opened["other"][0] <= 5  # checks for a regular file, size, lock, stripes
    assert opened["writes"][0] == 0
    assert_no_calls(opened, from_rank=1)
    assert max(opened["collectives"]) <= 5
    for step in ("read", "close"):
        counts = counts_of(report, "open_read", step)
        if step == "read" and len(counts["reads"]) == 1:
            # One process reads a large file as it looks things up, a few blocks at a time.
            assert counts["reads"][0] <= 12
            counts = counts | {"reads": [0]}
        assert_no_calls(counts, from_rank=0)
        assert max(counts["collectives"]) <= (1 if step == "close" else 0)  # Comm_free
    assert report["contents"]["ranks_agree"]


@pytest.mark.parametrize("ranks", RANKS)
def test_counts_of_the_whole_workload(launcher, program, tmp_path, ranks):
    report = launcher.run(program, ranks, tmp_path / "a.h5", tmp_path / "a.json")
    size = (tmp_path / "a.h5").stat().st_size
    expected = expected_contents(128, 32)
    assert {name: report["contents"][name] for name in expected} == expected

    fill = counts_of(report, "create", "fill")
    assert fill["opens"][0] == 3  # searches for an older file and its journal; the file
    assert fill["writes"][0] == fill["reads"][0] == 0
    assert max(fill["collectives"]) <= 3
    flush = counts_of(report, "create", "flush")
    assert flush["writes"][0] == 2  # the page with the superblock, and all others
    assert flush["bytes_written"][0] == size  # each page once
    assert flush["reads"][0] == flush["truncates"][0] == flush["syncs"][0] == 0
    assert max(flush["collectives"]) <= 4
    close = counts_of(report, "create", "close")
    assert close["writes"][0] == close["truncates"][0] == close["syncs"][0] == 0
    assert max(close["collectives"]) <= 2
    for counts in (fill, flush, close):
        assert_no_calls(counts, from_rank=1)

    # Metadata pages lie together in one run.
    assert_one_rank_reads(report, most_reads=2)
    assert max(counts_of(report, "close_unmodified", "open")["collectives"]) <= 5
    assert counts_of(report, "close_unmodified", "close")["writes"] == [0] * ranks
    for step in ("open", "close"):
        assert_no_calls(counts_of(report, "close_unmodified", step), from_rank=1)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("name", ["shape-128x32-contiguous.h5", "blocks-128x32.cgns"])
def test_counts_of_foreign_files(launcher, program, tmp_path, ranks, name):
    file = CORPUS / "cgns" / name
    if not file.is_file():
        pytest.skip(f"no {file} (set ONECAST_CORPUS)")
    report = launcher.run(program, ranks, file, tmp_path / "a.json", phases="open_read")
    if ranks > 1:
        assert_one_rank_reads(report, most_reads=STOCK_READS // 50)
    reads = sum(sum(counts_of(report, "open_read", step)["reads"]) for step in ("open", "read"))
    assert reads * 50 <= STOCK_READS


MEMORY = """
import sys
from mpi4py import MPI
import onecast

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024

comm = MPI.COMM_WORLD
comm.Barrier()
before = peak()
with onecast.File(sys.argv[1], comm=comm) as f:
    opened = peak() - before
    metadata = f.metadata_report().metadata_bytes
    group = f["Base77" if "Base77" in f else next(iter(f))]
    assert len(group) > 0
most = metadata + 64 * 2**20
for name, grown in (("open", opened), ("close", peak() - before)):
    for rank, bytes in enumerate(comm.allgather(grown)):
        assert bytes <= most, (name, rank, bytes, metadata)
"""


@pytest.mark.parametrize("name", ["own", "shape-128x32-contiguous.h5", "blocks-128x32.cgns"])
def test_memory_of_each_rank(launcher, program, tmp_path, name):
    pytest.importorskip("mpi4py")
    file = tmp_path / "a.h5"
    if name == "own":
        launcher.run(program, 1, file, tmp_path / "a.json", phases="create")
    else:
        file = CORPUS / "cgns" / name
        if not file.is_file():
            pytest.skip(f"no {file} (set ONECAST_CORPUS)")
    script = tmp_path / "memory.py"
    script.write_text(MEMORY)
    command = [*launcher.mpiexec, "-n", "3", sys.executable, str(script), str(file)]
    run_to_end(command, 120)
