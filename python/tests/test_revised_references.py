"""References of HDF5 1.12 (H5R_ref_t), written by the stock library, since h5py cannot"""

import ctypes
import glob
from pathlib import Path

import h5py
import numpy as np
import pytest

import onecast

hid = ctypes.c_int64
OwnReference = ctypes.c_ubyte * 64  # H5R_ref_t


@pytest.fixture(scope="module")
def library():
    found = glob.glob(str(Path(h5py.__file__).parents[1] / "h5py.libs" / "libhdf5-*.so*"))
    if not found:
        pytest.skip("h5py brings no HDF5 library of its own")
    return ctypes.CDLL(found[0])


@pytest.fixture
def references(library, path):
    """Writes a dataset of references to an object, a group, a region, an attribute and nothing."""

    def call(name, *arguments, result=ctypes.c_int):
        function = getattr(library, name)
        function.restype = result
        got = function(*arguments)
        assert got >= 0, name
        return got

    with h5py.File(path, "w", libver="latest") as f:
        x = f.create_dataset("g/x", data=np.arange(20).reshape(4, 5))
        x.attrs["unit"] = "m"
        f.create_group("h")
        made = (OwnReference * 5)()
        file = hid(f.id.id)
        part = h5py.h5s.create_simple((4, 5))
        part.select_hyperslab((1, 1), (2, 3))
        call("H5Rcreate_object", file, b"/g/x", hid(0), ctypes.byref(made[0]))
        call("H5Rcreate_object", file, b"/h", hid(0), ctypes.byref(made[1]))
        call("H5Rcreate_region", file, b"/g/x", hid(part.id), hid(0), ctypes.byref(made[2]))
        call("H5Rcreate_attr", file, b"/g/x", b"unit", hid(0), ctypes.byref(made[3]))
        kind = hid(hid.in_dll(library, "H5T_STD_REF_g").value)
        space = h5py.h5s.create_simple((5,))
        none = hid(0)
        arguments = (file, b"refs", kind, hid(space.id), none, none, none)
        dataset = hid(call("H5Dcreate2", *arguments, result=ctypes.c_int64))
        call("H5Dwrite", dataset, kind, none, none, none, ctypes.byref(made))
        call("H5Dclose", dataset)
    return path


def test_they_lead_where_they_should(references):
    with onecast.File(references) as f:
        x, h, region, attribute, null = f["refs"][...]
        assert f[x] == f[region] == f[attribute] == f["g/x"]
        assert f[h] == f["h"]
        assert f["g/x"][region].tolist() == [[6, 7, 8], [11, 12, 13]]
        assert not null


def test_a_copy_leads_to_the_copies(references):
    copy = references.with_name("copy.h5")
    onecast.repack(references, copy)
    with onecast.File(copy) as f:
        x, h, region, _, _ = f["refs"][...]
        assert f[x] == f["g/x"]
        assert f[h] == f["h"]
        assert f["g/x"][region].tolist() == [[6, 7, 8], [11, 12, 13]]
    assert not onecast.check(copy, data=True)["findings"]
