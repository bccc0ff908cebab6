"""Writes datasets that all ranks read into another type: python make_converted.py FILE"""

import sys

import h5py
import numpy as np

ROWS, COLUMNS = 1500, 1000
rows, columns = np.indices((ROWS, COLUMNS), "<i4")
values = ((rows * 7 + columns) % 30000).astype("<f4")
with h5py.File(sys.argv[1], "w") as f:
    f.create_dataset("contiguous", data=values)
    f.create_dataset("plain chunks", data=values, chunks=(100, 300))
    f.create_dataset("filtered chunks", data=values, chunks=(100, 300), compression="gzip")
    f.create_dataset("columns", data=values, chunks=(ROWS, 10), compression="lzf")
