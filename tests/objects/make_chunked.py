"""Writes a file with unfiltered datasets of every chunk index.

make_chunked.py FILE
"""

import sys

import h5py
import numpy as np

values = np.arange(63, dtype="i4").reshape(9, 7)


def make(group, **storage):
    for name, chunks, maxshape in (
        ("one", (9, 7), None),
        ("fixed", (4, 3), None),
        ("row", (4, 3), (None, 7)),
        ("all", (4, 3), (None, None)),
    ):
        group.create_dataset(
            f"{storage['prefix']}{name}", data=values, chunks=chunks, maxshape=maxshape
        )


with h5py.File(sys.argv[1], "w", libver="latest") as f:
    make(f, prefix="new ")
with h5py.File(sys.argv[1], "a", libver="earliest") as f:
    make(f, prefix="old ")
