"""Files in both libraries: modes, closing, refusals"""

import gc
import os
import tempfile

import numpy as np
import pytest

import onecast


def test_modes(lib, path):
    with lib.File(path, "w") as f:
        assert f.mode == "r+"
        f["x"] = 1
    with lib.File(path) as f:
        assert f.mode == "r"
        assert f["x"][()] == 1
    with lib.File(path, "a") as f:
        assert f.mode == "r+"
        f["y"] = 2
    with lib.File(path, "r+") as f:
        assert sorted(f) == ["x", "y"]
    with lib.File(path, "w") as f:
        assert len(f) == 0


@pytest.mark.parametrize("mode", ["w-", "x", "a"])
def test_modes_that_create_a_missing_file(lib, path, mode):
    with lib.File(path, mode) as f:
        f["x"] = 1
    with lib.File(path) as f:
        assert f["x"][()] == 1


@pytest.mark.parametrize("mode", ["w-", "x"])
def test_an_existing_file_is_kept(lib, path, mode):
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError):
        lib.File(path, mode)
    assert path.read_bytes() == b"precious"


@pytest.mark.parametrize("mode", ["w-", "x"])
def test_what_cannot_be_created_leaves_no_file(path, mode):
    with pytest.raises(ValueError, match="page_size"):
        onecast.File(path, mode, page_size=7)
    assert not path.exists()


def test_an_empty_file_is_like_a_missing_one(lib, path):
    path.write_bytes(b"")
    with lib.File(path, "a") as f:
        f["x"] = 1
    with lib.File(path, "a") as f:
        assert f["x"][()] == 1
    path.write_bytes(b"no HDF5")
    with pytest.raises(OSError):
        lib.File(path, "a")
    assert path.read_bytes() == b"no HDF5"


@pytest.mark.parametrize("mode", ["r", "r+"])
def test_missing(lib, path, mode):
    with pytest.raises(FileNotFoundError) as caught:
        lib.File(path, mode)
    assert caught.value.errno == 2
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("mode", ["r", "r+", "a"])
def test_not_hdf5(lib, path, mode):
    path.write_bytes(b"no superblock here" * 100)
    with pytest.raises(OSError):
        lib.File(path, mode)


def test_directory(lib, tmp_path):
    with pytest.raises(IsADirectoryError):
        lib.File(tmp_path)
    with pytest.raises(IsADirectoryError):
        lib.File(tmp_path, "w")
    with pytest.raises(FileNotFoundError):
        lib.File(tmp_path / "missing" / "file.h5", "w")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permission(lib, path):
    path.write_bytes(b"")
    path.chmod(0)
    with pytest.raises(PermissionError):
        lib.File(path)


@pytest.mark.parametrize("mode", ["q", "rb", "", "rw"])
def test_mode_is_checked(lib, path, mode):
    with pytest.raises(ValueError):
        lib.File(path, mode)


@pytest.mark.leaves_damage
def test_truncated(lib, path):
    with lib.File(path, "w") as f:
        f["x"] = np.arange(100_000)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(OSError):
        lib.File(path)


@pytest.mark.leaves_damage
@pytest.mark.parametrize("chunks", [None, (10_000,)])
def test_cut_while_it_is_open(path, chunks):
    with onecast.File(path, "w") as f:
        f.create_dataset("x", data=np.arange(100_000), chunks=chunks)
    with onecast.File(path) as f:
        x = f["x"]
        assert x[0] == 0
        os.truncate(path, path.stat().st_size // 2)
        assert x[1000] == 1000
        with pytest.raises(OSError, match=r"file\.h5: read at .* was cut since"):
            x[()]


def test_properties(lib, path):
    f = lib.File(path, "w")
    group = f.create_group("a")
    assert f.filename == str(path)
    assert f.name == "/"
    assert f.file == f
    assert group.file == f
    assert group.parent == f
    assert f.parent == f
    assert f
    assert repr(f) == '<HDF5 file "file.h5" (mode r+)>'
    f.close()
    assert not f
    assert not group
    assert repr(f) == "<Closed HDF5 file>"
    assert repr(group) == "<Closed HDF5 group>"
    f.close()


def test_closed(lib, path):
    f = lib.File(path, "w")
    dataset = f.create_dataset("x", data=[1, 2])
    f.close()
    for access in (
        lambda: f["x"],
        lambda: list(f),
        lambda: len(f),
        lambda: f.mode,
        lambda: f.create_group("g"),
        lambda: f.attrs["a"],
        lambda: dataset[...],
        lambda: dataset.shape,
        lambda: f.flush(),
    ):
        with pytest.raises((ValueError, KeyError, RuntimeError)):
            access()
    assert "x" not in f
    assert repr(dataset) == "<Closed HDF5 dataset>"


def test_a_forgotten_file_is_written(lib, path):
    f = lib.File(path, "w")
    f["x"] = 1
    del f
    gc.collect()
    with lib.File(path) as f:
        assert f["x"][()] == 1


def test_an_object_keeps_its_file_open(lib, path):
    dataset = lib.File(path, "w").create_dataset("x", data=[1, 2])
    gc.collect()
    assert dataset
    assert dataset[1] == 2
    assert dataset.file["x"] == dataset
    dataset.file.close()


def test_what_is_known_of_types_keeps_no_file_open(path):
    onecast = pytest.importorskip("onecast")
    f = onecast.File(path, "w")
    f._finalizer.detach()
    f.create_dataset("texts", data=["a", "b"])
    f.create_dataset("rows", (3,), np.dtype([("a", "i4"), ("b", "f8")]))
    assert f["texts"][0] == b"a" and f["rows"].dtype.names == ("a", "b")
    assert f["rows"][...]["a"].sum() == 0
    del f
    gc.collect()
    onecast.File(path, "w").close()  # otherwise refused, as it is open


def test_flush_makes_it_readable(lib, path):
    with lib.File(path, "w") as f:
        f["x"] = 1
        f.flush()
        copy = path.with_name("copy.h5")
        copy.write_bytes(path.read_bytes())
    with lib.File(copy) as f:
        assert f["x"][()] == 1


def test_errors_close_the_file(lib, path):
    with pytest.raises(ZeroDivisionError), lib.File(path, "w") as f:
        f["x"] = 1
        1 / 0  # noqa: B018
    assert not f
    with lib.File(path) as f:
        assert f["x"][()] == 1


@pytest.mark.parametrize("name", ["with space.h5", "ünï.h5", "100%.h5"])
def test_names_of_files(lib, tmp_path, name):
    with lib.File(str(tmp_path / name), "w") as f:
        f["x"] = 1
    assert (tmp_path / name).exists()


def test_read_only(lib, path):
    with lib.File(path, "w") as f:
        f["x"] = [1, 2]
        f.attrs["a"] = 1
    before = path.read_bytes()
    with lib.File(path, "r") as f:
        for change in (
            lambda: f.create_group("g"),
            lambda: f.create_dataset("d", data=1),
            lambda: f.__setitem__("y", 1),
            lambda: f.__delitem__("x"),
            lambda: f.attrs.__setitem__("a", 2),
            lambda: f.attrs.__delitem__("a"),
            lambda: f["x"].__setitem__(0, 5),
        ):
            with pytest.raises((ValueError, OSError, KeyError)):
                change()
        f.flush()  # there is nothing to write
        f["x"].flush()
        assert f.require_group("/") == f
    assert path.read_bytes() == before


def test_the_report_says_whether_there_are_stripes(path):
    with onecast.File(path, "w") as f:
        assert f.metadata_report().stripe_size == 0
    with onecast.File(path, "w", stripe_size=65536) as f:
        assert f.metadata_report().stripe_size == 65536


def test_an_empty_file_is_written_itself(lib, tmp_path):
    """Programs expect this that create a temporary file, and read it after HDF5 has written it."""
    with tempfile.NamedTemporaryFile(dir=tmp_path) as made:
        os.link(made.name, tmp_path / "link")
        with lib.File(made.name, "w") as f:
            f["x"] = [1, 2, 3]
        assert made.read(8) == b"\x89HDF\r\n\x1a\n"
        for path in (made.name, tmp_path / "link"):
            with lib.File(path) as f:
                assert f["x"][:].tolist() == [1, 2, 3]
