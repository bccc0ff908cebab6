"""Families, trees of families, and the nodes that belong to families"""

import cgns_writers as writers
import pytest
from cgns_libraries import MODIFY, READ, CgnsError, library
from cgns_programs import ask, compare_readers, status_of
from cgns_trees import compare_writers

END = "end"
FARFIELD, WALL = 7, 20


def one_family(lib, path):
    """Creates a file with a zone and the family Wing."""
    file, base, _ = writers.one_zone(lib, path)
    assert ask(lib, "cg_family_write", file, base, "Wing", give="int") == 1
    return file, base


def families(lib, path):
    file, base = one_family(lib, path)
    assert ask(lib, "cg_family_write", file, base, "Body", give="int") == 2
    lib.cg_family_name_write(file, base, 1, "Also", "Body")
    lib.cg_family_name_write(file, base, 1, "Path", "/Base/Body")
    assert ask(lib, "cg_fambc_write", file, base, 1, "Far", FARFIELD, give="int") == 1
    assert ask(lib, "cg_fambc_write", file, base, 1, "Wall", WALL, give="int") == 2
    assert ask(lib, "cg_geo_write", file, base, 1, "Shape", "wing.igs", "NASA-IGES", give="int")
    assert ask(lib, "cg_part_write", file, base, 1, 1, "Nose", give="int") == 1
    assert ask(lib, "cg_part_write", file, base, 1, 1, "Tail", give="int") == 2
    lib.cg_goto(file, base, "Zone_t", 1, END)
    lib.cg_famname_write("Wing")
    lib.cg_multifam_write("Second", "Body")
    lib.cg_multifam_write("Third", "Base/Body")
    lib.cg_close(file)


def read_families(lib, path):
    file = writers.opened(lib, path, READ)
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    found = [
        ask(lib, "cg_nfamilies", file, 1, give="int"),
        ask(lib, "cg_family_read", file, 1, 1, give="name int int"),
        ask(lib, "cg_family_read", file, 1, 2, give="name int int"),
        ask(lib, "cg_nfamily_names", file, 1, 1, give="int"),
        ask(lib, "cg_family_name_read", file, 1, 1, 2, give="name name"),
        ask(lib, "cg_fambc_read", file, 1, 1, 2, give="name int"),
        ask(lib, "cg_geo_read", file, 1, 1, 1, give="name copy name int"),
        ask(lib, "cg_part_read", file, 1, 1, 1, 2, give="name"),
        ask(lib, "cg_famname_read", give="name"),
        ask(lib, "cg_nmultifam", give="int"),
        ask(lib, "cg_multifam_read", 2, give="name name"),
    ]
    lib.cg_close(file)
    return found


FOUND = [
    *(2, ("Wing", 2, 1), ("Body", 0, 0), 2, ("Path", "/Base/Body"), ("Wall", WALL)),
    *(("Shape", "wing.igs", "NASA-IGES", 2), "Tail", "Wing", 2, ("Third", "Base/Body")),
]


def tree_of_families(lib, path):
    """Uses paths, and families below families at the current position, new in libcgns 4.1."""
    file, base = one_family(lib, path)
    assert ask(lib, "cg_family_write", file, base, "/Base/Wing/Left/Tip", give="int") == 1
    assert ask(lib, "cg_family_write", file, base, "/Base/Wing/Right", give="int") == 2
    assert ask(lib, "cg_family_write", file, base, "/Base/Body/Nose", give="int") == 1
    lib.cg_goto(file, base, "Family_t", 1, "Family_t", 2, END)
    assert ask(lib, "cg_node_family_write", "Flap", give="int") == 1
    lib.cg_node_family_name_write("Also", "Body")
    assert ask(lib, "cg_node_fambc_write", "Far", FARFIELD, give="int") == 1
    assert ask(lib, "cg_node_geo_write", "Shape", "flap.igs", "NASA-IGES", give="int") == 1
    assert ask(lib, "cg_node_part_write", 1, "Hinge", give="int") == 1
    lib.cg_goto(file, base, END)
    assert ask(lib, "cg_node_family_write", "Tail", give="int") == 3
    lib.cg_close(file)


def read_tree_of_families(lib, path):
    file = writers.opened(lib, path, READ)
    lib.cg_goto(file, 1, END)
    found = [ask(lib, "cg_node_nfamilies", give="int")]
    lib.cg_gopath(file, "/Base/Wing")
    found.append(ask(lib, "cg_node_nfamilies", give="int"))
    found.append(ask(lib, "cg_node_family_read", 2, give="name int int"))
    lib.cg_gopath(file, "/Base/Wing/Right")
    found += [
        ask(lib, "cg_node_family_read", 1, give="name int int"),
        ask(lib, "cg_node_nfamily_names", give="int"),
        ask(lib, "cg_node_family_name_read", 1, give="name name"),
        ask(lib, "cg_node_fambc_read", 1, give="name int"),
        ask(lib, "cg_node_geo_read", 1, give="name copy name int"),
        ask(lib, "cg_node_part_read", 1, 1, give="name"),
    ]
    lib.cg_close(file)
    return found


TREE_FOUND = [
    *(3, 2, ("Right", 1, 1), ("Flap", 0, 0), 1, ("Also", "Body"), ("Far", FARFIELD)),
    *(("Shape", "flap.igs", "NASA-IGES", 1), "Hinge"),
]


def test_families(tmp_path):
    compare_writers(tmp_path, families)
    compare_readers(tmp_path, families, read_families, FOUND)


def test_tree_of_families(tmp_path):
    compare_writers(tmp_path, tree_of_families, ["vtk"])
    since_4_1 = ("ours", "vtk")
    compare_readers(tmp_path, tree_of_families, read_tree_of_families, TREE_FOUND, since_4_1)


WRONG = [
    ("cg_family_write", (1, "Wing"), "int", "name 'Wing' already"),
    ("cg_family_write", (1, "x" * 33), "int", "32 characters"),
    ("cg_family_write", (1, "/Other/Part"), "int", "begins with its base, /Base"),
    ("cg_fambc_write", (1, 1, "Far", 99), "int", "99 is no value"),
    ("cg_geo_write", (1, 1, "Shape", "", "IGES"), "int", "file of a geometry is empty"),
    ("cg_part_write", (1, 1, 3, "Part"), "int", "not in 1..0 of /Base/Wing"),
    ("cg_family_name_write", (1, 1, "Also", ""), "", "name of a family is empty"),
]


@pytest.mark.parametrize(("function", "arguments", "give", "text"), WRONG)
def test_wrong_arguments(tmp_path, function, arguments, give, text):
    lib = library("ours")
    file, _ = one_family(lib, tmp_path / "file.cgns")
    with pytest.raises(CgnsError, match=text):
        ask(lib, function, file, *arguments, give=give)
    lib.cg_close(file)


AT_POSITION = [
    ("cg_node_family_write", ("Part",), "int"),
    ("cg_node_fambc_write", ("Far", FARFIELD), "int"),
    ("cg_node_family_name_write", ("Also", "Wing"), ""),
    ("cg_node_geo_write", ("Shape", "file", "IGES"), "int"),
    ("cg_node_part_write", (1, "Part"), "int"),
]


@pytest.mark.parametrize(("function", "arguments", "give"), AT_POSITION)
def test_no_families_below_a_zone(tmp_path, function, arguments, give):
    """The number of the error differs, as in the CGNS library."""
    lib = library("ours")
    file, base = one_family(lib, tmp_path / "file.cgns")
    lib.cg_goto(file, base, "Zone_t", 1, END)
    assert status_of(lib, function, *arguments, give=give) == (
        3 if function == "cg_node_family_write" else 1
    )
    lib.cg_goto(file, base, "Family_t", 1, END)
    assert status_of(lib, "cg_famname_write", "Wing") == 3
    lib.cg_close(file)


def test_what_is_not_there(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    families(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Zone_t", 1, END)
    lib.cg_delete_node("FamilyName")
    assert status_of(lib, "cg_famname_read", give="name") == 2
    assert status_of(lib, "cg_multifam_read", 3, give="name name") == 2
    assert status_of(lib, "cg_fambc_read", file, 1, 2, 1, give="name int")
    assert status_of(lib, "cg_geo_read", file, 1, 2, 1, give="name copy name int")
    lib.cg_close(file)


@pytest.mark.parametrize("name", ["ours", "vtk"])
def test_the_deepest_path_of_families(tmp_path, name):
    """Twenty families lie below the base. Their text has the maximum length for programs."""
    lib = library(name)
    file, base = one_family(lib, tmp_path / "file.cgns")
    deepest = "/Base" + "".join(f"/F{i}" for i in range(1, 21))
    assert status_of(lib, "cg_family_write", file, base, deepest, give="int") == 0
    longest = "/Base" + "/".join(["", *["x" * 32] * 19, "y" * 27])
    assert len(longest) == 660
    assert status_of(lib, "cg_family_write", file, base, longest, give="int") == 0
    assert status_of(lib, "cg_family_write", file, base, longest + "y", give="int") == 1
    if name == "ours":
        assert status_of(lib, "cg_family_write", file, base, deepest + "/F21", give="int") == 1
    lib.cg_close(file)
