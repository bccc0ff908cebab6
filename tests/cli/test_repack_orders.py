"""onecast repack and copies keep tracked orders of creation, and track no others."""

import h5py
import pytest

import onecast as oc

NAMES = ["c", "a", "d", "b"]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.h5"


def fill(thing):
    for number, name in enumerate(NAMES):
        thing[name] = number


def made_by_h5py(path, links, attributes):
    """Writes tracked orders for every kind of object, separately, as the low level allows it."""
    kept = {True: h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED, False: 0}
    created = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    created.set_link_creation_order(kept[links])
    created.set_attr_creation_order(kept[attributes])
    file = h5py.h5f.create(str(path).encode(), h5py.h5f.ACC_TRUNC, created)
    with h5py.File(file) as f:
        in_group = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
        in_group.set_link_creation_order(kept[links])
        in_group.set_attr_creation_order(kept[attributes])
        group = h5py.Group(h5py.h5g.create(f.id, b"group", gcpl=in_group))
        dataset = f.create_dataset("dataset", data=[1.5], track_order=attributes)
        for owner in (f, group):
            fill(owner)
        for owner in (f, group, dataset):
            fill(owner.attrs)


def orders(path):
    """Returns for every object the tracked orders, and the names in the order in which h5py lists
    them."""
    found = {}
    with h5py.File(path) as f:
        for name in ("/", "group", "dataset"):
            thing = f[name]
            created = thing.id.get_create_plist()
            tracked = [created.get_attr_creation_order()]
            if name in ("/", "group"):
                tracked.append(created.get_link_creation_order())
                found[f"{name} links"] = list(thing)
            found[name] = (tracked, list(thing.attrs))
    return found


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
@pytest.mark.parametrize("attributes", [True, False], ids=["attributes", "no attributes"])
def test_tracked_orders(onecast, path, out, tmp_path, links, attributes):
    made_by_h5py(path, links, attributes)
    expected = orders(path)
    assert onecast("repack", path, out).code == 0
    found = orders(out)
    if attributes and not links:  # a root group can track both or only links
        for all_orders in (found, expected):
            del all_orders["/ links"]
        found["/"][0][1] = 0
        expected["/ links"] = sorted([*NAMES, "dataset", "group"])
    assert found.items() <= expected.items()
    copied = tmp_path / "copied.h5"
    with oc.File(path) as source, oc.File(copied, "w") as f:
        f.copy(source, "all")
    with h5py.File(copied) as f:
        for name in ("group", "dataset"):
            assert list(f["all"][name].attrs) == expected[name][1]
        assert list(f["all"]) == expected["/ links"]
        assert list(f["all/group"]) == expected["group links"]
    assert onecast("diff", path, out).code == 0


def test_orders_as_the_caller_says(path, out):
    made_by_h5py(path, links=True, attributes=True)
    oc.repack(path, out, track_order=False)
    assert orders(out)["/ links"] == sorted([*NAMES, "dataset", "group"])
    assert orders(out)["group links"] == NAMES
