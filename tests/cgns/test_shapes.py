"""The names of some arrays imply their dimensions. The CGNS library does not open a file with a
wrong shape, so check must name it."""

import ctypes
import tomllib
from pathlib import Path

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import CHARACTER, INTEGER, REAL_SINGLE, STOCK
from cgns_opening import opened_by
from cgns_programs import ask

from onecast import cgns

LABELS = Path(__file__).parents[2] / "cgns" / "labels.toml"
# The shapes by label and name, in the base of three dimensions, with the fastest dimension first.
MOST = 32  # names of a step, and characters of a name
EXTENTS = {"phys_dim": 3, "steps": 4, "zones": MOST, "families": MOST}
# These labels need only an array; others need more.
LABELS_OF_ARRAYS = (
    "RigidGridMotion_t",
    "BaseIterativeData_t",
    "ZoneIterativeData_t",
    "Gravity_t",
    "Axisymmetry_t",
    "RotatingCoordinates_t",
    "Area_t",
    "Periodic_t",
)
SHAPES = {
    (label, name): tuple(EXTENTS.get(extent) or int(extent) for extent in row["dimensions"])
    for label, entry in tomllib.loads(LABELS.read_text()).items()
    for name, row in entry.get("holds", {}).items()
    if label in LABELS_OF_ARRAYS
}
NOT_LOOKED_AT = ("ZoneGridConnectivityPointers", "ZoneSubRegionPointers")  # by the CGNS library
VECTOR = np.array([1, 2, 3], np.float32)
END = "end"


def sample(lib, path):
    """Writes all these arrays; those of Axisymmetry_t below a base of two dimensions."""
    file, base, zone = writers.one_zone(lib, path)
    ask(lib, "cg_rigid_motion_write", file, base, zone, "Rolls", 2, give="int")
    lib.cg_goto(file, base, "Zone_t", zone, "RigidGridMotion_t", 1, END)
    zeros = np.zeros(6, np.float32)
    for (label, name), shape in SHAPES.items():
        if label == "RigidGridMotion_t":
            lib.cg_array_write(name, REAL_SINGLE, len(shape), lib.sizes(shape), zeros)
    lib.cg_gravity_write(file, base, VECTOR)
    lib.cg_goto(file, base, END)
    lib.cg_rotating_write(VECTOR, VECTOR)
    point_range = lib.sizes([1, 1, 1, 1, 3, 2])
    lib.cg_boco_write(file, base, zone, "Wall", 20, 4, lib.a_size(2), point_range, lib.out())
    lib.cg_bc_area_write(file, base, zone, 1, 2, ctypes.c_float(1.5), "Region")
    sides = lib.sizes([1, 1, 1, 4, 3, 1]), lib.sizes([1, 1, 2, 4, 3, 2])
    turn = np.array([1, 2, 3], np.int32)
    lib.cg_1to1_write(file, base, zone, "Around", "Zone 1", *sides, turn, lib.out())
    lib.cg_1to1_periodic_write(file, base, zone, 1, VECTOR, VECTOR, VECTOR)
    lib.cg_biter_write(file, base, "Steps", EXTENTS["steps"])
    lib.cg_ziter_write(file, base, zone, "Pointers")
    for label, position in {
        "BaseIterativeData_t": (),
        "ZoneIterativeData_t": ("Zone_t", zone),
    }.items():
        lib.cg_goto(file, base, *position, label, 1, END)
        for of, name in SHAPES:
            shape = SHAPES[of, name]
            kind, number = (CHARACTER, np.int8) if len(shape) > 1 else (REAL_SINGLE, np.float32)
            if name.startswith(("Number", "Iteration")):
                kind, number = INTEGER, np.int32
            if of == label:
                values = np.full(int(np.prod(shape)), MOST, number)
                lib.cg_array_write(name, kind, len(shape), lib.sizes(shape), values)
    plane = writers.base_of(lib, file, "Plane", 2, 2)
    lib.cg_axisym_write(file, plane, VECTOR, VECTOR)
    lib.cg_goto(file, plane, "Axisymmetry_t", 1, END)
    lib.cg_array_write("AxisymmetryAngle", REAL_SINGLE, 1, lib.sizes([1]), zeros)
    of_names = np.full(64, 32, np.int8)
    lib.cg_array_write("CoordinateNames", CHARACTER, 2, lib.sizes([32, 2]), of_names)
    lib.cg_close(file)


def place_of(file, label, name):
    """Returns the path of an array in the sample."""
    found = []

    def look(path, node):
        parent = node.parent.attrs.get("label", b"").decode()
        if path.endswith("/" + name) and parent == label:
            found.append(path)

    file.visititems(look)
    (path,) = found
    return path


@pytest.mark.parametrize("label, name", SHAPES)
def test_a_wrong_shape_is_named(lib, tmp_path, label, name):
    """The shape is wrong for the CGNS library, which refuses the file."""
    right = SHAPES[label, name]
    longer = (right[0] + 1, *right[1:]), (*right[:-1], right[-1] + 1)
    shapes = sorted({right, (*right, 2), *longer, right[::-1]})
    paths = [tmp_path / f"{number}.cgns" for number in range(len(shapes))]
    for shape, path in zip(shapes, paths, strict=True):
        sample(lib, path)
        with h5py.File(path, "r+") as file:
            place = place_of(file, label, name)
            node = file[place]
            kind = node[" data"].dtype
            del node[" data"]
            node.create_dataset(" data", data=np.full(shape[::-1], MOST, kind))
        wrong = [violation.path for violation in cgns.check(path)]
        assert wrong == ([] if shape == right else ["/" + place]), shape
    for kind in STOCK if name not in NOT_LOOKED_AT else ():
        assert opened_by(kind, paths) == [shape == right for shape in shapes], (kind, shapes)


def section_in_structured_zone(lib, file, base, zone):
    nodes, one = lib.sizes(range(1, 9)), lib.a_size(1)
    lib.cg_section_write(file, base, zone, "Section", 17, one, one, 0, nodes, lib.out())
    return f"/Base/Zone {zone}/Section"


def boundary_data_of_other_length(lib, file, base, zone):
    point_range = lib.sizes([1, 1, 1, 1, 3, 2])  # 6 points
    lib.cg_boco_write(file, base, zone, "Wall", 20, 4, lib.a_size(2), point_range, lib.out())
    lib.cg_dataset_write(file, base, zone, 1, "Values", 20, lib.out())
    lib.cg_bcdata_write(file, base, zone, 1, 1, 2)
    position = ("Zone_t", zone, "ZoneBC_t", 1, "BC_t", 1, "BCDataSet_t", 1, "BCData_t", 2)
    lib.cg_goto(file, base, *position, END)
    lengths = {"All": 1, "Each": 6, "Wrong": 5}
    for name, length in lengths.items():
        lib.cg_array_write(name, REAL_SINGLE, 1, lib.sizes([length]), np.ones(length, np.float32))
    return f"/Base/Zone {zone}/ZoneBC/Wall/Values/DirichletData/Wrong"


@pytest.mark.parametrize("write", [section_in_structured_zone, boundary_data_of_other_length])
def test_what_keeps_a_file_from_being_opened_is_named(lib, tmp_path, write):
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    wrong = write(lib, file, base, zone)
    lib.cg_close(file)
    assert [violation.path for violation in cgns.check(path)] == [wrong]
    for kind in STOCK:
        assert opened_by(kind, [path]) == [False]
