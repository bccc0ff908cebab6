"""Onecast and h5py change indexes of chunks in place, in turns."""

import ctypes

import h5py
import numpy as np
import pytest

import onecast
from onecast import check


def create(path, shape, chunk, *, node_k, filters):
    """Creates a file with h5py. A small `node_k` ("Indexed Storage Internal Node K") makes trees
    deep."""
    properties = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    # h5py has no call for this property.
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
    """Makes a random call, and returns the new model."""
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
    # The part is large, or one element.
    stop = [s + 1 if what == 2 else int(random.integers(s, n)) + 1
            for s, n in zip(start, model.shape, strict=True)]  # fmt: skip
    part = tuple(slice(a, b) for a, b in zip(start, stop, strict=True))
    values = random.integers(0, 100, model[part].shape, "i4")
    dataset[part] = values
    model[part] = values
    return model


FILTERS = [{}, {"compression": "gzip", "compression_opts": 1, "shuffle": True}]


def take_turns(path, model, most, random, libver, turns=10):
    """Changes the dataset "d" of the file, which has these values, with each library in turn."""
    for turn in range(turns):
        if turn % 2:
            with h5py.File(path, "r+", libver=libver) as f:
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


def seeds(count, quick):
    """Returns `count` programs. All but the first `quick` of them are long tests."""
    return [
        pytest.param(seed, marks=pytest.mark.long if seed >= quick else ()) for seed in range(count)
    ]


@pytest.mark.parametrize("seed", seeds(24, quick=6))
def test_version_1_b_trees_in_turns(tmp_path, seed):
    random = np.random.default_rng(seed)
    rank = 1 + seed % 3
    most = [(600,), (40, 30), (14, 12, 9)][rank - 1]
    chunk = [(1,), (2, 3), (3, 2, 2)][rank - 1]
    path = tmp_path / "turns.h5"
    shape = tuple(int(random.integers(1, n)) for n in most)
    create(path, shape, chunk, node_k=[2, 3, 32][seed // 3 % 3], filters=FILTERS[seed // 2 % 2])
    take_turns(path, np.full(shape, -1, "i4"), most, random, "earliest")


@pytest.mark.parametrize("seed", seeds(8, quick=3))
def test_version_2_b_trees_in_turns(tmp_path, seed):
    """Both libraries create a file. 10,000 chunks make a tree of three levels."""
    random = np.random.default_rng(seed)
    most = (150, 70) if seed % 2 else (25, 22, 20)
    path = tmp_path / "turns.h5"
    shape = tuple(int(random.integers(n // 2, n)) for n in most)
    package, options = [(h5py, {"libver": "latest"}), (onecast, {"profile": "latest"})][seed // 4]
    with package.File(path, "w", **options) as f:
        f.create_dataset("d", shape, "i4", chunks=(1,) * len(most), maxshape=(None,) * len(most),
                         fillvalue=-1, **FILTERS[seed // 2 % 2])  # fmt: skip
    take_turns(path, np.full(shape, -1, "i4"), most, random, "latest", turns=6)
    file_size = path.stat().st_size
    chunks = int(np.prod(most))
    # A chunk of 4 bytes may take 20 bytes filtered, and its record 60 in half-full nodes.
    assert file_size < 200 * chunks + 2**16


@pytest.mark.parametrize("seed", seeds(16, quick=8))
def test_arrays_in_turns(tmp_path, seed):
    """These are extensible arrays, and fixed arrays with and without pages."""
    random = np.random.default_rng(seed)
    most, limit = [((4000,), (None,)), ((70, 50), (None, 50)), ((30, 25), (30, 25)),
                   ((70, 50), (70, 50))][seed % 4]  # fmt: skip
    path = tmp_path / "turns.h5"
    shape = tuple(int(random.integers(n // 2, n)) for n in most)
    package, options = [(h5py, {"libver": "latest"}), (onecast, {"profile": "latest"})][
        seed // 4 % 2
    ]
    with package.File(path, "w", **options) as f:
        f.create_dataset("d", shape, "i4", chunks=(1,) * len(most), maxshape=limit,
                         fillvalue=-1, **FILTERS[seed // 8])  # fmt: skip
    take_turns(path, np.full(shape, -1, "i4"), most, random, "latest", turns=8)
    assert path.stat().st_size < 200 * int(np.prod(most)) + 2**16


@pytest.mark.long
@pytest.mark.parametrize("most", [None, 300_000])
@pytest.mark.parametrize("filters", FILTERS)
def test_changing_arrays_writes_a_few_pages_of_elements(tmp_path, most, filters):
    """A session that appends a chunk and changes another one writes in its first flush an amount
    that does not depend on the number of chunks."""
    written = {}
    for chunks in (20_000, 100_000):
        path = tmp_path / f"{chunks}.h5"
        with h5py.File(path, "w", libver="latest") as f:
            f.create_dataset("d", data=np.arange(chunks), chunks=(1,), maxshape=(most,), **filters)
        sizes = []
        for number in range(3):
            with onecast.File(path, "r+") as f:
                before = f.io_stats().bytes_written
                f["d"].resize((f["d"].shape[0] + 1,))
                f["d"][-1] = f["d"][5000 * number] = 7
                f.flush()
                sizes.append(f.io_stats().bytes_written - before)
        written[chunks] = sizes
        with h5py.File(path) as f:
            expected = np.append(np.arange(chunks), [7, 7, 7])
            expected[[0, 5000, 10_000]] = 7
            np.testing.assert_array_equal(f["d"][()], expected)
        assert not check(path)["damaged"]
    # The first session is left out, since it writes where the metadata lies. A flush writes at most
    # two pages of 1,024 elements of 8 to 16 bytes, or a block of half that size, and the old bytes
    # in the journal.
    assert max(written[100_000][1:]) <= max(written[20_000][1:]) + 16_384
    assert max(written[100_000][1:]) < 65_536


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("filters", FILTERS)
def test_appending_writes_a_few_nodes_however_many_there_are(tmp_path, libver, filters):
    """What a session writes to append a chunk does not depend on the number of chunks."""
    written = {}
    for rows in (10, 500):
        chunks = 100 * rows
        values = np.arange(chunks).reshape(rows, 100)
        path = tmp_path / f"{chunks}.h5"
        with h5py.File(path, "w", libver=libver) as f:
            f.create_dataset("d", data=values, chunks=(1, 1), maxshape=(None, None), **filters)
        sizes = []
        for number in range(4):
            with onecast.File(path, "r+") as f:
                before = f.io_stats().bytes_written
                f["d"].resize((rows + 1, 100))
                f["d"][-1, number] = 7
                f.flush()
                sizes.append(f.io_stats().bytes_written - before)
        written[chunks] = sizes
        with h5py.File(path) as f:
            np.testing.assert_array_equal(f["d"][:rows], values)
            np.testing.assert_array_equal(f["d"][-1], [7] * 4 + [0] * 96)
        assert not check(path)["damaged"]
    # The first session is left out, since it writes where the metadata lies. There is at most one
    # more level of nodes.
    assert max(written[50_000][1:]) <= max(written[1_000][1:]) + 8192


@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_flushes_of_one_session_cost_alike(tmp_path, profile):
    path = tmp_path / "steps.h5"
    sizes = []
    options = {"chunks": (16, 1), "maxshape": (None, None), "compression": "gzip"}
    with onecast.File(path, "w", profile=profile) as f:
        d = f.create_dataset("d", (0, 1), "i8", **options)
        for step in range(3_000):
            d.resize((16 * (step + 1), 1))
            d[-16:, 0] = np.arange(16) * step
            before = f.io_stats().bytes_written
            f.flush()
            sizes.append(f.io_stats().bytes_written - before)
    assert np.mean(sizes[-100:]) <= 2 * np.mean(sizes[100:200])
    assert not check(path)["damaged"]
    with h5py.File(path, "r+") as f:
        np.testing.assert_array_equal(f["d"][:].reshape(-1, 16)[:, 1], np.arange(3_000))
        f["d"].resize((16 * 5_000, 1))
        f["d"][16 * 2_990 :] = 3
    assert not check(path)["damaged"]
