"""Solutions, boundary conditions and connectivity of files, compared with a stock library"""

import ctypes
import os
import sys
from pathlib import Path

import cgns_writers as writers
import numpy as np
import pytest
from cgns_libraries import READ, REAL_DOUBLE, CgnsError, library

sys.path.append(str(Path(__file__).parent))

import test_boundary_conditions
import test_connectivity
import test_solutions

CORPUS = Path(os.environ.get("ONECAST_CORPUS", "../shared/corpus")) / "cgns"
MOST_POINTS = 100_000


def values(outs):
    return [writers.text(o) if isinstance(o, ctypes.Array) else int(o) for o in outs]


def info(lib, function, at, kinds):
    """Returns the results of a function. t is a text, i an int, z a cgsize_t."""
    make = {"t": lib.text, "i": lib.out, "z": lambda: lib.out(ctypes.c_int64)}
    outs = [make[kind]() for kind in kinds]
    try:
        getattr(lib, function)(*at, *outs)
    except CgnsError as error:
        return [f"error in {error.args[0].split()[0]}"]
    return values(outs)


def points(lib, function, at, count, *more):
    if not 0 < count <= MOST_POINTS:
        return []
    indices = lib.sizes([0] * (3 * count))
    getattr(lib, function)(*at, indices, *more)
    return indices.tolist()


def solutions(lib, zone):
    for solution in range(1, writers.number(lib, "cg_nsols", *zone) + 1):
        at = (*zone, solution)
        yield info(lib, "cg_sol_info", at, "ti")
        rank, extents = lib.out(), lib.sizes([0] * 3)
        lib.cg_sol_size(*at, rank, extents)
        yield extents.tolist()
        form, count = info(lib, "cg_sol_ptset_info", at, "iz")
        yield form, points(lib, "cg_sol_ptset_read", at, count)
        for field in range(1, writers.number(lib, "cg_nfields", *at) + 1):
            kind, name = info(lib, "cg_field_info", (*at, field), "it")
            yield kind, name
            if np.prod(extents[: int(rank)]) > MOST_POINTS:
                continue
            numbers = np.zeros(int(np.prod(extents[: int(rank)])))
            ones = lib.sizes([1] * int(rank))
            lib.cg_configure(6, None)  # the first element has the index 1, with or without rind
            lib.cg_field_read(*at, name, REAL_DOUBLE, ones, extents, numbers)
            lib.cg_configure(6, ctypes.c_void_p(1))
            yield numbers.tolist()


def boundary_conditions(lib, zone):
    for condition in range(1, writers.number(lib, "cg_nbocos", *zone) + 1):
        at = (*zone, condition)
        name, kind, form, count = lib.text(), lib.out(), lib.out(), lib.out(ctypes.c_int64)
        direction, size = np.zeros(3, np.int32), lib.out(ctypes.c_int64)
        normal_type, sets = lib.out(), lib.out()
        lib.cg_boco_info(*at, name, kind, form, count, direction, size, normal_type, sets)
        yield values([name, kind, form, count, size, normal_type, sets]), direction.tolist()
        yield points(lib, "cg_boco_read", at, int(count), None)
        yield info(lib, "cg_boco_gridlocation_read", at, "i")
        for dataset in range(1, int(sets) + 1):
            yield info(lib, "cg_dataset_read", (*at, dataset), "tiii")


def connectivity(lib, zone):
    for chosen in range(1, writers.number(lib, "cg_nzconns", *zone) + 1):
        yield info(lib, "cg_zconn_read", (*zone, chosen), "t")
        for hole in range(1, writers.number(lib, "cg_nholes", *zone) + 1):
            row = info(lib, "cg_hole_info", (*zone, hole), "tiiiz")
            yield row, points(lib, "cg_hole_read", (*zone, hole), row[-1])
        for interface in range(1, writers.number(lib, "cg_nconns", *zone) + 1):
            at = (*zone, interface)
            row = info(lib, "cg_conn_info", at, "tiiiztiiiz")
            yield row
            if len(row) > 1:
                yield points(lib, "cg_conn_read_short", at, row[4])
                donors = lib.sizes([0] * (3 * min(row[9], MOST_POINTS)))
                if 0 < row[9] <= MOST_POINTS and row[4] <= MOST_POINTS:
                    points(lib, "cg_conn_read", at, row[4], row[8], donors)
                    yield donors.tolist()
        for interface in range(1, writers.number(lib, "cg_n1to1", *zone) + 1):
            name, donor = lib.text(), lib.text()
            ranges, transform = [lib.sizes([0] * 6) for _ in range(2)], np.zeros(3, np.int32)
            lib.cg_1to1_read(*zone, interface, name, donor, *ranges, transform)
            yield values([name, donor]), [r.tolist() for r in ranges], transform.tolist()


def others(lib, zone):
    for index in range(1, writers.number(lib, "cg_ndiscrete", *zone) + 1):
        yield info(lib, "cg_discrete_read", (*zone, index), "t")
        rank, extents = lib.out(), lib.sizes([0] * 3)
        lib.cg_discrete_size(*zone, index, rank, extents)
        yield extents.tolist()
    for index in range(1, writers.number(lib, "cg_nsubregs", *zone) + 1):
        yield info(lib, "cg_subreg_info", (*zone, index), "tiiizii")


def contents(lib, path):
    file = writers.opened(lib, path, READ)
    found = []
    for base in range(1, writers.number(lib, "cg_nbases", file) + 1):
        found.append(info(lib, "cg_n1to1_global", (file, base), "i"))
        for zone in range(1, min(writers.number(lib, "cg_nzones", file, base), 200) + 1):
            for part in (solutions, boundary_conditions, connectivity, others):
                found += [(base, zone, part.__name__, row) for row in part(lib, (file, base, zone))]
    lib.cg_close(file)
    return found


def assert_as_stock_finds_it(path):
    found, expected = (contents(library(name), path) for name in ("ours", "vtk"))
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == theirs


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.cgns")), ids=lambda path: path.stem)
def test_real_files(path):
    assert_as_stock_finds_it(path)


PROGRAMS = [
    *(p for p in test_solutions.PROGRAMS if p is not test_solutions.points_at_faces_and_edges),
    *test_boundary_conditions.PROGRAMS,
    *test_connectivity.PROGRAMS,
]


@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
@pytest.mark.parametrize("writer", ["ours", "debian"])
def test_files_of_all_kinds(tmp_path, writer, write):
    path = tmp_path / "file.cgns"
    write(library(writer), path)
    assert_as_stock_finds_it(path)
