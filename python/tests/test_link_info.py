"""What a link, an attribute and a storage say of themselves, as h5py's low level returns it."""

import h5py
import numpy as np
import pytest

import onecast

NAMES = ("c", "ä", "b", "soft", "out", "not there")


@pytest.fixture(params=[True, False], ids=["tracked", "by name"])
def stock(request, path):
    """Writes a file with links of each kind."""
    with h5py.File(path, "w", track_order=request.param, libver="latest") as f:
        f["c"] = [1, 2]
        f.create_group("ä", track_order=request.param)
        for name in ("z", "ö", "a"):
            f["ä"].attrs.create(name, [1.0, 2.0])
            f["c"].attrs[name] = name
        f["b"] = f["c"]
        f["soft"] = h5py.SoftLink("/c/ä")
        f["out"] = h5py.ExternalLink("other.h5", "/x")
    return path


def info_of(lib, path, call):
    with lib.File(path) as f:
        return call(lib, f)


def same_as_stock(path, call):
    expected = info_of(h5py, path, call)
    assert info_of(onecast, path, call) == expected
    return expected


def test_links(stock):
    def infos(lib, f):
        found = [f.id.links.get_info(name.encode()) for name in NAMES[:-1]]
        return [(i.type, bool(i.corder_valid), i.corder, i.cset, i.u) for i in found]

    found = same_as_stock(stock, infos)
    assert [info[0] for info in found] == [0, 0, 0, 1, 64]


def test_links_by_index(stock):
    def names(lib, f):
        return [f.id.get_objname_by_idx(i) for i in range(len(f))]

    with h5py.File(stock) as f:
        expected = sorted(names(h5py, f))
    with onecast.File(stock) as f:
        assert names(onecast, f) == [name.encode() for name in f]
        assert sorted(names(onecast, f)) == expected
        with pytest.raises(ValueError, match="no link 5"):
            f.id.get_objname_by_idx(5)


def test_attributes(stock):
    def infos(lib, f):
        """Returns (order, is UTF-8, size) of each attribute of the group."""
        found = [lib.h5a.get_info(f["ä"].id, name.encode()) for name in ("z", "ö", "a")]
        return [(i.corder if i.corder_valid else None, i.cset, i.data_size) for i in found]

    orders = [order for order, *_ in same_as_stock(stock, infos)]
    assert orders == [0, 1, 2]  # also without tracking, since they are in the header


def test_a_path_from_the_root(stock):
    def infos(lib, f):
        group = f["ä"]
        return [group.id.links.get_info(name.encode()).type for name in ("/ä", "/c", "/soft")]

    same_as_stock(stock, infos)


def test_address_of_a_new_object(path):
    with onecast.File(path, "w") as f:
        f["x"] = 1
        assert f.id.links.get_info(b"x").u == 0
        f.flush()
        assert f.id.links.get_info(b"x").u == onecast.h5o.get_info(f["x"].id).addr


def test_sizes_of_storage(path):
    with h5py.File(path, "w") as f:
        f.create_dataset("deflated", data=np.arange(5000), chunks=(70,), compression="gzip")
        f.create_dataset("chunked", (5000,), "i4", chunks=(70,))
        f["chunked"][100:1000] = 1
        f["plain"] = np.arange(5000)
        f.create_dataset("late", (5000,), "i4")
        f.create_dataset("raw", (8,), "i4", external=[("raw.bin", 0, 32)])

    def sizes(lib, f):
        return [
            f[name].id.get_storage_size()
            for name in ("deflated", "chunked", "plain", "late", "raw")
        ]

    same_as_stock(path, sizes)
    with onecast.File(path) as f:
        assert f["raw"].id.get_storage_size() == 32
        assert f["raw"].layout == "contiguous"


def test_pending_chunks_have_a_size(path):
    with onecast.File(path, "w") as f:
        f.create_dataset("x", (1000,), "i4", chunks=(100,), compression="gzip")
        f["x"][50:250] = np.arange(200)
        before = f["x"]._object.storage_size()
        f.flush()
        assert f["x"]._object.storage_size() == before
    with h5py.File(path) as f:
        assert f["x"].id.get_storage_size() == before


@pytest.mark.parametrize("time", ["ALLOC_TIME_EARLY", "ALLOC_TIME_LATE", "ALLOC_TIME_INCR"])
def test_allocation_time(path, time):
    number = getattr(h5py.h5d, time)
    with onecast.File(path, "w") as f:
        for name, chunk in (("plain", None), ("chunked", (3,))):
            plist = onecast.h5p.create(onecast.h5p.DATASET_CREATE)
            plist.set_alloc_time(number)
            if chunk:
                plist.set_chunk(chunk)
            if chunk or number != h5py.h5d.ALLOC_TIME_INCR:
                space = onecast.h5s.create_simple((10,))
                onecast.h5d.create(f.id, name.encode(), onecast.h5t.NATIVE_INT32, space, plist)
                f[name][3:5] = 7
    with h5py.File(path) as f:
        for name in f:
            assert f[name].id.get_create_plist().get_alloc_time() == number
            assert f[name][...].tolist() == [0] * 3 + [7] * 2 + [0] * 5


def test_free_space(path):
    with onecast.File(path, "w") as f:
        f["x"] = np.zeros(100_000)
        f.flush()
        before = f.id.get_freespace()
        del f["x"]
        f.flush()
        assert f.id.get_freespace() >= before + 800_000
    with onecast.File(path) as f:
        assert f.metadata_report().free_bytes >= 800_000
    with h5py.File(path) as f:
        assert list(f) == []


def test_limits_of_dense_storage(path):
    with h5py.File(path, "w", libver="latest") as f:
        plist = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
        plist.set_attr_phase_change(5, 3)
        h5py.h5g.create(f.id, b"limited", gcpl=plist)
        f["x"] = 1

    def limits(lib, f):
        return [f[name].id.get_create_plist().get_attr_phase_change() for name in ("limited", "x")]

    assert same_as_stock(path, limits) == [(5, 3), (8, 6)]
    with onecast.File(path) as f:
        assert onecast.inspect.details(f["limited"])["link_limits"] == (8, 6)
        f_own = onecast.File(path.with_name("own.h5"), "w")
        f_own["x"] = 1
        f_own.flush()
        assert onecast.inspect.details(f_own["/"])["link_limits"] == (64, 48)
        f_own.close()


def test_link_count(path):
    with onecast.File(path, "w") as f:
        f["kept"], f["gone"] = [1, 2], [3]
        f.flush()
        f["kept"]._object.change_link_count(2)
        f["gone"]._object.change_link_count(1)
        f["gone"]._object.change_link_count(-1)
        del f["gone"]
    with h5py.File(path) as f:
        assert h5py.h5o.get_info(f["kept"].id).rc == 3
        assert list(f) == ["kept"]
