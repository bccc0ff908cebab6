"""Prints name, shape and values of all datasets of a file, as h5py reads them.

show_datasets.py FILE
"""

import sys

import h5py


def show(name, thing):
    if isinstance(thing, h5py.Dataset):
        values = " ".join(str(v) for v in thing[...].reshape(-1).tolist())
        print(f"{name} ({', '.join(map(str, thing.shape))}) {values}")


with h5py.File(sys.argv[1]) as f:
    f.visititems(show)
