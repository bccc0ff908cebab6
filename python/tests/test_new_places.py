"""Data that gets another place when it is written, so that the file on disk stays right until the
flush: old references to new objects, and data to which other programs gave no place"""

import hashlib

import h5py
import numpy as np
import pytest

import onecast

RANKS = (1, 2, 3, 4, 7)

REFERENCES = """
import shutil
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    new = [f.create_group(f"new {i}").ref for i in range(30)]
    a, b = 30 * rank // size, 30 * (rank + 1) // size
    for name in ("contiguous", "chunked"):
        f[name].write_all(np.s_[a:b], new[a:b])
        if a < b:
            f[name][40 + a : 40 + b] = new[a:b]
        f[name].write_equal(np.s_[80:90], new[:10])
    f["pairs"].write_all(np.s_[a:b], np.array([(i, new[i]) for i in range(a, b)], f["pairs"].dtype))
    comm.Barrier()
    if rank == 0:
        shutil.copy(sys.argv[1], sys.argv[2])
    comm.Barrier()
"""


def make_references(path) -> None:
    pair = np.dtype([("number", "i4"), ("to", h5py.ref_dtype)])
    with h5py.File(path, "w") as f:
        old = [f.create_group(f"old {i}").ref for i in range(100)]
        f.create_dataset("contiguous", (100,), h5py.ref_dtype)[...] = old
        f.create_dataset("chunked", (100,), h5py.ref_dtype, chunks=(15,))[...] = old
        f.create_dataset("pairs", (100,), pair)[...] = np.array([(5, ref) for ref in old], pair)


def names(path) -> dict[str, list[str]]:
    with h5py.File(path) as f:
        pairs = f["pairs"][...]
        return {
            "contiguous": [f[ref].name for ref in f["contiguous"][...]],
            "chunked": [f[ref].name for ref in f["chunked"][...]],
            "pairs": [f"{number} {f[ref].name}" for number, ref in pairs],
        }


@pytest.mark.long
def test_old_references_to_new_objects(mpirun, path, tmp_path):
    before = tmp_path / "before.h5"
    old = [f"/old {i}" for i in range(100)]
    new = [f"/new {i}" for i in range(30)]
    for ranks in RANKS:
        make_references(path)
        mpirun(ranks, REFERENCES, path, before)
        assert not onecast.check(path, data=True)["findings"]
        expected = new + old[30:40] + new + old[70:80] + new[:10] + old[90:]
        pairs = [f"{i} {name}" for i, name in enumerate(new)] + [f"5 {name}" for name in old[30:]]
        assert names(path) == {"contiguous": expected, "chunked": expected, "pairs": pairs}
        # A killed process would have left this file.
        untouched = {"contiguous": old, "chunked": old, "pairs": [f"5 {name}" for name in old]}
        assert names(before) == untouched


TOGETHER = """
with onecast.File(sys.argv[1], "r+", comm=comm, page_size=4096) as f:
    a, b = 80 * rank // size, 80 * (rank + 1) // size
    f["numbers"].write_all(np.s_[a:b], np.arange(a, b))
    assert f["numbers"].read_all().tolist() == list(range(80)) + [7] * 20
    f["texts"].write_all(np.s_[a:b], [f"text {i}" for i in range(a, b)])
    f["untouched"].write_all(np.s_[0:0], np.zeros(0))
    f["grid"].write_all(np.s_[:, rank::size], np.arange(rank, 80, size))
"""

ALONE = """
with onecast.File(sys.argv[1], "r+", comm=comm, page_size=4096) as f:
    a, b = 80 * rank // size, 80 * (rank + 1) // size
    f["numbers"][a:b] = np.arange(a, b)
    f["texts"][a:b] = [f"text {i}" for i in range(a, b)]
    f["grid"][:, rank::size] = np.arange(rank, 80, size)
    f.flush()
    if rank == 0:
        f["numbers"][5] = 5
"""


@pytest.mark.long
@pytest.mark.parametrize("program", [TOGETHER, ALONE], ids=["together", "alone"])
@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_data_without_a_place(mpirun, path, libver, program):
    digests = set()
    for ranks in RANKS:
        with h5py.File(path, "w", libver=libver) as f:
            f.create_dataset("numbers", (100,), "i4", fillvalue=7)
            f.create_dataset("texts", (100,), h5py.string_dtype())
            f.create_dataset("untouched", (100,), "f8")
            f.create_dataset("grid", (3, 80), "f4")
        mpirun(ranks, program, path)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
        assert not onecast.check(path, data=True)["findings"]
        with h5py.File(path) as f:
            assert f["numbers"][...].tolist() == list(range(80)) + [7] * 20
            texts = f["texts"].asstr()[...].tolist()
            assert texts == [f"text {i}" for i in range(80)] + [""] * 20
            assert not f["untouched"][...].any()
            np.testing.assert_array_equal(f["grid"][...], np.tile(np.arange(80), (3, 1)))
    if program is TOGETHER:
        assert len(digests) == 1
