"""File objects in place of a path, compared with h5py"""

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
    """A file object with the least that h5py needs to read"""

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
    """Fails once, at the read with that number."""

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


class Remote(io.RawIOBase):
    """Counts its requests."""

    def __init__(self, data):
        self._data, self._at, self.requests = data, 0, []

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        self._at = offset + (0, self._at, len(self._data))[whence]
        return self._at

    def tell(self):
        return self._at

    def readinto(self, into):
        count = max(0, min(len(into), len(self._data) - self._at))
        into[:count] = self._data[self._at : self._at + count]
        self.requests.append((self._at, len(into)))
        self._at += count
        return count


@pytest.fixture(scope="module", params=["onecast", "h5py", "h5py, latest"])
def large(request):
    """Returns 100 MB with 10,000 objects."""
    library = onecast if request.param == "onecast" else h5py
    target = io.BytesIO()
    libver = "latest" if "latest" in request.param else None
    with library.File(target, "w", libver=libver) as f:
        for i in range(100):
            group = f.create_group(f"group {i}")
            for k in range(99):
                group[f"d{k}"] = np.full(1250, k, "f8")
                group[f"d{k}"].attrs["unit"] = "m"
    assert 100e6 < len(target.getvalue()) < 110e6
    return target.getvalue()


def large_of_onecast(large):
    with onecast.File(io.BytesIO(large)) as f:
        return not f.metadata_report().page_list_stale and f.metadata_report().pages > 0


@pytest.mark.long
def test_a_remote_file_is_listed_in_few_requests(large):
    remote = Remote(large)
    found = []
    with onecast.File(remote) as f:
        f.visititems(lambda name, thing: found.append((name, getattr(thing, "shape", None))))
        assert len(found) == 10_000 and ("group 99/d98", (1250,)) in found
        # Other programs spread their metadata over the whole file.
        most = 5
        assert len(remote.requests) <= most, remote.requests
        units = [thing.attrs["unit"] for group in f.values() for thing in group.values()]
        assert units == ["m"] * 9900
        assert len(remote.requests) <= most, remote.requests
        assert f["group 17/d55"][3] == 55


@pytest.mark.long
def test_scattered_reads_of_a_remote_file_take_what_they_need(large):
    remote = Remote(large)
    with onecast.File(remote) as f:
        names = [f"group {i * 37 % 100}/d{i * 53 % 99}" for i in range(300)]
        assert [f[name][0] for name in names] == [i * 53 % 99 for i in range(300)]
        assert sum(size for _, size in remote.requests) <= len(large)


@pytest.mark.long
def test_a_remote_file_that_fsspec_opens(large):
    spec = pytest.importorskip("fsspec.spec")

    ranges = []

    class Served(spec.AbstractBufferedFile):
        def _fetch_range(self, start, end):
            ranges.append((start, end))
            return large[start:end]

    class Server(spec.AbstractFileSystem):
        def info(self, path, **_):
            return {"name": path, "size": len(large), "type": "file"}

    for cache in ("readahead", "none"):
        ranges.clear()
        with onecast.File(Served(Server(), "data.h5", cache_type=cache)) as f:
            assert sum(len(group) for group in f.values()) == 9900
        assert len(ranges) <= (5 if large_of_onecast(large) else 12), (cache, ranges)


def test_a_remote_file_that_is_written():
    class Kept(Remote):
        def write(self, data):
            self._data.extend(bytes(max(0, self._at - len(self._data))))
            self._data[self._at : self._at + len(data)] = data
            self._at += len(data)
            return len(data)

        def truncate(self, size=None):
            del self._data[size:]

    remote = Kept(bytearray())
    fill(onecast, remote)
    expect_filled(h5py, io.BytesIO(bytes(remote._data)))
    with onecast.File(remote, "r+") as f:
        f["base/zone/x"][0] = 7
        assert f["base/zone/x"][0] == 7
        f["more"] = np.arange(100_000)
        f.flush()
        assert f["more"][99_999] == 99_999
    with onecast.File(remote) as f:
        assert f["base/zone/x"][0] == 7 and f["more"][-1] == 99_999
