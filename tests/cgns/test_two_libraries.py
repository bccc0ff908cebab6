"""Two CGNS libraries in one process do not affect each other, in whatever order they are loaded."""

import os
import re
import subprocess
import sys
from pathlib import Path

import cgns_writers as writers
import pytest
from cgns_libraries import BUILD, KINDS, library
from cgns_trees import assert_same, tree_by_h5py

SUPPORT = Path(writers.__file__).parent
OURS = BUILD / "libonecast_cgns.so"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_no_other_library_is_called_in_place_of_ours():
    """The library itself never looks up one of its exported functions by name."""
    library("ours")
    shown = set(re.findall(r" [TDBR] (\w+)$", output("nm", "-D", "--defined-only", OURS), re.M))
    assert "cg_open" in shown
    looked_up = set(re.findall(r"R_\w+\s+\w+ (\w+)", output("readelf", "--relocs", "-W", OURS)))
    assert looked_up, "readelf shows no relocations"
    assert not shown & looked_up


PROGRAM = """
import ctypes, sys
sys.path.insert(0, {support!r})
for each in sys.argv[2:4]:
    ours_first = each == sys.argv[2] and "onecast" in each
    ctypes.CDLL(each, ctypes.RTLD_LOCAL if ours_first else ctypes.RTLD_GLOBAL)
import cgns_writers as writers
from cgns_libraries import MODIFY, READ, library
from pathlib import Path
folder = Path(sys.argv[1])
libs = [library(name) for name in ("ours", "debian")]
files = [(lib, *writers.one_zone(lib, folder / (lib.name + ".cgns"))) for lib in libs]
for lib, file, base, zone in files:
    lib.cg_goto(file, base, "Zone_t", zone, "end")
for lib, *_ in files:  # each has its own position
    lib.cg_descriptor_write("About", "one\\ntext")
    lib.cg_gopath(1, "/Base")
    lib.cg_descriptor_write("Base text", "x")
for lib, file, base, zone in files:
    out = lib.out()
    lib.cg_coord_write(file, base, zone, 4, "CoordinateX", writers.CORE, out)
    lib.cg_boco_write(file, base, zone, "Wall", 20, 4, lib.a_size(2),
                      lib.sizes([1, 1, 1, 1, 3, 2]), out)
for lib, file, *_ in files:
    lib.cg_close(file)
"""


@pytest.mark.parametrize("first", ["ours", "debian"])
def test_both_write_at_once(tmp_path, first):
    """The first library hides its names from the second if it is Onecast's. Otherwise the other
    library, which looks up its own names, would call Onecast's."""
    for needed in ("ours", "debian"):
        library(needed)
    paths = [str(OURS), KINDS["debian"][0]()]
    program = PROGRAM.format(support=str(SUPPORT))
    loaded = paths if first == "ours" else paths[::-1]
    output(sys.executable, "-c", program, str(tmp_path), *loaded)
    assert_same(tree_by_h5py(tmp_path / "ours.cgns"), tree_by_h5py(tmp_path / "debian.cgns"))


def test_a_program_with_the_other_library_before_ours(tmp_path):
    """The other library's names come first for everything loaded later, but Onecast's does not use
    them."""
    library("ours")
    other = KINDS["debian"][0]()
    if other is None:
        pytest.skip("no CGNS library debian")
    found = output(
        *("env", f"LD_PRELOAD={other}", f"PYTHONPATH={os.pathsep.join(sys.path)}"),
        *(sys.executable, "-c"),
        f"import sys; sys.path.insert(0, {str(SUPPORT)!r})\n"
        "import cgns_writers as writers\n"
        "from cgns_libraries import library\n"
        "lib = library('ours')\n"
        f"writers.descriptors_and_arrays(lib, {str(tmp_path / 'file.cgns')!r})\n"
        "print('written')",
    )
    assert found.split() == ["written"]
    writers.descriptors_and_arrays(library("ours"), tmp_path / "again.cgns")
    assert_same(tree_by_h5py(tmp_path / "file.cgns"), tree_by_h5py(tmp_path / "again.cgns"))
