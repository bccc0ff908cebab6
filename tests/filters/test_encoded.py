"""Stock HDF5 decodes what the core encodes: chunks for each filter and several datatypes are put
unchanged into datasets that h5py made with the same filter, and h5py reads them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np
import pytest
from h5py import h5d, h5p, h5s, h5t, h5z

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi")) / (
    "filters_tests"
)
COUNT = 1000


def plugin(chosen):
    return chosen.filter_id, tuple(chosen.filter_options)


SHUFFLE = (h5z.FILTER_SHUFFLE, ())
FLETCHER32 = (h5z.FILTER_FLETCHER32, ())
FILTERS = {
    **{f"deflate{n}": [(h5z.FILTER_DEFLATE, (n,))] for n in range(10)},
    "shuffle": [SHUFFLE],
    "fletcher32": [FLETCHER32],
    "common": [SHUFFLE, (h5z.FILTER_DEFLATE, (4,)), FLETCHER32],
    **{
        f"szip_{mask}_{block}": [(h5z.FILTER_SZIP, (mask, block))]
        for mask in (h5z.SZIP_NN_OPTION_MASK, h5z.SZIP_EC_OPTION_MASK)
        for block in (2, 8, 10, 16, 32)
    },
    "nbit": [(h5z.FILTER_NBIT, ())],
    **{f"scaleoffset{n}": [(h5z.FILTER_SCALEOFFSET, (h5z.SO_INT, n))] for n in (0, 6)},
    **{f"decimal{n}": [(h5z.FILTER_SCALEOFFSET, (h5z.SO_FLOAT_DSCALE, n))] for n in (0, 2, 9)},
    "lzf": [(32000, ())],
    "shuffle_lzf": [SHUFFLE, (32000, ())],
    "lz4": [plugin(hdf5plugin.LZ4())],
    "lz4_blocks": [plugin(hdf5plugin.LZ4(nbytes=999))],
    **{f"zstd{n}": [plugin(hdf5plugin.Zstd(clevel=n))] for n in (1, 3, 19)},
    **{f"bzip2_{n}": [plugin(hdf5plugin.BZip2(blocksize=n))] for n in (1, 9)},
    **{
        f"bitshuffle_{codec}_{block}": [plugin(hdf5plugin.Bitshuffle(nelems=block, cname=codec))]
        for codec in ("none", "lz4", "zstd")
        for block in (0, 16, 1024)
    },
    **{
        f"blosc_{codec}_{shuffle}": [plugin(hdf5plugin.Blosc(codec, 5, shuffle))]
        for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
        for shuffle in range(3)
    },
}


def precise(base, precision, offset):
    dtype = base.copy()
    dtype.set_precision(precision)
    dtype.set_offset(offset)
    return dtype


def compound():
    dtype = h5t.create(h5t.COMPOUND, 12)
    dtype.insert(b"a", 1, precise(h5t.STD_U16BE, 9, 4))
    dtype.insert(b"b", 4, h5t.IEEE_F32LE)
    dtype.insert(b"c", 8, precise(h5t.STD_I32LE, 20, 5))
    return dtype


TYPES = {
    **{str(np.dtype(d).str): h5t.py_create(np.dtype(d)) for d in ("i1", "u1", "<i2", ">u2")},
    **{str(np.dtype(d).str): h5t.py_create(np.dtype(d)) for d in ("<i4", ">i8", "<f4", ">f8")},
    "bits": precise(h5t.STD_U32LE, 11, 3),
    "compound": compound(),
    "string": h5t.py_create(np.dtype("S7")),
}


def chunks(dtype):
    """Yields one chunk of each kind: incompressible, all elements equal, few values, rising
    values."""
    size = dtype.get_size()
    random = np.random.default_rng(1)
    yield random.bytes(COUNT * size)
    yield bytes(COUNT * size)
    yield (
        np.repeat(random.integers(0, 9, COUNT * size // 50 + 1), 50)[: COUNT * size]
        .astype("u1")
        .tobytes()
    )
    if dtype.get_class() in (h5t.INTEGER, h5t.FLOAT) and dtype.get_precision() == 8 * size:
        rising = np.linspace(0, 100, COUNT) + random.random(COUNT)
        yield rising.astype(dtype.dtype).tobytes()


def dataset(file, name, dtype, pipeline):
    """Creates a dataset of one chunk. Returns None if stock HDF5 refuses it."""
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((COUNT,))
    for number, options in pipeline:
        if number == h5z.FILTER_SZIP:
            plist.set_szip(*options)
        elif number == h5z.FILTER_SCALEOFFSET:
            plist.set_scaleoffset(*options)
        else:
            plist.set_filter(number, h5z.FLAG_OPTIONAL, options)
    try:
        return h5d.create(file.id, name.encode(), dtype, h5s.create_simple((COUNT,)), plist)
    except ValueError:
        return None


def read(made, dtype):
    out = np.empty(COUNT, f"V{dtype.get_size()}")
    made.read(h5s.ALL, h5s.ALL, out, dtype)
    return out.tobytes()


def encoded(requests, folder):
    """Yields the core's results for the requests: (filter mask, bytes)."""
    (folder / "requests").write_text("".join(f"{line}\n" for line in requests))
    subprocess.run(
        [PROGRAM, "--gtest_filter=EncodeRequests.*"],
        env=os.environ
        | {
            "ONECAST_ENCODE_REQUESTS": str(folder / "requests"),
            "ONECAST_ENCODED": str(folder / "encoded"),
        },
        check=True,
        capture_output=True,
    )
    lines = (folder / "encoded").read_text().split("\n")[:-1]
    for mask, _, digits in (line.partition(" ") for line in lines):
        yield int(mask), bytes.fromhex(digits)


def request(made, data):
    plist = made.get_create_plist()
    filters = [plist.get_filter(i) for i in range(plist.get_nfilters())]
    text = ";".join(f"{code}:{','.join(map(str, values))}" for code, _, values, _ in filters)
    return f"{text} {data.hex()}"


@pytest.mark.parametrize("pipeline", FILTERS.values(), ids=FILTERS.keys())
def test_stock_hdf5_reads_what_is_encoded(pipeline, tmp_path):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    with (
        h5py.File(tmp_path / "ours.h5", "w") as ours,
        h5py.File(tmp_path / "stock.h5", "w") as stock,
    ):
        cases = []
        for name, dtype in TYPES.items():
            for i, data in enumerate(chunks(dtype)):
                made = dataset(ours, f"{name}_{i}", dtype, pipeline)
                if made is not None:
                    cases.append((f"{name}_{i}", dtype, made, data))
        assert cases
        requests = [request(made, data) for _, _, made, data in cases]
        for (name, dtype, made, data), (mask, chunk) in zip(
            cases, encoded(requests, tmp_path), strict=True
        ):
            made.write_direct_chunk((0,), chunk, mask)
            theirs = dataset(stock, name, dtype, pipeline)
            theirs.write(h5s.ALL, h5s.ALL, np.frombuffer(data, f"V{dtype.get_size()}"), dtype)
            stock.flush()
            assert mask == theirs.get_chunk_info(0).filter_mask, name
    # The files are opened again, since the cache of chunks has the written data.
    with h5py.File(tmp_path / "ours.h5") as ours, h5py.File(tmp_path / "stock.h5") as stock:
        for name, dtype, _, _ in cases:
            assert read(ours[name].id, dtype) == read(stock[name].id, dtype), name
