"""File objects in place of a path, side by side with h5py."""

import errno
import io
import tempfile
import threading

import h5py
import numpy as np
import pytest

import onecast


def fill(module, target):
    with module.File(target, "w") as f:
        zone = f.create_group("base/zone")
        zone.attrs["family"] = "wing"
        zone["x"] = np.arange(6.0)
        zone.create_dataset(
            "y", data=np.arange(10000).reshape(100, 100), chunks=(10, 100), compression="gzip"
        )


def expect_filled(module, target):
    with module.File(target, "r") as f:
        zone = f["base/zone"]
        assert zone.attrs["family"] == "wing"
        assert np.array_equal(zone["x"][:], np.arange(6.0))
        assert np.array_equal(zone["y"][20:30], np.arange(2000, 3000).reshape(10, 100))


class ReadOnly:
    """As little as h5py needs to read."""

    def __init__(self, data):
        self._file = io.BytesIO(data)

    def read(self, size):
        return self._file.read(min(size, 700))

    def seek(self, *where):
        return self._file.seek(*where)

    def tell(self):
        return self._file.tell()


@pytest.mark.parametrize("writer", [h5py, onecast])
@pytest.mark.parametrize("reader", [h5py, onecast])
def test_bytes_io(writer, reader):
    target = io.BytesIO()
    fill(writer, target)
    expect_filled(reader, target)
    with reader.File(target, "r+") as f:
        f["more"] = np.arange(3)
    with writer.File(target, "r") as f:
        assert list(f["more"]) == [0, 1, 2]
    expect_filled(writer, target)
    assert not target.closed


def test_the_bytes_are_those_of_a_file(tmp_path):
    target = io.BytesIO()
    fill(onecast, target)
    fill(onecast, tmp_path / "file.h5")
    assert target.getvalue() == (tmp_path / "file.h5").read_bytes()


def test_an_object_on_a_communicator():
    if not onecast.have_mpi:
        pytest.skip("Onecast was built without MPI")
    mpi = pytest.importorskip("mpi4py.MPI")
    target = io.BytesIO()
    with onecast.File(target, "w", comm=mpi.COMM_SELF) as f:
        f["x"] = [1, 2, 3]
        assert f.driver == "fileobj"
    with h5py.File(target) as f:
        assert f["x"][:].tolist() == [1, 2, 3]


def test_open_files(tmp_path):
    path = tmp_path / "file.h5"
    with open(path, "w+b") as target:
        fill(onecast, target)
        expect_filled(h5py, path)  # others see it at once
        with onecast.File(target) as f:
            assert f.filename == str(path)
    expect_filled(onecast, path)
    with open(path, "rb", buffering=0) as target:
        expect_filled(onecast, target)
    with tempfile.TemporaryFile() as target:
        fill(onecast, target)
        expect_filled(onecast, target)


def test_an_object_that_only_reads():
    target = io.BytesIO()
    fill(onecast, target)
    expect_filled(onecast, ReadOnly(target.getvalue()))
    f = onecast.File(ReadOnly(target.getvalue()), "r+")
    f.create_group("new")
    with pytest.raises(OSError, match=r"<ReadOnly>: write of .*AttributeError"):
        f.close()


def test_modes():
    target = io.BytesIO()
    with onecast.File(target, "a") as f:
        f.create_group("a")
        assert f.filename == "<BytesIO>"
    with onecast.File(target, "a") as f:
        assert list(f) == ["a"]
    for mode in ("x", "w-"):
        with pytest.raises(FileExistsError):
            onecast.File(target, mode)
    with onecast.File(target, "w") as f:
        assert list(f) == []
    with pytest.raises(onecast.FormatError):
        onecast.File(io.BytesIO(b"no HDF5" * 1000))
    with onecast.File(io.BytesIO(), "x") as f:
        f.create_group("a")


def test_what_is_written_is_open_once():
    target = io.BytesIO()
    fill(onecast, target)
    with onecast.File(target, "r+"):
        before = target.getvalue()
        for mode in ("r", "r+", "w"):
            with pytest.raises(BlockingIOError, match=r"<BytesIO>: lock: this process has"):
                onecast.File(target, mode)
        assert target.getvalue() == before
    with onecast.File(target), onecast.File(target), pytest.raises(BlockingIOError):
        onecast.File(target, "r+")
    with onecast.File(target, "r+"):
        pass


class Failing(io.BytesIO):
    fails = False

    def readinto(self, into):
        if self.fails:
            raise OSError(errno.ETIMEDOUT, "the line is dead")
        return super().readinto(into)

    def write(self, data):
        if self.fails:
            raise ValueError("the store is closed")
        return super().write(data)


def test_errors_name_the_object():
    target = Failing()
    f = onecast.File(target, "w")
    f["x"] = np.arange(1000000)
    target.fails = True
    with pytest.raises(OSError, match=r"<Failing>: write of .*ValueError: the store is closed"):
        f.flush()
    target.fails = False
    f.close()
    expected = np.arange(1000000)
    with h5py.File(target) as g:
        assert np.array_equal(g["x"][:], expected)
    target.fails = True
    with pytest.raises(OSError, match=r"<Failing>: read of .*the line is dead") as raised:
        onecast.File(target)
    assert raised.value.errno == errno.ETIMEDOUT


class FailingAt(io.BytesIO):
    """Fails once, at the read of that number."""

    reads = 0
    fails_at = None

    def readinto(self, into):
        self.reads += 1
        if self.reads == self.fails_at:
            raise OSError(errno.EIO, "a bad block")
        return super().readinto(into)


def fill_nested(library, target):
    with library.File(target, "w", libver="latest") as f:
        for name in "abcdefgh":
            group = f.create_group(f"old/{name}")
            group["far from the next"] = np.zeros(100_000)
            chunks = {"chunks": (1,), "maxshape": (None,)}
            group.create_dataset("chunked", data=np.arange(3000), **chunks)
            group["type"] = np.dtype([("number", "i4")])
            group.create_dataset("typed", (5,), group["type"])
            for i in range(50):
                group.attrs[f"number {i}"] = i
                group[f"member {i}"] = i
        f["kept"] = f["old/a/chunked"]
        f["kept type"] = f["old/b/type"]


@pytest.mark.parametrize("library", [onecast, h5py])
def test_a_failed_removal_changes_nothing(path, library):
    target = FailingAt()
    fill_nested(library, target)
    before = target.getvalue()
    for read in range(1, 10_000):
        target = FailingAt(before)
        with onecast.File(target, "r+", load_policy="lazy") as f:
            target.fails_at = target.reads + read
            try:
                del f["old"]
                failed = False
            except OSError:
                failed = True
            target.fails_at = None
            assert ("old" in f) == failed
            if failed:
                assert len(f["old/a"]) == len(f["old/h"]) == 54
                assert f["old/h/chunked"][-1] == 2999
        path.write_bytes(target.getvalue())
        assert not onecast.check(path)["findings"]
        with h5py.File(target) as f:
            assert f["kept"][-1] == 2999
            assert ("old" in f) == failed
            if failed:
                assert f["old/a/typed"].dtype == f["kept type"].dtype
                assert len(f["old/b"].attrs) == 50
        if not failed:
            break
    assert read > 5


def test_threads_read_one_object():
    target = io.BytesIO()
    fill(onecast, target)
    errors = []
    with onecast.File(target, load_policy="lazy") as f:

        def read():
            try:
                for _ in range(20):
                    assert np.array_equal(f["base/zone/x"][:], np.arange(6.0))
                    assert f["base/zone/y"][:].sum() == 49995000
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []
