"""Links of classes that programs define are listed, created, copied and kept."""

import h5py
import pytest

import onecast

VALUE = b"any\0thing \xff"


@pytest.fixture
def links(path):
    with onecast.File(path, "w") as f:
        f["g/own"] = onecast.UserDefinedLink(187, VALUE)
        f["empty"] = onecast.UserDefinedLink(65)
        f["x"] = 1
    return path


def test_stock_sees_them(links):
    with h5py.File(links) as f:
        assert f["g"].id.links.get_info(b"own").type == 187
        assert f.id.links.get_info(b"empty").type == 65
        assert sorted(f) == ["empty", "g", "x"]


def test_they_are_listed(links):
    with onecast.File(links) as f:
        own = f.get("g/own", getlink=True)
        assert own == onecast.UserDefinedLink(187, VALUE)
        assert f.links()["empty"] == onecast.UserDefinedLink(65, b"")
        assert f.id.links.get_info(b"g/own").type == 187
        assert f.id.links.get_info(b"g/own").u == len(VALUE)
        with pytest.raises(onecast.UnsupportedError, match="own"):
            f["g/own"]


def test_wrong_links(path):
    with onecast.File(path, "w") as f:
        with pytest.raises(ValueError, match="65 to 255 expected, 64 given"):
            f["x"] = onecast.UserDefinedLink(64)
        with pytest.raises(ValueError, match="at most 65535 bytes"):
            f["x"] = onecast.UserDefinedLink(65, bytes(65536))
        assert list(f) == []


def test_they_are_copied_moved_and_kept(links, tmp_path):
    own = onecast.UserDefinedLink(187, VALUE)
    with onecast.File(links, "r+") as f:
        f.copy("g", "copied")
        f.move("empty", "g/moved")
        f["new"] = 2
    with onecast.File(links, "r+") as f, onecast.File(tmp_path / "other.h5", "w") as other:
        f.copy("g", other)
        for group in (f["g"], f["copied"], other["g"]):
            assert group.get("own", getlink=True) == own
        assert f["g"].get("moved", getlink=True) == onecast.UserDefinedLink(65)
    onecast.repack(links, tmp_path / "packed.h5")
    for name in (links, tmp_path / "packed.h5"):
        with h5py.File(name) as f:
            assert f["g"].id.links.get_info(b"own").type == 187
            assert f["g"].id.links.get_info(b"moved").type == 65
        with onecast.File(name) as f:
            assert f["g"].get("own", getlink=True) == own


def test_stock_keeps_them(links):
    with h5py.File(links, "r+") as f:
        f["g/more"] = 1
        del f["x"]
    with onecast.File(links) as f:
        assert f["g"].get("own", getlink=True) == onecast.UserDefinedLink(187, VALUE)
        assert f.get("empty", getlink=True) == onecast.UserDefinedLink(65)
