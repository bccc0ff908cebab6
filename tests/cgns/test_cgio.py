"""The functions of cgio: trees as other libraries write them, and the numbers of errors"""

import ctypes
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from cgns_libraries import BUILD, MODIFY, READ, STOCK, WRITE, CgnsError, library
from cgns_trees import assert_same, compare_writers, tree_by_h5py, tree_by_library

HDF5 = 2
DIMS = (4, 3)
NUMBERS = np.arange(12, dtype=np.int32)


class Cgio:
    """A file and its nodes. Ids are kept as ctypes.c_double."""

    def __init__(self, lib, path, mode=WRITE):
        self.lib = lib
        number = lib.out()
        lib.cgio_open_file(path, mode, HDF5, number)
        self.number = int(number)
        self.root = self.id("cgio_get_root_id")

    def id(self, function, *arguments):
        out = self.lib.out(ctypes.c_double)
        getattr(self.lib, function)(self.number, *arguments, out)
        return ctypes.c_double(out.value)

    def __getattr__(self, name):
        function = getattr(self.lib, f"cgio_{name}")
        return lambda *arguments: function(self.number, *arguments)

    def create(self, parent, name):
        return self.id("cgio_create_node", parent, name)

    def node(self, path, start=None):
        return self.id("cgio_get_node_id", start or self.root, path)

    def new(self, parent, name, label="N_t", kind="I4", dims=DIMS, data=NUMBERS):
        sizes = self.lib.sizes(dims)
        return self.id("cgio_new_node", parent, name, label, kind, len(dims), sizes, data)

    def read(self, node, kind="I4", count=12, dtype=np.int32):
        out = np.zeros(count, dtype)
        self.read_all_data_type(node, kind, out)
        return out.tolist()

    def text(self, function, node):
        out = self.lib.text()
        getattr(self.lib, f"cgio_{function}")(self.number, node, out)
        return out.value.decode()

    def ints(self, function, *arguments, count=1):
        out = [self.lib.out() for _ in range(count)]
        getattr(self.lib, f"cgio_{function}")(self.number, *arguments, *out)
        return [int(number) for number in out]

    def children(self, node):
        (count,) = self.ints("number_children", node)
        if not count:
            return []
        names, found = self.lib.text(33 * count), self.lib.out()
        self.children_names(node, 1, count, 33, found, names)
        assert int(found) == count
        raw = names.raw
        return [raw[33 * i : 33 * i + 33].split(b"\0")[0].decode() for i in range(count)]


def error(lib):
    """Returns the number of the last error, the type of file, and the text of the error."""
    text, code, kind = lib.text(), lib.out(), lib.out()
    function = getattr(lib.handle, f"{lib.prefix}cgio_error_message")
    number = function(text)
    getattr(lib.handle, f"{lib.prefix}cgio_error_code")(code.reference, kind.reference)
    assert number == int(code)
    return int(code), int(kind), text.value.decode()


def fails(lib, code, call, *arguments, match=""):
    """Expects a call to return that number, and cgio_error_code and cgio_error_message to tell
    it."""
    with pytest.raises(CgnsError) as caught:
        call(*arguments)
    assert caught.value.status == code
    number, kind, text = error(lib)
    assert (number, kind) == (code, HDF5 if code > 0 else 0)
    assert text and len(text) <= 80
    if lib.name == "ours":
        assert re.search(match, text), text


def nodes(lib, path):
    file = Cgio(lib, path, ord("w"))
    base = file.create(file.root, "Base")
    file.set_label(base, "CGNSBase_t")
    file.set_dimensions(base, "I4", 1, lib.sizes([2]))
    file.write_all_data(base, np.array([3, 3], np.int32))
    for number in range(3):
        file.new(base, f"N{number}", data=NUMBERS + number)
    text = file.create(base, "Text")
    file.set_label(text, "Descriptor_t")
    file.set_dimensions(text, "C1", 1, lib.sizes([5]))
    file.write_all_data(text, np.frombuffer(b"hello", np.int8).copy())
    file.close_file()


def links(lib, path):
    file = Cgio(lib, path)
    target = file.new(file.root, "Target")
    file.new(target, "Below", kind="R8", dims=[2], data=np.array([1.5, 2.5]))
    file.id("cgio_create_link", file.root, "Link", "", "/Target")
    file.id("cgio_create_link", file.root, "To another file", "other.cgns", "/A/B")
    file.close_file()


def moved(lib, path):
    nodes(lib, path)
    file = Cgio(lib, path, MODIFY)
    base = file.node("Base")
    file.move_node(base, file.node("N1", base), file.root)
    file.set_name(base, file.node("/Base/N2"), "Renamed")
    file.delete_node(base, file.node("N0", base))
    copy = file.create(base, "Copy")
    file.copy_node(file.node("/N1"), file.number, copy)
    file.set_label(file.root, "Root Node of HDF5 File")
    file.flush_to_disk()
    file.close_file()


def parts(lib, path):
    file = Cgio(lib, path)
    node = file.new(file.root, "Array", kind="R8", data=np.zeros(12))
    block = lib.a_size
    file.write_block_data(node, block(3), block(9), np.arange(7.0))
    memory = np.arange(20.0)
    slab = [lib.sizes(s) for s in ([1, 2], [4, 3], [2, 1], [5, 4], [1, 1], [2, 2], [1, 1])]
    file.write_data(node, *slab[:3], 2, *slab[3:], memory)
    file.close_file()


def copied(lib, path):
    nodes(lib, path.with_suffix(".in"))
    into, source = Cgio(lib, path), Cgio(lib, path.with_suffix(".in"), READ)
    lib.cgio_copy_file(source.number, into.number, 0)
    into.close_file()
    source.close_file()


@pytest.mark.parametrize("write", [nodes, links, moved, parts, copied], ids=lambda f: f.__name__)
def test_same_file_as_other_libraries(tmp_path, write):
    if write is links:  # other libraries cannot walk over dangling links
        assert_same_links(tmp_path)
    else:
        compare_writers(tmp_path, write)


def assert_same_links(tmp_path):
    ours = tmp_path / "ours.cgns"
    links(library("ours"), ours)
    for name in STOCK:
        theirs = tmp_path / f"{name}.cgns"
        links(library(name), theirs)
        assert tree_by_h5py(ours) == tree_by_h5py(theirs)


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_files_of_others_are_read(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    nodes(library(writer), path)
    assert_same(tree_by_library(lib, path), tree_by_h5py(path))
    file = Cgio(lib, path, ord("r"))
    assert file.children(file.node("/Base")) == ["N0", "N1", "N2", "Text"]
    node = file.node("/Base/N1")
    assert file.text("get_name", node) == "N1"
    assert file.text("get_label", node) == "N_t"
    assert file.text("get_data_type", node) == "I4"
    assert file.text("get_name", file.root) == "HDF5 MotherNode"
    assert file.text("get_data_type", file.root) == "MT"
    size = lib.out(ctypes.c_int64)
    file.get_data_size(node, size)
    assert int(size) == 48
    assert file.read(node, "R8", dtype=np.float64) == (NUMBERS + 1.0).tolist()
    assert file.read(node, "I8", dtype=np.int64) == (NUMBERS + 1).tolist()
    assert file.ints("get_file_type") == [HDF5]
    version, created, changed = lib.text(), lib.text(), lib.text()
    file.file_version(version, created, changed)
    assert version.value.startswith(b"HDF5 Version 1.")
    file.library_version(version)
    assert version.value.startswith(b"Onecast ")
    file.release_id(node)
    file.close_file()


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_parts_are_read(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    nodes(library(writer), path)
    file = Cgio(lib, path, READ)
    node = file.node("/Base/N0")
    out = np.zeros(12, np.float32)
    for first in range(1, 13):
        for last in range(first, 13):
            out[:] = -1
            file.read_block_data_type(node, lib.a_size(first), lib.a_size(last), "R4", out)
            assert out.tolist() == [*range(first - 1, last), *[-1] * (11 - last + first)]
    # The selection is every third of the first dimension and the last two of the second, into a
    # part of memory.
    slab = [lib.sizes(s) for s in ([1, 2], [4, 3], [3, 1], [5, 4], [2, 1], [4, 4], [2, 3])]
    memory = np.full((4, 5), -1, np.int32)
    file.read_data_type(node, *slab[:3], "I4", 2, *slab[3:], memory)
    expected = np.full((4, 5), -1)
    expected[[0, 0, 3, 3], [1, 3, 1, 3]] = [4, 7, 8, 11]
    assert memory.tolist() == expected.tolist()
    file.close_file()


def test_written_in_another_type(lib, tmp_path):
    file = Cgio(lib, tmp_path / "file.cgns")
    node = file.new(file.root, "Array", data=None)
    file.write_all_data_type(node, "R8", np.arange(12.0) + 0.5)
    assert file.read(node) == list(range(12))
    one = lib.sizes([1])
    slab = [lib.sizes(s) for s in ([4, 3], [4, 3], [1, 1])]
    file.write_data_type(node, *slab, "R4", 1, one, one, one, one, np.array([77], np.float32))
    assert file.read(node)[-1] == 77
    file.close_file()


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_links(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    links(library(writer), path)
    other = Cgio(lib, tmp_path / "other.cgns")
    file = Cgio(lib, path, READ)
    link, external = file.node("Link"), file.node("To another file")
    assert file.ints("is_link", file.node("Target")) == [0]
    assert file.ints("is_link", link) == [8]
    assert file.ints("is_link", external) == [16]
    assert file.ints("link_size", link, count=2) == [0, 8]
    assert file.ints("link_size", external, count=2) == [11, 5]
    assert file.ints("link_size", file.root, count=2) == [0, 0]
    name, target = lib.text(1025), lib.text(4097)
    file.get_link(external, name, target)
    assert (name.value, target.value) == (b"other.cgns", b"/A/B")
    assert file.text("get_name", link) == "Link"
    assert file.text("get_label", link) == "N_t"
    assert file.read(link) == NUMBERS.tolist()
    assert file.read(file.node("/Link/Below"), "R8", 2, np.float64) == [1.5, 2.5]
    fails(lib, 52, file.text, "get_label", external, match="leads to nothing")
    fails(lib, 51, file.get_link, file.root, name, target, match="is no link")
    file.close_file()
    # Once the other file has that node, the link refers to it.
    other.new(other.create(other.root, "A"), "B", "Found_t")
    other.close_file()
    file = Cgio(lib, path, READ)
    assert file.text("get_label", file.node("To another file")) == "Found_t"
    followed = Cgio(lib, tmp_path / "followed.cgns")
    lib.cgio_copy_file(file.number, followed.number, 1)
    assert followed.ints("is_link", followed.node("To another file")) == [0]
    assert followed.ints("is_link", followed.node("Link")) == [8]
    assert followed.read(followed.node("/To another file")) == NUMBERS.tolist()
    followed.close_file()
    file.close_file()


@pytest.mark.parametrize("writer", ["ours", *STOCK])
def test_compressed_file(lib, tmp_path, writer):
    path = tmp_path / "file.cgns"
    nodes(library(writer), path)
    file = Cgio(lib, path, MODIFY)
    file.new(file.root, "Large", kind="R8", dims=[100_000], data=np.ones(100_000))
    file.close_file()
    file = Cgio(lib, path, MODIFY)
    file.delete_node(file.root, file.node("Large"))
    tree = [n for n in tree_by_library(lib, path)[5] if n[0] != "Large"]
    file.compress_file(path)
    fails(lib, -1, file.ints, "get_file_type", match="no file is open")
    assert tree_by_library(lib, path)[5] == tree
    assert path.stat().st_size < 100_000
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file.cgns"]


# Stock libraries return these numbers, too. Where the older one differs, 4.52's number counts.
@pytest.mark.parametrize("name", ["ours", "vtk"])
def test_errors(tmp_path, name):
    lib = library(name)
    path = tmp_path / "file.cgns"
    (tmp_path / "text").write_text("no HDF5 at all")
    kind, number = lib.out(), lib.out()
    fails(lib, -10, lib.cgio_check_file, tmp_path / "none", kind, match="cannot be read")
    fails(lib, -4, lib.cgio_check_file, tmp_path / "text", kind, match="neither HDF5 nor ADF")
    fails(lib, -10, lib.cgio_open_file, tmp_path / "none", READ, 0, number)
    fails(lib, -4, lib.cgio_open_file, tmp_path / "text", READ, 0, number)
    fails(lib, -3, lib.cgio_open_file, path, 7, HDF5, number, match="mode 7")
    fails(lib, -4, lib.cgio_open_file, path, WRITE, 9, number, match="type of file")
    file = Cgio(lib, path)
    node = file.new(file.root, "A")
    fails(lib, 26, file.create, file.root, "A", match="already: /A")
    fails(lib, 56, file.create, file.root, "A/B", match="'A/B'")
    fails(lib, 3, file.create, file.root, "", match="empty")
    fails(lib, 4, file.create, file.root, "x" * 33, match="32 characters")
    fails(lib, 56, file.create, file.root, ".")
    fails(lib, 4, file.set_label, node, "x" * 33, match="32 characters")
    fails(lib, 76, file.node, "B", match="no node 'B'")
    sizes = lib.sizes([1] * 13)
    fails(lib, 31, file.set_dimensions, node, "ZZ", 2, sizes, match="type 'ZZ'")
    fails(lib, 28, file.set_dimensions, node, "I4", 13, sizes, match="not 13")
    fails(lib, 28, file.set_dimensions, node, "I4", 0, sizes, match="not 0")
    fails(lib, 47, file.set_dimensions, node, "I4", 2, lib.sizes([0, 1]), match="dimension 1")
    out = np.zeros(12, np.int32)
    fails(lib, 33, file.read_all_data_type, file.root, "I4", out, match="no value")
    fails(lib, 33, file.write_all_data, file.root, out, match="no value")
    size = lib.a_size
    fails(lib, 45, file.read_block_data_type, node, size(0), size(7), "I4", out, match="start 0")
    fails(lib, 36, file.read_block_data_type, node, size(5), size(13), "I4", out, match="end 13")
    fails(lib, 38, file.read_block_data_type, node, size(5), size(4), "I4", out, match="behind")
    one, all_of = lib.sizes([1, 1]), lib.sizes(DIMS)

    def read(start, end, stride, dims, last):
        memory = (2, lib.sizes(dims), one, lib.sizes(last), one, out)
        slab = [lib.sizes(s) for s in (start, end, stride)]
        file.read_data_type(node, *slab, "I4", *memory)

    assert read([1, 1], all_of, [1, 1], DIMS, DIMS) is None
    fails(lib, 45, read, [0, 1], DIMS, [1, 1], DIMS, DIMS, match="start 0 of dimension 1")
    fails(lib, 36, read, [1, 1], [5, 3], [1, 1], DIMS, DIMS, match="end 5 of dimension 1")
    fails(lib, 38, read, [2, 1], [1, 3], [1, 1], DIMS, DIMS, match="behind the end")
    fails(lib, 37, read, [1, 1], DIMS, [1, 0], DIMS, DIMS, match="stride 0 of dimension 2")
    fails(lib, 49, read, [1, 1], DIMS, [1, 1], DIMS, [4, 2], match="12 elements")
    fails(lib, 65, file.children_ids, file.root, 2, 1, kind, out, match="child 2")
    other = file.new(node, "Child")
    fails(lib, 29, file.delete_node, file.root, other, match="not a child of /")
    fails(lib, 74, file.set_name, file.root, other, "X", match="not a child")
    fails(lib, 74, file.move_node, node, file.new(node, "A"), file.root, match="'A' already")
    file.delete_node(node, other)
    fails(lib, 72, file.text, "get_name", other)
    fails(lib, -1, lib.cgio_get_root_id, 99, lib.out(ctypes.c_double), match="number 99")
    file.close_file()
    file = Cgio(lib, path, READ)
    fails(lib, -11, file.create, file.root, "B", match="reading only")
    fails(lib, -11, file.flush_to_disk, match="reading only")
    file.close_file()


@pytest.mark.parametrize("name", ["ours", *STOCK])
def test_without_a_file(tmp_path, name):
    lib = library(name)
    count = lib.out(ctypes.c_int64)

    def size(kind, dims):
        function = getattr(lib.handle, f"{lib.prefix}cgio_compute_data_size")
        sizes = lib.sizes(dims).ctypes.data_as(ctypes.c_void_p)
        return function(kind, len(dims), sizes, count.reference), int(count)

    assert size(b"R8", [4, 3]) == (8, 12)
    assert size(b"X8", [2]) == (16, 2)
    assert size(b"MT", [2]) == (0, 2)
    assert size(b"I4", []) == (4, 0)
    small = np.array([1 << 30, 2], np.int64)
    copy = lib.sizes([0, 0])
    lib.cgio_check_dimensions(2, small)
    lib.cgio_copy_dimensions(2, small, copy)
    assert copy.tolist() == small.tolist()
    lib.cgio_is_supported(HDF5)
    fails(lib, -4, lib.cgio_is_supported, 9, match="not supported")
    fails(lib, -13, lib.cgio_configure, 77, None, match="77 is nothing")


def test_files_are_found(lib, tmp_path):
    (tmp_path / "beside").mkdir()
    (tmp_path / "far").mkdir()
    for folder in ("beside", "far"):
        Cgio(lib, tmp_path / folder / f"{folder}.cgns").close_file()
    parent = tmp_path / "beside" / "parent.cgns"
    out = lib.text(1000)

    def found(name, room=1000):
        lib.cgio_find_file(parent, name, HDF5, room, out)
        return out.value.decode()

    assert found("beside.cgns") == str(tmp_path / "beside" / "beside.cgns")
    assert found(str(tmp_path / "far/far.cgns")) == str(tmp_path / "far/far.cgns")
    fails(lib, -7, found, "far.cgns", match="not found: far")
    lib.cgio_path_add(tmp_path / "far")
    assert found("far.cgns") == str(tmp_path / "far/far.cgns")
    fails(lib, -6, found, "far.cgns", 5, match="too small")
    fails(lib, -5, found, "", match="empty")
    fails(lib, -9, lib.cgio_path_delete, "elsewhere", match="no such path")
    lib.cgio_path_delete(tmp_path / "far")
    fails(lib, -7, found, "far.cgns")


def test_numbers_are_those_of_cg_open(lib, tmp_path):
    path = tmp_path / "file.cgns"
    file, number = lib.out(), lib.out()
    lib.cg_open(path, WRITE, file)
    lib.cg_get_cgio(int(file), number)
    root, same = lib.out(ctypes.c_double), lib.out(ctypes.c_double)
    lib.cg_root_id(int(file), root)
    lib.cgio_get_root_id(int(number), same)
    assert root.value == same.value
    node = lib.out(ctypes.c_double)
    lib.cgio_create_node(int(number), ctypes.c_double(root.value), "Base", node)
    lib.cgio_set_label(int(number), ctypes.c_double(node.value), "CGNSBase_t")
    lib.cg_close(int(file))
    lib.cg_open(path, READ, file)
    bases = lib.out()
    lib.cg_nbases(int(file), bases)
    assert int(bases) == 1
    lib.cg_close(int(file))


@pytest.mark.parametrize("how", ["exit", "abort"])
def test_error_ends_the_program(tmp_path, how):
    """cgio_error_exit prints the message and the error; cgio_error_abort calls it for any error."""
    program = f"""
import ctypes
lib = ctypes.CDLL({str(BUILD / "libonecast_cgns.so")!r})
lib.cgio_error_abort({int(how == "abort")})
lib.cgio_is_supported(9)
lib.cgio_error_exit(b"my message")
"""
    library("ours")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == (1 if how == "abort" else 255)
    expected = "files of type 9 are not supported\n"
    assert result.stderr == (expected if how == "abort" else f"my message: {expected}")


def test_cleanup_closes_all_files(lib, tmp_path):
    file = Cgio(lib, tmp_path / "file.cgns")
    lib.handle.cgio_cleanup()
    fails(lib, -1, file.ints, "get_file_type")
    assert tree_by_library(lib, tmp_path / "file.cgns")[5] == []


# These are the names before version 4.1, to which the programs may belong.
RENAMED = {f"cgio_read_{what}data": f"cgio_read_{what}data_type" for what in ("", "all_", "block_")}
TOOLS = ("cgnslist", "cgnsdiff", "cgnsconvert", "cgnscompress")


@pytest.mark.parametrize("tool", TOOLS)
def test_stock_tools_would_link(lib, tool):
    """The functions of the CGNS library that the program imports are exported."""
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"no {tool}")

    def symbols(path, *options):
        run = subprocess.run(
            ["nm", "-D", *options, path], capture_output=True, text=True, check=True
        )
        return set(re.findall(r" (\w+)(?:@.*)?$", run.stdout, re.MULTILINE))

    wanted = {s for s in symbols(program, "--undefined-only") if s.startswith(("cg_", "cgio_"))}
    assert wanted
    assert {RENAMED.get(s, s) for s in wanted} <= symbols(
        BUILD / "libonecast_cgns.so", "--defined-only"
    )
