"""Solutions and their fields, discrete data, subregions: files equal those of other libraries,
files of others are read, and wrong ones are refused."""

import ctypes

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import (
    CHARACTER,
    INTEGER,
    MODIFY,
    READ,
    REAL_DOUBLE,
    REAL_SINGLE,
    STOCK,
    CgnsError,
    library,
)
from cgns_programs import ask
from cgns_refusals import check_refused
from cgns_trees import compare_writers

VERTEX, CELL_CENTER, FACE_CENTER, I_FACE_CENTER, J_FACE_CENTER, K_FACE_CENTER = range(2, 8)
EDGE_CENTER = 8
POINT_LIST, POINT_RANGE, ELEMENT_RANGE = 2, 4, 6
CORE = writers.CORE
RANGE = [1, 1, 1, 2, 3, 1]
LIST = [1, 1, 1, 2, 2, 1, 3, 3, 1]


def whole(lib):
    return lib.sizes([1, 1, 1]), lib.sizes([4, 3, 2])


def solution(lib, file, name="FlowSolution", location=VERTEX, base=1, zone=1):
    return writers.number(lib, "cg_sol_write", file, base, zone, name, location)


def fields(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    assert solution(lib, file) == 1
    field = lib.out()
    at = (file, base, zone, 1)
    lib.cg_field_write(*at, REAL_DOUBLE, "Density", CORE, field)
    lib.cg_field_write(*at, INTEGER, "Iblank", np.arange(24, dtype=np.int32), field)
    lib.cg_field_write(*at, 6, "Number", np.arange(24), field)
    assert int(field) == 3
    for k in (1, 2):
        lib.cg_field_partial_write(
            *(*at, REAL_SINGLE, "Pressure", lib.sizes([1, 1, k]), lib.sizes([4, 3, k])),
            *(CORE[:12].astype(np.float32) + k, field),
        )
    lib.cg_field_write(*at, REAL_DOUBLE, "Density", CORE + 1, field)
    if lib.name == "ours":  # the other libraries return the number of fields
        assert int(field) == 1
    lib.cg_close(file)


def locations(lib, path):
    """Writes solutions at all possible locations, in zones of 1 to 3 dimensions of both types."""
    file = writers.opened(lib, path)
    for dimension in (1, 2, 3):
        base = writers.base_of(lib, file, f"Base{dimension}", dimension)
        zone = writers.structured_zone(lib, file, base, "Zone", writers.VERTICES[:dimension])
        for location in (VERTEX, CELL_CENTER, *(I_FACE_CENTER + i for i in range(dimension))):
            index = solution(lib, file, f"At {location}", location, base, zone)
            lib.cg_field_write(file, base, zone, index, REAL_DOUBLE, "Density", CORE, lib.out())
        zone = writers.unstructured_zone(lib, file, base, "Zone U")
        for location in (VERTEX, CELL_CENTER):
            index = solution(lib, file, f"At {location}", location, base, zone)
            lib.cg_field_write(file, base, zone, index, REAL_DOUBLE, "Density", CORE, lib.out())
    lib.cg_close(file)


def points_of_solutions(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    out = lib.out()
    for kind in ("sol", "discrete"):
        for number, (location, form, indices) in enumerate(
            [
                (CELL_CENTER, POINT_RANGE, RANGE),
                (VERTEX, POINT_LIST, LIST),
                (K_FACE_CENTER, POINT_LIST, [1, 1, 1]),
            ],
            1,
        ):
            getattr(lib, f"cg_{kind}_ptset_write")(
                *(file, base, zone, f"{kind} {number}", location, form),
                *(lib.a_size(len(indices) // 3), lib.sizes(indices), out),
            )
            assert int(out) == number
    field = lib.out()
    lib.cg_field_write(file, base, zone, 1, REAL_DOUBLE, "Density", CORE[:6], field)
    lib.cg_field_write(file, base, zone, 2, REAL_DOUBLE, "Density", CORE[:3], field)
    lib.cg_close(file)


def points_at_faces_and_edges(lib, path):
    """Stock libraries write such files, but open none."""
    file, base, zone = writers.one_zone(lib, path)
    for kind in ("sol", "discrete"):
        for location in (FACE_CENTER, EDGE_CENTER):
            getattr(lib, f"cg_{kind}_ptset_write")(
                *(file, base, zone, f"{kind} {location}", location, POINT_LIST),
                *(lib.a_size(1), lib.sizes([1, 1, 1]), lib.out()),
            )
    lib.cg_close(file)


def discrete_data(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    assert writers.number(lib, "cg_discrete_write", file, base, zone, "Discrete") == 1
    lib.cg_goto(file, base, "Zone_t", zone, "DiscreteData_t", 1, "end")
    lib.cg_array_write("Value", REAL_DOUBLE, 3, lib.sizes([4, 3, 2]), CORE)
    lib.cg_close(file)


def subregions(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    at, out = (file, base, zone), lib.out()
    write = lib.cg_subreg_ptset_write
    write(*at, "Wall", 2, VERTEX, POINT_RANGE, lib.a_size(2), lib.sizes(RANGE), out)
    write(*at, "Faces", 2, FACE_CENTER, POINT_LIST, lib.a_size(3), lib.sizes(LIST), out)
    write(*at, "Edges", 1, EDGE_CENTER, POINT_LIST, lib.a_size(3), lib.sizes(LIST), out)
    lib.cg_subreg_bcname_write(*at, "Inlet", 2, "BC 1", out)
    lib.cg_subreg_gcname_write(*at, "Interface", 2, "ZoneGridConnectivity/A", out)
    assert int(out) == 5
    lib.cg_goto(file, base, "Zone_t", zone, "ZoneSubRegion_t", 1, "end")
    lib.cg_array_write("Heat", REAL_DOUBLE, 1, lib.sizes([6]), CORE[:6])
    lib.cg_close(file)


def with_rind(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    solution(lib, file, "Cells", CELL_CENTER)
    lib.cg_goto(file, base, "Zone_t", zone, "FlowSolution_t", 1, "end")
    lib.cg_rind_write(np.array([1, 1, 0, 1, 0, 0], np.int32))
    at, field = (file, base, zone, 1), lib.out()
    lib.cg_field_write(*at, REAL_DOUBLE, "Whole", CORE[:15], field)
    for low, high in (([0, 1, 1], [4, 1, 1]), ([0, 2, 1], [4, 3, 1])):
        count = 5 * (high[1] - low[1] + 1)
        lib.cg_field_partial_write(
            *at, REAL_DOUBLE, "Parts", lib.sizes(low), lib.sizes(high), CORE[:count], field
        )
    lib.cg_close(file)


PROGRAMS = [
    fields,
    locations,
    points_of_solutions,
    points_at_faces_and_edges,
    discrete_data,
    subregions,
    with_rind,
]


@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
def test_same_file_as_other_libraries(tmp_path, write):
    compare_writers(tmp_path, write)


def test_fields_are_read(lib, written):
    file = written(fields)
    at = (file, 1, 1, 1)
    assert writers.number(lib, "cg_nsols", file, 1, 1) == 1
    assert writers.number(lib, "cg_nfields", *at) == 4
    kind, name = lib.out(), lib.text()
    lib.cg_field_info(*at, 4, kind, name)
    assert (int(kind), writers.text(name)) == (REAL_SINGLE, "Pressure")
    values = np.zeros(24)
    lib.cg_field_read(*at, "Density", REAL_DOUBLE, *whole(lib), values)
    assert values.tolist() == (CORE + 1).tolist()
    lib.cg_field_read(*at, "Pressure", REAL_DOUBLE, *whole(lib), values)
    assert values[[0, 12]].tolist() == [1, 2]
    memory = np.full(9, -1, np.int32)
    lib.cg_field_general_read(
        *(*at, "Iblank", lib.sizes([1, 1, 2]), lib.sizes([2, 2, 2]), INTEGER),
        *(2, lib.sizes([3, 3]), lib.sizes([2, 1]), lib.sizes([3, 2]), memory),
    )
    assert memory.tolist() == [-1, 12, 13, -1, 16, 17, -1, -1, -1]
    node, other = lib.out(ctypes.c_double), lib.out(ctypes.c_double)
    lib.cg_sol_id(file, 1, 1, 1, node)
    lib.cg_field_id(*at, 1, other)
    assert node.value not in (0, other.value)
    with pytest.raises(CgnsError, match="has no Absent") as error:
        lib.cg_field_read(*at, "Absent", REAL_DOUBLE, *whole(lib), values)
    assert error.value.status == 2
    with pytest.raises(CgnsError, match=r"range 1\.\.5 of dimension 1"):
        lib.cg_field_read(
            *at, "Density", REAL_DOUBLE, lib.sizes([1, 1, 1]), lib.sizes([5, 1, 1]), values
        )


def test_field_is_written_in_a_box_of_memory(lib, tmp_path):
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    solution(lib, file)
    memory = np.arange(16, dtype=np.float64)
    lib.cg_field_general_write(
        *(file, base, zone, 1, "Density", REAL_SINGLE, lib.sizes([2, 2, 2])),
        *(lib.sizes([3, 3, 2]), REAL_DOUBLE, 2, lib.sizes([4, 4])),
        *(lib.sizes([2, 2]), lib.sizes([3, 3]), memory, lib.out()),
    )
    lib.cg_close(file)
    with h5py.File(path) as stored:
        data = stored["Base/Zone 1/FlowSolution/Density/ data"]
        assert data.dtype == np.float32
        assert data[1, 1:3, 1:3].tolist() == [[5, 6], [9, 10]]


@pytest.mark.parametrize("complex_type", [7, 8])
def test_complex_fields(lib, tmp_path, complex_type):
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    solution(lib, file)
    values = (CORE + 1j).astype(np.complex64 if complex_type == 7 else np.complex128)
    lib.cg_field_write(file, base, zone, 1, complex_type, "Wave", values, lib.out())
    lib.cg_close(file)
    stock = library("vtk")
    file = writers.opened(stock, path, READ)
    found = np.zeros_like(values)
    stock.cg_field_read(file, 1, 1, 1, "Wave", complex_type, *whole(stock), found)
    assert found.tolist() == values.tolist()
    stock.cg_close(file)


def test_locations_and_sizes(lib, written):
    file = written(locations)
    for dimension in (1, 2, 3):
        vertices = writers.VERTICES[:dimension]
        cells = [n - 1 for n in vertices]
        for index in range(1, 3 + dimension):
            name, location = lib.text(), lib.out()
            lib.cg_sol_info(file, dimension, 1, index, name, location)
            at = int(location)
            assert writers.text(name) == f"At {at}"
            extents = list(vertices if at == VERTEX else cells)
            if at >= I_FACE_CENTER:
                extents[at - I_FACE_CENTER] += 1
            rank, found = lib.out(), lib.sizes([0] * 3)
            lib.cg_sol_size(file, dimension, 1, index, rank, found)
            assert found[: int(rank)].tolist() == extents


@pytest.mark.parametrize("kind", ["sol", "discrete"])
def test_points_are_read(lib, written, kind):
    file = written(points_of_solutions)
    for index, (form, points, size) in enumerate(
        [(POINT_RANGE, RANGE, 6), (POINT_LIST, LIST, 3)], 1
    ):
        at = (file, 1, 1, index)
        found, count = lib.out(), lib.out(ctypes.c_int64)
        getattr(lib, f"cg_{kind}_ptset_info")(*at, found, count)
        assert (int(found), int(count)) == (form, len(points) // 3)
        indices = lib.sizes([0] * 9)
        getattr(lib, f"cg_{kind}_ptset_read")(*at, indices)
        assert indices[: len(points)].tolist() == points
        rank, extents = lib.out(), lib.sizes([0] * 3)
        getattr(lib, f"cg_{kind}_size")(*at, rank, extents)
        assert (int(rank), extents[0]) == (1, size)


def test_points_at_faces_and_edges_are_read(lib, written):
    file = written(points_at_faces_and_edges)
    for index, location in enumerate((FACE_CENTER, EDGE_CENTER), 1):
        found = lib.out()
        lib.cg_sol_info(file, 1, 1, index, lib.text(), found)
        assert int(found) == location


def test_discrete_data_is_read(lib, written):
    file = written(discrete_data)
    assert writers.number(lib, "cg_ndiscrete", file, 1, 1) == 1
    name = lib.text()
    lib.cg_discrete_read(file, 1, 1, 1, name)
    assert writers.text(name) == "Discrete"
    form, count = lib.out(), lib.out(ctypes.c_int64)
    lib.cg_discrete_ptset_info(file, 1, 1, 1, form, count)
    assert (int(form), int(count)) == (0, 0)
    with pytest.raises(CgnsError, match="has no points"):
        lib.cg_discrete_ptset_read(file, 1, 1, 1, lib.sizes([0] * 6))
    rank, extents = lib.out(), lib.sizes([0] * 3)
    lib.cg_discrete_size(file, 1, 1, 1, rank, extents)
    assert extents.tolist() == [4, 3, 2]


def test_subregions_are_read(lib, written):
    file = written(subregions)
    assert writers.number(lib, "cg_nsubregs", file, 1, 1) == 5
    found = []
    for index in range(1, 6):
        name, outs = lib.text(), [lib.out() for _ in range(3)]
        count, lengths = lib.out(ctypes.c_int64), [lib.out(), lib.out()]
        lib.cg_subreg_info(file, 1, 1, index, name, *outs, count, *lengths)
        found.append((writers.text(name), *map(int, (*outs, count, *lengths))))
    assert found == [
        ("Wall", 2, VERTEX, POINT_RANGE, 2, 0, 0),
        ("Faces", 2, FACE_CENTER, POINT_LIST, 3, 0, 0),
        ("Edges", 1, EDGE_CENTER, POINT_LIST, 3, 0, 0),
        ("Inlet", 2, VERTEX, 0, 0, 4, 0),
        ("Interface", 2, VERTEX, 0, 0, 0, 22),
    ]
    points = lib.sizes([0] * 9)
    lib.cg_subreg_ptset_read(file, 1, 1, 2, points)
    assert points.tolist() == LIST
    region = lib.text()
    lib.cg_subreg_bcname_read(file, 1, 1, 4, region)
    assert writers.text(region) == "BC 1"
    lib.cg_subreg_gcname_read(file, 1, 1, 5, region)
    assert writers.text(region) == "ZoneGridConnectivity/A"
    for function in ("bcname", "gcname"):
        with pytest.raises(CgnsError, match="has no"):
            getattr(lib, f"cg_subreg_{function}_read")(file, 1, 1, 1, region)


def test_rind_is_below_the_core(lib, written):
    file = written(with_rind)
    rank, extents = lib.out(), lib.sizes([0] * 3)
    lib.cg_sol_size(file, 1, 1, 1, rank, extents)
    assert extents.tolist() == [5, 3, 1]
    core = np.zeros(6)
    lib.cg_field_read(
        *(file, 1, 1, 1, "Whole", REAL_DOUBLE),
        *(lib.sizes([1, 1, 1]), lib.sizes([3, 2, 1]), core),
    )
    assert core.tolist() == [1, 2, 3, 6, 7, 8]


# All 5 x 3 x 1 elements, given by numbers that include the rind, by those that programs used before
# rind existed, and by any others.
WHOLE = [([0, 1, 1], [4, 3, 1]), ([1, 1, 1], [5, 3, 1]), ([7, -3, 9], [11, -1, 9])]


@pytest.mark.parametrize("reader", ["ours", "vtk"])
@pytest.mark.parametrize("whole", WHOLE)
def test_a_range_as_long_as_the_array_is_all_of_it(tmp_path, reader, whole):
    """This applies to reads. A write goes to the given place."""
    path, lib = tmp_path / "file.cgns", library(reader)
    with_rind(library("ours"), path)
    file = writers.opened(lib, path, READ)
    low, high = map(lib.sizes, whole)
    memory = (REAL_DOUBLE, 3, lib.sizes([5, 3, 1]), lib.sizes([1, 1, 1]), lib.sizes([5, 3, 1]))
    lib.cg_goto(file, 1, "Zone_t", 1, "FlowSolution_t", 1, "end")
    for read in (
        lambda found: lib.cg_field_read(
            *(file, 1, 1, 1, "Whole", REAL_DOUBLE, low, high, found),
        ),
        lambda found: lib.cg_field_general_read(
            *(file, 1, 1, 1, "Whole", low, high, *memory, found),
        ),
        lambda found: lib.cg_array_general_read(1, low, high, *memory, found),
    ):
        found = np.zeros(15)
        read(found)
        assert found.tolist() == CORE[:15].tolist()
    lib.cg_close(file)
    file = writers.opened(lib, path, MODIFY)
    if whole != WHOLE[0]:
        with pytest.raises(CgnsError):
            lib.cg_field_partial_write(
                file, 1, 1, 1, REAL_DOUBLE, "Whole", low, high, CORE, lib.out()
            )
    lib.cg_close(file)


@pytest.mark.parametrize("name", ["ours", *STOCK])
def test_names_of_regions_are_no_descriptors(tmp_path, name):
    path, lib = tmp_path / "file.cgns", library(name)
    subregions(lib, path)
    file = writers.opened(lib, path, MODIFY)
    for region in (4, 5):
        lib.cg_goto(file, 1, "Zone_t", 1, "ZoneSubRegion_t", region, "end")
        assert writers.number(lib, "cg_ndescriptors") == 0
        lib.cg_descriptor_write("About", "a text")
        assert writers.number(lib, "cg_ndescriptors") == 1
        assert ask(lib, "cg_descriptor_read", 1, give="name copy") == ("About", "a text")
    lib.cg_close(file)


def begin(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    solution(lib, file)
    lib.cg_field_write(file, base, zone, 1, REAL_DOUBLE, "Density", CORE, lib.out())
    return file, base, zone


def field(kind, name="New", index=1):
    return lambda lib, *at: lib.cg_field_write(*at, index, kind, name, CORE, lib.out())


def points(form, count, indices=(1, 1, 1, 1, 1, 1), location=VERTEX):
    return lambda lib, *at: lib.cg_sol_ptset_write(
        *at, "New", location, form, lib.a_size(count), lib.sizes(indices), lib.out()
    )


def subregion(dimension, location):
    return lambda lib, *at: lib.cg_subreg_ptset_write(
        *(*at, "New", dimension, location, POINT_LIST, lib.a_size(1), lib.sizes([1, 1, 1])),
        lib.out(),
    )


def region(dimension, name):
    return lambda lib, *at: lib.cg_subreg_bcname_write(*at, "New", dimension, name, lib.out())


REFUSED = {
    "name that exists": (
        lambda lib, *at: solution(lib, at[0]),
        "name 'FlowSolution' already",
    ),
    "null location": (lambda lib, *at: solution(lib, at[0], "New", 0), "location Null"),
    "no such location": (lambda lib, *at: solution(lib, at[0], "New", 9), "9 is no value"),
    "solution at faces": (
        lambda lib, *at: solution(lib, at[0], "New", FACE_CENTER),
        "needs points",
    ),
    "faces in a direction of an unstructured zone": (
        lambda lib, *at: solution(
            lib, at[0], "New", I_FACE_CENTER, zone=writers.unstructured_zone(lib, *at[:2], "U")
        ),
        "structured zones only",
    ),
    "characters": (field(CHARACTER), "not of type Character"),
    "other type than the existing field": (field(REAL_SINGLE, "Density"), "another type"),
    "no such solution": (field(REAL_DOUBLE, "New", 2), "index 2 of FlowSolution_t"),
    "part out of range": (
        lambda lib, *at: lib.cg_field_partial_write(
            *(*at, 1, REAL_DOUBLE, "New", lib.sizes([1, 1, 1]), lib.sizes([5, 1, 1])),
            *(CORE, lib.out()),
        ),
        "range 1..5 of dimension 1",
    ),
    "range of one point": (points(POINT_RANGE, 1), "2 points"),
    "empty list": (points(POINT_LIST, 0), "1 or more, not 0"),
    "elements": (points(ELEMENT_RANGE, 2), "not as ElementRange"),
    "points at no location": (points(POINT_LIST, 1, location=1), "location UserDefined"),
    "subregion of no dimension": (subregion(0, VERTEX), "dimension 0 of a subregion"),
    "subregion of too many dimensions": (subregion(4, VERTEX), "dimension 4 of a subregion"),
    "line at faces": (subregion(1, FACE_CENTER), "no points at FaceCenter"),
    "region without a name": (region(2, ""), "is empty"),
    "region of no dimension": (region(0, "BC"), "dimension 0"),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path, call, text):
    check_refused(tmp_path, begin, call, text)


@pytest.mark.parametrize(
    "function",
    ["nsols", "ndiscrete", "nsubregs", "nzconns", "nholes", "nconns", "n1to1", "nbocos"],
)
def test_new_file_is_not_read(tmp_path, function):
    def count(lib, *at):
        return writers.number(lib, f"cg_{function}", *at)

    check_refused(tmp_path, begin, count, "not open for reading")


def test_file_open_for_reading_is_not_written(lib, tmp_path):
    path = tmp_path / "file.cgns"
    fields(lib, path)
    file = writers.opened(lib, path, READ)
    for write in (
        lambda: solution(lib, file, "New"),
        lambda: field(REAL_DOUBLE)(lib, file, 1, 1),
        lambda: region(2, "BC")(lib, file, 1, 1),
        lambda: writers.number(lib, "cg_discrete_write", file, 1, 1, "New"),
        lambda: writers.number(lib, "cg_zconn_write", file, 1, 1, "New"),
    ):
        with pytest.raises(CgnsError, match="not open for writing"):
            write()
    lib.cg_close(file)


def test_points_that_do_not_fit_are_refused(lib, tmp_path):
    """A point list in a damaged file does not overrun a program's memory for it."""
    path = tmp_path / "file.cgns"
    points_of_solutions(lib, path)
    with h5py.File(path, "r+") as stored:
        node = stored["Base/Zone 1/sol 2/PointList"]
        del node[" data"]
        node[" data"] = np.ones((3, 1000), np.int64)
    file = writers.opened(lib, path, READ)
    with pytest.raises(CgnsError, match="does not hold points of 3 indices"):
        lib.cg_sol_ptset_read(file, 1, 1, 2, lib.sizes([0] * 9))
    with pytest.raises(CgnsError, match="does not hold points of 3 indices"):
        lib.cg_sol_size(file, 1, 1, 2, lib.out(), lib.sizes([0] * 3))
    lib.cg_close(file)
