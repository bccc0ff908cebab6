"""Bases, zones, coordinates, descriptors and arrays: files equal those of other libraries, and
files of others are read."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import cgns_writers as writers
import numpy as np
import pytest
from cgns_libraries import MODIFY, READ, REAL_DOUBLE, STOCK, WRITE, CgnsError, library
from cgns_trees import compare_writers
from on_ranks import output_of_ranks, require_ranks

PROGRAMS = [
    writers.coordinates,
    writers.many_zones,
    writers.descriptors_and_arrays,
    writers.modified,
]


@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
def test_same_file_as_other_libraries(tmp_path, write):
    compare_writers(tmp_path, write)


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_zones_are_sorted_by_name(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    writers.many_zones(library(writer), path)
    file = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_nbases", file) == 2
    assert writers.number(lib, "cg_nzones", file, 2) == 5
    names = []
    for zone in range(1, 6):
        name, size = lib.text(), lib.sizes([0] * 9)
        lib.cg_zone_read(file, 2, zone, name, size)
        names.append(writers.text(name))
        assert size.tolist() == [4, 3, 2, 3, 2, 1, 0, 0, 0]
        assert writers.number(lib, "cg_zone_type", file, 2, zone) == 2
        assert writers.number(lib, "cg_index_dim", file, 2, zone) == 3
    assert names == ["Zone1", "Zone10", "Zone11", "Zone2", "Zone3"]
    lib.cg_close(file)


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_coordinates_are_read(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    writers.coordinates(library(writer), path)
    file = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_ngrids", file, 1, 1) == 1
    assert writers.number(lib, "cg_ncoords", file, 1, 1) == 3
    kind, name = lib.out(), lib.text()
    lib.cg_coord_info(file, 1, 1, 2, kind, name)
    assert (int(kind), writers.text(name)) == (3, "CoordinateY")
    values = np.zeros(24)
    whole = lib.sizes([1, 1, 1]), lib.sizes([4, 3, 2])
    lib.cg_coord_read(file, 1, 1, "CoordinateY", REAL_DOUBLE, *whole, values)
    assert values.tolist() == (writers.CORE + 0.5).tolist()
    lib.cg_coord_read(file, 1, 1, "CoordinateZ", REAL_DOUBLE, *whole, values)
    assert values[12:].tolist() == (200 + writers.CORE[:12]).tolist()
    part = np.zeros(4)
    lib.cg_coord_read(
        file, 1, 1, "CoordinateX", REAL_DOUBLE, lib.sizes([2, 2, 2]), lib.sizes([3, 3, 2]), part
    )
    assert part.tolist() == [17, 18, 21, 22]
    memory = np.full(16, -1.0)
    lib.cg_coord_general_read(
        *(file, 1, 1, "CoordinateX", lib.sizes([2, 2, 2]), lib.sizes([3, 3, 2]), REAL_DOUBLE),
        *(2, lib.sizes([4, 4]), lib.sizes([2, 2]), lib.sizes([3, 3]), memory),
    )
    expected = np.full((4, 4), -1.0)
    expected[1:3, 1:3] = [[17, 18], [21, 22]]
    assert memory.tolist() == expected.reshape(-1).tolist()
    with pytest.raises(CgnsError, match=r"range 1\.\.5 of dimension 1"):
        lib.cg_coord_read(
            file, 1, 1, "CoordinateX", REAL_DOUBLE, lib.sizes([1, 1, 1]), lib.sizes([5, 1, 1]), part
        )
    lib.cg_close(file)


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_position(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    writers.descriptors_and_arrays(library(writer), path)
    file = writers.opened(lib, path, READ)
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates", 0, "end")
    assert writers.number(lib, "cg_narrays") == 3
    name, kind, rank, dims = lib.text(), lib.out(), lib.out(), lib.sizes([0] * 12)
    lib.cg_array_info(2, name, kind, rank, dims)
    assert (writers.text(name), int(kind), dims[: int(rank)].tolist()) == ("Extra", 2, [4, 6])
    values = np.zeros(24, np.int32)
    lib.cg_array_read(2, values)
    assert values.tolist() == list(range(24))
    lib.cg_gorel(file, "..", 0, None)
    assert writers.number(lib, "cg_ndescriptors") == 1
    lib.cg_gopath(file, "/Base")
    about = ctypes.c_char_p()
    lib.cg_descriptor_read(1, name, ctypes.byref(about))
    assert (writers.text(name), about.value) == ("About", b"two\nlines")
    lib.cg_free(about)
    with pytest.raises(CgnsError) as error:
        lib.cg_goto(file, 1, "Zone_t", 7, "end")
    assert error.value.status == 2
    with pytest.raises(CgnsError, match="no current position"):
        lib.cg_ndescriptors(lib.out())
    lib.cg_close(file)


def test_errors_name_what_is_wrong(lib, tmp_path):
    path = tmp_path / "file.cgns"
    file = writers.opened(lib, path, WRITE)
    base = writers.base_of(lib, file)
    with pytest.raises(CgnsError, match="name 'Base' already"):
        writers.base_of(lib, file)
    with pytest.raises(CgnsError, match="32 characters"):
        writers.base_of(lib, file, "x" * 33)
    with pytest.raises(CgnsError, match="not open for reading"):
        writers.number(lib, "cg_nbases", file)
    zone = lib.out()
    with pytest.raises(CgnsError, match="not one less"):
        lib.cg_zone_write(file, base, "Z", lib.sizes([2, 2, 2, 2, 1, 1, 0, 0, 0]), 2, zone)
    lib.cg_close(file)
    with pytest.raises(CgnsError, match="no file is open"):
        lib.cg_close(file)


@pytest.mark.parametrize("any_library", ["ours", *STOCK])
def test_statuses(tmp_path, any_library):
    """A wrong index is an error. A missing node at the current position is not found."""
    lib = library(any_library)
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, READ)
    out, text, sizes = lib.out(), lib.text(), lib.sizes([0] * 12)

    def status(function, *arguments):
        with pytest.raises(CgnsError) as error:
            getattr(lib, function)(*arguments)
        return error.value.status

    assert status("cg_base_read", file, 7, text, out, out) == 1
    assert status("cg_zone_read", file, 1, 7, text, sizes) == 1
    assert status("cg_coord_info", file, 1, 1, 9, out, text) == 1
    assert status("cg_grid_read", file, 1, 1, 7, text) == 1
    lib.cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, "end")
    assert status("cg_array_info", 9, text, out, out, sizes) == 2
    assert status("cg_descriptor_read", 9, text, ctypes.byref(ctypes.c_char_p())) == 2
    assert status("cg_goto", file, 7, "end") == 2
    assert status("cg_goto", file, 1, "Zone_t", 9, "end") == 2
    assert status("cg_goto", file, 1, "Nothing_t", 9, "end") == 3
    assert status("cg_goto", file, 1, "Nothing", 0, "end") == 2
    assert status("cg_goto", file, 1, "..", 0, "end") == 1
    lib.cg_close(file)


def test_adf_is_refused_by_name(lib, tmp_path):
    path = tmp_path / "old.cgns"
    path.write_bytes(b"@(#)ADF Database Version A02007>" + bytes(1000))
    with pytest.raises(CgnsError, match="is an ADF file; convert it: cgnsconvert -h"):
        writers.opened(lib, path, READ)


def other_program(path, mode):
    """Starts another process that has the file open until its input ends."""
    opens = f"import h5py, sys; f = h5py.File({str(path)!r}, {mode!r})"
    program = f"{opens}; print(flush=True); sys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    other.stdout.readline()
    return other


@pytest.mark.parametrize("any_library", ["ours", "vtk"])
def test_a_new_file_takes_the_place_of_one_that_is_read(tmp_path, any_library):
    """A reader keeps the file that it opened."""
    lib = library(any_library)
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    before = path.read_bytes()
    with path.open("rb") as opened, other_program(path, "r") as other:
        file = writers.opened(lib, path, WRITE)
        writers.base_of(lib, file)
        lib.cg_close(file)
        assert opened.read() == before
        other.communicate()
    assert path.read_bytes() != before


def test_a_file_that_this_process_writes_stays(lib, tmp_path):
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    first = writers.opened(lib, path, MODIFY)
    writers.base_of(lib, first, "Another")
    with pytest.raises(CgnsError, match="this process has it open for writing"):
        writers.opened(lib, path, WRITE)
    lib.cg_close(first)
    first = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_nbases", first) == 2
    lib.cg_close(first)


ANEW = """
import sys
from mpi4py import MPI
import cgns_writers as writers
from cgns_libraries import WRITE, library

lib = library("ours")
file = lib.out()
lib.cgp_open(sys.argv[1], WRITE, file)
writers.base_of(lib, int(file))
lib.cgp_close(int(file))
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_ranks_replace_what_is_read(lib, tmp_path, ranks):
    require_ranks()
    path, program = tmp_path / "file.cgns", tmp_path / "program.py"
    writers.coordinates(lib, path)
    before = path.read_bytes()
    program.write_text(f"import sys\nsys.path[:0] = {sys.path!r}\n{ANEW}")
    with path.open("rb") as opened, other_program(path, "r") as other:
        output_of_ranks(ranks, program, path)
        assert opened.read() == before
        other.communicate()
    file = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_nzones", file, 1) == 0
    lib.cg_close(file)


def test_a_file_that_is_written_stays(lib, tmp_path):
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    with other_program(path, "r+") as other:
        with pytest.raises(CgnsError, match="it is open elsewhere, for writing"):
            writers.opened(lib, path, WRITE)
        other.communicate()
    file = writers.opened(lib, path, READ)
    assert writers.number(lib, "cg_nzones", file, 1) > 0
    lib.cg_close(file)


CORPUS = Path(os.environ.get("ONECAST_CORPUS", "../shared/corpus")) / "cgns"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.cgns")), ids=lambda path: path.stem)
def test_files_of_all_versions_are_walked(lib, path):
    """The names and sizes of all zones are those that a stock library finds."""
    stock = library("vtk")

    def zones(any_lib):
        file = writers.opened(any_lib, path, READ)
        found = []
        for base in range(1, writers.number(any_lib, "cg_nbases", file) + 1):
            for zone in range(1, writers.number(any_lib, "cg_nzones", file, base) + 1):
                name, size = any_lib.text(), any_lib.sizes([0] * 9)
                any_lib.cg_zone_read(file, base, zone, name, size)
                coordinates = writers.number(any_lib, "cg_ncoords", file, base, zone)
                found.append((base, writers.text(name), size.tolist(), coordinates))
        any_lib.cg_close(file)
        return found

    assert zones(lib) == zones(stock)


def test_modified_file_keeps_its_nodes(lib, tmp_path):
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    index = lib.out()
    lib.cg_coord_write(file, 1, 1, REAL_DOUBLE, "CoordinateX", writers.CORE * 2, index)
    assert int(index) == 1
    values = np.zeros(24)
    whole = lib.sizes([1, 1, 1]), lib.sizes([4, 3, 2])
    lib.cg_coord_read(file, 1, 1, "CoordinateX", REAL_DOUBLE, *whole, values)
    assert values.tolist() == (writers.CORE * 2).tolist()
    lib.cg_close(file)
