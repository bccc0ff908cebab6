"""Many datasets in one call, read back by h5py"""

import h5py
import numpy as np
import pytest

import onecast

WRITE = """
rows, columns = 60, 12
table = np.arange(rows * columns, dtype="f8").reshape(rows, columns)
first, last = columns * rank // size, columns * (rank + 1) // size
part = np.s_[:, first:last]
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    kinds = {
        "contiguous": f.create_dataset("contiguous", table.shape, "f4"),
        "chunked": f.create_dataset("chunked", table.shape, "i8", chunks=(7, 5)),
        "placed": f.create_dataset("placed", data=-table, chunks=(7, 5)),
        "filtered": f.create_dataset("filtered", table.shape, "<i2", chunks=(7, 5), shuffle=True,
                                     compression="gzip"),
        "text": f.create_dataset("text", table.shape, onecast.string_dtype()),
        "small": f.create_dataset("small", (columns,), "u1"),
        "empty": f.create_dataset("empty", data=onecast.Empty("f4")),
    }
    requests = [(f[name], part, table[part]) for name in ("contiguous", "chunked", "filtered")]
    requests.append((f["placed"], np.s_[::2, first:last], table[::2, first:last]))
    requests.append((f["text"], part, table[part].astype(int).astype(str).astype(object)))
    requests.append((f["small"], np.s_[first:last], 9))
    f.write_multi(requests)

    out = np.full((rows, last - first), -1, "i8")
    found = f.read_multi(
        [(f["contiguous"], part), (f["chunked"], part), (f["chunked"], part), (f["text"], (3, 0)),
         (f["small"], ()), (f["empty"], ()), (f["filtered"], np.s_[5:9])],
        out=[None, out, np.zeros((rows, last - first)), None, None, None, None],
    )
    np.testing.assert_array_equal(found[0], table[part])
    assert found[1] is out
    np.testing.assert_array_equal(out, table[part])
    np.testing.assert_array_equal(found[2], table[part])
    assert found[3] == b"36"
    assert found[4].tolist() == [9] * columns
    assert isinstance(found[5], onecast.Empty)
    np.testing.assert_array_equal(found[6], table[5:9])
    assert f.explain().startswith("read_multi: ")
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_every_kind_of_storage(mpirun, path, ranks):
    mpirun(ranks, WRITE, path)
    table = np.arange(60 * 12.0).reshape(60, 12)
    with h5py.File(path) as f:
        for name in ("contiguous", "chunked", "filtered"):
            np.testing.assert_array_equal(f[name][...], table)
        np.testing.assert_array_equal(f["placed"][::2], table[::2])
        np.testing.assert_array_equal(f["placed"][1::2], -table[1::2])
        assert f["text"][59, 11] == b"719"
        assert f["small"][...].tolist() == [9] * 12


ERRORS = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    x, y = f.create_dataset("x", (9000,), "f8"), f.create_dataset("y", (9000,), "f8")
    part = np.s_[rank * 10 : rank * 10 + 10]
    last = rank == size - 1
    with pytest.raises(TypeError if last else ValueError):  # it does not fit on the last rank
        f.write_multi([(x, part, 1), (y, part, np.zeros(11 if last else 10))])
    with pytest.raises(IndexError if last else ValueError):
        f.read_multi([(x, 9000 if last else 1), (y, part)])
    if size > 1:
        names = [y, x] if last else [x, y]
        with pytest.raises(onecast.DivergedError):
            f.write_multi([(name, part, 1) for name in names])
        with pytest.raises(onecast.DivergedError):
            f.read_multi([(x, part)] * (rank + 1))
    f.write_multi([(y, part, rank + 1), (x, slice(0, 0), [])])
    assert f.read_multi([(y, slice(size * 10))])[0].sum() == 10 * size * (size + 1) / 2
"""


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_errors_are_those_of_all(mpirun, path, ranks):
    mpirun(ranks, "import pytest\n" + ERRORS, path)


def test_arguments(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (10,), "i4")
        with pytest.raises(TypeError, match="Dataset"):
            f.write_multi([(f, (), 1)])
        with pytest.raises(ValueError, match="2 arrays expected, 1 given"):
            f.read_multi([(x, ()), (x, ())], out=[np.empty(10)])
        y = f.create_dataset("y", (10_000,), "i4")
        with pytest.raises(ValueError, match="overlap"):
            f.write_multi([(y, np.s_[:6], 1), (y, np.s_[5:], 1)])
        f.write_multi((x, i, i) for i in range(10))
        assert x[...].tolist() == list(range(10))
        target = np.zeros((2, 5), "i4")
        with pytest.raises((TypeError, ValueError)):
            f.read_multi([(x, ())], out=[target])
        one, two = f.read_multi([(x, np.s_[:3]), (x, 2)])
        assert one.tolist() == [0, 1, 2] and two == 2 and np.isscalar(two)
    with pytest.raises(ValueError, match="closed"):
        f.read_multi([])


def test_begun(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", (10,), "i4")
        texts = f.create_dataset("texts", (2,), onecast.string_dtype())
        values = np.arange(10, dtype="i4")
        requests = [(x, (), values), (texts, 1, "a text")]
        writing = f.write_multi_async(requests)
        requests.clear()  # the list is Onecast's
        out = np.zeros(4)
        reading = f.read_multi_async([(x, np.s_[:4]), (texts, ()), (x, 9)], out=[out, None, None])
        found = reading.wait()
        assert found[0] is out and out.tolist() == [0, 1, 2, 3]
        assert found[1].tolist() == [b"", b"a text"] and found[2] == 9
        assert reading.wait() is found and writing.done and writing.wait() is None
        for call in (f.write_multi_async([(f, (), 1)]), f.read_multi_async([(f, ())])):
            for _ in range(2):
                with pytest.raises(TypeError, match="Dataset"):
                    call.wait()
        with pytest.raises(ValueError, match="2 arrays expected"):
            f.read_multi_async([(x, ()), (x, ())], out=[out]).wait()
    with pytest.raises(ValueError, match="closed"):
        f.write_multi_async([])
    with h5py.File(path) as f:
        assert f["x"][...].tolist() == list(range(10)) and f["texts"][1] == b"a text"


SHARE = """
with onecast.File(sys.argv[1], comm=comm, sharing=sys.argv[2], chunk_cache_bytes=0) as f:
    # Even ranks and odd ones; with "verify", all alike.
    part = np.s_[20:] if rank % 2 and sys.argv[2] != "verify" else np.s_[:40]
    pairs = [(f[name], part) for name in ("x", "filtered", "text", "y")]
    before = f.io_stats().reads
    found = f.read_multi(pairs)
    leads = rank < (1 if sys.argv[2] == "verify" else 2)
    assert (f.io_stats().reads > before) == leads
    for (dataset, part), array in zip(pairs, found):
        np.testing.assert_array_equal(array, dataset[part])
    if sys.argv[2] == "verify" and size > 1:
        with pytest.raises(onecast.DivergedError, match=f"ranks differ from rank 0: {size - 1}"):
            f.read_multi([(f["x"], ()), (f["y"], slice(rank == size - 1, 9))])
"""


@pytest.mark.parametrize("sharing", ["serve", "verify"])
@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_lists_that_are_the_same(mpirun, path, ranks, sharing):
    values = np.arange(60 * 500.0).reshape(60, 500)
    with h5py.File(path, "w") as f:
        f["x"], f["y"] = values, -values
        f.create_dataset("filtered", data=values, chunks=(10, 100), compression="gzip")
        f.create_dataset("text", data=[f"text {i}" for i in range(60)])
    mpirun(ranks, "import pytest\n" + SHARE, path, sharing)
