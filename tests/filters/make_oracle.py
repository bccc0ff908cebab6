"""Writes oracle.inc: chunks as stock HDF5 (through h5py) and zlib store them.

    python tests/filters/make_oracle.py > tests/filters/oracle.inc

The data are not in it: `pattern` and `ones` of filters_test.cpp make them again.
"""

import zlib

import h5py
import numpy as np


def pattern(size):
    return bytes((i * 37 + i // 7) & 0xFF for i in range(size))


def ones(size):
    return b"\xff" * size


def stored(data, width, filters):
    """The one chunk of a dataset of opaque elements of `width` bytes, and its pipeline."""
    elements = np.frombuffer(data, dtype=f"V{width}")
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((len(elements),))
    for name in filters:
        {
            "deflate": lambda: plist.set_deflate(6),
            "shuffle": plist.set_shuffle,
            "fletcher32": plist.set_fletcher32,
        }[name]()
    with h5py.File("oracle", "w", driver="core", backing_store=False) as file:
        space = h5py.h5s.create_simple((len(elements),))
        dtype = h5py.h5t.py_create(elements.dtype)
        dataset = h5py.h5d.create(file.id, b"d", dtype, space, plist)
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, elements)
        plist = dataset.get_create_plist()
        pipeline = [plist.get_filter(i) for i in range(plist.get_nfilters())]
        mask, chunk = dataset.read_direct_chunk((0,))
    assert mask == 0
    return [(number, list(values)) for number, _, values, _ in pipeline], chunk


def emit(name, maker, size, pipeline, chunk):
    filters = ", ".join(
        f"{{{number}, {{{', '.join(map(str, values))}}}}}" for number, values in pipeline
    )
    print(f'{{"{name}", {maker.__name__}, {size}, {{{filters}}},')
    text = chunk.hex()
    for i in range(0, len(text), 90):
        print(f' "{text[i : i + 90]}"')
    print("},")


def main():
    print("// Made by make_oracle.py.")
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
        emit(
            f"{'_'.join(filters)}_{maker.__name__}_{size}_by_{width}",
            maker,
            size,
            *stored(maker(size), width, filters),
        )
    for level in (0, 1, 9):
        chunk = zlib.compress(pattern(300), level)
        emit(f"zlib_level_{level}", pattern, 300, [(1, [level])], chunk)


main()
