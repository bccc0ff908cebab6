"""Contiguous data with a fill value on several ranks: what no rank wrote is filled."""

import h5py
import numpy as np
import pytest

import onecast

TOGETHER = """
pair = np.dtype([("a", "<i2"), ("b", "<i4")])
with onecast.File(sys.argv[1], "w", comm=comm, page_size=4096) as f:
    never = f.create_dataset("never", (1001, 3), "<f8", fillvalue=-1.5)
    every = f.create_dataset("every", (2000,), "<i4", fillvalue=7)
    some = f.create_dataset("some", (2001,), "<i4", fillvalue=8)
    alike = f.create_dataset("alike", (2000,), "<i4", fillvalue=9)
    pairs = f.create_dataset("pairs", (900, 4), pair, fillvalue=np.array((1, 2), pair))
    texts = f.create_dataset("texts", (700,), onecast.string_dtype(), fillvalue="none")
    f.create_dataset("removed", (5000,), "<i4", fillvalue=2)
    assert np.all(every[...] == 7) and np.all(never[5] == -1.5)
    a, b = 2000 * rank // size, 2000 * (rank + 1) // size
    every.write_all(np.s_[a:b], np.arange(a, b))
    assert every.read_all().tolist() == list(range(2000))
    alike.write_equal(np.s_[1500:1600], np.ones(100, "i4"))
    a, b = 667 * rank // size, 667 * (rank + 1) // size
    some.write_all(np.s_[3 * a : 3 * b : 3], np.arange(a, b))
    assert some[...].tolist()[:6] == [0, 8, 8, 1, 8, 8]
    pairs.write_equal(np.s_[10:20, 1:3], np.zeros((10, 2), pair))
    assert pairs.read_all(np.s_[9:11, 1])["b"].tolist() == [2, 0]
    texts.write_equal(np.s_[50:150], [str(i) for i in range(100)])
    del f["removed"]
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    f["alike"].write_all(np.s_[1990 + rank * 10 // size : 1990 + (rank + 1) * 10 // size], 5)
"""


def test_bytes_do_not_depend_on_the_number_of_ranks(same_bytes, path):
    for _ in same_bytes(TOGETHER):
        assert not onecast.check(path, data=True)["findings"]
    with h5py.File(path) as f:
        assert np.all(f["never"][...] == -1.5)
        assert f["every"][...].tolist() == list(range(2000))
        assert f["some"][::3].tolist() == list(range(667))
        assert np.all(f["some"][1::3] == 8)
        assert np.all(f["some"][2::3] == 8)
        alike = np.full(2000, 9)
        alike[1500:1600] = 1
        alike[1990:] = 5
        np.testing.assert_array_equal(f["alike"][...], alike)
        pairs = np.tile(np.array((1, 2), f["pairs"].dtype), (900, 4))
        pairs[10:20, 1:3] = 0
        np.testing.assert_array_equal(f["pairs"][...], pairs)
        texts = ["none"] * 50 + [str(i) for i in range(100)] + ["none"] * 550
        assert f["texts"].asstr()[...].tolist() == texts


ALONE = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    x = f.create_dataset("x", (100, 30), "<i4", fillvalue=-1)
    texts = f.create_dataset("texts", (5000,), onecast.string_dtype(), fillvalue="none")
    if rank < size - 1 or size == 1:
        x[10 * rank : 10 * rank + 5, 1::2] = rank
        assert x[10 * rank : 10 * rank + 6, 1].tolist() == [rank] * 5 + [-1]
        texts[100 * rank : 100 * rank + 10] = f"of {rank}"
    comm.barrier()
    assert np.all(x[:, ::2] == -1)
    f.flush()
    assert x[0, 1] == 0 and texts[0] == b"of 0" and texts[99] == b"none"
    y = f.create_dataset("y", (3000,), "<i4", fillvalue=3)
    y[rank] = 4
    assert y.read_all()[:size].tolist() == [4] * size
    z = f.create_dataset("z", (3000,), "<i4", fillvalue=3)
    if size > 1:
        message = same_everywhere(lambda: f.copy("z", "w"), ValueError)[0]
        assert "before the next flush" in message, message
"""


@pytest.mark.long
def test_each_rank_for_itself(mpirun, path):
    for ranks in (1, 2, 3, 4, 7):
        mpirun(ranks, ALONE, path)
        assert not onecast.check(path, data=True)["findings"]
        writers = max(ranks - 1, 1)
        x = np.full((100, 30), -1)
        texts = ["none"] * 5000
        for rank in range(writers):
            x[10 * rank : 10 * rank + 5, 1::2] = rank
            texts[100 * rank : 100 * rank + 10] = [f"of {rank}"] * 10
        with h5py.File(path) as f:
            np.testing.assert_array_equal(f["x"][...], x)
            assert f["texts"].asstr()[...].tolist() == texts
            assert f["y"][...].tolist() == [4] * ranks + [3] * (3000 - ranks)
            assert np.all(f["z"][...] == 3)


def test_fill_value_of_values_of_variable_length(tmp_path):
    """If no fill value was given, it is what reads show of unwritten elements."""
    with onecast.File(tmp_path / "a.h5", "w") as f:
        assert f.create_dataset("texts", (3,), onecast.string_dtype()).fillvalue == b""
        sequences = f.create_dataset("sequences", (3,), onecast.vlen_dtype("i4"))
        assert sequences.fillvalue.tolist() == sequences[0].tolist() == []
        pair = np.dtype([("a", "i4"), ("b", onecast.string_dtype())])
        assert f.create_dataset("pairs", (3,), pair).fillvalue.item() == (0, b"")
        assert f.create_dataset("numbers", (3,), "f4").fillvalue == 0
