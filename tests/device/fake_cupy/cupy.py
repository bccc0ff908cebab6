"""A stand-in for CuPy on the fake driver, or on a real one: see ../device_array.hpp."""

import ctypes
import os

import numpy as np

driver = ctypes.CDLL(os.environ.get("ONECAST_TEST_DEVICE") or os.environ["ONECAST_DEVICE_DRIVER"])
driver.fake_allocate.restype = ctypes.c_void_p
driver.fake_allocate.argtypes = [ctypes.c_size_t]
driver.fake_free.argtypes = [ctypes.c_void_p]
driver.fake_store.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
driver.fake_load.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
driver.fake_stream.restype = ctypes.c_void_p
driver.fake_stream.argtypes = [ctypes.c_bool]
driver.fake_put.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
driver.fake_hold.argtypes = [ctypes.c_void_p]
driver.fake_release.restype = ctypes.c_bool
driver.fake_failure.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
driver.fake_calls.argtypes = [ctypes.c_char_p]
driver.fake_calls.restype = ctypes.c_long


class Memory:
    def __init__(self, size):
        self.size = size
        self.address = driver.fake_allocate(max(size, 1))

    def __del__(self):
        driver.fake_free(self.address)


class Stream:
    """A stream. Within `with stream`, work on arrays is put into it."""

    current = None

    def __init__(self, non_blocking=True):
        self.ptr = driver.fake_stream(not non_blocking)

    def __enter__(self):
        Stream.current = self
        return self

    def __exit__(self, *error):
        Stream.current = None

    def put(self, array, values):
        """Puts a copy of values into the stream."""
        values = np.ascontiguousarray(values, array.dtype)
        driver.fake_put(self.ptr, array.memory.address, values.ctypes.data, values.nbytes)


class ndarray:
    def __init__(self, memory, offset, shape, dtype, strides, stream=None, is_readonly=False):
        self.memory, self.offset, self.stream = memory, offset, stream
        self.shape, self.dtype, self.strides = tuple(shape), np.dtype(dtype), tuple(strides)
        self.is_readonly = is_readonly

    @property
    def __cuda_array_interface__(self):
        described = {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.memory.address + self.offset, self.is_readonly),
            "version": 3,
            "strides": self.strides,
        }
        return described if self.stream is None else described | {"stream": self.stream}

    def __iadd__(self, number):
        """Puts the sum into the current stream, which alone must change the array."""
        if not hasattr(self, "put_values"):
            self.put_values = asnumpy(self)
        self.put_values = self.put_values + number
        Stream.current.put(self, self.put_values)
        return self

    def __array__(self, *args, **kwargs):
        raise TypeError("an array of a device is not converted by itself")

    def __getitem__(self, index):
        """Returns a view."""
        places = np.ndarray(self.shape, self.dtype, bytes(self.memory.size), 0, self.strides)
        part = places[index]
        first = part.__array_interface__["data"][0] - places.__array_interface__["data"][0]
        return ndarray(self.memory, self.offset + first, part.shape, part.dtype, part.strides)


def empty(shape, dtype="f8"):
    like = np.empty(shape, dtype)
    return ndarray(Memory(like.nbytes), 0, like.shape, like.dtype, like.strides)


class cuda:
    Stream = Stream


def zeros(shape, dtype="f8"):
    return asarray(np.zeros(shape, dtype))


def asarray(values, dtype=None):
    values = np.ascontiguousarray(values, dtype)
    made = empty(values.shape, values.dtype)
    driver.fake_store(made.memory.address, values.ctypes.data, values.nbytes)
    return made


def asnumpy(array):
    whole = np.empty(array.memory.size, "u1")
    driver.fake_load(whole.ctypes.data, array.memory.address, whole.nbytes)
    return np.ndarray(array.shape, array.dtype, whole, array.offset, array.strides).copy()
