"""Links to other files, compared with h5py"""

import threading

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sub").mkdir()
    with h5py.File(tmp_path / "main.h5", "w") as f:
        f["beside"] = h5py.ExternalLink("other.h5", "/data/values")
        f["below"] = h5py.ExternalLink("sub/deep.h5", "/group")
        f["moved"] = h5py.ExternalLink("/nowhere/at/all/other.h5", "/data")
        f["no_file"] = h5py.ExternalLink("missing.h5", "/x")
        f["no_object"] = h5py.ExternalLink("other.h5", "/missing")
        f["soft"] = h5py.SoftLink("/beside")
        f["back"] = h5py.ExternalLink("other.h5", "/back/beside")
        f["loop"] = h5py.ExternalLink("other.h5", "/loop")
    with h5py.File(tmp_path / "other.h5", "w") as f:
        f["data/values"] = np.arange(12).reshape(3, 4)
        f["data"].attrs["name"] = "other"
        f["back"] = h5py.ExternalLink("main.h5", "/")
        f["loop"] = h5py.ExternalLink("main.h5", "/loop")
    with h5py.File(tmp_path / "sub" / "deep.h5", "w") as f:
        f["group/up"] = h5py.ExternalLink("../other.h5", "/data/values")
        f["group/x"] = 5
    return tmp_path


VALUES = np.arange(12).reshape(3, 4)


@pytest.mark.parametrize("path", ["beside", "soft", "moved/values", "below/up", "back"])
def test_followed(folder, path):
    with h5py.File(folder / "main.h5") as expected, onecast.File(folder / "main.h5") as found:
        if path != "moved/values":  # stock HDF5 looks beside the file only for relative names
            np.testing.assert_array_equal(expected[path][()], VALUES)
        np.testing.assert_array_equal(found[path][()], VALUES)
        assert found[path][1, 2] == 6


def test_objects_and_attributes(folder):
    with onecast.File(folder / "main.h5") as f:
        assert f["moved"].attrs["name"] == "other"
        assert f["below/x"][()] == 5
        assert list(f["below"]) == ["up", "x"]
        assert f.get("beside", getlink=True) == onecast.ExternalLink("other.h5", "/data/values")


@pytest.mark.parametrize("path, text", [("no_file", "missing.h5"), ("no_object", "no_object")])
def test_dangling(folder, path, text):
    with onecast.File(folder / "main.h5") as f:
        assert path in f
        assert f.get(path) is None
        with pytest.raises(KeyError, match=text):
            f[path]


def test_loops_end(folder):
    with onecast.File(folder / "main.h5") as f, pytest.raises(KeyError, match="links"):
        f["loop"]


def test_forbidden(folder):
    with onecast.File(folder / "main.h5", follow_external=False) as f:
        with pytest.raises(onecast.UnsupportedError, match=r"beside.*other.h5.*follow_external"):
            f["soft"]
        assert "soft" in f


def test_prefix(folder, monkeypatch):
    with h5py.File(folder / "main.h5", "a") as f:
        f["prefixed"] = h5py.ExternalLink("deep.h5", "/group/x")
    with onecast.File(folder / "main.h5") as f, pytest.raises(KeyError):
        f["prefixed"]
    monkeypatch.setenv("HDF5_EXT_PREFIX", f"/nowhere:{folder}/sub")
    with onecast.File(folder / "main.h5") as f:
        assert f["prefixed"][()] == 5


def test_closed_with_the_file(folder):
    f = onecast.File(folder / "main.h5")
    values = f["beside"]
    f.close()
    with pytest.raises(ValueError):
        values[()]


def test_read_only(folder):
    with onecast.File(folder / "new.h5", "w") as f:
        f["x"] = 1
    with onecast.File(folder / "main.h5") as f, pytest.raises(ValueError):
        f["moved"].create_group("new")


def test_from_many_threads(folder):
    with onecast.File(folder / "main.h5") as f:
        results = []

        def read():
            results.append(int(f["below/up"][()].sum()))

        threads = [threading.Thread(target=read) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert results == [66] * 8


def test_places_are_named_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with onecast.File("main.h5", "w") as f:
        f["x"] = onecast.ExternalLink("missing.h5", "/x")
        with pytest.raises(KeyError, match="not found at") as caught:
            f["x"]
        assert str(caught.value).count("missing.h5") == 2  # the name, and one place


def test_what_links_are_shown_as(lib):
    assert repr(lib.SoftLink("/a")) == '<SoftLink to "/a">'
    assert repr(lib.ExternalLink("f.h5", "/a")).startswith('<ExternalLink to "/a" in file "f.h5"')
