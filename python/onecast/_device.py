"""Arrays of other libraries, in memory of a device (a GPU) or of the process: CuPy, PyTorch, JAX,
Numba and others describe them by `__cuda_array_interface__` or hand them over by DLPack."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._dataset_info import DatasetInfo

# DLPack's types of devices. Memory of the first two is reached by a driver alone.
CUDA, ROCM = 2, 10
OF_DEVICE = (CUDA, ROCM)
OF_CUDA_TOO, OF_ROCM_TOO = (3, 13), (11,)  # page-locked or managed memory of the process
OF_PROCESS = (1, *OF_CUDA_TOO, *OF_ROCM_TOO)

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
    described = _said_by(array, lambda: getattr(array, "__cuda_array_interface__", None))
    return described if isinstance(described, dict) else None


def _said_by(array: Any, question: Callable[[], Any]) -> Any:
    """Returns the answer; None if numpy alone can take the array, such as an array of JAX on
    several devices."""
    try:
        return question()
    except (BufferError, ValueError, RuntimeError):
        if hasattr(array, "__array__"):
            return None
        raise


def _dlpack_device(array: Any) -> int | None:
    if isinstance(array, np.ndarray | np.generic) or not hasattr(array, "__dlpack__"):
        return None
    described = getattr(array, "__dlpack_device__", None)
    return _said_by(array, lambda: int(described()[0])) if callable(described) else None


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


def _taken(array: Any, **arguments: Any) -> _core.DLPackArray:
    try:
        return _core.DLPackArray(array.__dlpack__(**arguments, max_version=(1, 0)))
    except TypeError:  # a library from before DLPack 1.0
        return _core.DLPackArray(array.__dlpack__(**arguments))


def _dtype_of(given: _core.DLPackArray) -> np.dtype:
    if given.typestr is None:
        raise TypeError("the type of the array's elements has no form in numpy")
    return np.dtype(given.typestr)


def _made(
    owner: Any, address: int, shape: tuple, dtype: np.dtype, is_readonly: bool, handle: int | None
) -> DeviceArray:
    if address == 0 and 0 not in shape:
        raise ValueError(f"an array of a device says that its {shape} elements lie at address 0")
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


class _HandedOver:
    """Memory that DLPack has handed over, as numpy takes it."""

    def __init__(self, given: _core.DLPackArray, is_readonly: bool) -> None:
        self._given = given
        self.__array_interface__ = {
            "version": 3,
            "shape": given.shape,
            "typestr": _dtype_of(given).str,
            "data": (given.address, is_readonly),
            "strides": given.strides,
        }


def host_values(value: Any, stream: Any = None) -> Any:
    """Returns host_array() of values that numpy cannot take by itself."""
    if stream is None and (type(value) in PLAIN or hasattr(value, "__array__")):
        return value
    return host_array(np.asarray(value) if hasattr(value, "__array__") else value, stream)


def host_array(array: Any, stream: Any = None) -> Any:
    """Returns an array of DLPack in memory of the process as an array of numpy on that memory;
    anything else as it is. If a device uses the memory as well, waits for the work on `stream`, or
    on the default stream for an array of another library."""
    handle = None if stream is None else handle_of(stream)
    if type(array) is np.ndarray:
        if handle is not None:
            _core.wait_for_stream(array.ctypes.data, handle)
        return array
    kind = _dlpack_device(array)
    if kind not in OF_PROCESS:
        return array
    given = _taken(array)
    if 0 in given.shape:
        return np.empty(given.shape, _dtype_of(given))
    if handle is None and kind in (*OF_CUDA_TOO, *OF_ROCM_TOO):
        handle = DEFAULT_STREAM[ROCM if kind in OF_ROCM_TOO else CUDA]
    if handle is not None:
        _core.wait_for_stream(given.address, handle)
    return np.asarray(_HandedOver(given, not _is_target(array, given)))


def _is_target(array: Any, given: _core.DLPackArray) -> bool:
    if given.has_flags:
        return not (given.is_readonly or given.is_copy)
    # Without flags, numpy knows it: arrays of JAX never change.
    return not hasattr(array, "__array__") or np.asarray(array).flags.writeable
