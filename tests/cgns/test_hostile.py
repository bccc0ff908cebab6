"""Damaged and hostile files cause errors that name the node, no crash and no endless walk."""

import ctypes
import re

import h5py
import pytest
from cgns_damage import DAMAGES, damaged_file
from cgns_libraries import READ, CgnsError, library
from cgns_lists import sample
from cgns_trees import tree_by_library

import onecast
from onecast import cgns


@pytest.fixture(params=DAMAGES, ids=lambda name: name.replace(" ", "-"))
def damaged(request, tmp_path):
    path = tmp_path / "file.cgns"
    return path, *damaged_file(path, request.param)


def test_check_says_what_is_wrong(damaged):
    path, rule, _ = damaged
    found = cgns.check(path)
    if rule is None:
        return  # the target of a link is not checked
    assert found
    assert any(re.search(rule, f"{v.path}: {v.rule}") for v in found), found


def test_a_damaged_node_hides_no_other(tmp_path):
    """Its siblings and their children are still checked."""
    path = tmp_path / "file.cgns"
    damaged_file(path, "long name")
    with h5py.File(path, "r+") as file:
        del file["/Base/Values"].attrs["label"]
        del file["/Base/Zone/GridCoordinates"].attrs["name"]
    found = [f"{v.path}: {v.rule}" for v in cgns.check(path)]
    assert [v for v in found if "'label'" in v] == [
        "/Base: /Base/Values: attribute 'label': missing"
    ]
    assert "/Base/Zone/GridCoordinates: attribute 'name' is missing" in found


def test_load_gives_the_tree_or_an_error(damaged):
    path, _, error = damaged
    if error is None:
        assert cgns.find(cgns.load(path), "/Base/Values/Long")[1].tolist() == [0, 1, 2, 3, 4]
    else:
        with pytest.raises((ValueError, RuntimeError, MemoryError, KeyError), match=error):
            cgns.load(path)


def test_libraries_walk_gives_the_tree_or_an_error(damaged):
    """The walk uses cg_open, cg_goto and cgio."""
    path, _, _ = damaged
    lib = library("ours")
    try:
        tree_by_library(lib, path)
    except (CgnsError, MemoryError, ValueError) as error:
        assert str(error)
    number, count, size = lib.out(), lib.out(), lib.sizes([0] * 9)
    try:
        lib.cg_open(path, READ, number)
        lib.cg_nzones(int(number), 1, count)
        lib.cg_zone_read(int(number), 1, 1, lib.text(), size)
        lib.cg_goto(int(number), 1, "Zone_t", 1, "GridCoordinates_t", 1, "end")
    except CgnsError as error:
        assert error.text
    lib.handle.cgio_cleanup()


def test_long_names_do_not_reach_the_memory_for_names(tmp_path):
    path = tmp_path / "file.cgns"
    damaged_file(path, "long name")
    with h5py.File(path, "r+") as file:
        file.move(
            "/Base/Zone/GridCoordinates/CoordinateX", "/Base/Zone/GridCoordinates/" + "C" * 60
        )
    lib = library("ours")
    number, kind, name = lib.out(), lib.out(), lib.text(33)
    lib.cg_open(path, READ, number)
    file = int(number)
    with pytest.raises(CgnsError, match="more than 32 characters"):
        lib.cg_coord_info(file, 1, 1, 1, kind, name)
    root, node = lib.out(ctypes.c_double), lib.out(ctypes.c_double)
    lib.cgio_get_root_id(file, root)
    at = ctypes.c_double(root.value)
    lib.cgio_get_node_id(file, at, f"/Base/Zone/{'x' * 200}", node)
    with pytest.raises(CgnsError) as error:
        lib.cgio_get_name(file, ctypes.c_double(node.value), name)
    assert error.value.status == 4
    assert name.raw == bytes(33)
    lib.cg_close(file)


@pytest.mark.leaves_damage
@pytest.mark.parametrize("kind", ["text", "hdf5", "truncated", "adf"])
def test_other_files(tmp_path, kind):
    path = tmp_path / "file.cgns"
    if kind == "text":
        path.write_text("no HDF5 at all" * 100)
    elif kind == "hdf5":
        h5py.File(path, "w").close()
    elif kind == "truncated":
        cgns.save(path, sample())
        path.write_bytes(path.read_bytes()[:700])
    else:
        path.write_bytes(b"@(#)ADF Database Version A02007>" + bytes(1000))
    match = {"adf": "ADF file; convert it", "hdf5": "no CGNS file"}.get(kind)
    for function in (cgns.load, cgns.links, cgns.check, cgns.adopt):
        with pytest.raises((cgns.CgnsError, onecast.FormatError), match=match):
            function(path)
    with pytest.raises(FileNotFoundError):
        cgns.load(tmp_path / "none.cgns")
