"""If the CGNS library does not open a file, check names the node and the rule."""

import re

import h5py
import numpy as np
import pytest
from cgns_full import everything, names
from cgns_libraries import STOCK
from cgns_opening import opened_by

from onecast import cgns

BASE, FLUID, BLOCK = "/Base", "/Base/Fluid", "/Base/Block"
FACES, WALL = f"{FLUID}/Faces", f"{FLUID}/ZoneBC/Wall"
DONORS = f"{FLUID}/ZoneGridConnectivity/Donors"
AROUND = f"{BLOCK}/ZoneGridConnectivity/Around"
PERIODIC = f"{AROUND}/GridConnectivityProperty/Periodic"
STEPS, STATE = f"{BASE}/Steps", f"{BASE}/ReferenceState"
AXIS = "/Plane/Axisymmetry"
KINDS = {"i4": "I4", "i8": "I8", "f4": "R4", "f8": "R8", "i1": "C1"}


def put(file, path, value):
    """Writes a value in which the first index is the fastest."""
    node = file[path]
    if " data" in node:
        del node[" data"]
    value = np.asarray(value)
    node.create_dataset(" data", data=value.T)
    kind = KINDS[value.dtype.str[1:]]
    node.attrs.create("type", np.bytes_(kind), dtype="S3")


def value_of(file, path):
    return file[path][" data"][()].T


def typed(kind):
    """Returns a mutation that stores the same numbers in another type."""
    return lambda file, path: put(file, path, value_of(file, path).astype(kind))


def now(value, kind="i4"):
    return lambda file, path: put(file, path, np.array(value, kind))


def shaped(*shape):
    """Returns a mutation that changes the extents."""
    return lambda file, path: put(file, path, np.ones(shape, value_of(file, path).dtype))


def said(text):
    return lambda file, path: put(file, path, np.frombuffer(text.encode(), "i1"))


def gone(file, path):
    del file[path]


def copied(name):
    """Returns a mutation that adds a second node with another name."""

    def copy(file, path):
        parent = path.rpartition("/")[0]
        file.copy(path, f"{parent}/{name}")
        file[f"{parent}/{name}"].attrs.create("name", np.bytes_(name), dtype="S33")

    return copy


def empty(file, path):
    node = file[path]
    del node[" data"]
    node.create_dataset(" data", shape=(0,), dtype="f8")


def null(file, path):
    node = file[path]
    del node[" data"]
    node.create_dataset(" data", data=h5py.Empty("f8"))


def scalar(file, path):
    put(file, path, np.float64(1))


INTEGER = "is not I4 or I8"
REAL = "is not R4 or R8"
# The path, the mutation there, the path of the error (if empty, the same one), and the message.
MUTATIONS = {
    "cell dimension 0": (BASE, now([0, 3]), "", "the cell dimension 0 is not 1 to 3"),
    "physical dimension 4": (BASE, now([3, 4]), "", "the physical dimension 4 is not 1 to 3"),
    "version 0": ("/CGNSLibraryVersion", now([0], "f4"), "", "0.00 is before 1.05"),
    "zone of two dimensions in a base of three": (
        BLOCK,
        now([[2, 1, 0]] * 2),
        "",
        r"dimensions 2 x 3 are not 3 x 3 \(IndexDimension x 3\)",
    ),
    "more boundary vertices than vertices": (FLUID, now([[8, 1, 9]]), "", "of 8 vertices 9 are at"),
    "coordinates of integers": (f"{BLOCK}/GridCoordinates/CoordinateX", typed("i4"), "", REAL),
    "connectivity of reals": (f"{FLUID}/Cells/ElementConnectivity", typed("f8"), "", INTEGER),
    "offsets of reals": (f"{FACES}/ElementStartOffset", typed("f4"), "", INTEGER),
    "range of elements with two dimensions": (
        f"{FACES}/ElementRange",
        now([[2, 7]]),
        "",
        "dimensions 1 x 2 are not 2",
    ),
    "points of reals": (f"{WALL}/PointList", typed("f8"), "", "the type R8 is not I4 or I8"),
    "donors of reals": (f"{DONORS}/PointListDonor", typed("f4"), "", INTEGER),
    "range of reals": (f"{AROUND}/PointRange", typed("f8"), "", INTEGER),
    "list without a dimension for indices": (f"{WALL}/PointList", now([2, 3]), "", "are not 1 x n"),
    "no points": (f"{WALL}/PointList", gone, WALL, "no child of these: PointList, PointRange"),
    "donors without points": (f"{DONORS}/PointList", gone, DONORS, "PointList, PointRange"),
    "two lists of donors": (
        f"{DONORS}/PointListDonor",
        copied("CellListDonor"),
        DONORS,
        "more than one set of points: PointListDonor, CellListDonor",
    ),
    "two sets of points": (
        f"{WALL}/PointList",
        copied("ElementList"),
        WALL,
        "more than one set of points: PointList, ElementList",
    ),
    "location that a connectivity has not": (
        f"{DONORS}/GridLocation",
        said("EdgeCenter"),
        "",
        "'EdgeCenter' is no GridLocation of a GridConnectivity_t",
    ),
    "transform to a fourth dimension": (f"{AROUND}/Transform", now([1, 2, 4]), "", "number 4 is"),
    "normals of integers": (f"{WALL}/InwardNormalList", typed("i4"), "", REAL),
    "too many normals": (
        f"{WALL}/InwardNormalList",
        shaped(3, 3),
        "",
        r"3 x 3 are not 3 x 2 \(PhysicalDimension x points\)",
    ),
    "normals of two dimensions": (f"{WALL}/InwardNormalList", shaped(2, 2), "", "are not 3 x 2"),
    "integer area": (f"{WALL}/BCProperty/Area/SurfaceArea", typed("i4"), "", "is not R4"),
    "name of a region of integers": (
        f"{WALL}/BCProperty/Area/RegionName",
        typed("i4"),
        "",
        "is not C1",
    ),
    "field for other points": (f"{FLUID}/At points/Density", shaped(3), "", "3 are not those of"),
    "field for points that descend": (
        f"{BLOCK}/At points/PointRange",
        now([[2, 1], [2, 1], [1, 1]]),
        "",
        "do not ascend",
    ),
    "field of text": (f"{FLUID}/Solution/Density", said("8 values"), "", "the type C1 is not I4,"),
    "discrete data of text": (f"{FLUID}/Discrete/Number", said("8 values"), "", "C1 is not I4,"),
    "no origin of a motion": (
        f"{FLUID}/Rolls/OriginLocation",
        gone,
        f"{FLUID}/Rolls",
        "missing children: OriginLocation",
    ),
    "integer origin of a motion": (f"{FLUID}/Rolls/OriginLocation", typed("i4"), "", REAL),
    "integer velocity": (f"{FLUID}/Rolls/RigidVelocity", typed("i4"), "", REAL),
    "velocities of a motion of integers": (f"{FLUID}/Bends/GridVelocityX", typed("i4"), "", REAL),
    "velocities for other vertices": (f"{FLUID}/Bends/GridVelocityX", shaped(7), "", "7 are not"),
    "pointers of numbers": (f"{FLUID}/Pointers/FlowSolutionPointers", typed("i4"), "", "not C1"),
    "short pointers": (f"{FLUID}/Pointers/FlowSolutionPointers", shaped(31, 2), "", "31 x 2 are"),
    "negative steps": (STEPS, now([-1]), "", "the number of steps -1 is below 0"),
    "no times": (f"{STEPS}/TimeValues", gone, STEPS, "no child of these: TimeValues, Iteration"),
    "too many times": (f"{STEPS}/TimeValues", shaped(3), "", r"3 are not 2 \(NumberOfSteps\)"),
    "integer times": (f"{STEPS}/TimeValues", typed("i4"), "", REAL),
    "names of zones without their numbers": (
        f"{STEPS}/NumberOfZones",
        gone,
        f"{STEPS}/ZonePointers",
        "ZonePointers without NumberOfZones",
    ),
    "names of other numbers of zones": (
        f"{STEPS}/NumberOfZones",
        now([1, 1]),
        f"{STEPS}/ZonePointers",
        r"32 x 2 x 2 are not 32 x 1 x 2 \(32 x the most of NumberOfZones x NumberOfSteps\)",
    ),
    "two values in a state": (f"{STATE}/Mach", shaped(2), "", "the dimensions 2 are not 1"),
    "a table in a state": (f"{STATE}/Mach", shaped(1, 1), "", "the dimensions 1 x 1 are not 1"),
    "other type of exponents": (
        f"{STATE}/LengthReference/DimensionalExponents/AdditionalExponents",
        typed("f8"),
        "",
        "type R8 is not R4",
    ),
    "two values in a model": (
        f"{BASE}/FlowEquationSet/GasModel/SpecificHeatRatio",
        shaped(2),
        "",
        "the dimensions 2 are not 1",
    ),
    "integer gravity": (f"{BASE}/Gravity/GravityVector", typed("i4"), "", "is not R4"),
    "double gravity": (f"{BASE}/Gravity/GravityVector", typed("f8"), "", "is not R4"),
    "axis in space": ("/Plane", now([2, 3]), AXIS, "a base of 3 physical dimensions, not 2"),
    "integer axis": (f"{AXIS}/AxisymmetryAxisVector", typed("i4"), "", "is not R4"),
    "long name of a format": (
        f"{BASE}/Wing/Drawing/GeometryFormat",
        said("x" * 33),
        "",
        "the format has 33 characters",
    ),
    **{
        f"{what} of {name}": (f"{FACES}/{name}", change, "", rule)
        for name in ("ParentElements", "ParentElementsPosition")
        for what, change, rule in (
            ("reals", typed("f8"), INTEGER),
            ("other length", shaped(5, 2), r"5 x 2 are not 6 x 2 \(elements x 2\)"),
            ("other rank", shaped(12), "12 are not 6 x 2"),
        )
    },
    **{
        f"integer {name} of {where}": (f"{place}/{name}", typed("i4"), "", "is not R4")
        for where, place, all_names in (
            ("rotation", f"{BASE}/RotatingCoordinates", ("RotationCenter", "RotationRateVector")),
            ("periodicity", PERIODIC, ("RotationCenter", "RotationAngle", "Translation")),
        )
        for name in all_names
    },
}
# These mutations also make other nodes wrong.
WIDE = ("version 0", "zone of two dimensions in a base of three")
# The CGNS library opens these files without finding the error.
UNNOTICED = {
    "no elements": (f"{BASE}/Values/Numbers", empty, "", "the value is empty"),
    "no space": (f"{BASE}/Values/Numbers", null, "", "the value is empty"),
    "no dimensions": (f"{BASE}/Values/Numbers", scalar, "", "has 0 dimensions, not 1 to 12"),
    "number of zones of type I8": (f"{STEPS}/NumberOfZones", typed("i8"), "", "is not I4"),
    "rind of a section with six numbers": (FACES, None, f"{FACES}/Rind", "are not 2"),
}


def six_rind_planes(file, path):
    file.copy(f"{BLOCK}/Cells/Rind", f"{path}/Rind")


def mutated(path, mutation):
    """Applies a mutation, and returns the path of the error."""
    place, change, wrong, _ = mutation
    cgns.save(path, everything())
    with h5py.File(path, "r+") as file:
        (change or six_rind_planes)(file, place)
    return wrong or place


@pytest.mark.parametrize("name", [*MUTATIONS, *UNNOTICED])
def test_check_names_it(tmp_path, name):
    mutation = (MUTATIONS | UNNOTICED)[name]
    wrong = mutated(tmp_path / "file.cgns", mutation)
    found = cgns.check(tmp_path / "file.cgns")
    assert name in WIDE or {violation.path for violation in found} == {wrong}
    rules = [violation.rule for violation in found if violation.path == wrong]
    assert any(re.search(mutation[3], rule) for rule in rules), found


@pytest.mark.parametrize("kind", STOCK)
def test_the_cgns_library_refuses_it(tmp_path, kind):
    paths = [tmp_path / f"{number}.cgns" for number in range(len(MUTATIONS))]
    for path, mutation in zip(paths, MUTATIONS.values(), strict=True):
        mutated(path, mutation)
    opened = opened_by(kind, paths)
    assert [name for name, is_open in zip(MUTATIONS, opened, strict=True) if is_open] == []


def test_what_is_sound_is_named_by_nobody(tmp_path):
    path = tmp_path / "file.cgns"
    cgns.save(path, everything())
    assert cgns.check(path) == []
    for kind in STOCK:
        assert opened_by(kind, [path]) == [True]


def sound(tree_at, change):
    tree = everything()
    change(cgns.find(tree, tree_at)[2])
    return tree


@pytest.mark.parametrize(
    "where, change",
    {
        "a hole without points": (f"{FLUID}/ZoneGridConnectivity/Hole", list.clear),
        "steps without arrays": (STEPS, list.clear),
        "a connectivity without donors": (DONORS, lambda children: children.pop(2)),
    }.values(),
)
def test_what_the_cgns_library_allows(tmp_path, where, change):
    path = tmp_path / "file.cgns"
    cgns.save(path, sound(where, change))
    assert cgns.check(path) == []
    for kind in STOCK:
        assert opened_by(kind, [path]) == [True]


def test_all_steps_need_names_of_zones(tmp_path):
    """Families are counted like zones."""
    path = tmp_path / "file.cgns"
    tree = everything()
    numbers = np.array([1, 3], "i4")
    pointers = np.stack([names("Wing", "Null"), names("Wing", "Null")], axis=2)
    cgns.find(tree, STEPS)[2] += [
        ["NumberOfFamilies", numbers, [], "DataArray_t"],
        ["FamilyPointers", pointers, [], "DataArray_t"],
    ]
    cgns.save(path, tree)
    (violation,) = cgns.check(path)
    assert violation.path == f"{STEPS}/FamilyPointers"
    assert "32 x 2 x 2 are not 32 x 3 x 2" in violation.rule
    for kind in STOCK:
        assert opened_by(kind, [path]) == [False]


def test_particles(tmp_path):
    """Debian's library has no particles."""
    path = tmp_path / "file.cgns"
    tree = everything()

    def array(name, values):
        return [name, values, [], "DataArray_t"]

    def zone(name, fields, count):
        solution = ["Solution", None, [array("Speed", fields)], "ParticleSolution_t"]
        grid = [array("CoordinateX", np.zeros(count, "f4"))]
        grid = ["ParticleCoordinates", None, grid, "ParticleCoordinates_t"]
        pointers = [array("ParticleSolutionPointers", names("Solution", "Solution"))]
        pointers = ["Pointers", None, pointers, "ParticleIterativeData_t"]
        return [name, np.array([5], "i4"), [grid, solution, pointers], "ParticleZone_t"]

    children = cgns.find(tree, BASE)[2]
    children.append(zone("Sound", np.ones(5), 5))
    cgns.save(path, tree)
    assert cgns.check(path) == []
    assert opened_by("vtk", [path]) == [True]
    for fields, count, wrong in (
        (np.ones(4), 5, "Solution/Speed"),
        (np.ones(5), 4, "ParticleCoordinates/CoordinateX"),
    ):
        children[-1] = zone("Wrong", fields, count)
        cgns.save(path, tree)
        assert [v.path for v in cgns.check(path)] == [f"{BASE}/Wrong/{wrong}"]
        assert opened_by("vtk", [path]) == [False]
    children[-1] = zone("Wrong", np.ones(5), 5)
    children[-1][1][0] = -5
    cgns.save(path, tree)
    (violation,) = cgns.check(path)
    assert violation == (f"{BASE}/Wrong", "the number of particles -5 is below 0")
    assert opened_by("vtk", [path]) == [False]
