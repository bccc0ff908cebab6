"""Options and hints for the way in which collective transfers reach the file, and their effects"""

import h5py
import numpy as np
import pytest

import onecast

PROGRAM = """
path = sys.argv[1]
rows, columns = 60, 8 * size
table = np.arange(rows * columns).reshape(rows, columns)
mine = (slice(None), slice(rank, None, size))
for method in ("automatic", "plain", "independent", "collective", "broadcast"):
    with onecast.File(path, "w", comm=comm, method=method, stripe_size=512, compact_limit=0) as f:
        x = f.create_dataset("x", shape=table.shape, dtype="i4")
        assert f.explain() == "no read_all or write_all yet"
        x.write_all(mine, table[mine])
        expected = "collective" if method in ("automatic", "broadcast") else method
        assert size == 1 or f.explain().startswith(f"write_all: {expected}: "), f.explain()
        assert (x.read_all(mine) == table[mine]).all()
        assert size == 1 or f.explain().startswith(f"read_all: {expected}: "), f.explain()
        assert (x.read_all() == table).all()
        way = "plain" if method == "plain" or size == 1 else "broadcast"
        assert f.explain().startswith(f"read_all: {way}: "), f.explain()

from mpi4py import MPI

info = MPI.Info.Create({"cb_nodes": "1", "romio_cb_write": "enable", "e10_cache": "enable"})
with onecast.File(path, "w", comm=comm, hints=info, compact_limit=0) as f:
    assert f.unused_hints == ["e10_cache"]
    x = f.create_dataset("x", shape=table.shape, dtype="i4")
    before = f.io_stats().writes
    x.write_all(mine, table[mine])
    assert rank == 0 or f.io_stats().writes == before
    assert size == 1 or "by 1 aggregator;" in f.explain(), f.explain()
info.Free()
texts = same_everywhere(lambda: onecast.File(path, comm=comm, hints={"cb_nodes": "x"}), ValueError)
assert "cb_nodes" in texts[0], texts
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_each_method(mpirun, path, ranks):
    mpirun(ranks, PROGRAM, path)
    with h5py.File(path) as f:
        assert (f["x"][...] == np.arange(480 * ranks).reshape(60, 8 * ranks)).all()


def test_one_process(path):
    with onecast.File(path, "w", method="collective", hints={"cb_nodes": 4, "unheard": "of"}) as f:
        x = f.create_dataset("x", data=np.arange(10_000))
        assert (x.read_all() == np.arange(10_000)).all()
        assert f.explain().startswith("read_all: plain: there is one process; 80000 bytes")
        assert f.unused_hints == ["unheard"]


@pytest.mark.parametrize(
    "options",
    [
        {"method": "fast"},
        {"collective_buffer": 100},
        {"stripe_size": 1 << 50},
        {"hints": {"striping_unit": "1 MiB"}},
        {"hints": {"romio_cb_read": "yes"}},
        {"hints": {"collective_buffering": "automatic"}},
    ],
)
def test_bad_values_are_named(path, options):
    name = next(iter(options.get("hints", options)))
    with pytest.raises(ValueError, match=name):
        onecast.File(path, "w", **options)
