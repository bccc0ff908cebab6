"""A file stays the one that was opened, whatever becomes of its path and the current folder; and
what must be made beside it is asked for when it is opened."""

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
    """The current folder is the first."""
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
        f.flush()  # over what is there: with a journal
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
    """A file in a folder in which this process cannot make others."""
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
    is_root = os.geteuid() == 0  # whom no rights stop
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
    folder = tempfile.mkdtemp()  # pytest's own are shut to others
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
