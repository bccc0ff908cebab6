"""The examples work with any CGNS library: they write the same file with another one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cgns_elements import Zone
from cgns_examples import files_of
from cgns_libraries import BUILD, KINDS, READ, ROOT, library
from cgns_trees import assert_same, tree_by_h5py

sys.path.append(str(ROOT / "tools"))

import cgns_tables

EXAMPLES = ROOT / "examples" / "cgns"
HEADERS = [f"-I{ROOT}/cgns/include", f"-I{BUILD}/cgns/include"]
OURS = [*HEADERS, f"-L{BUILD}", "-lonecast_cgns", f"-Wl,-rpath,{BUILD}"]
DEBIAN = ["-lcgns"]
HEADER = Path("/usr/include/cgnslib.h")

pytestmark = pytest.mark.skipif(not HEADER.exists(), reason="no other CGNS library to compile with")


@pytest.fixture(autouse=True)
def libraries():
    for needed in ("ours", "debian"):
        library(needed)


def written(name, folder, flags, must_succeed=True):
    """Compiles and runs an example, and returns the file that it writes."""
    folder.mkdir()
    compiler = os.environ.get("CC", "cc")
    program = ["-std=c99", EXAMPLES / f"{name}.c", "-o", folder / name, *flags]
    done = subprocess.run([compiler, *program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run([folder / name], cwd=folder, check=must_succeed, capture_output=True)
    return folder / f"{name}.cgns"


def sections(path):
    with Zone(library("ours"), path, READ) as zone:
        return zone.all_sections()


MESHES = ["unstructured", "mixed_elements", "polyhedra"]


@pytest.mark.parametrize("name", MESHES)
def test_same_mesh_as_with_another_library(tmp_path, name):
    ours = written(name, tmp_path / "ours", OURS)
    # libcgns 3.4.0 returns a wrong size of a part, so its programs need not succeed.
    theirs = written(name, tmp_path / "debian", DEBIAN, must_succeed=False)
    assert sections(ours) == sections(theirs)


TABLES = cgns_tables.load()
# libcgns 3.4 lacks these functions.
NEW = {function.name for function in TABLES.functions if function.since}
NEW |= {"ComplexDouble", "CG_CONFIG_HDF5_DISKLESS"}


def others():
    """Yields the other programs for one process that libcgns 3.4 can run. Those of the user guide,
    which also exist in Fortran, are tested quickly."""
    for path in sorted(EXAMPLES.glob("*.c")):
        if path.stem in MESHES or path.stem.endswith("_mpi"):
            continue
        if not NEW & set(re.findall(r"\w+", path.read_text())):
            marks = [] if path.with_suffix(".f90").exists() else [pytest.mark.long]
            yield pytest.param(path.stem, marks=marks)


@pytest.mark.parametrize("name", list(others()))
def test_same_tree_as_with_another_library(tmp_path, name):
    ours = written(name, tmp_path / "ours", OURS)
    theirs = written(name, tmp_path / "debian", DEBIAN)
    assert_same(tree_by_h5py(ours), tree_by_h5py(theirs))


SERIAL = [path.stem for path in sorted(EXAMPLES.glob("*.c")) if not path.stem.endswith("_mpi")]
# The wheel's library refuses the settings of this example.
SERIAL.remove("kept_in_memory")


@pytest.mark.long
@pytest.mark.parametrize("name", SERIAL)
def test_same_tree_as_with_version_4_5(tmp_path, name):
    """The other library is that of the vtk wheel, whose functions have other names."""
    ours = written(name, tmp_path / "ours", OURS)
    theirs = written(name, tmp_path / "vtk", renamed_for_vtk(tmp_path))
    assert_same(tree_by_h5py(ours), tree_by_h5py(theirs))


def renamed_for_vtk(folder):
    """Returns the options that compile a program for the wheel's library."""
    _, prefix, _ = KINDS["vtk"]
    names = [function.name for function in TABLES.functions]
    names += [f"{enum}Name" for enum in TABLES.enums]
    renaming = folder / "renaming.h"
    renaming.write_text("".join(f"#define {name} {prefix}{name}\n" for name in names))
    path = library("vtk").handle._name
    return [
        *HEADERS,
        *("-include", renaming, path, f"-Wl,-rpath,{Path(path).parent}"),
        *("-Wl,--allow-shlib-undefined", "-Wl,--no-as-needed", "-lm", "-ldl"),
    ]


def test_the_readme_names_every_program():
    named = set(re.findall(r"`(\w+)`", (EXAMPLES / "README.md").read_text()))
    assert {path.stem for path in EXAMPLES.glob("*.[cf]*")} <= named


# The arrays of these examples have equal sizes on any number of ranks.
OF_ONE_SIZE = ["communicators", "particles", "quadrilaterals", "wedges", "zones_of_ranks"]


@pytest.mark.long
@pytest.mark.parametrize("name", OF_ONE_SIZE)
def test_bytes_do_not_depend_on_the_ranks(tmp_path, name):
    bytes_of = {}
    for ranks in (1, 2, 3, 4, 7):
        files = files_of(f"example_cgns_{name}_mpi", tmp_path / str(ranks), ranks)
        bytes_of[ranks] = files[f"{name}.cgns"].read_bytes()
    assert all(found == bytes_of[1] for found in bytes_of.values())
