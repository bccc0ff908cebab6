"""Sections of elements: files equal those of other libraries, and files of others are read."""

import itertools
import os
from pathlib import Path

import cgns_elements as elements
import h5py
import numpy as np
import pytest
from cgns_elements import MIXED, NFACE_N, NGON_N, PYRA_13, PYRA_14, QUAD_4, TRI_3, Zone, refuses
from cgns_libraries import MODIFY, READ, STOCK, CgnsError, library
from cgns_trees import compare_writers, tree_by_h5py

from onecast import cgns

CORPUS = Path(os.environ.get("ONECAST_CORPUS", "../shared/corpus")) / "cgns"
# Before 4.0 libraries wrote offsets behind the connectivity, and had no general functions.
PROGRAMS = [
    (elements.fixed_sizes, STOCK),
    (elements.polyhedra, ("vtk",)),
    (elements.general, ("vtk",)),
    (elements.growing, ("vtk",)),
]


def version_of(path):
    with h5py.File(path) as file:
        return round(float(file["CGNSLibraryVersion/ data"][0]), 2)


@pytest.mark.parametrize(("write", "readers"), PROGRAMS, ids=lambda value: str(value)[:20])
def test_same_file_as_other_libraries(tmp_path, write, readers):
    ours = compare_writers(tmp_path, write, readers)
    # A file that needs a newer library has a newer version.
    assert version_of(ours) == (3.4 if write is elements.fixed_sizes else 4.0)
    with Zone(library("vtk"), ours, READ) as theirs:
        found = theirs.all_sections()
    with Zone(library("ours"), ours, READ) as mine:
        assert mine.all_sections() == found


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_sections_are_read(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    elements.fixed_sizes(library(writer), path)
    with Zone(lib, path, READ) as zone:
        assert zone.section(2) == ("Walls", QUAD_4, 3, 6, 3, 1)
        assert zone.size("cg_ElementDataSize", 2) == 16
        assert zone.size("cg_ElementPartialSize", 2, range(4, 6)) == 8
        nodes, parents = zone.array(17), zone.array(17)
        zone.cg_elements_read(2, nodes, parents)
        assert nodes.tolist() == [*range(1, 17), -7]
        assert parents.tolist() == [*range(101, 117), -7]
        nodes, parents = zone.array(9), zone.array(9)
        zone.cg_elements_partial_read(2, range(4, 6), nodes, parents)
        assert nodes.tolist() == [*range(5, 13), -7]
        assert parents.tolist() == [102, 103, 106, 107, 110, 111, 114, 115, -7]
        narrow = np.full(9, -7, np.int32)
        zone.cg_elements_general_read(2, range(4, 6), 2, narrow)
        assert narrow.tolist() == [*range(5, 13), -7]
        zone.cg_parent_elements_general_read(2, range(4, 6), 2, narrow)
        assert narrow.tolist() == [102, 103, 106, 107, *range(9, 13), -7]
        zone.cg_parent_elements_position_general_read(2, range(4, 6), 2, narrow)
        assert narrow.tolist() == [110, 111, 114, 115, *range(9, 13), -7]


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_parts_of_polyhedra_are_read(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    elements.polyhedra(library(writer), path)
    with Zone(lib, path, READ) as zone:
        faces, cells, *_ = zone.all_sections()
        assert faces[0] == ("Faces", NGON_N, 1, 3, 2, 1)
        assert faces[1:] == (list(range(1, 14)), [0, 4, 8, 13], list(range(1, 13)))
        assert cells[1:] == ([1, 2, 3, 4, -4, 1, 2, 3], [0, 4, 8], None)
        assert zone.size("cg_ElementPartialSize", 1, range(2, 4)) == 9
        entries, offsets, parents = zone.array(10), zone.array(4), zone.array(9)
        zone.cg_poly_elements_partial_read(1, range(2, 4), entries, offsets, parents)
        assert entries.tolist() == [*range(5, 14), -7]
        assert offsets.tolist() == [0, 4, 9, -7]
        assert parents.tolist() == [2, 3, 5, 6, 8, 9, 11, 12, -7]
        narrow, narrow_offsets = np.full(6, -7, np.int32), np.full(3, -7, np.int32)
        zone.cg_poly_elements_general_read(3, range(7, 8), 2, narrow, narrow_offsets)
        assert narrow.tolist() == [QUAD_4, 1, 2, 3, 4, -7]
        assert narrow_offsets.tolist() == [0, 5, -7]


def test_grown_sections_keep_their_parents(lib, tmp_path):
    path = tmp_path / "file.cgns"
    elements.fixed_sizes(lib, path)
    elements.polyhedra(lib, poly := tmp_path / "poly.cgns")
    with Zone(lib, path, MODIFY) as zone:
        zone.cg_elements_partial_write(2, range(6, 9), list(range(21, 33)))
        section, nodes, _, parents = zone.everything(2)
        assert section == ("Walls", QUAD_4, 3, 8, 3, 1)
        assert nodes == [*range(1, 13), *range(21, 33)]
        columns = [(*range(first, first + 4), 0, 0) for first in (101, 105, 109, 113)]
        assert parents == list(itertools.chain(*columns))
    with Zone(lib, poly, MODIFY) as zone:
        zone.cg_poly_elements_partial_write(1, range(-1, 1), [1, 2, 3], [0, 2, 3])
        section, nodes, offsets, parents = zone.everything(1)
        assert section == ("Faces", NGON_N, -1, 3, 2, 1)
        assert (nodes, offsets) == ([1, 2, 3, *range(1, 14)], [0, 2, 3, 7, 11, 16])
        columns = [(0, 0, *range(first, first + 3)) for first in (1, 4, 7, 10)]
        assert parents == list(itertools.chain(*columns))


def test_nodes_per_element(lib):
    stock = library("vtk")
    for kind in range(57):
        ours, theirs = lib.out(), stock.out()
        lib.cg_npe(kind, ours)
        stock.cg_npe(kind, theirs)
        assert int(ours) == int(theirs), kind
    assert "57 is no type" in refuses(lib.cg_npe, 57, lib.out())


def test_errors_of_new_sections(lib, tmp_path):
    path = tmp_path / "file.cgns"
    with Zone(lib, path) as zone:
        section, six, one = lib.out(), list(range(1, 7)), range(1, 3)
        written = [
            (("T", TRI_3, range(2, 2), 0, six), "has elements 2..1"),
            (("T", TRI_3, range(2**62, 2**62 + 2), 0, six), "has elements 46116"),
            (("T", TRI_3, one, 3, six), "last boundary element is 3"),
            (("T", MIXED, one, 0, six), "MIXED has elements of varying size"),
            (("T", 57, one, 0, six), "element type 57"),
            (("T", TRI_3, one, 0, None), "elements are NULL"),
            (("x" * 33, TRI_3, one, 0, six), "32 characters"),
        ]
        for arguments, text in written:
            assert text in refuses(zone.cg_section_write, *arguments, section)
        poly = [
            ((NGON_N, six, None), "NGON_n needs them"),
            ((NGON_N, six, [0, 4, 3]), "3 follows 4"),
            ((NFACE_N, six, [0, 1, 2]), "too few for 2"),
            (
                (MIXED, [TRI_3, 1, 2, 3, NGON_N, 1], [0, 4, 6]),
                "element 2 of the list is of type 22",
            ),
            ((MIXED, [TRI_3, 1, 2, 3, 2, 1], [0, 3, 6]), "do not fit the types"),
        ]
        for (kind, nodes, offsets), text in poly:
            call = zone.cg_poly_section_write
            assert text in refuses(call, "P", kind, one, 0, nodes, offsets, section)
        call = zone.cg_section_general_write
        assert "too few" in refuses(call, "P", NGON_N, 6, one, (3,), 0, section)
        assert "Integer or LongInteger" in refuses(call, "P", NGON_N, 4, one, (4,), 0, section)
    # None of the failed calls left anything.
    assert [child[0] for child in tree_by_h5py(path)[5][0][5][0][5]] == ["ZoneType"]


def test_errors_of_parts(lib, tmp_path):
    path = tmp_path / "file.cgns"
    elements.polyhedra(lib, path)
    with Zone(lib, path, MODIFY) as zone:
        zone.cg_section_write("T", TRI_3, range(20, 22), 0, list(range(1, 7)), lib.out())
        before = zone.all_sections()
        outside = "are not within 20..21"
        nodes = zone.array(99)
        for call, arguments, text in [
            ("cg_elements_read", (1, nodes, None), "NGON_n has elements of varying"),
            ("cg_elements_partial_read", (6, range(20, 23), nodes, None), outside),
            ("cg_poly_elements_partial_read", (6, range(19, 21), nodes, None, None), outside),
            ("cg_elements_general_read", (6, range(20, 21), 4, nodes), "Integer or Long"),
            ("cg_elements_read", (6, None, None), "memory to read into is NULL"),
            ("cg_parent_elements_general_read", (6, range(20, 21), 2, nodes), "no ParentElements"),
            ("cg_ElementPartialSize", (6, range(21, 21), nodes), outside),
            ("cg_ElementDataSize", (7, nodes), "index 7 of Elements_t"),
            ("cg_elements_partial_write", (1, range(1, 2), [1, 2, 3]), "NGON_n has elements"),
            ("cg_elements_partial_write", (6, range(20, 20), [1, 2, 3]), "has elements 20..19"),
            ("cg_elements_partial_write", (6, range(20, 21), None), "are NULL"),
            ("cg_poly_elements_partial_write", (6, range(20, 21), [1], [0, 1]), "is none of"),
            ("cg_poly_elements_partial_write", (1, range(1, 2), [1, 2], None), "are NULL"),
            ("cg_poly_elements_partial_write", (1, range(1, 2), [1, 2], [2, 0]), "ascend"),
            ("cg_parent_data_partial_write", (6, range(21, 23), [1] * 8), outside),
            ("cg_parent_data_write", (6, None), "are NULL"),
        ]:
            assert text in refuses(getattr(zone, call), *arguments), call
        assert zone.all_sections() == before


def test_numbers_that_do_not_fit_are_refused(lib, tmp_path):
    path = tmp_path / "file.cgns"
    with Zone(lib, path) as zone:
        zone.cg_section_write("Wide", TRI_3, range(1, 2), 0, [1, 2, 2**40], lib.out())
        zone.cg_section_general_write("Narrow", TRI_3, 2, range(2, 3), (0,), 0, lib.out())
        call = zone.cg_elements_partial_write
        assert "type I4, which has no 1099" in refuses(call, 2, range(2, 3), [1, 2, 2**40])
    with Zone(lib, path, READ) as zone:
        narrow = np.zeros(3, np.int32)
        call = zone.cg_elements_general_read
        assert "does not fit 32 bits" in refuses(call, 1, range(1, 2), 2, narrow)


# --- files of older versions


def older(path, version, kind, entries, offsets=None, parent_data=None):
    """Makes a file of an older version, with a section of two elements of that type and
    connectivity."""
    with Zone(library("ours"), path) as zone:
        out = zone.lib.out()
        zone.cg_section_write("S", TRI_3, range(1, 3), 0, list(range(1, 7)), out)
    with h5py.File(path, "r+") as file:
        file["CGNSLibraryVersion/ data"][0] = version
        section = file["Base/Zone 1/S"]
        section[" data"][0] = kind
        arrays = {
            "ElementConnectivity": entries,
            "ElementStartOffset": offsets,
            "ParentData": parent_data,
        }
        for name, numbers in arrays.items():
            if numbers is None:
                continue
            if name in section:
                del section[name]
            node = section.create_group(name, track_order=True)
            for key, text, size in (
                ("name", name, 33),
                ("label", "DataArray_t", 33),
                ("type", "I4", 3),
            ):
                node.attrs.create(key, text.encode(), dtype=f"S{size}")
            node[" data"] = np.array(numbers, np.int32)


POLYGONS = [3, 1, 2, 3, 4, 4, 5, 6, 7]
OLDER = {
    "polygons": ((3.3, NGON_N, POLYGONS), [1, 2, 3, 4, 5, 6, 7], [0, 3, 7]),
    "polygons of 3.0": ((3.0, NFACE_N, POLYGONS), [1, 2, 3, 4, 5, 6, 7], [0, 3, 7]),
    "mixed": ((3.3, MIXED, [5, 1, 2, 3, 7, 4, 5, 6, 7]), [5, 1, 2, 3, 7, 4, 5, 6, 7], [0, 4, 9]),
    "mixed of 3.0": ((3.0, MIXED + 1, [14, *range(14), 12, *range(5)]), None, [0, 15, 21]),
}


@pytest.mark.parametrize("case", OLDER)
@pytest.mark.parametrize("mode", [READ, MODIFY])
def test_older_forms_are_converted(lib, tmp_path, case, mode):
    stored, entries, offsets = OLDER[case]
    entries = entries or [PYRA_14, *range(14), 12, *range(5)]
    path, theirs = tmp_path / "file.cgns", tmp_path / "theirs.cgns"
    older(path, *stored)
    older(theirs, *stored)
    with Zone(lib, path, mode) as zone:
        assert zone.everything(1)[1:] == (entries, offsets, None)
        part = zone.array(30)
        zone.cg_poly_elements_partial_read(1, range(2, 3), part, zone.array(2), None)
        assert part[: len(entries) - offsets[1]].tolist() == entries[offsets[1] :]
        if mode == MODIFY:
            # A write converts all sections of the file.
            two_nodes = [2, 1, 2, 1, 2, 1]
            zone.cg_poly_section_write(
                "New", MIXED, range(3, 6), 0, two_nodes, [0, 2, 4, 6], lib.out()
            )
            assert zone.everything(1)[1:] == (entries, offsets, None)
    assert version_of(path) == (4.0 if mode == MODIFY else round(stored[0], 2))
    with Zone(library("vtk"), path if mode == MODIFY else theirs, READ) as zone:
        assert zone.everything(1)[1] == entries
        if stored[0] > 3.0 or mode == MODIFY:
            assert zone.everything(1)[2] == offsets


def test_types_of_3_0_have_other_numbers(lib, tmp_path):
    path = tmp_path / "file.cgns"
    older(path, 3.0, 13, list(range(26)))
    with Zone(lib, path, MODIFY) as zone:
        assert zone.section(1)[1] == PYRA_13
        zone.cg_elements_partial_write(1, range(2, 3), list(range(101, 114)))
        assert zone.everything(1)[1] == [*range(13), *range(101, 114)]
    assert version_of(path) == 3.4
    with Zone(library("vtk"), path, READ) as zone:
        assert zone.section(1)[1] == PYRA_13


@pytest.mark.parametrize("mode", [READ, MODIFY])
def test_parent_data_of_older_versions(lib, tmp_path, mode):
    path = tmp_path / "file.cgns"
    older(path, 2.5, TRI_3, [1, 2, 3, 4, 5, 6], parent_data=np.arange(1, 9).reshape(4, 2))
    with Zone(lib, path, mode) as zone:
        assert zone.everything(1)[3] == list(range(1, 9))
        positions = zone.array(2)
        zone.cg_parent_elements_position_general_read(1, range(1, 2), 6, positions)
        assert positions.tolist() == [5, 7]
        if mode == MODIFY:
            zone.cg_parent_data_partial_write(1, range(2, 3), [12, 14, 16, 18])
            assert zone.everything(1)[3] == [1, 12, 3, 14, 5, 16, 7, 18]
    if mode == MODIFY:
        with Zone(library("vtk"), path, READ) as zone:
            assert zone.everything(1)[3] == [1, 12, 3, 14, 5, 16, 7, 18]


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ((3.3, NGON_N, [3, 1, 2, 3, 4, 1, 2, 3]), "element 2 has 4 nodes, and 3 entries"),
        ((3.3, NGON_N, [3, 1, 2, 3]), "element 2 is missing"),
        ((3.3, NGON_N, [3]), "fewer entries than elements"),
        ((3.3, MIXED, [5, 1, 2, 3, 99, 1]), "element 2 is of type 99"),
        ((3.0, MIXED + 1, [5, 1, 2, 3, 26, 1, 2, 3, 4]), "element 2 is of type 26"),
        ((2.5, NGON_N, [3, 1, 2, 3]), "before 3.0 are not supported"),
        ((3.4, 57, [1, 2]), "which is no type"),
        ((4.0, NGON_N, POLYGONS), "no ElementStartOffset"),
        ((4.0, TRI_3, [1, 2, 3, 4, 5]), "has 5 entries, not 6"),
        ((4.0, NGON_N, [1, 2, 3, 4], [0, 2]), "has 2 entries, not 3"),
        ((4.0, NGON_N, [1, 2, 3, 4], [0, 2, 5]), "does not ascend within 0..4"),
        ((4.0, NGON_N, [1, 2, 3, 4], [2, 0, 4]), "does not ascend within 0..4"),
        ((4.0, TRI_3, [1, 2, 3, 4, 5, 6], None, np.ones((4, 3))), "the dimensions 2 x 4"),
    ],
)
def test_damaged_sections_are_errors(lib, tmp_path, stored, text):
    path = tmp_path / "file.cgns"
    older(path, *stored)
    with Zone(lib, path, READ) as zone, pytest.raises(CgnsError) as error:
        zone.everything(1)
    assert text in error.value.text
    if stored[0] > 3.1:
        return
    # If one section cannot be converted, none is.
    before = tree_by_h5py(path)
    with Zone(lib, path, MODIFY) as zone:
        refuses(zone.cg_section_write, "T", TRI_3, range(9, 10), 0, [1, 2, 3], lib.out())
    assert tree_by_h5py(path) == before


# --- what check says


def rules(path):
    return {(v.path.removeprefix("/Base/Zone 1/"), v.rule) for v in cgns.check(path)}


@pytest.mark.parametrize(
    ("stored", "rule"),
    [
        ((4.0, 57, [1, 2]), ("S", "has elements of type 57, which is no type")),
        ((4.0, TRI_3, [1, 2, 3, 4, 5]), ("S", "ElementConnectivity has 5 entries, not 6")),
        ((4.0, NGON_N, POLYGONS), ("S", "no ElementStartOffset")),
        ((4.0, NGON_N, [1, 2, 3, 4], [0, 2]), ("S", "ElementStartOffset has 2 entries, not 3")),
    ],
)
def test_check_names_arrays_of_another_length(tmp_path, stored, rule):
    path = tmp_path / "file.cgns"
    older(path, *stored)
    where, text = rule
    assert [text in said for place, said in rules(path) if place == where] == [True], rules(path)


def test_check_names_sections_that_overlap(tmp_path):
    """This includes a section within another one, but not adjacent sections."""
    path = tmp_path / "file.cgns"
    counts = {"Later": 3, "All": 9, "Inside": 3, "End": 3}
    with Zone(library("ours"), path) as zone:
        first = 1
        for name, count in counts.items():
            part = range(first, first + count)
            zone.cg_section_write(name, TRI_3, part, 0, [1, 2, 3] * count, zone.lib.out())
            first += count
    assert not rules(path)
    with h5py.File(path, "r+") as file:
        for name, first in {"Later": 21, "All": 1, "Inside": 3, "End": 8}.items():
            file[f"Base/Zone 1/{name}/ElementRange/ data"][:] = [first, first + counts[name] - 1]
    assert rules(path) == {
        ("Inside", "elements 3..5 overlap those of 'All', 1..9"),
        ("End", "elements 8..10 overlap those of 'All', 1..9"),
    }


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.cgns")), ids=lambda path: path.stem)
def test_sections_of_files_of_all_versions(lib, path):
    def sections(any_lib):
        with Zone(any_lib, path, READ) as zone:
            return zone.all_sections()

    assert sections(lib) == sections(library("vtk"))
