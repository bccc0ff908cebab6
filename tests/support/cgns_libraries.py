"""The CGNS libraries through ctypes: ours, Debian's, and the one in the vtk wheel.

    lib = library("ours")
    file, base = lib.out(), lib.out()
    lib.cg_open(path, WRITE, file)
    lib.cg_base_write(file, "Base", 3, 3, base)

Every function raises CgnsError if it returns an error. Integers are passed as int; sizes as
lib.sizes([...]), whose width is the library's; texts as str, numpy arrays as their memory.
"""

import ctypes
import ctypes.util
import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("ONECAST_BUILD_DIR", ROOT / "build" / "release-openmpi"))
READ, WRITE, MODIFY = 0, 1, 2
STRUCTURED, UNSTRUCTURED = 2, 3
INTEGER, REAL_SINGLE, REAL_DOUBLE, CHARACTER, LONG_INTEGER = 2, 3, 4, 5, 6
STOCK = ("debian", "vtk")
# Functions that take their sizes by value, with the positions of these arguments
SIZES_BY_VALUE = {}


class CgnsError(Exception):
    """A function returned something other than CG_OK. The text is that of cg_get_error."""

    def __init__(self, function, status, text):
        super().__init__(f"{function} returned {status}: {text}")
        self.status = status
        self.text = text


class Library:
    """One of the libraries. `size` is the type of cgsize_t."""

    def __init__(self, name, handle, prefix, size):
        self.name, self.handle, self.prefix, self.size = name, handle, prefix, size

    def __getattr__(self, function):
        try:
            found = getattr(self.handle, self.prefix + function)
        except AttributeError:
            raise AttributeError(f"{self.name} has no {function}") from None

        def call(*arguments):
            status = found(*map(self._argument, arguments))
            if status:
                raise CgnsError(function, status, self.error())
            return status

        return call

    @staticmethod
    def _argument(value):
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, Path):
            return str(value).encode()
        if isinstance(value, np.ndarray):
            return value.ctypes.data_as(ctypes.c_void_p)
        if isinstance(value, Out):
            return value.reference
        return value

    def error(self):
        get = getattr(self.handle, f"{self.prefix}cg_get_error")
        get.restype = ctypes.c_char_p
        return get().decode()

    def sizes(self, values):
        """Returns an array of cgsize_t."""
        return np.array(values, self.size)

    def a_size(self, value):
        """Returns a cgsize_t to pass by value."""
        return {np.int32: ctypes.c_int32, np.int64: ctypes.c_int64}[self.size](value)

    def text(self, size=128):
        return ctypes.create_string_buffer(size)

    @staticmethod
    def out(kind=ctypes.c_int):
        """Returns memory for one result. int(out) is its value, and as an argument of `val` it is
        passed by value."""
        return Out(kind)


class Out:
    """A result, which is passed to a function as a pointer."""

    def __init__(self, kind):
        self.memory = kind()
        self.reference = ctypes.byref(self.memory)

    def __int__(self):
        return int(self.memory.value)

    @property
    def value(self):
        return self.memory.value


def _ours():
    path = BUILD / "libonecast_cgns.so"
    return path if path.exists() else None


def _debian():
    found = ctypes.util.find_library("cgns")
    return found if found and "3.4" in found else None


def _vtk():
    spec = importlib.util.find_spec("vtkmodules")
    if spec is None:
        return None
    folder = Path(spec.submodule_search_locations[0])
    return next(folder.glob("libvtkcgns*.so"), None)


KINDS = {
    "ours": (_ours, "", np.int64),
    "debian": (_debian, "", np.int32),
    "vtk": (_vtk, "vtkcgns_", np.int64),
}
_loaded = {}


def library(name):
    """Returns the library of that name, or skips the test if it is not installed."""
    if name not in _loaded:
        find, prefix, size = KINDS[name]
        path = find()
        _loaded[name] = None
        if path is not None:
            handle = ctypes.CDLL(str(path))
            _loaded[name] = Library(name, handle, prefix, size)
            if name != "ours":
                _loaded[name].cg_set_file_type(2)
    if _loaded[name] is None:
        pytest.skip(f"no CGNS library {name}")
    return _loaded[name]
