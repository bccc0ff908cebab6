"""Many ranks: equal bytes, equal errors"""

import hashlib
import subprocess
import sys

import h5py
import numpy as np
import pytest
from on_ranks import output_of_own_ranks

RANKS = [1, 2, 3, 4]

CREATE = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    for base in range(3):
        group = f.create_group(f"base {base}")
        group.attrs["number"] = base
        for zone in range(8):
            group[f"zone {zone}/x"] = np.arange(10.0) + zone
    large = f.create_dataset("large", (1000, 7), "<i4")
    first, last = 1000 * rank // size, 1000 * (rank + 1) // size
    part = np.s_[first:last]
    large.write_all(part, np.arange(7000, dtype="i4").reshape(1000, 7)[part])
    rows = f.create_dataset("by brackets", (1000,), "f8")
    with rows.collective:
        rows[first:last] = np.arange(first, last)
    f.create_dataset("equal", (500,), ">i2").write_equal(..., np.arange(500))
    f.create_dataset("alone", (100_000,), "u1")
    f.flush()
    if rank == size - 1:
        f["alone"][10:20] = 7
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_bytes_do_not_depend_on_the_number_of_ranks(mpirun, path, ranks):
    one = path.with_name("one.h5")
    mpirun(1, CREATE, one)
    if ranks > 1:
        mpirun(ranks, CREATE, path)
        digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (one, path)]
        assert digests[0] == digests[1]
    with h5py.File(one) as f:
        np.testing.assert_array_equal(f["large"][...], np.arange(7000).reshape(1000, 7))
        np.testing.assert_array_equal(f["by brackets"][...], np.arange(1000))
        np.testing.assert_array_equal(f["equal"][...], np.arange(500))
        assert f["alone"][8:22].tolist() == [0, 0] + [7] * 10 + [0, 0]
        assert f["base 2"].attrs["number"] == 2
        np.testing.assert_array_equal(f["base 2/zone 7/x"][...], np.arange(10.0) + 7)


def test_an_empty_file_is_made_a_new_one_by_all(mpirun, path):
    path.write_bytes(b"")
    mpirun(3, 'with onecast.File(sys.argv[1], "a", comm=comm) as f:\n    f["x"] = 1', path)
    with h5py.File(path) as f:
        assert f["x"][()] == 1


READ = """
with onecast.File(sys.argv[1], "r", comm=comm) as f:
    after_open = f.io_stats()
    assert f["base 1"].attrs["number"] == 1
    for zone in range(8):
        assert f[f"base 2/zone {zone}/x"][3] == 3 + zone
    assert f.io_stats() == after_open, f.io_stats()
    if rank > 0:
        assert after_open.reads == 0 and after_open.opens == 0, after_open
    whole = f["large"].read_all()
    assert whole[999, 6] == 6999
    if rank > 0:
        assert f.io_stats().reads == 0, f.io_stats()
    nothing = f["large"].read_all(np.s_[0:0])
    assert nothing.shape == (0, 7)
    own = f["large"].read_all(np.s_[rank::size, 2:4])
    assert (own == whole[rank::size, 2:4]).all()
    only_one = f["large"].read_all(np.s_[:5] if rank == 0 else np.s_[:0])
    assert only_one.shape == ((5, 7) if rank == 0 else (0, 7))
    assert (f["large"][rank] == whole[rank]).all()
    f.prefetch_all("/", recursive=True)
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_one_reads_and_all_hear(mpirun, path, ranks):
    mpirun(2, CREATE, path)
    mpirun(ranks, READ, path)


READ_STRINGS = """
with onecast.File(sys.argv[1], "r", comm=comm) as f:
    after_open = f.io_stats()
    assert f.attrs["title"] == "a string of variable length"
    assert list(f["names"][...]) == [b"one", b"two", b""]
    assert f["group"].attrs["units"] == "m/s"
    assert f.io_stats() == after_open, f.io_stats()
    assert rank == 0 or after_open.opens == 0, after_open
"""


def test_strings_of_variable_length_come_along(mpirun, path):
    with h5py.File(path, "w") as f:
        f.attrs["title"] = "a string of variable length"
        f.create_group("group").attrs["units"] = "m/s"
        f.create_dataset("names", data=["one", "two", ""], dtype=h5py.string_dtype())
    mpirun(3, READ_STRINGS, path)


@pytest.mark.parametrize("ranks", RANKS)
def test_one_reads_what_h5py_wrote(mpirun, path, ranks):
    with h5py.File(path, "w") as f:
        for base in range(3):
            f.create_group(f"base {base}").attrs["number"] = base
            for zone in range(8):
                f[f"base {base}/zone {zone}/x"] = np.arange(10.0) + zone
        f["large"] = np.arange(7000).reshape(1000, 7)
    mpirun(ranks, READ, path)


ONE_FAILS = """
last = size - 1
texts = same_everywhere(lambda: onecast.File("missing.h5", comm=comm), FileNotFoundError)
assert len(set(texts)) == 1 and "missing.h5" in texts[0], texts
same_everywhere(lambda: onecast.File("no/such/folder.h5", "w", comm=comm), FileNotFoundError)

f = onecast.File("file.h5", "w", comm=comm)
x = f.create_dataset("x", (10, 10), "i4")
f.flush()

# One rank's selection is wrong, in ways that Python and that the core find out.
def wrong(index):
    return x.read_all(index if rank == last else np.s_[rank])
same_everywhere(lambda: wrong(99), IndexError, ValueError)
same_everywhere(lambda: wrong(1.5), TypeError, ValueError)
same_everywhere(lambda: wrong(np.s_[::-1]), ValueError)

def misfit():
    x.write_all(np.s_[rank], np.zeros(3) if rank == last else np.zeros(10))
texts = same_everywhere(misfit, TypeError, ValueError)
assert all("Can't broadcast (3,) -> (10,)" in text for text in texts), texts

# The file works on.
x.write_all(np.s_[rank], np.full(10, rank))
f.flush()
for other in range(size):
    assert (x.read_all(other) == other).all()
f.close()

# "x" must not exist: every rank is told.
same_everywhere(lambda: onecast.File("file.h5", "x", comm=comm), FileExistsError)
with onecast.File("file.h5", "a", comm=comm) as f:
    assert "x" in f
with onecast.File("new.h5", "a", comm=comm) as f:
    f["y"] = 1
with onecast.File("newer.h5", "x", comm=comm) as f:
    f["y"] = 1
comm.Barrier()
with open("broken.h5", "wb") as broken:
    broken.write(b"no HDF5" * 1000)
comm.Barrier()
texts = same_everywhere(lambda: onecast.File("broken.h5", comm=comm), onecast.FormatError)
assert len(set(texts)) == 1, texts
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_one_fails_and_all_hear(mpirun, ranks):
    mpirun(ranks, ONE_FAILS)


DIVERGE = """
f = onecast.File("file.h5", "w", comm=comm)
f["common"] = 1
f.flush()
{change}
texts = same_everywhere(f.flush, onecast.DivergedError)
assert len(set(texts)) == 1, texts
try:
    f.close()
except onecast.DivergedError:
    pass
del f
comm.Barrier()
if rank == 0:
    with onecast.File("file.h5") as f:
        assert list(f) == ["common"], list(f)
"""
CHANGES = {
    "another name": 'f.create_group(f"rank {rank}")',
    "another value": 'f["x"] = rank',
    "another attribute": 'f.attrs["a"] = rank',
    "one more": 'f["x"] = 1\nif rank == 0: f["y"] = 1',
    "another order": 'for name in ("ab" if rank else "ba"): f.create_group(name)',
    "deleted by one": 'if rank == 0: del f["common"]',
    "unequal bytes": 'f.create_dataset("x", (9,), "i4").write_equal(..., rank)',
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_that_diverge_are_told(mpirun, ranks, change):
    mpirun(ranks, DIVERGE.format(change=change))


WRONG_ON_ONE = """
import os
for name, options in ((None, {}), (5, {}), ("file.h5", {"hints": "cb_nodes=4"})):
    if rank != size - 1:
        name, options = "file.h5", {}
    same_everywhere(
        lambda: onecast.File(name, "w", comm=comm, **options),
        TypeError if rank == size - 1 else onecast.DivergedError)
for mode in ("r", "r+", "x", "a"):
    same_everywhere(
        lambda: onecast.File(None if rank == 0 else "no such file.h5", mode, comm=comm),
        *([TypeError] if rank == 0 else [onecast.DivergedError, OSError]))
assert not os.path.exists("no such file.h5")
with onecast.File("file.h5", "w", comm=comm) as f:
    x = f.create_dataset("x", (3,), np.dtype([("a", "i4")]))
    f.flush()
    texts = same_everywhere(lambda: x.read_all("a" if rank else "no such member"), ValueError)
    assert all("no such member" in text for text in texts), texts
    assert all("/x" in text for text in texts[1:]), texts
    assert x.read_all("a").tolist() == [0, 0, 0]
"""


@pytest.mark.parametrize("ranks", [2, 3])
def test_wrong_arguments_of_one_rank(mpirun, ranks):
    mpirun(ranks, WRONG_ON_ONE)


COMMUNICATORS = """
half = comm.Split(rank % 2, rank)
name = f"half {rank % 2}.h5"
with onecast.File(name, "w", comm=half) as f:
    f["x"] = rank % 2
with onecast.File(f"self {rank}.h5", "w", comm=MPI.COMM_SELF) as f:
    f["x"] = rank
with onecast.File(f"self {rank}.h5") as f:
    assert f["x"][()] == rank
half.Free()
with onecast.File(name, "r", comm=comm if size == 1 else MPI.COMM_SELF) as f:
    assert f["x"][()] == rank % 2
for wrong in (MPI.COMM_NULL, 5, MPI.GROUP_EMPTY):
    try:
        onecast.File("x.h5", "w", comm=wrong)
    except (TypeError, ValueError):
        pass
    else:
        comm.Abort(1)
"""


@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_communicators(mpirun, ranks):
    mpirun(ranks, COMMUNICATORS)


LIBRARY = """
from onecast import _core
ours = _core.mpi_library(MPI.__file__)
theirs = MPI.Get_library_version().strip("\\0\\n ")
name = " ".join(theirs.splitlines()[0].split(",")[0].split())
assert ours.startswith(name + " (") and "libmpi" in ours, (ours, theirs)
try:
    _core.mpi_communicator(MPI._addressof(comm), 2, MPI.__file__)
except ValueError as error:
    assert f"the handle has 2 bytes, and those of {ours} have " in str(error), error
else:
    comm.Abort(1)
with onecast.File("alone.h5", "w", mpi_io=True) as f:  # by the only MPI of the process
    f["x"] = 1
"""


def test_the_library_of_mpi4py_is_used(mpirun):
    mpirun(1, LIBRARY)


NOT_INITIALIZED = """
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
import onecast
for expected in ("not initialized", "finalized"):
    try:
        onecast.File("x.h5", "w", comm=MPI.COMM_WORLD)
    except onecast.StateError as error:
        name = onecast._core.mpi_library(MPI.__file__)
        assert f"MPI is {expected}: {name}" in str(error), error
    else:
        raise AssertionError(expected)
    if not MPI.Is_initialized():
        MPI.Init()
        MPI.Finalize()
"""


@pytest.mark.ranks
def test_an_mpi_that_does_not_run(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(NOT_INITIALIZED)
    output_of_own_ranks(1, program)


WITHOUT_MPI = """
import sys
sys.modules["mpi4py"] = None  # it cannot be imported
import onecast
for comm, kind in ((5, "int"), ("x", "str"), (sys.flags, "sys.flags")):
    try:
        onecast.File("x.h5", "w", comm=comm)
    except TypeError as error:
        expected = "comm: an mpi4py.MPI.Intracomm was expected, not " + kind
        assert str(error).startswith(expected), error
    else:
        raise AssertionError(comm)
"""


def test_a_wrong_communicator_needs_no_mpi4py(tmp_path):
    subprocess.run([sys.executable, "-c", WITHOUT_MPI], check=True, cwd=tmp_path)


UNCLOSED = """
import gc, warnings
f = onecast.File("file.h5", "w", comm=comm)
f["x"] = 1
f.flush()
f["y"] = 1
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    del f
    gc.collect()
assert [w.category for w in caught] == [onecast.UnclosedFileWarning], caught
comm.Barrier()
with onecast.File("file.h5", comm=comm) as f:
    assert list(f) == ["x"]
"""


def test_a_forgotten_file_is_not_flushed_by_many(mpirun):
    mpirun(2, UNCLOSED)


FLUSHED_BEFORE_A_CHANGE = """
import h5py
for libver, groups in (("earliest", 0), ("latest", 10), ("earliest", 300)):
    for budget in (1, 4000, 64_000):
        if rank == 0:
            with h5py.File("file.h5", "w", libver=libver) as f:
                for i in range(groups):
                    f.create_group(f"group {i}")
        comm.Barrier()
        with onecast.File("file.h5", "r+", comm=comm, metadata_budget=budget) as f:
            f.flush()
            for i in range(20):
                f.create_dataset(f"d{i}", (7,), "f8", chunks=(100,), maxshape=(None,))
            s = f.create_dataset("s", (12,), onecast.string_dtype())
            s.read_all(slice(6, 10))
            f.flush()
        comm.Barrier()
        if rank == 0:
            with h5py.File("file.h5") as f:
                assert len(f) == groups + 21, (libver, groups, budget, len(f))
        comm.Barrier()
"""


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_a_small_foreign_file_that_is_flushed_before_a_change(mpirun, ranks):
    """The flush adds a page list and no bytes. The file must reach to its end of address."""
    mpirun(ranks, FLUSHED_BEFORE_A_CHANGE)


LEFT_WITH_VALUES = """
with onecast.File("file.h5", "w", comm=comm) as f:
    f.create_dataset("texts", (30,), onecast.string_dtype())
f = onecast.File("file.h5", "r+", comm=comm)
f["texts"].write_equal(slice(0, 20), np.array([f"value {i}" for i in range(20)], object))
if rank == 0:
    f.abandon("why")
else:
    try:
        f.flush()
    except onecast.DivergedError as error:
        assert "why" in str(error)
    try:
        f["texts"][:3]
    except ValueError as error:
        assert not isinstance(error, onecast.FormatError), error
        assert "a rank left the file" in str(error), error
    try:
        f.close()
    except (onecast.DivergedError, ValueError):
        pass
comm.Barrier()
if rank == 0:
    assert not onecast.check("file.h5", data=True)["damaged"]
"""


@pytest.mark.parametrize("ranks", [2, 3])
def test_values_that_a_rank_took_along(mpirun, ranks):
    mpirun(ranks, LEFT_WITH_VALUES)
