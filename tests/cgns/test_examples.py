"""The examples are programs for any CGNS library: they write the same file with another one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cgns_elements import Zone
from cgns_libraries import BUILD, READ, ROOT, library
from cgns_trees import assert_same, tree_by_h5py

sys.path.append(str(ROOT / "tools"))

import cgns_tables

EXAMPLES = ROOT / "examples" / "cgns"
OURS = [
    *(f"-I{ROOT}/cgns/include", f"-I{BUILD}/cgns/include", f"-L{BUILD}", "-lonecast_cgns"),
    f"-Wl,-rpath,{BUILD}",
]
DEBIAN = ["-lcgns"]
HEADER = Path("/usr/include/cgnslib.h")

pytestmark = pytest.mark.skipif(not HEADER.exists(), reason="no other CGNS library to compile with")


@pytest.fixture(autouse=True)
def libraries():
    for needed in ("ours", "debian"):
        library(needed)


def written(name, folder, flags, must_succeed=True):
    """Compiles and runs an example; the file that it writes."""
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
    # libcgns 3.4.0 gives a wrong size of a part: its programs need not succeed.
    theirs = written(name, tmp_path / "debian", DEBIAN, must_succeed=False)
    assert sections(ours) == sections(theirs)


NEW = {function.name for function in cgns_tables.load().functions if function.since}
# Those of files and functions that libcgns 3.4 has.
OTHERS = [
    path.stem
    for path in sorted(EXAMPLES.glob("*.c"))
    if path.stem not in MESHES
    and not path.stem.endswith("_mpi")
    and not NEW & set(re.findall(r"\bcg_\w+", path.read_text()))
]


@pytest.mark.parametrize("name", OTHERS)
def test_same_tree_as_with_another_library(tmp_path, name):
    ours = written(name, tmp_path / "ours", OURS)
    theirs = written(name, tmp_path / "debian", DEBIAN)
    assert_same(tree_by_h5py(ours), tree_by_h5py(theirs))
