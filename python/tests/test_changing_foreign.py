"""Onecast changes files of other programs, then the other program does, and so on."""

import ctypes
import hashlib
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from stock_hdf5 import stock_library

import onecast

LIBVERS = ["earliest", "v108", "v110", "latest"]
SPACE = [
    {},
    {"userblock_size": 1024},
    {"fs_strategy": "page", "fs_persist": True, "fs_page_size": 4096},
    {"fs_strategy": "page", "fs_persist": False, "fs_page_size": 16384},
    {"fs_strategy": "fsm", "fs_persist": True},
    {"fs_strategy": "aggregate"},
    {"fs_strategy": "none"},
]
GRID = np.arange(5000).reshape(50, 100)


def make(path, libver, **options):
    with h5py.File(path, "w", libver=libver, **options) as f:
        f.attrs["a"] = 1
        g = f.create_group("g")
        for i in range(20):
            g.attrs[f"attribute {i}"] = np.arange(i)
        f["contiguous"] = np.arange(1000.0)
        f["hard"] = f["contiguous"]
        f["soft"] = h5py.SoftLink("/g/deep/texts")
        f.create_dataset(
            "chunked", data=GRID, chunks=(7, 30), maxshape=(None, 100), compression="gzip"
        )
        f.create_dataset("late", (100,), "i4", fillvalue=5)
        f.create_dataset("g/deep/texts", data=["a", "bcd"], dtype=h5py.string_dtype())
        tracked = f.create_group("tracked", track_order=True)
        for i in range(5):
            tracked.create_group(f"z{9 - i}")
            tracked.attrs[f"z{9 - i}"] = i
        for i in range(100):
            f.create_group(f"many/{i}")
        del f["many/50"]


def change(f, n):
    """Makes the n-th change. `f` is a file of either library."""
    f.attrs[f"new {n}"] = n
    f.create_group(f"new {n}/below")
    f["g"].attrs["attribute 3"] = n
    f[f"g/data {n}"] = np.arange(10 + n)
    f[f"many/data {n}"] = np.arange(2000)
    f.move(f"many/{n}", f"g/deep/moved {n}")
    del f[f"many/{n + 10}"]
    f["tracked"].create_group(f"a{9 - n}")
    f["tracked"].attrs[f"a{9 - n}"] = n
    f["chunked"].resize((60 + 10 * n, 100))
    f["chunked"][50 + 10 * n :] = n
    f["contiguous"][n] = -1
    f["late"][n] = n
    f["g/deep/texts"][0] = "x" * n


def expect(f, changes, in_order=True):
    assert f.attrs["a"] == 1
    np.testing.assert_array_equal(f["chunked"][:50], GRID)
    assert len(f["g"].attrs) == 20
    assert len(f["many"]) == 99 - changes
    for n in range(changes):
        assert f.attrs[f"new {n}"] == n
        assert "below" in f[f"new {n}"]
        assert f[f"g/data {n}"].shape == (10 + n,)
        np.testing.assert_array_equal(f[f"many/data {n}"][:], np.arange(2000))
        assert f"moved {n}" in f["g/deep"]
        assert str(n) not in f["many"]
        assert str(n + 10) not in f["many"]
        assert (f["chunked"][50 + 10 * n : 60 + 10 * n] == n).all()
        assert f["hard"][n] == -1
        assert f["late"][n] == n
    assert f["hard"][999] == 999
    assert f["late"][99] == 5
    last = changes - 1
    assert f["g"].attrs["attribute 3"] == last
    assert f["g/deep/texts"].asstr()[:].tolist() == ["x" * last, "bcd"]
    if not in_order:
        return
    assert list(f["tracked"]) == [f"z{9 - i}" for i in range(5)] + [
        f"a{9 - n}" for n in range(changes)
    ]
    assert list(f["tracked"].attrs) == list(f["tracked"])


@pytest.mark.parametrize("space", SPACE, ids=lambda s: "-".join(map(str, s.values())) or "default")
@pytest.mark.parametrize("libver", LIBVERS)
def test_by_turns_with_stock(path, libver, space):
    make(path, libver, **space)
    with h5py.File(path) as f:
        assert sorted(f["tracked"].attrs) == [f"z{9 - i}" for i in range(4, -1, -1)]
        ordered = list(f["tracked"].attrs) == list(f["tracked"])
    if not ordered:
        pytest.skip("h5py did not track the order of attributes")
    for n in range(6):
        library = (onecast, h5py)[n % 2]
        with library.File(path, "r+") as f:
            change(f, n)
        for other in (onecast, h5py):
            with other.File(path) as f:
                expect(f, n + 1)
        report = onecast.check(path, data=True)
        assert not report["damaged"], report


@pytest.mark.parametrize("tool", ["h5dump", "h5stat", "h5repack"])
@pytest.mark.parametrize("libver", ["earliest", "v110"])
def test_older_tools_read_it(path, tool, libver):
    program = Path("/usr/bin") / tool
    if not program.exists():
        pytest.skip(f"no {program}")
    make(path, libver)
    with onecast.File(path, "r+") as f:
        change(f, 0)
    out = [path.with_name("out.h5")] if tool == "h5repack" else []
    done = subprocess.run([program, path, *out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for repacked in out:
        with h5py.File(repacked) as f:
            expect(f, 1, in_order=False)  # it makes links in the order of their names


@pytest.mark.parametrize(("width", "k"), [(4, 32), (8, 7), (4, 3)])
def test_other_widths_and_nodes(path, width, k):
    """These are the widths of addresses and lengths, and the sizes of B-tree nodes."""
    lib = stock_library()
    lists = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    lists.set_sizes(width, width)
    assert lib.H5Pset_sym_k(ctypes.c_int64(lists.id), 3, 5) >= 0
    assert lib.H5Pset_istore_k(ctypes.c_int64(lists.id), k) >= 0
    h5py.h5f.create(bytes(path), h5py.h5f.ACC_TRUNC, lists).close()
    with h5py.File(path, "r+") as f:
        f.create_dataset("x", data=np.arange(1000), chunks=(3,), maxshape=(None,))
        for i in range(100):
            f.create_group(f"old/{i}").attrs["i"] = i
            f.create_group(f"same/{i}")
    with onecast.File(path, "r+") as f:
        f["x"].resize((2000,))
        f["x"][1000:] = np.arange(1000, 2000)
        f.create_group("old/new")
        f["y"] = np.arange(10)
    with h5py.File(path, "r+") as f:
        np.testing.assert_array_equal(f["x"][:], np.arange(2000))
        f["x"].resize((3000,))
        f["x"][2000:] = np.arange(2000, 3000)
        assert len(f["old"]) == 101
        f.create_group("same/by stock")
        f.create_group("a symbol table of the right size")
    with onecast.File(path, "r+") as f:
        np.testing.assert_array_equal(f["x"][:], np.arange(3000))
        f["x"][:] = np.arange(3000) + 1
        del f["same/3"]
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["x"][:], np.arange(3000) + 1)
        assert len(f["same"]) == 100
        assert len(f["old"]) == 101
    assert not onecast.check(path, data=True)["damaged"]


def test_new_values_in_a_file_with_small_addresses(path):
    """Types made in memory have addresses of 8 bytes."""
    lists = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    lists.set_sizes(4, 4)
    h5py.h5f.create(bytes(path), h5py.h5f.ACC_TRUNC, lists).close()
    with h5py.File(path, "r+") as f:
        f["texts"] = ["a", "b"]
        f.attrs["text"] = "old"
    with onecast.File(path, "r+") as f:
        f["texts"][1] = "a new value"
        f.copy("texts", "copy")
        texts = onecast.string_dtype()
        for make in (
            lambda: f.create_dataset("x", data=["a"]),
            lambda: f.create_dataset("x", (3,), onecast.vlen_dtype("i4")),
            lambda: f.create_dataset("x", (3,), onecast.ref_dtype),
            lambda: f.__setitem__("x", texts),
            lambda: f.__setitem__("x", np.dtype([("n", "i4"), ("text", texts)])),
            lambda: f.attrs.__setitem__("text", "new"),
        ):
            with pytest.raises(onecast.UnsupportedError, match="in this file"):
                make()
        assert sorted(f) == ["copy", "texts"]
    with h5py.File(path) as f:
        assert f["texts"].asstr()[...].tolist() == ["a", "a new value"]
        assert f["copy"].asstr()[...].tolist() == ["a", "a new value"]
        assert dict(f.attrs) == {"text": "old"}


@pytest.mark.parametrize("libver", LIBVERS)
def test_space_that_was_there_from_the_beginning(path, libver):
    """The HDF5 library marks the layout of such a dataset as constant."""
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    with h5py.File(path, "w", libver=libver) as f:
        f.create_dataset("x", (5,), "i4", chunks=(5,), maxshape=(None,), dcpl=early)
    for module, size in (
        (onecast, 0),
        (h5py, 10),
        (onecast, 0),
        (onecast, 7),
        (h5py, 0),
        (onecast, 20),
        (h5py, 30),
    ):
        with module.File(path, "r+") as f:
            f["x"].resize((size,))
            f["x"][...] = np.arange(size)
        with h5py.File(path) as f:
            assert f["x"][...].tolist() == list(range(size))
        assert not onecast.check(path, data=True)["findings"]


def test_shared_messages(path):
    lib = stock_library()
    lists = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    ident = ctypes.c_int64(lists.id)
    assert lib.H5Pset_shared_mesg_nindexes(ident, 1) >= 0
    all_types = sum(1 << n for n in (1, 3, 5, 11, 12))
    assert lib.H5Pset_shared_mesg_index(ident, 0, all_types, 4) >= 0
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_LATEST)
    with h5py.File(h5py.h5f.create(bytes(path), fcpl=lists, fapl=access)) as f:
        for i in range(12):
            d = f.create_dataset(
                f"d{i}", data=np.arange(30), chunks=(7,), maxshape=(None,), compression="gzip"
            )
            d.attrs["shared"] = np.arange(20)
            d.attrs["own"] = i
        for i in range(40):
            f["d0"].attrs[f"dense {i:02}"] = np.arange(20) + i % 4
    for n in range(3):
        with onecast.File(path, "r+") as f:
            for i in range(0, 8, 2):
                f[f"d{i}"].attrs[f"added {n}"] = n
            f["d1"].resize((31 + 2 * n,))
            f["d1"][-1] = n
            f["d0"].attrs["dense 03"] = -n
            del f[f"d{n + 8}"]
        with h5py.File(path, "r+") as f:
            assert f["d0"].attrs["dense 03"] == -n
            assert f["d0"].attrs["dense 06"].tolist() == [2 + i for i in range(20)]
            assert f["d1"][30 + 2 * n] == n
            assert f["d1"].attrs["shared"].tolist() == list(range(20))
            assert len(f["d0"].attrs) == 43 + n
            f["d1"].resize((32 + 2 * n,))
            f["d1"].attrs["shared"] = np.arange(20)
            f["d0"].attrs["dense 06"] = np.arange(20) + 2
        assert not onecast.check(path, data=True)["damaged"]


def test_netcdf4(path):
    netcdf = pytest.importorskip("netCDF4")
    with netcdf.Dataset(path, "w") as f:
        f.createDimension("time", None)
        f.createDimension("x", 10)
        v = f.createVariable("v", "f8", ("time", "x"), zlib=True)
        v[:3] = np.arange(30).reshape(3, 10)
        v.units = "m"
        f.title = "made by netCDF4"
    for n in range(3, 6):
        with onecast.File(path, "r+") as f:
            f["v"].attrs["units"] = f"m{n}"
            f["v"].attrs[f"added {n}"] = n
            f.attrs[f"added {n}"] = n
            f["v"][0, 0] = n
            f.create_group(f"group {n}")
        with netcdf.Dataset(path, "r+") as f:
            assert f["v"].units == f"m{n}"
            assert f["v"].getncattr(f"added {n}") == n
            assert f"group {n}" in f.groups
            assert f["v"][0, 0] == n
            f["v"][n] = np.arange(10) + n
        with onecast.File(path) as f:
            np.testing.assert_array_equal(f["v"][n], np.arange(10) + n)
        assert not onecast.check(path, data=True)["damaged"]


def test_pytables(path):
    tables = pytest.importorskip("tables")
    with tables.open_file(path, "w") as f:
        table = f.create_table("/", "t", np.zeros(5, "i4,f8"))
        f.create_earray("/", "e", tables.Int32Atom(), (0, 3))
        f.create_vlarray("/", "v", tables.Int32Atom()).append([1, 2])
        table.flush()
    for n in range(3):
        with onecast.File(path, "r+") as f:
            f["t"].attrs[f"added {n}"] = n
            f["t"][n] = (n, n)
            e = f["e"]
            e.resize((e.shape[0] + 1, 3))
            e[-1] = n
        with tables.open_file(path, "r+") as f:
            assert f.root.t[n].tolist() == (n, n)
            assert f.root.t.attrs[f"added {n}"] == n
            f.root.e.append([[n, n, n]])
            f.root.v.append([n])
            f.root.t.append(np.ones(1, "i4,f8"))
            assert f.root.e.shape == (2 * n + 2, 3)
            assert f.root.v[0].tolist() == [1, 2]
        assert not onecast.check(path, data=True)["damaged"]


RANKS_CHANGE = """
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    f.create_group("new/below").attrs["a"] = np.arange(5)
    f["g"].attrs["attribute 3"] = 7
    f.move("many/3", "g/moved")
    del f["many/4"]
    f["by all"] = np.arange(5000)
    d = f["contiguous"]
    first, last = 1000 * rank // size, 1000 * (rank + 1) // size
    d.write_all(np.s_[first:last], np.arange(first, last) + 0.5)
    f["chunked"].resize((70, 100))
    first, last = 70 * rank // size, 70 * (rank + 1) // size
    rows = np.arange(first, last)[:, None] + np.zeros((1, 100), int)
    f["chunked"].write_all(np.s_[first:last], rows)
    f.flush()
    f["tracked"].attrs["more"] = 1
"""
RANKS_READ = """
with onecast.File(sys.argv[1], "r", comm=comm) as f:
    opened = f.io_stats()
    assert opened.reads <= (2 if rank == 0 else 0), opened
    assert f["new/below"].attrs["a"][4] == 4 and len(f["g"].attrs) == 20
    assert "moved" in f["g"] and len(f["many"]) == 97 and f["hard"].shape == (1000,)
    assert f["chunked"].chunks == (7, 30) and f["tracked"].attrs["more"] == 1
    assert f.io_stats() == opened, f.io_stats()
    assert f["hard"][3] == 3.5 and f["chunked"][69, 99] == 69
"""


@pytest.mark.long
@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_bytes_do_not_depend_on_the_number_of_ranks(mpirun, path, libver):
    digests = set()
    made = path.with_name("made.h5")
    make(made, libver)
    for ranks in (1, 2, 3, 4, 7):
        path.write_bytes(made.read_bytes())
        mpirun(ranks, RANKS_CHANGE, path)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1
    mpirun(3, RANKS_READ, path)
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["contiguous"][:], np.arange(1000) + 0.5)
        np.testing.assert_array_equal(f["chunked"][:, 3], np.arange(70))
    assert not onecast.check(path, data=True)["damaged"]
    # The file has a page list now.
    assert onecast.adopt(path) is False


def test_a_file_in_use_is_refused(path):
    make(path, "latest")
    with h5py.File(path, "r+", libver="latest") as f:
        f.flush()
        in_use = path.with_name("in use.h5")
        in_use.write_bytes(path.read_bytes())
    with onecast.File(in_use, "r+") as f:
        with pytest.raises(onecast.UnsupportedError, match="h5clear"):
            f.create_group("new")
        with pytest.raises(onecast.UnsupportedError, match="h5clear"):
            f.adopt()


def io_of_one_attribute(path, name):
    """Returns reads, writes, and the growth of the file."""
    before = path.stat().st_size
    with onecast.File(path, "r+") as f:
        f[name].attrs["new"] = 1.5
        f.flush()
        stats = f.io_stats()
    return stats.reads, stats.writes, path.stat().st_size - before


@pytest.mark.parametrize("libver", LIBVERS)
def test_one_attribute_costs_the_same_in_any_file(path, libver):
    """One process changes it in place: it looks at nothing else, and adds no page list."""
    costs = []
    for count in (100, 4000):
        with h5py.File(path, "w", libver=libver) as f:
            for i in range(count):
                f[f"group{i // 100}/{i}"] = np.arange(10)
        costs.append(io_of_one_attribute(path, "group0/50"))
        costs.append(io_of_one_attribute(path, "group0/50"))
        with h5py.File(path) as f:
            assert f["group0/50"].attrs["new"] == 1.5
            assert sum(len(group) for group in f.values()) == count
        with onecast.File(path) as f:
            assert f.metadata_report().page_size == 0
    (_, *small), _, (reads, *large), again = costs
    assert small == large
    assert reads <= 10
    assert large[0] <= 10
    assert large[1] < 512
    assert again[2] == 0


def test_own_large_file_is_opened_lazily(path):
    """Neither a flush of one process nor a read depends on the size of the file."""
    costs = []
    for count in (12_000, 24_000):
        with onecast.File(path, "w") as f:
            for i in range(count):
                f[f"group{i // 100}/{i}"] = np.arange(10)
        costs.append(io_of_one_attribute(path, "group0/50"))
        with onecast.File(path) as f:
            assert f["group0/50"].attrs["new"] == 1.5
            assert f.io_stats().bytes_read < 4 << 20
        with h5py.File(path) as f:
            assert f["group0/50"].attrs["new"] == 1.5
        assert not onecast.check(path)["damaged"]
    assert costs[0][1:] == costs[1][1:]
    assert max(reads for reads, _, _ in costs) <= 4


def test_many_flushes_without_a_list(path):
    """In one session and in many, replaced space is used again."""
    with h5py.File(path, "w") as f:
        f.create_dataset("rows", (0, 50), "f8", maxshape=(None, 50), chunks=(4, 50))
        f["numbers"] = np.arange(100)
    row = 0
    for _ in range(10):
        with onecast.File(path, "r+") as f:
            for _ in range(10):
                f["rows"].resize((row + 1, 50))
                f["rows"][row] = row
                f[f"groups/{row}"] = row
                row += 1
                f.flush()
        assert not onecast.check(path, data=True)["damaged"]
    with h5py.File(path, "r+") as f:
        np.testing.assert_array_equal(f["rows"][:, 7], np.arange(100))
        assert sorted(int(name) for name in f["groups"]) == list(range(100))
        f["stock"] = 1
    with onecast.File(path) as f:
        assert f["groups/99"][()] == 99
        assert f.metadata_report().page_size == 0
