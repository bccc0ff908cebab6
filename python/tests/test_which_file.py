"""A file stays the one that was opened, whatever happens to its path and the current folder. An
open checks whether the files beside it that it needs can be created."""

import errno
import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast


@pytest.fixture
def two_folders(tmp_path, monkeypatch):
    """Returns two folders. The current folder is the first one."""
    for name in ("home", "away"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "home")
    for variable in ("HDF5_EXT_PREFIX", "HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path / "home", tmp_path / "away"


def test_path_and_journal_after_chdir(two_folders, monkeypatch):
    home, away = two_folders
    with onecast.File("f.h5", "w") as f:
        f["x"] = np.arange(10)
        f.flush()
        monkeypatch.chdir(away)
        f.attrs["more"] = 1
        f.flush()  # overwrites pages, so it needs a journal
        assert sorted(p.name for p in home.iterdir()) == ["f.h5", "f.h5.onecast-journal"]
        assert f.filename == "f.h5"
    assert list(away.iterdir()) == []
    assert [p.name for p in home.iterdir()] == ["f.h5"]
    with h5py.File(home / "f.h5") as f:
        assert f.attrs["more"] == 1


def test_what_a_file_names_after_chdir(two_folders, monkeypatch):
    home, away = two_folders
    for folder, value in ((home, 1), (away, 2)):
        with h5py.File(folder / "other.h5", "w") as f:
            f["x"] = value
    with onecast.File("f.h5", "w") as f:
        f["link"] = onecast.ExternalLink("other.h5", "/x")
        d = f.create_dataset("raw", (8,), "i4", external="raw.bin")
        d[:4] = 1
        monkeypatch.chdir(away)
        d[4:] = 2
        np.testing.assert_array_equal(d[:], [1] * 4 + [2] * 4)
        assert f["link"][()] == 1
    assert [p.name for p in away.iterdir()] == ["other.h5"]


def test_symbolic_link_to_another_file_since(tmp_path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        with onecast.File(tmp_path / name / "f.h5", "w") as f:
            f["x"] = np.arange(10)
    link = tmp_path / "link.h5"
    link.symlink_to(tmp_path / "first" / "f.h5")
    with onecast.File(link, "r+") as f:
        link.unlink()
        link.symlink_to(tmp_path / "second" / "f.h5")
        f.attrs["more"] = 1
        with pytest.raises(OSError, match="renamed or replaced"):
            f.flush()
        assert [p.name for p in (tmp_path / "second").iterdir()] == ["f.h5"]
        link.unlink()
        link.symlink_to(tmp_path / "first" / "f.h5")
    with onecast.File(tmp_path / "first" / "f.h5") as f:
        assert f.attrs["more"] == 1


@pytest.mark.parametrize("target", ["a file", "nothing"])
@pytest.mark.parametrize("options", [{}, {"stripe_size": 65536}, {"locking": "off"}])
def test_new_file_where_a_symbolic_link_leads(tmp_path, target, options):
    for name in ("links", "data"):
        (tmp_path / name).mkdir()
    real = tmp_path / "data" / "f.h5"
    if target == "a file":
        with h5py.File(real, "w") as f:
            f["old"] = 1
        real.chmod(0o640)
    link = tmp_path / "links" / "f.h5"
    link.symlink_to("again.h5")
    (tmp_path / "links" / "again.h5").symlink_to("../data/f.h5")
    with onecast.File(link, "w", **options) as f:
        f["x"] = np.arange(1000)
        f.flush()
        f["y"] = 1
    assert link.is_symlink()
    assert sorted(p.name for p in (tmp_path / "links").iterdir()) == ["again.h5", "f.h5"]
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["f.h5"]
    with h5py.File(real) as f:
        assert sorted(f) == ["x", "y"]
    if target == "a file":
        assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("mode", ["w", "x", "a"])
def test_symbolic_links_that_go_round_in_a_circle(tmp_path, mode):
    link = tmp_path / "f.h5"
    link.symlink_to("again.h5")
    (tmp_path / "again.h5").symlink_to("f.h5")
    for library in (h5py, onecast):
        with pytest.raises(OSError) as caught:
            library.File(link, mode)
        assert caught.value.errno in (errno.ELOOP, errno.EEXIST), library
    assert link.is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_new_file_where_a_symbolic_link_leads_on_ranks(mpirun, tmp_path):
    real = tmp_path / "f.h5"
    with h5py.File(real, "w") as f:
        f["old"] = 1
    link = tmp_path / "link.h5"
    link.symlink_to("f.h5")
    mpirun(
        3,
        """
with onecast.File(sys.argv[1], "w", comm=comm) as f:
    f.create_dataset("x", (3000,)).write_all(np.s_[rank * 1000 : rank * 1000 + 1000], rank)
""",
        link,
    )
    assert link.is_symlink()
    with h5py.File(real) as f:
        assert list(f) == ["x"]
        assert f["x"][...].tolist() == [0] * 1000 + [1] * 1000 + [2] * 1000


@pytest.fixture
def shut():
    """Yields a file in a folder in which this process cannot create others."""
    folder = Path(tempfile.mkdtemp())
    path = folder / "f.h5"
    with onecast.File(path, "w") as f:
        f["x"] = np.arange(10)
    path.chmod(0o666)
    with shut_folder(folder):
        yield path
    shutil.rmtree(folder)


@contextmanager
def shut_folder(folder):
    folder.chmod(0o555)
    is_root = os.geteuid() == 0  # permissions do not bind root
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.mark.parametrize("mode", ["r+", "a"])
def test_no_place_for_the_journal(shut, mode):
    before = shut.read_bytes()
    with pytest.raises(PermissionError, match=r"journal: cannot be made.*option journal"):
        onecast.File(shut, mode)
    assert shut.read_bytes() == before
    assert [p.name for p in shut.parent.iterdir()] == ["f.h5"]
    with onecast.File(shut) as f:
        assert f["x"][3] == 3


def test_the_journal_is_as_private_as_the_file(tmp_path):
    path = tmp_path / "f.h5"
    with onecast.File(path, "w") as f:
        f["x"] = np.arange(10)
    path.chmod(0o600)
    with onecast.File(path, "r+") as f:
        f.attrs["more"] = 1
        f.flush()
        (journal,) = tmp_path.glob("*journal")
        assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def test_without_a_journal(shut):
    with onecast.File(shut, "r+", journal=False) as f:
        f.attrs["more"] = 1
    with h5py.File(shut, "r", locking=False) as f:
        assert f.attrs["more"] == 1


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_no_place_for_the_journal_of_many(mpirun, ranks):
    folder = tempfile.mkdtemp()  # other users cannot enter pytest's own folders
    mpirun(
        ranks,
        """
import os
folder = sys.argv[1]
path = folder + "/f.h5"
with onecast.File(path, "w", comm=comm) as f:
    f["x"] = [1]
if rank == 0:
    os.chmod(path, 0o666)
    os.chmod(folder, 0o555)
comm.Barrier()
is_root = os.geteuid() == 0
if is_root:
    os.seteuid(65534)
texts = same_everywhere(lambda: onecast.File(path, "r+", comm=comm), PermissionError)
assert "option journal" in texts[0] and len(set(texts)) == 1, texts
with onecast.File(path, "r+", comm=comm, journal=False) as f:
    f.attrs["more"] = 1
""",
        folder,
    )
    shutil.rmtree(folder)


@pytest.mark.parametrize("mode", ["w", "x", "a", "r+"])
@pytest.mark.parametrize("instead", ["nothing", "another file"])
def test_removed_while_it_is_open(path, mode, instead):
    if mode == "r+":
        with h5py.File(path, "w") as f:
            f["old"] = np.zeros(100_000)
    for call in ("flush", "close"):
        if mode == "x":
            path.unlink(missing_ok=True)
        f = onecast.File(path, mode)
        f["x"] = 1
        kept = path.read_bytes()
        path.unlink()
        if instead == "another file":
            path.write_bytes(b"theirs")
        expected = FileNotFoundError if instead == "nothing" else OSError
        with pytest.raises(expected, match=r"removed|replaced") as raised:
            getattr(f, call)()
        assert raised.value.errno == (errno.ENOENT if instead == "nothing" else errno.ESTALE)
        if instead == "another file":
            assert path.read_bytes() == b"theirs"
        path.write_bytes(kept) if mode == "r+" else path.unlink(missing_ok=True)
        if call == "flush":
            with pytest.raises(OSError):
                f.close()


def test_removed_while_only_data_is_written(path):
    with onecast.File(path, "w") as f:
        f.create_dataset("x", data=np.zeros(100_000))
    f = onecast.File(path, "r+")
    f["x"][:] = 1
    path.unlink()
    with pytest.raises(FileNotFoundError):
        f.close()


def test_removed_without_a_change(path):
    with onecast.File(path, "w") as f:
        f["x"] = 1
    with onecast.File(path, "r+") as f:
        path.unlink()
        f.flush()


def test_opened_again_after_another_program_wrote_it(path):
    with h5py.File(path, "w") as f:
        f["x"] = np.arange(1000)
    first = onecast.File(path)
    assert first["x"][3] == 3
    other = path.with_name("other.h5")
    with h5py.File(other, "w") as f:
        f["y"] = np.arange(50)
    path.write_bytes(other.read_bytes())  # without a lock, in place
    with onecast.File(path) as f:
        assert list(f) == ["y"]
        with onecast.File(path) as again:
            assert list(again) == ["y"]
    first.close()


@pytest.mark.parametrize("mode", ["r+", "a"])
def test_a_file_without_bytes(path, mode):
    """It becomes an HDF5 file, as in h5py."""
    path.touch()
    inode = path.stat().st_ino
    with pytest.raises(onecast.FormatError):
        onecast.File(path)
    assert path.stat().st_size == 0
    userblock = 512 if mode == "a" else 0
    with onecast.File(path, mode, **({"userblock_size": 512} if userblock else {})) as f:
        assert list(f) == []
        f["x"] = 1
        f.flush()
        f["y"] = 2
    assert path.stat().st_ino == inode
    with h5py.File(path) as f:
        assert sorted(f) == ["x", "y"]
        assert f.userblock_size == userblock


def test_a_file_without_bytes_on_ranks(tmp_path, mpirun):
    (tmp_path / "empty.h5").touch()
    mpirun(
        3,
        """
with onecast.File("empty.h5", "r+", comm=comm) as f:
    d = f.create_dataset("x", (3,), "i4")
    d[comm.rank] = comm.rank
""",
    )
    with h5py.File(tmp_path / "empty.h5") as f:
        assert f["x"][:].tolist() == [0, 1, 2]


ELSEWHERE = """
import os
folder, mode = sys.argv[1:]
if comm.rank == 1:
    os.chdir(folder)
f = onecast.File("f.h5", mode, comm=comm)
x = f["x"] if mode != "w" else f.create_dataset("x", (100_000,))
try:
    x[comm.rank] if mode == "r" else x.__setitem__(comm.rank, 1)
    assert comm.rank != 1
except OSError as error:
    assert comm.rank == 1, error
    for text in ("rank 1 ", "another working directory", folder, "absolute path"):
        assert text in str(error), error
    assert "renamed" not in str(error), error
comm.barrier()
try:
    f.close()
except OSError:
    assert mode != "r"
"""


@pytest.mark.parametrize("mode", ["r", "r+", "w"])
@pytest.mark.parametrize("there", ["nothing", "another file"])
def test_a_rank_in_another_folder_is_told_so(tmp_path, mpirun, mode, there):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if there == "another file":
        (folder / "f.h5").write_bytes(b"another")
    with onecast.File(tmp_path / "f.h5", "w") as f:
        f["x"] = np.zeros(100_000)
    mpirun(3, ELSEWHERE, folder, mode)
