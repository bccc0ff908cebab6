"""New datasets in reused space show the fill value, not old contents, where nobody wrote."""

import h5py
import numpy as np
import pytest

import onecast

COUNT = 100_000

KINDS = {
    "plain": ("<f8", None),
    "filled": ("<f8", -1.5),
    "pairs": (np.dtype([("a", "<i2"), ("b", "<f4")]), None),
    "texts": (h5py.string_dtype(), None),
    "words": (h5py.string_dtype(), "none"),
}


def leave_old_data(f, name="old", count=COUNT):
    f.create_dataset(name, data=np.full(count, 0x5A5A5A5A5A5A5A5A, "<u8"))
    f.flush()
    del f[name]
    f.flush()


def some_of(kind):
    dtype, fill = KINDS[kind]
    if kind in ("texts", "words"):
        return [str(i) for i in range(10)], fill or ""
    dtype = np.dtype(dtype)
    return np.ones(10, dtype), np.zeros((), dtype) if fill is None else fill


def values_of(dataset, index):
    return dataset.asstr()[index] if h5py.check_string_dtype(dataset.dtype) else dataset[index]


def expect_only(dataset, some, rest):
    for first, count, value in ((0, 500, rest), (500, 10, some), (510, 20_000, rest)):
        found = values_of(dataset, slice(first, first + count))
        assert np.all(found == np.broadcast_to(value, found.shape))
    found = values_of(dataset, np.s_[::1000])
    assert np.all(found == np.broadcast_to(rest, found.shape))


@pytest.mark.parametrize("kind", KINDS)
def test_on_one_rank(path, kind):
    dtype, fill = KINDS[kind]
    some, rest = some_of(kind)
    with onecast.File(path, "w") as f:
        leave_old_data(f)
        leave_old_data(f, count=3 * COUNT)
        x = f.create_dataset("x", (COUNT,), dtype, fillvalue=fill)
        x[500:510] = some
        f.create_dataset("untouched", (COUNT,), dtype, fillvalue=fill)
        expect_only(x, some, rest)
        f.copy("x", "early")
        f.flush()
        expect_only(x, some, rest)
        f.copy("x", "late")
        y = f.create_dataset("y", (COUNT // 100,), dtype, fillvalue=fill)
        y.write_all(np.s_[:10], some)
        assert np.all(values_of(y, np.s_[10:]) == np.broadcast_to(rest, COUNT // 100 - 10))
    assert not onecast.check(path, data=True)["findings"]
    with h5py.File(path) as f:
        for name in ("x", "early", "late"):
            expect_only(f[name], some, rest)
        found = values_of(f["untouched"], np.s_[:])
        assert np.all(found == np.broadcast_to(rest, found.shape))
        found = values_of(f["y"], np.s_[10:])
        assert np.all(found == np.broadcast_to(rest, found.shape))


def test_what_is_written_wholly_is_written_once(path):
    with onecast.File(path, "w") as f:
        leave_old_data(f)
        x = f.create_dataset("x", (COUNT,), "<i8")
        before = f.io_stats().bytes_written
        for i in range(0, COUNT, 1000):
            x[i : i + 1000] = i
        assert f.io_stats().bytes_written - before == 8 * COUNT
        f.flush()
        assert f.io_stats().bytes_written - before < 8 * COUNT + 64 * 1024
        assert f["x"][::1000].tolist() == list(range(0, COUNT, 1000))


def test_many_small_pieces(path):
    with onecast.File(path, "w") as f:
        leave_old_data(f)
        x = f.create_dataset("x", (COUNT, 2), "<i4")
        for i in range(0, COUNT, 10_000):
            x[i : i + 10_000, 1] = 7
            assert np.all(x[i : i + 10_000] == [0, 7])
    with h5py.File(path) as f:
        assert np.all(f["x"][...] == [0, 7])


def test_behind_the_end_of_a_file_with_something_there(path):
    with h5py.File(path, "w", userblock_size=512) as f:
        f["a"] = 1
    with open(path, "ab") as raw:
        raw.write(b"\x5a" * 1_000_000)
    with onecast.File(path, "r+") as f:
        f.create_dataset("x", (COUNT,), "<i8")[5] = 1
        f.create_dataset("small", (1000,), "<i8")[5] = 1
    with h5py.File(path) as f:
        assert np.flatnonzero(f["x"][...]).tolist() == [5]
        assert np.flatnonzero(f["small"][...]).tolist() == [5]


def test_place_given_late(path):
    with h5py.File(path, "w") as f:
        for name, fill in (("zeros", None), ("ones", 1)):
            f.create_dataset(name, (COUNT,), "<i4", fillvalue=fill)
        f.create_dataset("texts", (COUNT,), h5py.string_dtype())
    with onecast.File(path, "r+") as f:
        leave_old_data(f)
        leave_old_data(f)
        f["zeros"][7] = f["ones"][7] = 3
        f["texts"][7] = "seven"
        assert f["texts"][6:8].tolist() == [b"", b"seven"]
        assert f["ones"][6:8].tolist() == [1, 3]
    with h5py.File(path) as f:
        assert np.flatnonzero(f["zeros"][...]).tolist() == [7]
        assert np.flatnonzero(f["ones"][...] != 1).tolist() == [7]
        assert np.flatnonzero(f["texts"][...] != b"").tolist() == [7]


TOGETHER = """
def part(n):
    return n * rank // size, n * (rank + 1) // size
with onecast.File(sys.argv[1], "w", comm=comm, page_size=4096) as f:
    for turn in range(2):
        old = f.create_dataset("old", data=np.full(300_000, 0x5A5A5A5A, "<u4"))
        f.flush()
        del f["old"]
        f.flush()
    text = onecast.string_dtype()
    every = f.create_dataset("every", (10_000,), "<i4")
    some = f.create_dataset("some", (10_001, 3), "<i4")
    alone = f.create_dataset("alone", (7_000,), "<i4", fillvalue=5)
    alike = f.create_dataset("alike", (5_000,), "<i8")
    never = f.create_dataset("never", (5_000,), "<i8")
    texts = f.create_dataset("texts", (3_000,), text)
    mixed = f.create_dataset("mixed", (3_000,), text, fillvalue="none")
    chunked = f.create_dataset("chunked", (1_000, 7), "<i4", chunks=(64, 4))
    with f.independent():
        mine = f.create_dataset(f"own{rank}", (2_000,), "<f8") if size == 1 or rank == 0 else None
    assert np.all(never[...] == 0) and np.all(alone[...] == 5)
    a, b = part(10_000)
    every.write_all(np.s_[a:b], np.arange(a, b))
    assert every[...].tolist() == list(range(10_000))
    a, b = part(3_000)
    some.write_all(np.s_[a:b, 1], np.arange(a, b))
    assert some[:3_000, 1].tolist() == list(range(3_000)) and np.all(some[:, ::2] == 0)
    a, b = part(400)
    alone[10 * a : 10 * b : 10] = 6
    alike.write_equal(np.s_[50:60], np.ones(10))
    assert np.flatnonzero(alike.read_all()).tolist() == list(range(50, 60))
    a, b = part(100)
    texts.write_all(np.s_[a:b], [str(i) for i in range(a, b)])
    mixed.write_all(np.s_[a:b], [str(i) for i in range(a, b)])
    a, b = part(100)
    chunked.write_all(np.s_[a:b, 2:5], 1)
    comm.barrier()
    f.flush()
    assert texts.asstr()[98:102].tolist() == ["98", "99", "", ""]
"""


def test_bytes_do_not_depend_on_the_number_of_ranks(same_bytes, path):
    for _ in same_bytes(TOGETHER):
        assert not onecast.check(path, data=True)["findings"]
        with h5py.File(path) as f:
            assert f["every"][...].tolist() == list(range(10_000))
            some = np.zeros((10_001, 3), "i4")
            some[:3_000, 1] = np.arange(3_000)
            np.testing.assert_array_equal(f["some"][...], some)
            alone = np.full(7_000, 5)
            alone[:4_000:10] = 6
            np.testing.assert_array_equal(f["alone"][...], alone)
            assert np.flatnonzero(f["alike"][...]).tolist() == list(range(50, 60))
            assert not f["never"][...].any() and not f["own0"][...].any()
            texts = [str(i) for i in range(100)]
            assert f["texts"].asstr()[...].tolist() == texts + [""] * 2_900
            assert f["mixed"].asstr()[...].tolist() == texts + ["none"] * 2_900
            assert f["chunked"][...].sum() == 300


DELETED = """
text = onecast.string_dtype()
pair = np.dtype([("n", "<i4"), ("s", text), ("two", text, (2,))])
with onecast.File(sys.argv[1], "w", comm=comm, **json.loads(sys.argv[2])) as f:
    chunks = dict(maxshape=(None,), chunks=(6,))
    f.create_dataset("texts", data=["old"] * 4, dtype=text, fillvalue="none", **chunks)
    f.create_dataset("plain", data=["old"] * 4, dtype=text, **chunks)
    f.create_dataset("pairs", (4,), pair, **chunks)
    f["pairs"].write_equal(np.s_[:], np.array([(1, "old", ("old", "old"))] * 4, pair))
    f.create_dataset("refs", (4,), onecast.ref_dtype, **chunks)
    f["refs"].write_equal(np.s_[:], np.array([f["texts"].ref] * 4))
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    for name in ("texts", "plain", "pairs", "refs"):
        f[name].resize((1,))
        f[name].resize((4,))
    new = f.create_group("new")
    how = sys.argv[3]
    values = {
        "texts": "new",
        "plain": "new",
        "pairs": np.array((2, "new", ("new", "new")), pair),
        "refs": new.ref,
    }
    for name, value in values.items():
        if how == "write_equal":
            f[name].write_equal(np.s_[3], value)
        elif how == "write_all":
            f[name].write_all(np.s_[3], value)
        elif rank == size - 1:
            f[name][3] = value
    f.flush()
    assert f["texts"].asstr()[...].tolist() == ["old", "none", "none", "new"]
    assert f["plain"].asstr()[...].tolist() == ["old", "", "", "new"]
"""


@pytest.mark.parametrize("how", ["write", "write_equal", "write_all"])
@pytest.mark.parametrize(
    "options", ["{}", pytest.param('{"profile": "latest"}', marks=pytest.mark.long)]
)
def test_deleted_values_do_not_return(mpirun, path, how, options):
    for ranks in (1, 3):
        mpirun(ranks, "import json\n" + DELETED, path, options, how)
        assert not onecast.check(path, data=True)["findings"]
        with h5py.File(path) as f:
            assert f["texts"].asstr()[...].tolist() == ["old", "none", "none", "new"]
            assert f["plain"].asstr()[...].tolist() == ["old", "", "", "new"]
            assert [v[0] for v in f["pairs"]] == [1, 0, 0, 2]
            assert [v[1] for v in f["pairs"]] == [b"old", b"", b"", b"new"]
            assert [list(v[2]) for v in f["pairs"]][1:] == [[b""] * 2] * 2 + [[b"new"] * 2]
            assert [bool(r) for r in f["refs"]] == [True, False, False, True]
            assert f[f["refs"][3]].name == "/new"


@pytest.mark.parametrize("nodes", ["looked up", "not looked up"])
def test_references_where_a_removed_object_was(path, nodes):
    with onecast.File(path, "w") as f:
        f.create_group("old")
        f.flush()
        if nodes == "looked up":
            assert f[f["old"].ref].name == "/old"
        del f["old"]
        f.flush()
        new = f.create_group("new")
        f.attrs["to"] = new.ref
        assert f[new.ref] == new
        assert f[f.attrs["to"]].name == "/new"
        f.flush()
        assert f[f.attrs["to"]] == new
    with h5py.File(path) as f:
        assert f[f.attrs["to"]].name == "/new"
