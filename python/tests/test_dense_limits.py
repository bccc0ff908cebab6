"""The numbers at which links and attributes become dense and compact"""

import ctypes

import h5py
import pytest
from stock_hdf5 import stock_library

import onecast

LIMITS = [(3, 2), (0, 0), (2, 0), (70, 70)]


def in_header(path, name):
    """Returns how many links and attributes the object header of an object holds."""
    with onecast.File(path) as f:
        titles = [record["title"] for record in onecast.inspect.header(f[name])]
    return titles.count("Link Message"), titles.count("Attribute Message")


def set_link_limits(lib, plist, limits):
    """h5py has no function for the limits of links."""
    if lib is onecast:
        return plist.set_link_phase_change(*limits)
    assert stock_library().H5Pset_link_phase_change(ctypes.c_int64(plist.id), *limits) >= 0


def link_limits(group):
    """Returns the limits of links that stock HDF5 finds."""
    plist = group.id.get_create_plist()
    found = [ctypes.c_uint() for _ in range(2)]
    get = stock_library().H5Pget_link_phase_change
    assert get(ctypes.c_int64(plist.id), *map(ctypes.byref, found)) >= 0
    return tuple(one.value for one in found)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_links_and_attributes_become_dense_and_compact(tmp_path, limits):
    """At the numbers that the group says, as with stock HDF5."""
    paths = {lib: tmp_path / f"{lib.__name__}.h5" for lib in (onecast, h5py)}
    for lib, path in paths.items():
        with lib.File(path, "w", libver="latest") as f:
            group, data = (
                lib.h5p.create(kind) for kind in (lib.h5p.GROUP_CREATE, lib.h5p.DATASET_CREATE)
            )
            set_link_limits(lib, group, limits)
            for plist in (group, data):
                plist.set_attr_phase_change(*limits)
            lib.h5g.create(f.id, b"g", gcpl=group)
            lib.h5d.create(f.id, b"x", lib.h5t.NATIVE_INT32, lib.h5s.create_simple((2,)), data)
    up = range(1, 6) if limits[0] < 10 else range(69, 72)
    numbers = [(n, True) for n in up] + [(n, False) for n in reversed(range(up[0] - 1, up[-1]))]
    count = 0
    for number, grows in numbers:
        for lib, path in paths.items():
            with lib.File(path, "r+", libver="latest") as f:
                for n in range(count, number) if grows else range(number, count):
                    for attributes in (f["g"].attrs, f["x"].attrs):
                        if grows:
                            attributes[str(n)] = n
                        else:
                            del attributes[str(n)]
                    if grows:
                        f["g"][str(n)] = lib.SoftLink("/x")
                    else:
                        del f["g"][str(n)]
        count = number
        for name in "gx":
            found = {lib.__name__: in_header(path, name) for lib, path in paths.items()}
            assert found["onecast"] == found["h5py"], (number, grows, name)
    with h5py.File(paths[onecast]) as f:
        for name in "gx":
            plist = f[name].id.get_create_plist()
            assert plist.get_attr_phase_change() == limits
        assert link_limits(f["g"]) == limits
        assert set(f["g"]) == set(f["x"].attrs) == {str(n) for n in range(count)}
    with onecast.File(paths[onecast]) as f:
        assert f["g"].id.get_create_plist().get_link_phase_change() == limits


def test_wrong_limits():
    own, stock = (lib.h5p.create(lib.h5p.GROUP_CREATE) for lib in (onecast, h5py))
    assert own.get_attr_phase_change() == own.get_link_phase_change() == (8, 6)
    assert stock.get_attr_phase_change() == (8, 6)
    changes = own.set_attr_phase_change, own.set_link_phase_change, stock.set_attr_phase_change
    for change in changes:
        for wrong in ((5, 6), (1 << 16, 0)):
            with pytest.raises(ValueError):
                change(*wrong)


def test_copies_keep_the_limits(path):
    with onecast.File(path, "w") as f:
        plist = onecast.h5p.create(onecast.h5p.GROUP_CREATE)
        plist.set_link_phase_change(5, 3)
        plist.set_attr_phase_change(4, 2)
        onecast.h5g.create(f.id, b"g", gcpl=plist)
        f.copy("g", "copy")
    with h5py.File(path) as f:
        assert link_limits(f["copy"]) == (5, 3)
        assert f["copy"].id.get_create_plist().get_attr_phase_change() == (4, 2)
