"""Arrays of other libraries, in memory of a device (a GPU) or of the process: CuPy, PyTorch, JAX,
Numba and others describe them by `__cuda_array_interface__` or hand them over by DLPack."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._dataset_info import DatasetInfo

# DLPack's types of devices. Memory of the first two is reached by a driver alone.
CUDA, ROCM = 2, 10
OF_DEVICE = (CUDA, ROCM)
OF_PROCESS = (1, 3, 11, 13)  # ordinary, page-locked for CUDA or ROCm, managed

DEFAULT_STREAM = {CUDA: 1, ROCM: 0}  # as `__dlpack__` takes it
# Values that are taken as they are: what they could hand over is not asked for.
PLAIN = frozenset((np.ndarray, bool, int, float, complex, str, bytes, list, tuple))

FIRST_WITH_STREAM = 3  # the version of `__cuda_array_interface__` that tells of streams


class DeviceArray(NamedTuple):
    """An array of numbers of a device; C-contiguous."""

    memory: _core.DeviceArray
    shape: tuple[int, ...]
    dtype: np.dtype
    is_readonly: bool

    def form(self, dataset: DatasetInfo) -> _core.StoredType | None:
        """Returns the type from or to which the elements are converted; None if they have the
        stored type. Raises TypeError if only numpy can convert them."""
        form = dataset._type_to_convert(np.empty(0, self.dtype))
        if form is None and not (dataset._is_plain and self.dtype == dataset.dtype):
            raise TypeError(
                f"there is no conversion between {self.dtype} of a device and {dataset.dtype}"
            )
        return form


def is_of_device(array: Any) -> bool:
    """True for an array in memory of a device. Does not look at other arrays for long."""
    if type(array) in PLAIN:
        return False
    return _cuda_interface(array) is not None or _dlpack_device(array) in OF_DEVICE


def _cuda_interface(array: Any) -> dict[str, Any] | None:
    described = getattr(array, "__cuda_array_interface__", None)
    return described if isinstance(described, dict) else None


def _dlpack_device(array: Any) -> int | None:
    if isinstance(array, np.ndarray | np.generic) or not hasattr(array, "__dlpack__"):
        return None
    described = getattr(array, "__dlpack_device__", None)
    return int(described()[0]) if callable(described) else None


def handle_of(stream: Any) -> int:
    """Returns the handle of a stream: of CuPy, PyTorch, Numba or CUDA's Python, or a number."""
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for name in ("cuda_stream", "ptr", "handle"):
        if hasattr(stream, name):
            handle = getattr(stream, name)
            return int(getattr(handle, "value", handle) or 0)
    if isinstance(stream, int | np.integer):
        return int(stream)
    raise TypeError(f"stream: a stream or its handle was expected, not {stream!r:.100}")


def device_array(array: Any, stream: Any = None) -> DeviceArray:
    """Returns what an array of a device says of itself. Its memory is used after the work on
    `stream`, or on the stream that the array names.

    Raises TypeError unless its elements lie in C order without gaps.
    """
    handle = None if stream is None else handle_of(stream)
    described = _cuda_interface(array)
    has_stream = described is not None and described.get("version", 0) >= FIRST_WITH_STREAM
    if not has_stream and _dlpack_device(array) in OF_DEVICE:
        return _from_dlpack(array, described, handle)
    assert described is not None
    shape, dtype = tuple(described["shape"]), np.dtype(described["typestr"])
    if described.get("mask") is not None:
        raise TypeError("an array of a device with a mask has no form in a dataset")
    _require_contiguous(shape, described.get("strides"), dtype.itemsize)
    address, is_readonly = described["data"]
    if handle is None:
        handle = described.get("stream")
    return _made(array, address or 0, shape, dtype, bool(is_readonly), handle)


def _from_dlpack(array: Any, described: dict[str, Any] | None, handle: int | None) -> DeviceArray:
    kind = _dlpack_device(array)
    default = DEFAULT_STREAM[kind or CUDA]
    # The library lets this stream wait for the work that it has given to the array.
    given = _taken(array, stream=handle or default)
    shape, dtype = given.shape, _dtype_of(given)
    _require_contiguous(shape, given.strides, dtype.itemsize)
    is_readonly = given.is_readonly or given.is_copy
    if described is not None:
        is_readonly |= bool(described["data"][1])
    return _made(given, given.address, shape, dtype, is_readonly, handle)


def _taken(array: Any, **stream: Any) -> _core.DLPackArray:
    try:
        return _core.DLPackArray(array.__dlpack__(**stream, max_version=(1, 0)))
    except TypeError:  # a library from before DLPack 1.0
        return _core.DLPackArray(array.__dlpack__(**stream))


def _dtype_of(given: _core.DLPackArray) -> np.dtype:
    if given.typestr is None:
        raise TypeError("the type of the array's elements has no form in numpy")
    return np.dtype(given.typestr)


def _made(
    owner: Any, address: int, shape: tuple, dtype: np.dtype, is_readonly: bool, handle: int | None
) -> DeviceArray:
    memory = _core.DeviceArray(owner, address, prod(shape) * dtype.itemsize, handle)
    return DeviceArray(memory, shape, dtype, is_readonly)


def _require_contiguous(shape: tuple[int, ...], strides: tuple[int, ...] | None, size: int) -> None:
    if strides is None or 0 in shape:
        return
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent > 1 and stride != size:
            raise TypeError(
                "an array of a device was expected whose elements lie in C order without gaps"
            )
        size *= extent


def target_of(out: Any, stream: Any = None) -> DeviceArray:
    """Returns device_array(); raises TypeError if it cannot be written to."""
    array = device_array(out, stream)
    if array.is_readonly:
        raise TypeError("an array of a device was expected that can be written to")
    return array


class _HostMemory:
    """Memory that DLPack has handed over, as numpy takes it."""

    def __init__(self, given: _core.DLPackArray) -> None:
        self._given = given
        self.__array_interface__ = {
            "version": 3,
            "shape": given.shape,
            "typestr": _dtype_of(given).str,
            "data": (given.address, given.is_readonly or given.is_copy),
            "strides": given.strides,
        }


def host_values(value: Any) -> Any:
    """Returns host_array() of values that numpy cannot take by itself."""
    if type(value) in PLAIN or hasattr(value, "__array__"):
        return value
    return host_array(value)


def host_array(array: Any) -> Any:
    """Returns an array of DLPack in memory of the process as an array of numpy on that memory;
    anything else as it is."""
    if type(array) is np.ndarray or _dlpack_device(array) not in OF_PROCESS:
        return array
    given = _taken(array)
    if 0 in given.shape:
        return np.empty(given.shape, _dtype_of(given))
    return np.asarray(_HostMemory(given))
