"""Writes datasets of equal values, to be converted: make_converted.py FILE [ROWS COLUMNS]"""

import sys

import h5py
import numpy as np

ROWS, COLUMNS = map(int, sys.argv[2:4] or (1800, 1000))
rows, columns = np.indices((ROWS, COLUMNS), "<i4")
values = ((rows * 7 + columns) % 30000).astype("<f4")
with h5py.File(sys.argv[1], "w") as f:
    f.create_dataset("contiguous", data=values)
    f.create_dataset("plain chunks", data=values, chunks=(100, 300))
    f.create_dataset("filtered chunks", data=values, chunks=(100, 300), compression="gzip")
    f.create_dataset("columns", data=values, chunks=(ROWS, 10), compression="lzf")

    # The sources are in this file and in another one, have another type, and their columns
    # alternate.
    third = ROWS // 3
    with h5py.File(sys.argv[1] + ".source", "w") as other:
        other.create_dataset("doubles", data=values[third : 2 * third].astype("f8"))
        other.create_dataset("even", data=values[2 * third :, ::2], chunks=(90, 70), compression=1)
    f.create_dataset("odd", data=values[2 * third :, 1::2].astype("i2"), chunks=(third, 7))
    layout = h5py.VirtualLayout((ROWS, COLUMNS), "<f4")
    sources = [
        (np.s_[:third], ".", "filtered chunks", (ROWS, COLUMNS)),
        (np.s_[third : 2 * third], f.filename + ".source", "doubles", (third, COLUMNS)),
        (np.s_[2 * third :, ::2], f.filename + ".source", "even", (third, COLUMNS // 2)),
        (np.s_[2 * third :, 1::2], ".", "odd", (third, COLUMNS // 2)),
    ]
    for part, file, name, shape in sources:
        source = h5py.VirtualSource(file, name, shape)
        layout[part] = source[:third]
    f.create_virtual_dataset("virtual", layout, fillvalue=-1)
with h5py.File(sys.argv[1]) as f:
    assert (f["virtual"][:] == values).all()
