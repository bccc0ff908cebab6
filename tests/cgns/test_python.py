"""onecast.cgns: trees of lists, compared with what h5py and stock libraries find in the files"""

import os
import subprocess
import sys
from pathlib import Path

import cgns_writers as writers
import h5py
import numpy as np
import pytest
from cgns_libraries import STOCK, library
from cgns_lists import ARRAY, assert_equal, sample
from cgns_trees import as_stored, tree_by_h5py, tree_by_library, without_type

from onecast import cgns

CORPUS = Path(os.environ.get("ONECAST_CORPUS", "../shared/corpus")) / "cgns"


def test_saved_and_loaded(tmp_path):
    path = tmp_path / "file.cgns"
    tree = sample()
    cgns.save(path, tree)
    assert_equal(cgns.load(path), tree)
    with h5py.File(path) as file:
        stored = file["Base/Values/Real/ data"]
        assert stored.shape == (2, 3, 4)
        assert (stored[()] == ARRAY.T).all()
    # Stock libraries have no unsigned types, and before 4 no complex ones.
    found = without_type(tree_by_h5py(path))[4]
    assert found == [as_stored(child) for child in tree[2][1:]]
    assert cgns.check(path) == []


@pytest.mark.parametrize("stock", STOCK)
def test_stock_libraries_read_what_is_saved(tmp_path, stock):
    path = tmp_path / "file.cgns"
    tree = sample()
    new = {"Unsigned", "Complex", "Complex single"}
    values = cgns.find(tree, "/Base/Values")
    values[2] = [node for node in values[2] if node[0] not in new]
    cgns.save(path, tree)
    found = without_type(tree_by_library(library(stock), path))[4]
    assert found == [as_stored(child) for child in tree[2][1:]]
    lib = library(stock)
    file = writers.opened(lib, path, 0)
    assert writers.number(lib, "cg_nzones", file, 1) == 1
    assert writers.number(lib, "cg_ncoords", file, 1, 1) == 1
    lib.cg_close(file)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.cgns")), ids=lambda path: path.stem)
def test_files_of_all_versions(path, tmp_path):
    tree = cgns.load(path)
    expected = without_type(tree_by_h5py(path))[4]
    found = [as_stored(node) for node in tree[2] if node[0] != "CGNSLibraryVersion"]
    assert found == expected
    assert cgns.check(path) == []
    copy = tmp_path / "copy.cgns"
    cgns.save(copy, tree, links=cgns.links(path))
    assert_equal(cgns.load(copy), tree)


@pytest.mark.parametrize("writer", STOCK)
def test_files_of_stock_libraries(tmp_path, writer):
    path = tmp_path / "file.cgns"
    writers.coordinates(library(writer), path)
    grid = cgns.load(path, "/Base/Zone 1/GridCoordinates")
    assert [node[0] for node in grid[2]] == ["CoordinateX", "CoordinateY", "CoordinateZ"]
    x = cgns.find(grid, "CoordinateX")[1]
    assert x.shape == (4, 3, 2) and x.flags.f_contiguous
    assert (x == writers.CORE.reshape(4, 3, 2, order="F")).all()


def shape_of(tree):
    """Returns the tree in a form that can be compared by ==."""
    name, value, children, label = tree
    values = None if value is None else (value.dtype.str, value.shape, value.tolist())
    return [name, values, label, [shape_of(child) for child in children]]


def test_pycgns_exchanges_files(tmp_path):
    pycgns = pytest.importorskip("CGNS.MAP")
    theirs, ours = str(tmp_path / "theirs.cgns"), str(tmp_path / "ours.cgns")
    tree = sample()
    # The older library has none of these types.
    new = {"Unsigned", "Complex", "Complex single"}
    values = cgns.find(tree, "/Base/Values")
    values[2] = [node for node in values[2] if node[0] not in new]
    cgns.save(ours, tree)
    found, _, _ = pycgns.load(ours)
    assert shape_of(found)[3] == shape_of(tree)[3]
    pycgns.save(theirs, tree)
    loaded = cgns.load(theirs)
    assert [n for n in shape_of(loaded)[3] if n[0] == "Base"] == [shape_of(tree)[3][1]]


def test_parts_of_a_tree(tmp_path):
    path = tmp_path / "file.cgns"
    tree = sample()
    cgns.save(path, tree)
    assert cgns.load(path, depth=0) == ["CGNSTree", None, [], "CGNSTree_t"]
    base = cgns.load(path, "/Base", depth=1)
    assert [(node[0], node[2]) for node in base[2]] == [("Zone", []), ("Values", [])]
    zone = cgns.load(path, "Base/Zone/")
    assert_equal(zone, cgns.find(tree, "/Base/Zone"))
    assert cgns.load(path, "/Base/Zone/ZoneType", values="none")[1] is None
    with pytest.raises(KeyError, match="/Base has no node 'Nothing'"):
        cgns.load(path, "/Base/Nothing")
    with pytest.raises(ValueError, match="values: one of"):
        cgns.load(path, values="some")


def test_read_when_asked_for(tmp_path):
    path = tmp_path / "file.cgns"
    cgns.save(path, sample())
    tree = cgns.load(path, values="lazy")
    value = cgns.find(tree, "/Base/Values/Real")[1]
    assert (value.shape, value.dtype, value.ndim, value.size) == ((4, 3, 2), "f8", 3, 24)
    assert (np.asarray(value) == ARRAY).all()
    assert (value.read(1, 2) == ARRAY[:, :, 1:]).all()
    assert (value[2] == ARRAY[2]).all()
    assert value.read(1, 1).shape == (4, 3, 0)
    with pytest.raises(IndexError):
        value.read(1, 3)
    # While the file is open, the tree may be saved to another file.
    cgns.save(tmp_path / "copy.cgns", tree)
    assert_equal(cgns.load(tmp_path / "copy.cgns"), sample())


def test_values_of_programs(tmp_path):
    """These are texts, numbers, arrays in C order and of the other byte order, scalars."""
    path = tmp_path / "file.cgns"
    given = {
        "Text": ("hello", np.frombuffer(b"hello", "S1")),
        "Bytes": (b"hello", np.frombuffer(b"hello", "S1")),
        "Empty text": ("", np.frombuffer(b" ", "S1")),
        "Umlaut": ("ü", np.frombuffer("ü".encode(), "S1")),
        "Number": (2.5, np.array([2.5])),
        "Integer": (7, np.array([7])),
        "List": ([1.0, 2.0], np.array([1.0, 2.0])),
        "C order": (np.ascontiguousarray(ARRAY), ARRAY),
        "Part": (ARRAY[::2], np.asfortranarray(ARRAY[::2])),
        "Big-endian": (np.arange(3, dtype=">i4"), np.arange(3, dtype="i4")),
    }
    nodes = [[name, value, None, "DataArray_t"] for name, (value, _) in given.items()]
    cgns.save(path, ["CGNSTree", None, nodes, "CGNSTree_t"])
    tree = cgns.load(path)
    assert tree[2][0][0] == "CGNSLibraryVersion" and tree[2][0][1] == np.float32(3.4)
    for name, (_, expected) in given.items():
        assert_equal(cgns.find(tree, name), [name, expected, [], "DataArray_t"])


def test_version_of_sections_with_offsets(tmp_path):
    path = tmp_path / "file.cgns"
    section = ["Faces", np.array([22, 0], "i4"), [], "Elements_t"]
    section[2].append(["ElementStartOffset", np.array([0, 3]), [], "DataArray_t"])
    tree = sample()
    del tree[2][0]
    cgns.find(tree, "/Base/Zone")[2].append(section)
    cgns.save(path, tree)
    assert cgns.load(path, "CGNSLibraryVersion")[1] == [4.0]


def test_no_copy_is_made(tmp_path):
    """A value in Fortran order is written directly from its memory."""
    from onecast._cgns_arrays import memory
    from onecast._cgns_values import stored

    kind, array = stored(ARRAY, "DataArray_t", "/A")
    assert kind == "R8" and np.shares_memory(array, ARRAY)
    assert np.shares_memory(memory(array), ARRAY)


def test_links(tmp_path):
    path, other = tmp_path / "file.cgns", tmp_path / "other.cgns"
    cgns.save(other, sample())
    base = ["Base", np.array([3, 3], "i4"), [["Zone", None, [], ""], ["Same", None, [], ""]]]
    tree = ["CGNSTree", None, [[*base, "CGNSBase_t"]], "CGNSTree_t"]
    links = [("/Base/Zone", "other.cgns", "/Base/Zone"), ("/Base/Same", "", "/Base/Zone")]
    cgns.save(path, tree, links=links)
    assert cgns.links(path) == links
    zone = cgns.find(sample(), "/Base/Zone")
    loaded = cgns.load(path, "/Base")
    assert_equal(loaded[2][0], zone)
    assert_equal(loaded[2][1], ["Same", *zone[1:]])
    assert cgns.load(path, "/Base", follow_links=False)[2][0][1:3] == [None, []]
    for stock in STOCK:
        found = without_type(tree_by_library(library(stock), path))[4][0][4]
        # Stock libraries do not follow a link to a link.
        assert found[0][:2] == ["Zone", "Zone_t"]
    other.unlink()
    with pytest.raises(cgns.CgnsError, match=r"/Base/Zone leads to nothing: other\.cgns"):
        cgns.load(path)
    assert [v.path for v in cgns.check(path)] == ["/Base/Zone", "/Base/Same"]
    with pytest.raises(KeyError, match="no place for /Base/Nowhere"):
        cgns.save(tmp_path / "third.cgns", tree, links=[("/Base/Nowhere", "", "/Base")])


@pytest.mark.parametrize(
    ("node", "error", "match"),
    [
        (["x" * 33, None, [], "DataArray_t"], ValueError, "1 to 32 characters"),
        (["a/b", None, [], "DataArray_t"], ValueError, "cannot be the name"),
        (["A", None, [], "x" * 33], ValueError, "label .* more than 32"),
        (["A", None, []], TypeError, r"a node is \[name"),
        ([1, None, [], "DataArray_t"], TypeError, "name and label are texts"),
        (["A", None, 3, "DataArray_t"], TypeError, "children are a list"),
        (["A", np.zeros((1,) * 13), [], "DataArray_t"], ValueError, "/A: .*12 dimensions"),
        (["A", np.zeros(2, "f2"), [], "DataArray_t"], TypeError, "/A: .* no type .*float16"),
        (["A", object(), [], "DataArray_t"], TypeError, "/A: .* no type"),
        (["A", None, [["B", 1, [], "X"], ["B", 2, [], "X"]], "X"], ValueError, "'B' already"),
    ],
)
def test_trees_that_cannot_be_saved(tmp_path, node, error, match):
    with pytest.raises(error, match=match):
        cgns.save(tmp_path / "file.cgns", ["CGNSTree", None, [node], "CGNSTree_t"])


def test_tree_that_contains_itself(tmp_path):
    node = ["A", None, [], "UserDefinedData_t"]
    node[2].append(["B", None, node[2], "UserDefinedData_t"])
    with pytest.raises(ValueError, match="contains itself"):
        cgns.save(tmp_path / "file.cgns", ["CGNSTree", None, [node], "CGNSTree_t"])


def test_a_file_is_replaced_when_all_is_written(tmp_path):
    path, link = tmp_path / "file.cgns", tmp_path / "link.cgns"
    cgns.save(path, sample())
    link.symlink_to(path.name)
    before = path.read_bytes()
    bad = ["CGNSTree", None, [["A", None, [], "X"], ["B", object(), [], "X"]], "CGNSTree_t"]
    for tree, error in ((bad, TypeError), (None, TypeError), (sample(), KeyError)):
        with pytest.raises(error):
            cgns.save(link, tree, links=[("/Nowhere", "", "/Base")])
        assert path.read_bytes() == before
    # The values of this tree are in the file that it replaces.
    tree = cgns.load(path, values="lazy")
    tree[2].append(["New", 1.0, [], "UserDefinedData_t"])
    cgns.save(link, tree)
    assert link.is_symlink()
    assert cgns.load(path, "/New")[1] == [1.0]
    assert_equal(cgns.load(path, "/Base"), cgns.find(sample(), "/Base"))
    cgns.compact(path, path)
    assert_equal(cgns.load(path, "/Base"), cgns.find(sample(), "/Base"))
    # A file that cannot be replaced leaves nothing beside it.
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        cgns.save(tmp_path / "folder", sample())
    assert sorted(os.listdir(tmp_path)) == ["file.cgns", "folder", "link.cgns"]


def test_compact_and_adopt(tmp_path):
    """Small values of old files move into the headers. Values and structure stay."""
    source = CORPUS / "cgnslib_vers-3310.cgns"
    if not source.is_file():
        pytest.skip(f"no {source} (set ONECAST_CORPUS)")
    old = tmp_path / "old.cgns"
    old.write_bytes(source.read_bytes())
    tree = cgns.load(old)
    out = tmp_path / "compact.cgns"
    cgns.compact(old, out)
    taken_in, added = cgns.adopt(old)
    assert taken_in > 5 and added
    for path in (old, out):
        assert_equal(cgns.load(path), tree)
        with h5py.File(path) as file:
            layout = file["Base/Zone 1/ data"].id.get_create_plist().get_layout()
            assert layout == h5py.h5d.COMPACT
        for stock in STOCK:
            assert tree_by_library(library(stock), path)[5]
    assert cgns.adopt(old) == (0, False)


PROGRAM = """
import os
import sys
import numpy as np
import onecast.cgns as cgns
from mpi4py import MPI
comm = MPI.COMM_WORLD
path, out = sys.argv[1:]
whole = cgns.load(path)
def equal(a, b):
    assert (a[0], a[3], len(a[2])) == (b[0], b[3], len(b[2])), a[0]
    assert (a[1] is None) == (b[1] is None)
    assert a[1] is None or np.array_equal(a[1], b[1]), a[0]
    for x, y in zip(a[2], b[2]): equal(x, y)
equal(cgns.load(path, comm=comm), whole)
parts = cgns.load(path, values="slices", comm=comm)
def sliced(a, b):
    if isinstance(a[1], cgns.SlicedArray):
        n = b[1].shape[-1]
        start, stop = cgns.slice_of(n, comm.rank, comm.size)
        assert a[1].whole_shape == b[1].shape and a[1].start == start
        assert a[1].flags.f_contiguous
        assert np.array_equal(a[1], b[1][..., start:stop])
        assert (2 * a[1]).whole_shape == b[1].shape
    elif a[1] is not None:
        assert np.array_equal(a[1], b[1])
    return isinstance(a[1], cgns.SlicedArray) + sum(map(sliced, a[2], b[2]))
assert sliced(parts, whole) == int(comm.bcast(sliced(parts, whole))) > 0
cgns.save(out, parts, comm=comm)
equal(cgns.load(out, comm=comm), whole)
# Slices get the type of the label on all ranks, also of those whose slice is empty.
start, stop = cgns.slice_of(5, comm.rank, comm.size)
bytes_ = cgns.sliced(np.arange(start, stop, dtype="u1"), (5,), start)
none = cgns.sliced(np.zeros(0), (0,), 0)
nodes = [["A", bytes_, [], "DataArray_t"], ["B", none, [], "DataArray_t"]]
cgns.save(out + ".types", ["CGNSTree", None, nodes, "CGNSTree_t"], comm=comm)
a, b = cgns.load(out + ".types", comm=comm)[2][1:]
assert a[1].dtype == "i4" and np.array_equal(a[1], np.arange(5)) and b[1] is None
# Slices that leave gaps, or overlap, are an error on all ranks.
def refused(first, last, expected):
    part = cgns.sliced(np.arange(first, last), (10,), first)
    tree = ["CGNSTree", None, [["A", part, [], "DataArray_t"]], "CGNSTree_t"]
    try:
        cgns.save(out + ".wrong", tree, comm=comm)
        raise SystemExit("no error")
    except ValueError as error:
        assert str(error) == expected, error
    assert not os.path.exists(out + ".wrong")
    comm.barrier()
start, stop = cgns.slice_of(10, comm.rank, comm.size)
is_last = comm.rank == comm.size - 1
gap = "/A: no rank has indices 9 to 9 of the last dimension"
refused(start, stop - is_last, gap)
if comm.size > 1:
    begin = cgns.slice_of(10, 1, comm.size)[0]
    shared = f"{begin - 1} to {begin - 1}"
    overlap = f"/A: ranks 0 and 1 both have indices {shared} of the last dimension"
    refused(start - (comm.rank == 1), stop, overlap)
# A tree that one rank cannot write is an error on all, and the file that was there stays.
before = open(out, "rb").read()
last = comm.rank == comm.size - 1
bad = ["A", np.zeros(3, "f2") if last else np.zeros(3), [], "DataArray_t"]
bad = ["CGNSTree", None, [bad], "CGNSTree_t"]
for tree in (bad, None if last else whole):
    try:
        cgns.save(out, tree, comm=comm)
        raise SystemExit("no error")
    except (TypeError, RuntimeError) as error:
        pass
    comm.barrier()
    assert open(out, "rb").read() == before
    assert not [name for name in os.listdir(os.path.dirname(out)) if name.endswith(".part")]
lazy = cgns.load(path, values="lazy", comm=comm)
if comm.rank == 0:
    x = cgns.find(lazy, "/Base/Zone/GridCoordinates/CoordinateX")[1]
    assert np.array_equal(x, cgns.find(whole, "/Base/Zone/GridCoordinates/CoordinateX")[1])
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_on_a_communicator(tmp_path, ranks):
    if "MPIEXEC" not in os.environ:
        pytest.skip("needs MPIEXEC, as tools/env.sh sets it")
    pytest.importorskip("mpi4py")
    path, out = tmp_path / "file.cgns", tmp_path / "out.cgns"
    cgns.save(path, sample())
    launcher = [os.environ["MPIEXEC"], *os.environ.get("MPIEXEC_FLAGS", "").split()]
    command = [*launcher, "-n", str(ranks), sys.executable, "-c", PROGRAM, path, out]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-3000:]
    # The bytes do not depend on the number of ranks.
    one = tmp_path / "one.cgns"
    command[command.index("-n") + 1] = "1"
    command[-1] = one
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    assert out.read_bytes() == one.read_bytes()
