"""The library in place of the CGNS library: programs that were linked to Debian's run on it."""

import fcntl
import os
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
    """Only these tests need it, so no other build makes it."""
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
    """It writes the mesh that it writes when it is compiled for our library."""
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
    """A file that is compressed, and one that is copied, have the tree that they had."""
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
