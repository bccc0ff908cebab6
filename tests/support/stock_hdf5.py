"""The stock HDF5 library through ctypes"""

import ctypes
import glob
import os

import h5py
import pytest


def stock_library():
    """Returns the HDF5 library that h5py has loaded. It can do more than h5py offers."""
    folder = os.path.join(os.path.dirname(os.path.dirname(h5py.__file__)), "h5py.libs")
    found = glob.glob(os.path.join(folder, "libhdf5-*.so*"))
    if not found:
        pytest.skip("h5py brings no library of its own")
    return ctypes.CDLL(found[0])
