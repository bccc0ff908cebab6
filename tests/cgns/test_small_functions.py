"""Functions for files, names and positions that belong to no kind of node, compared with other
libraries"""

import ctypes
import re
import sys

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_examples import run
from cgns_libraries import (
    BUILD,
    INTEGER,
    KINDS,
    MODIFY,
    READ,
    REAL_DOUBLE,
    ROOT,
    CgnsError,
    library,
)
from cgns_programs import ask, compare_readers, status_of
from on_ranks import require_ranks

sys.path.append(str(ROOT / "tools"))

import cgns_tables

TABLES = cgns_tables.load()

END = "end"
BOX = np.array([[0.0, -1.0, 2.0], [3.0, 4.0, 5.0]])


@pytest.mark.parametrize("name", KINDS)
def test_what_a_file_is(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    assert ask(lib, "cg_is_cgns", path, give="int") == 2  # CG_FILE_HDF5
    (tmp_path / "text").write_text("no file of CGNS")
    assert status_of(lib, "cg_is_cgns", tmp_path / "text", give="int") == 1
    assert status_of(lib, "cg_is_cgns", tmp_path / "nothing", give="int") == 1
    file = writers.opened(lib, path, READ)
    assert ask(lib, "cg_get_file_type", file, give="int") == 2
    assert ask(lib, "cg_precision", file, give="int") == 8 * np.dtype(lib.size).itemsize
    assert ask(lib, "cg_cell_dim", file, 1, give="int") == 3
    lib.cg_close(file)
    for function in ("cg_get_file_type", "cg_precision"):
        assert status_of(lib, function, file, give="int") == 1  # the file is closed


@pytest.mark.parametrize("name", KINDS)
def test_ids_lead_to_nodes(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, READ)
    cgio = ask(lib, "cg_get_cgio", file, give="int")
    for function, indices, expected in (
        ("cg_base_id", (1,), "Base"),
        ("cg_zone_id", (1, 1), "Zone 1"),
        ("cg_coord_id", (1, 1, 2), "CoordinateY"),
    ):
        node = ask(lib, function, file, *indices, give="double")
        assert ask(lib, "cgio_get_name", cgio, ctypes.c_double(node), give="name") == expected
        wrong = (*indices[:-1], 9)
        assert status_of(lib, function, file, *wrong, give="double") == 1
    lib.cg_close(file)


@pytest.mark.parametrize("name", KINDS)
def test_where_the_position_is(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, READ)
    labels = (ctypes.c_char_p * 2)(b"Zone_t", b"GridCoordinates_t")
    lib.cg_golist(file, 1, 2, labels, np.array([1, 1], np.int32))
    assert writers.number(lib, "cg_narrays") == 3
    rooms = [lib.text(33) for _ in range(20)]
    memory = (ctypes.c_char_p * 20)(*map(ctypes.addressof, rooms))
    found, base, depth, indices = lib.out(), lib.out(), lib.out(), np.zeros(20, np.int32)
    lib.cg_where(found, base, depth, memory, indices)
    assert (int(found), int(base), int(depth)) == (file, 1, 2)
    assert [room.value.decode() for room in rooms[:2]] == ["Zone_t", "GridCoordinates_t"]
    assert indices[:2].tolist() == [1, 1]
    with pytest.raises(CgnsError):
        lib.cg_golist(file, 1, 2, labels, np.array([1, 7], np.int32))
    lib.cg_close(file)


@pytest.mark.parametrize("name", ["ours", "vtk"])
def test_bounding_boxes(tmp_path, name):
    """The functions exist since libcgns 4.1."""
    lib = library(name)
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    grid = ask(lib, "cg_grid_write", file, base, zone, "GridCoordinates", give="int")
    lib.cg_grid_bounding_box_write(file, base, zone, grid, REAL_DOUBLE, BOX)
    lib.cg_close(file)
    for reader in ("ours", "vtk"):
        lib = library(reader)
        file = writers.opened(lib, path, READ)
        found = np.zeros((2, 3))
        lib.cg_grid_bounding_box_read(file, 1, 1, 1, REAL_DOUBLE, found)
        assert found.tolist() == BOX.tolist()
        assert status_of(lib, "cg_grid_bounding_box_read", file, 1, 1, 9, REAL_DOUBLE, found) == 1
        lib.cg_close(file)


@pytest.mark.parametrize("name", ["ours", "vtk"])
def test_no_bounding_box(tmp_path, name):
    """Writing NULL writes no box, and reading a missing box finds no node."""
    lib, path = library(name), tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    grid = ask(lib, "cg_grid_write", file, base, zone, "GridCoordinates", give="int")
    lib.cg_grid_bounding_box_write(file, base, zone, grid, REAL_DOUBLE, None)
    lib.cg_close(file)
    file = writers.opened(lib, path, READ)
    found = np.full(6, 7.0)
    assert status_of(lib, "cg_grid_bounding_box_read", file, 1, 1, 1, REAL_DOUBLE, found) == 2
    assert (found == 7).all()
    lib.cg_close(file)


def test_error_of_a_program():
    """The CGNS library's own tests call cgi_error."""
    lib = library("ours")
    told = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p)(lambda *said: told.append(said))
    lib.cg_error_handler(handler)
    lib.handle.cgi_error(b"%s is wrong in %d places", b"all", 3)
    lib.cg_error_handler(None)
    assert lib.error() == "all is wrong in 3 places"
    assert told == [(1, b"all is wrong in 3 places")]
    lib.handle.cgi_error(b"%s", b"x" * 5000)
    assert 500 < len(lib.error()) < 1100


def test_the_reason_stands_behind_a_long_name(tmp_path):
    lib = library("ours")
    path = tmp_path.joinpath(*["a folder of a long name " * 10] * 8, "file.cgns")
    assert len(str(path)) > 1900
    with pytest.raises(CgnsError, match=r"^cg_open returned 1: cg_open: /.*\.\.\..*") as caught:
        lib.cg_open(path, READ, lib.out())
    assert caught.value.text.endswith("No such file or directory")
    assert len(caught.value.text) < 1024


@pytest.mark.parametrize("enum", TABLES.texts)
def test_names_of_values(enum):
    """This includes numbers that are not values."""
    ours, theirs = library("ours"), library("vtk")
    values = range(-1, len(TABLES.texts[enum]) + 1)

    def names(lib):
        name_of = getattr(lib.handle, f"{lib.prefix}cg_{enum}Name")
        name_of.restype = ctypes.c_char_p
        return [name_of(value) for value in values]

    assert names(ours) == names(theirs)


def test_a_name_of_a_list():
    names = (ctypes.c_char_p * 2)(b"One", b"Two")
    for lib in map(library, ("ours", "vtk")):
        name_of = getattr(lib.handle, f"{lib.prefix}cg_get_name")
        name_of.restype = ctypes.c_char_p
        assert [name_of(2, names, i) for i in (0, 1, 2, -1)] == [
            b"One",
            b"Two",
            *[b"<invalid>"] * 2,
        ]


def test_messages_go_to_a_handler(tmp_path):
    """An error goes to the handler with the text of cg_get_error, and the function returns as
    usual."""
    heard = []

    @ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p)
    def hear(is_error, message):
        heard.append((is_error, message.decode()))

    for name in ("ours", "vtk"):
        lib = library(name)
        lib.cg_error_handler(hear)
        try:
            assert status_of(lib, "cg_open", tmp_path / "missing.cgns", READ, lib.out()) == 1
            assert heard == [(1, lib.error())]
        finally:
            lib.cg_error_handler(None)
        heard.clear()


@pytest.mark.parametrize("name", KINDS)
def test_what_is_no_cgns_file_is_no_error(tmp_path, name):
    """The question has an answer, so no handler is called."""
    heard = []

    @ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p)
    def hear(is_error, message):
        heard.append(message)

    lib = library(name)
    (tmp_path / "text").write_text("no file of CGNS")
    h5py.File(tmp_path / "other.h5", "w").close()
    lib.cg_error_handler(hear)
    try:
        for path in ("text", "other.h5", "nothing"):
            kind = lib.out()
            with pytest.raises(CgnsError):
                lib.cg_is_cgns(tmp_path / path, kind)
            assert int(kind) == (2 if path == "other.h5" else 0)
            if name == "ours":
                assert str(tmp_path / path) in lib.error()
    finally:
        lib.cg_error_handler(None)
    assert not heard


def test_paths_and_compression_are_accepted(tmp_path):
    """They have no effect on HDF5 files. The number of cg_set_compress is kept."""
    for name in ("ours", "vtk"):
        lib = library(name)
        lib.cg_set_path(str(tmp_path))
        lib.cg_add_path(str(tmp_path / "more"))
        lib.cg_set_compress(7)
        assert ask(lib, "cg_get_compress", give="int") == 7
        lib.cg_set_compress(0)
        assert status_of(lib, "cg_add_path", "") == status_of(library("vtk"), "cg_add_path", "")
        lib.cg_set_path("")


def test_what_was_flushed_is_in_the_file(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    file, _, _ = writers.one_zone(lib, path)
    lib.cgio_flush_to_disk(ask(lib, "cg_get_cgio", file, give="int"))
    copy = tmp_path / "copy.cgns"
    copy.write_bytes(path.read_bytes())
    lib.cg_close(file)
    stock = library("vtk")
    file = writers.opened(stock, copy, READ)
    assert writers.number(stock, "cg_nzones", file, 1) == 1
    stock.cg_close(file)


@pytest.mark.parametrize("name", ["ours", "vtk"])
def test_a_part_of_a_coordinate_from_a_part_of_memory(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    file, base, zone = writers.one_zone(lib, path)
    memory = np.arange(6 * 5 * 4, dtype=np.float64)
    index = lib.out()
    lib.cg_coord_general_write(
        *(file, base, zone, "CoordinateX", REAL_DOUBLE, lib.sizes([1, 1, 1])),
        *(lib.sizes([4, 3, 2]), REAL_DOUBLE, 3, lib.sizes([6, 5, 4])),
        *(lib.sizes([2, 2, 2]), lib.sizes([5, 4, 3]), memory, index),
    )
    wrong = (
        *(file, base, zone, "CoordinateY", REAL_DOUBLE, lib.sizes([1, 1, 1])),
        *(lib.sizes([4, 3, 2]), REAL_DOUBLE, 3, lib.sizes([6, 5, 4])),
        *(lib.sizes([2, 2, 2]), lib.sizes([5, 4, 2]), memory, index),
    )
    assert status_of(lib, "cg_coord_general_write", *wrong) == 1  # different numbers of elements
    lib.cg_close(file)
    with h5py.File(path) as hdf5:
        found = hdf5["Base/Zone 1/GridCoordinates/CoordinateX/ data"][()]
    assert found.tolist() == memory.reshape(4, 5, 6)[1:3, 1:4, 1:5].tolist()


def array_out_of_a_box(lib, path):
    """Writes the middle of a box of 6 x 5."""
    file, base, _ = writers.one_zone(lib, path)
    lib.cg_goto(file, base, END)
    lib.cg_user_data_write("Boxes")
    lib.cg_gorel(file, "Boxes", 0, END)
    memory = np.arange(30, dtype=np.int32)
    box = (INTEGER, 2, lib.sizes([6, 5]), lib.sizes([2, 2]), lib.sizes([5, 4]))
    lib.cg_array_general_write(
        *("Values", INTEGER, 2, lib.sizes([4, 3]), lib.sizes([1, 1]), lib.sizes([4, 3])),
        *(*box, memory),
    )
    lib.cg_close(file)


# These are the elements in memory, where the first index of CGNS is the last one.
BOX_OF_ARRAY = np.arange(30).reshape(5, 6)[1:4, 1:5]


def read_into_a_box(lib, path):
    file = writers.opened(lib, path, READ)
    lib.cg_goto(file, 1, "Boxes", 0, END)
    found = np.zeros((4, 5))
    lib.cg_array_general_read(
        *(1, lib.sizes([2, 1]), lib.sizes([3, 3]), REAL_DOUBLE, 2),
        *(lib.sizes([5, 4]), lib.sizes([3, 2]), lib.sizes([4, 4]), found),
    )
    lib.cg_close(file)
    return found.tolist()


def test_arrays_out_of_a_box_and_into_one(tmp_path):
    expected = np.zeros((4, 5))
    expected[1:4, 2:4] = BOX_OF_ARRAY[:, 1:3]
    compare_readers(tmp_path, array_out_of_a_box, read_into_a_box, expected.tolist())
    with h5py.File(tmp_path / "by-ours.cgns") as hdf5:
        assert hdf5["Base/Boxes/Values/ data"][()].tolist() == BOX_OF_ARRAY.tolist()


@pytest.mark.parametrize("name", KINDS)
def test_wrong_boxes(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    array_out_of_a_box(lib, path)
    file = writers.opened(lib, path, MODIFY)
    lib.cg_goto(file, 1, "Boxes", 0, END)
    one, dims, found = lib.sizes([1, 1]), lib.sizes([4, 3]), np.zeros(12)
    whole = (one, dims, REAL_DOUBLE, 2, dims, one, dims)
    assert status_of(lib, "cg_array_general_read", 1, *whole, found) == 0
    assert status_of(lib, "cg_array_general_read", 2, *whole, found) == 2
    outside = (one, lib.sizes([5, 3]), *whole[2:])
    assert status_of(lib, "cg_array_general_read", 1, *outside, found) == 1
    smaller = (*whole[:-1], lib.sizes([4, 2]))
    assert status_of(lib, "cg_array_general_read", 1, *smaller, found) == 1
    new = ("New", REAL_DOUBLE, 2, dims)
    assert status_of(lib, "cg_array_general_write", *new, *outside, found) == 1
    assert status_of(lib, "cg_array_general_write", *new, *smaller, found) == 1
    assert writers.number(lib, "cg_narrays") == 1
    lib.cg_close(file)


def test_new_files_are_hdf5_files():
    lib = library("ours")
    lib.cg_set_file_type(2)
    for kind in (1, 3, 7):
        with pytest.raises(CgnsError, match="cg_set_file_type: "):
            lib.cg_set_file_type(kind)


# Tests call these functions without writing their names out.
CALLED_SO = [
    r"cg_\w+Name",  # test_names_of_values
    r"cg_goto_f08|cg_gorel_f08",  # the subroutines cg_goto_f and cg_gorel_f
    r"cg_error_exit|cgp_error_exit",  # the examples, where they fail
]


# These files name functions that they do not call, or whose results they do not check.
CALL_NOTHING = ("walk_cgns.hpp", "cgns_positions.py", "cgns_wrong_calls.py", "test_wrong_calls.py")


def test_every_function_has_a_test():
    """Each name, or that of its subroutine, occurs in a test; names of cgio without their
    prefix."""
    tests = ROOT / "tests"
    sources = [
        path.read_text()
        for folder in ("cgns", "support", "mpi", "fortran", "hostile", "../examples/cgns")
        for path in (tests / folder).rglob("*")
        if path.suffix in (".py", ".cpp", ".hpp", ".c", ".f90") and path.name not in CALL_NOTHING
    ]
    words = set(re.findall(r"\w+", "\n".join(sources)))
    words.update(f"cg_{kind}_ptset_write" for kind in ("discrete", "sol"))  # test_solutions
    without = [
        function.name
        for function in TABLES.functions
        if not words & {function.name, f"{function.name}_f", function.name.removeprefix("cgio_")}
        and not any(re.fullmatch(pattern, function.name) for pattern in CALLED_SO)
    ]
    assert not without


def test_the_position_stays_on_a_node_that_is_written_again(tmp_path):
    lib = library("ours")
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, MODIFY)
    solution = ask(lib, "cg_sol_write", file, 1, 1, b"S", 2, give="int")
    lib.cg_goto(file, 1, b"Zone_t", 1, b"FlowSolution_t", solution, b"end")
    lib.cg_descriptor_write(b"D", b"text")
    assert ask(lib, "cg_sol_write", file, 1, 1, b"S", 2, give="int") == solution
    assert ask(lib, "cg_ndescriptors", give="int") == 0
    lib.cg_descriptor_write(b"E", b"text")
    assert ask(lib, "cg_ndescriptors", give="int") == 1
    lib.cg_close(file)


@pytest.mark.parametrize("name", KINDS)
def test_a_path_without_a_base(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, READ)
    assert status_of(lib, "cg_gopath", file, b"/Nowhere/Zone") == 1
    lib.cg_close(file)


def test_calls_of_ranks_take_any_file(tmp_path):
    """Programs that choose cg_open or cgp_open continue with cgp_ functions."""
    require_ranks()
    lib = library("ours")
    path = tmp_path / "file.cgns"
    writers.coordinates(lib, path)
    file = writers.opened(lib, path, READ)
    first, last, found = lib.sizes([1, 1, 1]), lib.sizes([4, 3, 2]), np.zeros_like(writers.CORE)
    lib.cgp_coord_read_data(file, 1, 1, 1, first, last, found)
    assert found.tolist() == writers.CORE.tolist()
    lib.cgp_close(file)
    assert status_of(lib, "cg_close", file) == 1


@pytest.mark.parametrize("scope", ["", "-DCGNS_SCOPE_ENUMS"])
def test_macros_that_old_programs_use(tmp_path, scope):
    """The headers of Debian's library have them, too."""
    source = tmp_path / "program.c"
    source.write_text(
        """#include <cgnslib.h>
        #if CG_BUILD_HDF5 != 1 || CG_BUILD_DEBUG != 0 || CG_MODE_CLOSED != 3
        #error "not as in Debian's library"
        #endif
        unsigned CG_LONG_T number; CG_LONG_T other;
        #ifdef CGNS_SCOPE_ENUMS
        int cg_f(void) { return CGNS_ENUMV(Vertex); }
        #else
        int f(void) { return CGNS_ENUMV(Vertex); }
        #endif
        int main(void) { return CGNS_ENUMF(f)() - 2 + (sizeof(number) != sizeof(cgsize_t)); }
        """
    )
    folders = [ROOT / "cgns/include", BUILD / "cgns/include"]
    flags = [*(f"-I{folder}" for folder in folders), *scope.split()]
    run("cc", "-Wall", "-Werror", *flags, source, "-o", tmp_path / "program", folder=tmp_path)
    run(tmp_path / "program", folder=tmp_path)
