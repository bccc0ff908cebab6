"""Writes oracle_*.inc: chunks as stock HDF5 (through h5py and hdf5plugin) and zlib store them.

    python tests/filters/make_oracle.py tests/filters

A case consists of its name, its data (bytes, or how oracle.cpp makes them), its pipeline and its
chunk.
"""

import sys
import zlib
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np
from h5py import h5d, h5p, h5s, h5t, h5z


def pattern(size):
    return bytes((i * 37 + i // 7) & 0xFF for i in range(size))


def ones(size):
    return b"\xff" * size


def opaque(width):
    return h5t.py_create(np.dtype(f"V{width}"))


def stored(data, dtype, add_filters, fill=None):
    """Returns the only chunk of a dataset: its pipeline, its bytes, and what stock HDF5 reads from
    it."""
    count = len(data) // dtype.get_size()
    elements = np.frombuffer(data, dtype=f"V{dtype.get_size()}")
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((count,))
    if fill is not None:
        plist.set_fill_value(fill)
    add_filters(plist)
    with h5py.File("oracle", "w", driver="core", backing_store=False) as file:
        space = h5s.create_simple((count,))
        dataset = h5d.create(file.id, b"d", dtype, space, plist)
        dataset.write(h5s.ALL, h5s.ALL, elements, dtype)
        plist = dataset.get_create_plist()
        pipeline = [plist.get_filter(i) for i in range(plist.get_nfilters())]
        mask, chunk = dataset.read_direct_chunk((0,))
        file.flush()
        image = file.id.get_file_image()
    assert mask == 0
    # The file is opened again: the cache still had the written data, and filters may lose some of
    # it.
    with h5py.File.in_memory(image) as file:
        back = np.empty(count, elements.dtype)
        file["d"].id.read(h5s.ALL, h5s.ALL, back, dtype)
    return [(number, list(values)) for number, _, values, _ in pipeline], chunk, back.tobytes()


def text(data):
    digits = data.hex()
    return "\n".join(f' "{digits[i : i + 90]}"' for i in range(0, len(digits), 90)) or ' ""'


def case(name, data, pipeline, chunk):
    """Returns one line of C++."""
    filters = ", ".join(
        f"{{{number}, {{{', '.join(map(str, values))}}}}}" for number, values in pipeline
    )
    if isinstance(data, bytes):
        data = f"hex(\n{text(data)})"
    return f'{{"{name}", {data}, {{{filters}}},\n{text(chunk)}\n}},'


# --- deflate, shuffle, fletcher32 ----------------------------------------------------------------


def add_named(names):
    def add(plist):
        for name in names:
            {
                "deflate": lambda: plist.set_deflate(6),
                "shuffle": plist.set_shuffle,
                "fletcher32": plist.set_fletcher32,
            }[name]()

    return add


def common():
    cases = [
        (pattern, 400, 4, ["deflate"]),
        (ones, 4000, 4, ["deflate"]),
        (pattern, 30, 2, ["shuffle"]),
        (pattern, 33, 3, ["shuffle"]),
        (pattern, 64, 8, ["shuffle"]),
        (pattern, 80, 16, ["shuffle"]),
        (pattern, 40, 1, ["shuffle"]),
        (pattern, 12, 12, ["shuffle"]),
        (pattern, 100, 4, ["fletcher32"]),
        (pattern, 7, 1, ["fletcher32"]),
        (pattern, 1, 1, ["fletcher32"]),
        (pattern, 1001, 1, ["fletcher32"]),
        (ones, 1, 1, ["fletcher32"]),
        (ones, 2, 1, ["fletcher32"]),
        (ones, 1500, 1, ["deflate", "fletcher32"]),
        (ones, 6001, 1, ["fletcher32", "deflate"]),
        (pattern, 400, 4, ["shuffle", "deflate", "fletcher32"]),
        (pattern, 400, 8, ["deflate", "fletcher32", "shuffle"]),
        (pattern, 301, 7, ["fletcher32", "shuffle", "deflate"]),
    ]
    for maker, size, width, filters in cases:
        pipeline, chunk, _ = stored(maker(size), opaque(width), add_named(filters))
        name = f"{'_'.join(filters)}_{maker.__name__}_{size}_by_{width}"
        yield (name, f"{maker.__name__}({size})", pipeline, chunk)
    for level in (0, 1, 9):
        chunk = zlib.compress(pattern(300), level)
        yield (f"zlib_level_{level}", "pattern(300)", [(1, [level])], chunk)


# --- n-bit ---------------------------------------------------------------------------------------


def number(base, precision, offset=0):
    dtype = base.copy()
    dtype.set_precision(precision)
    dtype.set_offset(offset)
    return dtype


def compound(size, *members):
    dtype = h5t.create(h5t.COMPOUND, size)
    for i, (offset, member) in enumerate(members):
        dtype.insert(f"m{i}".encode(), offset, member)
    return dtype


def nbit():
    inner = compound(7, (0, number(h5t.STD_U16BE, 9, 4)), (3, number(h5t.STD_I32LE, 20, 5)))
    types = {
        "u8": number(h5t.STD_U8LE, 5, 2),
        "i16": number(h5t.STD_I16LE, 11, 3),
        "i16_be": number(h5t.STD_I16BE, 11, 3),
        "i32": number(h5t.STD_I32LE, 17),
        "i32_aligned": number(h5t.STD_I32LE, 16, 8),
        "u32_be": number(h5t.STD_U32BE, 17, 15),
        "i64": number(h5t.STD_I64LE, 33, 12),
        "u64_be": number(h5t.STD_U64BE, 63),
        "u64_wide": number(h5t.STD_U64LE, 60, 2),
        "array": h5t.array_create(number(h5t.STD_I16LE, 9, 1), (2, 3)),
        "array_of_array": h5t.array_create(
            h5t.array_create(number(h5t.STD_I32BE, 19, 7), (2,)), (3,)
        ),
        "array_of_compound": h5t.array_create(inner, (2,)),
        "array_of_opaque": compound(
            8, (0, h5t.array_create(opaque(3), (2,))), (6, number(h5t.STD_U8LE, 5))
        ),
        "compound": compound(
            32,
            (1, number(h5t.STD_U8LE, 7)),
            (2, inner),
            (10, opaque(3)),
            (16, h5t.IEEE_F64BE),
            (24, h5t.array_create(number(h5t.STD_I16BE, 10, 2), (3,))),
        ),
        "string": h5t.py_create(np.dtype("S5")),
        "whole": h5t.STD_I32LE,
    }
    for name, dtype in types.items():
        size = dtype.get_size() * 5
        pipeline, chunk, back = stored(
            pattern(size), dtype, lambda plist: plist.set_filter(h5z.FILTER_NBIT, 0, ())
        )
        yield (f"nbit_{name}", back, pipeline, chunk)


# --- scale-offset --------------------------------------------------------------------------------


def scaleoffset():
    integers = [1000, 1003, 1100, 1000, 1063, 1001, 1002]
    floats = [0.25, 17.5, -3.75, 0.0, 100.25]
    cases = [
        *((d, [x - 990 for x in integers], None, 0) for d in ("u1", "i1")),
        *((d, integers, None, 0) for d in ("<i2", ">i2", "<u4", ">i4", "<i8", ">u8")),
        ("<i4", [-x for x in integers], None, 0),
        ("<i4", [-5, 7, 7, -9, 100], 7, 0),
        (">u8", [5, 7, 7, 9, 100], 7, 0),
        ("u1", [5, 7, 7, 9, 100], 9, 0),
        ("<i4", [7, 7, 7], 7, 0),
        ("<i4", [7, 7, 7], None, 0),
        ("<i4", integers, None, 8),
        ("<i4", integers, None, 32),
        ("<i4", [-(2**31), 2**31 - 1, 0], None, 0),
        (">i2", [-(2**15), 2**15 - 1, 0], None, 0),
        *((d, floats, None, 2) for d in ("<f4", ">f4", "<f8", ">f8")),
        ("<f4", floats, 17.5, 2),
        (">f8", floats, 0.0, 3),
        ("<f8", [1e300, -1e300], None, 2),
    ]
    for i, (dtype, values, fill, scale) in enumerate(cases):
        dtype = np.dtype(dtype)
        kind = h5z.SO_FLOAT_DSCALE if dtype.kind == "f" else h5z.SO_INT

        def add(plist, kind=kind, scale=scale):
            plist.set_scaleoffset(kind, scale)

        if fill is not None:
            fill = np.array(fill, dtype)
        pipeline, chunk, back = stored(
            np.array(values, dtype).tobytes(), h5t.py_create(dtype), add, fill
        )
        yield (f"scaleoffset_{i}_{dtype.kind}{dtype.itemsize}", back, pipeline, chunk)


# --- szip ----------------------------------------------------------------------------------------


def szip():
    cases = [
        (h5t.STD_U8LE, 100, "nn", 8),
        (h5t.STD_U8LE, 37, "ec", 10),
        (h5t.STD_I16LE, 64, "nn", 16),
        (h5t.STD_I16BE, 50, "nn", 4),
        (h5t.STD_I32LE, 33, "nn", 32),
        (h5t.STD_I32BE, 40, "ec", 8),
        (h5t.IEEE_F64LE, 21, "nn", 2),
        (number(h5t.STD_U32LE, 20), 30, "nn", 6),
    ]
    for i, (dtype, count, coding, block) in enumerate(cases):
        mask = h5z.SZIP_NN_OPTION_MASK if coding == "nn" else h5z.SZIP_EC_OPTION_MASK
        data = bytes(x % 5 for x in range(count * dtype.get_size()))
        pipeline, chunk, back = stored(
            data, dtype, lambda plist, m=mask, b=block: plist.set_szip(m, b)
        )
        yield (f"szip_{i}_{coding}_{block}", back, pipeline, chunk)


# --- registered filters --------------------------------------------------------------------------


def registered():
    cases = {
        "lzf": (32000, ()),
        "lz4": hdf5plugin.LZ4(),
        "lz4_blocks": hdf5plugin.LZ4(nbytes=100),
        "zstd": hdf5plugin.Zstd(),
        "bzip2": hdf5plugin.BZip2(),
        "bitshuffle": hdf5plugin.Bitshuffle(cname="none"),
        "bitshuffle_lz4": hdf5plugin.Bitshuffle(cname="lz4"),
        "bitshuffle_zstd": hdf5plugin.Bitshuffle(cname="zstd"),
        "bitshuffle_blocks": hdf5plugin.Bitshuffle(nelems=16, cname="none"),
        "bitshuffle_lz4_blocks": hdf5plugin.Bitshuffle(nelems=16, cname="lz4"),
        **{
            f"blosc_{codec}_{shuffle}": hdf5plugin.Blosc(cname=codec, shuffle=shuffle)
            for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
            for shuffle in range(3)
        },
    }
    for name, chosen in cases.items():
        number, options = (
            chosen if isinstance(chosen, tuple) else (chosen.filter_id, chosen.filter_options)
        )
        for width, count in ((1, 103), (4, 67), (8, 35), (12, 21)):
            if width != 4 and not name.startswith("bitshuffle"):
                continue
            data = bytes(i // 9 % 7 for i in range(width * count))
            pipeline, chunk, back = stored(
                data,
                opaque(width),
                lambda plist, n=number, o=options: plist.set_filter(n, 0, tuple(o)),
            )
            assert back == data
            yield (f"{name}_{width}", back, pipeline, chunk)


def main(folder):
    for group in (common, nbit, scaleoffset, szip, registered):
        lines = ["// Made by make_oracle.py.", *(case(*each) for each in group())]
        Path(folder, f"oracle_{group.__name__}.inc").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
