"""Opening a file with h5py's keywords: drivers, files in memory, settings without an effect"""

import io
import os
import pickle

import h5py
import numpy as np
import pytest

import onecast


@pytest.mark.parametrize("driver", [None, "sec2", "stdio", "core"])
def test_drivers(lib, path, driver):
    with lib.File(path, "w", driver=driver) as f:
        f["x"] = [1, 2, 3]
        assert f.driver == (driver or "sec2")
    with lib.File(path, driver=driver) as f:
        assert f["x"][:].tolist() == [1, 2, 3] and f.mode == "r"
    with lib.File(path, "r+", driver=driver) as f:
        f["y"] = 4
        f.flush()
    with lib.File(path, "a", driver=driver) as f:
        assert sorted(f) == ["x", "y"]
    with h5py.File(path) as f:
        assert f["y"][()] == 4


def test_core_without_a_backing_store(lib, path):
    with lib.File(path, "w", driver="core", backing_store=False, block_size=4096) as f:
        f["x"] = 1
    assert not path.exists()
    with lib.File(path, "w") as f:
        f["x"] = 1
    with lib.File(path, "r+", driver="core", backing_store=False) as f:
        f["x"][()] = 2
    with lib.File(path) as f:
        assert f["x"][()] == 1


def test_core_and_files_that_are_there(lib, path):
    with pytest.raises(OSError):
        lib.File(path, "r", driver="core")
    lib.File(path, "w").close()
    with pytest.raises(OSError):
        lib.File(path, "x", driver="core")


def test_a_core_file_that_nobody_closes(path):
    f = onecast.File(path, "w", driver="core")
    f["x"] = 5
    del f
    with h5py.File(path) as f:
        assert f["x"][()] == 5


@pytest.mark.parametrize("driver", ["split", "family", "direct", "ros3"])
def test_drivers_that_are_refused(path, driver):
    with pytest.raises(onecast.UnsupportedError, match=f"{driver!r} is not supported: "):
        onecast.File(path, "w", driver=driver)
    assert not path.exists()


def test_wrong_drivers(lib, path):
    with pytest.raises(ValueError, match="mongoose"):
        lib.File(path, "w", driver="mongoose")
    with pytest.raises(ValueError, match="fileobj"):
        lib.File(io.BytesIO(), "w", driver="core")
    with pytest.raises(TypeError):
        lib.File(path, "w", backing_store=True)


def test_registered_drivers(lib, path):
    calls = []

    def choose(plist, **given):
        calls.append(given)
        plist.set_fapl_core(backing_store=True)

    lib.register_driver("own", choose)
    assert "own" in lib.registered_drivers()
    with lib.File(path, "w", driver="own", number=1) as f:
        f["x"] = 1
    assert calls == [{"number": 1}]
    lib.unregister_driver("own")
    with pytest.raises(ValueError, match="own"):
        lib.File(path, driver="own")


def test_file_objects(lib):
    with io.BytesIO() as target:
        with lib.File(target, "w", driver="fileobj") as f:
            f["x"] = 1
            assert f.driver == "fileobj"
        with lib.File(target) as f:
            assert f.driver == "fileobj" and f["x"][()] == 1
    with pytest.raises((ValueError, AttributeError)):
        lib.File("no file object", driver="fileobj")


def test_in_memory(lib):
    with lib.File.in_memory(track_order=True, rdcc_nbytes=1 << 20) as f:
        f["b"], f["a"] = 1, 2
        f.flush()
        image = f.id.get_file_image()
        with lib.File.in_memory(image) as g:
            assert list(g) == ["b", "a"]
            g["c"] = 3
    with lib.File(lib.h5f.open_file_image(image)) as f:
        assert list(f) == ["b", "a"] and f.mode == "r"


def test_images_of_files(lib, path):
    with lib.File(path, "w") as f:
        f["x"] = [1, 2]
        f.flush()
        image = f.id.get_file_image()
    with h5py.File(io.BytesIO(image)) as f:
        assert f["x"][:].tolist() == [1, 2]


@pytest.mark.parametrize("libver", [None, "earliest", "v110", "latest", ("v108", "v112")])
def test_libver(lib, path, libver):
    expected = {
        None: ("earliest", "v200"),
        "earliest": ("earliest", "v200"),
        "v110": ("v110", "v200"),
        "latest": ("v200", "v200"),
        ("v108", "v112"): ("v108", "v112"),
    }
    with lib.File(path, "w", libver=libver) as f:
        assert f.libver == expected[libver]


def test_words_without_effect(lib, path):
    given = {
        "rdcc_nslots": 101,
        "rdcc_nbytes": 1 << 20,
        "rdcc_w0": 0.5,
        "fs_strategy": "page",
        "fs_persist": True,
        "fs_threshold": 10,
        "fs_page_size": 8192,
        "page_buf_size": 16384,
        "min_meta_keep": 10,
        "min_raw_keep": 10,
        "meta_block_size": 4096,
        "locking": True,
        "alignment_threshold": 1,
        "alignment_interval": 1,
    }
    with lib.File(path, "w", **given) as f:
        f["x"] = 1
        assert f.meta_block_size == 4096
        assert f.id.get_access_plist().get_cache() == (0, 101, 1 << 20, 0.5)
    with pytest.raises(ValueError):
        lib.File(path, "r+", fs_strategy="page")
    with pytest.raises(ValueError):
        lib.File(path, "w", fs_strategy="none at all")
    with pytest.raises(OSError):
        lib.File(path, "w", page_buf_size=16384)


def test_what_is_refused_instead_of_accepted_silently(path):
    with onecast.File(path, "w") as f:
        assert not f.swmr_mode and not f.atomic
        f.swmr_mode = f.atomic = False
        with pytest.raises(onecast.UnsupportedError, match="SWMR"):
            f.swmr_mode = True
        with pytest.raises(onecast.UnsupportedError, match="atomic"):
            f.atomic = True


def test_is_hdf5(lib, tmp_path):
    lib.File(tmp_path / "a.h5", "w", userblock_size=2048).close()
    (tmp_path / "b").write_bytes(b"no" * 5000)
    names = ["a.h5", "b", "missing", "."]
    assert [bool(lib.is_hdf5(tmp_path / name)) for name in names] == [True, False, False, False]


def test_is_hdf5_of_what_is_just_made(lib, tmp_path, monkeypatch):
    low = lib.h5f.is_hdf5
    monkeypatch.chdir(tmp_path)
    with lib.File("a.h5", "w") as f:
        f["x"] = 1
        (tmp_path / "link").symlink_to("a.h5")
        (tmp_path / "folder").mkdir()
        monkeypatch.chdir("folder")
        names = [tmp_path / "a.h5", tmp_path / "link", "../a.h5", b"../a.h5"]
        assert all(lib.is_hdf5(name) for name in names) and low(b"../a.h5")
        (tmp_path / "b").write_bytes(b"no" * 5000)
        assert not lib.is_hdf5(tmp_path / "b") and not lib.is_hdf5(".")
    assert lib.is_hdf5("../a.h5")
    (tmp_path / "a.h5").write_bytes(b"")
    assert not lib.is_hdf5("../a.h5")


# --- pickling -----------------------------------------------------------------------------------
def test_pickling(path):
    with onecast.File(path, "w") as f:
        f["g/x"] = np.arange(5)
        with pytest.raises(TypeError, match="open for reading"):
            pickle.dumps(f["g/x"])
    with onecast.File(path) as f:
        made = [pickle.dumps(thing) for thing in (f, f["g"], f["g/x"])]
    file, group, data = (pickle.loads(text) for text in made)
    assert list(file) == ["g"] and list(group) == ["x"] and data[:].tolist() == [0, 1, 2, 3, 4]
    assert data.file.filename == os.path.abspath(path)
    with onecast.File.in_memory() as f, pytest.raises(TypeError):
        pickle.dumps(f)


def test_identifiers_make_objects(lib, path):
    with lib.File(path, "w") as f:
        f["g/x"] = [1, 2]
        assert lib.File(f.id) == f and lib.Group(f["g"].id) == f["g"]
        assert lib.Dataset(f["g/x"].id)[:].tolist() == [1, 2]
        for wrong in (lambda: lib.Group(f["g/x"].id), lambda: lib.Dataset(f.id)):
            with pytest.raises(ValueError):
                wrong()


def test_names_after_moves(lib, file):
    x = file.create_dataset("a/b/x", data=1)
    b = file["a/b"]
    file.create_group("c")
    file.move("a/b", "c/d")
    assert b.name == "/c/d"
    if lib is h5py:
        return
    assert x.name == "/c/d/x"
    file["a"].create_group("b/x")
    file.move("c/d/x", "c/y")
    assert (x.name, x.parent.name, file["a/b/x"].name) == ("/c/y", "/c", "/a/b/x")
