"""Boundary conditions: files equal those of other libraries, files of others are read, and wrong
ones are refused."""

import ctypes

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import (
    INTEGER,
    READ,
    REAL_DOUBLE,
    REAL_SINGLE,
    STOCK,
    CgnsError,
    library,
)
from cgns_refusals import check_refused
from cgns_trees import compare_writers

VERTEX, FACE_CENTER, I_FACE_CENTER, EDGE_CENTER = 2, 4, 5, 8
POINT_LIST, POINT_RANGE, ELEMENT_RANGE, ELEMENT_LIST = 2, 4, 6, 7
WALL, WALL_INVISCID, FAMILY_SPECIFIED = 20, 21, 25
DIRICHLET, NEUMANN = 2, 3
RANGE = [1, 1, 1, 2, 2, 1]


def condition(
    lib, file, name="Wall", form=POINT_RANGE, indices=RANGE, kind=WALL, zone=1, dimensions=3, base=1
):
    out = lib.out()
    count = lib.a_size(len(indices) // dimensions)
    lib.cg_boco_write(file, base, zone, name, kind, form, count, lib.sizes(indices), out)
    return int(out)


def area(lib, file, index, kind=2, region="Region"):
    lib.cg_bc_area_write(file, 1, 1, index, kind, ctypes.c_float(2.5), region)


def conditions(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    unstructured = writers.unstructured_zone(lib, file, base, "Zone U")
    assert condition(lib, file) == 1
    assert condition(lib, file, "List", POINT_LIST) == 2
    condition(lib, file, "Elements", ELEMENT_RANGE)
    condition(lib, file, "Element list", ELEMENT_LIST)
    condition(lib, file, "Family", kind=FAMILY_SPECIFIED)
    condition(lib, file, "Null", kind=0)
    for form, indices in ((ELEMENT_RANGE, [3, 6]), (POINT_LIST, [3, 4, 6])):
        condition(
            *(lib, file, f"U {form}", form, indices, WALL_INVISCID, unstructured, 1),
        )
    lib.cg_boco_gridlocation_write(file, base, zone, 1, FACE_CENTER)
    lib.cg_boco_gridlocation_write(file, base, zone, 2, VERTEX)
    lib.cg_boco_gridlocation_write(file, base, unstructured, 2, EDGE_CENTER)
    index = np.array([0, 0, 1], np.int32)
    normals = np.arange(12, dtype=np.float32)
    write = lib.cg_boco_normal_write
    write(file, base, zone, 1, index, 1, REAL_SINGLE, normals)
    write(file, base, zone, 2, -index, 1, REAL_DOUBLE, np.arange(6.0))
    write(file, base, zone, 3, index, 0, REAL_SINGLE, None)
    write(file, base, unstructured, 1, index, 1, REAL_SINGLE, normals)
    lib.cg_close(file)


def old_elements(lib, path):
    """Writes elements of a boundary, in zones of 1 to 3 dimensions."""
    file = writers.opened(lib, path)
    for dimension in (1, 2, 3):
        base = writers.base_of(lib, file, f"Base{dimension}", dimension)
        zone = writers.structured_zone(lib, file, base, "Zone", writers.VERTICES[:dimension])
        ones = [1] * (2 * dimension)
        condition(lib, file, "Range", ELEMENT_RANGE, ones, WALL, zone, dimension, base)
        condition(lib, file, "List", ELEMENT_LIST, ones, WALL, zone, dimension, base)
    lib.cg_close(file)


def data(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    condition(lib, file)
    condition(lib, file, "Other")
    dataset = lib.out()
    lib.cg_dataset_write(file, base, zone, 1, "Set", WALL, dataset)
    lib.cg_dataset_write(file, base, zone, 1, "Other set", 0, dataset)
    assert int(dataset) == 2
    lib.cg_bcdata_write(file, base, zone, 1, 1, DIRICHLET)
    lib.cg_bcdata_write(file, base, zone, 1, 1, NEUMANN)
    at_data = ("Zone_t", zone, "ZoneBC_t", 1, "BC_t", 1, "BCDataSet_t", 1, "BCData_t", NEUMANN)
    lib.cg_goto(file, base, *at_data, "end")
    lib.cg_array_write("Flux", REAL_DOUBLE, 1, lib.sizes([4]), np.arange(4.0))
    lib.cg_bc_wallfunction_write(file, base, zone, 1, 2)
    lib.cg_bc_wallfunction_write(file, base, zone, 2, 0)
    area(lib, file, 1)
    area(lib, file, 2, 3, "R" * 40)
    lib.cg_close(file)


def data_of_families(lib, path):
    file, base, _ = writers.one_zone(lib, path)
    family = writers.number(lib, "cg_family_write", file, base, "Family")
    writers.number(lib, "cg_fambc_write", file, base, family, "FamilyBC", WALL)
    lib.cg_goto(file, base, "Family_t", family, "FamilyBC_t", 1, "end")
    lib.cg_bcdataset_write("Both", WALL, DIRICHLET)
    lib.cg_bcdataset_write("Both", WALL, NEUMANN)
    lib.cg_bcdataset_write("One", WALL_INVISCID, NEUMANN)
    lib.cg_close(file)


PROGRAMS = [conditions, old_elements, data, data_of_families]


@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
def test_same_file_as_other_libraries(tmp_path, write):
    compare_writers(tmp_path, write)


def read_condition(lib, file, zone, index):
    """Returns name, type, form, points, index of normals, size and type of their list, data
    sets."""
    name, kind, form, count = lib.text(), lib.out(), lib.out(), lib.out(ctypes.c_int64)
    direction, size = np.full(3, 9, np.int32), lib.out(ctypes.c_int64)
    normal_type, sets = lib.out(), lib.out()
    lib.cg_boco_info(
        *(file, 1, zone, index, name, kind, form, count, direction, size, normal_type, sets)
    )
    numbers = map(int, (kind, form, count, size, normal_type, sets))
    return [writers.text(name), *numbers, direction.tolist()]


def test_conditions_are_read(lib, written):
    file = written(conditions)
    assert [writers.number(lib, "cg_nbocos", file, 1, zone) for zone in (1, 2)] == [6, 2]
    expected = [
        ["Wall", WALL, POINT_RANGE, 2, 12, REAL_SINGLE, 0, [0, 0, 1]],
        ["List", WALL, POINT_LIST, 2, 6, REAL_DOUBLE, 0, [0, 0, -1]],
        ["Elements", WALL, POINT_RANGE, 2, 0, 0, 0, [0, 0, 1]],
        ["Element list", WALL, POINT_LIST, 2, 0, 0, 0, [0, 0, 0]],
        ["Family", FAMILY_SPECIFIED, POINT_RANGE, 2, 0, 0, 0, [0, 0, 0]],
        ["Null", 0, POINT_RANGE, 2, 0, 0, 0, [0, 0, 0]],
    ]
    assert [read_condition(lib, file, 1, index) for index in range(1, 7)] == expected
    of_zone_2 = ["U 6", WALL_INVISCID, POINT_RANGE, 2, 12, REAL_SINGLE, 0, [0, 9, 9]]
    assert read_condition(lib, file, 2, 1) == of_zone_2
    points, normals = lib.sizes([0] * 6), np.zeros(6)
    lib.cg_boco_read(file, 1, 1, 2, points, normals)
    assert (points.tolist(), normals.tolist()) == (RANGE, list(range(6)))
    points[:] = 0
    lib.cg_boco_read(file, 1, 1, 1, points, None)
    assert points.tolist() == RANGE
    lib.cg_boco_read(file, 1, 2, 2, points, None)
    assert points[:3].tolist() == [3, 4, 6]
    locations = [
        writers.number(lib, "cg_boco_gridlocation_read", file, 1, 1, index) for index in range(1, 6)
    ]
    assert locations == [FACE_CENTER, VERTEX, FACE_CENTER, FACE_CENTER, VERTEX]
    node = lib.out(ctypes.c_double)
    lib.cg_boco_id(file, 1, 1, 1, node)
    assert node.value > 0
    with pytest.raises(CgnsError, match=r"index 7 of BC_t is not in 1\.\.6"):
        read_condition(lib, file, 1, 7)


def test_no_room_for_the_index_of_normals(lib, written):
    file = written(conditions)
    name, count, size = lib.text(), lib.out(ctypes.c_int64), lib.out(ctypes.c_int64)
    kind, form, normal_type, sets = (lib.out() for _ in range(4))
    for zone in (1, 2):
        lib.cg_boco_info(
            *(file, 1, zone, 1, name, kind, form, count, None, size, normal_type, sets)
        )
        assert int(size) == 12


def test_data_are_read(lib, written):
    file = written(data)
    assert read_condition(lib, file, 1, 1)[6] == 2
    found = []
    for index in (1, 2):
        name, outs = lib.text(), [lib.out() for _ in range(3)]
        lib.cg_dataset_read(file, 1, 1, 1, index, name, *outs)
        found.append((writers.text(name), *map(int, outs)))
    assert found == [("Set", WALL, 1, 1), ("Other set", 0, 0, 0)]
    assert writers.number(lib, "cg_bc_wallfunction_read", file, 1, 1, 1) == 2
    kind, surface, region = lib.out(), lib.out(ctypes.c_float), lib.text()
    lib.cg_bc_area_read(file, 1, 1, 1, kind, surface, region)
    assert (int(kind), surface.value) == (2, 2.5)
    assert writers.text(region) == "Region".ljust(32)


def test_data_of_families_are_read(lib, written):
    file = written(data_of_families)
    lib.cg_goto(file, 1, "Family_t", 1, "FamilyBC_t", 1, "end")
    assert writers.number(lib, "cg_bcdataset_info") == 2
    found = []
    for index in (1, 2):
        name, outs = lib.text(), [lib.out() for _ in range(3)]
        lib.cg_bcdataset_read(index, name, *outs)
        found.append((writers.text(name), *map(int, outs)))
    assert found == [("Both", WALL, 1, 1), ("One", WALL_INVISCID, 0, 1)]
    with pytest.raises(CgnsError, match="index 3 of FamilyBCDataSet_t"):
        lib.cg_bcdataset_read(3, lib.text(), *[lib.out() for _ in range(3)])


@pytest.mark.parametrize("name", ["ours", *STOCK])
def test_the_status_of_data_that_are_not_there(name, tmp_path):
    """Most functions at the current position return CG_NODE_NOT_FOUND (2). In all libraries this
    function does not."""
    lib = library(name)
    data_of_families(lib, tmp_path / "file.cgns")
    file = writers.opened(lib, tmp_path / "file.cgns", READ)
    lib.cg_goto(file, 1, "Family_t", 1, "FamilyBC_t", 1, "end")
    with pytest.raises(CgnsError) as error:
        lib.cg_bcdataset_read(3, lib.text(), *[lib.out() for _ in range(3)])
    assert error.value.status == 1
    lib.cg_close(file)


def test_properties_that_are_not_there(lib, written):
    file = written(conditions)
    for read, outs in (
        (lib.cg_bc_wallfunction_read, [lib.out()]),
        (lib.cg_bc_area_read, [lib.out(), lib.out(ctypes.c_float), lib.text()]),
    ):
        with pytest.raises(CgnsError, match="has no BCProperty") as error:
            read(file, 1, 1, 1, *outs)
        assert error.value.status == 2


def test_points_under_old_names(lib, tmp_path):
    path = tmp_path / "file.cgns"
    conditions(library("debian"), path)
    with h5py.File(path, "r+") as stored:
        wall = stored["Base/Zone 1/ZoneBC/Wall"]
        wall.move("PointRange", "ElementRange")
        wall["ElementRange"].attrs.modify("name", np.bytes_(b"ElementRange".ljust(33, b"\0")))
    expected = ["Wall", WALL, ELEMENT_RANGE, 2, 12, REAL_SINGLE, 0, [0, 0, 1]]
    for reader in ("ours", *STOCK):
        any_lib = library(reader)
        file = writers.opened(any_lib, path, READ)
        assert read_condition(any_lib, file, 1, 1) == expected
        any_lib.cg_close(file)


def test_normals_that_do_not_fit_are_refused(lib, tmp_path):
    """A list of normals in a damaged file does not overrun a program's memory for it."""
    path = tmp_path / "file.cgns"
    conditions(lib, path)
    with h5py.File(path, "r+") as stored:
        normals = stored["Base/Zone 1/ZoneBC/Wall/InwardNormalList"]
        del normals[" data"]
        normals[" data"] = np.ones((1000, 3), np.float32)
    file = writers.opened(lib, path, READ)
    for read in (
        lambda: read_condition(lib, file, 1, 1),
        lambda: lib.cg_boco_read(file, 1, 1, 1, lib.sizes([0] * 6), np.zeros(12, np.float32)),
    ):
        with pytest.raises(CgnsError, match="one normal for each point"):
            read()
    lib.cg_close(file)


def begin(lib, path):
    file, _, _ = writers.one_zone(lib, path)
    condition(lib, file)
    return (file,)


def location(index, at):
    return lambda lib, file: lib.cg_boco_gridlocation_write(file, 1, 1, index, at)


def dataset(lib, file, kind=WALL, name="Set"):
    lib.cg_dataset_write(file, 1, 1, 1, name, kind, lib.out())


def bcdata(*kinds):
    def write(lib, file):
        dataset(lib, file)
        for kind in kinds:
            lib.cg_bcdata_write(file, 1, 1, 1, 1, kind)

    return write


def normals_twice(lib, file):
    for _ in range(2):
        lib.cg_boco_normal_write(file, 1, 1, 1, np.array([0, 0, 1], np.int32), 0, REAL_SINGLE, None)


def twice(call):
    return lambda lib, file: [call(lib, file) for _ in range(2)]


def wall_function(kind):
    return lambda lib, file: lib.cg_bc_wallfunction_write(file, 1, 1, 1, kind)


def not_in_a_family(lib, file):
    lib.cg_goto(file, 1, "end")
    lib.cg_bcdataset_write("Set", WALL, DIRICHLET)


REFUSED = {
    "name that exists": (lambda lib, file: condition(lib, file), "name 'Wall' already"),
    "no such type": (lambda lib, file: condition(lib, file, "New", kind=26), "26 is no value"),
    "points of another form": (
        lambda lib, file: condition(lib, file, "New", 3),
        "not as PointListDonor",
    ),
    "range of one point": (
        lambda lib, file: condition(lib, file, "New", POINT_RANGE, [1, 1, 1]),
        "2 points",
    ),
    "empty list": (lambda lib, file: condition(lib, file, "New", POINT_LIST, []), "1 or more"),
    "location of no condition": (location(2, VERTEX), "index 2 of BC_t"),
    "no such location": (location(1, 9), "9 is no value"),
    "no location": (location(1, 0), "location Null"),
    "second location": (twice(location(1, VERTEX)), "name 'GridLocation' already"),
    "second normals": (normals_twice, "InwardNormalIndex already"),
    "data set that exists": (twice(dataset), "name 'Set' already"),
    "data set of no type": (lambda lib, file: dataset(lib, file, 26), "26 is no value"),
    "data that exist": (bcdata(DIRICHLET, DIRICHLET), "name 'DirichletData' already"),
    "data of no kind": (bcdata(4), "Dirichlet or Neumann, not 4"),
    "data set in no family": (not_in_a_family, "FamilyBCDataSet_t stands below"),
    "second wall function": (twice(wall_function(2)), "name 'WallFunction' already"),
    "no such wall function": (wall_function(9), "9 is no value"),
    "no such area": (lambda lib, file: area(lib, file, 1, 9), "9 is no value"),
    "second area": (twice(lambda lib, file: area(lib, file, 1)), "name 'Area' already"),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path, call, text):
    check_refused(tmp_path, begin, call, text)


def test_normals_are_real(lib, tmp_path):
    """Stock libraries write other normals, and open no file that has them."""
    file = begin(lib, tmp_path / "file.cgns")[0]
    with pytest.raises(CgnsError, match="RealSingle or RealDouble"):
        lib.cg_boco_normal_write(file, 1, 1, 1, None, 1, INTEGER, np.zeros(12, np.int32))
    lib.cg_close(file)


def test_no_data_of_no_kind(lib, tmp_path):
    """Stock libraries take the value 1 for Neumann."""
    file = begin(lib, tmp_path / "file.cgns")[0]
    dataset(lib, file)
    with pytest.raises(CgnsError, match="Dirichlet or Neumann, not 1"):
        lib.cg_bcdata_write(file, 1, 1, 1, 1, 1)
    lib.cg_close(file)
