"""Stored chunks in memory of a device, on any number of ranks: python stored_chunks.py FOLDER"""

import zlib

import cupy as cp
import numpy as np
from common import comm, path_of, raises, rank, size

import onecast

path = path_of("stored")
values = np.arange(90 * 1000, dtype="f8").reshape(90, 1000)
part = slice(30 * rank, 30 * (rank + 1)) if comm else slice(0, 90)


def check(dataset, stored, chunks):
    """Decodes the chunks from a copy."""
    here = stored if isinstance(stored, np.ndarray) else cp.asnumpy(stored)
    assert chunks
    for chunk in chunks:
        row = chunk.start[0]
        packed = here[chunk.offset : chunk.offset + chunk.size].tobytes()
        assert chunk.offset % 16 == 0 and chunk.filter_mask == 0
        plain = packed if dataset.compression is None else zlib.decompress(packed)
        assert (np.frombuffer(plain, "f8").reshape(10, 1000) == values[row : row + 10]).all()


with onecast.File(path, "w", comm=comm) as f:
    for name, how in (("packed", {"compression": "gzip"}), ("plain", {})):
        d = f.create_dataset(name, (90, 1000), "f8", chunks=(10, 1000), **how)
        d[part] = values[part]
        check(d, *onecast.read_stored_chunks(d, part, like=cp))  # they may wait for the flush
    empty = f.create_dataset("empty", (90, 1000), "f8", chunks=(10, 1000))
    raises(KeyError, lambda: onecast.read_stored_chunks(empty, part, like=cp), "never written")

with onecast.File(path, comm=comm) as f:
    for name in ("packed", "plain"):
        d = f[name]
        for args, count in (((), 9), (slice(35, 52), 3)):
            stored, chunks = onecast.read_stored_chunks(d, args, like=cp)
            assert isinstance(stored, cp.ndarray) and len(chunks) == count
            check(d, stored, chunks)
            check(d, *onecast.read_stored_chunks(d, args))
            room = cp.empty(stored.shape, "u1")
            assert onecast.read_stored_chunks(d, args, out=room)[1] == chunks
            check(d, room, chunks)
            small = cp.empty((stored.shape[0] - 1,), "u1")
            too_small = lambda: onecast.read_stored_chunks(d, args, out=small)  # noqa: B023, E731
            raises(ValueError, too_small, "room")
        one = cp.empty((100000,), "u1")
        mask, out = d.id.read_direct_chunk((20, 0), out=one)
        assert mask == 0 and out is one
        stored = d.id.read_direct_chunk((20, 0))[1]
        assert cp.asnumpy(one)[: len(stored)].tobytes() == stored
        too_small = lambda: d.id.read_direct_chunk((20, 0), out=cp.empty((9,), "u1"))  # noqa: B023, E731
        raises(ValueError, too_small, "room")

with onecast.File(path, "r+", comm=comm) as f:
    for name in ("packed", "plain"):
        d = f[name]
        for row in range(10 * rank, 90, 10 * size):
            new = (values[row : row + 10] + 1).tobytes()
            stored = new if name == "plain" else zlib.compress(new)
            d.id.write_direct_chunk((row, 0), cp.asarray(np.frombuffer(stored, "u1")))
# Calls wait for the stream that an array names.
with onecast.File(path, "r+", comm=comm) as f:
    for name in ("packed", "plain"):
        d, stream = f[name], cp.Stream()
        for row in range(10 * rank, 90, 10 * size):
            new = (values[row : row + 10] + 1).tobytes()
            stored = np.frombuffer(new if name == "plain" else zlib.compress(new), "u1")
            given = cp.asarray(np.zeros(stored.shape, "u1"))
            given.stream = stream.ptr
            stream.put(given, stored)
            d.id.write_direct_chunk((row, 0), given)
with onecast.File(path, comm=comm) as f:
    for name in ("packed", "plain"):
        d, stream = f[name], cp.Stream()
        first = d.id.read_direct_chunk((20, 0))[1]
        for read in (
            lambda out, d=d: d.id.read_direct_chunk((20, 0), out=out),
            lambda out, d=d: onecast.read_stored_chunks(d, slice(20, 30), out=out),
        ):
            out = cp.empty((len(first),), "u1")
            out.stream = stream.ptr
            stream.put(out, np.zeros(len(first), "u1"))
            read(out)
            onecast._core.wait_for_stream(out.memory.address, stream.ptr)
            assert cp.asnumpy(out).tobytes() == first
        raises(TypeError, lambda d=d: onecast.read_stored_chunks(d, out=[0] * 100000), "not list")

with onecast.File(path, comm=comm) as f:
    assert (f["packed"][...] == values + 1).all() and (f["plain"][...] == values + 1).all()
    if cp.driver.fake_calls(None) >= 0:
        is_hip = hasattr(cp.driver, "hipPointerGetAttribute")
        name = b"hipMemcpyHtoDAsync" if is_hip else b"cuMemcpyHtoDAsync_v2"
        cp.driver.fake_failure(name, 0, 719)
        d = f["packed"]
        raises(OSError, lambda: onecast.read_stored_chunks(d, like=cp), "memory of a device: ")
print("done")
