"""Onecast's library replaces the CGNS library in programs that were linked to Debian's."""

import fcntl
import os
import re
import shutil
import subprocess

import cgns_writers as writers
import pytest
from cgns_libraries import BUILD, ROOT, library
from cgns_trees import assert_same, tree_by_h5py

ABI = BUILD / "debian" / "libcgns.so.3.4"
EXAMPLE = ROOT / "examples" / "cgns" / "unstructured.c"
HERE = {**os.environ, "LD_LIBRARY_PATH": str(ABI.parent)}

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module", autouse=True)
def built():
    """Builds the library, which only these tests need."""
    library("debian")
    if not (BUILD / "build.ninja").exists():
        pytest.skip(f"{BUILD} is not built here")
    with open(BUILD / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("cmake", "--build", BUILD, "--target", "onecast_cgns_debian", folder=ROOT)


def run(*command, folder, environment=None):
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_program_linked_to_the_cgns_library(tmp_path):
    """The program writes the mesh that it writes when it is compiled for Onecast's library."""
    program = tmp_path / "program"
    run(os.environ.get("CC", "cc"), "-std=c99", EXAMPLE, "-o", program, "-lcgns", folder=tmp_path)
    trees = []
    for name, environment in (("here", HERE), ("there", None)):
        folder = tmp_path / name
        folder.mkdir()
        loaded = run("ldd", program, folder=folder, environment=environment)
        assert (str(ABI) in loaded) == (name == "here")
        if name == "here":
            run(program, folder=folder, environment=environment)
        else:  # libcgns 3.4.0 returns a wrong size of a part, at which the program ends
            subprocess.run([program], cwd=folder, capture_output=True, check=False)
        trees.append(tree_by_h5py(folder / "unstructured.cgns"))
    assert_same(*trees)


@pytest.mark.parametrize("tool", ["cgnslist", "cgnsdiff"])
def test_tools_that_read(tmp_path, tool):
    if not shutil.which(tool):
        pytest.skip(f"no {tool}")
    paths = [tmp_path / "file.cgns", tmp_path / "other.cgns"]
    writers.many_zones(library("debian"), paths[0])
    writers.coordinates(library("debian"), paths[1])
    arguments = paths if tool == "cgnsdiff" else paths[:1]
    here = run(tool, *arguments, folder=tmp_path, environment=HERE)
    assert here == run(tool, *arguments, folder=tmp_path)


def test_tools_that_write(tmp_path):
    """A compressed file and a copied file keep their tree."""
    for tool in ("cgnscompress", "cgnsconvert"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    path = tmp_path / "file.cgns"
    writers.many_zones(library("debian"), path)
    tree = tree_by_h5py(path)
    run("cgnscompress", path, tmp_path / "compressed.cgns", folder=tmp_path, environment=HERE)
    run("cgnsconvert", "-f", "-h", path, tmp_path / "copy.cgns", folder=tmp_path, environment=HERE)
    assert_same(tree_by_h5py(tmp_path / "compressed.cgns"), tree)
    assert_same(tree_by_h5py(tmp_path / "copy.cgns"), tree)


def subroutines(library_file):
    listed = run("nm", "-D", "--defined-only", library_file, folder=ROOT)
    return set(re.findall(r" T (cg(?:io)?_\w+_f(?:_\d)?_?)$", listed, re.MULTILINE))


def test_subroutines_of_the_cgns_library():
    theirs = subroutines(os.path.realpath("/usr/lib/x86_64-linux-gnu/libcgns.so"))
    assert len(theirs) > 250
    assert theirs <= subroutines(ABI)


FORTRAN = """
program prebuilt
  use cgns
  implicit none
  integer :: file, base, zone, solution, field, count, location, ier
  integer(cgsize_t) :: sizes(3, 3)
  character(32) :: name
  character(40) :: text
  real(8) :: values(24), found(24)
  integer :: i
  values = [(0.5d0*i, i=1, 24)]
  sizes = reshape([4, 3, 2, 3, 2, 1, 0, 0, 0], [3, 3])
  call cg_open_f("prebuilt.cgns", CG_MODE_WRITE, file, ier)
  if (ier /= CG_OK) call cg_error_exit_f
  call cg_base_write_f(file, "Base", 3, 3, base, ier)
  call cg_zone_write_f(file, base, "Zone", sizes, Structured, zone, ier)
  call cg_sol_write_f(file, base, zone, "Solution", Vertex, solution, ier)
  call cg_field_write_f(file, base, zone, solution, RealDouble, "Pressure", values, field, ier)
  call cg_gopath_f(file, "/Base/Zone/Solution", ier)
  call cg_descriptor_write_f("About", "A text of a program", ier)
  call cg_close_f(file, ier)
  call cg_open_f("prebuilt.cgns", CG_MODE_READ, file, ier)
  call cg_nsols_f(file, base, zone, count, ier)
  call cg_sol_info_f(file, base, zone, 1, name, location, ier)
  call cg_field_read_f(file, base, zone, 1, "Pressure", RealDouble, &
                       [1, 1, 1], [4, 3, 2], found, ier)
  print "(i0,1x,a,1x,i0,1x,l1)", count, trim(name), location, all(found == values)
  call cg_gopath_f(file, "/Base/Zone/Solution", ier)
  call cg_descriptor_read_f(1, name, text, ier)
  print "(a)", trim(name)//": "//trim(text)
  call cg_zone_read_f(file, base, 9, name, sizes, ier)
  print "(i0)", ier
  call cg_close_f(file, ier)
end program prebuilt
"""


def test_a_program_in_fortran_linked_to_the_cgns_library(tmp_path):
    """The program is compiled with the other library's module, whose cg_goto_f Debian's lacks."""
    compiler = os.environ.get("FC", "gfortran")
    if not shutil.which(compiler) or not os.path.exists("/usr/include/cgns.mod"):
        pytest.skip("no Fortran compiler, or no module of the CGNS library")
    source, program = tmp_path / "prebuilt.f90", tmp_path / "prebuilt"
    source.write_text(FORTRAN)
    flags = ["-w", "-I/usr/include", "-lcgns"]
    run(compiler, source, "-o", program, *flags, folder=tmp_path)
    said = {}
    for name, environment in (("here", HERE), ("there", None)):
        (tmp_path / name).mkdir()
        said[name] = run(program, folder=tmp_path / name, environment=environment)
    assert said["here"] == said["there"] == "1 Solution 2 T\nAbout: A text of a program\n1\n"
    assert_same(*(tree_by_h5py(tmp_path / name / "prebuilt.cgns") for name in said))
