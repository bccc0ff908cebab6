"""The library in place of the CGNS library: programs that were linked to Debian's run on it. For a
build with ONECAST_CGNS_ABI, ONECAST_CGNS_32BIT and ONECAST_CGNS_ABI_VERSION=3.4."""

import os
import shutil
import subprocess

import cgns_writers as writers
import pytest
from cgns_libraries import BUILD, ROOT, library
from cgns_trees import assert_same, tree_by_h5py

ABI = BUILD / "libcgns.so.3.4"
EXAMPLE = ROOT / "examples" / "cgns" / "unstructured.c"
HERE = {**os.environ, "LD_LIBRARY_PATH": str(BUILD)}

pytestmark = pytest.mark.skipif(not ABI.exists(), reason="built without ONECAST_CGNS_ABI")


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
    """It writes the mesh that it writes when it is compiled for our library."""
    library("debian")
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
        else:  # libcgns 3.4.0 gives a wrong size of a part, at which the program ends
            subprocess.run([program], cwd=folder, capture_output=True, check=False)
        trees.append(tree_by_h5py(folder / "unstructured.cgns"))
    assert_same(*trees)


@pytest.mark.skipif(
    any((ROOT / "cgns" / "missing").glob("*.txt")), reason="functions that they need are missing"
)
@pytest.mark.parametrize("tool", ["cgnslist", "cgnscheck"])
def test_tools_of_the_cgns_library(tmp_path, tool):
    if not shutil.which(tool):
        pytest.skip(f"no {tool}")
    path = tmp_path / "file.cgns"
    writers.many_zones(library("debian"), path)
    here = run(tool, path, folder=tmp_path, environment=HERE)
    assert here == run(tool, path, folder=tmp_path)
