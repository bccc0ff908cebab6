"""Links within a file and to other files, deleted nodes, and copies of files"""

import os
import sys

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import (
    KINDS,
    MODIFY,
    READ,
    REAL_DOUBLE,
    STOCK,
    WRITE,
    CgnsError,
    library,
)
from cgns_programs import ask, compare_readers, status_of
from cgns_trees import assert_same, compare_writers, tree_by_h5py
from on_ranks import output_of_ranks, require_ranks

END = "end"
GRID = "/Base/Zone 1/GridCoordinates"


FOUND = [("grid.cgns", GRID, True), ("", "/Base/Zone 2/GridCoordinates", True), 0, 1]


def other_file(path):
    """Returns the file beside `path` to which its links refer."""
    return path.with_name("grid.cgns")


def linked(lib, path):
    """Makes Zone 1 with coordinates of another file, Zone 2 with its own, Zone 3 with those of Zone
    2."""
    writers.coordinates(lib, other_file(path))
    file, base, zone = writers.one_zone(lib, path)
    second = writers.structured_zone(lib, file, base, "Zone 2")
    third = writers.structured_zone(lib, file, base, "Zone 3")
    lib.cg_coord_write(file, base, second, REAL_DOUBLE, "CoordinateX", writers.CORE, lib.out())
    lib.cg_goto(file, base, "Zone_t", zone, END)
    lib.cg_link_write("GridCoordinates", other_file(path).name, GRID)
    lib.cg_goto(file, base, "Zone_t", third, END)
    lib.cg_link_write("GridCoordinates", "", "/Base/Zone 2/GridCoordinates")
    lib.cg_close(file)


def read_linked(lib, path):
    file = writers.opened(lib, path, READ)
    found = []
    for zone in (1, 3):
        lib.cg_goto(file, 1, "Zone_t", zone, "GridCoordinates_t", 1, END)
        length = ask(lib, "cg_is_link", give="int")
        target = ask(lib, "cg_link_read", give="copy copy")
        assert length == len(target[1]) + 1 + (len(target[0]) + 1 if target[0] else 0)
        values = np.zeros(24)
        whole = lib.sizes([1, 1, 1]), lib.sizes([4, 3, 2])
        lib.cg_coord_read(file, 1, zone, "CoordinateX", REAL_DOUBLE, *whole, values)
        found.append((target[0], target[1], values.tolist() == writers.CORE.tolist()))
    lib.cg_goto(file, 1, END)
    found.append(ask(lib, "cg_is_link", give="int"))
    found.append(status_of(lib, "cg_link_read", give="copy copy"))
    lib.cg_close(file)
    return found


@pytest.mark.parametrize("stock", ["debian", "vtk"])
def test_same_file_as_other_libraries(tmp_path, stock):
    lib = library(stock)
    for each in ("ours", stock):
        (tmp_path / each).mkdir()
        linked(library(each), tmp_path / each / "file.cgns")
    ours, theirs = (tmp_path / each / "file.cgns" for each in ("ours", stock))
    assert_same(tree_by_h5py(ours), tree_by_h5py(theirs))
    assert read_linked(lib, ours) == read_linked(lib, theirs)


def test_links_are_read(tmp_path):
    compare_readers(tmp_path, linked, read_linked, FOUND)


def test_links_of_links(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    linked(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    lib.cg_link_write("Again", "", GRID)
    lib.cg_link_write("Relative", "", "Base/Zone 2/GridCoordinates")
    for name, arrays in (("Again", 3), ("Relative", 1)):
        lib.cg_goto(file, 1, "Zone_t", 1, name, 0, END)
        assert writers.number(lib, "cg_narrays") == arrays
    lib.cg_close(file)
    stock = library("vtk")
    file = writers.opened(stock, path, READ)
    assert writers.number(stock, "cg_ngrids", file, 1, 1) == 2  # it does not follow two links
    stock.cg_close(file)


def test_what_a_link_leads_to_may_be_missing(tmp_path):
    """The node is there, and reading it names the missing target. The rest of the file is read."""
    lib = library("ours")
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    lib.cg_goto(file, base, "Zone_t", zone, END)
    lib.cg_link_write("No file", "missing.cgns", "/Base/X")
    lib.cg_link_write("No node", "", "/Base/X")
    lib.cg_link_write("Circle", "", "/Base/Zone 1/Circle")
    lib.cg_close(file)
    file = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_nzones", file, 1) == 1
    for name, target in {
        "No file": ("missing.cgns", "/Base/X"),
        "No node": ("", "/Base/X"),
        "Circle": ("", "/Base/Zone 1/Circle"),
    }.items():
        lib.cg_goto(file, 1, "Zone_t", 1, name, 0, END)
        assert ask(lib, "cg_link_read", give="copy copy") == target
        with pytest.raises(CgnsError, match=f"Zone 1/{name} leads to nothing: {target[0]}"):
            lib.cg_gorel(file, "Below", 0, END)
    lib.cg_close(file)


def test_links_to_nothing_are_not_counted(tmp_path, capfd):
    """Links to a missing file replace a zone and a solution. Existing nodes are counted and read,
    and one warning names the links."""
    lib = library("ours")
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    lib.cg_goto(file, base, END)
    lib.cg_link_write("Zone 0", "missing.cgns", "/Base/Zone 1")
    lib.cg_goto(file, base, "Zone_t", zone, END)
    lib.cg_link_write("Solution", "missing.cgns", "/Base/Zone/Solution")
    writers.structured_zone(lib, file, base, "Zone 2")
    lib.cg_close(file)
    file = writers.opened(lib, path, MODIFY)
    capfd.readouterr()
    for _ in range(2):
        assert writers.number(lib, "cg_nzones", file, 1) == 2
        assert writers.number(lib, "cg_nsols", file, 1, 1) == 0
    writers.flush_output()
    lost = "the link /Base/{} leads to nothing: missing.cgns/Base/{}; it is not counted"
    assert capfd.readouterr().out.splitlines() == [
        f"*** Warning: {lost.format(*names)} ***"
        for names in (("Zone 0", "Zone 1"), ("Zone 1/Solution", "Zone/Solution"))
    ]
    assert ask(lib, "cg_zone_read", file, 1, 2, give="name size9")[0] == "Zone 2"
    assert ask(lib, "cg_sol_write", file, 1, 1, "Other", 2, give="int") == 1
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    lib.cg_delete_node("Solution")
    lib.cg_link_write("Zone of another file", "", "/Base/Nowhere")
    lib.cg_close(file)


@pytest.mark.parametrize("blank", [" ", "   "])
def test_a_blank_name_of_a_file_is_that_of_the_link(tmp_path, blank):
    """Fortran programs write an empty text in this way."""
    lib = library("ours")
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    zone = writers.structured_zone(lib, file, 1, "Zone 2")
    lib.cg_goto(file, 1, "Zone_t", zone, END)
    lib.cg_link_write("GridCoordinates", blank, GRID)
    assert writers.number(lib, "cg_ncoords", file, 1, zone) == 3
    lib.cg_close(file)
    for stock in STOCK:
        other = library(stock)
        file = writers.opened(other, path, READ)
        assert writers.number(other, "cg_ncoords", file, 1, zone) == 3
        other.cg_close(file)


def test_a_link_to_a_blank_file_in_another_librarys_file(tmp_path):
    """The other library wrote an external link to a file of that name, and cannot follow it."""
    path = tmp_path / "file.cgns"
    lib = library("ours")
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    lib.cg_link_write("Again", "other.cgns", GRID)
    lib.cg_close(file)
    with h5py.File(path, "r+") as stored:
        node = stored["Base/Zone 1/Again"]
        del node[" link"], node[" file"]
        node[" link"] = h5py.ExternalLink(" ", GRID)
        node.create_dataset(" file", data=np.frombuffer(b" \0", "i1"))
    file = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_ngrids", file, 1, 1) == 2
    lib.cg_goto(file, 1, "Zone_t", 1, "Again", 0, END)
    assert ask(lib, "cg_link_read", give="copy copy") == ("", GRID)
    lib.cg_close(file)


def test_paths_are_relative_to_the_file_of_the_link(tmp_path, monkeypatch):
    lib = library("ours")
    folder = tmp_path / "folder"
    folder.mkdir()
    linked(lib, folder / "file.cgns")
    monkeypatch.setenv("CGNS_LINK_PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    lib.cg_set_path(str(tmp_path))
    assert read_linked(lib, folder / "file.cgns") == FOUND
    other_file(folder / "file.cgns").rename(tmp_path / "elsewhere.cgns")
    file = writers.opened(lib, folder / "file.cgns", READ)
    assert status_of(lib, "cg_coord_info", file, 1, 1, 1, give="int name") == 2
    lib.cg_close(file)


WRONG = [
    (("x" * 33, "", "/Base"), "32 characters"),
    (("Link", "", ""), "path to which a link leads is empty"),
    (("Link", "f" * 300, "/" + "p" * 300), "more than 509 characters"),
    (("ZoneType", "", "/Base"), "already"),
]


@pytest.mark.parametrize(("arguments", "text"), WRONG)
def test_wrong_links(tmp_path, arguments, text):
    lib = library("ours")
    file, base, zone = writers.one_zone(lib, tmp_path / "file.cgns")
    with pytest.raises(CgnsError, match="no current position"):
        lib.cg_link_write("Link", "", "/Base")
    lib.cg_goto(file, base, "Zone_t", zone, END)
    with pytest.raises(CgnsError, match=text):
        lib.cg_link_write(*arguments)
    assert status_of(lib, "cg_is_link", give="int") == 1  # not open for reading
    lib.cg_close(file)


def deleted(lib, path):
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, END)
    lib.cg_delete_node("CoordinateY")
    lib.cg_close(file)


def test_deleted_nodes(tmp_path):
    compare_writers(tmp_path, deleted)


def test_space_of_deleted_nodes_is_used_again(tmp_path):
    """200 sessions write nodes of changing names and sizes, small ones and arrays."""
    lib = library("ours")
    path = tmp_path / "file.cgns"
    file, _, _ = writers.one_zone(lib, path)
    lib.cg_close(file)
    sizes = []
    for session in range(200):
        file = writers.opened(lib, path, MODIFY)
        lib.cg_goto(file, 1, "Zone_t", 1, END)
        if session:
            lib.cg_delete_node(f"Data {session - 1}")
        lib.cg_user_data_write(f"Data {session}")
        lib.cg_goto(file, 1, "Zone_t", 1, "UserDefinedData_t", 1, END)
        for array, count in (("Small", 3 + session % 4), ("Large", 10000 + 3000 * (session % 5))):
            extent = lib.sizes([count])
            lib.cg_array_write(array, REAL_DOUBLE, 1, extent, np.full(count, session, "f8"))
        lib.cg_close(file)
        sizes.append(path.stat().st_size)
    assert max(sizes) <= 1.125 * max(sizes[:10])
    assert max(sizes) <= 3 * 22000 * 8
    with h5py.File(path) as stored:
        assert (stored["Base/Zone 1/Data 199/Large/ data"][()] == 199).all()


def test_deleting_a_link_leaves_what_it_leads_to(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    linked(lib, path)
    before = tree_by_h5py(other_file(path))
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    lib.cg_delete_node("GridCoordinates")
    assert writers.number(lib, "cg_ngrids", file, 1, 1) == 0
    lib.cg_close(file)
    assert tree_by_h5py(other_file(path)) == before


def test_the_position_in_a_deleted_node_is_gone(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, END)
    lib.cg_delete_node("Zone 1")
    assert writers.number(lib, "cg_nzones", file, 1) == 0
    with pytest.raises(CgnsError, match="Base has no node 'Zone 1'"):
        lib.cg_delete_node("Zone 1")
    lib.cg_close(file)


def required_nodes(lib, path):
    """Writes nodes with children that cannot be deleted."""
    file, base, _ = writers.one_zone(lib, path)
    vector = np.ones(3, np.float32)
    lib.cg_gravity_write(file, base, vector)
    lib.cg_goto(file, base, END)
    lib.cg_rotating_write(vector, vector)
    plane = writers.base_of(lib, file, "Plane", 2, 2)
    lib.cg_axisym_write(file, plane, vector, vector)
    ask(lib, "cg_family_write", file, base, "Wing", give="int")
    ask(lib, "cg_geo_write", file, base, 1, "Shape", "file", "format", give="int")
    lib.cg_close(file)


REQUIRED = [
    ("/Base/Zone 1", "ZoneType"),
    ("/Base/Gravity", "GravityVector"),
    ("/Base/RotatingCoordinates", "RotationCenter"),
    ("/Base/RotatingCoordinates", "RotationRateVector"),
    ("/Plane/Axisymmetry", "AxisymmetryReferencePoint"),
    ("/Plane/Axisymmetry", "AxisymmetryAxisVector"),
    ("/Base/Wing/Shape", "GeometryFile"),
    ("/Base/Wing/Shape", "GeometryFormat"),
]


@pytest.mark.parametrize("name", KINDS)
def test_necessary_nodes_are_not_deleted(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    required_nodes(lib, path)
    file = writers.opened(lib, path, MODIFY)
    for parent, child in REQUIRED:
        lib.cg_gopath(file, parent)
        assert status_of(lib, "cg_delete_node", child) == 1, (parent, child)
        assert status_of(lib, "cg_delete_node", "Nothing") == 1
    lib.cg_close(file)


def test_nodes_are_deleted_in_modified_files_only(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    for mode in (WRITE, READ):
        file = writers.opened(lib, path, mode)
        if mode == WRITE:
            writers.base_of(lib, file)
        lib.cg_goto(file, 1, END)
        with pytest.raises(CgnsError, match="opened to be modified"):
            lib.cg_delete_node("Anything")
        lib.cg_close(file)


def saved(lib, path, follow):
    linked(lib, path)
    file = writers.opened(lib, path, READ)
    lib.cg_save_as(file, path.with_name(f"{path.stem}-{follow}.cgns"), 2, follow)
    lib.cg_close(file)
    return path.with_name(f"{path.stem}-{follow}.cgns")


@pytest.mark.parametrize("stock", ["debian", "vtk"])
@pytest.mark.parametrize("follow", [0, 1])
def test_saved_files_are_those_of_other_libraries(tmp_path, stock, follow):
    stock_library = library(stock)
    paths = {}
    for each in ("ours", stock):
        (tmp_path / each).mkdir()
        paths[each] = saved(library(each), tmp_path / each / "file.cgns", follow)
    assert_same(tree_by_h5py(paths["ours"]), tree_by_h5py(paths[stock]))
    opened = writers.opened(stock_library, paths["ours"], READ)
    assert writers.number(stock_library, "cg_ncoords", opened, 1, 1) == 3
    stock_library.cg_close(opened)


def test_a_new_file_is_saved_as_it_is(tmp_path):
    """This includes what no flush has written so far."""
    lib = library("ours")
    file, base, zone = writers.one_zone(lib, tmp_path / "file.cgns")
    writers.structured_zone(lib, file, base, "Zone 2")
    lib.cg_coord_write(file, base, zone, REAL_DOUBLE, "CoordinateX", writers.CORE, lib.out())
    lib.cg_save_as(file, tmp_path / "copy.cgns", 0, 0)
    lib.cg_close(file)
    assert tree_by_h5py(tmp_path / "copy.cgns") == tree_by_h5py(tmp_path / "file.cgns")


@pytest.mark.parametrize("name", KINDS)
def test_a_file_that_is_read_is_saved_as_itself(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    linked(lib, path)
    file = writers.opened(lib, path, READ)
    lib.cg_save_as(file, path, 2, 1)
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, END)
    assert ask(lib, "cg_is_link", give="int") > 0
    lib.cg_close(file)
    file = writers.opened(lib, path, READ)
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, END)
    assert ask(lib, "cg_is_link", give="int") == 0
    lib.cg_close(file)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file.cgns", "grid.cgns"]


def test_wrong_saving(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    linked(lib, path)
    before = path.read_bytes()
    os.remove(other_file(path))
    (tmp_path / "copy.cgns").write_bytes(b"what was there")
    (tmp_path / "folder").mkdir()
    file = writers.opened(lib, path, READ)
    for arguments, text in {
        ("", 2, 0): "name of the file is empty",
        (tmp_path / "copy.cgns", 1, 0): "ADF files are not written",
        (tmp_path / "copy.cgns", 7, 0): "7 is no type of file",
        (tmp_path / "copy.cgns", 2, 1): "GridCoordinates leads to nothing: grid.cgns",
        (tmp_path / "folder", 2, 0): "folder cannot be replaced",
    }.items():
        with pytest.raises(CgnsError, match=text):
            lib.cg_save_as(file, *arguments)
    lib.cg_close(file)
    assert path.read_bytes() == before
    assert (tmp_path / "copy.cgns").read_bytes() == b"what was there"
    assert not list(tmp_path.glob("*.part"))
    file = writers.opened(lib, path, MODIFY)
    with pytest.raises(CgnsError, match="open for writing cannot be saved as itself"):
        lib.cg_save_as(file, path, 2, 0)
    lib.cg_close(file)


IN_PLACE_OF_A_FOLDER = """
import sys
from mpi4py import MPI
from cgns_libraries import READ, CgnsError, library

lib = library("ours")
file = lib.out()
lib.cgp_open(sys.argv[1], READ, file)
try:
    lib.cg_save_as(int(file), sys.argv[2], 2, 0)
    print("no error")
except CgnsError as error:
    print("told" if "folder cannot be replaced" in str(error) else error)
lib.cg_save_as(int(file), sys.argv[3], 2, 0)
lib.cgp_close(int(file))
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_why_a_copy_has_no_place_all_ranks_hear(tmp_path, ranks):
    require_ranks()
    path, program = tmp_path / "file.cgns", tmp_path / "program.py"
    (tmp_path / "folder").mkdir()
    linked(library("ours"), path)
    program.write_text(f"import sys\nsys.path[:0] = {sys.path!r}\n{IN_PLACE_OF_A_FOLDER}")
    # The other ranks get only the beginning of a long reason.
    said = output_of_ranks(ranks, program, path, "folder", "copy.cgns", cwd=tmp_path)
    assert said.split() == ["told"] * ranks
    assert not list(tmp_path.glob("*.part"))
    assert_same(tree_by_h5py(tmp_path / "copy.cgns"), tree_by_h5py(path))
