"""Arrays that are handed over by DLPack alone, as CuPy does with ROCm."""

import ctypes
from typing import ClassVar

import cupy as cp
import numpy as np

CUDA, ROCM = 2, 10
KIND = ROCM if hasattr(cp.driver, "hipPointerGetAttribute") else CUDA
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
READ_ONLY, IS_COPY = 1, 2


class Tensor(ctypes.Structure):
    _fields_: ClassVar = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_: ClassVar = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class Versioned(ctypes.Structure):
    _fields_: ClassVar = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
handed_over = {}  # what the deleter has not got back


@Deleter
def give_back(address):
    del handed_over[address]


class Array:
    """Hands over an array of the stand-in for CuPy, or of numpy."""

    def __init__(self, array, kind=KIND, major=1, flags=0, code=None, hides_strides=False):
        self.array, self.kind, self.major, self.flags = array, kind, major, flags
        self.code, self.hides_strides = code, hides_strides
        self.streams = []
        self.shape, self.dtype = array.shape, array.dtype

    def __dlpack_device__(self):
        return (self.kind, 0)

    def __dlpack__(self, **given):
        if self.major == 0 and "max_version" in given:
            raise TypeError("an unexpected keyword argument 'max_version'")
        self.streams.append(given.get("stream"))
        array, rank = self.array, len(self.shape)
        if isinstance(array, np.ndarray):
            address, offset = array.ctypes.data, 0
        else:
            address, offset = array.memory.address, array.offset
        numbers = ctypes.c_int64 * max(rank, 1)
        shape = numbers(*array.shape)
        strides = numbers(*(s // array.dtype.itemsize for s in array.strides))
        tensor = Tensor(
            address,
            (self.kind, 0),
            rank,
            CODES[array.dtype.kind] if self.code is None else self.code,
            array.dtype.itemsize * 8,
            1,
            shape,
            None if self.hides_strides else strides,
            offset,
        )
        if self.major == 0:
            made = Managed(tensor, None, give_back)
        else:
            made = Versioned(self.major, 0, None, give_back, self.flags, tensor)
        handed_over[ctypes.addressof(made)] = (made, array, shape, strides)
        name = b"dltensor_versioned" if self.major else b"dltensor"
        return new_capsule(ctypes.addressof(made), name, None)
