"""Steps of time, motions of grids, gravity, axes, rotation"""

import cgns_writers as writers
import numpy as np
import pytest
from cgns_libraries import CHARACTER, MODIFY, READ, REAL_DOUBLE, REAL_SINGLE, CgnsError, library
from cgns_programs import ask, compare_readers, status_of
from cgns_trees import compare_writers

END = "end"
TIME_ACCURATE = 2
CONSTANT_RATE, DEFORMING = 2, 3
VECTOR = np.array([1, 2, -9.5], np.float32)


def unsteady(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    lib.cg_simulation_type_write(file, base, TIME_ACCURATE)
    lib.cg_biter_write(file, base, "Steps", 3)
    lib.cg_goto(file, base, "BaseIterativeData_t", 1, END)
    lib.cg_array_write("TimeValues", REAL_DOUBLE, 1, lib.sizes([3]), np.arange(3.0))
    lib.cg_ziter_write(file, base, zone, "Pointers")
    lib.cg_goto(file, base, "Zone_t", zone, "ZoneIterativeData_t", 1, END)
    names = np.frombuffer("".join(f"Solution{i}".ljust(32) for i in range(3)).encode(), np.int8)
    size = lib.sizes([32, 3])
    lib.cg_array_write("FlowSolutionPointers", CHARACTER, 2, size, names.copy())
    lib.cg_close(file)


def moving(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    where = file, base, zone
    assert ask(lib, "cg_rigid_motion_write", *where, "Rolls", CONSTANT_RATE, give="int") == 1
    lib.cg_goto(file, base, "Zone_t", zone, "RigidGridMotion_t", 1, END)
    origin = lib.sizes([3, 2]), np.zeros(6, np.float32)
    lib.cg_array_write("OriginLocation", REAL_SINGLE, 2, *origin)
    assert ask(lib, "cg_arbitrary_motion_write", *where, "Bends", DEFORMING, give="int") == 1
    lib.cg_gravity_write(file, base, VECTOR)
    for position in ((), ("Zone_t", zone)):
        lib.cg_goto(file, base, *position, END)
        lib.cg_rotating_write(VECTOR, VECTOR * 2)
    plane = writers.base_of(lib, file, "Plane", 2, 2)
    lib.cg_axisym_write(file, plane, VECTOR, VECTOR * 3)
    lib.cg_close(file)


def read_unsteady(lib, path):
    file = writers.opened(lib, path, READ)
    found = [
        ask(lib, "cg_simulation_type_read", file, 1, give="int"),
        ask(lib, "cg_biter_read", file, 1, give="name int"),
        ask(lib, "cg_ziter_read", file, 1, 1, give="name"),
    ]
    lib.cg_close(file)
    return found


def read_moving(lib, path):
    file = writers.opened(lib, path, READ)
    found = [
        ask(lib, "cg_n_rigid_motions", file, 1, 1, give="int"),
        ask(lib, "cg_rigid_motion_read", file, 1, 1, 1, give="name int"),
        ask(lib, "cg_n_arbitrary_motions", file, 1, 1, give="int"),
        ask(lib, "cg_arbitrary_motion_read", file, 1, 1, 1, give="name int"),
        ask(lib, "cg_gravity_read", file, 1, give="float3"),
        ask(lib, "cg_axisym_read", file, 2, give="float2 float2"),
        ask(lib, "cg_simulation_type_read", file, 1, give="int"),
        status_of(lib, "cg_biter_read", file, 1, give="name int"),
        status_of(lib, "cg_ziter_read", file, 1, 1, give="name"),
        status_of(lib, "cg_gravity_read", file, 2, give="float3"),
        status_of(lib, "cg_axisym_read", file, 1, give="float2 float2"),
    ]
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    found.append(ask(lib, "cg_rotating_read", give="float3 float3"))
    lib.cg_goto(file, 2, END)
    found.append(status_of(lib, "cg_rotating_read", give="float3 float3"))
    lib.cg_close(file)
    return found


MOVING_FOUND = [
    *(1, ("Rolls", CONSTANT_RATE), 1, ("Bends", DEFORMING), [1, 2, -9.5], ([1, 2], [3, 6])),
    *(0, 2, 2, 2, 2, ([1, 2, -9.5], [2, 4, -19]), 2),
]


@pytest.mark.parametrize("write", [unsteady, moving])
def test_same_file_as_other_libraries(tmp_path, write):
    compare_writers(tmp_path, write)


def test_steps_are_read(tmp_path):
    compare_readers(tmp_path, unsteady, read_unsteady, [TIME_ACCURATE, ("Steps", 3), "Pointers"])


def test_motions_are_read(tmp_path):
    compare_readers(tmp_path, moving, read_moving, MOVING_FOUND)


WRONG = [
    ("cg_biter_write", (1, "Steps", 0), "number of steps is 0"),
    ("cg_biter_write", (1, "Others", 2), "BaseIterativeData_t already: /Base/Steps"),
    ("cg_ziter_write", (1, 1, "Others"), "ZoneIterativeData_t already: /Base/Zone 1/Pointers"),
    ("cg_simulation_type_write", (1, TIME_ACCURATE), "already: /Base/SimulationType"),
    ("cg_simulation_type_write", (1, 9), "9 is no value"),
    ("cg_axisym_write", (1, VECTOR, VECTOR), "base of two dimensions, not 3"),
    ("cg_gravity_write", (1, None), "GravityVector is NULL"),
]


@pytest.mark.parametrize(("function", "arguments", "text"), WRONG)
def test_wrong_arguments(tmp_path, function, arguments, text):
    lib = library("ours")
    file, base, zone = writers.one_zone(lib, tmp_path / "file.cgns")
    lib.cg_biter_write(file, base, "Steps", 3)
    lib.cg_ziter_write(file, base, zone, "Pointers")
    lib.cg_simulation_type_write(file, base, TIME_ACCURATE)
    with pytest.raises(CgnsError, match=text):
        getattr(lib, function)(file, *arguments)
    for motion in ("cg_rigid_motion_write", "cg_arbitrary_motion_write"):
        assert status_of(lib, motion, file, base, zone, "Moves", 9, give="int") == 1
    assert status_of(lib, "cg_rotating_write", VECTOR, VECTOR) == 1  # there is no current position
    lib.cg_close(file)


def test_modified_steps_replace_the_others(tmp_path):
    def write(lib, path):
        unsteady(lib, path)
        file = writers.opened(lib, path, MODIFY)
        lib.cg_biter_write(file, 1, "New steps", 4)
        lib.cg_ziter_write(file, 1, 1, "New pointers")
        lib.cg_close(file)

    compare_writers(tmp_path, write)
