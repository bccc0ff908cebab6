"""Writes the files that the tests of chunk indexes open. Element i of each dataset, in C order, has
the value i. The version 1 B-trees are in PATH.old.

    make_chunk_files.py small PATH | large PATH
"""

import sys

import h5py
import numpy as np


def write(file, name, shape, chunks, maxshape, **options):
    count = int(np.prod(shape))
    dataset = file.create_dataset(
        name, shape, "<i4", chunks=chunks, maxshape=maxshape, fillvalue=-1, **options
    )
    dataset[...] = np.arange(count, dtype="<i4").reshape(shape)
    return dataset


def early(file, name, shape, chunks, maxshape):
    """Creates a dataset with an implicit index, in the only way."""
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk(chunks)
    creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    space = h5py.h5s.create_simple(shape, maxshape)
    dataset = h5py.Dataset(
        h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_I32LE, space, creation)
    )
    dataset[...] = np.arange(np.prod(shape)).reshape(shape)


def write_all(path, size=1):
    with h5py.File(path, "w", libver="latest") as file:
        for kind, options in (("plain", {}), ("filtered", {"compression": 1})):
            write(file, f"single {kind}", (6, 10), (6, 10), (6, 10), **options)
            write(file, f"fixed {kind}", (23, 17), (4, 5), (40, 30), **options)
            write(file, f"extensible first {kind}", (23, 17), (4, 5), (None, 17), **options)
            write(file, f"extensible last {kind}", (7, 8, 50), (2, 3, 4), (9, 12, None), **options)
            write(file, f"tree {kind}", (13 * size, 17), (1, 2), (None, None), **options)
            if size == 1:
                continue
            write(file, f"paged {kind}", (5000,), (1,), (5000,), **options)
            write(file, f"long {kind}", (30000,), (1,), (None,), **options)
        early(file, "implicit", (10, 11), (3, 4), (12, 31))
    with h5py.File(path + ".old", "w", libver=("earliest", "v108")) as file:
        for kind, options in (("plain", {}), ("filtered", {"compression": 1})):
            write(file, f"old {kind}", (30 * size, 20), (3, 2), (None, None), **options)


if __name__ == "__main__":
    write_all(sys.argv[-1], 1 if sys.argv[1] == "small" else 20)
