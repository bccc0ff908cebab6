"""The module cgns has the subroutines of the tables, and Fortran programs write the same files as C
programs."""

import gzip
import os
import re
import shlex
import shutil
import sys

import cgns_libraries
import pytest
from cgns_examples import files_of, run
from cgns_libraries import BUILD, ROOT, STOCK, library
from cgns_trees import assert_same, tree_by_h5py, tree_by_library

sys.path.append(str(ROOT / "tools"))

import cgns_fortran
import cgns_tables

MODULE = BUILD / "fortran" / "cgns.mod"
EXAMPLES = sorted((ROOT / "examples" / "cgns").glob("*.f90"))
# The CGNS library's module has these in version 4.5.
SUBROUTINES_OF_CGNS = 309
# The CGNS library replaces these functions by other subroutines.
NOT_OF_C = {"cg_exit_on_error_f", "cg_descriptor_size_f", "cg_state_size_f"}

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="built without Fortran")


@pytest.fixture(scope="module")
def names():
    tables, differences = cgns_tables.load(), cgns_fortran.load_differences()
    has_mpi = b"cgp_open_f" in gzip.decompress(MODULE.read_bytes())
    return cgns_fortran.subroutine_names(tables, differences, has_mpi)


def test_the_module_has_the_subroutines_of_the_tables(names):
    listed = gzip.decompress(MODULE.read_bytes()).decode()
    found = set(re.findall(r"'(cg(?:io|p)?_\w+_f)'", listed))
    assert found == {name.lower() for name in names}
    if "cgp_open_f" in names:
        assert len(names) >= SUBROUTINES_OF_CGNS
    assert names >= NOT_OF_C


def test_every_function_of_c_has_a_subroutine_or_none_on_purpose(names):
    differences = cgns_fortran.load_differences()
    functions = {function.name: function for function in cgns_tables.load().functions}
    assert {*differences.without, *differences.addresses} <= set(functions)
    for settings in (differences.instead, differences.either_kind):
        assert set(settings) <= set(functions)
    for name, parameter in differences.either_kind.items():
        assert re.search(rf"\b{parameter}\b", functions[name].parameters), name


def test_constants_are_those_of_c(tmp_path):
    """A Fortran program prints them."""
    tables = cgns_tables.load()
    values = {name: i for enum in tables.enums.values() for i, name in enumerate(enum)}
    values |= tables.macros["cgnslib"] | tables.macros["cgns_io"]
    lines = [f'print "(a,1x,i0)", "{name}", {name}' for name in values]
    lines += [
        f'print "(*(a,:,1x))", "{name}Name", &\n(trim({name}Name(i)), i=0, ubound({name}Name, 1))'
        for name in tables.enums
    ]
    program = tmp_path / "program.f90"
    program.write_text("\n".join(["use cgns", "integer :: i", *lines, "end"]))
    printed = run_fortran(program, tmp_path).splitlines()
    found = dict(line.split(" ", 1) for line in printed)
    assert {name: int(found[name]) for name in values} == values
    for name, texts in tables.texts.items():
        assert found[f"{name}Name"].split() == texts


def run_fortran(source, folder, *options):
    """Compiles and runs a program as users do, and returns its output."""
    compiler = os.environ.get("FC", "gfortran")
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    flags = [f"-I{MODULE.parent}", f"-L{BUILD}", "-lonecast_cgns_f", f"-Wl,-rpath,{BUILD}"]
    run(compiler, *options, source, "-o", folder / "program", *flags, folder=folder)
    return run(folder / "program", folder=folder)


@pytest.mark.parametrize("name", [path.stem for path in EXAMPLES])
def test_same_tree_as_the_example_in_c(tmp_path, name):
    ranks = 3 if name.endswith("_mpi") else 0
    (in_c,) = files_of(f"example_cgns_{name}", tmp_path / "c", ranks).values()
    (in_fortran,) = files_of(f"example_cgns_{name}_f90", tmp_path / "fortran", ranks).values()
    tree = tree_by_h5py(in_fortran)
    assert_same(tree, tree_by_h5py(in_c))
    for stock in STOCK:
        if cgns_libraries.KINDS[stock][0]() is None:
            continue
        lib = library(stock)
        assert_same(tree_by_library(lib, in_fortran), tree_by_library(lib, in_c))


OLD_STYLE = """
      PROGRAM OLD
      USE CGNS
      IMPLICIT NONE
#include "cgnstypes_f03.h"
      INTEGER F, B, Z, S, I, IER
      INTEGER(CGSIZE_T) ISIZE(1,3), IRMIN, IRMAX
      REAL*8 X(5)
      CALL CG_OPEN_F('old.cgns',MODE_WRITE,F,IER)
      IF (IER .NE. ALL_OK) CALL CG_ERROR_EXIT_F
      CALL CG_BASE_WRITE_F(F,'Base',1,1,B,IER)
      ISIZE(1,1)=5
      ISIZE(1,2)=4
      ISIZE(1,3)=0
      CALL CG_ZONE_WRITE_F(F,B,'Zone',ISIZE,CGNS_ENUMV(Unstructured),Z,IER)
      DO 10 I=1,5
        X(I)=I*1.5
 10   CONTINUE
      CALL CG_COORD_WRITE_F(F,B,Z,CGNS_ENUMV(RealDouble),'CoordinateX',X,I,IER)
      CALL CG_CLOSE_F(F,IER)
      IF (IER .NE. CG_OK) CALL CG_ERROR_EXIT_F
      CALL CG_OPEN_F('old.cgns',MODE_READ,F,IER)
      X=0
      IRMIN=2
      IRMAX=4
      CALL CG_COORD_READ_F(F,1,1,'CoordinateX',RealDouble,IRMIN,IRMAX,
     &  X,IER)
      IF (IER .NE. CG_OK) CALL CG_ERROR_EXIT_F
      WRITE(*,*) X(1)+X(3)
      CALL CG_CLOSE_F(F,IER)
      END
"""


def test_a_program_in_the_old_style(tmp_path):
    source = tmp_path / "old.F"
    source.write_text(OLD_STYLE)
    assert float(run_fortran(source, tmp_path)) == 9.0


BEFORE_2003 = """
#include "cgnstypes_f.h"
      PROGRAM OLDER
      USE CGNS, ONLY: CG_MODE_CLOSED, CG_IS_CGNS_F, UserDefined, CG_Null
      cgsize_t N
      cgid_t ID
      INTEGER TYPE, IER
      N=2
      ID=0.5
      CALL CG_IS_CGNS_F('nothing.cgns',TYPE,IER)
      WRITE(*,*) N+ID+CG_MODE_CLOSED+UserDefined+CG_Null+IER
      END
"""


def test_types_by_their_names(tmp_path):
    source = tmp_path / "older.F"
    source.write_text(BEFORE_2003)
    assert float(run_fortran(source, tmp_path)) == 7.5


NAMES_AND_PARENTS = """
use cgns
implicit none
integer :: file, base, zone, section, i, ier
integer(cgsize_t) :: sizes(3) = [4, 1, 0], found(4), i1 = 1
character(40) :: name = "A name of more than 32 characters, too long"
character(32) :: read_back
integer :: unwanted(2) = 7
call cg_open_f("names.cgns", CG_MODE_WRITE, file, ier)
call cg_base_write_f(file, "Base", 3, 3, base, ier)
call cg_zone_write_f(file, base, name, sizes, Unstructured, zone, ier)
if (ier /= CG_OK) call cg_error_exit_f
call cg_section_write_f(file, base, zone, "Tetra", TETRA_4, i1, i1, 0, [(i1*i, i=1, 4)], &
                        section, ier)
call cg_close_f(file, ier)
call cg_open_f("names.cgns", CG_MODE_READ, file, ier)
call cg_zone_read_f(file, base, zone, read_back, sizes, ier)
if (ier /= CG_OK .or. read_back /= name(:32)) error stop "name"
call cg_elements_read_f(file, base, zone, section, found, c_null_ptr, ier)
if (ier /= CG_OK .or. any(found /= [1, 2, 3, 4])) error stop "address"
found = 0
call cg_elements_read_f(file, base, zone, section, found, unwanted, ier)
if (ier /= CG_OK .or. any(found /= [1, 2, 3, 4]) .or. any(unwanted /= 7)) error stop "integers"
call cg_close_f(file, ier)
print *, "read"
end
"""


def test_long_names_are_cut_and_parents_need_not_be_wanted(tmp_path):
    source = tmp_path / "names.f90"
    source.write_text(NAMES_AND_PARENTS)
    assert run_fortran(source, tmp_path).split() == ["read"]


COMMUNICATOR = """
use cgns
implicit none
integer, target :: communicator = {number}
integer :: file, base, ier
! Begins with MPI.
call cgp_open_f("first.cgns", CG_MODE_WRITE, file, ier)
call cgp_close_f(file, ier)
call cg_configure_f(CG_CONFIG_HDF5_MPI_COMM, {given}, ier)
if (ier /= CG_OK) call cg_error_exit_f
call cgp_open_f("self.cgns", CG_MODE_WRITE, file, ier)
if (ier /= CG_OK) call cg_error_exit_f
call cg_base_write_f(file, "Base", 3, 3, base, ier)
call cgp_close_f(file, ier)
print *, ier
end
"""
# These are the values of MPI_COMM_SELF in mpif.h.
COMM_SELF = {"openmpi": 1, "mpich": 0x44000001}


@pytest.mark.parametrize("given", ["c_loc(communicator)", "communicator"])
def test_a_communicator_is_a_number(tmp_path, given):
    mpi = os.environ.get("MPI", BUILD.name.rpartition("-")[2])
    if mpi not in COMM_SELF or "MPICC" not in os.environ:
        pytest.skip("of these MPIs the numbers are known: " + ", ".join(COMM_SELF))
    source = tmp_path / "self.f90"
    source.write_text(COMMUNICATOR.format(number=COMM_SELF[mpi], given=given))
    # The program calls no function of MPI, but decides which MPI is used.
    options = [
        "-Wl,--no-as-needed",
        *shlex.split(run(os.environ["MPICC"], "-show", folder=tmp_path))[1:],
    ]
    assert run_fortran(source, tmp_path, *options).split() == ["0"]


def test_an_error_ends_the_program_if_it_is_told_to(tmp_path):
    source = tmp_path / "ends.f90"
    source.write_text(
        "use cgns\ninteger :: file, ier\ncall cg_exit_on_error_f(1)\n"
        'call cg_open_f("none.cgns", CG_MODE_READ, file, ier)\nprint *, "goes on"\nend\n'
    )
    with pytest.raises(AssertionError, match=r"^CGNS error: cg_open: .*none\.cgns"):
        run_fortran(source, tmp_path)


def test_sizes_of_another_kind_are_refused(tmp_path):
    """The compiler refuses them, instead of a wrong range at run time."""
    if "CG_BUILD_64BIT_F 0" in (MODULE.parent / "cgnstypes_f03.h").read_text():
        pytest.skip("sizes are default integers")
    source = tmp_path / "wrong.f90"
    source.write_text(
        "use cgns\ninteger :: sizes(3), zone, ier\nsizes = [2, 1, 0]\n"
        'call cg_zone_write_f(1, 1, "Zone", sizes, Unstructured, zone, ier)\nend\n'
    )
    with pytest.raises(AssertionError, match="Type mismatch in argument"):
        run_fortran(source, tmp_path)


BESIDE = """
module solver
  use cgns
  use iso_c_binding
end module solver
program beside
  use cgns
  use iso_c_binding
  use solver
  implicit none
  type(c_funptr) :: handler
  type(c_ptr) :: nothing
  integer(cgsize_t), pointer :: sizes(:)
  integer :: ier
  handler = c_null_funptr
  nothing = c_null_ptr
  sizes => null()
  call cg_configure_f(CG_CONFIG_ERROR, handler, ier)
  print *, ier, associated(sizes)
end program beside
"""


def test_beside_the_intrinsic_modules(tmp_path):
    """The module is used in several scopes, and beside the intrinsic procedure null."""
    program = tmp_path / "beside.f90"
    program.write_text(BESIDE)
    assert run_fortran(program, tmp_path, f"-J{tmp_path}").split() == ["0", "F"]


WITHOUT_MODULE = """
      PROGRAM PLAIN
      IMPLICIT NONE
      INTEGER F, B, Z, S, I, N, IER, DIMS(2), KIND
      INTEGER*8 ISIZE(3), LOW, HIGH
      CHARACTER*32 NAME, OTHER
      CHARACTER*80 TEXT
      REAL*8 X(5), Y(5)
      CALL CG_OPEN_F('plain.cgns   ', 1, F, IER)
      CALL CG_BASE_WRITE_F(F, 'Base', 3, 3, B, IER)
      ISIZE(1) = 5
      ISIZE(2) = 4
      ISIZE(3) = 0
      CALL CG_ZONE_WRITE_F(F, B, 'Zone   ', ISIZE, 3, Z, IER)
      DO 10 I = 1, 5
        X(I) = I * 1.5
 10   CONTINUE
      CALL CG_COORD_WRITE_F(F, B, Z, 4, 'CoordinateX', X, I, IER)
      CALL CG_GOTO_F(F, B, IER, 'Zone_t', Z, 'GridCoordinates', 0,
     &               'end')
      CALL CG_DESCRIPTOR_WRITE_F('About', 'Some text', IER)
      CALL CG_GOREL_F(F, IER, '..', 0, 'end')
      CALL CG_USER_DATA_WRITE_F('Mine', IER)
      CALL CG_NUSER_DATA_F(N, IER)
      WRITE(*,'(I1)') N
      CALL CG_CLOSE_F(F, IER)
      CALL CG_OPEN_F('plain.cgns', 0, F, IER)
      CALL CG_NZONES_F(F, B, N, IER)
      CALL CG_ZONE_READ_F(F, B, 1, NAME, ISIZE, IER)
      LOW = 1
      HIGH = 5
      CALL CG_COORD_READ_F(F, B, 1, 'CoordinateX', 4, LOW, HIGH, Y, IER)
      WRITE(*,'(I1,1X,A,1X,I1,1X,F4.1)') N, NAME(1:6), ISIZE(1), Y(5)
      CALL CG_GOTO_F(F, B, IER, 'Zone_t', 1, 'GridCoordinates_t', 1,
     &               'end')
      CALL CG_DESCRIPTOR_SIZE_F(1, N, IER)
      CALL CG_DESCRIPTOR_READ_F(1, NAME, TEXT, IER)
      WRITE(*,'(A,1X,A,1X,I1)') NAME(1:5), TEXT(1:12), N
      CALL CG_BASE_READ_F(F, 7, OTHER, DIMS(1), DIMS(2), IER)
      CALL CG_GET_ERROR_F(TEXT)
      WRITE(*,'(I1,1X,A)') IER, TRIM(TEXT)
      CALL CG_CLOSE_F(F, IER)
      END
"""


def test_a_program_without_the_module(tmp_path):
    """The program links to the subroutines in the C library."""
    program = tmp_path / "plain.f"
    program.write_text(WITHOUT_MODULE)
    compiler = os.environ.get("FC", "gfortran")
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    flags = ["-w", f"-L{BUILD}", "-lonecast_cgns", f"-Wl,-rpath,{BUILD}"]
    run(compiler, program, "-o", tmp_path / "program", *flags, folder=tmp_path)
    assert run(tmp_path / "program", folder=tmp_path).splitlines() == [
        "1",
        "1 Zone   5  7.5",
        "About Some text    9",
        "1 cg_base_read: index 7 of CGNSBase_t is not in 1..1 of /",
    ]
