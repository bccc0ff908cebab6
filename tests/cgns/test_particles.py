"""Zones of particles: sizes, coordinates, solutions"""

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import INTEGER, MODIFY, READ, REAL_DOUBLE, REAL_SINGLE, CgnsError, library
from cgns_programs import ask, compare_readers, status_of
from cgns_trees import compare_writers

SINCE_4_5 = ("ours", "vtk")
LIST, RANGE = 2, 4
COUNT = 10
VALUES = np.arange(COUNT, dtype=np.float64)


def particle_zones(lib, path):
    """Returns the open file, for further calls."""
    file, base, _ = writers.one_zone(lib, path)
    sizes = {"Sparks": COUNT, "Drops": 5, "None": 0}
    for index, (name, size) in enumerate(sizes.items(), 1):
        found = ask(lib, "cg_particle_write", file, base, name, lib.a_size(size), give="int")
        assert found == index
    return file


def parts(lib, *ranges):
    """Returns first and last indices in the form that functions take."""
    return [lib.sizes([each]) for each in ranges]


def particles(lib, path):
    file = particle_zones(lib, path)
    where = file, 1, 1
    write = "cg_particle_coord_write"
    assert ask(lib, write, *where, REAL_DOUBLE, "CoordinateX", VALUES, give="int") == 1
    for first, last in ((1, 3), (4, COUNT)):
        some = VALUES[first - 1 : last] + 0.5
        lib.cg_particle_coord_partial_write(
            *(*where, REAL_DOUBLE, "CoordinateY", *parts(lib, first, last), some.copy(), lib.out())
        )
    lib.cg_particle_coord_general_write(
        *(*where, "CoordinateZ", REAL_DOUBLE, *parts(lib, 1, COUNT), REAL_DOUBLE),
        *(*parts(lib, 2 * COUNT, 3, COUNT + 2), np.arange(2.0 * COUNT), lib.out()),
    )
    assert ask(lib, "cg_particle_coord_node_write", *where, "Later", give="int") == 2
    lib.cg_particle_bounding_box_write(*where, 1, REAL_DOUBLE, np.arange(6.0))
    assert ask(lib, "cg_particle_sol_write", *where, "Solution", give="int") == 1
    write = "cg_particle_field_write"
    assert ask(lib, write, *where, 1, REAL_DOUBLE, "Radius", VALUES, give="int") == 1
    numbers = np.arange(COUNT, dtype=np.int32)
    for first, last in ((1, 3), (4, COUNT)):
        lib.cg_particle_field_partial_write(
            *(*where, 1, INTEGER, "Number", *parts(lib, first, last)),
            *(numbers[first - 1 : last].copy(), lib.out()),
        )
    lib.cg_particle_field_general_write(
        *(*where, 1, "Mass", REAL_DOUBLE, *parts(lib, 1, COUNT), REAL_DOUBLE),
        *(*parts(lib, COUNT, 1, COUNT), VALUES, lib.out()),
    )
    write = "cg_particle_sol_ptset_write"
    points = lib.a_size(3), lib.sizes([1, 4, 7])
    assert ask(lib, write, *where, "Some", LIST, *points, give="int") == 2
    ends = lib.a_size(2), lib.sizes([2, 5])
    assert ask(lib, write, *where, "Range", RANGE, *ends, give="int") == 3
    for solution, size in ((2, 3), (3, 4)):
        lib.cg_particle_field_write(
            *(*where, solution, REAL_DOUBLE, "Radius", VALUES[:size].copy(), lib.out())
        )
    lib.cg_biter_write(file, 1, "Steps", 1)
    lib.cg_piter_write(*where, "Pointers")
    lib.cg_goto(file, 1, "ParticleZone_t", 1, "ParticleIterativeData_t", 1, "end")
    lib.cg_array_write("Times", REAL_DOUBLE, 1, lib.sizes([1]), np.ones(1))
    lib.cg_descriptor_write("About", "one step")
    lib.cg_goto(file, 1, "ParticleZone_t", 1, "end")
    lib.cg_famname_write("Family")
    lib.cg_dataclass_write(2)
    lib.cg_close(file)


def read_structure(lib, path):
    file = writers.opened(lib, path, READ)
    sparks = file, 1, 3
    found = [ask(lib, "cg_nparticle_zones", file, 1, give="int")]
    found += [ask(lib, "cg_particle_read", file, 1, i, give="name size") for i in (1, 2, 3)]
    found += [
        ask(lib, "cg_particle_ncoord_nodes", *sparks, give="int"),
        ask(lib, "cg_particle_coord_node_read", *sparks, 2, give="name"),
        ask(lib, "cg_particle_bounding_box_read", *sparks, 1, REAL_SINGLE, give="float6"),
        status_of(lib, "cg_particle_bounding_box_read", *sparks, 2, REAL_SINGLE, give="float6"),
        ask(lib, "cg_particle_ncoords", *sparks, give="int"),
        ask(lib, "cg_particle_ncoords", file, 1, 1, give="int"),
        ask(lib, "cg_particle_coord_info", *sparks, 3, give="int name"),
        ask(lib, "cg_particle_nsols", *sparks, give="int"),
        ask(lib, "cg_particle_sol_info", *sparks, 3, give="name"),
        [ask(lib, "cg_particle_sol_size", *sparks, i, give="size") for i in (1, 2, 3)],
        [ask(lib, "cg_particle_sol_ptset_info", *sparks, i, give="int size") for i in (1, 2, 3)],
        ask(lib, "cg_particle_sol_ptset_read", *sparks, 2, give="size3"),
        status_of(lib, "cg_particle_sol_ptset_read", *sparks, 1, give="size3"),
        ask(lib, "cg_particle_nfields", *sparks, 1, give="int"),
        ask(lib, "cg_particle_field_info", *sparks, 1, 2, give="int name"),
        ask(lib, "cg_piter_read", *sparks, give="name"),
        status_of(lib, "cg_piter_read", file, 1, 1, give="name"),
    ]
    lib.cg_close(file)
    return found


STRUCTURE = [
    *(3, ("Drops", 5), ("None", 0), ("Sparks", COUNT), 2, "Later", [0, 1, 2, 3, 4, 5], 2, 3, 0),
    *((REAL_DOUBLE, "CoordinateZ"), 3, "Range", [COUNT, 3, 4], [(0, 0), (LIST, 3), (RANGE, 2)]),
    *([1, 4, 7], 1, 3, (INTEGER, "Number"), "Pointers", 2),
]


def read_values(lib, path):
    file = writers.opened(lib, path, READ)
    sparks = file, 1, 3
    some, memory = parts(lib, 2, 4), parts(lib, 5, 3, 5)

    def general(function, *what):
        arguments = *what, *some, REAL_SINGLE, *memory
        return ask(lib, function, *sparks, *arguments, give="float5")

    found = [
        ask(lib, "cg_particle_coord_read", *sparks, name, REAL_DOUBLE, *some, give="double3")
        for name in ("CoordinateX", "CoordinateY", "CoordinateZ")
    ]
    found += [
        ask(lib, "cg_particle_field_read", *sparks, 1, name, REAL_SINGLE, *some, give="float3")
        for name in ("Radius", "Number", "Mass")
    ]
    found.append(general("cg_particle_coord_general_read", "CoordinateX"))
    found.append(general("cg_particle_field_general_read", 1, "Radius"))
    lib.cg_close(file)
    return found


READ_VALUES = [
    *([1, 2, 3], [1.5, 2.5, 3.5], [3, 4, 5], [1, 2, 3], [1, 2, 3], [1, 2, 3]),
    *([-7, -7, 1, 2, 3], [-7, -7, 1, 2, 3]),
]


def test_same_file_as_other_libraries(tmp_path):
    compare_writers(tmp_path, particles, ["vtk"])


def test_structure_is_read(tmp_path):
    compare_readers(tmp_path, particles, read_structure, STRUCTURE, SINCE_4_5)


def test_values_are_read(tmp_path):
    compare_readers(tmp_path, particles, read_values, READ_VALUES, SINCE_4_5)


def test_general_writes_convert(tmp_path):
    """They convert to the type to be stored, whereas libcgns stores the type of the memory."""
    lib = library("ours")
    file = particle_zones(lib, tmp_path / "file.cgns")
    ask(lib, "cg_particle_sol_write", file, 1, 1, "Solution", give="int")
    memory = REAL_DOUBLE, *parts(lib, COUNT, 1, COUNT), VALUES
    for function, *where in (
        ("cg_particle_coord_general_write", "CoordinateX"),
        ("cg_particle_field_general_write", 1, "Mass"),
    ):
        what = *where, REAL_SINGLE, *parts(lib, 1, COUNT), *memory
        assert ask(lib, function, file, 1, 1, *what, give="int") == 1
    lib.cg_close(file)
    file = writers.opened(lib, tmp_path / "file.cgns", READ)
    found = ask(lib, "cg_particle_coord_info", file, 1, 3, 1, give="int name")
    assert found == (REAL_SINGLE, "CoordinateX")
    assert ask(lib, "cg_particle_field_info", file, 1, 3, 1, 1, give="int name")[0] == REAL_SINGLE
    lib.cg_close(file)


def test_a_bounding_box_of_a_wrong_form_does_not_reach_the_memory(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    particles(lib, path)
    with h5py.File(path, "r+") as file:
        grid = file["/Base/Sparks/ParticleCoordinates"]
        del grid[" data"]
        grid[" data"] = np.zeros((40, 3))
    file = writers.opened(lib, path, READ)
    with pytest.raises(CgnsError, match="a bounding box has 3 x 2 numbers"):
        ask(lib, "cg_particle_bounding_box_read", file, 1, 3, 1, REAL_DOUBLE, give="double6")
    lib.cg_close(file)


def test_ids_are_those_of_the_nodes(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    particles(lib, path)
    file = writers.opened(lib, path, READ)
    ids = [
        ask(lib, "cg_particle_id", file, 1, 3, give="double"),
        ask(lib, "cg_particle_coord_id", file, 1, 3, 1, give="double"),
        ask(lib, "cg_particle_sol_id", file, 1, 3, 1, give="double"),
        ask(lib, "cg_particle_field_id", file, 1, 3, 1, 1, give="double"),
    ]
    assert len(set(ids)) == 4
    assert ids[0] == ask(lib, "cg_particle_id", file, 1, 3, give="double")
    lib.cg_close(file)


WRONG = [
    ("cg_particle_coord_write", (INTEGER, "X", VALUES), "RealSingle or RealDouble"),
    ("cg_particle_field_write", (1, 5, "Text", VALUES), "not of type Character"),
    ("cg_particle_field_write", (4, REAL_DOUBLE, "X", VALUES), "index 4 of ParticleSolution_t"),
    ("cg_particle_coord_node_write", ("ParticleCoordinates",), "already"),
]


@pytest.mark.parametrize(("function", "arguments", "text"), WRONG)
def test_wrong_arguments(tmp_path, function, arguments, text):
    lib = library("ours")
    file = particle_zones(lib, tmp_path / "file.cgns")
    ask(lib, "cg_particle_coord_node_write", file, 1, 1, "ParticleCoordinates", give="int")
    ask(lib, "cg_particle_sol_write", file, 1, 1, "Solution", give="int")
    with pytest.raises(CgnsError, match=text):
        ask(lib, function, file, 1, 1, *arguments, give="int")
    lib.cg_close(file)


def test_wrong_sizes_and_ranges(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    particles(lib, path)
    file = writers.opened(lib, path, MODIFY)
    with pytest.raises(CgnsError, match="number of particles is -1"):
        ask(lib, "cg_particle_write", file, 1, "Bad", lib.a_size(-1), give="int")
    read = "cg_particle_coord_read"
    with pytest.raises(CgnsError, match=r"range 2..12 of dimension 1 is not within 1..10"):
        ask(
            *(lib, read, file, 1, 3, "CoordinateX", REAL_DOUBLE, *parts(lib, 2, 12)),
            give="double11",
        )
    what = "Nothing", REAL_DOUBLE, *parts(lib, 1, 2)
    assert status_of(lib, read, file, 1, 3, *what, give="double2") == 2
    with pytest.raises(CgnsError, match="PointRange has 2 points"):
        ask(
            *(lib, "cg_particle_sol_ptset_write", file, 1, 3, "Bad", RANGE),
            *(lib.a_size(3), lib.sizes([1, 2, 3])),
            give="int",
        )
    assert ask(lib, "cg_particle_nsols", file, 1, 3, give="int") == 3
    lib.cg_close(file)
