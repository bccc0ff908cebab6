"""A tree with everything to which the rules of check apply"""

import numpy as np

VERTICES = 8
STEPS = 2
FACES = [[1, 4, 3, 2], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [1, 5, 8, 4], [5, 6, 7, 8]]


def node(name, label, value=None, *children):
    return [name, value, list(children), label]


def array(name, value):
    return node(name, "DataArray_t", np.asfortranarray(value))


def text(name, label, value, *children):
    return node(name, label, np.frombuffer(value.encode(), "S1"), *children)


def real(*values):
    return np.array(values, "f4")


def integers(*values):
    return np.array(values, "i4")


def names(*values):
    """Returns names of 32 characters as an array [32, number of names]."""
    padded = "".join(value.ljust(32) for value in values)
    return np.frombuffer(padded.encode(), "S1").reshape(32, len(values), order="F")


def points(name, *indices):
    label = "IndexRange_t" if "Range" in name else "IndexArray_t"
    return node(name, label, np.asfortranarray(np.array(indices, "i4").T))


def coordinates(shape):
    values = np.zeros(shape, order="F")
    return node(
        "GridCoordinates",
        "GridCoordinates_t",
        None,
        *(array(f"Coordinate{c}", values) for c in "XYZ"),
    )


def section(name, kind, first, last, connectivity, *others):
    return node(
        name,
        "Elements_t",
        integers(kind, 0),
        node("ElementRange", "IndexRange_t", integers(first, last)),
        array("ElementConnectivity", np.ravel(connectivity).astype("i4")),
        *others,
    )


def sections():
    parents = [
        array(name, np.zeros((6, 2), "i4")) for name in ("ParentElements", "ParentElementsPosition")
    ]
    offsets = array("ElementStartOffset", np.arange(0, 25, 4, dtype="i4"))
    return [
        section("Cells", 17, 1, 1, np.arange(1, 9)),
        section("Faces", 22, 2, 7, FACES, offsets, *parents),
    ]


def boundary():
    area = node(
        "Area",
        "Area_t",
        None,
        text("AreaType", "AreaType_t", "BleedArea"),
        array("SurfaceArea", real(1.5)),
        array("RegionName", names("Region")[:, 0]),
    )
    normals = node("InwardNormalList", "IndexArray_t", np.asfortranarray(np.ones((3, 2), "f4")))
    wall = text(
        "Wall",
        "BC_t",
        "BCWall",
        text("GridLocation", "GridLocation_t", "FaceCenter"),
        points("PointList", [2], [3]),
        normals,
        node("BCProperty", "BCProperty_t", None, area),
    )
    return node("ZoneBC", "ZoneBC_t", None, wall)


def interfaces():
    donors = text(
        "Donors",
        "GridConnectivity_t",
        "Block",
        text("GridConnectivityType", "GridConnectivityType_t", "Abutting"),
        points("PointList", [1], [2]),
        points("PointListDonor", [1, 1, 1], [2, 1, 1]),
        text("GridLocation", "GridLocation_t", "Vertex"),
    )
    hole = node("Hole", "OversetHoles_t", None, points("PointList", [1]))
    return node("ZoneGridConnectivity", "ZoneGridConnectivity_t", None, donors, hole)


def unstructured():
    at_points = [points("PointList", [1], [4]), array("Density", np.ones(2))]
    return node(
        "Fluid",
        "Zone_t",
        np.array([[VERTICES, 1, 0]], "i4", order="F"),
        text("ZoneType", "ZoneType_t", "Unstructured"),
        coordinates(VERTICES),
        *sections(),
        boundary(),
        interfaces(),
        node("Solution", "FlowSolution_t", None, array("Density", np.ones(VERTICES))),
        node("At points", "FlowSolution_t", None, *at_points),
        node("Discrete", "DiscreteData_t", None, array("Number", np.ones(VERTICES, "i4"))),
        text(
            "Rolls",
            "RigidGridMotion_t",
            "ConstantRate",
            array("OriginLocation", np.zeros((3, 2), "f4")),
            array("RigidVelocity", np.zeros(3)),
        ),
        text("Bends", "ArbitraryGridMotion_t", "DeformingGrid", array("GridVelocityX", np.ones(8))),
        node(
            "Pointers",
            "ZoneIterativeData_t",
            None,
            array("FlowSolutionPointers", names(*["Solution"] * STEPS)),
        ),
    )


def structured():
    periodic = node(
        "Periodic",
        "Periodic_t",
        None,
        *(
            array(name, real(0, 0, 0))
            for name in ("RotationCenter", "RotationAngle", "Translation")
        ),
    )
    around = text(
        "Around",
        "GridConnectivity1to1_t",
        "Block",
        points("PointRange", [1, 1, 1], [2, 2, 1]),
        points("PointRangeDonor", [1, 1, 2], [2, 2, 2]),
        node("Transform", '"int[IndexDimension]"', integers(1, 2, 3)),
        node("GridConnectivityProperty", "GridConnectivityProperty_t", None, periodic),
    )
    cells = [
        text("GridLocation", "GridLocation_t", "CellCenter"),
        node("Rind", "Rind_t", integers(1, 0, 0, 0, 0, 0)),
        array("Density", np.ones((2, 1, 1))),
    ]
    plane = points("PointRange", [1, 1, 1], [2, 2, 1])
    at_points = [plane, array("Density", np.ones(4))]
    return node(
        "Block",
        "Zone_t",
        np.array([[2, 1, 0]] * 3, "i4", order="F"),
        text("ZoneType", "ZoneType_t", "Structured"),
        coordinates((2, 2, 2)),
        node("Cells", "FlowSolution_t", None, *cells),
        node("At points", "FlowSolution_t", None, *at_points),
        node("ZoneGridConnectivity", "ZoneGridConnectivity_t", None, around),
    )


def steps():
    pointers = [names("Block", "Fluid"), names("Fluid", "Null")]
    return node(
        "Steps",
        "BaseIterativeData_t",
        integers(STEPS),
        array("TimeValues", np.array([0.5, 1.0])),
        array("NumberOfZones", integers(2, 1)),
        array("ZonePointers", np.stack(pointers, axis=2)),
    )


def state():
    exponents = node(
        "DimensionalExponents",
        "DimensionalExponents_t",
        real(0, 1, 0, 0, 0),
        node("AdditionalExponents", "AdditionalExponents_t", real(0, 0, 0)),
    )
    mach, length = array("Mach", np.ones(1)), array("LengthReference", np.ones(1))
    length[2].append(exponents)
    return node("ReferenceState", "ReferenceState_t", None, mach, length)


def rotating():
    vectors = [array(name, real(0, 0, 1)) for name in ("RotationCenter", "RotationRateVector")]
    return node("RotatingCoordinates", "RotatingCoordinates_t", None, *vectors)


def everything():
    gas = text("GasModel", "GasModel_t", "Ideal", array("SpecificHeatRatio", np.array([1.4])))
    reference = node(
        "Drawing",
        "GeometryReference_t",
        None,
        text("GeometryFile", "GeometryFile_t", "wing.igs"),
        text("GeometryFormat", "GeometryFormat_t", "IGES"),
    )
    base = node(
        "Base",
        "CGNSBase_t",
        integers(3, 3),
        state(),
        node("FlowEquationSet", "FlowEquationSet_t", None, gas),
        node("Gravity", "Gravity_t", None, array("GravityVector", real(0, 0, -9.81))),
        rotating(),
        node("Wing", "Family_t", None, reference),
        node("Values", "UserDefinedData_t", None, array("Numbers", np.ones(4))),
        steps(),
        unstructured(),
        structured(),
    )
    axis = ("AxisymmetryReferencePoint", "AxisymmetryAxisVector")
    plane = node(
        "Plane",
        "CGNSBase_t",
        integers(2, 2),
        node("Axisymmetry", "Axisymmetry_t", None, *(array(name, real(0, 1)) for name in axis)),
    )
    version = node("CGNSLibraryVersion", "CGNSLibraryVersion_t", real(3.4))
    return node("CGNSTree", "CGNSTree_t", None, version, base, plane)
