"""Datasets as arrays of other libraries: NumPy, CuPy, PyTorch and others like them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np

from ._dataset import Dataset
from ._device import host_array, is_of_device
from ._selection import select


def asarray(dataset: Dataset, args: Any = (), *, like: Any) -> Any:
    """Returns the selected elements of numbers as a new array of the library of `like`, on its
    device: the elements do not pass through an array of NumPy.

    like: an array of PyTorch, or an array or the module of a library with
        `empty(shape, dtype=...)`, such as CuPy and NumPy.
    Raises TypeError if that library has no such array, or if the elements are no numbers; else what
    the brackets raise. @independent (see `Dataset.collective`)

    >>> with onecast.File("positions.h5", "w") as file:
    ...     file["x"] = np.arange(6.0).reshape(2, 3)
    ...     asarray(file["x"], slice(1, 2), like=np)
    array([[3., 4., 5.]])
    """
    if dataset.shape is None or dataset.dtype.kind not in "biufc":
        raise TypeError(f"{dataset.name}: a dataset of numbers was expected")
    made = empty_like(like, select(dataset.shape, args).shape, dataset.dtype.newbyteorder("="))
    dataset.read_direct(made if is_of_device(made) else np.asarray(host_array(made)), args)
    return made


def empty_like(like: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Returns a new array of the library of `like`, on its device."""
    library = like if isinstance(like, ModuleType) else _library_of(like)
    if hasattr(like, "new_empty"):  # a tensor of PyTorch, on any device
        return like.new_empty(shape, dtype=getattr(library, dtype.name))
    if not hasattr(library, "empty"):
        raise TypeError(f"like: an array was expected whose library has empty(), not {like!r:.100}")
    return library.empty(shape, dtype=dtype)


def _library_of(array: Any) -> ModuleType:
    return sys.modules[type(array).__module__.partition(".")[0]]
