"""onecast.cgns.save converts the values and trees of programs, and its errors describe those that
CGNS does not allow."""

import os
import re
import stat

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import STOCK, library
from cgns_lists import assert_equal, sample

from onecast import cgns

VERSION = "CGNSLibraryVersion"


def tree(*nodes, base=(3, 3), version=None):
    """Returns a tree with these nodes below a zone."""
    zone = ["Zone", np.array([[8, 1, 0]], "i4", order="F"), list(nodes), "Zone_t"]
    zone[2].append(["ZoneType", "Unstructured", [], "ZoneType_t"])
    children = [["Base", np.array(base, "i4"), [zone], "CGNSBase_t"]]
    if version is not None:
        children.insert(0, [VERSION, version, [], f"{VERSION}_t"])
    return ["CGNSTree", None, children, "CGNSTree_t"]


def saved(tmp_path, value, label="DataArray_t"):
    """Returns how a value below a zone is loaded again."""
    path = tmp_path / "file.cgns"
    cgns.save(path, tree(["A", value, [], label]))
    return cgns.load(path, "/Base/Zone/A")[1]


def stored_type(path, node):
    with h5py.File(path) as file:
        return file[node].attrs["type"].decode()


# --- the root -----------------------------------------------------------------------------------
@pytest.mark.parametrize("part", ["/Base", "/Base/Zone"])
def test_root_is_no_tree(tmp_path, part):
    path = tmp_path / "file.cgns"
    node = cgns.find(sample(), part)
    with pytest.raises(ValueError, match=rf'CGNSTree_t.*{node[3]}.*\["CGNSTree", None, \['):
        cgns.save(path, node)
    assert not os.listdir(tmp_path)


def test_root_with_a_value(tmp_path):
    with pytest.raises(ValueError, match=r"^/: .*value"):
        cgns.save(tmp_path / "file.cgns", ["CGNSTree", np.ones(2), [], "CGNSTree_t"])


# --- the types that labels require ---------------------------------------------------------------
@pytest.mark.parametrize(
    "version", [4.0, [4.0], 4, np.array([4.0]), np.float32(4), np.array([3.1])]
)
def test_version_is_single_precision(tmp_path, version):
    path = tmp_path / "file.cgns"
    cgns.save(path, tree(version=version))
    found = cgns.load(path, VERSION)[1]
    assert found.dtype == "f4" and found == np.float32(np.asarray(version).reshape(-1)[0])
    assert cgns.check(path) == []
    # Debian's library has version 3.4.
    if "vtk" in STOCK:
        lib = library("vtk")
        lib.cg_close(writers.opened(lib, path, 0))


@pytest.mark.parametrize(
    ("version", "error"),
    [
        (5.0, ValueError),
        (0.0, ValueError),
        (float("nan"), ValueError),
        ([3.4, 4.0], ValueError),
        (None, ValueError),
        ([], ValueError),
        ("4.0", TypeError),
        (1j, TypeError),
    ],
)
def test_versions_that_cannot_be_saved(tmp_path, version, error):
    root = tree()
    root[2].append([VERSION, version, [], f"{VERSION}_t"])
    with pytest.raises(error, match=f"^/{VERSION}: "):
        cgns.save(tmp_path / "file.cgns", root)


@pytest.mark.parametrize(
    "node",
    [
        [VERSION, np.ones(1, "f4"), [], "UserDefinedData_t"],
        ["Version", np.ones(1, "f4"), [], f"{VERSION}_t"],
    ],
)
def test_other_nodes_in_place_of_the_version(tmp_path, node):
    root = tree()
    root[2].append(node)
    with pytest.raises(ValueError, match=f"^/{node[0]}: .*{VERSION}"):
        cgns.save(tmp_path / "file.cgns", root)


@pytest.mark.parametrize(
    ("label", "value", "dtype"),
    [
        ("CGNSBase_t", [3, 3], "i4"),
        ("CGNSBase_t", np.array([3, 3]), "i4"),
        ("CGNSBase_t", [3.0, 3.0], "i4"),
        ("Ordinal_t", 7, "i4"),
        ("Rind_t", np.array([1, 1], "u8"), "i4"),
        ("IndexRange_t", [[1, 8]], "i8"),
        ("IndexRange_t", np.array([[1.0, 8.0]]), "i8"),
        ("DimensionalExponents_t", [0, 1, 0, 0, 0], "f8"),
        ("DimensionalExponents_t", np.ones(5, "f4"), "f4"),
        ("DataConversion_t", np.array([1, 0], "i4"), "f8"),
        ("DataArray_t", [1, 2], "i8"),
        ("DataArray_t", np.arange(3, dtype="u1"), "i4"),
        # Labels and values that the grammar does not know stay as they are.
        ("Mine_t", np.arange(3, dtype="u1"), "u1"),
        ("UserDefinedData_t", [3, 3], "i8"),
    ],
)
def test_numbers_get_the_type_of_the_label(tmp_path, label, value, dtype):
    found = saved(tmp_path, value, label)
    assert found.dtype == dtype
    assert (found == np.asarray(value)).all()


def test_base_from_a_list(tmp_path):
    path = tmp_path / "file.cgns"
    root = tree()
    root[2][0][1] = [3, 3]
    cgns.save(path, root)
    assert stored_type(path, "Base") == "I4" and cgns.check(path) == []


@pytest.mark.parametrize(
    ("label", "value", "error", "match"),
    [
        ("Ordinal_t", 2**40, ValueError, "I4"),
        ("Ordinal_t", 1.5, ValueError, "I4"),
        ("Ordinal_t", float("nan"), ValueError, "I4"),
        ("IndexRange_t", np.array([[1, 2**63]], "u8"), ValueError, "I4 or I8"),
        ("DimensionalExponents_t", [2**60 + 1] * 5, ValueError, "R4 or R8"),
        ("Ordinal_t", "one", TypeError, "I4, not C1"),
        ("GridLocation_t", 1, TypeError, "C1, not I8"),
        ("DimensionalExponents_t", [1j] * 5, TypeError, "R4 or R8, not X8"),
    ],
)
def test_values_that_the_label_cannot_have(tmp_path, label, value, error, match):
    with pytest.raises(error, match=rf"^/Base/Zone/A: {label} .*{match}"):
        saved(tmp_path, value, label)


def test_slices_get_the_type_of_the_label(tmp_path):
    value = cgns.sliced(np.array([[1, 8]]), (1, 2), 0)
    assert saved(tmp_path, value, "Rind_t").dtype == "i4"


@pytest.mark.parametrize("dtype", ["i1", "i2", "u2"])
@pytest.mark.parametrize("label", ["DataArray_t", "UserDefinedData_t", "Mine_t"])
def test_narrow_integers_stay_numbers(tmp_path, dtype, label):
    value = np.array([0, 1, 100, -3 if dtype[0] == "i" else 65535], dtype)
    found = saved(tmp_path, value, label)
    assert found.dtype == "i4" and found.tolist() == value.tolist()


def test_bytes_of_a_label_for_texts(tmp_path):
    found = saved(tmp_path, np.frombuffer(b"some text", "i1"), "Descriptor_t")
    assert found.tobytes() == b"some text"


# --- texts ---------------------------------------------------------------------------------------
def texts_of(array):
    """Returns the texts of an array whose first dimension contains the characters."""
    rows = np.moveaxis(array, 0, -1).reshape(-1, array.shape[0])
    return [row.tobytes().decode() for row in rows]


@pytest.mark.parametrize("value", [" lead", "trail ", b" both ", np.array(" lead"), np.str_(" x ")])
def test_blanks_of_a_text_are_kept(tmp_path, value):
    expected = value if isinstance(value, bytes) else str(value).encode()
    assert saved(tmp_path, value, "Descriptor_t").tobytes() == expected


@pytest.mark.parametrize(
    "value",
    [
        ["one", "three", " x"],
        ("one", "three", " x"),
        [b"one", b"three", b" x"],
        np.array(["one", "three", " x"]),
        np.array([b"one", b"three", b" x"]),
    ],
)
def test_lists_of_texts(tmp_path, value):
    """The characters are the first dimension, with blanks behind shorter texts."""
    found = saved(tmp_path, value)
    assert found.dtype == "S1" and found.shape == (5, 3) and found.flags.f_contiguous
    assert texts_of(found) == ["one  ", "three", " x   "]


def test_lists_of_lists_of_texts(tmp_path):
    found = saved(tmp_path, [["a", "b", "c"], ["dd", "e", "\u00e9"]])
    assert found.shape == (2, 2, 3)
    assert texts_of(found) == ["a ", "b ", "c ", "dd", "e ", "\u00e9"]


def test_texts_are_as_long_as_the_grammar_demands(tmp_path):
    path = tmp_path / "file.cgns"
    root = tree(["Iterations", None, [], "ZoneIterativeData_t"])
    iterations = cgns.find(root, "/Base/Zone/Iterations")
    iterations[2].append(["FlowSolutionPointers", ["First", "Second"], [], "DataArray_t"])
    root[2][0][2].append(["Times", 2, [], "BaseIterativeData_t"])
    units = ["Kilogram", "Meter", "Second", "Kelvin", "Degree"]
    root[2][0][2].append(["Units", units, [], "DimensionalUnits_t"])
    cgns.save(path, root)
    pointers = cgns.load(path, "/Base/Zone/Iterations/FlowSolutionPointers")[1]
    assert pointers.shape == (32, 2)
    assert [text.rstrip() for text in texts_of(pointers)] == ["First", "Second"]
    assert cgns.load(path, "/Base/Units")[1].shape == (32, 5)
    iterations[2][0][1] = ["x" * 33]
    with pytest.raises(ValueError, match=r"FlowSolutionPointers: .*32 bytes here, not 33"):
        cgns.save(path, root)


@pytest.mark.parametrize("name", [" lead", "trail "])
def test_names_with_blanks_at_their_ends(tmp_path, name):
    """CGNS trims such names, so the node would have another name."""
    with pytest.raises(ValueError, match=rf"^below /Base/Zone: .*blank: '{name}'"):
        cgns.save(tmp_path / "file.cgns", tree([name, None, [], "X_t"]))


# --- values without elements ---------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(0,), (1, 0), (3, 0), (0, 0)])
def test_empty_arrays_are_no_value(tmp_path, shape):
    assert saved(tmp_path, np.zeros(shape)) is None
    assert stored_type(tmp_path / "file.cgns", "/Base/Zone/A") == "MT"
    assert saved(tmp_path, []) is None


def replace_value(path, node, **stored):
    with h5py.File(path, "r+") as file:
        del file[node][" data"]
        file[node].create_dataset(" data", **stored)


def test_empty_arrays_in_files(tmp_path):
    """Such arrays have a shape, but a null dataspace has none."""
    path, out = tmp_path / "file.cgns", tmp_path / "out.cgns"
    nodes = [[name, np.ones(2), [], "DataArray_t"] for name in ("A", "B", "C")]
    cgns.save(path, tree(*nodes))
    replace_value(path, "/Base/Zone/A", shape=(0, 3), dtype="f8")
    replace_value(path, "/Base/Zone/B", data=h5py.Empty("f8"))
    zone = cgns.load(path, "/Base/Zone")
    assert cgns.find(zone, "A")[1].shape == (3, 0)
    assert cgns.find(zone, "B")[1] is None
    lazy = cgns.load(path, values="lazy")
    assert np.asarray(cgns.find(lazy, "/Base/Zone/A")[1]).shape == (3, 0)
    for found in (cgns.load(path), lazy):
        cgns.save(out, found)
        again = cgns.load(out, "/Base/Zone")
        assert [cgns.find(again, name)[1] is None for name in "ABC"] == [True, True, False]


# --- errors name the path ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("node", "error", "match"),
    [
        (["A", None, []], TypeError, r"below /Base/Zone: a node is \[name"),
        (None, TypeError, r"below /Base/Zone: a node is \[name"),
        ([b"A", None, [], "X_t"], TypeError, "below /Base/Zone: name and label are texts"),
        (["A", None, [], None], TypeError, "below /Base/Zone: name and label are texts"),
        (["n" * 33, None, [], "X_t"], ValueError, "/Base/Zone/n{33}: .*1 to 32 characters"),
        (["", None, [], "X_t"], ValueError, "/Base/Zone/: .*1 to 32 characters"),
        (["a/b", None, [], "X_t"], ValueError, "/Base/Zone/a/b: .*cannot be the name"),
        (["a\0b", None, [], "X_t"], ValueError, r"below /Base/Zone: .*NUL, not 'a\\x00b'"),
        (["A", None, [], "X\0"], ValueError, "below /Base/Zone: .*NUL"),
        (["A", None, [], "L" * 33], ValueError, "/Base/Zone/A: the label .*32 characters"),
        (["ZoneType", None, [], "X_t"], ValueError, "/Base/Zone/ZoneType: .*already"),
        (["A", None, np.zeros(0), "X_t"], TypeError, "/Base/Zone/A: children are a list"),
        (
            ["A", np.ma.array([1.0, 2], mask=[0, 1]), [], "X_t"],
            ValueError,
            "/Base/Zone/A: .*masked",
        ),
        (["A", [[1], [2, 3]], [], "X_t"], ValueError, "/Base/Zone/A: "),
        (["A", "\ud800", [], "X_t"], ValueError, "/Base/Zone/A: "),
    ],
)
def test_errors_name_the_path(tmp_path, node, error, match):
    with pytest.raises(error, match=f"^{match}") as caught:
        cgns.save(tmp_path / "file.cgns", tree(node))
    # The path occurs once.
    path = re.match(r"(below )?(/[^:]*)", str(caught.value))[2]
    assert str(caught.value).count(f"{path}:") == 1 and not str(caught.value).endswith(path)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("link", [("/Base/Zone", "a"), ["", "a", "/B", "/Base/Zone", 5], "abc", 1])
def test_links_that_are_none(tmp_path, link):
    with pytest.raises(TypeError, match=r"links: a link is \(path, file, target\), not "):
        cgns.save(tmp_path / "file.cgns", tree(), links=[link])


@pytest.mark.parametrize(
    "value",
    [np.eye(2).view(np.matrix), np.ma.ones(3), np.broadcast_to(2.0, (3,))],
    ids=["matrix", "masked", "broadcast"],
)
def test_arrays_of_other_classes(tmp_path, value):
    found = saved(tmp_path, value)
    assert found.shape == value.shape and (found == np.asarray(value)).all()


# --- files ---------------------------------------------------------------------------------------
def test_rights_are_kept(tmp_path):
    path = tmp_path / "file.cgns"
    cgns.save(path, tree())
    path.chmod(0o600)
    for replace in (lambda: cgns.save(path, tree()), lambda: cgns.compact(path, path)):
        replace()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_names_of_files_in_bytes(tmp_path):
    path = os.fsencode(tmp_path / "file.cgns")
    cgns.save(path, sample())
    cgns.compact(path, path)
    assert_equal(cgns.load(path, "/Base"), cgns.find(sample(), "/Base"))
    assert os.listdir(tmp_path) == ["file.cgns"]
    with pytest.raises(TypeError):
        cgns.load(3)
