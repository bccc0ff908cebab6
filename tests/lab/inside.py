"""The tests' programs on the nodes of a lab: `inside.py NAME` under `lab/run.py --once`"""

import ctypes
import errno
import fcntl
import itertools
import json
import multiprocessing
import os
import random
import signal
import struct
import sys
import threading
import time
from pathlib import Path

import layouts
from layouts import ALL

NODES = Path(os.environ["ONECAST_LAB_NODES"])
MIB = 1 << 20
LOV_HEADER = struct.Struct("<II16sIHH")


def on(node: int, name: str) -> Path:
    return NODES / str(node) / name


def counters(which: str = "counters") -> dict:
    return json.loads(on(0, f".lab/{which}").read_text())


def reset() -> None:
    on(0, ".lab/reset").write_text("1")


def traffic() -> tuple[int, int]:
    """Returns write RPCs and revocations since the last reset."""
    total = counters()["total"]
    return total["write_rpcs"], total["revocations"]


def open_on(node: int, name: str) -> int:
    return os.open(on(node, name), os.O_CREAT | os.O_RDWR)


def fails_with(code: int, function, *arguments) -> None:
    try:
        function(*arguments)
    except OSError as error:
        assert error.errno == code, error
    else:
        raise AssertionError(f"no error, expected {errno.errorcode[code]}")


# --- counters ------------------------------------------------------------------------------------
def sequential() -> None:
    """One client writes 64 MiB from start to end: full RPCs, and one lock for each object."""
    for piece in (MIB, 96 << 10, 4096):
        reset()
        fd = open_on(0, f"sequential{piece}")
        for offset in range(0, 64 * MIB, piece):
            os.pwrite(fd, bytes(min(piece, 64 * MIB - offset)), offset)
        before = counters("peek")
        after = counters()
        assert before["total"]["write_rpcs"] == 64, piece  # all of them were sent without a sync
        assert before["dirty_bytes"] == 0
        assert traffic() == (64, 0)
        assert after["total"]["lock_enqueues"] == 4
        assert after["total"]["write_sizes"] == {str(MIB): 64}
        assert [ost["write_rpcs"] for ost in after["osts"]] == [16] * 4
    data = on(1, f"sequential{MIB}")
    reset()
    with data.open("rb", buffering=0) as file:
        while file.read(64 << 10):
            pass
    total = counters()["total"]
    # The first read of an object does not know yet that there will be more.
    assert (total["read_rpcs"], total["read_bytes"]) == (65, 64 * MIB), total


def interleaved() -> None:
    """8 clients write 4 KiB each in turns: every write revokes the previous lock."""
    fds = [open_on(node, "interleaved") for node in range(8)]
    for block in range(1024):
        os.pwrite(fds[block % 8], bytes(4096), block * 4096)
    assert traffic() == (1024, 1024 - 4)


def write_blocks(node: int) -> None:
    fd = open_on(node, "competing")
    for block in range(node, 1024, 8):
        os.pwrite(fd, bytes(4096), block * 4096)


def competing() -> None:
    """The clients write at the same time. The number of lost locks depends on timing, but each of 8
    nodes takes those of 4 OSTs at least once."""
    run_on_all(write_blocks, 8)
    rpcs, revocations = traffic()
    assert rpcs == 1024
    assert 7 * 4 <= revocations <= 1020, revocations


def write_domain(node: int, pieces: int) -> None:
    fd = open_on(node, "domains")
    length = 8 * MIB // pieces
    for piece in range(pieces):
        os.pwrite(fd, bytes(length), node * 8 * MIB + piece * length)


def domains() -> None:
    """Each client writes 8 MiB: every RPC is full, though FUSE splits a call at other places, and
    though the locks change owners."""
    for pieces in (1, 8):
        reset()
        run_on_all(write_domain, 8, pieces)
        total = counters()["total"]
        assert total["write_sizes"] == {str(MIB): 64}, total
        assert total["revocations"] <= 60
        on(0, "domains").unlink()


def cyclic() -> None:
    """Each stripe and each object is written by one client, so no lock is revoked."""
    fds = [open_on(node, "cyclic") for node in range(4)]
    block = bytes(64 << 10)
    for offset in range(0, 64 * MIB, len(block)):
        os.pwrite(fds[offset // MIB % 4], block, offset)
    assert traffic() == (64, 0)
    assert sorted(ost["writers"] for ost in counters()["osts"]) == [[0], [1], [2], [3]]


def partial() -> None:
    """Data that does not fill an RPC waits for a sync, a reader, or a request for the counters."""
    reset()
    fd = open_on(0, "partial")
    os.pwrite(fd, bytes(1000), 0)
    os.pwrite(fd, bytes(1000), 1000)
    os.pwrite(fd, bytes(100), 5000)
    assert counters("peek")["dirty_bytes"] == 2100
    os.fsync(fd)
    assert counters("peek")["total"]["write_rpcs"] == 2
    os.pwrite(fd, bytes(10), 0)
    assert os.pread(open_on(1, "partial"), 10, 0) == bytes(10)
    assert counters("peek")["total"]["write_rpcs"] == 3
    assert counters("peek")["total"]["revocations"] == 1
    direct = os.open(on(0, "partial"), os.O_WRONLY | os.O_SYNC)
    os.pwrite(direct, bytes(20), 0)
    assert counters("peek")["total"]["write_rpcs"] == 4
    assert counters()["total"]["write_rpcs"] == 4
    os.pwrite(fd, bytes(10), 0)
    os.unlink(on(1, "partial"))
    os.close(fd)
    os.close(direct)


def always_at_once() -> None:
    """The mount option is sync."""
    os.pwrite(open_on(0, "sync"), bytes(100), 0)
    assert counters("peek")["total"]["write_rpcs"] == 1


# --- layout --------------------------------------------------------------------------------------
def lov_of(path: Path) -> tuple[int, int, list[int]]:
    blob = os.getxattr(path, "lustre.lov")
    magic, pattern, _, size, count, _ = LOV_HEADER.unpack_from(blob)
    assert (magic, pattern, len(blob)) == (0x0BD10BD0, 1, 32 + 24 * count)
    return size, count, [struct.unpack_from("<I", blob, 52 + 24 * i)[0] for i in range(count)]


def lov(size: int, count: int, first: int = 0xFFFF) -> bytes:
    return LOV_HEADER.pack(0x0BD10BD0, 1, bytes(16), size, count, first)


def layout() -> None:
    on(0, "plain").touch()
    size, count, osts = lov_of(on(1, "plain"))
    assert (size, count, sorted(osts)) == (MIB, 4, [0, 1, 2, 3])
    os.setxattr(on(0, "plain"), "lustre.lov", lov(256 << 10, 3, 2))
    assert lov_of(on(1, "plain")) == (256 << 10, 3, [2, 3, 0])
    reset()
    on(1, "plain").write_bytes(bytes(MIB))
    assert [ost["write_bytes"] >> 18 for ost in counters()["osts"]] == [1, 0, 2, 1]
    fails_with(errno.EEXIST, os.setxattr, on(0, "plain"), "lustre.lov", lov(MIB, 1))

    on(0, "folder").mkdir()
    fails_with(errno.ENODATA, os.getxattr, on(0, "folder"), "lustre.lov")
    os.setxattr(on(0, "folder"), "lustre.lov", lov(2 * MIB, 2))
    on(1, "folder/file").touch()
    assert lov_of(on(0, "folder/file"))[:2] == (2 * MIB, 2)

    on(0, "other").touch()
    for bad in (b"", b"x" * 32, lov(1000, 1), lov(MIB, 1, 9), lov(MIB, 1)[:31]):
        fails_with(errno.EINVAL, os.setxattr, on(0, "other"), "lustre.lov", bad)
    delayed = os.open(on(0, "delayed"), os.O_CREAT | os.O_RDWR | os.O_NOCTTY | os.O_ASYNC)
    fails_with(errno.ENODATA, os.getxattr, delayed, "lustre.lov")
    os.setxattr(delayed, "lustre.lov", lov(MIB, 2))
    assert lov_of(on(1, "delayed"))[1] == 2


def pool() -> None:
    on(0, "pool").touch()
    os.setxattr(on(0, "pool"), "lustre.lov", layouts.POOL)
    [(_, _, size, count, name, osts)] = layouts.told(os.getxattr(on(1, "pool"), "lustre.lov"))
    assert (size, count, name, len(osts)) == (512 << 10, 3, "flash", 3)


def progressive() -> None:
    """Each part has objects of its own, which exist once something is written to the part."""
    path = on(0, "progressive")
    path.touch()
    os.setxattr(path, "lustre.lov", layouts.PROGRESSIVE)

    def osts() -> list:
        return [part[-1] for part in layouts.told(os.getxattr(on(1, "progressive"), "lustre.lov"))]

    assert [len(some or ()) for some in osts()] == [1, 0, 0]
    reset()
    fd = os.open(path, os.O_RDWR)
    data = random.Random(4).randbytes(20 * MIB)
    os.pwrite(fd, data[: 3 * MIB], 0)
    assert [len(some or ()) for some in osts()] == [1, 2, 0]
    os.pwrite(fd, data[3 * MIB :], 3 * MIB)
    assert [len(some or ()) for some in osts()] == [1, 2, 4]
    assert os.pread(open_on(1, "progressive"), 20 * MIB, 0) == data
    assert traffic()[0] == 20
    parts = layouts.told(os.getxattr(path, "lustre.lov"))
    assert [part[:2] for part in parts] == [(0, 2 * MIB), (2 * MIB, 10 * MIB), (10 * MIB, ALL)]
    expected = [0] * 4
    for begin, end, size, count, _, some in parts:
        for offset in range(begin, min(end, 20 * MIB), MIB):
            expected[some[offset // size % count]] += MIB
    assert [ost["write_bytes"] for ost in counters()["osts"]] == expected
    os.ftruncate(fd, 5 * MIB + 5)
    os.ftruncate(fd, 20 * MIB)
    assert os.pread(fd, 20 * MIB, 0) == data[: 5 * MIB + 5] + bytes(15 * MIB - 5)
    folder = on(0, "of parts")
    folder.mkdir()
    os.setxattr(folder, "lustre.lov", layouts.PROGRESSIVE)
    (folder / "file").touch()
    assert len(layouts.told(os.getxattr(on(1, "of parts/file"), "lustre.lov"))) == 3
    one = layouts.plain(MIB, 1)
    gap = layouts.composite((MIB, one), (ALL, one)).replace(
        (MIB).to_bytes(8, "little") + ALL.to_bytes(8, "little"),
        (2 * MIB).to_bytes(8, "little") + ALL.to_bytes(8, "little"),
    )
    for bad in (
        layouts.composite(),
        layouts.composite((MIB, one)),
        layouts.composite((1000, one), (ALL, one)),
        layouts.composite((ALL, one[:-1])),
        layouts.PROGRESSIVE[:-1],
        gap,
    ):
        on(0, "other").touch()
        fails_with(errno.EINVAL, os.setxattr, on(0, "other"), "lustre.lov", bad)


def strict_layout() -> None:
    """As in Lustre, a file that was created in the ordinary way keeps its layout."""
    on(0, "plain").touch()
    fails_with(errno.EEXIST, os.setxattr, on(0, "plain"), "lustre.lov", lov(MIB, 2))
    os.mknod(on(0, "node"))
    os.setxattr(on(1, "node"), "lustre.lov", lov(MIB, 2))
    assert lov_of(on(0, "node"))[1] == 2
    delayed = os.open(on(0, "delayed"), os.O_CREAT | os.O_RDWR | os.O_NOCTTY | os.O_ASYNC)
    os.setxattr(delayed, "lustre.lov", lov(MIB, 3))
    os.pwrite(delayed, b"x", 0)
    fails_with(errno.EEXIST, os.setxattr, delayed, "lustre.lov", lov(MIB, 2))


# --- data ----------------------------------------------------------------------------------------
def run_on_all(function, nodes: int, *arguments) -> None:
    processes = [
        multiprocessing.Process(target=function, args=(node, *arguments)) for node in range(nodes)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0


def scatter(node: int, extents: list[tuple[int, int]], plain: str) -> None:
    """Writes every eighth extent, and reads back some of its own between other nodes' writes."""
    random.seed(node)
    own = extents[node::8]
    here = open_on(node, "scattered")
    there = os.open(plain, os.O_RDWR)
    for number, (start, end) in enumerate(own):
        data = random.randbytes(end - start)
        os.pwrite(here, data, start)
        os.pwrite(there, data, start)
        first, last = own[random.randint(0, number)]
        assert os.pread(here, last - first, first) == os.pread(there, last - first, first)


def scattered() -> None:
    """All nodes make random disjoint writes at the same time; a plain file has the expected
    bytes."""
    random.seed(1)
    cuts = sorted({0, 9 * MIB, *(random.randrange(9 * MIB) for _ in range(800))})
    extents = list(itertools.pairwise(cuts))
    random.shuffle(extents)
    plain = f"{os.environ['TMPDIR']}/plain"
    Path(plain).touch()
    run_on_all(scatter, 8, extents, plain)
    for node in range(8):
        assert on(node, "scattered").read_bytes() == Path(plain).read_bytes()


def any_calls() -> None:
    """Random calls on random nodes are compared with the expected bytes."""
    random.seed(2)
    fds = [open_on(node, "any") for node in range(8)]
    append = [os.open(on(node, "any"), os.O_WRONLY | os.O_APPEND) for node in range(8)]
    libc = ctypes.CDLL(None, use_errno=True)
    right = bytearray()

    def grow(size: int) -> None:
        right.extend(bytes(max(0, size - len(right))))

    for _ in range(1500):
        fd = random.choice(fds)
        start, length = random.randrange(3 * MIB), random.choice((1, 100, 5000, 300000))
        call = random.randrange(7)
        if call <= 1:
            data = random.randbytes(length)
            grow(start + length)
            right[start : start + length] = data
            assert os.pwrite(fd, data, start) == length
        elif call == 2:
            assert os.pread(fd, length, start) == right[start : start + length]
        elif call == 3:
            os.ftruncate(fd, start)
            grow(start)
            del right[start:]
        elif call == 4:
            punch = ctypes.c_int(3)  # FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE
            result = libc.fallocate(fd, punch, ctypes.c_long(start), ctypes.c_long(length))
            assert result == 0, os.strerror(ctypes.get_errno())
            end = min(start + length, len(right))
            right[start:end] = bytes(max(0, end - start))
        elif call == 5:
            os.posix_fallocate(fd, start, length)
            grow(start + length)
        else:
            data = random.randbytes(length)
            os.write(random.choice(append), data)
            right += data
        assert os.fstat(random.choice(fds)).st_size == len(right)
    for node in range(8):
        assert on(node, "any").read_bytes() == right


def names() -> None:
    on(0, "a/b").mkdir(parents=True)
    on(1, "a/b/file").write_text("text")
    on(2, "link").symlink_to("a/b/file")
    assert on(3, "link").read_text() == "text"
    os.link(on(0, "a/b/file"), on(0, "hard"))
    assert on(1, "hard").stat().st_nlink == 2
    os.rename(on(2, "a/b"), on(2, "moved"))
    assert sorted(os.listdir(on(3, ""))) == ["a", "hard", "link", "moved"]
    fails_with(errno.ENOENT, on(3, "link").read_text)
    fails_with(errno.ENOTEMPTY, on(0, "moved").rmdir)
    fails_with(errno.EINVAL, os.rename, on(0, "moved"), on(0, "moved/below"))
    with on(1, "moved/file").open("r+") as file:
        on(0, "moved/file").unlink()
        on(2, "hard").unlink()
        file.write("still here")
        file.flush()
        file.seek(0)
        assert file.read() == "still here"
        assert os.fstat(file.fileno()).st_nlink == 0
    on(0, "moved").rmdir()
    os.rename(on(0, "a"), on(0, "c"))
    on(1, "c").rmdir()
    on(1, "link").unlink()
    assert os.listdir(on(2, "")) == []
    with on(0, "new").open("x"):
        fails_with(errno.EEXIST, on(1, "new").open, "x")
    os.truncate(on(0, "new"), 5)
    os.chmod(on(1, "new"), 0o640)
    os.utime(on(1, "new"), (1, 2))
    status = on(2, "new").stat()
    assert (status.st_size, status.st_mode & 0o777, status.st_mtime) == (5, 0o640, 2)


# --- locks of programs ---------------------------------------------------------------------------
def locks() -> None:
    fds = [open_on(node, "locked") for node in range(3)]
    fcntl.flock(fds[0], fcntl.LOCK_EX)
    fails_with(errno.EAGAIN, fcntl.flock, fds[1], fcntl.LOCK_SH | fcntl.LOCK_NB)
    released = []

    def release() -> None:
        time.sleep(0.1)
        released.append(True)
        fcntl.flock(fds[0], fcntl.LOCK_UN)

    threading.Thread(target=release).start()
    fcntl.flock(fds[1], fcntl.LOCK_SH)
    assert released
    fcntl.flock(fds[2], fcntl.LOCK_SH | fcntl.LOCK_NB)
    os.close(fds[1])
    os.close(fds[2])
    fcntl.flock(fds[0], fcntl.LOCK_EX | fcntl.LOCK_NB)

    # Ranges are locked by fcntl. Each mount is another owner, though the process is the same.
    one, two = fds[0], open_on(1, "locked")
    fcntl.lockf(one, fcntl.LOCK_EX, 100, 0)
    fcntl.lockf(two, fcntl.LOCK_EX | fcntl.LOCK_NB, 100, 100)
    fails_with(errno.EAGAIN, fcntl.lockf, two, fcntl.LOCK_EX | fcntl.LOCK_NB, 100, 50)
    fcntl.lockf(one, fcntl.LOCK_UN, 50, 50)
    fcntl.lockf(two, fcntl.LOCK_EX | fcntl.LOCK_NB, 50, 50)
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        fcntl.lockf(two, fcntl.LOCK_EX, 100, 0)
        raise AssertionError("granted twice")
    except TimeoutError:
        pass
    os.close(os.open(on(0, "locked"), os.O_RDONLY))  # any close by the process drops its locks
    fcntl.lockf(two, fcntl.LOCK_EX | fcntl.LOCK_NB, 100, 0)


def hdf5() -> None:
    """Stock HDF5 writes a file on one node, reads it on another, and locks it in between."""
    import h5py
    import numpy as np

    values = np.arange(300_000).reshape(1000, 300)
    with h5py.File(on(0, "stock.h5"), "w") as file:
        file.create_dataset("chunked", data=values, chunks=(100, 100), compression="gzip")
        file["plain"] = values
        file.flush()
        fails_with(errno.EAGAIN, h5py.File, on(1, "stock.h5"), "r")
    with h5py.File(on(1, "stock.h5"), "r+") as file:
        assert (file["chunked"][:] == values).all()
        file["plain"][10:20] = 0
    with h5py.File(on(2, "stock.h5"), "r") as file:
        assert (file["plain"][20:] == values[20:]).all()
        assert not file["plain"][10:20].any()


def no_shared_mapping() -> None:
    """A shared mapping is refused, so that nobody sees old bytes; a private one works."""
    import mmap

    on(0, "mapped").write_bytes(b"x" * 5000)
    fd = open_on(1, "mapped")
    fails_with(errno.ENODEV, mmap.mmap, fd, 5000)
    with mmap.mmap(fd, 5000, flags=mmap.MAP_PRIVATE) as private:
        assert private[4990:] == b"x" * 10


def kill_server() -> None:
    """The file system disappears while the test uses it."""
    for comm in Path("/proc").glob("[0-9]*/comm"):
        if comm.read_text() == "onecast_lab\n":
            os.kill(int(comm.parent.name), signal.SIGKILL)
    time.sleep(60)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
