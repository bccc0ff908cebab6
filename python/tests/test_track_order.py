"""Orders of creation, kept or not, and user blocks, as requested for new files and groups"""

import hashlib

import h5py
import pytest

import onecast

NAMES = ["b", "a", "c"]


def fill(thing):
    for number, name in enumerate(NAMES):
        thing[name] = number
        thing.attrs[name] = number


@pytest.mark.parametrize("track", [True, False])
@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_groups(lib, path, track, many):
    """The orders hold in the session that made them, and in others of either library."""
    names = [f"n{i * 7919 % 97}" for i in range(60)] if many else NAMES
    names = list(dict.fromkeys(names))
    expected = names if track else sorted(names)
    with lib.File(path, "w") as f:
        g = f.create_group("g", track_order=track)
        d = f.create_dataset("d", (1,), "i4", track_order=track)
        for number, name in enumerate(names):
            g[name] = number
            g.attrs[name] = d.attrs[name] = number
        assert list(g) == list(g.attrs) == list(d.attrs) == expected
        assert [member[()] for member in g.values()] == [names.index(name) for name in expected]
        assert list(reversed(g)) == expected[::-1]
    for reader in (h5py, onecast):
        with reader.File(path) as f:
            for names_found in (list(f["g"]), list(f["g"].attrs), list(f["d"].attrs)):
                assert names_found == expected
    assert not onecast.check(path)["damaged"]


@pytest.mark.parametrize("track", [True, False])
def test_the_root_group(lib, path, track):
    with lib.File(path, "w", track_order=track) as f:
        fill(f)
    for reader in (h5py, onecast):
        with reader.File(path) as f:
            assert list(f) == list(f.attrs) == (NAMES if track else sorted(NAMES))


def test_the_default_and_its_setting(path):
    """Links are tracked; with h5py's settings they are not."""
    config = onecast.get_config()
    with onecast.File(path, "w") as f:
        fill(f)
        assert list(f) == NAMES and list(f.attrs) == sorted(NAMES)
        config.track_order = False
        try:
            fill(f.create_group("g"))
        finally:
            config.track_order = None
        assert list(f["g"]) == sorted(NAMES)


def test_later_sessions_keep_the_orders(path):
    with h5py.File(path, "w") as f:
        f.create_group("tracked", track_order=True)
        f.create_group("not", track_order=False)
    with onecast.File(path, "r+") as f:
        fill(f["tracked"])
        fill(f["not"])
        assert list(f["not"]) == sorted(NAMES)
    with onecast.File(path, "r+") as f:
        f["tracked/1"] = f["not/1"] = 1
    with h5py.File(path) as f:
        assert list(f["tracked"]) == [*NAMES, "1"] and list(f["not"]) == sorted([*NAMES, "1"])
        assert list(f["tracked"].attrs) == NAMES


def test_in_an_independent_section(mpirun, path):
    """All ranks learn what one rank requests for its group, and the bytes do not depend on
    ranks."""
    found = set()
    for ranks in (1, 2, 3):
        mpirun(
            ranks,
            """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    with f.independent():
        for i in range(rank * 6 // size, (rank + 1) * 6 // size):
            g = f.create_group(f"g{i}", track_order=i % 2 == 0)
            for name in "ba":
                g[name] = i
                g.attrs[name] = i
    f.flush()
    for i in range(6):
        expected = ["b", "a"] if i % 2 == 0 else ["a", "b"]
        assert list(f[f"g{i}"]) == list(f[f"g{i}"].attrs) == expected
""",
            path,
        )
        with h5py.File(path) as f:
            assert [list(f[f"g{i}"]) for i in range(2)] == [["b", "a"], ["a", "b"]]
        found.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(found) == 1


def test_ranks_that_differ(mpirun, path):
    mpirun(
        2,
        """
f = onecast.File(sys.argv[1], "w", comm=comm)
f.create_group("g", track_order=rank == 0)
texts = same_everywhere(f.flush, onecast.DivergedError)
assert "create group" in texts[0]
f.abandon("done")
""",
        path,
    )


def test_visits_go_by_name(lib, path):
    with lib.File(path, "w", track_order=True) as f:
        f["z/b"] = f["z/a"] = f["z-"] = f["B/x"] = 1
        f["soft"] = lib.SoftLink("/z")
        names, links = [], []
        f.visit(names.append)
        f.visit_links(links.append)
    assert names == ["B", "B/x", "z", "z/a", "z/b", "z-"]
    assert links == ["B", "B/x", "soft", "z", "z/a", "z/b", "z-"]


# --- user blocks --------------------------------------------------------------------------------
@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_user_blocks(path, profile):
    with onecast.File(path, "w", userblock_size=1024, profile=profile) as f:
        fill(f)
        f["large"] = list(range(10_000))
        assert f.userblock_size == 1024
    with path.open("r+b") as raw:
        assert raw.read(1024) == bytes(1024)
        raw.seek(0)
        raw.write(b"U" * 1024)
    with onecast.File(path, "r+") as f:
        f["more/x"] = 1
        assert f.userblock_size == 1024
    with h5py.File(path, "r+") as f:
        assert f.userblock_size == 1024 and f["large"][9] == 9 and f["more/x"][()] == 1
        f["theirs"] = 2
    with onecast.File(path) as f:
        assert f["theirs"][()] == 2 and list(f)[:4] == [*NAMES, "large"]
    assert path.read_bytes()[:1024] == b"U" * 1024
    assert not onecast.check(path, data=True)["damaged"]


@pytest.mark.parametrize("size", [1, 511, 513, 768])
def test_sizes_that_user_blocks_cannot_have(path, size):
    with pytest.raises(ValueError, match="userblock_size"):
        onecast.File(path, "w", userblock_size=size)


def test_user_blocks_of_files_that_are_there(path):
    onecast.File(path, "w", userblock_size=512).close()
    for mode in ("r", "r+"):
        with pytest.raises(ValueError, match="new file"):
            onecast.File(path, mode, userblock_size=512)
    with pytest.raises(ValueError, match="512 bytes, not 1024"):
        onecast.File(path, "a", userblock_size=1024)
    with onecast.File(path, "a", userblock_size=512) as f:
        assert f.userblock_size == 512


@pytest.mark.parametrize("ranks", [1, 3])
def test_user_blocks_on_ranks(mpirun, path, ranks):
    mpirun(
        ranks,
        """
with onecast.File(sys.argv[1], "w", comm=comm, userblock_size=512) as f:
    f.create_dataset("x", (size,), "i4").write_all(rank, rank)
with onecast.File(sys.argv[1], "r+", comm=comm) as f:
    assert f.userblock_size == 512 and f["x"][:].tolist() == list(range(size))
    f["y"] = 1
""",
        path,
    )
    with h5py.File(path) as f:
        assert f.userblock_size == 512 and f["y"][()] == 1


def test_groups_on_the_way_are_as_the_group_above(path):
    for track in (True, False):
        with onecast.File(path, "w", track_order=track) as f:
            for name in NAMES:
                f[f"on/the way/{name}"] = 1
                f.require_group("required")[name] = 1
            expected = NAMES if track else sorted(NAMES)
            assert list(f["on/the way"]) == list(f["required"]) == expected
        with h5py.File(path) as f:
            assert list(f["on/the way"]) == expected
