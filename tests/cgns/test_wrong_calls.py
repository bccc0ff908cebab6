"""Every function refuses wrong arguments: closed files, indices that are not there, names that are
none. Its text names it, and nothing changes."""

import shutil

import numpy as np
import pytest
from cgns_libraries import MODIFY, READ, library
from cgns_trees import tree_by_h5py
from cgns_wrong_calls import everywhere, functions, wrong_calls

from onecast import cgns

SIZES = np.array([[4, 3, 0], [3, 2, 0], [2, 1, 0]], "i4", order="F")
POINT = np.array([[1], [1], [1]], "i4", order="F")
FACE = np.array([[1, 4], [1, 3], [1, 1]], "i4", order="F")
VECTOR = np.zeros(3, "f4")


def data(name, count=24, dtype="f8"):
    return [name, np.zeros(count, dtype), [], "DataArray_t"]


def text(name, value, label):
    return [name, value, [], label]


def array(name, shape=(4, 3, 2)):
    return [name, np.zeros(shape, order="F"), [], "DataArray_t"]


def tree_of_all():
    """A node at index 1 of each kind that functions find by an index."""
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
        ["Rigid", "ConstantRate", [data("OriginLocation", 6)], "RigidGridMotion_t"],
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


# What may be NULL, or of any length.
ACCEPTED = set()


@pytest.mark.parametrize("mode", [READ, MODIFY])
def test_wrong_arguments_are_refused(path, mode):
    before = tree_by_h5py(path)
    found = wrong_calls("ours", mode, path)
    assert {call for call, (status, _) in found.items() if status == 0} <= ACCEPTED
    for (function, what), (status, said) in found.items():
        if status != 0 and not function.startswith("cgio_"):
            assert said.startswith(f"{function}: "), (function, what)
            assert "too high" not in what or "99" in said, (function, what, said)
    assert tree_by_h5py(path) == before


# Where the CGNS library returns another number.
OTHERWISE = {}


@pytest.mark.long
@pytest.mark.parametrize("mode", [READ, MODIFY])
def test_same_results_as_another_library(path, mode):
    library("vtk")
    other = path.with_name("other.cgns")
    shutil.copy(path, other)
    ours = wrong_calls("ours", mode, path)
    theirs = wrong_calls("vtk", mode, other)
    different = {
        call: (ours[call][0], status)
        for call, (status, _) in theirs.items()
        if status != "signal" and status != ours[call][0] & 0xFF
    }
    assert {call: found for call, found in different.items() if call not in OTHERWISE} == {}


# These take no file and no position; the tests that are named show what they refuse.
ALONE = {
    "test_structure": ["cg_open", "cg_goto", "cg_gorel", "cg_goto_f08", "cg_gorel_f08"],
}


def test_every_function_is_called_wrongly():
    tested = {name for name, _ in functions()} | set(everywhere())
    tested.update(*ALONE.values())
    assert not tested
