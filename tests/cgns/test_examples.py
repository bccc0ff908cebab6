"""The examples are programs for any CGNS library: they write the same mesh with another one."""

import os
import subprocess
from pathlib import Path

import pytest
from cgns_elements import Zone
from cgns_libraries import BUILD, READ, ROOT, library

OURS = [
    *(f"-I{ROOT}/cgns/include", f"-I{BUILD}/cgns/include", f"-L{BUILD}", "-lonecast_cgns"),
    f"-Wl,-rpath,{BUILD}",
]
DEBIAN = ["-lcgns"]
HEADER = Path("/usr/include/cgnslib.h")


def written(name, folder, flags):
    """Compiles and runs an example; what is in its file."""
    folder.mkdir()
    source = ROOT / "examples" / "cgns" / f"{name}.c"
    compiler = os.environ.get("CC", "cc")
    program = ["-std=c99", source, "-o", folder / name, *flags]
    done = subprocess.run([compiler, *program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # libcgns 3.4.0 gives a wrong size of a part: its programs need not succeed.
    subprocess.run([folder / name], cwd=folder, check=flags is OURS, capture_output=True)
    with Zone(library("ours"), folder / f"{name}.cgns", READ) as zone:
        return zone.all_sections()


@pytest.mark.skipif(not HEADER.exists(), reason="no other CGNS library to compile with")
@pytest.mark.parametrize("name", ["unstructured", "mixed_elements", "polyhedra"])
def test_examples_write_the_same_mesh_with_any_library(tmp_path, name):
    for needed in ("ours", "debian"):
        library(needed)
    ours = written(name, tmp_path / "ours", OURS)
    assert ours == written(name, tmp_path / "debian", DEBIAN)
