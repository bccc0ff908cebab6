"""Several nodes of B-trees of chunks lie in one page."""

import h5py
import numpy as np
import pytest

import onecast


def write(library, path, shape, chunk):
    with library.File(path, "w") as f:
        unlimited = (None, *shape[1:])
        data = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        f.create_dataset("x", data=data, chunks=chunk, maxshape=unlimited)


@pytest.mark.parametrize(
    ("shape", "chunk"),
    [((60000,), (6,)), ((200, 200), (2, 2)), ((40, 40, 40), (2, 2, 2))],
    ids=["1", "2", "3"],
)
def test_an_index_takes_little_more_than_stock(tmp_path, shape, chunk):
    paths = {library.__name__: tmp_path / f"{library.__name__}.h5" for library in (h5py, onecast)}
    write(h5py, paths["h5py"], shape, chunk)
    write(onecast, paths["onecast"], shape, chunk)
    sizes = {name: path.stat().st_size for name, path in paths.items()}
    assert sizes["onecast"] <= 1.3 * sizes["h5py"] + 8192


@pytest.mark.parametrize("filters", [{}, {"compression": "gzip"}], ids=["plain", "gzip"])
def test_one_of_version_2_takes_little_more_than_stock(tmp_path, filters):
    sizes = {}
    for library, options in ((h5py, {"libver": "latest"}), (onecast, {"profile": "latest"})):
        path = tmp_path / f"{library.__name__}.h5"
        data = np.arange(40_000, dtype="i4").reshape(400, 100)
        with library.File(path, "w", **options) as f:
            f.create_dataset("x", data=data, chunks=(1, 1), maxshape=(None, None), **filters)
        sizes[library] = path.stat().st_size
    assert sizes[onecast] <= 1.3 * sizes[h5py] + 8192


def test_stock_goes_on_with_them(path):
    write(onecast, path, (3000,), (6,))
    for library, length in ((h5py, 6000), (onecast, 9000), (h5py, 12000)):
        with library.File(path, "r+") as f:
            begin = f["x"].shape[0]
            f["x"].resize((length,))
            f["x"][begin:] = np.arange(begin, length)
    for library in (h5py, onecast):
        with library.File(path) as f:
            assert np.array_equal(f["x"][:], np.arange(12000))


@pytest.mark.parametrize("count", [29, 30, 31, 60, 61])
def test_a_chunk_in_front_of_all_others(path, count):
    with onecast.File(path, "w") as f:
        f.create_dataset("x", (100,), "i4", maxshape=(None,), chunks=(1,))[10 : 10 + count] = 1
    with onecast.File(path, "r+") as f:
        f["x"][7] = 737
    assert not onecast.check(path, data=True)["damaged"]
    for library in (h5py, onecast):
        with library.File(path) as f:
            assert f["x"][7] == 737
