"""Small nodes at the current position: histories, states, units, classes, locations, points"""

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import MODIFY, READ, REAL_DOUBLE, REAL_SINGLE, WRITE, CgnsError, library
from cgns_programs import ask, compare_readers, status_of
from cgns_trees import compare_writers

END = "end"
VERTEX, CELL, FACE, I_FACE = 2, 3, 4, 5
LIST, LIST_DONOR, RANGE = 2, 3, 4
RIND = np.array([1, 1, 0, 0, 0, 0], np.int32)
POINTS = [1, 1, 1, 2, 2, 2, 3, 3, 2]
USER = ("Zone_t", 1, "UserDefinedData_t", 1)
ARRAY = (*USER, "DataArray_t", 1)


def small_nodes(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    lib.cg_goto(file, base, END)
    lib.cg_convergence_write(10, "L2 of density")
    lib.cg_state_write("free stream")
    lib.cg_units_write(2, 2, 2, 2, 3)
    lib.cg_dataclass_write(2)
    lib.cg_integral_write("Loads")
    lib.cg_user_data_write("More")
    lib.cg_goto(file, base, "UserDefinedData_t", 1, END)
    lib.cg_ordinal_write(5)
    lib.cg_goto(file, base, "Zone_t", 1, END)
    lib.cg_convergence_write(20, "")
    lib.cg_state_write("")
    lib.cg_unitsfull_write(2, 3, 2, 3, 2, 6, 2, 4)
    lib.cg_ordinal_write(7)
    lib.cg_user_data_write("Probes")
    lib.cg_goto(file, base, *USER, END)
    lib.cg_array_write("Pressure", REAL_DOUBLE, 1, lib.sizes([3]), np.ones(3))
    lib.cg_array_write("Time", REAL_SINGLE, 1, lib.sizes([3]), np.ones(3, np.float32))
    lib.cg_ptset_write(LIST, lib.a_size(3), lib.sizes(POINTS))
    lib.cg_gridlocation_write(CELL)
    lib.cg_goto(file, base, *ARRAY, END)
    lib.cg_expfull_write(REAL_DOUBLE, np.arange(8.0))
    lib.cg_conversion_write(REAL_DOUBLE, np.array([0.5, 3.0]))
    lib.cg_goto(file, base, *USER, "DataArray_t", 2, END)
    lib.cg_exponents_write(REAL_SINGLE, np.arange(5, dtype=np.float32))
    lib.cg_conversion_write(REAL_SINGLE, np.array([2.0, 1.0], np.float32))
    ask(lib, "cg_grid_write", file, base, zone, "GridCoordinates", give="int")
    lib.cg_goto(file, base, "Zone_t", 1, "GridCoordinates_t", 1, END)
    lib.cg_rind_write(RIND)
    lib.cg_close(file)


AT_BASE = {
    ("cg_convergence_read", "int copy"): (10, "L2 of density"),
    ("cg_state_read", "copy"): "free stream",
    ("cg_nunits", "int"): 5,
    ("cg_units_read", "int " * 5): (2, 2, 2, 2, 3),
    ("cg_unitsfull_read", "int " * 8): (2, 2, 2, 2, 3, 0, 0, 0),
    ("cg_dataclass_read", "int"): 2,
    ("cg_nintegrals", "int"): 1,
    ("cg_nuser_data", "int"): 1,
}
AT_ZONE = {
    ("cg_convergence_read", "int copy"): (20, ""),
    ("cg_state_read", "copy"): "",
    ("cg_nunits", "int"): 8,
    ("cg_units_read", "int " * 5): (2, 3, 2, 3, 2),
    ("cg_unitsfull_read", "int " * 8): (2, 3, 2, 3, 2, 6, 2, 4),
    ("cg_ordinal_read", "int"): 7,
    ("cg_nintegrals", "int"): 0,
}
AT_USER = {
    ("cg_ptset_info", "int size"): (LIST, 3),
    ("cg_ptset_read", "size9"): POINTS,
    ("cg_gridlocation_read", "int"): CELL,
    ("cg_ordinal_read", "int"): 0,
}
AT_ARRAYS = {
    ("cg_nexponents", "int"): (8, 5),
    ("cg_exponents_info", "int"): (REAL_DOUBLE, REAL_SINGLE),
    ("cg_conversion_info", "int"): (REAL_DOUBLE, REAL_SINGLE),
}
FOUND = [
    *(list(AT_BASE.values()), "Loads", "More", 5, list(AT_ZONE.values()), list(AT_USER.values())),
    *([each[0] for each in AT_ARRAYS.values()], [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4]),
    *([0.5, 3.0], [each[1] for each in AT_ARRAYS.values()], [0, 1, 2, 3, 4, 0, 0, 0], [2.0, 1.0]),
    RIND.tolist(),
]


def read_small_nodes(lib, path):
    def at(table):
        return [ask(lib, function, give=give) for function, give in table]

    file = writers.opened(lib, path, READ)
    lib.cg_goto(file, 1, END)
    found = [
        at(AT_BASE),
        ask(lib, "cg_integral_read", 1, give="name"),
        ask(lib, "cg_user_data_read", 1, give="name"),
    ]
    lib.cg_goto(file, 1, "UserDefinedData_t", 1, END)
    found.append(ask(lib, "cg_ordinal_read", give="int"))
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    found.append(at(AT_ZONE))
    lib.cg_goto(file, 1, *USER, END)
    found.append(at(AT_USER))
    lib.cg_goto(file, 1, *ARRAY, END)
    found += [
        at(AT_ARRAYS),
        ask(lib, "cg_expfull_read", give="double8"),
        ask(lib, "cg_exponents_read", give="double5"),
        ask(lib, "cg_conversion_read", give="double2"),
    ]
    lib.cg_goto(file, 1, *USER, "DataArray_t", 2, END)
    found += [
        at(AT_ARRAYS),
        ask(lib, "cg_expfull_read", give="float8"),
        ask(lib, "cg_conversion_read", give="float2"),
    ]
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, END)
    found.append(ask(lib, "cg_rind_read", give="int6"))
    lib.cg_close(file)
    return found


def locations_and_ranges(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    writers.unstructured_zone(lib, file, base, "Tets")
    lib.cg_goto(file, base, "Tets", 0, END)
    lib.cg_user_data_write("Range")
    lib.cg_gorel(file, "Range", 0, END)
    lib.cg_ptset_write(RANGE, lib.a_size(2), lib.sizes([3, 5]))
    lib.cg_gridlocation_write(FACE)
    lib.cg_goto(file, base, "Zone_t", zone, END)
    lib.cg_user_data_write("Faces")
    lib.cg_gorel(file, "Faces", 0, END)
    lib.cg_gridlocation_write(I_FACE)
    lib.cg_close(file)


def written_again(lib, path):
    """Replaces single nodes of a file that is modified."""
    small_nodes(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    lib.cg_units_write(3, 3, 2, 2, 2)
    lib.cg_ordinal_write(8)
    lib.cg_convergence_write(30, "again")
    lib.cg_goto(file, 1, *USER, END)
    lib.cg_ptset_write(RANGE, lib.a_size(2), lib.sizes([1, 1, 1, 2, 2, 1]))
    lib.cg_close(file)


@pytest.mark.parametrize("write", [small_nodes, locations_and_ranges, written_again])
def test_same_file_as_other_libraries(tmp_path, write):
    compare_writers(tmp_path, write)


def test_small_nodes_are_read(tmp_path):
    compare_readers(tmp_path, small_nodes, read_small_nodes, FOUND)


def small_file(path, mode=WRITE):
    """Opens a file of small nodes with Onecast's library."""
    lib = library("ours")
    if mode == WRITE:
        file, _, _ = writers.one_zone(lib, path)
        lib.cg_goto(file, 1, "Zone_t", 1, END)
        lib.cg_user_data_write("Probes")
    else:
        small_nodes(lib, path)
        file = writers.opened(lib, path, mode)
    return lib, file


NO_CHILD = [
    ((), "cg_ordinal_write", (1,)),
    ((), "cg_gridlocation_write", (VERTEX,)),
    ((), "cg_exponents_write", (REAL_SINGLE, np.ones(5, np.float32))),
    ((), "cg_conversion_write", (REAL_SINGLE, np.ones(2, np.float32))),
    (("Zone_t", 1), "cg_rind_write", (RIND,)),
    (USER, "cg_convergence_write", (1, "")),
    (USER, "cg_state_write", ("",)),
    (USER, "cg_integral_write", ("Loads",)),
]


@pytest.mark.parametrize(("position", "function", "arguments"), NO_CHILD)
def test_refuses_what_cannot_stand_there(tmp_path, position, function, arguments):
    lib, file = small_file(tmp_path / "file.cgns")
    lib.cg_goto(file, 1, *position, END)
    assert status_of(lib, function, *arguments) == 3
    lib.cg_close(file)


WRONG = [
    ("cg_units_write", (2, 2, 2, 2, 9), "9 is no value"),
    ("cg_unitsfull_write", (2, 2, 2, 2, 2, 2, 2, 9), "9 is no value"),
    ("cg_dataclass_write", (77,), "77 is no value"),
    ("cg_gridlocation_write", (77,), "77 is no value"),
    ("cg_ptset_write", (LIST, 0, POINTS), "PointList 1 or more, not 0"),
    (
        "cg_ptset_write",
        (RANGE, 3, POINTS),
        "PointRange has 2 points and a PointList 1 or more, not 3",
    ),
    ("cg_ptset_write", (LIST_DONOR, 2, POINTS), "not as PointListDonor"),
]


@pytest.mark.parametrize(("function", "arguments", "text"), WRONG)
def test_wrong_arguments(tmp_path, function, arguments, text):
    lib, file = small_file(tmp_path / "file.cgns")
    lib.cg_goto(file, 1, *USER, END)
    if function == "cg_ptset_write":
        kind, count, points = arguments
        arguments = (kind, lib.a_size(count), lib.sizes(points))
    with pytest.raises(CgnsError, match=text):
        ask(lib, function, *arguments, give="")
    assert status_of(lib, "cg_gorel", file, "PointList", 0, END) != 0, "nothing was written"
    lib.cg_close(file)


def test_exponents_are_real_numbers(tmp_path):
    lib, file = small_file(tmp_path / "file.cgns", MODIFY)
    lib.cg_goto(file, 1, *ARRAY, END)
    with pytest.raises(CgnsError, match="RealSingle or RealDouble"):
        lib.cg_exponents_write(2, RIND)
    with pytest.raises(CgnsError, match="RealSingle or RealDouble"):
        lib.cg_conversion_write(2, RIND)
    assert ask(lib, "cg_nexponents", give="int") == 8
    lib.cg_close(file)


def replaced(path, node, values):
    """Writes a file of small nodes in which one node has another value of a wrong form."""
    lib = library("ours")
    small_nodes(lib, path)
    with h5py.File(path, "r+") as file:
        del file[node][" data"]
        file[node][" data"] = values
        file[node].attrs.modify("type", np.bytes_({"c": "X8", "i": "I4"}[values.dtype.kind]))
    return lib, writers.opened(lib, path, READ)


PROBES = "/Base/Zone 1/Probes"
DAMAGED = [
    *(f"{PROBES}/Pressure/{node}" for node in ("DimensionalExponents", "DataConversion")),
    *("/Base/GlobalConvergenceHistory", "/Base/Zone 1/GridCoordinates/Rind", f"{PROBES}/PointList"),
]


@pytest.mark.parametrize("node", DAMAGED)
def test_values_of_a_wrong_form_do_not_reach_the_memory(tmp_path, node):
    real = node.startswith(f"{PROBES}/Pressure")
    values = np.zeros(5, np.complex128) if real else np.zeros(77, np.int32)
    lib, file = replaced(tmp_path / "file.cgns", node, values)
    lib.cg_gopath(file, node.rpartition("/")[0])
    for function, give in {
        "DimensionalExponents": ("cg_exponents_read", "double5"),
        "DataConversion": ("cg_conversion_read", "double2"),
        "GlobalConvergenceHistory": ("cg_convergence_read", "int copy"),
        "Rind": ("cg_rind_read", "int6"),
        "PointList": ("cg_ptset_info", "int size"),
    }.items():
        if node.endswith(function):
            with pytest.raises(CgnsError, match=node):
                ask(lib, give[0], give=give[1])
    lib.cg_close(file)


def test_what_is_not_there_is_not_found(tmp_path):
    lib, file = small_file(tmp_path / "file.cgns", READ)
    lib.cg_goto(file, 1, *USER, END)
    for function, give in [
        ("cg_nunits", "int"),
        ("cg_dataclass_read", "int"),
        ("cg_units_read", "int " * 5),
    ]:
        assert status_of(lib, function, give=give) == 2
    assert status_of(lib, "cg_user_data_read", 4, give="name") == 2
    lib.cg_goto(file, 1, "UserDefinedData_t", 1, END)
    assert status_of(lib, "cg_ptset_info", give="int size") == 2
    lib.cg_close(file)


def test_points_need_a_zone(tmp_path):
    lib, file = small_file(tmp_path / "file.cgns", MODIFY)
    lib.cg_goto(file, 1, "UserDefinedData_t", 1, END)
    points = lib.a_size(3), lib.sizes(POINTS)
    assert status_of(lib, "cg_ptset_write", LIST, *points) == 4
    with pytest.raises(CgnsError, match="structured zones only"):
        lib.cg_gridlocation_write(I_FACE)
    lib.cg_close(file)


def test_rind_must_fit_the_arrays_that_are_there(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, END)
    with pytest.raises(CgnsError, match="CoordinateX has other dimensions"):
        lib.cg_rind_write(RIND)
    assert ask(lib, "cg_rind_read", give="int6") == [0] * 6
    lib.cg_rind_write(RIND * 0)
    with pytest.raises(CgnsError, match="below 0"):
        lib.cg_rind_write(-RIND)
    lib.cg_close(file)


def test_new_files_have_single_nodes_once(tmp_path):
    lib, file = small_file(tmp_path / "file.cgns")
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    for function, arguments in [
        ("cg_ordinal_write", (1,)),
        ("cg_state_write", ("x",)),
        ("cg_convergence_write", (1, "x")),
        ("cg_units_write", (2, 2, 2, 2, 2)),
        ("cg_dataclass_write", (2,)),
    ]:
        assert status_of(lib, function, *arguments) == 0
        with pytest.raises(CgnsError, match="already: /Base/Zone 1/"):
            getattr(lib, function)(*arguments)
    lib.cg_close(file)
