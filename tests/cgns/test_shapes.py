"""Arrays whose names say their dimensions: a wrong shape keeps the CGNS library from opening the
file, so check must name it."""

import ctypes
import tomllib
from pathlib import Path

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import READ, REAL_SINGLE, STOCK, CgnsError, library
from cgns_programs import ask

from onecast import cgns

LABELS = Path(__file__).parents[2] / "cgns" / "labels.toml"
# By label and name, in the base of three dimensions, the fastest first.
SHAPES = {
    (label, name): tuple(3 if extent == "phys_dim" else int(extent) for extent in dimensions)
    for label, entry in tomllib.loads(LABELS.read_text()).items()
    for name, dimensions in entry.get("shapes", {}).items()
}
VECTOR = np.array([1, 2, 3], np.float32)
END = "end"


def sample(lib, path):
    """All of these arrays; those of Axisymmetry_t below a base of two dimensions."""
    file, base, zone = writers.one_zone(lib, path)
    ask(lib, "cg_rigid_motion_write", file, base, zone, "Rolls", 2, give="int")
    lib.cg_goto(file, base, "Zone_t", zone, "RigidGridMotion_t", 1, END)
    zeros = np.zeros(6, np.float32)
    for name in ("OriginLocation", "RigidRotationAngle", "RigidVelocity"):
        shape = SHAPES["RigidGridMotion_t", name]
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
    plane = writers.base_of(lib, file, "Plane", 2, 2)
    lib.cg_axisym_write(file, plane, VECTOR, VECTOR)
    lib.cg_goto(file, plane, "Axisymmetry_t", 1, END)
    lib.cg_array_write("AxisymmetryAngle", REAL_SINGLE, 1, lib.sizes([1]), zeros)
    lib.cg_close(file)


def place_of(file, label, name):
    """The path of an array in the sample."""
    found = []

    def look(path, node):
        parent = node.parent.attrs.get("label", b"").decode()
        if path.endswith("/" + name) and parent == label:
            found.append(path)

    file.visititems(look)
    (path,) = found
    return path


def opens(lib, path):
    try:
        lib.cg_close(writers.opened(lib, path, READ))
    except CgnsError:
        return False
    return True


@pytest.mark.parametrize("label, name", SHAPES)
def test_a_wrong_shape_is_named(lib, tmp_path, label, name):
    """As the CGNS library sees it, which refuses the file."""
    stock = [library(kind) for kind in STOCK]
    right = SHAPES[label, name]
    shapes = {right, (*right, 2), (*right[:-1], right[-1] + 1), right[::-1]}
    for number, shape in enumerate(sorted(shapes)):
        path = tmp_path / f"{number}.cgns"
        sample(lib, path)
        with h5py.File(path, "r+") as file:
            place = place_of(file, label, name)
            node = file[place]
            kind = node[" data"].dtype
            del node[" data"]
            node.create_dataset(" data", data=np.ones(shape[::-1], kind))
        wrong = [violation.path for violation in cgns.check(path)]
        assert wrong == ([] if shape == right else ["/" + place]), shape
        for other in stock:
            assert opens(other, path) == (shape == right), (other.name, shape)
