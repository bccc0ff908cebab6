"""A create that fails in any way leaves the old file and its folder unchanged."""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def old(path):
    with h5py.File(path, "w") as f:
        f["old"] = np.arange(100)
    return path


def content(folder):
    """Returns the bytes and inode of each file in the folder, by name."""
    return {p.name: (p.read_bytes(), p.stat().st_ino) for p in folder.iterdir() if p.is_file()}


@pytest.mark.parametrize("mode", ["w", "x", "a"])
@pytest.mark.parametrize("length", [240, 255])
def test_no_journal_has_so_long_a_name(tmp_path, length, mode):
    path = tmp_path / ("n" * (length - 3) + ".h5")
    if mode != "x":
        with h5py.File(path, "w") as f:
            f["old"] = 1
    before = content(tmp_path)
    with pytest.raises(OSError, match=r"too long.*option journal"):
        onecast.File(path, mode)
    assert content(tmp_path) == before
    with onecast.File(path, mode, journal=False) as f:
        f["new"] = 1
    with onecast.File(path) as f:
        assert "new" in f


@pytest.mark.parametrize(
    ("mode", "options", "error"),
    [
        ("w", {"userblock_size": 100}, ValueError),
        ("w", {"page_size": 3}, ValueError),
        ("w", {"driver": "core", "page_size": 3}, ValueError),
        ("w", {"driver": "core", "no_such_option": 3}, TypeError),
        ("x", {}, FileExistsError),
        ("w-", {"driver": "core"}, FileExistsError),
        ("w", {"exclusive": True}, FileExistsError),
    ],
)
def test_wrong_arguments(old, tmp_path, mode, options, error):
    before = content(tmp_path)
    with pytest.raises(error):
        onecast.File(old, mode, **options)
    assert content(tmp_path) == before


def test_a_file_in_memory_that_fails_has_not_emptied_the_old_one(old, tmp_path):
    before = content(tmp_path)
    f = onecast.File(old, "w", driver="core")
    f["x"] = 1
    assert content(tmp_path) == before
    f.close()
    with h5py.File(old) as f:
        assert list(f) == ["x"]


@pytest.mark.parametrize("old_one", ["a file", "an empty file", "nothing"])
def test_a_journal_that_nobody_may_read(old, tmp_path, old_one):
    if old_one == "an empty file":
        old.write_bytes(b"")
    if old_one == "nothing":
        old.unlink()
    journal = tmp_path / (old.name + ".onecast-journal")
    journal.mkdir()
    before = content(tmp_path)
    with pytest.raises(OSError, match="journal"):
        onecast.File(old, "w")
    assert content(tmp_path) == before
    journal.rmdir()


@pytest.fixture
def foreign_folder():
    """A folder in which another user may only read, as in `with as_other():`. The folders of
    pytest are closed to others."""
    if os.geteuid() != 0:
        pytest.skip("needs another user")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@contextmanager
def as_other():
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("journal", [True, False])
def test_a_folder_in_which_nobody_may_make_files(foreign_folder, journal):
    old = foreign_folder / "file.h5"
    with h5py.File(old, "w") as f:
        f["old"] = 1
    old.chmod(0o666)
    before = content(foreign_folder)
    words = r"file\.h5: open: Permission denied; a new file .* make files in that folder"
    with as_other(), pytest.raises(PermissionError, match=words):
        onecast.File(old, "w", journal=journal)
    assert content(foreign_folder) == before


def test_an_empty_file_in_such_a_folder_is_written(foreign_folder):
    path = foreign_folder / "file.h5"
    path.touch()
    path.chmod(0o666)
    with as_other(), onecast.File(path, "w", journal=False) as f:
        f["new"] = 1
        f.flush()
        f["newer"] = 1
    with h5py.File(path) as f:
        assert sorted(f) == ["new", "newer"]


FEW_DESCRIPTORS = """
import os, resource, sys
import onecast
def content():
    return {n: (open(n, "rb").read(), os.stat(n).st_ino) for n in os.listdir()}
onecast.File("warm.h5", "w").close()
os.remove("warm.h5")
before = content()
used = max(int(fd) for fd in os.listdir("/proc/self/fd"))
taken = []
made = False
for left in range(8):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    while len(taken) < used:  # none is free below
        taken.append(os.open(os.devnull, os.O_RDONLY))
    last = taken[-1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (last + 1 + left, hard))
    f = None
    try:
        f = onecast.File(sys.argv[1], "w")
    except OSError as error:
        assert error.errno == 24, error
        assert sys.argv[1] in str(error), error
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if f is None:
        assert not made
        assert content() == before, left
    else:
        made = True
        f["new"] = left
        f.close()
assert made
"""


@pytest.mark.parametrize("there", [True, False])
def test_no_file_descriptor_is_left(old, tmp_path, there):
    if not there:
        old.unlink()
    program = [sys.executable, "-c", FEW_DESCRIPTORS, old.name]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with h5py.File(old) as f:
        assert list(f) == ["new"]


@pytest.mark.parametrize("ranks", [3])
def test_on_ranks(tmp_path, mpirun, ranks):
    mpirun(
        ranks,
        """
import os
name = "n" * 247 + ".h5"
if comm.rank == 0:
    for path in (name, "short.h5"):
        with open(path, "wb") as f:
            f.write(b"old")
comm.barrier()
for path, options in (
    (name, {}),
    ("short.h5", {"page_size": 3}),
    ("short.h5", {"page_size": 8192 if comm.rank == 1 else 4096}),
    ("short.h5", {"decode_threads": -1 if comm.rank == 1 else 1}),
    ("short.h5", {"exclusive": True}),
):
    try:
        onecast.File(path, "w", comm=comm, **options)
        raise AssertionError((path, options))
    except (OSError, ValueError, onecast.DivergedError):
        pass
    with open(path, "rb") as f:
        assert f.read() == b"old", (path, options)
comm.barrier()
if comm.rank == 0:
    assert sorted(os.listdir()) == sorted([name, "short.h5", "program.py"]), os.listdir()
""",
    )


def test_the_new_file_has_nothing_beside_it(old, tmp_path):
    with onecast.File(old, "w") as f:
        assert [p.name for p in tmp_path.iterdir()] == [old.name]
        f["x"] = 1
    assert [p.name for p in tmp_path.iterdir()] == [old.name]


def test_replacing_a_file_that_is_read_elsewhere_keeps_it(old, tmp_path):
    before = content(tmp_path)
    with h5py.File(old), pytest.raises(BlockingIOError, match="open elsewhere"):
        onecast.File(old, "w")
    assert content(tmp_path) == before
