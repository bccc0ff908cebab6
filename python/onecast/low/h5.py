"""The library as a whole."""

from __future__ import annotations

from .._config import H5PYConfig, get_config
from ..version import hdf5_version_tuple
from ._identifiers import absent

__all__ = ["H5PYConfig", "get_config", "get_libversion"]

INDEX_NAME, INDEX_CRT_ORDER = 0, 1
ITER_INC, ITER_DEC, ITER_NATIVE = 0, 1, 2


def get_libversion() -> tuple[int, int, int]:
    """Returns the version of HDF5 whose interface this package has."""
    return hdf5_version_tuple


__getattr__ = absent(__name__, {})
