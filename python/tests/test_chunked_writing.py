"""h5py reads chunked datasets that Onecast writes, and changes them."""

import sys

import h5py
import numpy as np
import pytest
from chunked_values import (
    FILTERS,
    TYPES,
    append_by_stock,
    check,
    resized,
    values_of,
    write_some,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import onecast

MEMORY = {"driver": "core", "backing_store": False}
SHAPES = [((10,), (4,)), ((7, 9), (3, 9)), ((3, 4, 5), (2, 2, 2)), ((5, 1), (1, 1))]


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_h5py_reads_what_is_written(path, dtype, filters):
    options = FILTERS[filters]
    dtype = np.dtype(dtype)
    if filters == "scaleoffset" and dtype.kind not in "ui":
        pytest.skip("for integers")
    if filters == "szip" and (dtype.names or dtype.kind in "Sc"):
        pytest.skip("for numbers")
    shapes = SHAPES[:3] if filters == "szip" else SHAPES  # a chunk must not be smaller than a block
    with onecast.File(path, "w") as f:
        for i, (shape, chunks) in enumerate(shapes):
            data = f.create_dataset(f"d{i}", shape, dtype, chunks=chunks, **options)
            values = values_of(dtype, shape, i)
            data[...] = values
            np.testing.assert_array_equal(data[...], values)
            f.create_dataset(f"of data {i}", data=values, chunks=chunks, **options)
            part = f.create_dataset(f"part {i}", shape, dtype, chunks=chunks, **options)
            part[1:] = values[1:]
    with h5py.File(path) as f:
        for i, (shape, chunks) in enumerate(shapes):
            values = values_of(dtype, shape, i)
            for name in (f"d{i}", f"of data {i}"):
                assert f[name].chunks == chunks
                assert f[name].dtype == dtype
                np.testing.assert_array_equal(f[name][...], values)
                for key, value in options.items():
                    assert getattr(f[name], key) == value or key == "scaleoffset"
            values[0] = np.zeros((), dtype)
            np.testing.assert_array_equal(f[f"part {i}"][...], values)
    check(path, filters)


@pytest.mark.parametrize("filters", ["none", "all"])
def test_chunk_info_is_that_of_h5py(path, tmp_path, filters):
    options = {"chunks": (4, 3), **FILTERS[filters]}
    values = values_of("i4", (10, 8))
    for library, name in ((onecast, path), (h5py, tmp_path / "stock.h5")):
        with library.File(name, "w") as f:
            f.create_dataset("d", (10, 8), "i4", **options)[2:9] = values[2:9]
    with h5py.File(path) as ours, h5py.File(tmp_path / "stock.h5") as stock:
        assert ours["d"].id.get_num_chunks() == stock["d"].id.get_num_chunks()
        for i in range(stock["d"].id.get_num_chunks()):
            mine, theirs = (f["d"].id.get_chunk_info(i) for f in (ours, stock))
            assert (mine.chunk_offset, mine.filter_mask) == (
                theirs.chunk_offset,
                theirs.filter_mask,
            )
            if filters == "none":
                assert mine.size == theirs.size


def test_properties_are_those_of_h5py(lib, file):
    d = file.create_dataset(
        "d",
        (3, 4),
        "f4",
        maxshape=(None, 8),
        chunks=(2, 2),
        compression="gzip",
        compression_opts=7,
        shuffle=True,
        fletcher32=True,
        fillvalue=2.5,
    )
    assert d.chunks == (2, 2)
    assert d.maxshape == (None, 8)
    assert (d.compression, d.compression_opts) == ("gzip", 7)
    assert (d.shuffle, d.fletcher32, d.scaleoffset) == (True, True, None)
    assert d.fillvalue == 2.5
    assert (d[...] == 2.5).all()
    plain = file.create_dataset("plain", (3,), "i8")
    assert (plain.chunks, plain.compression, plain.shuffle) == (None, None, False)
    assert plain.fillvalue == 0
    assert file.create_dataset("guessed", (1000, 1000), "f8", chunks=True).chunks is not None
    assert file.create_dataset("grows", (0,), "f8", maxshape=(None,)).chunks is not None
    assert file.create_dataset("s", (4,), "i4", chunks=2).chunks == (2,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"chunks": (3,)},
        {"chunks": (0, 2)},
        {"chunks": (4, 2)},
        {"chunks": False, "compression": "gzip"},
        {"compression": "nonsense"},
        {"compression": "gzip", "compression_opts": 10},
        {"compression": "lzf", "compression_opts": 1},
        {"compression_opts": 1},
        {"maxshape": (1, 1)},
        {"maxshape": (None,)},
        {"scaleoffset": True, "dtype": "f4"},
        {"scaleoffset": 1, "dtype": "S3"},
        {"scaleoffset": 1, "fletcher32": True},
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_as_by_h5py(lib, file, wrong):
    with pytest.raises((TypeError, ValueError)):
        file.create_dataset("d", (3, 2), **{"dtype": "i4", **wrong})
    assert "d" not in file


def test_resize_by_its_shape(lib, path):
    with lib.File(path, "w") as f:
        d = f.create_dataset("d", data=np.arange(4), maxshape=(6,))
        d.shape = (6,)
        assert d.shape == (6,) and d[:].tolist() == [0, 1, 2, 3, 0, 0]
        with pytest.raises((ValueError, RuntimeError)):
            d.shape = (7,)


def test_resize(lib, file):
    d = file.create_dataset("d", (2, 3), "i4", maxshape=(None, 5), chunks=(2, 2), fillvalue=-1)
    d[...] = np.arange(6).reshape(2, 3)
    d.resize((3, 5))
    assert d.shape == (3, 5)
    np.testing.assert_array_equal(d[...], [[0, 1, 2, -1, -1], [3, 4, 5, -1, -1], [-1] * 5])
    d.resize(1, axis=1)
    d.resize(3, axis=1)
    np.testing.assert_array_equal(d[...], [[0, -1, -1], [3, -1, -1], [-1] * 3])
    assert len(d) == 3
    with pytest.raises((ValueError, RuntimeError)):
        d.resize(6, axis=1)
    with pytest.raises(ValueError):
        d.resize(6, axis=2)
    with pytest.raises(TypeError):
        file.create_dataset("c", (3,), "i4").resize((2,))


def test_plugins(path):
    plugins = pytest.importorskip("hdf5plugin")
    values = values_of("i4", (50, 50))
    with onecast.File(path, "w") as f:
        for name, method in (
            ("zstd", plugins.Zstd(clevel=5)),
            ("lz4", plugins.LZ4()),
            ("blosc", plugins.Blosc(cname="zstd")),
            ("bitshuffle", plugins.Bitshuffle()),
        ):
            f.create_dataset(name, data=values, chunks=(20, 20), compression=method)
            f.create_dataset(f"{name} 2", data=values, chunks=(20, 20), **method)
    with h5py.File(path) as f:
        for name in f:
            np.testing.assert_array_equal(f[name][...], values, name)
            assert f[name].id.get_storage_size() < values.nbytes


steps = st.one_of(
    st.tuples(st.just("write"), st.integers(0, 2**32)),
    st.tuples(st.just("resize"), st.tuples(st.integers(0, 9), st.integers(0, 7))),
    st.tuples(st.just("flush"), st.none()),
    st.tuples(st.just("reopen"), st.none()),
    st.tuples(st.just("h5py"), st.integers(0, 2**32)),
)


@settings(max_examples=60, deadline=None)
@given(
    shape=st.tuples(st.integers(0, 8), st.integers(0, 6)),
    chunks=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    filters=st.sampled_from(["none", "gzip", "all"]),
    program=st.lists(steps, max_size=14),
)
def test_random_programs_agree_with_numpy_and_h5py(
    tmp_path_factory, shape, chunks, filters, program
):
    path = tmp_path_factory.mktemp("random") / "f.h5"
    f = onecast.File(path, "w", chunk_cache_bytes=64)
    f.create_dataset(
        "d", shape, "i4", chunks=chunks, maxshape=(None, None), fillvalue=7, **FILTERS[filters]
    )
    model = np.full(shape, 7, "i4")
    for what, argument in program:
        if what == "write":
            write_some(f["d"], model, argument)
        elif what == "resize":
            f["d"].resize(argument)
            model = resized(model, argument, 7)
        elif what == "flush":
            f.flush()
        elif what == "reopen":
            f.close()
            f = onecast.File(path, "r+", chunk_cache_bytes=64)
        else:
            f.close()
            with h5py.File(path) as stock:
                np.testing.assert_array_equal(stock["d"][...], model)
            f = onecast.File(path, "r+", chunk_cache_bytes=64)
        np.testing.assert_array_equal(f["d"][...], model)
    f.close()
    append_by_stock(path, model, (12, 9))


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system for the size")
def test_appending_does_not_leave_the_old_index_behind(path):
    with onecast.File(path, "w") as f:
        d = f.create_dataset("d", (0, 10), "i4", chunks=(10, 10), maxshape=(None, 10))
        for i in range(300):
            d.resize(len(d) + 10, axis=0)
            d[-10:] = i
            f.flush()
    assert path.stat().st_size < 2 * 300 * 400
    with h5py.File(path) as f:
        np.testing.assert_array_equal(f["d"][:, 0], np.repeat(np.arange(300), 10))


def create_by_library(file, name, shape, most, chunks):
    """h5py itself refuses large chunks before the HDF5 library sees them."""
    most = most and tuple(h5py.h5s.UNLIMITED if each is None else each for each in most)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk(chunks)
    space = h5py.h5s.create_simple(shape, most)
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.IEEE_F64LE, space, creation)


@pytest.mark.parametrize("profile", ["compatible", "latest"])
def test_chunks_where_a_dataset_is_empty_may_have_any_size(path, profile):
    """As with HDF5; elsewhere a chunk is not larger than the dataset may grow."""
    made = {
        "empty": ((0,), None, (1024,)),
        "one": ((0, 5), None, (64, 5)),
        "other": ((5, 0), None, (4, 1000)),
        "grows": ((0,), (10,), (16,)),
        "grows without end": ((0, 3), (None, 3), (16, 2)),
    }
    refused = {
        "larger": ((3,), None, (4,)),
        "larger beside": ((0, 5), None, (8, 6)),
        "larger than it grows": ((1,), (10,), (16,)),
    }
    with onecast.File(path, "w", profile=profile) as f, h5py.File("stock", "w", **MEMORY) as stock:
        for name, (shape, most, chunks) in made.items():
            create_by_library(stock, name, shape, most, chunks)
            f.create_dataset(name, shape, "f8", maxshape=most, chunks=chunks, compression="gzip")
        for name, (shape, most, chunks) in refused.items():
            with pytest.raises(ValueError):
                create_by_library(stock, name, shape, most, chunks)
            with pytest.raises(ValueError):
                f.create_dataset(name, shape, "f8", maxshape=most, chunks=chunks)
        f["grows"].resize((10,))
        f["grows"][:] = np.arange(10)
        assert f["one"][:].shape == (0, 5)
    with h5py.File(path, "r+") as f:
        assert {name: (f[name].shape, f[name].chunks) for name in f} == {
            name: (shape if name != "grows" else (10,), chunks)
            for name, (shape, _, chunks) in made.items()
        }
        assert f["grows"][:].tolist() == list(range(10))
        f["grows without end"].resize((20, 3))
        f["grows without end"][:] = 7
    with onecast.File(path) as f:
        assert (f["grows without end"][:] == 7).all()
        assert f["other"].chunks == (4, 1000)
    assert [each for each in onecast.check(path)["findings"] if each["kind"] != "note"] == []
