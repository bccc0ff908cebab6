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


WALK = """
from pathlib import Path

def own():
    "Returns the memory of this process alone in bytes."
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    sizes = {line.split(":")[0]: line.split()[1] for line in lines[1:]}
    return sum(int(sizes[kind]) << 10 for kind in ("Private_Clean", "Private_Dirty"))

def walk(f):
    found = 0
    for name in f:
        group = f[name]
        for i, dataset in enumerate(group.values()):
            assert dataset.shape == () and len(dataset.attrs) == 1
            found += dataset.attrs["number"] >= i
    return found

with onecast.File(sys.argv[1], comm=comm) as f:
    walk(f)  # the library takes its memory
f = onecast.File(sys.argv[2], comm=comm, load_policy="eager")
before = own()
found = walk(f)
taken = own() - before
assert found == int(sys.argv[3])
# Objects that a program holds stay themselves.
group = f["group 1"]
first = group["dataset 1000"]
assert walk(f) == found
assert first.attrs["number"] == 1000 and first.name == "/group 1/dataset 1000"
assert f["group 1/dataset 1000"] == first and group["dataset 1001"].attrs["number"] == 1001
f.close()
print(taken)
"""


@pytest.fixture
def walked(mpirun, path):
    """walked(ranks, datasets) returns the memory that each rank needs to look at all datasets."""

    def run(ranks, datasets):
        small = path.with_name("small.h5")
        make(small, 2000)
        make(path, datasets)
        output = mpirun(ranks, WALK, small, path, datasets, own=True)
        return [int(line) for line in output.split()]

    return run


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


@pytest.mark.parametrize("ranks", [1, 2])
def test_what_was_looked_at_is_forgotten(walked, ranks):
    assert max(walked(ranks, 30_000)) <= 16 * MIB


@pytest.mark.long
def test_what_eight_ranks_looked_at_is_forgotten(walked):
    assert max(walked(8, 100_000)) <= 16 * MIB


@pytest.mark.long
def test_what_was_looked_at_of_a_million_objects_is_forgotten(walked):
    assert max(walked(1, 1_000_000)) <= 16 * MIB
