"""Compares the speed of reading and writing memory of a GPU with that of memory of the process:
python bench/gpu_speed.py [--gib N] [--folder FOLDER] [--device-io WAY]

Uses CuPy, or the stand-in of tests/device/fake_cupy. The data has its place in the file already.
The file is in the page cache, so that the ratios of staged transfers show the cost of the copies
alone.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import cupy as cp
import numpy as np

import onecast

REPEATS = 3


def best(call, size):
    """Returns the largest speed of a call, in GB/s."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return size / min(times) / 1e9


def speeds(path, array, empty, options, way):
    """Returns the speeds of writing and reading an array, in GB/s."""
    size = array.dtype.itemsize * int(np.prod(array.shape))
    with onecast.File(path, "w") as f:
        f.create_dataset("d", array.shape, array.dtype, **options).write_direct(array)
    with onecast.File(path, "r+", device_io=way) as f:
        d = f["d"]
        writing = best(lambda: d.write_direct(array), size)
    with onecast.File(path, device_io=way) as f:
        d = f["d"]
        reading = best(lambda: d.read_direct(empty), size)
    os.unlink(path)
    return writing, reading


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gib", type=float, default=8)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--device-io", default="staged", choices=["staged", "direct", "automatic"])
    given = parser.parse_args()
    rows = max(1, int(given.gib * (1 << 30) / (8 << 20)))
    host = np.ones((rows, 1024, 1024))
    other = np.zeros_like(host)
    device, room = cp.asarray(host), cp.empty(host.shape, host.dtype)
    cases = {"contiguous": {}, "chunks": {"chunks": (1, 1024, 1024)}}
    for name, options in cases.items():
        path = Path(given.folder) / "gpu_speed.h5"
        of_host = speeds(path, host, other, options, given.device_io)
        of_device = speeds(path, device, room, options, given.device_io)
        for what, a, b in zip(("write", "read"), of_host, of_device, strict=True):
            print(f"{name} {what}: process {a:.2f} GB/s, GPU {b:.2f} GB/s, ratio {b / a:.2f}")


if __name__ == "__main__":
    main()
