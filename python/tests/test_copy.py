"""Group.copy, compared with h5py"""

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def source(tmp_path):
    """Returns a file with some of everything, made by h5py."""
    path = tmp_path / "source.h5"
    with h5py.File(path, "w", libver="latest") as f:
        g = f.create_group("g", track_order=True)
        g.attrs["n"] = 3
        g.attrs["text"] = "variable length"
        g["late"] = np.arange(6.0).reshape(2, 3)
        g["b/again"] = g["late"]
        g["b"].attrs["object"] = g["late"].ref
        g["soft"] = h5py.SoftLink("/g/late")
        g["dangling"] = h5py.SoftLink("nowhere")
        g["external"] = h5py.ExternalLink("other.h5", "/x")
        g["up"] = f["g"]
        g["type"] = np.dtype([("a", "i4"), ("b", "f8")])
        g.create_dataset("typed", (4,), g["type"])[:] = np.array([(1, 2.5)] * 4, g["type"].dtype)
        g["typed"].attrs.create("typed", np.zeros((), g["type"].dtype), dtype=g["type"])
        g.create_dataset(
            "chunked",
            data=np.arange(1000).reshape(10, 100),
            chunks=(3, 40),
            compression="gzip",
            shuffle=True,
            maxshape=(None, 100),
            fillvalue=7,
        )
        g.create_dataset("unwritten", (50, 50), "i2", chunks=(10, 10), fillvalue=-3)
        g["texts"] = ["one", "", "three"]
        rows = g.create_dataset("rows", (3,), h5py.vlen_dtype("i4"))
        rows[0], rows[2] = [1, 2, 3], [4]
        g["references"] = np.array([g["late"].ref, g["b"].ref, f.ref], h5py.ref_dtype)
        regions = g.create_dataset("regions", (2,), h5py.regionref_dtype)
        regions[0] = g["chunked"].regionref[2:4, 5:9]
        g["empty"] = h5py.Empty("f4")
        f["other"] = 1
    with h5py.File(tmp_path / "other.h5", "w") as f:
        f["x"] = [1, 2]
    return path


def read(value):
    """Returns a form that == compares."""
    if isinstance(value, h5py.Empty):
        return ("empty", value.dtype)
    if isinstance(value, np.ndarray):
        return [read(v) for v in value] if value.dtype.hasobject else value.tolist()
    if isinstance(value, h5py.Reference | h5py.RegionReference):
        return bool(value)
    return value.tolist() if isinstance(value, np.generic) else value


def contents(root):
    """Returns path -> what h5py sees there, for each object by its first path."""
    seen, found, pending = {}, {}, [("", root)]
    while pending:
        path, item = pending.pop()
        if item.id in seen:
            found[path] = ("same as", seen[item.id])
            continue
        seen[item.id] = path
        attributes = {name: read(value) for name, value in item.attrs.items()}
        found[path] = (type(item).__name__, attributes, h5py.h5o.get_info(item.id).rc)
        if isinstance(item, h5py.Dataset):
            found[path] += (
                item.dtype,
                item.shape,
                item.maxshape,
                item.chunks,
                item.compression,
                read(item[()]),
                read(item.fillvalue),
                item.id.get_type().committed(),
            )
        elif isinstance(item, h5py.Group):
            for name in sorted(item, reverse=True):
                link = item.get(name, getlink=True)
                if isinstance(link, h5py.HardLink):
                    pending.append((f"{path}/{name}", item[name]))
                else:
                    found[f"{path}/{name}"] = (type(link).__name__, vars(link))
    return found


FLAGS = [
    {},
    {"shallow": True},
    {"without_attrs": True},
    {"expand_soft": True},
    {"expand_external": True},
    {"expand_soft": True, "expand_external": True, "shallow": True},
]


@pytest.mark.parametrize("flags", FLAGS, ids=lambda flags: "+".join(flags) or "plain")
def test_equals_the_copy_of_h5py(source, tmp_path, flags):
    with h5py.File(source) as f, h5py.File(tmp_path / "theirs.h5", "w") as theirs:
        f.copy("g", theirs, "copy", **flags)
    with onecast.File(source) as f, onecast.File(tmp_path / "ours.h5", "w") as ours:
        f.copy("g", ours, "copy", **flags)
    assert not onecast.check(tmp_path / "ours.h5", data=True)["damaged"]
    with h5py.File(tmp_path / "theirs.h5") as theirs, h5py.File(tmp_path / "ours.h5") as ours:
        expected, found = contents(theirs["copy"]), contents(ours["copy"])
        # Stock HDF5 clears references between files; here they refer to the copies.
        for path in ("/references", "/regions"):
            if path in expected:
                assert found[path][8] in ([True, True, False], [True, False])
                found[path] = expected[path]
        if "/b" in expected and not flags.get("without_attrs"):
            assert found["/b"][1] == {"object": not flags.get("shallow")} or flags.get("shallow")
            found["/b"] = expected["/b"]
        assert found == expected


def test_references_lead_to_the_copies(source, tmp_path):
    path = tmp_path / "ours.h5"
    with onecast.File(source) as f, onecast.File(path, "w") as ours:
        ours["first"] = 1
        f.copy("g", ours, "copy")
    with h5py.File(path) as f:
        references = f["copy/references"][:]
        assert f[references[0]] == f["copy/late"]
        assert f[references[1]] == f["copy/b"]
        assert not references[2]
        assert f[f["copy/b"].attrs["object"]] == f["copy/late"]
        region = f["copy/regions"][0]
        assert f[region] == f["copy/chunked"]
        assert f["copy/chunked"][region].ravel().tolist() == list(range(205, 209)) + list(
            range(305, 309)
        )


def test_within_a_file_and_into_itself(tmp_path):
    path = tmp_path / "a.h5"
    with onecast.File(path, "w") as f:
        f["g/x"] = [1, 2, 3]
        f["g"].attrs["n"] = 1
        f.copy("g", "h")
        f.copy("g/x", f["h"], "y")
        f.copy(f["g/x"], f["h/"], name="z")
        f.copy("g", "g/inner/copy")
        f.copy("h", f.create_group("k"))
        with pytest.raises(ValueError, match="already exists"):
            f.copy("g", "h")
        with pytest.raises(KeyError):
            f.copy("nothing", "there")
        with pytest.raises(TypeError, match="Destination must be path or Group"):
            f.copy("g", f["g/x"])
    with h5py.File(path) as f:
        assert sorted(f["h"]) == ["x", "y", "z"]
        assert f["h/y"][:].tolist() == [1, 2, 3]
        assert sorted(f["g/inner/copy"]) == ["x"]
        assert f["k/h"].attrs["n"] == 1


def test_what_was_not_flushed_is_copied(tmp_path):
    with onecast.File(tmp_path / "a.h5", "w") as a, onecast.File(tmp_path / "b.h5", "w") as b:
        d = a.create_dataset("x", (100,), "i4", chunks=(30,), compression="gzip")
        d[10:70] = 5
        d[:4] = [1, 2, 3, 4]
        a.copy("x", b)
        expected = d[:]
    with h5py.File(tmp_path / "b.h5") as b:
        assert b["x"][:].tolist() == expected.tolist()


def test_repack_function(source, tmp_path):
    out = tmp_path / "out.h5"
    change = onecast.StorageChange(chunks=(5, 20), filters=[("shuffle",), ("gzip", 9)])
    calls = []
    onecast.repack(source, out, {"/g/chunked": change}, progress=lambda *n: calls.append(n))
    assert calls[-1][0] <= calls[-1][1]
    with pytest.raises(FileExistsError):
        onecast.repack(source, out)
    with h5py.File(out) as f, h5py.File(source) as old:
        assert f["g/chunked"].chunks == (5, 20)
        assert f["g/chunked"].compression_opts == 9
        assert contents(f["g"])["/texts"] == contents(old["g"])["/texts"]
    onecast.repack(out, out, force=True)
    with h5py.File(out) as f:
        assert f["g/chunked"][3, 4] == 304
    with pytest.raises(ValueError, match="unknown filter"):
        onecast.repack(source, tmp_path / "no.h5", {"": onecast.StorageChange(filters=[("zap",)])})
    with pytest.raises(KeyError):
        onecast.repack(source, tmp_path / "no.h5", {"nothing": change})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.h5", "out.h5", "source.h5"]


@pytest.mark.leaves_damage
def test_damaged_values_change_nothing(tmp_path):
    path = tmp_path / "damaged.h5"
    with h5py.File(path, "w") as f:
        f["g/x"] = [1, 2]
        f["g/x"].attrs["text"] = "something long"
    damaged = path.read_bytes().replace(b"GCOL", b"GCXX")
    path.write_bytes(damaged)
    with onecast.File(path) as f, onecast.File(tmp_path / "copy.h5", "w") as copy:
        with pytest.raises(onecast.FormatError, match="Global Heap Collection"):
            f.copy("g", copy)
        assert list(copy) == []
        f.copy("g", copy, without_attrs=True)
    with h5py.File(tmp_path / "copy.h5") as copy:
        assert copy["g/x"][:].tolist() == [1, 2]


def fill_references(f):
    f["outside"], f["grp/in"] = np.arange(3), np.arange(4)
    refs = [f["outside"].ref, f["grp/in"].ref, f["grp"].ref, h5py.Reference()]
    f["grp/refs"] = np.array(refs, h5py.ref_dtype)
    f["grp"].attrs["r"] = f["outside"].ref
    f["grp"].attrs.create("list", np.array([f["grp/refs"].ref] * 2, h5py.ref_dtype))
    f["outside"].attrs["back"] = f["grp"].ref
    f["outside"].attrs["on"] = f["grp/in"].ref
    regions = f["grp"].create_dataset("regions", (2,), h5py.regionref_dtype)
    regions[0] = f["outside"].regionref[1:2]


def referred(f, root):
    """Returns for each reference its elements, and whether they are of the copied object."""
    found = {}

    def look(value):
        if not value:
            return None
        thing = f[value]
        part = thing[value] if isinstance(value, h5py.RegionReference) else None
        inside = thing.name.startswith(root)
        return inside, getattr(thing, "shape", None), None if part is None else part.tolist()

    for name in ("refs", "regions"):
        found[name] = [look(value) for value in f[root][name][:]]
    found["r"] = look(f[root].attrs["r"])
    found["list"] = [look(value) for value in f[root].attrs["list"]]
    outside = f[f[root].attrs["r"]]
    found["back"], found["on"] = look(outside.attrs["back"]), look(outside.attrs["on"])
    assert f[outside.attrs["back"]] == f[root]
    return found | {"members": sorted(name.partition("_")[0] for name in f)}


@pytest.mark.parametrize("inside", [True, False], ids=["one file", "another file"])
def test_expand_refs(tmp_path, inside):
    found = {}
    for library in (h5py, onecast):
        source, other = (tmp_path / f"{library.__name__}{n}.h5" for n in "ab")
        with h5py.File(source, "w") as f:
            fill_references(f)
        with library.File(source, "r+") as f, library.File(other, "w") as g:
            f.copy("grp", f if inside else g, "copy", expand_refs=True)
        with h5py.File(source if inside else other) as f:
            found[library] = referred(f, "/copy")
        if inside:
            with h5py.File(source) as f:
                assert f[f["grp"].attrs["r"]].name == "/outside"
    if inside:  # the HDF5 library changes attributes, but not elements of datasets
        assert [look and look[0] for look in found[onecast]["refs"]] == [False, True, True, None]
        for name in ("refs", "regions"):
            del found[onecast][name], found[h5py][name]
    assert found[onecast] == found[h5py]


def test_expand_refs_leaves_texts_alone(path):
    """Texts are Python objects, too, and may be names of objects in the file."""
    with onecast.File(path, "w") as f:
        f["a/texts"] = ["a", "units m"]
        f["a"].attrs["title"], f["a"].attrs["list"] = "a", ["a", "b"]
        f["a/sequences"] = np.array([np.arange(2), np.arange(3)], onecast.vlen_dtype("i4"))
        f.copy("a", "b", expand_refs=True)
        assert f["b/texts"].asstr()[:].tolist() == ["a", "units m"]
        assert f["b"].attrs["title"] == "a" and list(f["b"].attrs["list"]) == ["a", "b"]
        assert f["b/sequences"][1].tolist() == [0, 1, 2] and sorted(f) == ["a", "b"]


def test_expand_refs_within_other_values(path):
    """References in compounds and sequences, and revised ones, lead to copies, too."""
    pair = np.dtype([("r", onecast.ref_dtype), ("n", "i4")])
    with onecast.File(path, "w") as f:
        x, y = f.create_group("x"), f.create_dataset("y", data=[1, 2])
        x["back"] = y
        pairs = f.create_dataset("a/pairs", (2,), pair)
        pairs[:] = np.array([(x.ref, 1), (y.ref, 2)], pair)
        lists = f.create_dataset("a/lists", (1,), onecast.vlen_dtype(onecast.ref_dtype))
        lists[0] = np.array([y.ref, x.ref], onecast.ref_dtype)
        address = x.ref.address
        f.copy("a", "b", expand_refs=True)
        assert f[f["a/pairs"][0]["r"]] == x
        copied_x, copied_y = (f[r] for r in f["b/pairs"]["r"])
        assert copied_x == f[f"~obj_pointed_by_{address}"] and copied_x["back"] == copied_y
        assert copied_y not in (y, x) and copied_y[:].tolist() == [1, 2]
        assert [f[r] for r in f["b/lists"][0]] == [copied_y, copied_x]


def test_expand_refs_needs_the_names(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", data=1)
        f["a/r"] = x.ref
        f.copy("a", "b", expand_refs=True)
        with pytest.raises(ValueError, match=r'~obj_pointed_by_[0-9]+": name already exists'):
            f.copy("a", "c", expand_refs=True)
        assert sorted(f) == ["a", "b", "x", f"~obj_pointed_by_{x.ref.address}"]
