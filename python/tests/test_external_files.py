"""Targets of external links: name, file, parent and references of the other file; writing there;
and which files are followed. h5py is the reference where it does the same."""

import os

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for variable in ("HDF5_EXT_PREFIX", "HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    with h5py.File(tmp_path / "main.h5", "w") as f:
        f["ext"] = h5py.ExternalLink("other.h5", "/group")
        f["group/decoy"] = 1
        f["decoy"] = 2
    with h5py.File(tmp_path / "other.h5", "w") as f:
        f["group/x"] = np.arange(5)
        f["decoy"] = 3
        f["target"] = 4
        f["group"].attrs["to"] = f["target"].ref
        f["group"].attrs["part"] = f["group/x"].regionref[1:3]
        f["back"] = h5py.ExternalLink("main.h5", "/")
    return tmp_path


@pytest.mark.parametrize("mode", ["r", "r+"])
def test_name_file_and_parent(folder, lib, mode):
    with lib.File(folder / "main.h5", mode) as f:
        group = f["ext"]
        assert group.file.filename == str(folder / "other.h5")
        assert group.file != f
        assert group.file.mode == mode
        assert group.name == "/group"
        assert group.parent == group.file["/"]
        assert f["ext/x"].name == "/group/x"
        assert f["ext/x"].parent == group
        assert f["ext/x"].file == group.file
        assert group["/decoy"][()] == 3
        assert group.file["group/x"] == f["ext/x"]
        assert f["group/decoy"].file == f


def test_references(folder, lib):
    with lib.File(folder / "main.h5") as f:
        group = f["ext"]
        target = group.file[group.attrs["to"]]
        assert target[()] == 4
        assert target.name == "/target"
        region = group.attrs["part"]
        assert group.file[region].name == "/group/x"
        np.testing.assert_array_equal(group["x"][region], [1, 2])
        assert group[group.attrs["to"]][()] == 4


def test_writing_through(folder, lib):
    with lib.File(folder / "main.h5", "r+") as f:
        f["ext/x"][0] = 100
        f["ext"].attrs["new"] = 1
        f["ext"]["made/deep"] = [1.5, 2.5]
        made = f["ext"].create_dataset("again", (3,), "i4")
        made[:] = 7
        f["ext"]["soft"] = lib.SoftLink("/target")
        del f["ext/x"]
        f["ext"]["x"] = [1, 2]
    with h5py.File(folder / "other.h5") as f:
        assert sorted(f["group"]) == ["again", "made", "soft", "x"]
        assert f["group"].attrs["new"] == 1
        np.testing.assert_array_equal(f["group/made/deep"][:], [1.5, 2.5])
        np.testing.assert_array_equal(f["group/again"][:], [7, 7, 7])
        assert f["group/soft"][()] == 4
        np.testing.assert_array_equal(f["group/x"][:], [1, 2])
    with h5py.File(folder / "main.h5") as f:
        assert sorted(f) == ["decoy", "ext", "group"]


def test_paths_through_the_link(folder):
    """h5py creates only groups in this way."""
    with onecast.File(folder / "main.h5", "r+") as f:
        f.create_group("ext/a/b")
        f["/ext/a/b/x"] = [1, 2]
        f["ext/a/link"] = onecast.ExternalLink("main.h5", "/decoy")
        f["ext/a/hard"] = f["ext/x"]
        f["ext/kind"] = np.dtype([("u", "f8")])
        f.copy("group", "ext/copied")
        f["ext"].move("x", "moved")
        del f["ext/kind"]
        with pytest.raises(onecast.UnsupportedError, match="through an external link"):
            f.move("decoy", "ext/decoy")
        with pytest.raises(ValueError, match="an object of this file expected"):
            f["hard"] = f["ext/moved"]
        assert f["ext/a/link"].file == f
    with h5py.File(folder / "other.h5") as f:
        assert sorted(f["group"]) == ["a", "copied", "moved"]
        assert list(f["group/a/b/x"]) == [1, 2]
        assert f["group/a/hard"] == f["group/moved"]
        assert f["group/copied/decoy"][()] == 1
        assert f["group/a/link"][()] == 2
    with h5py.File(folder / "main.h5") as f:
        assert sorted(f) == ["decoy", "ext", "group"]


def test_a_flush_writes_it_too(folder):
    with onecast.File(folder / "main.h5", "r+") as f:
        f["ext/x"][:] = 9
        f["ext"].attrs["new"] = 1
        f.flush()
        with h5py.File(folder / "other.h5", locking=False) as other:
            assert other["group"].attrs["new"] == 1
        f["ext"].attrs["more"] = 2
        f["ext"].file.flush()
        with h5py.File(folder / "other.h5", locking=False) as other:
            assert other["group"].attrs["more"] == 2


def test_not_from_one_for_reading(folder):
    with onecast.File(folder / "main.h5") as f:
        with pytest.raises(ValueError, match="reading only"):
            f["ext/y"] = 1
        with pytest.raises((ValueError, OSError), match="reading only"):
            f["ext/x"][0] = 1
    with onecast.File(folder / "main.h5", "r+") as w, onecast.File(folder / "main.h5") as f:
        w["ext/x"][0] = 55
        assert f["ext/x"][0] == 55
        assert f["ext"].file.mode == "r"
        with pytest.raises(ValueError, match="reading only"):
            f["ext"].attrs["a"] = 1


def test_a_file_that_cannot_be_written(folder):
    """It is read as without the link, and a write gets a reason."""
    other = onecast.File(folder / "other.h5")
    with onecast.File(folder / "main.h5", "r+") as f:
        assert f["ext/x"][3] == 3
        with pytest.raises((ValueError, OSError), match=r"other\.h5.*reading only"):
            f["ext/x"][0] = 1
        assert f["ext"].file == other
    other.close()


def test_it_is_one_file_with_one_opened_by_the_program(folder):
    with onecast.File(folder / "other.h5", "r+") as other:
        with onecast.File(folder / "main.h5", "r+") as f:
            assert f["ext"].file == other
            f["ext/x"][1] = 11
            assert other["group/x"][1] == 11
        other["group/x"][2] = 22
    with h5py.File(folder / "other.h5") as f:
        np.testing.assert_array_equal(f["group/x"][:], [0, 11, 22, 3, 4])
    with onecast.File(folder / "main.h5", "r+") as f:
        x = f["ext/x"]
        with onecast.File(folder / "other.h5", "r+") as other:
            other["group/x"][0] = 5
            assert x[0] == 5
        x[1] = 6
        assert f["ext/x"][1] == 6
    with h5py.File(folder / "other.h5") as f:
        np.testing.assert_array_equal(f["group/x"][:2], [5, 6])


def test_there_and_back(folder):
    with onecast.File(folder / "main.h5", "r+") as f:
        other = f["ext"].file
        assert other["back"].file == f
        other["back"].attrs["round"] = 1
        assert f.attrs["round"] == 1
    assert not other
    with h5py.File(folder / "main.h5", "r+") as f:
        assert f.attrs["round"] == 1
    # Two files that link to each other, both opened by the program, do not keep each other open.
    with onecast.File(folder / "main.h5", "r+") as f, onecast.File(folder / "other.h5", "r+") as g:
        f["ext"].attrs["a"] = g["back"].attrs["b"] = 1
    for name in ("main.h5", "other.h5"):
        with h5py.File(folder / name, "r+"):
            pass


def test_links_of_two_files_to_a_third(folder):
    with h5py.File(folder / "second.h5", "w") as f:
        f["ext"] = h5py.ExternalLink("other.h5", "/group")
    first = onecast.File(folder / "main.h5", "r+")
    second = onecast.File(folder / "second.h5", "r+")
    x, y = first["ext/x"], second["ext/x"]
    assert x == y
    x[0] = 1
    first.close()
    y[1] = 2
    assert y[0] == 1
    second.close()
    with h5py.File(folder / "other.h5", "r+") as f:
        np.testing.assert_array_equal(f["group/x"][:2], [1, 2])


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_on_ranks(mpirun, folder, ranks):
    mpirun(
        ranks,
        """
main, other = sys.argv[1:]
with onecast.File(main, "r+", comm=comm) as f:
    x = f["ext/x"]
    assert (x.name, x.file.filename, x[3]) == ("/group/x", other, 3)
    if size > 1:
        texts = same_everywhere(lambda: f["ext"].attrs.__setitem__("a", 1), ValueError)
        assert "open it on the communicator" in texts[0], texts
with onecast.File(main, "r+", comm=comm) as f, onecast.File(other, "r+", comm=comm) as g:
    assert f["ext"].file == g
    f["ext"].attrs["a"] = 1
    d = f["ext"].create_dataset("d", (10 * size,), "i4")
    d.write_all(slice(10 * rank, 10 * rank + 10), rank)
    f["ext/e"] = [1, 2]
with onecast.File(other, comm=comm) as g:
    assert g["group"].attrs["a"] == 1 and g["group/d"].read_all()[10 * size - 1] == size - 1
    assert list(g["group/e"][:]) == [1, 2]
""",
        folder / "main.h5",
        folder / "other.h5",
    )


# --- which files are followed ---------------------------------------------------------------------
@pytest.fixture
def hostile(folder):
    """Returns a file in folder/sub that names a secret in folder in all possible ways."""
    (folder / "secret.bin").write_bytes(bytes(range(64)))
    with h5py.File(folder / "secret.h5", "w") as f:
        f["x"] = np.arange(8)
    sub = folder / "sub"
    (sub / "below").mkdir(parents=True)
    (sub / "here.bin").write_bytes(bytes(range(64)))
    for name in ("here.h5", "below/deep.h5"):
        with h5py.File(sub / name, "w") as f:
            f["x"] = np.arange(8)
    with h5py.File(sub / "below" / "deep.h5", "r+") as f:
        f["up"] = h5py.ExternalLink("../here.h5", "/x")
        f["out"] = h5py.ExternalLink("../../secret.h5", "/x")
    (sub / "away.h5").symlink_to(folder / "secret.h5")
    (sub / "away.bin").symlink_to(folder / "secret.bin")
    (sub / "around").symlink_to(folder)
    (sub / "near.h5").symlink_to(sub / "here.h5")
    path = sub / "main.h5"
    with h5py.File(path, "w") as f:
        for name, target in {
            "absolute": folder / "secret.h5",
            "dots": "../secret.h5",
            "dots_inside": "below/../../secret.h5",
            "symlink": "away.h5",
            "symlink_folder": "around/secret.h5",
        }.items():
            f[f"bad/link_{name}"] = h5py.ExternalLink(os.fspath(target), "/x")
            layout = h5py.VirtualLayout((8,), "i8")
            layout[:] = h5py.VirtualSource(os.fspath(target), "x", (8,))
            f.create_virtual_dataset(f"bad/virtual_{name}", layout)
            raw = os.fspath(target).replace(".h5", ".bin")
            f.create_dataset(f"bad/raw_{name}", (8,), "i8", external=[(raw, 0, 64)])
        f["bad/chain"] = h5py.ExternalLink("below/deep.h5", "/out")
        for name, target in {
            "beside": "here.h5",
            "below": "below/deep.h5",
            "absolute": sub / "here.h5",
            "symlink": "near.h5",
            "there_and_back": "../sub/here.h5",
            "around": "around/sub/here.h5",
        }.items():
            f[f"good/link_{name}"] = h5py.ExternalLink(os.fspath(target), "/x")
            layout = h5py.VirtualLayout((8,), "i8")
            layout[:] = h5py.VirtualSource(os.fspath(target), "x", (8,))
            f.create_virtual_dataset(f"good/virtual_{name}", layout)
        f["good/chain"] = h5py.ExternalLink("below/deep.h5", "/up")
        f.create_dataset("good/raw", (8,), "i8", external=[(os.fspath(sub / "here.bin"), 0, 64)])
    return path


def names(path, group):
    with h5py.File(path) as f:
        return list(f[group])


def test_only_in_the_folder(hostile, monkeypatch):
    monkeypatch.chdir(hostile.parent.parent)  # an unchanged name would be found here
    with onecast.File(hostile, follow_external="folder") as f:
        for name in names(hostile, "bad"):
            with pytest.raises(onecast.UnsupportedError, match=r"secret|away") as raised:
                f["bad"][name][()]
            assert 'follow_external "everywhere"' in str(raised.value), name
        for name in names(hostile, "good"):
            assert len(f["good"][name][()]) == 8, name
    with onecast.File(hostile) as f, onecast.File(hostile, follow_external=False) as nowhere:
        for name in [f"{group}/{n}" for group in ("bad", "good") for n in names(hostile, group)]:
            assert len(f[name][()]) == 8, name
            with pytest.raises(onecast.UnsupportedError, match="follow_external"):
                nowhere[name][()]


@pytest.mark.parametrize(
    ("variable", "kind"),
    [("HDF5_EXT_PREFIX", "link"), ("HDF5_VDS_PREFIX", "virtual"), ("HDF5_EXTFILE_PREFIX", "raw")],
)
def test_folders_that_variables_name(hostile, monkeypatch, variable, kind):
    name = "plain.bin" if kind == "raw" else "plain.h5"
    outside = hostile.parent.parent / name
    outside.write_bytes((hostile.parent / name.replace("plain", "here")).read_bytes())
    with h5py.File(hostile, "r+") as f:
        f["plain_link"] = h5py.ExternalLink("plain.h5", "/x")
        layout = h5py.VirtualLayout((8,), "i8")
        layout[:] = h5py.VirtualSource("plain.h5", "x", (8,))
        f.create_virtual_dataset("plain_virtual", layout)
        f.create_dataset("plain_raw", (8,), "i8", external=[("plain.bin", 0, 64)])
    monkeypatch.setenv(variable, os.fspath(outside.parent))
    with onecast.File(hostile) as f:
        assert f[f"plain_{kind}"][3] != 0
    refused = pytest.raises(onecast.UnsupportedError, match=r"plain.*lies outside")
    with onecast.File(hostile, follow_external="folder") as f, refused:
        f[f"plain_{kind}"][()]


def test_writing_outside(hostile):
    secret = hostile.parent.parent / "secret.bin"
    before = secret.read_bytes()
    bad = names(hostile, "bad")
    with onecast.File(hostile, "r+", follow_external="folder") as f:
        for name in bad:
            if name.startswith("raw"):
                with pytest.raises(onecast.UnsupportedError, match="lies outside"):
                    f["bad"][name][:] = 1
        new = f.create_dataset("new", (8,), "i8", external="../made.bin")
        with pytest.raises(onecast.UnsupportedError, match="lies outside"):
            new[:] = 1
    assert secret.read_bytes() == before
    assert not (hostile.parent.parent / "made.bin").exists()


def test_missing_sources_are_still_missing(hostile):
    with h5py.File(hostile, "r+") as f:
        layout = h5py.VirtualLayout((8,), "i8")
        layout[:] = h5py.VirtualSource("none.h5", "x", (8,))
        f.create_virtual_dataset("missing", layout, fillvalue=-1)
    with onecast.File(hostile, follow_external="folder") as f:
        assert set(f["missing"][:]) == {-1}


def test_one_that_follows_more_is_not_shared(hostile):
    """A file that the program opened so that it follows everything is not used for other files."""
    deep = hostile.parent / "below" / "deep.h5"
    for mode in ("r", "r+"):
        with (
            onecast.File(deep, mode) as trusting,
            onecast.File(hostile, follow_external="folder") as f,
        ):
            assert trusting["out"][3] == 3
            with pytest.raises(onecast.UnsupportedError, match="follow_external"):
                f["bad/chain"][()]


def test_values_of_the_option(hostile):
    for value in (True, False, "everywhere", "folder", "nowhere"):
        onecast.File(hostile, follow_external=value).close()
    for value in ("beside", 2, None):
        with pytest.raises(ValueError, match="follow_external: one of"):
            onecast.File(hostile, follow_external=value)


def test_a_path_that_is_a_symbolic_link(tmp_path):
    """Files beside a file are beside the real file, not beside a symbolic link to it."""
    real, home = tmp_path / "real", tmp_path / "home"
    for folder in (real, home / "private"):
        folder.mkdir(parents=True)
    with h5py.File(real / "beside.h5", "w") as f:
        f["x"] = [1, 2]
    (home / "private/secret").write_bytes(b"SECRET!!" * 4)
    with h5py.File(real / "a.h5", "w") as f:
        f["link"] = h5py.ExternalLink("beside.h5", "/x")
        slots = [(str(home / "private/secret"), 0, 32)]
        f.create_dataset("raw", (4,), "S8", external=slots)
    (home / "a.h5").symlink_to(real / "a.h5")
    (home / "folder").symlink_to(real)
    for path in (home / "a.h5", home / "folder/a.h5"):
        for library in (h5py, onecast):
            with library.File(path) as f:
                assert f["link"][:].tolist() == [1, 2]
        with onecast.File(path, follow_external="folder") as f:
            assert f["link"][:].tolist() == [1, 2]
            with pytest.raises(onecast.UnsupportedError, match="lies outside of"):
                f["raw"][:]
