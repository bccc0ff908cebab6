"""Changes files: an attribute and a dataset are added, a group is copied, datasets are written,
extended and removed. Prints a line for each file: what was done, and what failed.

    python change.py FILE ...

A file that takes longer than CHANGE_SECONDS ends the process.
"""

import os
import signal
import sys
from pathlib import Path

import h5py
import numpy as np


def change(path):
    said = []

    def attempt(name, work):
        try:
            work()
            said.append(name)
        except Exception as error:
            said.append(f"{name}:{type(error).__name__}")

    with h5py.File(path, "r+") as file:
        datasets, groups = [], []

        def found(name, thing):
            (datasets if isinstance(thing, h5py.Dataset) else groups).append(name)

        attempt("attribute", lambda: file.attrs.__setitem__("added", 5))
        attempt("visit", lambda: file.visititems(found))
        attempt("dataset", lambda: file.__setitem__("added group/added", np.arange(100)))
        if groups:
            attempt("copy", lambda: file.copy(groups[0], "a copy"))
        for dataset in [file[name] for name in datasets[:6]]:
            is_small = 0 < dataset.size < 1_000_000
            is_number = dataset.dtype.kind in "iuf" and dataset.dtype.itemsize <= 8
            attempt("attribute", lambda to=dataset: to.attrs.__setitem__("more", "text"))
            if is_small and dataset.chunks and dataset.maxshape[0] is None:
                attempt("extend", lambda to=dataset: to.resize(to.shape[0] + 3, axis=0))
            if is_small and dataset.shape and is_number:
                attempt("write", lambda to=dataset: to.__setitem__(0, 1))
        if datasets:
            attempt("remove", lambda: file.__delitem__(datasets[-1]))
        for name in list(file.attrs)[:2]:
            attempt("remove attribute", lambda name=name: file.attrs.__delitem__(name))
    return said


for name in sys.argv[1:]:
    signal.alarm(int(os.environ.get("CHANGE_SECONDS", "60")))
    try:
        done = " ".join(change(name))
    except Exception as error:
        done = f"open:{type(error).__name__}"
    print(Path(name).name, done, flush=True)
