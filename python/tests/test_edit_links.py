"""Links are created, moved and removed, and compared with h5py."""

import h5py
import numpy as np
import pytest

import onecast

KIND = np.dtype([("a", "<i4"), ("b", "<f8", (2,))])


def link_text(link):
    name = type(link).__name__
    if name == "SoftLink":
        return f"soft {link.path}"
    if name == "ExternalLink":
        return f"external {link.filename} {link.path}"
    return "hard"


def contents(path):
    """Returns what h5py finds: links in order, with each object's number of links and contents."""
    found = {}

    def visit(group, above, prefix):
        for name in group:
            link = group.get(name, getlink=True)
            entry = [link_text(link)]
            if entry[0] == "hard":
                member = group[name]
                entry.append(h5py.h5o.get_info(member.id).rc)
                entry.append(type(member).__name__)
                if isinstance(member, h5py.Dataset):
                    entry.append(member[()].tolist())
                if isinstance(member, h5py.Group) and member not in above:
                    visit(member, [*above, member], prefix + name + "/")
            found[prefix + name] = entry

    with h5py.File(path) as f:
        visit(f, [f["/"]], "")
    return found


def make(f, lib):
    f["data"] = np.arange(5)
    f["a/b/more"] = 7
    f["soft"] = lib.SoftLink("/data")
    f["a/dangling"] = lib.SoftLink("nothing/here")
    f["external"] = lib.ExternalLink("other.h5", "/x/ü")
    f["a/same"] = f["data"]
    f["again/and/again"] = f["data"]
    f["loop"] = f["a"]
    f["a/top"] = f["/"]
    f["kind"] = KIND


def move(f, lib):
    f.move("data", "renamed")
    f.move("/a/dangling", "moved/to/here")
    f["a"].move("b", "c")
    f.move("external", "a/external")


def remove(f, lib):
    del f["again"]
    del f["a/same"]
    del f["soft"]
    del f["loop"]


@pytest.fixture
def both(tmp_path):
    """Does the same with h5py and Onecast, in one session or in several, and compares."""

    def run(*steps):
        for apart in (False, True):
            found = []
            for lib in (h5py, onecast):
                path = tmp_path / f"{lib.__name__}{apart}.h5"
                f = lib.File(path, "w", **({"track_order": True} if lib is h5py else {}))
                h5py.get_config().track_order = True
                for step in steps:
                    step(f, lib)
                    if apart:
                        f.close()
                        f = lib.File(path, "r+")
                f.close()
                found.append(contents(path))
            assert found[0] == found[1]
        return path

    before = h5py.get_config().track_order
    yield run
    h5py.get_config().track_order = before


def test_made(both):
    path = both(make)
    with onecast.File(path) as f:
        assert f["kind"].dtype == KIND
        assert f["a/same"] == f["data"] == f["soft"] == f["a/top/data"]
    with h5py.File(path) as f:
        assert f["kind"].dtype == KIND


def test_moved(both):
    both(make, move)


def test_removed(both):
    both(make, remove)
    both(make, move, lambda f, lib: f.__delitem__("renamed"))


def test_a_new_object_under_an_old_name(both):
    def replace(f, lib):
        del f["data"]
        f["data"] = [1.5]
        del f["a"]
        f["a"] = 3

    both(make, replace)


def test_h5py_goes_on_with_our_links(tmp_path):
    path = tmp_path / "links.h5"
    with onecast.File(path, "w") as f:
        make(f, onecast)
    with h5py.File(path, "r+") as f:
        del f["data"]
        assert f["a/same"][()].tolist() == list(range(5))
        del f["a/same"]
        assert f["again/and/again"][()].tolist() == list(range(5))
    with onecast.File(path) as f:
        assert f["again/and/again"][()].tolist() == list(range(5))


def test_committed_types_have_attributes(file):
    file["kind"] = np.dtype("i4")
    file["kind"].attrs["unit"] = "m"
    assert file["kind"].attrs["unit"] == "m"
    assert file["kind"].dtype == np.dtype("i4")


def test_what_cannot_be(lib, file, tmp_path):
    file["x"] = 1
    with pytest.raises((ValueError, OSError)):
        file["x"] = lib.SoftLink("/x")
    with pytest.raises((KeyError, ValueError)):
        file.move("nothing", "y")
    other = lib.File(tmp_path / "other.h5", "w")
    with pytest.raises((ValueError, OSError)):
        other["x"] = file["x"]
    other.close()
    assert list(file) == ["x"]


def test_a_group_cannot_be_moved_into_itself(path):
    with onecast.File(path, "w") as f:
        f.create_group("g")
        with pytest.raises(ValueError, match="into itself"):
            f.move("g", "g/h")
        assert list(f) == ["g"]


def test_a_link_that_moves_to_where_it_is(path):
    for library in (h5py, onecast):
        with library.File(path, "w") as f:
            f["g/x"] = [1, 2]
            f["soft"] = library.SoftLink("/g")
            f.move("g/x", "g/x")
            f.move("soft", "soft")
            if library is onecast:
                f.move("g/x", "/g/x")
                with pytest.raises(KeyError):
                    f.move("g/no", "g/no")
            assert f["g/x"][:].tolist() == [1, 2]
        assert contents(path)
