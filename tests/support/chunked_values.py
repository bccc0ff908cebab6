"""The common part of tests of chunked datasets: filters, types, values, and a model of a dataset"""

import shutil
import subprocess

import h5py
import numpy as np

import onecast

FILTERS = {
    "none": {},
    "gzip": {"compression": "gzip"},
    "gzip 9, shuffle": {"compression": "gzip", "compression_opts": 9, "shuffle": True},
    "lzf": {"compression": "lzf"},
    "szip": {"compression": "szip", "compression_opts": ("nn", 4)},
    "all": {"compression": "gzip", "shuffle": True, "fletcher32": True},
    "fletcher32": {"fletcher32": True},
    "scaleoffset": {"scaleoffset": 0},
}
TYPES = ["u1", "<i2", ">i4", "<i8", "<f4", ">f8", "S5", "c16", [("x", "<i4"), ("y", "<f8")]]


def values_of(dtype, shape, seed=0):
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.names:
        array = np.empty(shape, dtype)
        for name in dtype.names:
            array[name] = values_of(dtype[name], shape, seed)
        return array
    numbers = random.integers(0, 200, shape)
    return numbers.astype("S3").astype(dtype) if dtype.kind == "S" else numbers.astype(dtype)


def check(path, filters):
    """Expects `onecast check` to find nothing, and h5dump, if it is installed, to read
    everything."""
    assert onecast.check(path, data=True)["findings"] == []
    if shutil.which("h5dump") and filters != "lzf":
        subprocess.run(["h5dump", str(path)], check=True, stdout=subprocess.DEVNULL)


def write_some(data, model, seed):
    random = np.random.default_rng(seed)
    part = []
    for n in model.shape:
        first, last = sorted(random.integers(0, n + 1, 2).tolist())
        part.append(slice(first, last, random.choice([1, 1, 1, 2]).item()))
    part = tuple(part)
    values = random.integers(0, 1000, model[part].shape)
    data[part] = values
    model[part] = values


def resized(model, shape, fill):
    new = np.full(shape, fill, model.dtype)
    common = tuple(slice(0, min(a, b)) for a, b in zip(model.shape, shape, strict=True))
    new[common] = model[common]
    return new


def append_by_stock(path, model, shape):
    """h5py reads the model, resizes the dataset and writes a part, and Onecast reads the result."""
    with h5py.File(path, "r+") as stock:
        np.testing.assert_array_equal(stock["d"][...], model)
        stock["d"].resize(shape)
        model = resized(model, shape, 7)
        write_some(stock["d"], model, 1)
        np.testing.assert_array_equal(stock["d"][...], model)
    with onecast.File(path) as again:
        np.testing.assert_array_equal(again["d"][...], model)
