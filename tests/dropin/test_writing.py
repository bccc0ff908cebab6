"""Files that programs on stock HDF5 write with the plug-in are those that they write without."""

import json

import pytest

pytest.importorskip("h5py")

WRITE = """
import h5py, numpy as np, sys
text = h5py.string_dtype()
with h5py.File(sys.argv[1], "w") as file:
    file["numbers"] = np.arange(10.0)
    file["numbers"].attrs["texts"] = ["a", "bcd"]
    file["numbers"].attrs["array"] = np.arange(6).reshape(2, 3)
    file["numbers"].attrs.modify("array", np.zeros((2, 3), "i8"))
    file["numbers"].attrs["gone"] = 1
    del file["numbers"].attrs["gone"]
    file.create_dataset("big endian", data=np.arange(6).reshape(2, 3), dtype=">i2")
    file.create_dataset("chunks", data=np.eye(10), chunks=(3, 4), compression="gzip")
    file["chunks"][2:5, 1:9:3] = 7
    file["chunks"][[1, 4], 2] = [8, 9]
    grows = file.create_dataset("grows", (3, 4), "f8", maxshape=(None, 4), fillvalue=5,
                                shuffle=True, fletcher32=True)
    grows[1] = 2
    grows.resize((5, 4))
    grows[4, 1:3] = [1, 3]
    file.create_dataset("small", data=np.arange(3), chunks=(3,), scaleoffset=0)
    file.create_dataset("texts", data=["abc", "d", ""], dtype=text)
    file["texts"][1] = "much longer than before"
    file.create_dataset("fixed", data=np.array([b"ab", b"c"]))
    rows = file.create_dataset("rows", (3,), dtype=h5py.vlen_dtype("i4"))
    rows[0], rows[2] = [1, 2, 3], [4]
    mixed = np.dtype([("n", "i4"), ("text", text), ("part", "f4", (2,))])
    file.create_dataset("mixed", data=np.array([(1, "hello", (2, 3))], dtype=mixed))
    file["mixed"]["n"] = 5
    plain = file.create_dataset("plain", data=np.zeros(3, [("a", "i4"), ("b", "f8")]))
    plain["b"] = [1, 2, 3]
    file.create_dataset("colour", data=[0, 1], dtype=h5py.enum_dtype({"RED": 0, "BLUE": 1}))
    file["numbers"].make_scale("numbers")
    file.create_dataset("scaled", data=np.zeros(10)).dims[0].attach_scale(file["numbers"])
    file["nothing"] = h5py.Empty("f8")
    file["one"] = 3
    file["one"].attrs["nothing"] = h5py.Empty("i2")
    file["a type"] = np.dtype([("a", "i4"), ("b", "f8")])
    file["a type"].attrs["of the type"] = 1
    file.create_dataset("typed", (2,), dtype=file["a type"])
    file.create_group("ordered", track_order=True)
    for name in "zay":
        file["ordered"].create_group(name).attrs[name] = name
    file.create_group("outer/middle/inner")
    file["outer/again"] = file["outer/middle"]
    file["soft"] = h5py.SoftLink("/outer/middle")
    file["dangling"] = h5py.SoftLink("/nowhere")
    file["absent"] = h5py.ExternalLink("absent.h5", "/y")
    file.attrs["reference"] = file["outer"].ref
    file.create_dataset("references", data=[file["one"].ref], dtype=h5py.ref_dtype)
    file.copy("chunks", "outer/copied")
    file.copy("outer", "copy of all")
    file["moved"] = [1]
    inner = file["outer/middle/inner"]
    file.move("moved", "outer/moved")
    file.move("outer/middle", "outer/renamed")
    print(inner.name, file["outer/moved"].name)
    unnamed = file.create_dataset(None, data=[4, 5])
    print(unnamed.name)
    file["named"] = unnamed
    print(unnamed.name)
    del file["one"].attrs["nothing"]
    removed = file["fixed"]
    del file["fixed"]
    print(removed[:].tolist(), "fixed" in file)
    external = file.create_dataset("raw", (4,), "i4", external=[("raw.bin", 0, 16)])
    external[:] = [1, 2, 3, 4]
    layout = h5py.VirtualLayout((2, 10), "f8")
    layout[0] = h5py.VirtualSource(file["numbers"])
    file.create_virtual_dataset("virtual", layout, fillvalue=9)
    file.flush()
    print(h5py.h5f.get_obj_count(file.id, h5py.h5f.OBJ_ALL), file.id.get_intent())
    h5py.h5o.set_comment(file["numbers"].id, b"a comment")
    print(h5py.h5o.get_info(file["one"].id).rc)
    for name in file:
        if name not in ("dangling", "absent", "soft"):
            print(name, file[name].name, dict(file[name].attrs) if name != "numbers" else "")
            if isinstance(file[name], h5py.Dataset) and name != "references":
                print(file[name][()], file[name].chunks, file[name].compression)
"""

CHANGE = """
import h5py, numpy as np, sys
with h5py.File(sys.argv[1], "r+") as file:
    file["chunks"][0, :] = 3
    file["grows"].resize((2, 4))
    file["texts"][0] = "other"
    file["rows"][1] = [7] * 100
    file["numbers"].attrs["texts"] = "one"
    file["new/x"] = np.arange(4)
    del file["outer"]
    file["copy of all/more"] = file["one"]
    print(list(file), list(file["copy of all"]))
"""


def contents(dropin, path):
    """Returns all that stock h5py reads, without the places in the file."""
    found = json.loads(dropin.describe("h5py", path, plugin=False)[0])
    assert isinstance(found, dict), found
    for value in found.values():
        if isinstance(value, dict):
            for place in ("place", "a chunk", "size", "number of chunks"):
                value.pop(place, None)
    return found


def findings(path):
    import onecast

    found = onecast.check(path, data=True)["findings"]
    return [each for each in found if each["kind"] != "note"]


def check(path):
    assert findings(path) == []


@pytest.fixture
def both(dropin, tmp_path):
    """Runs programs on a file with the plug-in and on another without; compares what they print."""
    folders = [tmp_path / "with", tmp_path / "without"]
    for folder in folders:
        folder.mkdir()

    def run(program, name="a.h5", **how):
        mine = dropin.run(program, folders[0] / name, **how)
        stock = dropin.run(program, folders[1] / name, plugin=False, **how)
        assert mine.stdout == stock.stdout
        return folders[0] / name, folders[1] / name

    return run


def test_everything_is_written_and_read_again(dropin, both):
    for program in (WRITE, CHANGE):
        mine, stock = both(program)
        check(mine)
        assert contents(dropin, mine) == contents(dropin, stock)


def test_a_file_of_the_library_is_changed(dropin, tmp_path, both):
    paths = both("import h5py\n")
    for path in paths:
        dropin.run(WRITE, path, plugin=False)
    mine, stock = both(CHANGE)
    check(mine)
    assert contents(dropin, mine) == contents(dropin, stock)


def test_onecast_serves_it(dropin, tmp_path):
    done = dropin.run(WRITE, tmp_path / "a.h5", trace=True)
    assert "dataset write: " in done.stderr
    assert "by the native library" not in done.stderr


def test_errors_are_those_of_the_library(both):
    both("""
import h5py, sys
with h5py.File(sys.argv[1], "w") as file:
    file["one"] = 1
    file["group/x"] = [1, 2]
    file["dangling"] = h5py.SoftLink("/nowhere")
    for call in (
        lambda: file.create_group("group"), lambda: file["nix"], lambda: file.__delitem__("nix"),
        lambda: file.create_dataset("one", data=1), lambda: file.create_group("one/x"),
        lambda: file.attrs["nix"], lambda: file.attrs.__delitem__("nix"), lambda: file["nix/x"],
        lambda: file["dangling"], lambda: file["one"].resize((3,)),
        lambda: file["group/x"].__setitem__(5, 1), lambda: file.copy("nix", "other"),
        lambda: file.move("nix", "other"), lambda: file.move("one", "group"),
        lambda: h5py.File(sys.argv[1], "w"), lambda: file.create_dataset("n", (2,), chunks=(3,)),
    ):
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__)
    print(sorted(file))
""")


def test_a_file_that_is_not_closed_keeps_everything(dropin, tmp_path):
    program = """
import h5py, os, sys
file = h5py.File(sys.argv[1], "w")
file["x"] = [1, 2, 3]
file["x"].attrs["a"] = "text"
keep = h5py.File(sys.argv[1] + "2", "w")
keep["y"] = 1
h5py.keep = keep, file
"""
    done = dropin.run(program, tmp_path / "a.h5")
    assert "not closed" not in done.stderr
    show = "import h5py, sys\nprint(h5py.File(sys.argv[1])['x'][:], *h5py.File(sys.argv[1] + '2'))"
    assert dropin.run(show, tmp_path / "a.h5", plugin=False).stdout == "[1 2 3] y\n"


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("driver='core'", "a driver of its own"),
        ("fs_strategy='page', fs_page_size=4096", "manages its free space"),
        ("page_buf_size=65536, fs_strategy='page'", "a page buffer"),
    ],
)
def test_files_that_are_handed_to_the_library(dropin, tmp_path, how, reason):
    program = f"""
import h5py, sys
with h5py.File(sys.argv[1], "w", {how}) as file:
    file["x"] = [1]
"""
    done = dropin.run(program, tmp_path / "a.h5", trace=True)
    assert reason in done.stderr


HANDED_OVER = {
    "it starts writing beside readers": """
    units = kind = None  # the library refuses to start otherwise
    file.swmr_mode = True
    rows.resize((6,))
    rows[3:] = [7, 8, 9]
    print(file.swmr_mode)
""",
    "region references of HDF5 before 1.12": """
    region = rows.regionref[1:3]
    file.create_dataset("regions", data=[region], dtype=h5py.regionref_dtype)
    attribute_of_group["region"] = region
    print(rows[region], file[file["regions"][0]].name, rows.regionref.shape(region))
""",
    "a filter that Onecast does not have": """
    file.create_dataset("z", (4,), "i4", chunks=(2,), compression=400, allow_unknown_filter=True)
""",
    "a chunk of a wrong size or filter mask": """
    packed = file.create_dataset("packed", (4,), "i4", chunks=(2,), shuffle=True)
    packed.id.write_direct_chunk((0,), bytes(range(8)), 6)
    print(packed.id.get_chunk_info_by_coord((0,)).filter_mask, packed[:])
""",
    "the class of complex numbers": """
    old = h5py.File(sys.argv[1] + "2", "w")
    inner = old.create_group("inner")
    old.create_dataset("z", data=[1j], dtype=h5py.Datatype(h5py.h5t.COMPLEX_IEEE_F64LE))
    print(type(old["z"].id.get_type()).__name__, old["z"][:], inner.name)
    old.close()
""",
    "files that are mounted": """
    with h5py.File(sys.argv[1] + "2", "w") as other:
        other["inner"] = [4, 5]
        h5py.h5f.mount(file.id, b"group", other.id)
        print(list(file["group"]), file["group/inner"][:])
        h5py.h5f.unmount(file.id, b"group")
""",
    "an object that only the native library opens": """
    with h5py.File(sys.argv[1] + "2", "w") as other:
        other["inner"] = [4, 5]
    file["outside"] = h5py.ExternalLink(sys.argv[1] + "2", "/inner")
    outside = file.get("outside", elink_mode="r")
    print(outside[:], outside.file.mode)
""",
}


@pytest.mark.parametrize("reason", HANDED_OVER)
def test_what_only_the_library_does_hands_the_file_over(dropin, both, tmp_path, reason):
    """All that the program has open in the file works on."""
    program = f"""
import h5py, numpy as np, sys
with h5py.File(sys.argv[1], "w", libver="latest") as file:
    rows = file.create_dataset("rows", data=[1, 2, 3], maxshape=(None,), chunks=(2,))
    rows.attrs["units"] = 5
    units = h5py.h5a.open(rows.id, b"units")
    group = file.create_group("group")
    attribute_of_group = group.attrs
    file["a type"] = np.dtype([("a", "i4")])
    kind = file["a type"]
    again = h5py.File(sys.argv[1], "r+", libver="latest")
    {HANDED_OVER[reason].strip()}
    rows[0] = 10
    if units:
        out = np.zeros((), "i8")
        units.read(out)
        print(out, kind.dtype)
    print(rows[:], rows.name, group.name, group.file.filename == file.filename)
    print(h5py.h5f.get_obj_count(file.id, h5py.h5f.OBJ_ALL), sorted(again), again["rows"][0])
    units = None
    if not file.swmr_mode:
        group["more"] = file["rows"]
        rows.attrs["units"] = "km"
    again.close()
    print(bool(rows.id), rows.attrs["units"], h5py.h5o.get_info(rows.id).rc)
with h5py.File(sys.argv[1]) as file:
    print(sorted(file), sorted(file["group"]), file["rows"][:], dict(file["rows"].attrs))
"""
    both(program)
    traced = dropin.run(program, tmp_path / "b.h5", trace=True)
    assert f"by the native library: {reason}" in traced.stderr


def test_a_file_with_an_object_without_a_name_is_not_handed_over(dropin, tmp_path):
    program = """
import h5py, sys
with h5py.File(sys.argv[1], "w", libver="latest") as file:
    unnamed = file.create_dataset(None, data=[1, 2])
    try:
        file.swmr_mode = True
    except Exception as error:
        print(error)
    file["named"] = unnamed
    file.swmr_mode = True
    print(unnamed.name, unnamed[:])
"""
    done = dropin.run(program, tmp_path / "a.h5")
    assert "an object without a name is open: set ONECAST_HDF5_WRITING=native" in done.stdout
    assert done.stdout.endswith("/named [1 2]\n")


def test_elements_that_are_not_filled_stay_as_they_are(both):
    both("""
import h5py, numpy as np, sys
with h5py.File(sys.argv[1], "w") as file:
    part = file.create_dataset("part", (6,), "i4", chunks=(2,), fillvalue=9, fill_time="never")
    part[:2] = [1, 2]
    out = np.full(6, 5, "i4")
    part.read_direct(out)
    print(out)
""")


def test_parts_of_any_form(both):
    both("""
import h5py, numpy as np, sys
with h5py.File(sys.argv[1], "w") as file:
    chunks = file.create_dataset("chunks", (6, 20, 20), "i4", chunks=(1, 20, 20))
    chunks[0:4] = 12  # h5py moves one selection with H5Soffset_simple
    chunks[5, ::3, 1] = np.arange(7)
    space = chunks.id.get_space()
    space.select_elements([(0, 1, 2), (5, 5, 5), (3, 0, 0)])
    space.offset_simple((0, 1, 1))
    chunks.id.write(h5py.h5s.create_simple((3,)), space, np.array([1, 2, 3], "i8"))
    memory = np.arange(400, dtype="f8").reshape(20, 20)
    inner = h5py.h5s.create_simple((20, 20))
    inner.select_hyperslab((2, 3), (4, 5), (3, 2))
    space.select_all()
    space.offset_simple((0, 0, 0))
    space.select_hyperslab((4, 0, 0), (1, 4, 5))
    chunks.id.write(inner, space, memory)
    print(chunks[:].tolist())
    file.create_dataset("mixed", (2,), np.dtype([("text", h5py.string_dtype()), ("n", "i4")]))
    file["mixed"][0], file["mixed"][1] = ("first", 5), ("second", 6)
    file["mixed"]["n"] = [1, 2]
    print(file["mixed"][:])
    with h5py.File(sys.argv[1] + "2", "w") as other:
        other["soft"] = h5py.SoftLink("/chunks")
        file.id.links.create_external(b"outside", sys.argv[1].encode() + b"2", b"/soft")
        file.copy("mixed", other)
        print(sorted(other), other["mixed"][:], file.get("outside", getlink=True).path)
""")


def test_netcdf_writes(dropin, both):
    pytest.importorskip("netCDF4")
    mine, stock = both("""
import netCDF4, numpy as np, sys
with netCDF4.Dataset(sys.argv[1], "w") as file:
    file.createDimension("t", None), file.createDimension("x", 5)
    v = file.createVariable("v", "f4", ("t", "x"), zlib=True, fill_value=-1)
    v[:] = np.arange(15).reshape(3, 5)
    v[5, 2] = 9
    text = file.createVariable("text", str, ("x",))
    text[0], text[4] = "abc", "longer"
    file.createGroup("g/h").createDimension("y", 2)
    file["g/h"].createVariable("w", "i8", ("y",))[:] = [1, 2]
    pair = file.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
    file.createVariable("pairs", pair, ("x",))[:] = np.zeros(5, pair.dtype)
    names = file.createEnumType("u1", "names", {"A": 0, "B": 1})
    file.createVariable("chosen", names, ("x",), fill_value=0)[:] = [0, 1, 0, 1, 0]
    file.title, file.numbers = "text", [1, 2, 3]
with netCDF4.Dataset(sys.argv[1], "a") as file:
    file["v"][7] = 1
    file.renameVariable("v", "renamed")
    file.renameDimension("x", "other")
""")
    check(mine)
    read = [dropin.describe("netCDF4", path, plugin=False)[0] for path in (mine, stock)]
    assert json.loads(read[0]) == json.loads(read[1])


def test_a_file_that_cannot_be_written_is_closed(dropin, tmp_path):
    """The close fails, and says why; the process can open the file again."""
    program = """
import h5py, numpy as np, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
with h5py.File(sys.argv[1], "w") as file:
    file["x"] = 1
for limit in 100_000, limits[0]:
    file = h5py.File(sys.argv[1], "r+")
    more = np.random.default_rng(1).integers(0, 255, 1_000_000).astype("u1")
    file.create_dataset("y", data=more, chunks=True, compression=1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limits[1]))
    try:
        file.close()
    except Exception as error:
        print("File too large" in str(error))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    file.close()
    print(list(h5py.File(sys.argv[1])))
"""
    done = dropin.run(program, tmp_path / "a.h5")
    assert done.stdout == "True\n['x']\n['x', 'y']\n", done.stdout


def test_files_in_other_folders_and_copied_references(both):
    both("""
import h5py, numpy as np, os, sys
folder = os.path.dirname(sys.argv[1]) + "/data"
os.makedirs(folder, exist_ok=True)
with h5py.File(folder + "/source.h5", "w") as file:
    file["y"] = np.arange(4)
with h5py.File(sys.argv[1], "w") as file:
    raw = file.create_dataset("raw", (4,), "i4", external=[("raw.bin", 0, 16)], efile_prefix=folder)
    raw[:] = [1, 2, 3, 4]
    layout = h5py.VirtualLayout((4,), "i8")
    layout[:] = h5py.VirtualSource("source.h5", "y", (4,))
    file.create_virtual_dataset("virtual", layout, fillvalue=9)
    file["target"] = [5]
    file["group/reference"] = file["target"].ref
    file.copy("group", "copy", expand_refs=True)
    print(file[file["copy/reference"][()]][:], sorted(os.listdir(folder + "/..")))
for mode in "r+", "r":
    with h5py.File(sys.argv[1], mode) as file:
        for prefix in b"", folder.encode():
            access = h5py.h5p.create(h5py.h5p.DATASET_ACCESS)
            if prefix:
                access.set_efile_prefix(prefix), access.set_virtual_prefix(prefix)
            for name in b"raw", b"virtual":
                out = np.zeros(4, "i4")
                try:
                    h5py.h5d.open(file.id, name, access).read(h5py.h5s.ALL, h5py.h5s.ALL, out)
                except OSError:
                    pass
                print(mode, prefix != b"", name, out)
""")


def test_filters_that_only_the_library_has(dropin, tmp_path):
    pytest.importorskip("tables")
    program = """
import sys, tables
with tables.open_file(sys.argv[1], "w") as file:
    packed = tables.Filters(1, "blosc2")
    file.create_array("/", "a", [1, 2])
    made = file.create_carray("/", "b", tables.Int32Atom(), (4,), filters=packed)
    made[:] = [3, 4, 5, 6]
with tables.open_file(sys.argv[1]) as file:
    print(file.root.a[:], file.root.b[:], file.root.b.filters.complib)
"""
    done = dropin.run(program, tmp_path / "a.h5")
    assert done.stdout == "[1, 2] [3 4 5 6] blosc2\n"


def test_a_dataset_with_a_filter_of_the_library_is_changed(dropin, tmp_path):
    """Chunks would be filtered at the flush, too late to hand the file over."""
    pytest.importorskip("tables")
    program = """
import sys, tables
packed = tables.Filters(1, "blosc2")
if sys.argv[2] == "create":
    with tables.open_file(sys.argv[1], "w") as file:
        for name in "abc":
            made = file.create_earray("/", name, tables.Int32Atom(), (0,), filters=packed)
            made.append(list(range(100)))
else:
    with tables.open_file(sys.argv[1], "r+") as file:
        {change}
        print([node[-3:].tolist() for node in file.root], file.root.a.nrows)
"""
    for change in ("file.root.a.truncate(50)", "file.root.b[98] = 7", "file.root.c.append([1])"):
        changing = program.replace("{change}", change)
        outputs = set()
        for plugin in (True, False):
            dropin.run(changing, tmp_path / "a.h5", "create", plugin=False)
            outputs.add(dropin.run(changing, tmp_path / "a.h5", "change", plugin=plugin).stdout)
        assert len(outputs) == 1
