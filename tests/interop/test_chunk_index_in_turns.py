"""The B-tree of chunks, version 1, changed in place by Onecast and by h5py in turns."""

import ctypes

import h5py
import numpy as np
import pytest

import onecast
from onecast import check


def create(path, shape, chunk, *, node_k, filters):
    """By h5py; `node_k`: "Indexed Storage Internal Node K", small, so that trees are deep."""
    properties = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    # h5py has no call for it.
    library = ctypes.CDLL(h5py.h5p.__file__)
    assert library.H5Pset_istore_k(ctypes.c_int64(properties.id), ctypes.c_uint(node_k)) >= 0
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_LATEST)
    h5py.h5f.create(str(path).encode(), h5py.h5f.ACC_TRUNC, properties, access).close()
    with h5py.File(path, "r+", libver="earliest") as f:
        f.create_dataset("d", shape, "i4", chunks=chunk, maxshape=(None,) * len(shape),
                         fillvalue=-1, **filters)  # fmt: skip


def resized(model, shape):
    after = np.full(shape, -1, model.dtype)
    both = tuple(slice(0, min(a, b)) for a, b in zip(model.shape, shape, strict=True))
    after[both] = model[both]
    return after


def change(dataset, model, random, most):
    """Some random call; returns the new model."""
    what = random.integers(4)
    if what == 0:
        shape = tuple(int(random.integers(0, n + 1)) for n in most)
        dataset.resize(shape)
        return resized(model, shape)
    if what == 1:  # a little longer
        shape = tuple(
            min(n + int(random.integers(0, 4)), m) for n, m in zip(model.shape, most, strict=True)
        )
        dataset.resize(shape)
        return resized(model, shape)
    if model.size == 0:
        return model
    start = [int(random.integers(n)) for n in model.shape]
    # Much, or one element.
    stop = [s + 1 if what == 2 else int(random.integers(s, n)) + 1
            for s, n in zip(start, model.shape, strict=True)]  # fmt: skip
    part = tuple(slice(a, b) for a, b in zip(start, stop, strict=True))
    values = random.integers(0, 100, model[part].shape, "i4")
    dataset[part] = values
    model[part] = values
    return model


FILTERS = [{}, {"compression": "gzip", "compression_opts": 1, "shuffle": True}]


@pytest.mark.parametrize("seed", range(24))
def test_in_turns(tmp_path, seed):
    random = np.random.default_rng(seed)
    rank = 1 + seed % 3
    most = [(600,), (40, 30), (14, 12, 9)][rank - 1]
    chunk = [(1,), (2, 3), (3, 2, 2)][rank - 1]
    path = tmp_path / "turns.h5"
    shape = tuple(int(random.integers(1, n)) for n in most)
    create(path, shape, chunk, node_k=[2, 3, 32][seed // 3 % 3], filters=FILTERS[seed // 2 % 2])
    model = np.full(shape, -1, "i4")
    for turn in range(10):
        if turn % 2:
            with h5py.File(path, "r+", libver="earliest") as f:
                for _ in range(12):
                    model = change(f["d"], model, random, most)
                    np.testing.assert_array_equal(f["d"][()], model)
        else:
            with onecast.File(path, "r+") as f:
                for _ in range(12):
                    model = change(f["d"], model, random, most)
                    if random.integers(2):
                        f.flush()
                    np.testing.assert_array_equal(f["d"][()], model)
        assert not check(path)["damaged"]
        for package in (h5py, onecast):
            with package.File(path, "r") as f:
                np.testing.assert_array_equal(f["d"][()], model, err_msg=f"{package} {turn}")


def test_appending_writes_a_few_nodes_however_many_there_are(tmp_path):
    """What a session writes that appends a chunk does not depend on how many there are."""
    written = {}
    for chunks in (1_000, 40_000):
        path = tmp_path / f"{chunks}.h5"
        with h5py.File(path, "w", libver="earliest") as f:
            f.create_dataset("d", data=np.arange(chunks), chunks=(1,), maxshape=(None,))
        sizes = []
        for _ in range(4):
            with onecast.File(path, "r+") as f:
                before = f.io_stats().bytes_written
                f["d"].resize((f["d"].shape[0] + 1,))
                f["d"][-1] = 7
                f.flush()
                sizes.append(f.io_stats().bytes_written - before)
        written[chunks] = sizes
        with h5py.File(path) as f:
            assert f["d"].shape == (chunks + 4,)
            np.testing.assert_array_equal(f["d"][:chunks], np.arange(chunks))
            np.testing.assert_array_equal(f["d"][-4:], 7)
    # Not the first: it writes where the metadata lies. A level of nodes more, at most.
    assert max(written[40_000][1:]) <= max(written[1_000][1:]) + 8192


def test_flushes_of_one_session_cost_alike(tmp_path):
    path = tmp_path / "steps.h5"
    sizes = []
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (0,), "i8", chunks=(16,), maxshape=(None,), compression="gzip")
        for step in range(3_000):
            d.resize((16 * (step + 1),))
            d[-16:] = np.arange(16) * step
            before = f.io_stats().bytes_written
            f.flush()
            sizes.append(f.io_stats().bytes_written - before)
    assert np.mean(sizes[-100:]) <= 2 * np.mean(sizes[100:200])
    assert not check(path)["damaged"]
    with h5py.File(path, "r+") as f:
        np.testing.assert_array_equal(f["d"][:].reshape(-1, 16)[:, 1], np.arange(3_000))
        f["d"].resize((16 * 5_000,))
        f["d"][16 * 2_990 :] = 3
    assert not check(path)["damaged"]
