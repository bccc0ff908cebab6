"""With bad files and disks, every rank gets the same error, and the old contents stay."""

import json
import os
import tempfile
from functools import partial
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

RANKS = [1, 3]


def fill(f):
    for i in range(40):
        f[f"group {i % 4}/data {i}"] = np.arange(20.0) + i
    f["large"] = np.arange(5000)


def write_own(path):
    with onecast.File(path, "w", page_size=4096) as f:
        fill(f)


def write_h5py(path, version):
    with h5py.File(path, "w", libver=version) as f:
        fill(f)


WRITERS = {
    "own": write_own,
    "latest": partial(write_h5py, version="latest"),
    "earliest": partial(write_h5py, version="earliest"),
}


def state_of(path):
    """Returns everything that h5py finds in a file."""
    found = {}

    def look(name, o):
        found[name] = (o[()].tolist() if hasattr(o, "dtype") else None, dict(o.attrs))

    with h5py.File(path) as f:
        f.visititems(look)
    return found


OPEN_ALL = """
import json
for path, kinds in json.load(open(sys.argv[1])).items():
    kinds = [getattr(onecast, kind, None) or getattr(__builtins__, kind) for kind in kinds]
    for mode in ("r", "r+"):
        for policy in ("automatic", "eager", "lazy"):
            texts = same_everywhere(
                lambda: onecast.File(path, mode, comm=comm, load_policy=policy), *kinds)
            assert len(set(texts)) == 1, texts
            assert path in texts[0], (path, texts)
"""


def expect_errors(mpirun, ranks, folder, expected):
    listing = folder / "expected.json"
    listing.write_text(json.dumps({str(path): kinds for path, kinds in expected.items()}))
    mpirun(ranks, OPEN_ALL, listing)


@pytest.mark.parametrize("ranks", RANKS)
def test_what_is_no_hdf5_file(mpirun, tmp_path, ranks):
    bad = {"short": b"\x89HDF", "text": b"no HDF5\n" * 1000, "zeros": bytes(3 << 20)}
    expected = {}
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        expected[tmp_path / name] = ["FormatError"]
    (tmp_path / "directory").mkdir()
    os.mkfifo(tmp_path / "pipe")
    expected[tmp_path / "missing.h5"] = ["FileNotFoundError"]
    expected[tmp_path / "no/such/folder.h5"] = ["FileNotFoundError"]
    expected[tmp_path / "text/file.h5"] = ["NotADirectoryError"]
    expected[tmp_path / "directory"] = ["IsADirectoryError"]
    expected[tmp_path / "pipe"] = ["OSError"]
    expect_errors(mpirun, ranks, tmp_path, expected)


READ_EMPTY = """
for policy in ("automatic", "eager", "lazy"):
    for text in same_everywhere(
            lambda: onecast.File(sys.argv[1], comm=comm, load_policy=policy), onecast.FormatError):
        assert text.endswith(sys.argv[1] + ": not an HDF5 file: it is empty"), text
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_an_empty_file_is_not_read(mpirun, path, ranks):
    """With "r+" it is like a missing file, which is created."""
    path.touch()
    mpirun(ranks, READ_EMPTY, path)
    with pytest.raises(onecast.FormatError, match="it is empty"):
        onecast.check(path)
    assert path.stat().st_size == 0


@pytest.mark.leaves_damage
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("ranks", RANKS)
def test_truncated_files(mpirun, path, tmp_path, ranks, writer):
    WRITERS[writer](path)
    whole = path.read_bytes()
    size = len(whole)
    expected = {}
    for length in (1, 8, 40, 47, 48, 95, 96, 500, 512, 2048, 4095, 4096, size // 2, size - 1):
        cut = tmp_path / f"cut {length}"
        cut.write_bytes(whole[:length])
        expected[cut] = ["FormatError"]
    expect_errors(mpirun, ranks, tmp_path, expected)


CUT_WHILE_IT_IS_OPEN = """
path = sys.argv[1]
f = onecast.File(path, comm=comm)
x = f["x"]
if rank == 0:
    import os
    os.truncate(path, os.path.getsize(path) // 2)
comm.Barrier()
ours = np.s_[rank * 100_000 // size : (rank + 1) * 100_000 // size]
for part in (np.s_[:], ours):
    texts = same_everywhere(lambda: x.read_all(part), OSError)
    assert len(set(texts)) == 1 and "was cut since" in texts[0], texts
assert x[1000] == 1000
f.close()
"""


@pytest.mark.leaves_damage
@pytest.mark.parametrize("chunks", [None, (10_000,)])
@pytest.mark.parametrize("ranks", RANKS)
def test_a_file_that_is_cut_while_it_is_open(mpirun, path, ranks, chunks):
    with onecast.File(path, "w") as f:
        f.create_dataset("x", data=np.arange(100_000), chunks=chunks)
    mpirun(ranks, CUT_WHILE_IT_IS_OPEN, path)


LOOK_AT_ALL = """
import json
path, damaged = sys.argv[1:]
for mode in ("r", "r+"):
    f = onecast.File(path, mode, comm=comm)
    def look(name, o):
        if hasattr(o, "dtype"):
            o[()]
    texts = same_everywhere(lambda: f.visititems(look), onecast.FormatError)
    assert len(set(texts)) == 1 and path in texts[0] and damaged in texts[0], texts
    # The rest can be read, and a file that is not changed is left alone.
    assert f["large"][4999] == 4999
    f.close()
"""


@pytest.mark.leaves_damage
@pytest.mark.parametrize("writer", ["own", "latest"])
@pytest.mark.parametrize("ranks", RANKS)
def test_a_damaged_byte_under_a_checksum(mpirun, path, tmp_path, ranks, writer):
    WRITERS[writer](path)
    with h5py.File(path) as f:
        root = h5py.h5o.get_info(f.id).addr
        group = h5py.h5o.get_info(f["group 2"].id).addr
    whole = path.read_bytes()

    def damaged(name, offset):
        changed = bytearray(whole)
        changed[offset] ^= 0x10
        (tmp_path / name).write_bytes(changed)
        return tmp_path / name

    expected = {
        damaged("superblock", 30): ["FormatError"],
        damaged("root", root + 8): ["FormatError"],
    }
    expect_errors(mpirun, ranks, tmp_path, expected)
    file = damaged("group", group + 9)
    before = file.read_bytes()
    mpirun(ranks, LOOK_AT_ALL, file, f"{group:#x}")
    assert file.read_bytes() == before


NO_PERMISSION = """
import ctypes, os
folder = sys.argv[1]
if os.geteuid() == 0:  # Permissions do not bind root. For files alone: MPI has need of its own.
    ctypes.CDLL(None).setfsgid(65534)
    ctypes.CDLL(None).setfsuid(65534)
for attempt in ("r none.h5", "r+ none.h5", "r+ readable.h5", "w new.h5", "x new.h5"):
    mode, name = attempt.split()
    path = f"{folder}/{name}"
    texts = same_everywhere(lambda: onecast.File(path, mode, comm=comm), PermissionError)
    assert len(set(texts)) == 1 and name in texts[0], texts
with onecast.File(f"{folder}/readable.h5", comm=comm) as f:
    assert len(f["group 2"]) == 10
"""


@pytest.mark.parametrize("ranks", RANKS)
def test_no_permission(mpirun, ranks):
    # Only its owner may enter tmp_path.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, mode in (("none.h5", 0o000), ("readable.h5", 0o444)):
            write_own(folder / file)
            (folder / file).chmod(mode)
        folder.chmod(0o555)
        mpirun(ranks, NO_PERMISSION, folder)
        folder.chmod(0o755)
        assert not (folder / "new.h5").exists()


# Both ways to fill a disk run these programs.
FULL = """
import errno, os, resource
path, limit = sys.argv[1], int(sys.argv[2])

def grow(f):
    for i in range(2000):
        f[f"new {i % 50}/data {i}"] = np.arange(50.0) + i

def same_errno(call):
    def keep():
        try:
            call()
        except OSError as error:
            numbers.append(error.errno)
            raise
    numbers = []
    texts = same_everywhere(keep, OSError)
    assert len(set(texts)) == 1 and path in texts[0], texts
    assert numbers[0] in (errno.ENOSPC, errno.EFBIG), (numbers, texts)

def close(f):
    same_errno(f.flush)
    same_everywhere(f.close, OSError)
    assert not f

if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

# Creating: metadata, data of all, data of each.
new = path + ".new"
f = onecast.File(new, "w", comm=comm, page_size=4096)
grow(f)
same_everywhere(f.flush, OSError)
same_everywhere(f.close, OSError)
comm.Barrier()
if rank == 0:
    os.unlink(new)
comm.Barrier()

# Changing: a file that is there.
f = onecast.File(path, "r+", comm=comm)
for name in ("group 1", "group 2"):
    f[name].attrs["changed"] = "a text of some length"
grow(f)
close(f)

f = onecast.File(path, "r+", comm=comm, single_writer_stripes=0, stripe_size=4096)
grow(f)
close(f)

f = onecast.File(path, "r+", comm=comm)
create = lambda: f.create_dataset("too large", data=np.zeros(1_000_000))
if size == 1:
    same_errno(create)  # one rank hears of it at once
    assert "too large" not in f
    try:
        f.close()  # the disk may be full
    except OSError:
        pass
else:
    create()
    same_errno(f.flush)
    try:
        f.close()  # what did not fit is gone: there may be room again
    except OSError:
        pass

f = onecast.File(path, "r+", comm=comm)
x = f.create_dataset("too large", (size, 1_000_000), "f8")
same_errno(lambda: x.write_all(np.s_[rank], np.full(1_000_000, 1.5)))
"""


def expect_full(mpirun, ranks, path, limit):
    write_own(path)
    before = state_of(path)
    mpirun(ranks, FULL, path, limit)
    assert state_of(path) == before
    with onecast.File(path) as f:
        assert len(f) == 5


@pytest.mark.parametrize("ranks", RANKS)
def test_no_room_for_a_longer_file(mpirun, path, ranks):
    expect_full(mpirun, ranks, path, 100_000)


@pytest.mark.parametrize("ranks", RANKS)
def test_a_full_disk(mpirun, small_disk, ranks):
    folder = small_disk("200k")
    expect_full(mpirun, ranks, folder / "file.h5", 0)
    assert os.statvfs(folder).f_blocks * os.statvfs(folder).f_frsize < 1 << 20
