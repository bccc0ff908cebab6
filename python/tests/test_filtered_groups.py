"""Groups whose links lie in heaps with filters, as the stock library writes them"""

import ctypes
import random

import h5py
import pytest
from stock_hdf5 import stock_library

import onecast

DEFLATE, FLETCHER32 = 1, 3


def create_group(file, name, filters, order=False):
    """Creates a group as h5py does, but with filters."""
    lib = stock_library()
    properties = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
    if order:
        properties.set_link_creation_order(h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED)
    for number in filters:
        values = (ctypes.c_uint * 1)(9)
        count = 1 if number == DEFLATE else 0
        assert (
            lib.H5Pset_filter(
                ctypes.c_int64(properties.id),
                ctypes.c_int(number),
                ctypes.c_uint(0),
                ctypes.c_size_t(count),
                values,
            )
            >= 0
        )
    return h5py.Group(h5py.h5g.create(file.id, name.encode(), gcpl=properties))


def links(count):
    rng = random.Random(count)
    found = {}
    for i in range(count):
        name = f"link {i} " + "abcdefg" * rng.randrange(20)
        found[name] = "/target/" + "x" * rng.choice([3, 30, 300])
    if count:
        found["huge"] = "/y" * 6000  # too large for a block
        found["huger"] = "".join(rng.choices("abcdefgh", k=40000))
    return found


@pytest.mark.parametrize("filters", [[DEFLATE], [DEFLATE, FLETCHER32], [FLETCHER32]], ids=str)
@pytest.mark.parametrize("count", [0, 10, pytest.param(1500, marks=pytest.mark.long)])
@pytest.mark.parametrize("order", [False, True])
def test_links(tmp_path, filters, count, order):
    path = tmp_path / "f.h5"
    stored = links(count)
    with h5py.File(path, "w", libver="latest") as f:
        group = create_group(f, "group", filters, order)
        for name, value in stored.items():
            group[name] = h5py.SoftLink(value)
        group.create_group("member").attrs["x"] = 5
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        assert list(ours["group"]) == list(theirs["group"])
        for name, value in stored.items():
            assert ours["group"].get(name, getlink=True).path == value
        assert ours["group/member"].attrs["x"] == 5


def test_eager(tmp_path):
    """The walk at open reads them, too."""
    path = tmp_path / "f.h5"
    with h5py.File(path, "w", libver="latest") as f:
        group = create_group(f, "group", [DEFLATE])
        for i in range(500):
            group.create_group(f"member {i}")
    with onecast.File(path, load_policy="eager") as ours:
        before = ours.io_stats()
        assert len(ours["group"]) == 500
        assert "member 77" in ours["group"]
        assert ours.io_stats() == before


@pytest.mark.leaves_damage
def test_damage_is_an_error(tmp_path):
    path = tmp_path / "f.h5"
    with h5py.File(path, "w", libver="latest") as f:
        group = create_group(f, "group", [DEFLATE])
        for i in range(200):
            group[f"link {i}"] = h5py.SoftLink("/target")
    content = bytearray(path.read_bytes())
    at = content.find(b"\x78\xda")  # the beginning of zlib's streams of this level
    assert at > 0
    content[at + 20] ^= 0xFF
    path.write_bytes(content)
    with onecast.File(path) as ours, pytest.raises(onecast.FormatError, match="Direct Block"):
        list(ours["group"])
