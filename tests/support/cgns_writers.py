"""Programs that write CGNS files with any library, calling it as the manual describes"""

import ctypes

import numpy as np
from cgns_libraries import MODIFY, REAL_DOUBLE, REAL_SINGLE, STRUCTURED, UNSTRUCTURED, WRITE

VERTICES = (4, 3, 2)
CORE = np.arange(24, dtype=np.float64)


def opened(lib, path, mode=WRITE):
    file = lib.out()
    lib.cg_open(path, mode, file)
    return int(file)


def base_of(lib, file, name="Base", cell=3, physical=3):
    base = lib.out()
    lib.cg_base_write(file, name, cell, physical, base)
    return int(base)


def structured_zone(lib, file, base, name="Zone 1", vertices=VERTICES):
    zone = lib.out()
    cells = [n - 1 for n in vertices]
    sizes = lib.sizes([*vertices, *cells, *[0] * len(vertices)])
    lib.cg_zone_write(file, base, name, sizes, STRUCTURED, zone)
    return int(zone)


def unstructured_zone(lib, file, base, name="Zone 1", vertices=24, cells=6):
    zone = lib.out()
    lib.cg_zone_write(file, base, name, lib.sizes([vertices, cells, 0]), UNSTRUCTURED, zone)
    return int(zone)


def one_zone(lib, path):
    """Creates a base with one structured zone. Returns the numbers of file, base and zone."""
    file = opened(lib, path)
    base = base_of(lib, file)
    return file, base, structured_zone(lib, file, base)


def coordinates(lib, path):
    file, base, zone = one_zone(lib, path)
    index = lib.out()
    lib.cg_coord_write(file, base, zone, REAL_DOUBLE, "CoordinateX", CORE, index)
    lib.cg_coord_write(
        file, base, zone, REAL_SINGLE, "CoordinateY", CORE.astype(np.float32) + 0.5, index
    )
    assert int(index) == 2
    for k in (1, 2):
        lib.cg_coord_partial_write(
            *(file, base, zone, REAL_DOUBLE, "CoordinateZ"),
            *(lib.sizes([1, 1, k]), lib.sizes([4, 3, k]), 100.0 * k + CORE[:12], index),
        )
    assert int(index) == 3
    lib.cg_close(file)


def many_zones(lib, path):
    file = opened(lib, path)
    for name in ("Base", "Another base"):
        base = base_of(lib, file, name)
        for number in (1, 2, 10, 11, 3):
            structured_zone(lib, file, base, f"Zone{number}")
    lib.cg_close(file)


def descriptors_and_arrays(lib, path):
    file, base, _ = one_zone(lib, path)
    end = "end"
    lib.cg_goto(file, base, end)
    lib.cg_descriptor_write("About", "two\nlines")
    lib.cg_goto(file, base, "Zone_t", 1, end)
    lib.cg_descriptor_write("Zone text", "x")
    coordinate = lib.out()
    lib.cg_coord_write(file, base, 1, REAL_DOUBLE, "CoordinateX", CORE, coordinate)
    lib.cg_goto(file, base, "Zone_t", 1, "GridCoordinates_t", 1, end)
    lib.cg_array_write("Extra", 2, 2, lib.sizes([4, 6]), np.arange(24, dtype=np.int32))
    lib.cg_array_write("Single", REAL_SINGLE, 1, lib.sizes([3]), np.ones(3, np.float32))
    lib.cg_close(file)


def modified(lib, path):
    """Writes a node of a zone anew. Its index stays."""
    many_zones(lib, path)
    file = opened(lib, path, MODIFY)
    zone = structured_zone(lib, file, 1, "Zone11", (2, 2, 2))
    assert zone == 3
    lib.cg_close(file)


def number(lib, function, *arguments):
    """Returns the only int that a function returns."""
    out = lib.out()
    getattr(lib, function)(*arguments, out)
    return int(out)


def text(buffer):
    return ctypes.string_at(buffer).decode()


def flush_output():
    """Flushes what C functions have printed so far."""
    ctypes.CDLL(None).fflush(None)
