"""Each library reads what the other one writes."""

import h5py
import numpy as np
import pytest

import onecast

DTYPES = ["<i1", ">i2", "<i4", ">i8", "<u1", ">u4", "<f2", ">f4", "<f8", "<c8", ">c16", "S7"]
RECORD = np.dtype([("a", "<i2"), ("n", [("b", ">f8"), ("s", "S3")]), ("z", "<c8")])


def fill(lib, path):
    """Makes the same calls with either library."""
    with lib.File(path, "w") as f:
        for dtype in DTYPES:
            values = np.arange(6).astype(dtype).reshape(2, 3)
            f[f"numbers/{dtype}"] = values
            f["numbers"].attrs[dtype] = values
        f["records"] = np.zeros(4, RECORD)
        f["records"][1] = (3, (2.5, b"xyz"), 1j)
        f.attrs["record"] = f["records"][1]
        f["scalar"] = 2.5
        f["empty"] = lib.Empty("i4")
        f.attrs["empty"] = lib.Empty("f8")
        f["large"] = np.arange(100_000)
        f["zeros"] = np.zeros((0, 4))
        f.create_dataset("untouched", (5, 5), "f4")
        f.attrs["text"] = "Größe"
        f.attrs["bytes"] = np.bytes_(b"ascii")
        f.create_group("deep/er/and/deeper").attrs["level"] = 4
        for i in range(60):
            f[f"many/{i:03}"] = i
            f["many"].attrs[f"{i:03}"] = i
        del f["many/013"]
        del f["many"].attrs["013"]
        f["records"][2:] = f["records"][:2]


def compare(ours, theirs):
    """Compares two objects, and everything below them."""
    assert set(ours.attrs) == set(theirs.attrs)
    for name in theirs.attrs:
        same(ours.attrs[name], theirs.attrs[name])
    if isinstance(theirs, h5py.Group):
        assert set(ours) == set(theirs)
        for name in theirs:
            compare(ours[name], theirs[name])
    else:
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype
        assert ours.dtype.str == theirs.dtype.str
        same(ours[()], theirs[()])


def same(ours, theirs):
    if isinstance(theirs, h5py.Empty):
        assert isinstance(ours, onecast.Empty)
        assert ours.dtype == theirs.dtype
        return
    if isinstance(theirs, bytes) and isinstance(ours, str):
        theirs = theirs.decode()  # h5py returns fixed-length UTF-8 as bytes
    assert type(ours) is type(theirs)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("writer", [h5py, onecast], ids=lambda lib: lib.__name__)
def test_both_read_the_same(path, writer):
    fill(writer, path)
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        compare(ours, theirs)


def test_onecast_changes_raw_data_of_h5py(path):
    """The change is in place: nothing else in the file changes."""
    fill(h5py, path)
    size = path.stat().st_size
    with onecast.File(path, "r+") as f:
        f["many/007"][()] = 77
        f["large"][5:10] = -1
    assert path.stat().st_size == size
    with h5py.File(path) as f:
        assert f["many/007"][()] == 77
        assert f["large"][4:11].tolist() == [4, -1, -1, -1, -1, -1, 10]
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        compare(ours, theirs)


def test_onecast_changes_what_onecast_wrote(path):
    fill(onecast, path)
    with onecast.File(path, "r+") as f:
        f["new/group"] = [1, 2]
        f["many/007"][()] = 77
        f["large"][5:10] = -1
        del f["deep/er"]
        f.attrs["text"] = "another text, longer than before"
        f["many"].attrs["005"] = 55
    with h5py.File(path) as f:
        assert f["new/group"][:].tolist() == [1, 2]
        assert f["many/007"][()] == 77
        assert f["large"][4:11].tolist() == [4, -1, -1, -1, -1, -1, 10]
        assert list(f["deep"]) == []
        assert f.attrs["text"] == "another text, longer than before"
        assert f["many"].attrs["005"] == 55
        assert len(f["many"]) == 60 - 1
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        compare(ours, theirs)


def test_h5py_changes_what_onecast_wrote(path):
    fill(onecast, path)
    with h5py.File(path, "r+") as f:
        f["new/group"] = [1, 2]
        f["many/007"][()] = 77
        f["large"][5:10] = -1
        del f["deep/er"]
        f.attrs["text"] = "another text, longer than before"
    with onecast.File(path) as f:
        assert f.metadata_report().page_list_stale
        assert f.attrs["text"] == "another text, longer than before"
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        compare(ours, theirs)


def test_by_turns(path):
    for turn in range(6):
        lib = h5py if turn >= 4 else onecast
        with lib.File(path, "a") as f:
            f[f"turn {turn}"] = np.full(turn + 1, turn)
            f.attrs[f"turn {turn}"] = turn
    for lib in (onecast, h5py):
        with lib.File(path) as f:
            assert sorted(f) == [f"turn {turn}" for turn in range(6)]
            for turn in range(6):
                assert f[f"turn {turn}"][:].tolist() == [turn] * (turn + 1)
                assert f.attrs[f"turn {turn}"] == turn


@pytest.mark.parametrize("libver", ["earliest", "v110", "latest"])
@pytest.mark.parametrize("track_order", [False, True])
def test_kinds_of_groups(path, libver, track_order):
    names = [f"{(i * 37) % 100:03}" for i in range(100)]
    with h5py.File(path, "w", libver=libver, track_order=track_order) as f:
        few = f.create_group("few", track_order=track_order)
        many = f.create_group("many", track_order=track_order)
        for i, name in enumerate(names):
            many[name] = i
            many.attrs[name] = i
        for name in names[:4]:
            few[name] = 1
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        compare(ours, theirs)
        for group in ("few", "many"):
            assert list(ours[group]) == list(theirs[group])
        assert ours["many"][names[50]][()] == 50


def test_links(path):
    with h5py.File(path, "w") as f:
        f["a/x"] = [1, 2]
        f["hard"] = f["a/x"]
        f["soft"] = h5py.SoftLink("/a/x")
        f["relative"] = h5py.SoftLink("a")
        f["dangling"] = h5py.SoftLink("/nowhere")
        f["loops/round"] = h5py.SoftLink("/loops/round")
    for lib in (h5py, onecast):
        with lib.File(path) as f:
            assert f["hard"] == f["a/x"] == f["soft"]
            assert f["soft"].name == "/soft"
            assert f["hard"].name == "/hard"
            assert f["relative/x"][1] == 2
            assert "dangling" in f
            for name in ("dangling", "loops/round"):
                with pytest.raises((KeyError, RuntimeError, onecast.FormatError)):
                    f[name]
            assert f.get("soft", getlink=True).path == "/a/x"
            assert f.get("soft", getclass=True, getlink=True) is lib.SoftLink
            assert dict(f.items())["dangling"] is None
            names = []
            f.visit(names.append)
            assert sorted(names) in (["a", "a/x", "loops"], ["a", "hard", "loops"])


CHUNKED = {
    "plain": {},
    "deflate": {"compression": "gzip"},
    "shuffle": {"compression": "gzip", "shuffle": True},
    "fletcher32": {"fletcher32": True},
    "all": {"compression": "gzip", "shuffle": True, "fletcher32": True},
}


@pytest.mark.parametrize("options", CHUNKED.values(), ids=CHUNKED.keys())
@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_chunked(path, options, libver):
    values = np.arange(40 * 30, dtype="i4").reshape(40, 30)
    with h5py.File(path, "w", libver=libver) as f:
        f.create_dataset("x", data=values, chunks=(7, 11), **options)
        f.create_dataset("holes", (40, 30), "i4", chunks=(7, 11), fillvalue=9, **options)[5, 5] = 1
        f.create_dataset("grows", (3,), "i8", chunks=(2,), maxshape=(None,), **options)[:] = 5
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        for name in theirs:
            np.testing.assert_array_equal(ours[name][...], theirs[name][...])
            assert ours[name].chunks == theirs[name].chunks
            assert ours[name].maxshape == theirs[name].maxshape
            assert ours[name].layout == "chunked"
        if ours["x"].layout == "chunked":
            np.testing.assert_array_equal(ours["x"][6:9, 3::5], values[6:9, 3::5])
        else:
            assert libver == "latest"


def test_variable_strings(path):
    with h5py.File(path, "w") as f:
        f["texts"] = ["a", "größer", ""]
        f["one"] = "text"
        f["square"] = np.array([["a", "b"], ["c", "d"]], dtype=object)
        f.attrs["one"] = "größer"
        f.attrs["many"] = ["a", "b"]
        f.attrs["bytes"] = b"xyz"
    with onecast.File(path) as ours, h5py.File(path) as theirs:
        compare(ours, theirs)
        assert ours["texts"][1] == "größer".encode()
        assert ours["texts"][1:].tolist() == theirs["texts"][1:].tolist()
        assert ours["square"][0, 1] == b"b"
        assert type(ours["one"][()]) is bytes
        assert h5py.check_string_dtype(ours["texts"].dtype) == h5py.check_string_dtype(
            theirs["texts"].dtype
        )


PADDINGS = {"terminated": h5py.h5t.STR_NULLTERM, "zeros": 1, "spaces": h5py.h5t.STR_SPACEPAD}


@pytest.mark.parametrize("padding", PADDINGS.values(), ids=PADDINGS.keys())
def test_padding_of_strings(path, padding):
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(6)
    kind.set_strpad(padding)
    with h5py.File(path, "w") as f:
        space = h5py.h5s.create_simple((3,))
        h5py.h5d.create(f.id, b"x", kind, space)
        f["x"][:] = [b"ab", b"", b"abcde"]
    with onecast.File(path, "r+") as f:
        assert f["x"][:].tolist() == [b"ab", b"", b"abcde"]
        f["x"][1] = b"new"
    with h5py.File(path) as f:
        assert f["x"][:].tolist() == [b"ab", b"new", b"abcde"]


def test_big_file_offsets_of_a_user_block(path):
    with h5py.File(path, "w", userblock_size=1024) as f:
        f["x"] = np.arange(1000)
    with onecast.File(path) as f:
        assert f["x"][-1] == 999
