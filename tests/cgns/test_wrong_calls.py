"""Every function refuses wrong arguments: closed files, missing indices, wrong names. The error
names the function, and nothing changes."""

import re
import shutil
import sys

import numpy as np
import pytest
from cgns_libraries import MODIFY, READ, ROOT, WRITE, library
from cgns_trees import tree_by_h5py
from cgns_wrong_calls import CLOSED, TOO_HIGH, alone, everywhere, functions, wrong_calls
from on_ranks import require_ranks

from onecast import cgns

sys.path.append(str(ROOT / "tools"))

import cgns_tables

TABLES = cgns_tables.load()

SIZES = np.array([[4, 3, 0], [3, 2, 0], [2, 1, 0]], "i4", order="F")
POINT = np.array([[1], [1], [1]], "i4", order="F")
FACE = np.array([[1, 4], [1, 3], [1, 1]], "i4", order="F")


def data(name, count=24, dtype="f8"):
    return [name, np.zeros(count, dtype), [], "DataArray_t"]


def text(name, value, label):
    return [name, value, [], label]


def array(name, shape=(4, 3, 2)):
    return [name, np.zeros(shape, order="F"), [], "DataArray_t"]


def tree_of_all():
    """Writes a node at index 1 for each kind that functions find by an index."""
    at_point = ["PointList", POINT, [], "IndexArray_t"]
    sets = ["Set", "BCWall", [["DirichletData", None, [data("P", 1)], "BCData_t"]], "BCDataSet_t"]
    area = ["Area", None, [text("AreaType", "BleedArea", "AreaType_t")], "Area_t"]
    area[2] += [data("SurfaceArea", 1, "f4"), text("RegionName", "Hole".ljust(32), "DataArray_t")]
    wall = ["WallFunction", None, [], "WallFunction_t"]
    wall[2].append(text("WallFunctionType", "Generic", "WallFunctionType_t"))
    condition = ["Wall", "BCWall", [at_point, sets], "BC_t"]
    condition[2].append(["BCProperty", None, [wall, area], "BCProperty_t"])
    one_to_one = ["To itself", "Zone 1", [], "GridConnectivity1to1_t"]
    one_to_one[2] += [
        ["Transform", np.array([1, 2, 3], "i4"), [], '"int[IndexDimension]"'],
        ["PointRange", FACE, [], "IndexRange_t"],
        ["PointRangeDonor", FACE, [], "IndexRange_t"],
    ]
    general = ["General", "Zone 1", [at_point], "GridConnectivity_t"]
    general[2] += [
        text("GridConnectivityType", "Abutting1to1", "GridConnectivityType_t"),
        ["PointListDonor", POINT, [], "IndexArray_t"],
    ]
    hole = ["Hole", None, [at_point], "OversetHoles_t"]
    region = ["Region", np.array([3], "i4"), [at_point], "ZoneSubRegion_t"]
    zone = ["Zone 1", SIZES, [text("ZoneType", "Structured", "ZoneType_t")], "Zone_t"]
    zone[2] += [
        ["GridCoordinates", None, [array("CoordinateX")], "GridCoordinates_t"],
        ["Solution", None, [array("Pressure")], "FlowSolution_t"],
        ["Discrete", None, [array("Values")], "DiscreteData_t"],
        ["ZoneBC", None, [condition], "ZoneBC_t"],
        ["ZoneGridConnectivity", None, [one_to_one, general, hole], "ZoneGridConnectivity_t"],
        ["Rigid", "ConstantRate", [array("OriginLocation", (3, 2))], "RigidGridMotion_t"],
        ["Deforming", "DeformingGrid", [], "ArbitraryGridMotion_t"],
        region,
    ]
    section = ["Bars", np.array([3, 0], "i4"), [], "Elements_t"]
    section[2] += [
        ["ElementRange", np.array([1, 2], "i4"), [], "IndexRange_t"],
        ["ElementConnectivity", np.array([1, 2, 2, 3], "i4"), [], "DataArray_t"],
    ]
    elements = ["Zone 2", np.array([[3, 2, 0]], "i4"), [], "Zone_t"]
    elements[2] += [text("ZoneType", "Unstructured", "ZoneType_t"), section]
    shape = ["Shape", None, [["Part", None, [], "GeometryEntity_t"]], "GeometryReference_t"]
    shape[2] += [
        text("GeometryFile", "wing.igs", "GeometryFile_t"),
        text("GeometryFormat", "NASA-IGES", "GeometryFormat_t"),
    ]
    family = ["Wing", None, [text("Skin", "BCWall", "FamilyBC_t"), shape], "Family_t"]
    family[2].append(text("Also", "Body", "FamilyName_t"))
    particles = ["Drops", np.array([24], "i4"), [], "ParticleZone_t"]
    particles[2] += [
        ["ParticleCoordinates", None, [data("CoordinateX")], "ParticleCoordinates_t"],
        ["Solution", None, [data("Radius")], "ParticleSolution_t"],
    ]
    base = ["Base", np.array([3, 3], "i4"), [zone, elements, family, particles], "CGNSBase_t"]
    return ["CGNSTree", None, [base], "CGNSTree_t"]


@pytest.fixture
def path(tmp_path):
    library("ours")
    found = tmp_path / "file.cgns"
    cgns.save(found, tree_of_all())
    assert cgns.check(found) == []
    return found


# These texts may have any length; one is cut to its first 32 characters.
ACCEPTED = {
    ("cg_family_name_write", "family too long"),
    ("cg_geo_write", "filename too long"),
    ("cg_subreg_bcname_write", "bcname too long"),
    ("cg_subreg_gcname_write", "gcname too long"),
    ("cg_bc_area_write", "RegionName too long"),
}
# These are for a file that is open for writing only.
IN_ANY_MODE = {
    *("cg_version", "cg_precision", "cg_get_file_type", "cg_root_id", "cg_get_cgio"),
    *("cg_cell_dim", "cg_zone_type", "cg_index_dim", "cg_golist"),
}
ACCEPTED |= {(function, "mode") for function in IN_ANY_MODE}
NUMBERS = {"closed file": str(CLOSED), "too high": str(TOO_HIGH)}


def check(found):
    assert {call for call, (status, _) in found.items() if status == 0} <= ACCEPTED
    for (function, what), (status, said) in found.items():
        if status == 0 or function.startswith("cgio_"):
            continue
        assert said.startswith(f"{function}: "), (function, what)
        # Calls that do not fit the mode are refused before the indices are checked.
        if "not open for" not in said:
            number = next((n for end, n in NUMBERS.items() if what.endswith(end)), "")
            assert number in said, (function, what, said)


@pytest.mark.parametrize("mode", [READ, WRITE])
def test_wrong_arguments_are_refused(path, mode):
    check(wrong_calls("ours", mode, path))


def test_wrong_arguments_are_refused_in_files_of_ranks(path):
    require_ranks()
    check(wrong_calls("ours", MODIFY, path, "cgp_open"))


def test_nothing_changes_in_a_modified_file(path):
    """The exception are the accepted texts."""
    before = tree_by_h5py(path)
    check(wrong_calls("ours", MODIFY, path))
    made = {"family_name_write", "geo_write", "subreg_bcname_write", "subreg_gcname_write", "Area"}
    assert without(tree_by_h5py(path), made) == without(before, made)


def without(tree, names):
    *node, below = tree
    return [*node, [without(child, names) for child in below if child[0] not in names]]


# The CGNS library returns other numbers here. If the zone is missing, it counts 0. It finds no node
# where Onecast has an error, since numbers name the node, and the reverse if the node above is
# missing.
COUNTS = ("cg_ncoords", "cg_nholes", "cg_nconns", "cg_n1to1", "cg_nbocos", "cg_particle_ncoords")
NOT_FOUND = (
    *("cg_conn_average_read", "cg_conn_periodic_read", "cg_bc_wallfunction_read"),
    *("cg_bc_area_read", "cg_biter_read", "cg_ziter_read", "cg_piter_read"),
)
IDS = ("cg_coord_id", "cg_hole_id", "cg_conn_id", "cg_1to1_id", "cg_boco_id")
OTHERWISE = {
    ("cgio_open_file", "missing file"): "93, of the HDF5 library",
    ("cg_zone_type", "mode"): "refused",
    ("cg_part_read", "G is 0"): "reads what is before its memory",
    ("cg_golist", "closed file"): "goes nowhere, without an error",
    ("cg_ptset_write", "no position"): "CG_NO_INDEX_DIM",
    ("cg_gopath", "no path"): "CG_ERROR, where ours has CG_INCORRECT_PATH",
}


def is_otherwise(call, status):
    function, _ = call
    numbers = {0: COUNTS, 1: IDS, 2: NOT_FOUND}
    return call in OTHERWISE or function in numbers.get(status, ())


@pytest.mark.long
@pytest.mark.parametrize("mode", [READ, WRITE, MODIFY])
def test_same_results_as_another_library(path, mode):
    """Only calls that return are compared: the other library crashes in some."""
    library("vtk")
    other = path.with_name("other.cgns")
    shutil.copy(path, other)
    ours = wrong_calls("ours", mode, path)
    theirs = wrong_calls("vtk", mode, other)
    assert len(theirs) > 400
    different = {
        call: (ours[call][0], status)
        for call, (status, _) in theirs.items()
        if status not in ("signal", ours[call][0] & 0xFF) and not is_otherwise(call, status)
    }
    assert different == {}


# These take any arguments, or exist in Fortran only. The functions of names are in
# test_small_functions.
NEVER_FAIL = {
    *("cg_free", "cg_get_error", "cg_error_print", "cg_error_exit", "cg_error_handler", "cg_where"),
    *("cg_set_compress", "cg_get_compress", "cg_set_path", "cg_get_name", "cgp_error_exit"),
    *("cgp_mpi_info", "cgio_cleanup", "cgio_error_abort", "cgio_error_code", "cgio_error_exit"),
    *("cgio_error_message", "cgio_compute_data_size", "cgio_check_dimensions", "cgio_path_add"),
    *("cgio_copy_dimensions", "cg_goto_f08", "cg_gorel_f08"),
}
# These are tested in test_structure and in tests/mpi.
TESTED_ELSEWHERE = {"cg_goto", "cg_gorel", "cgp_mpi_comm"}


def test_every_function_is_called_wrongly():
    called = {name for name, _ in functions()} | set(everywhere())
    called.update(name for name, _, _ in alone(library("ours")))
    missing = {function.name for function in TABLES.functions} - called - NEVER_FAIL
    assert {name for name in missing if not re.fullmatch(r"cg_\w+Name", name)} == TESTED_ELSEWHERE
