"""Onecast reads every filter as h5py and hdf5plugin write it, and filters of the user."""

import itertools
import os
import zlib
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import pytest
from h5py import h5d, h5p, h5s, h5t, h5z

import onecast

hdf5plugin = pytest.importorskip("hdf5plugin")

OWN = 40321  # not the number in the examples


# --- what h5py reads -----------------------------------------------------------------------------


def by_property_list(add):
    """Returns a way to create datasets that h5py's own functions lack."""

    def make(file, name, data, chunks):
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_chunk(chunks)
        add(plist, data)
        dtype = h5t.py_create(data.dtype)
        space = h5s.create_simple(data.shape)
        h5d.create(file.id, name.encode(), dtype, space, plist).write(h5s.ALL, h5s.ALL, data)

    return make


def by_options(**options):
    def make(file, name, data, chunks):
        file.create_dataset(name, data=data, chunks=chunks, **options)

    return make


def scaleoffset(fill):
    def add(plist, data):
        if fill:
            plist.set_fill_value(data.reshape(-1)[:1].reshape(()))
        if data.dtype.kind == "f":
            plist.set_scaleoffset(h5z.SO_FLOAT_DSCALE, 2)
        else:
            plist.set_scaleoffset(h5z.SO_INT, 0)

    return by_property_list(add)


def szip(coding, block):
    return by_options(compression="szip", compression_opts=(coding, block))


FILTERS = {
    "none": by_options(),
    "deflate": by_options(compression="gzip"),
    "shuffle deflate": by_options(compression="gzip", shuffle=True),
    "fletcher32": by_options(fletcher32=True),
    "all three": by_options(compression="gzip", shuffle=True, fletcher32=True),
    "szip nn 8": szip("nn", 8),
    "szip nn 10": szip("nn", 10),
    "szip ec 32": szip("ec", 32),
    "nbit": by_property_list(lambda plist, _: plist.set_filter(h5z.FILTER_NBIT, 0, ())),
    "scaleoffset": scaleoffset(fill=False),
    "scaleoffset fill": scaleoffset(fill=True),
    "lzf": by_options(compression="lzf"),
    "shuffle lzf": by_options(compression="lzf", shuffle=True),
    "zstd": by_options(**hdf5plugin.Zstd()),
    "shuffle zstd fletcher32": by_options(**hdf5plugin.Zstd(), shuffle=True, fletcher32=True),
    "lz4": by_options(**hdf5plugin.LZ4()),
    "lz4 blocks": by_options(**hdf5plugin.LZ4(nbytes=1000)),
    "bzip2": by_options(**hdf5plugin.BZip2()),
    **{
        f"bitshuffle {codec} {size}": by_options(**hdf5plugin.Bitshuffle(size, cname=codec))
        for codec in ("none", "lz4", "zstd")
        for size in (0, 64)
    },
    **{
        f"blosc {codec} {shuffle}": by_options(**hdf5plugin.Blosc(cname=codec, shuffle=shuffle))
        for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
        for shuffle in range(3)
    },
}
NUMBERS_ONLY = ("szip", "nbit", "scaleoffset")
SHAPES = [  # dataset, chunk: odd ones, with a partial last chunk, and one of one element
    ((1,), (1,)),
    ((7,), (7,)),
    ((100,), (33,)),
    ((37, 53), (10, 20)),
    ((3, 5, 700), (3, 2, 600)),
]
TYPES = ["<i1", "<u2", ">i2", "<i4", ">u4", "<i8", ">u8", "<f4", ">f4", "<f8", "S3", "S16", "S100"]


def values(kind, dtype, shape):
    count = int(np.prod(shape))
    numbers = {
        "smooth": np.arange(count) // 3,
        "random": np.random.default_rng(1).integers(0, 2**62, count),
        "constant": np.full(count, 5),
    }[kind]
    if np.dtype(dtype).kind == "S":
        return np.array([b"abc%d" % n for n in numbers], dtype).reshape(shape)
    return numbers.astype(dtype).reshape(shape)


@pytest.mark.parametrize("name", FILTERS)
def test_equal_to_h5py(path, name):
    made = []
    with h5py.File(path, "w") as file:
        for dtype, (shape, chunks), kind in itertools.product(
            TYPES, SHAPES, ("smooth", "random", "constant")
        ):
            if np.dtype(dtype).kind == "S" and name.startswith(NUMBERS_ONLY):
                continue
            if name.startswith("szip") and int(np.prod(chunks)) < int(name.split()[-1]):
                continue  # not allowed
            made.append(f"{dtype} {shape} {kind}")
            FILTERS[name](file, made[-1], values(kind, dtype, shape), chunks)
    with h5py.File(path) as stock, onecast.File(path) as file:
        for each in made:
            expected = stock[each][...]
            got = file[each][...]
            assert got.dtype == expected.dtype
            assert got.tobytes() == expected.tobytes(), each


def test_nbit_of_reduced_precision(path):
    with h5py.File(path, "w") as file:
        for base, precision, offset in (
            (h5t.STD_I32LE, 17, 0),
            (h5t.STD_I32LE, 17, 15),
            (h5t.STD_U16BE, 9, 3),
            (h5t.STD_I64BE, 40, 20),
        ):
            dtype = base.copy()
            dtype.set_precision(precision)
            dtype.set_offset(offset)
            plist = h5p.create(h5p.DATASET_CREATE)
            plist.set_chunk((50,))
            plist.set_filter(h5z.FILTER_NBIT, 0, ())
            name = f"{precision} {offset} {base.get_size()}".encode()
            dataset = h5d.create(file.id, name, dtype, h5s.create_simple((120,)), plist)
            dataset.write(h5s.ALL, h5s.ALL, np.arange(120, dtype="i8") * 2)
    with h5py.File(path) as stock, onecast.File(path) as file:
        for name in stock:
            assert (stock[name][...] == np.arange(120) * 2).all()
            assert (file[name][...] == stock[name][...]).all()


def test_optional_filters_that_were_left_out(path):
    """A chunk's mask has a bit for each filter that was not applied."""
    data = np.arange(40, dtype="<i4").reshape(4, 10)
    shuffled = data[0].view("u1").reshape(-1, 4).T.tobytes()
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset(
            "x", data.shape, data.dtype, chunks=(1, 10), compression="gzip", shuffle=True
        )
        dataset.id.write_direct_chunk((0, 0), zlib.compress(shuffled), 0)
        dataset.id.write_direct_chunk((1, 0), zlib.compress(data[1].tobytes()), 0b01)
        dataset.id.write_direct_chunk((2, 0), data[2].view("u1").reshape(-1, 4).T.tobytes(), 0b10)
        dataset.id.write_direct_chunk((3, 0), data[3].tobytes(), 0b11)
        # Random bytes do not become smaller, so the optional filter itself leaves them unchanged.
        noise = np.frombuffer(os.urandom(4000), "u1").reshape(4, 1000)
        file.create_dataset("noise", data=noise, chunks=(2, 500), compression="lzf")
        mask = file["noise"].id.read_direct_chunk((0, 0))[0]
        assert mask == 1
    with onecast.File(path) as file:
        assert (file["x"][...] == data).all()
        assert (file["noise"][...] == noise).all()


def test_missing_chunks_are_fill(path):
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset(
            "x", (30,), "<f4", chunks=(8,), fillvalue=1.5, **hdf5plugin.Zstd()
        )
        dataset[10:12] = 7
    with h5py.File(path) as stock, onecast.File(path) as file:
        assert (file["x"][...] == stock["x"][...]).all()


@pytest.mark.leaves_damage
@pytest.mark.parametrize("name", [n for n in FILTERS if n != "none"])
def test_damage_is_an_error_or_other_values(path, name):
    """There is never a crash, and wrong values only if no checksum could tell."""
    data = values("smooth", "<i4", (600,))
    with h5py.File(path, "w") as file:
        FILTERS[name](file, "x", data, (600,))
        place = file["x"].id.get_chunk_info(0)
    whole = path.read_bytes()
    random = np.random.default_rng(2)
    for _ in range(60):
        damaged = bytearray(whole)
        at = place.byte_offset + int(random.integers(place.size))
        damaged[at] ^= 1 << int(random.integers(8))
        path.write_bytes(damaged)
        try:
            with onecast.File(path) as file:
                assert file["x"][...].shape == data.shape
        except onecast.FormatError as error:
            assert "filter" in str(error) or "bytes" in str(error)


# --- filters of the user -------------------------------------------------------------------------


@pytest.fixture
def own(path):
    """Writes a file with a filter that no library has, and returns its data."""
    data = np.arange(1000, dtype="<i4").reshape(10, 100)
    with h5py.File(path, "w") as file:
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_chunk((2, 100))
        # The filter is optional, so HDF5 does not require it.
        plist.set_filter(OWN, h5z.FLAG_OPTIONAL, (3, 7))
        space = h5s.create_simple(data.shape)
        dataset = h5d.create(file.id, b"x", h5t.STD_I32LE, space, plist)
        for row in range(0, 10, 2):
            stored = bytes(b ^ 7 for b in data[row : row + 2].tobytes())
            dataset.write_direct_chunk((row, 0), stored, 0)
    yield data
    onecast.unregister_filter(OWN)


def test_register(path, own):
    seen = []

    def decode(stored, client_data):
        seen.append(client_data)
        return bytes(b ^ client_data[1] for b in stored)

    with onecast.File(path) as file:
        with pytest.raises(onecast.UnsupportedError, match="filter 40321"):
            file["x"][...]
        onecast.register_filter(OWN, "xor", decode)
        assert (file["x"][...] == own).all()
        assert set(seen) == {(3, 7)}
        onecast.register_filter(OWN, "xor", lambda stored, _: np.frombuffer(stored, "u1") ^ 7)
        assert (file["x"][3] == own[3]).all()
        assert onecast.unregister_filter(OWN)
        assert not onecast.unregister_filter(OWN)
    with onecast.File(path) as file, pytest.raises(onecast.UnsupportedError):
        file["x"][...]


def test_a_chunk_that_waits_is_encoded_once(path):
    calls = []

    def encode(data, _):
        calls.append(len(data))
        return bytes(b ^ 7 for b in data)

    onecast.register_filter(OWN, "xor", lambda stored, _: bytes(b ^ 7 for b in stored), encode)
    try:
        with onecast.File(path, "w") as file:
            x = file.create_dataset("x", (4, 10), "u1", chunks=(4, 10), compression=OWN)
            x[1] = 5  # only a part, so the chunk waits for the flush
            stored, chunks = onecast.read_stored_chunks(x)
            assert calls == [40]
            assert [(chunk.start, chunk.size) for chunk in chunks] == [((0, 0), 40)]
            assert (np.asarray(stored).reshape(4, 10) ^ 7 == x[...]).all()
            with pytest.raises(TypeError, match="like"):
                onecast.read_stored_chunks(x, like=3)
            with pytest.raises(ValueError, match="room"):
                onecast.read_stored_chunks(x, out=np.empty(39, "u1"))
    finally:
        onecast.unregister_filter(OWN)


def raises(stored, client_data):
    raise ValueError("no luck \udc80")


def uses_onecast(stored, client_data):
    onecast.File("other.h5")


@pytest.mark.parametrize(
    ("decode", "text"),
    [
        (raises, r"filter 40321 \(own\).*ValueError: no luck"),
        (lambda stored, _: 1, "TypeError"),
        (lambda stored, _: None, "TypeError"),
        (lambda stored, _: b"short", "5 bytes"),
        (lambda stored, _: bytes(10**6), "bytes"),
        (uses_onecast, "cannot use Onecast itself"),
    ],
)
def test_a_failure_names_chunk_and_filter(path, own, decode, text):
    onecast.register_filter(OWN, "own", decode)
    with onecast.File(path) as file, pytest.raises(onecast.FormatError, match=text) as error:
        file["x"][...]
    assert "file.h5" in str(error.value)


def test_register_on_many_threads(path, own):
    onecast.register_filter(OWN, "xor", lambda stored, _: bytes(b ^ 7 for b in stored))
    with onecast.File(path) as file, ThreadPoolExecutor(4) as pool:

        def read(row):
            onecast.register_filter(OWN, "xor", lambda stored, _: bytes(b ^ 7 for b in stored))
            return (file["x"][row % 10] == own[row % 10]).all()

        assert all(pool.map(read, range(100)))


def test_a_compression_that_is_not_there_is_refused_when_the_dataset_is_created(path):
    with (
        h5py.File(path, "w") as file,
        pytest.raises(ValueError, match="Unknown compression filter"),
    ):
        file.create_dataset("x", (5,), compression=33333)
    with onecast.File(path, "w") as file:
        with pytest.raises(ValueError, match="Unknown compression filter number: 33333"):
            file.create_dataset("x", (5,), compression=33333)
        onecast.register_filter(33333, "only read", lambda stored, _: stored)
        try:
            with pytest.raises(ValueError, match=r"33333 \(only read\) is only read"):
                file.create_dataset("x", (5,), compression=33333)
            onecast.register_filter(33333, "both", lambda s, _: s, lambda plain, _: plain)
            file.create_dataset("x", data=np.arange(5), compression=33333)
        finally:
            onecast.unregister_filter(33333)
        assert list(file) == ["x"]


def test_register_refuses():
    def decode(stored, client_data):
        return stored

    for number in (1, 4, 32001):
        with pytest.raises(ValueError, match="own and cannot be replaced"):
            onecast.register_filter(number, "mine", decode)
    for number in (-1, 0, 255, 65536):
        with pytest.raises(ValueError, match=f"id {number}: .*256"):
            onecast.register_filter(number, "mine", decode)
    with pytest.raises(TypeError):
        onecast.register_filter(OWN, "mine", None)


def test_register_for_writing(path):
    def decode(stored, client_data):
        return zlib.decompress(stored, wbits=client_data[0] - 30)

    def encode(plain, client_data):
        if plain == bytes(len(plain)):
            return None
        if plain[0] == 77:
            raise ValueError("no 77")
        return zlib.compress(plain, wbits=client_data[0] - 30)

    data = np.arange(1000, dtype="<i4").reshape(10, 100) % 50
    data[4:6] = 0
    data[6, 0] = 77
    onecast.register_filter(OWN, "raw deflate", decode, encode)
    try:
        with onecast.File(path, "w") as file:
            options = {"chunks": (2, 100), "compression": OWN, "compression_opts": (15,)}
            file.create_dataset("x", data=data, **options)
            y = file.create_dataset("y", data.shape, data.dtype, shuffle=True, **options)
            for row in range(10):
                y[row] = data[row]
        with onecast.File(path) as file:
            np.testing.assert_array_equal(file["x"][...], data)
            np.testing.assert_array_equal(file["y"][...], data)
        with h5py.File(path) as file:
            assert file["x"].id.get_create_plist().get_filter(0)[0] == OWN
            assert file["x"].id.get_create_plist().get_filter(0)[2] == (15,)
            for row in range(0, 10, 2):
                mask, stored = file["x"].id.read_direct_chunk((row, 0))
                plain = data[row : row + 2].tobytes()
                assert mask == (1 if row in (4, 6) else 0)
                assert (stored if mask else zlib.decompress(stored, wbits=-15)) == plain
                assert mask or len(stored) < len(plain)
        onecast.register_filter(OWN, "raw deflate", decode)
        with onecast.File(path, "r+") as file:
            file["x"][0] = 5  # without an encoder, the chunk is stored unfiltered
        with h5py.File(path) as file:
            assert file["x"].id.read_direct_chunk((0, 0))[0] == 1
            assert file["x"][0].tolist() == [5] * 100
    finally:
        onecast.unregister_filter(OWN)
    with pytest.raises(TypeError, match="encode"):
        onecast.register_filter(OWN, "mine", decode, 5)


@pytest.mark.parametrize("name", ["text", "list"])
def test_fletcher32_is_not_for_values_of_variable_length(lib, path, name):
    dtype = lib.string_dtype() if name == "text" else lib.vlen_dtype("i4")
    with lib.File(path, "w") as file:
        with pytest.raises(ValueError, match=r"suitable for filters|fletcher32"):
            file.create_dataset("x", (10,), dtype, chunks=(4,), fletcher32=True)
        for kind in (np.dtype([("a", dtype)]), np.dtype((dtype, (2,))), lib.ref_dtype):
            file.create_dataset(f"y{len(file)}", (10,), kind, chunks=(4,), fletcher32=True)


def test_level_0_is_a_filter(lib, file):
    for level in (0, np.int64(0)):
        made = file.create_dataset(f"{type(level).__name__}", (100,), "f4", compression=level)
        assert (made.compression, made.compression_opts) == ("gzip", 0) and made.chunks
    with pytest.raises(TypeError):
        file.create_dataset("x", (100,), "f4", compression=0, compression_opts=3)
