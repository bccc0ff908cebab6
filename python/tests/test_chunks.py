"""Every part of chunked datasets with any index, written by h5py, is read as h5py reads it."""

import ctypes
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onecast

FILTERS = {
    "plain": {},
    "deflate": {"compression": "gzip", "shuffle": True},
    "checked": {"fletcher32": True},
    "lzf": {"compression": "lzf"},
}
# Name: (shape, chunk, maxshape). The index follows from maxshape and libver.
SHAPES = {
    "single": ((6, 10), (6, 10), (6, 10)),
    "fixed": ((23, 17), (4, 5), (23, 17)),
    "fixed, with room": ((23, 17), (4, 5), (40, 30)),
    "fixed, in pages": ((2500,), (1,), (2500,)),
    "fixed, of 4": ((5, 4, 6, 7), (2, 3, 2, 4), (5, 4, 6, 7)),
    "extensible": ((90,), (4,), (None,)),
    "extensible, first": ((23, 17), (4, 5), (None, 17)),
    "extensible, last": ((7, 8, 50), (2, 3, 4), (9, 12, None)),
    "extensible, long": ((3000,), (1,), (None,)),
    "tree": ((23, 17), (4, 5), (None, None)),
    "tree, deep": ((60, 70), (1, 2), (None, None)),
    "tree of 3": ((13, 17, 8), (2, 3, 3), (None, None, 20)),
    "tree of 5": ((3, 4, 2, 3, 5), (2, 2, 2, 2, 2), (None,) * 5),
}


def create(file, name, shape, chunk, maxshape, **options):
    count = int(np.prod(shape))
    values = np.arange(count, dtype="<i4").reshape(shape)
    return file.create_dataset(name, data=values, chunks=chunk, maxshape=maxshape, **options)


def create_low_level(file, name, shape, maxshape, chunk, change):
    """Creates a dataset in ways that h5py's own interface does not offer."""
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk(chunk)
    change(creation)
    limits = tuple(h5py.h5s.UNLIMITED if n is None else n for n in maxshape)
    space = h5py.h5s.create_simple(shape, limits)
    low = h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_I32LE, space, creation)
    dataset = h5py.Dataset(low)
    dataset[...] = np.arange(np.prod(shape)).reshape(shape)


def write(path, libver):
    with h5py.File(path, "w", libver=libver) as file:
        for (kind, where), (filters, options) in itertools.product(SHAPES.items(), FILTERS.items()):
            create(file, f"{kind}, {filters}", *where, **options)
        for filters, options in FILTERS.items():
            for kind, maxshape in (
                ("fixed", (60, 40)),
                ("first", (None, 40)),
                ("both", (None,) * 2),
            ):
                name = f"resized {kind}, {filters}"
                smaller = create(file, name, (40, 40), (4, 5), maxshape, **options)
                smaller.resize((17, 30))
                smaller.resize((30, 37))
            sparse = file.create_dataset(
                f"sparse pages, {filters}",
                (100, 120),
                "<i4",
                chunks=(2, 3),
                fillvalue=-7,
                **options,
            )
            sparse[50:80, 40:90] = 3
            file.create_dataset(
                f"never written, {filters}", (20, 20), "<i4", chunks=(3, 4), fillvalue=9, **options
            )

        def allocate_early(creation):
            creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)

        create_low_level(file, "implicit", (10, 11), (10, 11), (3, 4), allocate_early)
        create_low_level(file, "implicit, with room", (10, 11), (12, 31), (3, 4), allocate_early)


@pytest.fixture(scope="module", params=["earliest", "v110", "latest"])
def files(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("chunks") / "chunks.h5"
    write(path, ("earliest", "v108") if request.param == "earliest" else (request.param, "latest"))
    with h5py.File(path) as theirs, onecast.File(path) as ours:
        yield theirs, ours


def random_part(rng, shape):
    part = []
    for extent in shape:
        first, stop = sorted(int(n) for n in rng.integers(0, extent + 1, 2))
        part.append(slice(first, stop, int(rng.integers(1, 9))))
    return tuple(part)


def test_all_and_parts(files):
    theirs, ours = files
    rng = np.random.default_rng(3)
    for name, expected in theirs.items():
        dataset = ours[name]
        assert dataset.chunks == expected.chunks
        for _ in range(5):
            part = random_part(rng, expected.shape)
            np.testing.assert_array_equal(dataset[part], expected[part], f"{name} {part}")
        np.testing.assert_array_equal(dataset[...], expected[...], name)
        # The second read uses the kept index.
        part = random_part(rng, expected.shape)
        np.testing.assert_array_equal(dataset[part], expected[part], f"{name} {part}")


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_few_of_very_many_chunks(path, filters, libver):
    """With so many, the extensible array has blocks in pages, of which few were written."""
    written = (3, 600_000, 600_007, 1_234_567, 1_999_999)
    with h5py.File(path, "w", libver=libver) as file:
        dataset = file.create_dataset(
            "x", (2_000_000,), "<i4", chunks=(3,), maxshape=(None,), fillvalue=5, **FILTERS[filters]
        )
        for at in written:
            dataset[at] = at
    expected = np.full(2_000_000, 5, "<i4")
    expected[list(written)] = written
    with onecast.File(path) as file:
        for at in written:
            part = slice(max(at - 50, 0), at + 50)
            np.testing.assert_array_equal(file["x"][part], expected[part])
        np.testing.assert_array_equal(file["x"][::1000], expected[::1000])
        np.testing.assert_array_equal(file["x"][...], expected)


def test_one_part_of_a_file_just_opened(files):
    """The first read asks the index for one chunk, and no table exists yet."""
    theirs, ours = files
    rng = np.random.default_rng(4)
    for name, expected in theirs.items():
        at = tuple(int(rng.integers(0, n)) for n in expected.shape)
        with onecast.File(ours.filename, load_policy="lazy") as fresh:
            assert fresh[name][at] == expected[at], f"{name} {at}"


@pytest.mark.parametrize("options", [
    {"decode_threads": 1}, {"decode_threads": 5}, {"decode_threads": 0},
    {"chunk_cache_bytes": 0}, {"chunk_cache_bytes": 700}, {"load_policy": "eager"},
    {"small_data_limit": 0},
])  # fmt: skip
def test_options_change_nothing(files, options):
    theirs, ours = files
    rng = np.random.default_rng(5)
    with onecast.File(ours.filename, **options) as file:
        for name, expected in theirs.items():
            part = random_part(rng, expected.shape)
            np.testing.assert_array_equal(file[name][part], expected[part], f"{name} {part}")
            np.testing.assert_array_equal(file[name][...], expected[...], name)


def test_many_threads(files):
    theirs, ours = files
    values = {name: dataset[...] for name, dataset in theirs.items() if dataset.size < 100_000}
    barrier = threading.Barrier(8)

    def read(seed):
        rng = np.random.default_rng(seed)
        barrier.wait()
        for _ in range(100):
            name = list(values)[rng.integers(len(values))]
            part = random_part(rng, values[name].shape)
            np.testing.assert_array_equal(file[name][part], values[name][part], f"{name} {part}")

    with onecast.File(ours.filename, decode_threads=2) as file, ThreadPoolExecutor(8) as pool:
        for _ in pool.map(read, range(8)):
            pass


def set_chunk_options(creation, options):
    """Calls H5Pset_chunk_opts of the library that h5py has loaded, which h5py does not offer."""
    folder = Path(h5py.__file__).parent.with_name("h5py.libs")
    found = list(folder.glob("libhdf5-*.so*"))
    if not found:
        pytest.skip("the library inside of h5py was not found")
    library = ctypes.CDLL(str(found[0]))
    library.H5Pset_chunk_opts.argtypes = [ctypes.c_int64, ctypes.c_uint]
    assert library.H5Pset_chunk_opts(creation.id, options) >= 0


def test_edge_chunks_that_are_not_filtered(path):
    """A flag of the layout message tells this."""
    dont_filter_partial_chunks = 2

    def change(creation):
        creation.set_deflate(4)
        set_chunk_options(creation, dont_filter_partial_chunks)

    with h5py.File(path, "w", libver="latest") as file:
        for maxshape in ((10, 11), (None, 11), (None, None)):
            create_low_level(file, str(maxshape), (10, 11), maxshape, (3, 4), change)
    with onecast.File(path) as file:
        for dataset in file.values():
            np.testing.assert_array_equal(dataset[...], np.arange(110).reshape(10, 11))
            np.testing.assert_array_equal(dataset[9], np.arange(99, 110))


def test_filters_left_out_for_some_chunks(path):
    """These chunks are stored unfiltered, and their mask says so."""
    with h5py.File(path, "w", libver="latest") as file:
        dataset = file.create_dataset("x", (4, 4), "<i4", chunks=(2, 4), compression="gzip")
        dataset[:2] = 1
        raw = np.full((2, 4), 7, "<i4").tobytes()
        dataset.id.write_direct_chunk((2, 0), raw, filter_mask=1)
    with onecast.File(path) as file:
        np.testing.assert_array_equal(file["x"][...], [[1] * 4] * 2 + [[7] * 4] * 2)


def test_neighbours_are_read_together(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.arange(100_000, dtype="<i4"), chunks=(500,))
    with onecast.File(path, small_data_limit=0) as file:
        dataset = file["x"]
        dataset[0]
        before = file.io_stats().reads
        np.testing.assert_array_equal(dataset[...], np.arange(100_000))
        assert file.io_stats().reads - before < 40  # of 200 chunks


def test_a_chunk_is_decoded_once(path):
    """Small reads of one chunk read the file once."""
    with h5py.File(path, "w") as file:
        values = np.random.default_rng(0).integers(0, 9, (300, 300)).astype("<i4")
        file.create_dataset("x", data=values, chunks=(100, 300), compression="gzip")
    with onecast.File(path, small_data_limit=0) as file:
        dataset = file["x"]
        dataset[0, 0]
        before = file.io_stats().reads
        for row in range(100):
            np.testing.assert_array_equal(dataset[row], values[row])
        assert file.io_stats().reads == before


def test_only_what_is_selected_is_read(path):
    """The chunks have no filters."""
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.zeros((1000, 4000), "<i4"), chunks=(1000, 1000))
    with onecast.File(path, small_data_limit=0) as file:
        dataset = file["x"]
        dataset[0, 0]
        before = file.io_stats().bytes_read
        dataset[500, 1500:1600]
        assert file.io_stats().bytes_read - before == 400


@pytest.mark.leaves_damage
@pytest.mark.parametrize("indexed", ["fixed", "extensible", "tree"])
def test_damage_is_named(path, indexed):
    """One chunk is damaged, and the others stay readable."""
    maxshape = {"fixed": (40, 40), "extensible": (None, 40), "tree": (None, None)}[indexed]
    with h5py.File(path, "w", libver="latest") as file:
        dataset = file.create_dataset("x", data=np.ones((40, 40)), chunks=(10, 10),
                                      maxshape=maxshape, compression="gzip")  # fmt: skip
        damaged = dataset.id.get_chunk_info_by_coord((10, 20)).byte_offset
    with open(path, "r+b") as raw:
        raw.seek(damaged + 2)
        raw.write(b"\xff\xff\xff\xff")
    with onecast.File(path) as file:
        dataset = file["x"]
        assert (dataset[:10] == 1).all()
        with pytest.raises(onecast.FormatError, match=f"chunk at address {damaged:#x}"):
            dataset[...]
        with pytest.raises(onecast.FormatError, match=f"chunk at address {damaged:#x}"):
            dataset[12, 22]
        assert (dataset[20:] == 1).all()


@st.composite
def chunked(draw):
    rank = draw(st.integers(1, 4))
    shape = tuple(draw(st.integers(1, 12)) for _ in range(rank))
    chunk = tuple(draw(st.integers(1, n)) for n in shape)
    maxshape = tuple(draw(st.sampled_from([n, n + 5, None])) for n in shape)
    options = draw(st.sampled_from(list(FILTERS.values())))
    grown = tuple(
        n if most == n else draw(st.integers(1, n + 5))
        for n, most in zip(shape, maxshape, strict=True)
    )
    libver = draw(st.sampled_from(["earliest", "latest"]))
    return shape, chunk, maxshape, options, grown, libver


@settings(max_examples=120, deadline=None)
@given(case=chunked(), seed=st.integers(0, 2**32 - 1))
def test_random(tmp_path_factory, case, seed):
    shape, chunk, maxshape, options, grown, libver = case
    path = tmp_path_factory.mktemp("random") / "file.h5"
    rng = np.random.default_rng(seed)
    with h5py.File(path, "w", libver=libver) as file:
        dataset = file.create_dataset(
            "x", shape, "<i2", chunks=chunk, maxshape=maxshape, fillvalue=-3, **options
        )
        for _ in range(3):
            part = random_part(rng, shape)
            dataset[part] = rng.integers(-99, 99)
        dataset.resize(grown)
        expected = dataset[...]
    with onecast.File(path) as file:
        for _ in range(6):
            part = random_part(rng, grown)
            np.testing.assert_array_equal(file["x"][part], expected[part])
        np.testing.assert_array_equal(file["x"][...], expected)


@pytest.mark.parametrize(
    "options",
    [{"chunks": (2,)}, {"chunks": True}, {"compression": "gzip"}, {"maxshape": (None,)}],
)
def test_not_compact_may_be_chunked(path, options):
    with onecast.File(path, "w") as f:
        made = f.create_dataset("x", data=np.arange(4), compact=False, **options)
        assert made.chunks is not None
        assert f.create_dataset("y", data=np.arange(4), compact=False).chunks is None
        with pytest.raises(ValueError, match="chunk"):
            f.create_dataset("z", data=np.arange(4), compact=True, **options)
    with h5py.File(path) as f:
        assert f["x"].chunks is not None and f["x"][:].tolist() == [0, 1, 2, 3]
