"""Connectivity of zones: files equal those of other libraries, files of others are read, and wrong
ones are refused."""

import ctypes

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import MODIFY, READ, STOCK, STRUCTURED, UNSTRUCTURED, CgnsError, library
from cgns_refusals import check_refused
from cgns_trees import compare_writers

VERTEX, CELL_CENTER, FACE_CENTER, I_FACE_CENTER, EDGE_CENTER = 2, 3, 4, 5, 8
POINT_LIST, POINT_LIST_DONOR, POINT_RANGE, ELEMENT_RANGE, CELL_LIST_DONOR = 2, 3, 4, 6, 8
OVERSET, ABUTTING, ABUTTING_1TO1 = 2, 3, 4
K_LOW, K_HIGH = [1, 1, 1, 4, 3, 1], [1, 1, 2, 4, 3, 2]
IDENTITY = (1, 2, 3)
TWO_BY_TWO = [1, 1, 1, 2, 2, 1]
FOUR = [1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 2, 1]


def two_zones(lib, path):
    file, base, zone = writers.one_zone(lib, path)
    writers.structured_zone(lib, file, base, "Zone 2")
    writers.unstructured_zone(lib, file, base, "Zone U")
    return file, base, zone


def one_to_one(
    lib, file, name="A", donor="Zone 2", own=K_LOW, other=K_HIGH, transform=IDENTITY, zone=1
):
    out = lib.out()
    lib.cg_1to1_write(
        *(file, 1, zone, name, donor, lib.sizes(own), lib.sizes(other)),
        *(np.array(transform, np.int32), out),
    )
    return int(out)


def general(
    lib,
    file,
    name,
    points=(POINT_LIST, TWO_BY_TWO),
    donor=("Zone 2", STRUCTURED),
    donors=(POINT_LIST_DONOR, TWO_BY_TWO),
    kind=ABUTTING,
    location=VERTEX,
):
    out = lib.out()
    dimensions = 3 if donor[1] == STRUCTURED else 1
    lib.cg_conn_write(
        *(file, 1, 1, name, location, kind, points[0], lib.a_size(len(points[1]) // 3)),
        *(lib.sizes(points[1]), *donor, donors[0], 6 if lib.size is np.int64 else 2),
        *(lib.a_size(len(donors[1]) // dimensions), lib.sizes(donors[1]), out),
    )
    return int(out)


def hole(lib, file, name, location, form, sets, indices):
    out = lib.out()
    lib.cg_hole_write(
        *(file, 1, 1, name, location, form, sets, lib.a_size(len(indices) // 3)),
        *(lib.sizes(indices), out),
    )
    return int(out)


def vectors(*numbers):
    return [np.array(vector, np.float32) for vector in numbers]


def one_to_one_interfaces(lib, path):
    file, _, _ = two_zones(lib, path)
    assert one_to_one(lib, file) == 1
    assert one_to_one(lib, file, "turned", transform=(-1, -2, -3)) == 2
    assert one_to_one(lib, file, "backwards", own=[4, 3, 1, 1, 1, 1]) == 3
    assert one_to_one(lib, file, "other side", "Zone 1", K_HIGH, K_LOW, zone=2) == 1
    assert one_to_one(lib, file, "in one zone", "Zone 2", K_LOW, K_HIGH, zone=2) == 2
    assert one_to_one(lib, file, "in it, other side", "Zone 2", K_HIGH, K_LOW, zone=2) == 3
    lib.cg_1to1_periodic_write(file, 1, 1, 2, *vectors((0, 0, 1), (0, 0.5, 0), (1, 2, 3)))
    lib.cg_1to1_average_write(file, 1, 1, 2, 7)
    lib.cg_close(file)


def general_interfaces(lib, path):
    file, _, _ = two_zones(lib, path)
    lib_donor_cells = (CELL_LIST_DONOR, TWO_BY_TWO)
    unstructured = ("Zone U", UNSTRUCTURED)
    assert general(lib, file, "abutting") == 1
    general(lib, file, "overset", donors=lib_donor_cells, kind=OVERSET, location=CELL_CENTER)
    general(lib, file, "matching", (POINT_RANGE, TWO_BY_TWO), donors=(3, FOUR), kind=ABUTTING_1TO1)
    general(lib, file, "faces", donor=unstructured, donors=(8, [1, 2]), location=FACE_CENTER)
    general(lib, file, "direction", donor=unstructured, donors=(3, [1, 2]), location=I_FACE_CENTER)
    general(lib, file, "more donors", donors=(3, FOUR))
    general(lib, file, "no donors", donors=(3, []))
    out = lib.out()
    lib.cg_conn_write_short(
        *(file, 1, 1, "short", VERTEX, ABUTTING, POINT_RANGE, lib.a_size(2)),
        *(lib.sizes(TWO_BY_TWO), "Zone 2", out),
    )
    assert int(out) == 8
    lib.cg_conn_periodic_write(file, 1, 1, 1, *vectors((0, 0, 1), (0, 0.5, 0), (1, 2, 3)))
    lib.cg_conn_average_write(file, 1, 1, 1, 3)
    lib.cg_conn_average_write(file, 1, 1, 2, 0)
    lib.cg_close(file)


def holes(lib, path):
    file, _, _ = two_zones(lib, path)
    assert hole(lib, file, "range", VERTEX, POINT_RANGE, 1, TWO_BY_TWO) == 1
    assert hole(lib, file, "ranges", CELL_CENTER, POINT_RANGE, 2, FOUR) == 2
    assert hole(lib, file, "list", VERTEX, POINT_LIST, 1, FOUR) == 3
    lib.cg_close(file)


def sets_of_connectivities(lib, path):
    """Writes go to the set that was written last, or to a chosen one."""
    file, base, zone = two_zones(lib, path)
    for name in ("First", "Second"):
        writers.number(lib, "cg_zconn_write", file, base, zone, name)
        one_to_one(lib, file, f"in {name}")
    assert writers.number(lib, "cg_zconn_get", file, base, zone) == 2
    lib.cg_zconn_set(file, base, zone, 1)
    assert one_to_one(lib, file, "also in First") == 2
    lib.cg_close(file)


PROGRAMS = [one_to_one_interfaces, general_interfaces, holes, sets_of_connectivities]


@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
def test_same_file_as_other_libraries(tmp_path, write):
    compare_writers(tmp_path, write)


def read_one_to_one(lib, file, zone, index):
    name, donor = lib.text(), lib.text()
    own, other, transform = lib.sizes([0] * 6), lib.sizes([0] * 6), np.zeros(3, np.int32)
    lib.cg_1to1_read(file, 1, zone, index, name, donor, own, other, transform)
    return [writers.text(name), writers.text(donor), *map(list, (own, other, transform))]


def test_one_to_one_interfaces_are_read(lib, written):
    file = written(one_to_one_interfaces)
    assert [writers.number(lib, "cg_n1to1", file, 1, zone) for zone in (1, 2, 3)] == [3, 3, 0]
    assert read_one_to_one(lib, file, 1, 1) == ["A", "Zone 2", K_LOW, K_HIGH, [1, 2, 3]]
    assert read_one_to_one(lib, file, 1, 2)[4] == [-1, -2, -3]
    assert read_one_to_one(lib, file, 1, 3)[2] == [4, 3, 1, 1, 1, 1]
    found = vectors((0, 0, 0), (0, 0, 0), (0, 0, 0))
    lib.cg_1to1_periodic_read(file, 1, 1, 2, *found)
    assert [vector.tolist() for vector in found] == [[0, 0, 1], [0, 0.5, 0], [1, 2, 3]]
    assert writers.number(lib, "cg_1to1_average_read", file, 1, 1, 2) == 7
    for read in (lib.cg_1to1_average_read, lib.cg_1to1_periodic_read):
        with pytest.raises(CgnsError, match="has no GridConnectivityProperty") as error:
            read(file, 1, 1, 1, *found)
        assert error.value.status == 2
    with pytest.raises(CgnsError, match="has no ZoneGridConnectivity_t"):
        read_one_to_one(lib, file, 3, 1)
    node = lib.out(ctypes.c_double)
    lib.cg_1to1_id(file, 1, 1, 1, node)
    assert node.value > 0


def pointers(arrays):
    return (ctypes.c_void_p * len(arrays))(
        *(a.ctypes.data if isinstance(a, np.ndarray) else ctypes.addressof(a) for a in arrays)
    )


def test_each_interface_of_the_base_is_read_once(lib, written):
    file = written(one_to_one_interfaces)
    count = writers.number(lib, "cg_n1to1_global", file, 1)
    assert count == 4
    names = [[lib.text() for _ in range(count)] for _ in range(3)]
    ranges = [[lib.sizes([0] * 6) for _ in range(count)] for _ in range(2)]
    transforms = [np.zeros(3, np.int32) for _ in range(count)]
    lib.cg_1to1_read_global(file, 1, *map(pointers, (*names, *ranges, transforms)))
    found = list(zip(*([writers.text(name) for name in kind] for kind in names), strict=True))
    assert found == [
        ("A", "Zone 1", "Zone 2"),
        ("turned", "Zone 1", "Zone 2"),
        ("backwards", "Zone 1", "Zone 2"),
        ("in one zone", "Zone 2", "Zone 2"),
    ]
    assert [ranges[0][3].tolist(), ranges[1][3].tolist()] == [K_LOW, K_HIGH]
    assert transforms[1].tolist() == [-1, -2, -3]


def test_general_interfaces_are_read(lib, written):
    file = written(general_interfaces)
    size_type = 2 if written.writer == "debian" else 6
    expected = [
        ("abutting", VERTEX, ABUTTING, POINT_LIST, 2, "Zone 2", 2, 3, size_type, 2),
        ("overset", CELL_CENTER, OVERSET, POINT_LIST, 2, "Zone 2", 2, 8, size_type, 2),
        ("matching", VERTEX, ABUTTING_1TO1, POINT_RANGE, 2, "Zone 2", 2, 3, size_type, 4),
        ("faces", FACE_CENTER, ABUTTING, POINT_LIST, 2, "Zone U", 3, 8, size_type, 2),
        ("direction", I_FACE_CENTER, ABUTTING, POINT_LIST, 2, "Zone U", 3, 3, size_type, 2),
        ("more donors", VERTEX, ABUTTING, POINT_LIST, 2, "Zone 2", 2, 3, size_type, 4),
        ("no donors", VERTEX, ABUTTING, POINT_LIST, 2, "Zone 2", 2, 0, 0, 0),
        ("short", VERTEX, ABUTTING, POINT_RANGE, 2, "Zone 2", 2, 0, 0, 0),
    ]
    assert writers.number(lib, "cg_nconns", file, 1, 1) == len(expected)
    for index, row in enumerate(expected, 1):
        name, donor = lib.text(), lib.text()
        before = [lib.out() for _ in range(3)]
        count, donors = lib.out(ctypes.c_int64), lib.out(ctypes.c_int64)
        after = [lib.out() for _ in range(3)]
        lib.cg_conn_info(file, 1, 1, index, name, *before, count, donor, *after, donors)
        found = (writers.text(name), *map(int, (*before, count)))
        assert (*found, writers.text(donor), *map(int, (*after, donors))) == row
    points, donors = lib.sizes([0] * 12), lib.sizes([0] * 12)
    lib.cg_conn_read(file, 1, 1, 3, points, size_type, donors)
    assert (points[:6].tolist(), donors.tolist()) == (TWO_BY_TWO, FOUR)
    lib.cg_conn_read(file, 1, 1, 4, points, size_type, donors)
    assert donors[:2].tolist() == [1, 2]
    points[:] = 0
    lib.cg_conn_read_short(file, 1, 1, 8, points)
    assert points[:6].tolist() == TWO_BY_TWO
    vector = vectors((0, 0, 0), (0, 0, 0), (0, 0, 0))
    lib.cg_conn_periodic_read(file, 1, 1, 1, *vector)
    assert vector[2].tolist() == [1, 2, 3]
    assert writers.number(lib, "cg_conn_average_read", file, 1, 1, 1) == 3
    with pytest.raises(CgnsError, match="has no Periodic"):
        lib.cg_conn_periodic_read(file, 1, 1, 2, *vector)
    node = lib.out(ctypes.c_double)
    lib.cg_conn_id(file, 1, 1, 1, node)
    assert node.value > 0


def test_holes_are_read(lib, written):
    file = written(holes)
    expected = [
        ("range", VERTEX, POINT_RANGE, 1, TWO_BY_TWO),
        ("ranges", CELL_CENTER, POINT_RANGE, 2, FOUR),
        ("list", VERTEX, POINT_LIST, 1, FOUR),
    ]
    assert writers.number(lib, "cg_nholes", file, 1, 1) == 3
    for index, (*row, indices) in enumerate(expected, 1):
        name, outs, count = lib.text(), [lib.out() for _ in range(3)], lib.out(ctypes.c_int64)
        lib.cg_hole_info(file, 1, 1, index, name, *outs, count)
        assert [writers.text(name), *map(int, outs)] == row
        assert int(count) == len(indices) // 3
        found = lib.sizes([0] * len(indices))
        lib.cg_hole_read(file, 1, 1, index, found)
        assert found.tolist() == indices
    node = lib.out(ctypes.c_double)
    lib.cg_hole_id(file, 1, 1, 1, node)
    assert node.value > 0


def test_sets_of_connectivities_are_chosen(lib, written):
    file = written(sets_of_connectivities)

    def interfaces():
        return writers.number(lib, "cg_n1to1", file, 1, 1)

    assert writers.number(lib, "cg_nzconns", file, 1, 1) == 2
    assert (writers.number(lib, "cg_zconn_get", file, 1, 1), interfaces()) == (1, 2)
    name = lib.text()
    lib.cg_zconn_read(file, 1, 1, 2, name)
    assert (writers.text(name), interfaces()) == ("Second", 1)
    lib.cg_zconn_set(file, 1, 1, 1)
    assert interfaces() == 2
    with pytest.raises(CgnsError, match="index 3 of ZoneGridConnectivity_t"):
        lib.cg_zconn_set(file, 1, 1, 3)
    assert writers.number(lib, "cg_nzconns", file, 1, 2) == 0
    with pytest.raises(CgnsError) as error:
        lib.cg_zconn_get(file, 1, 2, lib.out())
    assert error.value.status == 2


def test_set_that_replaces_another_is_active(lib, tmp_path):
    path = tmp_path / "file.cgns"
    sets_of_connectivities(lib, path)
    file = writers.opened(lib, path, MODIFY)
    assert writers.number(lib, "cg_zconn_write", file, 1, 1, "Second") == 2
    assert writers.number(lib, "cg_zconn_get", file, 1, 1) == 2
    assert writers.number(lib, "cg_n1to1", file, 1, 1) == 0
    lib.cg_close(file)


def test_interface_without_transform(lib, tmp_path):
    path = tmp_path / "file.cgns"
    one_to_one_interfaces(lib, path)
    with h5py.File(path, "r+") as stored:
        del stored["Base/Zone 1/ZoneGridConnectivity/turned/Transform"]
    for reader in ("ours", *STOCK):
        any_lib = library(reader)
        file = writers.opened(any_lib, path, READ)
        assert read_one_to_one(any_lib, file, 1, 2)[4] == [1, 2, 3]
        any_lib.cg_close(file)


def test_donor_in_another_base(lib, tmp_path):
    path = tmp_path / "file.cgns"
    file, _, _ = two_zones(lib, path)
    base = writers.base_of(lib, file, "Other")
    writers.unstructured_zone(lib, file, base, "Far")
    general(lib, file, "far", donor=("Other/Far", UNSTRUCTURED), donors=(3, [5, 6]))
    general(lib, file, "nowhere", donor=("Other/Nowhere", UNSTRUCTURED), donors=(3, [5, 6]))
    lib.cg_close(file)
    file = writers.opened(lib, path, READ)

    def zone_type_of_donor(index):
        outs, kind = [lib.out(ctypes.c_int64) for _ in range(7)], lib.out()
        lib.cg_conn_info(*(file, 1, 1, index, lib.text(), *outs[:4], lib.text(), kind, *outs[4:7]))
        return int(kind)

    assert zone_type_of_donor(1) == UNSTRUCTURED
    with pytest.raises(CgnsError, match="no donor zone 'Other/Nowhere'"):
        zone_type_of_donor(2)
    lib.cg_close(file)


def test_texts_that_are_too_long_are_refused(lib, tmp_path):
    """Texts in a damaged file do not overrun a program's memory for them."""
    path = tmp_path / "file.cgns"
    one_to_one_interfaces(lib, path)
    with h5py.File(path, "r+") as stored:
        interfaces = stored["Base/Zone 1/ZoneGridConnectivity"]
        interfaces.move("backwards", "b" * 40)
        del interfaces["turned/ data"]
        interfaces["turned/ data"] = np.full(1000, ord("z"), np.int8)
    file = writers.opened(lib, path, READ)
    with pytest.raises(CgnsError, match="donor zone has more than 65 characters"):
        read_one_to_one(lib, file, 1, 2)
    with pytest.raises(CgnsError, match="more than 32 characters"):
        read_one_to_one(lib, file, 1, 3)
    lib.cg_close(file)


def begin(lib, path):
    return two_zones(lib, path)[:1]


def refused(function, *arguments, **named):
    return lambda lib, file: function(lib, file, *arguments, **named)


def existing(lib, file):
    one_to_one(lib, file)
    one_to_one(lib, file)


def periodic_twice(lib, file):
    one_to_one(lib, file)
    for _ in range(2):
        lib.cg_1to1_periodic_write(file, 1, 1, 1, *vectors((0, 0, 0), (0, 0, 0), (0, 0, 0)))


def average(kind):
    def write(lib, file):
        one_to_one(lib, file)
        lib.cg_1to1_average_write(file, 1, 1, 1, kind)

    return write


REFUSED = {
    "name that exists": (existing, "name 'A' already"),
    "transform out of range": (refused(one_to_one, transform=(1, 2, 4)), "transform 4"),
    "transform of other extents": (refused(one_to_one, transform=(2, 1, 3)), "as many points"),
    "range outside": (refused(one_to_one, own=[1, 1, 1, 5, 3, 1]), "range 1..5 of dimension 1"),
    "range below": (refused(one_to_one, own=[0, 1, 1, 3, 3, 1]), "range 0..3 of dimension 1"),
    "donor range of other extents": (
        refused(one_to_one, other=[1, 1, 2, 3, 3, 2]),
        "as many points",
    ),
    "long donor": (refused(one_to_one, donor="x" * 33), "32 characters"),
    "no donor": (refused(one_to_one, donor=""), "32 characters"),
    "unlike numbers of matching points": (
        refused(general, "New", donors=(POINT_LIST_DONOR, FOUR), kind=ABUTTING_1TO1),
        "2 points and 4 donor points",
    ),
    "donor points of another form": (
        refused(general, "New", donors=(POINT_LIST, TWO_BY_TWO)),
        "not as PointList",
    ),
    "elements": (refused(general, "New", (ELEMENT_RANGE, TWO_BY_TWO)), "not as ElementRange"),
    "range of one point": (refused(general, "New", (POINT_RANGE, [1, 1, 1])), "2 points"),
    "overset at faces": (
        refused(general, "New", kind=OVERSET, location=FACE_CENTER),
        "Overset does not lie at the location FaceCenter",
    ),
    "at edges": (refused(general, "New", location=EDGE_CENTER), "EdgeCenter"),
    "no such type": (refused(general, "New", kind=5), "5 is no value"),
    "hole at faces": (
        refused(hole, "New", FACE_CENTER, POINT_RANGE, 1, TWO_BY_TWO),
        "neither Vertex nor CellCenter",
    ),
    "two lists": (refused(hole, "New", VERTEX, POINT_LIST, 2, TWO_BY_TWO), "2 sets of 2 points"),
    "half a range": (refused(hole, "New", VERTEX, POINT_RANGE, 2, TWO_BY_TWO), "2 sets"),
    "hole of elements": (refused(hole, "New", VERTEX, ELEMENT_RANGE, 1, TWO_BY_TWO), "PointList"),
    "property that exists": (periodic_twice, "name 'Periodic' already"),
    "property of no interface": (
        lambda lib, file: lib.cg_conn_average_write(file, 1, 1, 1, 2),
        "no ZoneGridConnectivity_t",
    ),
    "no such average": (average(8), "8 is no value"),
    "set that exists": (
        lambda lib, file: [
            writers.number(lib, "cg_zconn_write", file, 1, 1, "Set") for _ in range(2)
        ],
        "name 'Set' already",
    ),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path, call, text):
    check_refused(tmp_path, begin, call, text)
