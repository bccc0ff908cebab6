"""Rolling back the changes since the last flush, on one or several ranks, read back by h5py; and
lists that name other datasets on each rank"""

import h5py
import numpy as np
import pytest

import onecast

PROGRAM = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    f["kept"] = np.arange(100)
    f["texts"] = ["one", "two"]
    f.attrs["step"] = 0
    f.flush()
    kept = f["kept"]
    for step in range(1, 4):
        f.create_dataset(f"x{step}", (10 * size,), chunks=(4,), compression="gzip")
        f[f"x{step}"].write_all(np.s_[10 * rank : 10 * rank + 10], float(step))
        f["texts"][0] = f"text {step}"
        f.attrs["step"] = step if step != 2 else rank
        if step == 3:
            del f["kept"]
        try:
            f.flush()
            assert step != 2 or size == 1
        except onecast.DivergedError as error:
            assert step == 2 and "attribute" in str(error)
            f.rollback()
            assert f.attrs["step"] == 1 and "x2" not in f and f["texts"].asstr()[0] == "text 1"
        if step != 3:
            assert kept[99] == 99
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_ranks_go_on_after_a_difference(mpirun, path, ranks):
    mpirun(ranks, PROGRAM, path)
    with h5py.File(path) as f:
        kept = ["texts", "x1", "x2", "x3"] if ranks == 1 else ["texts", "x1", "x3"]
        assert sorted(f) == kept
        assert f.attrs["step"] == 3
        assert f["texts"].asstr()[:].tolist() == ["text 3", "two"]
        assert (f["x3"][:] == 3).all() and f["x3"].shape == (10 * ranks,)


NEW = """
try:
    with onecast.File(sys.argv[1], "w", comm=comm) as f:
        f["x"] = np.arange(1000)
        f.attrs["rank"] = rank
        if sys.argv[2] == "leaves" and rank == size - 1:
            raise KeyError("it must")
    assert False, "an error was expected"
except (onecast.DivergedError, KeyError):
    pass
"""


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
@pytest.mark.parametrize("how", ["closes", "leaves"])
def test_a_new_file_is_readable_in_any_case(mpirun, path, ranks, how):
    mpirun(ranks, NEW, path, how)
    with h5py.File(path) as f:
        assert list(f) == []
        assert not f.attrs


def test_alone(path):
    with onecast.File(path, "w") as f:
        f["a"] = np.arange(10)
        group = f.create_group("g")
        f.flush()
        dataset = f["a"]
        f.move("g", "moved")
        f["b"] = 1
        gone = f["b"]
        f["strings"] = ["x"] * 100
        f.rollback()
        assert sorted(f) == ["a", "g"]
        assert group.name == "/g"
        assert dataset[9] == 9
        with pytest.raises(ValueError, match="removed"):
            gone[()]
        f["b"] = 2
    with h5py.File(path) as f:
        assert sorted(f) == ["a", "b", "g"]
        assert f["b"][()] == 2
    with onecast.File(path) as f, pytest.raises(ValueError, match="reading only"):
        f.rollback()


OWN = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    zones = [f.create_dataset(f"zone {i}", (20 + i,), "i4", chunks=(8,) if i % 2 else None,
                              compression="gzip" if i % 4 == 1 else None) for i in range(9)]
    texts = [f.create_dataset(f"text {i}", (2,), onecast.string_dtype()) for i in range(9)]
    mine = range(rank, 9, size)
    requests = [(zones[i], (), np.arange(20 + i) * (i + 1)) for i in mine]
    requests += [(texts[i], 1, f"of {i}") for i in mine]
    f.write_multi(requests, own_datasets=True)
    f.write_multi(requests[:1] if rank == 0 else [], own_datasets=True)
    theirs = [(i + 1) % 9 for i in mine]
    found = f.read_multi([(zones[i], ()) for i in theirs] + [(texts[i], 1) for i in theirs],
                         own_datasets=True)
    for i, values in zip(theirs, found):
        np.testing.assert_array_equal(values, np.arange(20 + i) * (i + 1))
    assert [text.decode() for text in found[len(theirs):]] == [f"of {i}" for i in theirs]
    f.write_multi_async(requests, own_datasets=True).wait()
    f.read_multi_async([(zones[i], ()) for i in theirs], own_datasets=True).wait()
    if size > 1:
        try:
            f.write_multi([(zones[rank], np.s_[0:0], 1)])
            assert False
        except onecast.DivergedError:
            pass
"""


def test_each_rank_its_own_datasets(same_bytes, path):
    for _ in same_bytes(OWN):
        with h5py.File(path) as f:
            for i in range(9):
                np.testing.assert_array_equal(f[f"zone {i}"][:], np.arange(20 + i) * (i + 1))
                assert f[f"text {i}"].asstr()[1] == f"of {i}"


WAITING = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    texts = f.create_dataset("texts", (size + 1,), onecast.string_dtype())
    texts[rank] = f"of {rank}"
    assert texts[size] == b""
    try:
        texts[()]
        assert False, "values that have no place cannot be read"
    except ValueError as error:
        assert "next flush" in str(error)
    assert texts.read_all()[:size].tolist() == [f"of {i}".encode() for i in range(size)]
    f.flush()
    assert texts[rank] == f"of {rank}".encode()
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_strings_that_wait_are_not_read_as_empty(mpirun, path, ranks):
    mpirun(ranks, WAITING, path)


OVERLAP = """
import h5py
layouts = {
    "contiguous": dict(shape=(10,), compact=False),
    "small": dict(shape=(10,)),
    "compact": dict(shape=(10,), compact=True),
    "chunks": dict(shape=(10,), chunks=(3,)),
    "growing": dict(shape=(10,), chunks=(3,), maxshape=(None,)),
    "filtered": dict(shape=(10,), chunks=(3,), compression="gzip"),
    "texts": dict(shape=(10,), dtype=onecast.string_dtype()),
}
late = rank == 0 and h5py.File(sys.argv[1], "w")
if rank == 0:
    late.create_dataset("late", (10,), "f4")
    late.create_dataset("late chunks", (10,), "f4", chunks=(3,))
    late.close()
comm.barrier()
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    y = f.create_dataset("y", (10,))
    all = {name: f[name] for name in f if name != "y"}
    all |= {name: f.create_dataset(name, **how) for name, how in layouts.items()}
    if sys.argv[2] == "written":
        f.write_multi([(x, (), "text" if name == "texts" else 7) for name, x in all.items()])
        f.flush()
    for name, x in all.items():
        value = "text" if name == "texts" else 1
        for own in (False, True):
            for parts in ((np.s_[:5], np.s_[4:]), (np.s_[::2], np.s_[8]), ((), ())):
                say = same_everywhere(
                    lambda: f.write_multi([(y, (), 1), *((x, part, value) for part in parts)],
                                          own_datasets=own), ValueError)
                for text in say:
                    assert f"{sys.argv[1]}: /{name}: " in text and "overlap" in text, text
                    assert text.count("rank ") <= 1, text
    for name, x in all.items():
        value = "text" if name == "texts" else rank + 1
        f.write_multi([(x, np.s_[size - rank - 1:4:size], value), (x, np.s_[0:0], value),
                       (x, np.s_[5 + rank::size], value), (x, np.s_[0:0], value)])
    np.testing.assert_array_equal(f["y"].read_all(), np.zeros(10) + y[0])
"""


@pytest.mark.parametrize("written", ["new", "written"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_parts_that_overlap_name_the_dataset(mpirun, path, ranks, written):
    mpirun(ranks, OVERLAP, path, written)


REFERENCE = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    x = f.create_dataset("x", (10,))
    if rank == 0:
        x.ref
    try:
        f.flush()
        assert size == 1
    except onecast.DivergedError as error:
        assert 'make a reference, before the first flush, to "/x"' in str(error), error
        f.rollback()
"""


def test_a_reference_by_one_rank_is_told(mpirun, path):
    mpirun(2, REFERENCE, path)
