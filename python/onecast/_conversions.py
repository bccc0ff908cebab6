"""Which arrays can be written as which dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._dtypes import check_enum_dtype
from ._errors import ConversionError

_NUMBERS = "iufb"
_SOURCES = {
    "b": "iub",
    "i": _NUMBERS,
    "u": _NUMBERS,
    "f": _NUMBERS,
    "c": _NUMBERS + "c",
    "S": "SUTO",
    "M": "M",
    "m": "m",
}
"""The kinds of dtypes that are converted to each kind without making up or losing what the values
mean. HDF5 converts the same kinds, and neither real to complex numbers nor U, T and O."""


def require_conversion(data: Any, dtype: np.dtype | None) -> None:
    """Raises ConversionError or TypeError, as h5py does, if `data` is an array whose kind HDF5 does
    not convert to that of `dtype`. Lists and scalars are not looked at: numpy converts them, in
    h5py too."""
    if dtype is not None and isinstance(data, np.ndarray) and data.dtype is not dtype:
        require_kind(data.dtype, dtype)


def require_kind(given: np.dtype, to: np.dtype, where: str = "") -> None:
    """Like require_conversion() for the dtype of an array; `where` begins the message."""
    if is_convertible(given.base, to.base):
        return
    kind = TypeError if given.base.kind in "UMm" else ConversionError
    raise kind(f"{where}there is no conversion from {_words(given)} to {_words(to)}")


def is_convertible(given: np.dtype, to: np.dtype) -> bool:
    """True if values of a dtype without members can become such values."""
    if to.kind == "V" and to.names is None:
        return given.kind == "O" or (given.names is None and given.itemsize <= to.itemsize)
    sources = "iub" if check_enum_dtype(to) is not None else _SOURCES.get(to.kind)
    return sources is None or given.kind in sources


def _words(dtype: np.dtype) -> str:
    return f"an enumeration of {dtype}" if check_enum_dtype(dtype) is not None else str(dtype)
