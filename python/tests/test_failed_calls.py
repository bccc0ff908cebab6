"""A failed call changes nothing, and what can be saved is saved."""

import resource
from contextlib import contextmanager

import h5py
import numpy as np
import pytest

import onecast


@contextmanager
def files_no_longer_than(size):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def assert_sound(path):
    """Expects a sound file. What a failed call wrote may lie behind the end of address."""
    findings = [f for f in onecast.check(path, data=True)["findings"] if f["kind"] != "note"]
    assert not findings, findings


def tree_of(group):
    found = {}
    for name, item in group.items():
        attributes = {key: np.asarray(value).tolist() for key, value in item.attrs.items()}
        if isinstance(item, (onecast.Group, h5py.Group)):
            found[name] = (attributes, tree_of(item))
        else:
            found[name] = (attributes, np.asarray(item[()]).tolist())
    return found


BIG = np.arange(1_000_000)
STORAGES = {
    "contiguous": {"data": BIG},
    "chunked": {"data": BIG, "chunks": (10_000,)},
    "filtered": {"data": np.random.default_rng(1).random(500_000), "compression": "gzip"},
    "late chunks": {"data": BIG, "chunks": (500_000,), "maxshape": (None,)},
}


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("name", ["x", "on/the/way/x", "there/x", "there/way/x"])
def test_a_full_disk(path, storage, name):
    with onecast.File(path, "w") as f:
        f["there/old"] = np.arange(2000)
        f.flush()
        f["there/new"] = 5
        before = tree_of(f)
        with files_no_longer_than(path.stat().st_size + 300_000):
            with pytest.raises(OSError):
                f.create_dataset(name, **STORAGES[storage])
            assert tree_of(f) == before
            f["there/after"] = 6
            f.flush()
        saved = path.read_bytes()
        f.create_dataset(name, **STORAGES[storage])
        np.testing.assert_array_equal(f[name][...], STORAGES[storage]["data"])
        del f[name]
        f["later"] = np.arange(5)
    assert_sound(path)
    path.write_bytes(saved)
    assert_sound(path)
    with h5py.File(path) as f:
        assert tree_of(f) == {**before, "there": ({}, {**before["there"][1], "after": ({}, 6)})}


def test_copying_to_a_full_disk(path):
    with onecast.File(path, "w") as f:
        f["source/a"] = np.arange(2000)
        f["source/big"] = BIG
        f.flush()
        before = tree_of(f)
        with files_no_longer_than(path.stat().st_size + 300_000):
            with pytest.raises(OSError):
                f.copy("source", "some/copy")
            assert tree_of(f) == before
        f.flush()
        f.copy("source", "some/copy")
    with h5py.File(path) as f:
        assert f["some/copy/big"][-1] == BIG[-1]


def test_an_external_file_that_cannot_be_made(path, tmp_path):
    external = [(str(tmp_path / "no" / "such" / "folder"), 0, h5py.h5f.UNLIMITED)]
    with onecast.File(path, "w") as f:
        f["a"] = 1
        with pytest.raises((OSError, KeyError)):
            f.create_dataset("way/x", data=np.arange(10), external=external)
        assert list(f) == ["a"]
        with f.independent():
            f.create_group("mine")
            for name in ("mine/x", "mine/way/x", "way/x", "x"):
                with pytest.raises((OSError, KeyError)):
                    f.create_dataset(name, data=np.arange(10), external=external)
            f["mine/y"] = 3
        f.flush()
        assert tree_of(f) == {"a": ({}, 1), "mine": ({}, {"y": ({}, 3)})}
    with h5py.File(path) as f:
        assert tree_of(f) == {"a": ({}, 1), "mine": ({}, {"y": ({}, 3)})}


BAD = {
    "taken": lambda f: f.create_dataset("a", data=1),
    "taken group": lambda f: f.create_group("g"),
    "below a dataset": lambda f: f.create_dataset("a/x", data=1),
    "shape": lambda f: f.create_dataset("n/x", (3,), data=np.arange(4)),
    "chunks": lambda f: f.create_dataset("n/x", (3,), "i4", chunks=(7,)),
    "maxshape": lambda f: f.create_dataset("n/x", (3,), "i4", maxshape=(2,)),
    "text": lambda f: f.create_dataset("n/x", data=["a\0b", "c"]),
    "require": lambda f: f.require_dataset("a", (9,), "i4"),
    "require group": lambda f: f.require_group("a"),
    "write": lambda f: f["a"].write_direct(np.zeros((2, 2))),
    "value": lambda f: f["a"].__setitem__(slice(None), "word"),
    "length": lambda f: f["a"].__setitem__(slice(None), np.zeros(17)),
    "attribute": lambda f: f["a"].attrs.create("b", np.arange(3), shape=(2,)),
    "object": lambda f: f["a"].attrs.__setitem__("b", object()),
    "large": lambda f: f["a"].attrs.create("\ud800", 1),
    "resize": lambda f: f["a"].resize((3,)),
    "copy": lambda f: f.copy("nothing", "n/x"),
    "copy taken": lambda f: f.copy("a", "g"),
    "move": lambda f: f.move("a", "g"),
    "move into itself": lambda f: f.move("g", "g/inner/x"),
    "link": lambda f: f.__setitem__("n/x", h5py),
    "name": lambda f: f.create_group("n/" + "x" * 70_000),
    "reference": lambda f: f.create_dataset("n/x", data=np.array([5], object)),
}


@pytest.mark.parametrize("inside", [False, True])
def test_bad_arguments(path, inside):
    with onecast.File(path, "w") as f:
        f["a"] = np.arange(10)
        f["a"].attrs["old"] = 1
        f.create_group("g/inner")
        f.flush()
        before, saved = tree_of(f), path.read_bytes()
        for name, call in BAD.items():
            if inside:
                with f.independent(), pytest.raises(Exception):  # noqa: B017
                    call(f)
            else:
                with pytest.raises(Exception):  # noqa: B017
                    call(f)
            assert tree_of(f) == before, name
            f.flush()
            assert tree_of(f) == before, name
    if not inside:
        with h5py.File(path) as f:
            assert tree_of(f) == before
        assert len(path.read_bytes()) == len(saved)


TOGETHER = """
import pathlib
path = pathlib.Path(sys.argv[1])
def lose(f):
    '''Rank 0 cannot write: what it calls must not be longer.'''
    import resource
    if rank == 0:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 200_000, hard))
    try:
        f.create_dataset("on/the/way/x", data=np.arange(500_000))
        f.create_dataset("there/x", data=np.arange(500_000), chunks=(1000,))
        f.copy("there/old", "there/copy")
    finally:
        if rank == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
with onecast.File(path, "w", comm=comm, page_size=4096) as f:
    f["there/old"] = np.arange(2000)
    f.flush()
    if size == 1:
        try:
            lose(f)
        except OSError:
            pass
    else:
        lose(f)
    f["kept"] = 5
    if size > 1:
        texts = same_everywhere(f.flush, OSError)
        assert len(set(texts)) == 1 and "/on/the/way/x: is left out" in texts[0], texts
    f.flush()
    assert sorted(f) == ["kept", "there"], list(f)
    assert set(f["there"]) <= {"old", "copy"}
    f["again/x"] = np.arange(10)
"""


@pytest.mark.long
def test_on_ranks(mpirun, path):
    for ranks in (1, 2, 3, 4, 7):
        mpirun(ranks, TOGETHER, path)
        assert_sound(path)
        with h5py.File(path) as f:
            assert sorted(f) == ["again", "kept", "there"]
            assert f["there/old"][-1] == 1999
