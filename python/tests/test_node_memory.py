"""The ranks of a node share one copy of the metadata."""

import pytest

import onecast

MIB = 1 << 20

MEASURE = """
import resource
from pathlib import Path

def proportional():
    "Returns the memory of this process in bytes; what n processes share counts 1/n in each."
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))

def of_node():
    comm.Barrier()
    memory = comm.allreduce(proportional())
    comm.Barrier()
    return memory

with onecast.File(sys.argv[1], comm=comm) as f:
    pass  # the communicator and the library take their memory
if sys.argv[4] == "limited":
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most))
before = of_node()
f = onecast.File(sys.argv[2], comm=comm, **eval(sys.argv[3]))
taken = of_node() - before
pages = f.metadata_report().metadata_bytes
shared = f.io_stats().shared_bytes
assert len(f["group 1"]) == 1000 and f["group 1/dataset 1001"].attrs["number"] == 1001
f.close()
if rank == 0:
    print(taken, pages, shared)
"""


def make(path, count):
    with onecast.File(path, "w") as f:
        for i in range(count):
            f.create_dataset(f"group {i // 1000}/dataset {i}", (), "i4").attrs["number"] = i


@pytest.fixture
def measured(mpirun, path):
    """measured(ranks, datasets) opens a file and returns the memory that the node needs for it, the
    size of its metadata, and how much of that is shared."""

    def run(ranks, datasets, options="{}", limits="none"):
        small = path.with_name("small.h5")
        make(small, 2000)
        make(path, datasets)
        output = mpirun(ranks, MEASURE, small, path, options, limits, own=True)
        return map(int, output.split())

    return run


@pytest.mark.parametrize("options", ["{}", "{'mode': 'r+'}"])
def test_a_node_has_one_copy(measured, options):
    taken, pages, shared = measured(4, 20_000, options)
    assert shared > pages > 2 * MIB
    assert taken <= 1.2 * pages + 4 * 2 * MIB


@pytest.mark.long
@pytest.mark.parametrize("options", ["{}", "{'mode': 'r+'}"])
def test_a_node_of_eight_ranks_has_one_copy(measured, options):
    taken, pages, shared = measured(8, 100_000, options)
    assert shared > pages > 15 * MIB
    assert taken <= 1.2 * pages + 8 * 2 * MIB


def test_each_rank_has_a_copy_where_sharing_is_refused(measured):
    taken, pages, shared = measured(4, 20_000, limits="limited")
    assert shared == 0
    assert taken >= 3.5 * pages
