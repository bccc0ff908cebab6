"""Nearby pieces are read and written together, and nothing between them changes."""

import h5py
import numpy as np
import pytest

import onecast

LAYOUTS = {
    "contiguous": {"compact": False},
    "chunked": {"chunks": (50, 40)},
    "compressed": {"chunks": (50, 40), "compression": 1},
}
SHAPE = (300, 130)


def selections(random, count):
    for _ in range(count):
        sides = []
        for extent in SHAPE:
            start = int(random.integers(extent))
            step = int(random.choice([1, 1, 2, 3, 7, 50, extent]))
            stop = int(random.integers(start, extent + 1))
            sides.append(start if random.random() < 0.2 else slice(start, stop, step))
        yield tuple(sides)
    yield from [
        np.s_[:, 3],
        np.s_[::7],
        np.s_[:, ::2],
        np.s_[:, 1:],
        np.s_[...],
        np.s_[[1, 2, 3, 50, 299], ::3],
        onecast.MultiBlockSlice(0, 40, 7, 30),
        (np.s_[1:], onecast.MultiBlockSlice(1, 10, 12, 3)),
    ]


def index_of(part):
    """Returns numpy's equivalent index."""

    def side(arg, extent):
        if not isinstance(arg, onecast.MultiBlockSlice):
            return arg
        start, stride, count, block = arg.indices(extent)
        return [start + i * stride + k for i in range(count) for k in range(block)]

    part = part if isinstance(part, tuple) else (part,)
    return tuple(side(arg, extent) for arg, extent in zip(part, SHAPE, strict=False))


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16", "S3", "V5"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_part(path, layout, dtype):
    random = np.random.default_rng(17)

    def some(shape):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.frombuffer(random.integers(1, 120, size, "u1").tobytes(), dtype).reshape(shape)

    expected = some(SHAPE).copy()
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", data=expected, **LAYOUTS[layout])
        for part in selections(random, 40):
            index = index_of(part)
            np.testing.assert_array_equal(d[part], expected[index])
            values = some(expected[index].shape)
            d[part] = values
            expected[index] = values
            if random.random() < 0.1:
                f.flush()
        np.testing.assert_array_equal(d[...], expected)
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["d"][...], expected)


def test_few_calls(path):
    """One by one, these would be 120,000 pieces."""
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", data=np.zeros((400, 600)), compact=False)  # 1.92 MB
        c = f.create_dataset("c", data=np.zeros((400, 600)), chunks=(100, 600))
        f.flush()
        for data in (d, c):
            for part in (np.s_[:, ::2], np.s_[50:250, 1::2], np.s_[:, ::50]):
                before = f.io_stats()
                data[part] = 1
                after = f.io_stats()
                assert after.writes - before.writes <= 40, part
                assert after.reads - before.reads <= 40, part
        before = f.io_stats()
        d[:, 3] = 2  # 4,792 bytes between two
        after = f.io_stats()
        assert after.reads == before.reads
        d[10:20] = 2
        assert f.io_stats().writes == after.writes + 1
        assert f.io_stats().reads == before.reads


def test_beyond_the_end_of_the_file(path):
    """Unwritten bytes read as zeros, and take no other values."""
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (1000, 100), "f8", compact=False)
        d[::2, ::3] = 1
        d[1::50, 1] = 2
        e = f.create_dataset("e", (500, 100), "f8", compact=False, fillvalue=5)
        e[:, 7] = 1
        found, filled = d[...], e[...]
    expected = np.zeros((1000, 100))
    expected[::2, ::3], expected[1::50, 1] = 1, 2
    np.testing.assert_array_equal(found, expected)
    expected = np.full((500, 100), 5.0)
    expected[:, 7] = 1
    np.testing.assert_array_equal(filled, expected)
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["d"][...], found)
        np.testing.assert_array_equal(f["e"][...], filled)


def test_ranks_write_between_each_other(mpirun):
    """All ranks write at once, without messages, and none writes another's bytes."""
    mpirun(
        3,
        """
with onecast.File("strided.h5", "w", comm=comm) as f:
    d = f.create_dataset("d", (500, 90), "i4", compact=False)
    c = f.create_dataset("c", (500, 90), "i4", chunks=(500, 90))
    c.write_equal((), 0)
    f.flush()
    comm.Barrier()
    for _ in range(20):
        for data in (d, c):
            data[:, rank::size] = rank + 1
    f.flush()
    for data in (d, c):
        assert (data[...] == np.arange(90) % size + 1).all()
""",
    )
