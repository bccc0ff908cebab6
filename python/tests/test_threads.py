"""Threads may use one file at the same time."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import onecast


def test_readers(path):
    with onecast.File(path, "w") as f:
        for i in range(200):
            f[f"group {i}/x"] = np.full(2000, i)
            f[f"group {i}"].attrs["number"] = i

    with onecast.File(path, load_policy="lazy") as f, ThreadPoolExecutor(8) as pool:

        def read(i):
            group = f[f"group {i % 200}"]
            return group.attrs["number"] == i % 200 and (group["x"][...] == i % 200).all()

        assert all(pool.map(read, range(2000)))


def test_writers(path):
    with onecast.File(path, "w") as f, ThreadPoolExecutor(8) as pool:
        x = f.create_dataset("x", (400, 500), "i4")

        def write(i):
            x[i] = i
            f.create_group(f"group {i}").attrs["number"] = i

        list(pool.map(write, range(400)))
    with onecast.File(path) as f:
        assert (f["x"][...] == np.arange(400)[:, None]).all()
        assert all(f[f"group {i}"].attrs["number"] == i for i in range(400))
