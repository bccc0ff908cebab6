"""Trees of lists, in the form of onecast.cgns"""

import numpy as np

ARRAY = np.asfortranarray(np.arange(24.0).reshape(4, 3, 2))


def sample():
    """Returns a tree with values of all types that the grammar has."""
    values = [
        ("Real", ARRAY),
        ("Single", np.ones(3, "f4")),
        ("Int", np.arange(6, dtype="i4").reshape(2, 3, order="F")),
        ("Long", np.arange(5, dtype="i8")),
        ("Unsigned", np.arange(3, dtype="u4")),
        ("Complex", np.array([1 + 2j, 3.5j])),
        ("Complex single", np.array([1 + 2j], "c8")),
        ("Text", np.frombuffer(b"some text", "S1")),
        ("Lines", np.asfortranarray(np.frombuffer(b"one two ", "S1").reshape(2, 4).T)),
    ]
    data = [[name, value, [], "DataArray_t"] for name, value in values]
    user = ["Values", None, data, "UserDefinedData_t"]
    zone_type = ["ZoneType", np.frombuffer(b"Structured", "S1"), [], "ZoneType_t"]
    grid = ["GridCoordinates", None, [["CoordinateX", ARRAY, [], "DataArray_t"]]]
    grid.append("GridCoordinates_t")
    sizes = np.array([[4, 3, 0], [3, 2, 0], [2, 1, 0]], "i4", order="F")
    zone = ["Zone", sizes, [zone_type, grid], "Zone_t"]
    base = ["Base", np.array([3, 3], "i4"), [zone, user], "CGNSBase_t"]
    version = ["CGNSLibraryVersion", np.array([3.4], "f4"), [], "CGNSLibraryVersion_t"]
    return ["CGNSTree", None, [version, base], "CGNSTree_t"]


def assert_equal(found, expected, above=""):
    path = f"{above}/{expected[0]}"
    assert (found[0], found[3]) == (expected[0], expected[3]), path
    if expected[1] is None:
        assert found[1] is None, path
    else:
        assert isinstance(found[1], np.ndarray), path
        assert found[1].dtype == expected[1].dtype, path
        assert found[1].shape == expected[1].shape, path
        assert found[1].flags.f_contiguous, path
        assert (found[1] == expected[1]).all(), path
    assert [c[0] for c in found[2]] == [c[0] for c in expected[2]], path
    for a, b in zip(found[2], expected[2], strict=True):
        assert_equal(a, b, path)
