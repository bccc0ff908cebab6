"""The times of creation and change of objects"""

import time

import h5py
import numpy as np
import pytest

import onecast


def times_of(found):
    """Returns (access, modification, change, birth) as the object's library gives them."""
    library = h5py if isinstance(found, h5py.HLObject) else onecast
    info = library.h5o.get_info(found.id)
    return info.atime, info.mtime, info.ctime, info.btime


def is_tracked(found):
    return bool(found.id.get_create_plist().get_obj_track_times())


def wait_for_the_next_second():
    time.sleep(1.01 - time.time() % 1)


def create(lib, path, track):
    options = {"libver": "latest"} if lib is h5py else {}
    with lib.File(path, "w", track_times=track, **options) as f:
        f.create_group("group", track_times=track)
        f.create_dataset("plain", data=[1, 2], track_times=track)
        f.create_dataset("chunks", (4,), "i4", maxshape=(None,), track_times=track)
        f.create_dataset("text", data="text", track_times=track)


NAMES = ["/", "group", "plain", "chunks", "text"]


@pytest.mark.parametrize("track", [True, False])
def test_new_objects(lib, path, track):
    before = int(time.time())
    create(lib, path, track)
    after = int(time.time())
    for reader in h5py, onecast:
        with reader.File(path) as f:
            for name in NAMES:
                assert is_tracked(f[name]) is track
                found = set(times_of(f[name]))
                assert len(found) == 1
                assert before <= found.pop() <= after if track else found == {0}


@pytest.mark.parametrize("track", [True, False])
def test_before_a_flush(lib, path, track):
    options = {"libver": "latest"} if lib is h5py else {}
    before = int(time.time())
    with lib.File(path, "w", **options) as f:
        made = f.create_dataset("made", data=[1, 2], track_times=track)
        group = f.create_group("group", track_times=track)
        for found in made, group:
            told = {*times_of(found), lib.h5g.get_objinfo(found.id).mtime}
            assert all(before <= t <= time.time() for t in told) if track else told == {0}


def test_arguments(lib, path):
    options = {"libver": "latest"} if lib is h5py else {}
    with lib.File(path, "w", track_times=None, **options) as f:
        assert not is_tracked(f.create_group("a", track_times=None))
        assert not is_tracked(f.create_dataset("b", data=1, track_times=None))
        assert is_tracked(f.create_dataset("c", data=1, track_times=np.True_))
        for call in f.create_group, lambda name, **more: f.create_dataset(name, (1,), "i4", **more):
            with pytest.raises(TypeError, match="track_times"):
                call("d", track_times="no")
        assert is_tracked(f.create_dataset_like("e", f["c"]))
        assert not is_tracked(f.create_dataset_like("f", f["b"]))


def test_property_lists(lib, path):
    p, create = lib.h5p, lib.h5p.create
    created = create(p.FILE_CREATE)
    created.set_obj_track_times(True)
    file = lib.h5f.create(bytes(path), lib.h5f.ACC_TRUNC, created)
    for kind, make in (
        (p.GROUP_CREATE, lambda list: lib.h5g.create(file, b"group", gcpl=list)),
        (
            p.DATASET_CREATE,
            lambda list: lib.h5d.create(
                file, b"data", lib.h5t.NATIVE_INT32, lib.h5s.create(lib.h5s.SCALAR), dcpl=list
            ),
        ),
    ):
        properties = create(kind)
        properties.set_obj_track_times(True)
        assert properties.get_obj_track_times()
        make(properties)
    file.close()
    with h5py.File(path) as f:
        assert all(is_tracked(f[name]) for name in ("group", "data"))


CHANGES = {
    "group": lambda f: f["group"].create_group("below"),
    "plain": lambda f: f["plain"].attrs.create("unit", "m"),
    "chunks": lambda f: f["chunks"].resize((9,)),
}


@pytest.mark.parametrize("writer", [h5py, onecast], ids=["of h5py", "own"])
def test_changes(lib, path, writer):
    create(writer, path, True)
    with h5py.File(path) as f:
        first = {name: times_of(f[name]) for name in NAMES}
    wait_for_the_next_second()
    before = int(time.time())
    with lib.File(path, "r+") as f:
        for change in CHANGES.values():
            change(f)
        f["plain"][0] = 7
        f["text"][()]
    after = int(time.time())
    for reader in h5py, onecast:
        with reader.File(path) as f:
            for name in NAMES:
                access, modification, change, birth = found = times_of(f[name])
                if name in CHANGES:
                    assert before <= access == change <= after
                    assert modification == birth == first[name][0]
                else:
                    assert found == first[name]
    with onecast.File(path) as f:
        assert f["plain"].modification_time == f["chunks"].modification_time >= before
        assert f["text"].modification_time == first["text"][0]


def test_values_are_no_change(path):
    create(onecast, path, True)
    wait_for_the_next_second()
    with onecast.File(path, "r+") as f:
        f["chunks"][:2] = 8
    wait_for_the_next_second()
    with onecast.File(path, "r+") as f:
        f["chunks"][:2] = 9
        f["plain"][()] = 9  # compact: a part of the header
    with h5py.File(path) as f:
        assert times_of(f["chunks"])[2] < times_of(f["plain"])[2]


def test_old_headers(path):
    """They have one time, which becomes all of them if Onecast changes the object."""
    with h5py.File(path, "w") as f:
        for name in "ab":
            f.create_dataset(name, data=1, track_times=True)
    with h5py.File(path) as f:
        first = times_of(f["a"])[2]
    wait_for_the_next_second()
    with onecast.File(path, "r+") as f:
        assert is_tracked(f["a"]) and times_of(f["a"]) == (0, 0, first, 0)
        f["a"].attrs["x"] = 1
        f.copy("b", "c")
    with h5py.File(path) as f:
        access, modification, change, birth = times_of(f["a"])
        assert access == change > modification == birth == first
        assert times_of(f["b"]) == (0, 0, first, 0)
        assert times_of(f["c"]) == (first,) * 4


def test_the_flush_gives_the_time(path):
    with onecast.File(path, "w") as f:
        x = f.create_dataset("x", data=1, track_times=True)
        assert is_tracked(x) and x.modification_time is None
        x.ref  # has a place  # noqa: B018
        f.flush()
        assert x.modification_time is not None


@pytest.mark.parametrize("writer", [h5py, onecast], ids=["of h5py", "own"])
def test_copies(path, tmp_path, writer):
    create(writer, path, True)
    wait_for_the_next_second()
    with onecast.File(path, "r+") as f:
        f["plain"].attrs["late"] = 1
    with h5py.File(path) as f:
        kept = {name: times_of(f[name]) for name in NAMES}
    assert kept["plain"][2] > kept["plain"][3]
    wait_for_the_next_second()
    with onecast.File(path) as f, onecast.File(tmp_path / "copy.h5", "w") as new:
        f.copy("/", new, "all")
        new.copy("all", "again")
    onecast.repack(path, tmp_path / "packed.h5")
    onecast.repack(path, tmp_path / "without.h5", track_times=False)
    with h5py.File(tmp_path / "copy.h5") as f:
        for name in NAMES:
            for top in "all", "again":
                assert times_of(f[f"{top}/{name}"]) == kept[name]
    with h5py.File(tmp_path / "packed.h5") as f:
        assert {name: times_of(f[name]) for name in NAMES} == kept
    with h5py.File(tmp_path / "without.h5") as f:
        assert times_of(f["/"]) == (0, 0, 0, 0)
        assert times_of(f["plain"]) == kept["plain"]


RANKS = """
import time
def write(path, comm):
    with onecast.File(path, "w", comm=comm, track_times=True) as f:
        f.create_dataset("x", (4,), "i4", chunks=(2,), track_times=True)
        with f.independent():
            for i in range(6):
                if i * comm.size // 6 == comm.rank:
                    f.create_dataset(f"own/{i}", data=i, track_times=True)
        f.flush()
        f["x"].attrs["y"] = 1
        assert len(set(comm.allgather(tuple(f["x"]._object.times)))) == 1

for _ in range(10):
    begin = int(time.time())
    for n in range(1, size + 1):
        part = comm.Split(rank < n)
        if rank < n:
            write(f"{sys.argv[1]}.{n}", part)
        part.Free()
    if comm.allreduce(int(time.time()) == begin, MPI.LAND):
        break
files = [open(f"{sys.argv[1]}.{n}", "rb").read() for n in range(1, size + 1)]
assert files.count(files[0]) == size
"""


def test_bytes_do_not_depend_on_the_ranks(mpirun, path):
    """This holds if everything is written within one second."""
    before = int(time.time())
    mpirun(3, RANKS, path)
    with h5py.File(f"{path}.3") as f:
        for name in ["/", "x", *(f"own/{i}" for i in range(6))]:
            assert before <= min(times_of(f[name])) <= max(times_of(f[name])) <= time.time()


DIFFERENT = """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    for create in (lambda t: f.create_group("x", track_times=t),
                   lambda t: f.create_dataset("x", (1,), "i4", track_times=t)):
        create(rank == 1)
        same_everywhere(f.flush, onecast.DivergedError)
        f.rollback()
"""


def test_ranks_that_differ_are_told(mpirun, path):
    mpirun(2, DIFFERENT, path)
