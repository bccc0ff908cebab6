"""Writes datasets whose elements lie elsewhere: python make_elsewhere.py FOLDER"""

import sys
from pathlib import Path

import h5py
import numpy as np

folder = Path(sys.argv[1])
values = np.arange(12, dtype="<i4")
(folder / "a.raw").write_bytes(values[:8].tobytes())
with h5py.File(folder / "source.h5", "w") as f:
    f["x"] = values.reshape(3, 4)
with h5py.File(folder / "file.h5", "w", libver="latest") as f:
    slots = [("a.raw", 0, 32), ("no.raw", 4, h5py.h5f.UNLIMITED)]
    f.create_dataset("external", (12,), "<i4", external=slots)
    layout = h5py.VirtualLayout((5, 4), "<i8")
    layout[1:4] = h5py.VirtualSource("source.h5", "x", (3, 4))
    f.create_virtual_dataset("virtual", layout, fillvalue=-1)
    f["plain"] = values
