"""Programs on stock HDF5 read with the plug-in what they read without."""

import json

import pytest

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def every_feature(tmp_path_factory):
    return make_file(tmp_path_factory.mktemp("dropin"), loops=True)


def make_file(folder, loops, libver=None):
    """Makes a file with objects, links, types and layouts of all kinds."""
    with h5py.File(folder / "other.h5", "w") as file:
        file["y"] = [7, 8]
        file.create_group("inner").attrs["here"] = "there"
    text = h5py.string_dtype()
    with h5py.File(folder / "all.h5", "w", libver=libver) as file:
        file["numbers"] = np.arange(10.0)
        file["numbers"].attrs["texts"] = ["a", "bcd"]
        file.create_dataset("big endian", data=np.arange(6).reshape(2, 3), dtype=">i2")
        file.create_dataset("chunks", data=np.eye(10), chunks=(3, 4), compression="gzip")
        file.create_dataset("grows", (3, 4), "f8", maxshape=(None, 4), fillvalue=5, shuffle=True)
        file.create_dataset("texts", data=["abc", "d", ""], dtype=text)
        file.create_dataset("fixed", data=np.array([b"ab", b"c"]))
        rows = file.create_dataset("rows", (3,), dtype=h5py.vlen_dtype("i4"))
        rows[0], rows[2] = [1, 2, 3], [4]
        mixed = np.dtype([("n", "i4"), ("text", text), ("part", "f4", (2,))])
        file.create_dataset("mixed", data=np.array([(1, "hello", (2, 3))], dtype=mixed))
        file.create_dataset("colour", data=[0, 1], dtype=h5py.enum_dtype({"RED": 0, "BLUE": 1}))
        file["numbers"].make_scale("numbers")
        file.create_dataset("scaled", data=np.zeros(10)).dims[0].attach_scale(file["numbers"])
        file["nothing"] = h5py.Empty("f8")
        file["one"] = 3
        file["a type"] = np.dtype([("a", "i4"), ("b", "f8")])
        file.create_dataset("typed", (2,), dtype=file["a type"])
        file.create_group("ordered", track_order=True)
        for name in "zay":
            file["ordered"].create_group(name).attrs[name] = name
        file.create_group("outer/middle/inner")
        file["outer/again"] = file["outer/middle"]
        if loops:
            file["outer/loop"] = file["outer"]
        file["soft"] = h5py.SoftLink("/outer/middle")
        file["dangling"] = h5py.SoftLink("/nowhere")
        file["outside"] = h5py.ExternalLink("other.h5", "/y")
        file["absent"] = h5py.ExternalLink("absent.h5", "/y")
        file.attrs["reference"] = file["outer"].ref
        file.create_dataset("references", data=[file["one"].ref], dtype=h5py.ref_dtype)
        region = file["numbers"].regionref[2:5]
        file.create_dataset("regions", data=[region], dtype=h5py.regionref_dtype)
        layout = h5py.VirtualLayout((2, 2), "i4")
        layout[0] = h5py.VirtualSource("other.h5", "y", (2,))
        file.create_virtual_dataset("virtual", layout, fillvalue=9)
    return folder / "all.h5"


def test_h5py_reads_everything(dropin, every_feature):
    with_plugin = dropin.describe("h5py", every_feature)
    without = dropin.describe("h5py", every_feature, plugin=False)
    assert json.loads(with_plugin[0]) == json.loads(without[0])


def test_onecast_serves_it(dropin, every_feature):
    """Only what is listed goes to the shadow."""
    program = """
import h5py, sys
with h5py.File(sys.argv[1], "r") as file:
    for name in ("numbers", "chunks", "texts", "rows", "mixed", "colour", "typed", "one"):
        file[name][()], file[name].attrs, file[name].name, file[name].shape
    file["outer/middle"].name, list(file["ordered"]), "soft" in file, file["outside"][:]
    file[file.attrs["reference"]]
"""
    done = dropin.run(program, every_feature, trace=True)
    assert "all.h5: " in done.stderr
    assert "shadow:" not in done.stderr


def test_stored_chunks(dropin, every_feature):
    program = """
import h5py, sys
with h5py.File(sys.argv[1], "r") as file:
    chunks = file["chunks"].id
    print(chunks.get_num_chunks(), chunks.read_direct_chunk((3, 4)), chunks.get_chunk_info(5))
    print(chunks.get_chunk_info_by_coord((9, 9)))
    chunks.chunk_iter(print)
    for wrong in ((1, 1), (30, 40)):
        try:
            print(chunks.read_direct_chunk(wrong))
        except Exception as error:
            print(type(error).__name__, error)
"""
    done = dropin.run(program, every_feature, trace=True)
    assert done.stdout == dropin.run(program, every_feature, plugin=False).stdout
    assert "dataset: read a chunk: 1" in done.stderr


def test_references_to_regions_come_from_the_shadow(dropin, every_feature):
    program = """
import h5py, sys
with h5py.File(sys.argv[1], "r") as file:
    region = file["regions"][0]
    print(file[region][region].tolist(), file[region].name)
"""
    done = dropin.run(program, every_feature, trace=True)
    assert done.stdout == "[2.0, 3.0, 4.0] /numbers\n"
    assert "region references" in done.stderr


def test_a_file_that_is_opened_twice(dropin, every_feature):
    program = """
import h5py, sys
a = h5py.File(sys.argv[1], "r")
b = h5py.File(sys.argv[1], "r")
c = h5py.File(sys.argv[1][:-6] + "other.h5", "r")
print(a["one"] == b["one"], a["one"].file == a, b["one"].file.id == b.id, a["one"] == c["y"])
numbers = a["numbers"]
a.close()
print(bool(numbers), b["numbers"][1], h5py.h5f.get_obj_count(b.id, h5py.h5f.OBJ_ALL))
b.close()
"""
    with_plugin = dropin.run(program, every_feature).stdout
    assert with_plugin == dropin.run(program, every_feature, plugin=False).stdout


def test_memory_spaces(dropin, every_feature):
    """H5S_ALL in memory means the selection of the file."""
    program = """
import h5py, sys, numpy as np
from h5py import h5s
with h5py.File(sys.argv[1], "r") as file:
    dataset = file["chunks"].id
    space = dataset.get_space()
    space.select_hyperslab((1, 2), (3, 2), (2, 3))
    memory = np.full((10, 10), -1.0)
    dataset.read(h5s.ALL, space, memory)
    print(memory.tolist())
    memory[:] = -1
    inner = h5s.create_simple((10, 10))
    inner.select_elements([(0, 0), (9, 9), (5, 5), (1, 1), (2, 2), (3, 3)])
    dataset.read(inner, space, memory)
    print(memory.tolist())
    space.select_hyperslab((8, 8), (1, 1), op=h5s.SELECT_OR)
    space.offset_simple((1, 1))
    few = np.zeros(7, "i2")
    dataset.read(h5s.create_simple((7,)), space, few)
    print(few.tolist())
    small = h5s.create_simple((4, 5))
    part = np.zeros((4, 5))
    dataset.read(small, small, part)
    print(part.tolist())
    try:
        dataset.read(h5s.create_simple((3,)), space, few)
    except Exception as error:
        print(type(error).__name__, error)
    pair = np.full(1, 7, dtype=[("n", "i8"), ("mine", "i4")])
    file["mixed"].id.read(h5s.ALL, h5s.ALL, pair)
    print(pair)
"""
    with_plugin = dropin.run(program, every_feature).stdout
    assert with_plugin == dropin.run(program, every_feature, plugin=False).stdout


def test_errors_are_those_of_the_library(dropin, every_feature):
    program = """
import h5py, sys
open("text.h5", "w").write("no")
with h5py.File(sys.argv[1], "r") as file:
    for call in (
        lambda: file["nix"], lambda: file["outer/nix"], lambda: file["nix/x"],
        lambda: file["numbers/x"], lambda: file["dangling"], lambda: file["absent"],
        lambda: file["one"].attrs["nix"], lambda: file.create_group("new"),
        lambda: file["one"].write_direct(1), lambda: file["one"].attrs.create("n", 1),
        lambda: file.__delitem__("one"), lambda: h5py.File("missing.h5", "r"),
        lambda: h5py.File("text.h5", "r"), lambda: h5py.File(sys.argv[1], "r+"),
        lambda: h5py.File(sys.argv[1], "w"), lambda: file["one"].resize((3,)),
        lambda: h5py.h5g.open(file.id, b"one"), lambda: h5py.h5d.open(file.id, b"outer"),
    ):
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, error)
"""
    with_plugin = dropin.run(program, every_feature).stdout.splitlines()
    assert with_plugin == dropin.run(program, every_feature, plugin=False).stdout.splitlines()


def test_written_files_belong_to_the_library_where_a_user_asks_for_it(dropin, tmp_path):
    program = """
import h5py, sys
with h5py.File(sys.argv[1], "w") as file:
    file["x"] = [1, 2]
    with h5py.File(sys.argv[1], "r") as again:
        print(again["x"][:].tolist())
with h5py.File(sys.argv[1], "r+") as file:
    file["g/y"] = file["x"][:] + 1
    file.copy("x", "z")
with h5py.File(sys.argv[1], "r") as file, h5py.File(sys.argv[1] + "2", "w") as copy:
    file.copy("g", copy)
    print(list(file), copy["g/y"][:].tolist())
"""
    for asks in (
        {"ONECAST_HDF5_WRITING": "native"},
        {"HDF5_VOL_CONNECTOR": "onecast sharing=trust;writing=native"},
    ):
        done = dropin.run(program, tmp_path / "w.h5", trace=True, more=asks)
        assert done.stdout == "[1, 2]\n['g', 'x', 'z'] [2, 3]\n"
        assert done.stderr.count("by the native library: it is opened for writing") == 3


def test_a_wrong_way_of_writing_is_an_error_that_names_it(dropin, tmp_path):
    program = """
import h5py, sys
h5py.File(sys.argv[1], "w")
"""
    for asks in (
        {"ONECAST_HDF5_WRITING": "nativ"},
        {"HDF5_VOL_CONNECTOR": "onecast writing=nativ"},
    ):
        done = dropin.run(program, tmp_path / "w.h5", check=False, more=asks)
        assert next(iter(asks)) in done.stderr
        assert "native or onecast was expected, not" in done.stderr


def test_a_file_that_was_replaced(dropin, tmp_path):
    """What Onecast does not serve is not read from the file that has the name now."""
    program = """
import h5py, os, sys
os.chdir(sys.argv[1])
for name in ("a.h5", "b.h5"):
    with h5py.File(name, "w") as file:
        file["x"] = [name]
with h5py.File("a.h5", "r") as file:
    os.replace("b.h5", "a.h5")
    print(file["x"].asstr()[:])
    try:
        print(file.id.get_mdc_hit_rate())
    except Exception as error:
        print(error)
    os.remove("a.h5")
    try:
        print(file.id.get_mdc_hit_rate())
    except Exception as error:
        print(error)
"""
    said = dropin.run(program, tmp_path).stdout.splitlines()
    assert said[0] == "['a.h5']"
    assert "another file has this name now" in said[1]
    assert "unable to open file" in said[2]


def test_a_file_that_was_overwritten(dropin, tmp_path):
    """Who opens the file again reads what is there now, though it is still open."""
    program = """
import h5py, os, shutil, sys
os.chdir(sys.argv[1])
for value, name in enumerate(("a.h5", "b.h5")):
    with h5py.File(name, "w") as file:
        file["x"] = [value] * 50
with h5py.File("a.h5", "r") as before:
    print(before["x"][0])
    shutil.copy("b.h5", "a.h5")
    with h5py.File("a.h5", "r") as after:
        print(after["x"][0])
"""
    assert dropin.run(program, tmp_path).stdout.split() == ["0", "1"]


def test_other_files_that_the_library_writes(dropin, tmp_path):
    """What the library has not written yet of sources and targets of links is read all the same."""
    program = """
import h5py, os, sys
os.chdir(sys.argv[1])
with h5py.File("a.h5", "w") as file:
    layout = h5py.VirtualLayout((2,), "i8")
    layout[:] = h5py.VirtualSource("other.h5", "y", (2,), "i8")
    file.create_virtual_dataset("virtual", layout, fillvalue=9)
    file["link"] = h5py.ExternalLink("other.h5", "/y")
other = h5py.File("other.h5", "w")
with h5py.File("a.h5", "r") as file:
    other["y"] = [1, 2]
    print("link" in file, file["link"][:], file["virtual"][:])
    other["y"][1] = 3
    print(file["link"][:], file["virtual"][:])
    other.close()
    print(file["link"][:], file["virtual"][:])
"""
    folders = [tmp_path / name for name in ("with", "without")]
    for folder in folders:
        folder.mkdir()
    said = dropin.run(program, folders[0], more={"ONECAST_HDF5_WRITING": "native"}).stdout
    assert said == dropin.run(program, folders[1], plugin=False).stdout
    assert said.startswith("True [1 2] [1 2]")


def test_several_libraries_in_one_process(dropin, every_feature):
    """h5py, PyTables and netCDF4 each bring a libhdf5 of their own."""
    pytest.importorskip("tables")
    pytest.importorskip("netCDF4")
    program = """
import h5py, netCDF4, numpy as np, sys, tables, threading
with netCDF4.Dataset("n.nc", "w") as file:
    file.createDimension("t", 3)
    file.createVariable("v", "f4", ("t",), zlib=True)[:] = [1, 2, 3]
    file.title = "text"
with tables.open_file("t.h5", "w") as file:
    file.create_array("/", "a", np.arange(4))
    file.create_table("/", "rows", {"x": tables.Int32Col()}).append([(1,), (2,)])
def all_of_them():
    for _ in range(20):
        with netCDF4.Dataset("n.nc") as file:
            assert file["v"][:].tolist() == [1, 2, 3] and file.title == "text"
        with tables.open_file("t.h5") as file:
            assert file.root.a[:].tolist() == [0, 1, 2, 3]
            assert file.root.rows[1][0] == 2
        with h5py.File("n.nc") as file, h5py.File(sys.argv[1]) as other:
            assert file["v"][:].tolist() == [1, 2, 3] and other["one"][()] == 3
all_of_them()
threads = [threading.Thread(target=lambda: [h5py.File(sys.argv[1])["texts"][:] for _ in range(50)])
           for _ in range(4)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
"""
    done = dropin.run(program, every_feature, trace=True)
    for name in ("n.nc", "t.h5", "all.h5"):
        assert f"{name}: " in done.stderr


@pytest.mark.parametrize("library", ["tables", "netCDF4"])
def test_other_libraries_read_everything(dropin, tmp_path, library):
    pytest.importorskip(library)
    file = make_file(tmp_path, loops=False)  # PyTables would follow them for ever
    with_plugin = dropin.describe(library, file)
    assert with_plugin == dropin.describe(library, file, plugin=False)


@pytest.mark.leaves_damage
def test_damaged_files_are_errors(dropin, every_feature, tmp_path):
    """A truncated or changed file is an error of HDF5, whatever byte is wrong."""
    data = every_feature.read_bytes()
    paths = []
    for i in range(24):
        at = len(data) * i // 24
        changed = data[:at] if i % 2 else data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        paths.append(tmp_path / f"{i}.h5")
        paths[-1].write_bytes(changed)
    assert None not in dropin.describe("h5py", *paths)
