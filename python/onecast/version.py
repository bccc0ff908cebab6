"""Versions, with h5py's names, of the interface and of the format that Onecast provides."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from . import _core


class _Version(NamedTuple):
    major: int
    minor: int
    bugfix: int
    pre: str | None = None
    post: str | None = None
    dev: str | None = None


version = "3.16.0"
"""Of h5py, whose interface the package has."""
version_tuple = _Version(3, 16, 0)
api_version = "1.8"
api_version_tuple = (1, 8)
hdf5_version = "2.0.0"
"""Of HDF5, all of whose files the package reads as docs/reference/coverage.md says."""
hdf5_version_tuple = (2, 0, 0)
hdf5_built_version_tuple = hdf5_version_tuple
info = f"""\
Onecast {_core.__version__}
interface of h5py {version}
format of HDF5 {hdf5_version}
Python {sys.version}
numpy {np.__version__}
"""
