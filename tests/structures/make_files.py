"""Writes the files that the reading tests open. Their contents follow a rule of names and numbers
that the tests know: link i of a group of n is "link%06d", attribute i is "attr%05d" with the value
i.

    make_files.py old PATH | new PATH | tiny PATH | narrow PATH
"""

import sys

import h5py
import numpy as np

COUNTS = (0, 10, 1000, 100_000)


def fill_groups(file, **options):
    target = file.create_group("target")
    for count in COUNTS:
        group = file.create_group(f"group{count}", **options)
        # Links are created in reverse, so that neither order of creation nor of names may be
        # assumed.
        for i in reversed(range(count)):
            group[f"link{i:06}"] = target


def write_old(path):
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        fill_groups(file)
        file["group10"]["soft"] = h5py.SoftLink("/target/somewhere else")
        data = np.arange(300 * 200, dtype="i4").reshape(300, 200)
        file.create_dataset("chunked", data=data, chunks=(3, 5))
        file.create_dataset("filtered", data=data, chunks=(10, 20), compression="gzip")
        sparse = file.create_dataset("sparse", (1 << 40, 7, 9), dtype="u1", chunks=(16, 7, 4))
        sparse[1 << 39, 3, 5] = 1
        sparse[0, 0, 0] = 1
        text = file.create_dataset("text", 3000, dtype=h5py.string_dtype())
        text[:] = [f"value {i}" for i in range(3000)]


def write_new(path):
    with h5py.File(path, "w", libver="latest") as file:
        fill_groups(file, track_order=True)
        many = file.create_group("attributes", track_order=True)
        for i in reversed(range(2000)):
            many.attrs[f"attr{i:05}"] = np.int64(i)
        big = file.create_group("big", track_order=True)
        for i in range(40):
            big.attrs[f"attr{i:05}"] = np.full(i * 2000 + 1, i, dtype="u1")
        shape = (None, None)
        data = np.zeros((300, 200), "i4")
        file.create_dataset("chunked", data=data, chunks=(3, 5), maxshape=shape)


def write_tiny(path):
    """Writes a few of each old structure, for damage at every byte."""
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        group = file.create_group("group")
        for i in range(40):
            group[f"link{i:06}"] = h5py.SoftLink("/elsewhere")
        file.create_dataset("chunked", data=np.zeros((20, 20), "i1"), chunks=(5, 2))
        file.create_dataset("text", data=["some", "short", "texts"], dtype=h5py.string_dtype())


def write_narrow(path):
    """Writes dense storage in a file with addresses and lengths of 4 bytes."""
    creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    creation.set_sizes(4, 4)
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_V18, h5py.h5f.LIBVER_LATEST)
    with h5py.File(h5py.h5f.create(path.encode(), fcpl=creation, fapl=access)) as file:
        target = file.create_group("target")
        group = file.create_group("group", track_order=True)
        for i in range(3000):
            group[f"link{i:06}"] = target
        for i in range(30):
            group.attrs[f"attr{i:05}"] = np.full(i * 2000 + 1, i, dtype="u1")


if __name__ == "__main__":
    writers = {"old": write_old, "new": write_new, "tiny": write_tiny, "narrow": write_narrow}
    writers[sys.argv[1]](sys.argv[2])
