"""The settings of cg_configure: compression, files in memory, the version, and their reset"""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import MODIFY, READ, REAL_DOUBLE, STOCK, CgnsError, library
from cgns_trees import tree_by_h5py

COMPRESSION, COMMUNICATOR, IN_MEMORY, KEPT, RESET = 201, 202, 203, 205, 1000
RIND_INDEX = 6
VERTICES = (40, 30, 20)
VALUES = np.arange(24000, dtype=np.float64)


def configure(lib, what, value):
    lib.cg_configure(what, ctypes.c_void_p(value))


@pytest.fixture
def lib():
    """Yields Onecast's library, and resets its settings afterwards."""
    lib = library("ours")
    yield lib
    configure(lib, RESET, 1)


def large_zone(lib, path):
    """Writes an array of 192,000 bytes, and in a second zone one that fits into the header."""
    file = writers.opened(lib, path)
    base = writers.base_of(lib, file)
    zone = writers.structured_zone(lib, file, base, vertices=VERTICES)
    lib.cg_coord_write(file, base, zone, REAL_DOUBLE, "CoordinateX", VALUES, lib.out())
    small = writers.structured_zone(lib, file, base, "Zone 2")
    lib.cg_coord_write(file, base, small, REAL_DOUBLE, "CoordinateX", writers.CORE, lib.out())
    lib.cg_close(file)


def coordinate(lib, path):
    file = writers.opened(lib, path, READ)
    values = np.zeros(24000)
    whole = lib.sizes([1, 1, 1]), lib.sizes(VERTICES)
    lib.cg_coord_read(file, 1, 1, "CoordinateX", REAL_DOUBLE, *whole, values)
    lib.cg_close(file)
    return values


def stored(path, zone="Zone 1"):
    with h5py.File(path) as file:
        data = file[f"Base/{zone}/GridCoordinates/CoordinateX/ data"]
        return data.compression, data.compression_opts


@pytest.mark.parametrize("reader", ["ours", *STOCK])
def test_compressed_arrays_are_read_by_all_libraries(lib, tmp_path, reader):
    path = tmp_path / "file.cgns"
    configure(lib, COMPRESSION, 4)
    large_zone(lib, path)
    assert stored(path) == ("gzip", 4)
    assert stored(path, "Zone 2") == (None, None)
    assert path.stat().st_size < VALUES.nbytes
    assert coordinate(library(reader), path).tolist() == VALUES.tolist()


@pytest.mark.parametrize("changes", ["ours", *STOCK])
def test_compressed_arrays_are_changed_in_part(lib, tmp_path, changes):
    path = tmp_path / "file.cgns"
    configure(lib, COMPRESSION, 1)
    large_zone(lib, path)
    other = library(changes)
    file = writers.opened(other, path, MODIFY)
    part = other.sizes([1, 1, 7]), other.sizes([40, 30, 7])
    layer = -VALUES[:1200]
    other.cg_coord_partial_write(file, 1, 1, REAL_DOUBLE, "CoordinateX", *part, layer, other.out())
    other.cg_close(file)
    expected = VALUES.copy()
    expected[7200:8400] = layer
    for name in ("ours", changes):
        assert coordinate(library(name), path).tolist() == expected.tolist()


def test_files_are_not_compressed_unless_wanted(lib, tmp_path):
    large_zone(lib, tmp_path / "plain.cgns")
    assert stored(tmp_path / "plain.cgns") == (None, None)
    configure(lib, COMPRESSION, 9)
    configure(lib, RESET, 1)
    large_zone(lib, tmp_path / "again.cgns")
    assert stored(tmp_path / "again.cgns") == (None, None)


def test_changes_of_a_file_in_memory_are_lost(lib, tmp_path):
    path = tmp_path / "file.cgns"
    configure(lib, IN_MEMORY, 1)
    file = writers.opened(lib, path)
    base = writers.base_of(lib, file)
    writers.structured_zone(lib, file, base)
    assert not path.exists()
    lib.cg_close(file)
    assert not path.exists()

    configure(lib, RESET, 1)
    writers.many_zones(lib, path)
    before = path.read_bytes()
    configure(lib, IN_MEMORY, 1)
    file = writers.opened(lib, path, MODIFY)
    writers.base_of(lib, file, "New")
    assert writers.number(lib, "cg_nbases", file) == 3
    lib.cg_close(file)
    assert path.read_bytes() == before


@pytest.mark.parametrize("any_library", ["ours", "vtk"])
def test_a_file_in_memory_can_be_kept(tmp_path, any_library):
    lib = library(any_library)
    configure(lib, IN_MEMORY, 1)
    configure(lib, KEPT, 1)
    writers.coordinates(lib, tmp_path / "memory.cgns")
    configure(lib, KEPT, 0)
    configure(lib, IN_MEMORY, 0)
    writers.coordinates(lib, tmp_path / "disk.cgns")
    assert tree_by_h5py(tmp_path / "memory.cgns") == tree_by_h5py(tmp_path / "disk.cgns")


@pytest.mark.parametrize(
    ("what", "value", "text"),
    [
        (COMPRESSION, 10, "compression 10 is not 0"),
        (COMMUNICATOR, 0, "communicator is NULL|without MPI"),
        (RESET, 0, "CG_CONFIG_RESET_HDF5"),
        (RIND_INDEX, 5, "CG_CONFIG_RIND_CORE"),
        (1001, 1, "1001 is nothing"),
    ],
)
def test_wrong_values_are_refused(lib, what, value, text):
    with pytest.raises(CgnsError, match=text):
        configure(lib, what, value)


def written_with(folder, **variables):
    """Returns a file that another process writes with these variables in its environment."""
    path = folder / "file.cgns"
    program = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "import test_configure as t, cgns_libraries as c\n"
        "t.large_zone(c.library('ours'), sys.argv[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path, str(Path(__file__).parent), *sys.path],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    return path if done.returncode == 0 else done.stderr


def test_variables_of_the_environment(lib, tmp_path):
    path = written_with(tmp_path, ONECAST_CGNS_COMPRESS="2", ONECAST_CGNS_VERSION="4.2")
    assert stored(path) == ("gzip", 2)
    file = writers.opened(lib, path, READ)
    version = lib.out(ctypes.c_float)
    lib.cg_version(file, version)
    lib.cg_close(file)
    assert version.value == pytest.approx(4.2)
    assert "ONECAST_CGNS_COMPRESS is 'x'" in written_with(tmp_path, ONECAST_CGNS_COMPRESS="x")
    assert "ONECAST_CGNS_VERSION is '5'" in written_with(tmp_path, ONECAST_CGNS_VERSION="5")
