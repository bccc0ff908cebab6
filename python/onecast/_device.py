"""Arrays in memory of a device (a GPU), as CuPy, PyTorch, Numba and JAX describe them."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._dataset_info import DatasetInfo


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
    return type(array) is not np.ndarray and isinstance(
        getattr(array, "__cuda_array_interface__", None), dict
    )


def device_array(array: Any) -> DeviceArray:
    """Returns what an array of a device says of itself, when the work on its stream is complete.

    Raises TypeError unless its elements lie in C order without gaps.
    """
    described = array.__cuda_array_interface__
    shape, dtype = tuple(described["shape"]), np.dtype(described["typestr"])
    if described.get("mask") is not None:
        raise TypeError("an array of a device with a mask has no form in a dataset")
    if not _is_contiguous(shape, described.get("strides"), dtype.itemsize):
        raise TypeError(
            "an array of a device was expected whose elements lie in C order without gaps"
        )
    address, is_readonly = described["data"]
    size = prod(shape) * dtype.itemsize
    stream = described.get("stream") or 0
    memory = _core.DeviceArray(array, address or 0, size, stream if size else 0)
    return DeviceArray(memory, shape, dtype, bool(is_readonly))


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...] | None, size: int) -> bool:
    if strides is None or 0 in shape:
        return True
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent > 1 and stride != size:
            return False
        size *= extent
    return True


def target_of(out: Any) -> DeviceArray:
    """Returns device_array(); raises TypeError if it cannot be written to."""
    array = device_array(out)
    if array.is_readonly:
        raise TypeError("an array of a device was expected that can be written to")
    return array
