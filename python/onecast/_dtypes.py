"""Dtypes with a meaning that numpy has no dtype for."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._core import Reference, RegionReference

# What numpy has no words for stands in the metadata of a dtype, under the keys that h5py uses.
ENCODING_KEY = "h5py_encoding"
VARIABLE_KEY = "vlen"
ENUM_KEY = "enum"
REFERENCE_KEY = "ref"
REVISED_KEY = "onecast_revised"
OPAQUE_KEY = "h5py_opaque"

string_info = namedtuple("string_info", ["encoding", "length"])


class Empty:
    """The value of a dataset or attribute that has a type and no elements (a null dataspace).

    >>> Empty("f4")
    Empty(dtype=dtype('float32'))
    """

    shape = None
    size = None

    def __init__(self, dtype: DTypeLike) -> None:
        self.dtype = np.dtype(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Empty) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash((Empty, self.dtype))

    def __repr__(self) -> str:
        return f"Empty(dtype={self.dtype!r})"


def string_dtype(encoding: str = "utf-8", length: int | None = None) -> np.dtype:
    """The dtype of strings of `length` bytes, like that of h5py.string_dtype, which is accepted as
    well.

    Without a `length`: strings of variable length.
    Raises ValueError if `encoding` is neither "utf-8" nor "ascii".

    >>> string_dtype("utf-8", 10)
    dtype('S10')
    """
    if encoding not in ("utf-8", "ascii"):
        raise ValueError(f"encoding: 'utf-8' or 'ascii' was expected, not {encoding!r}")
    if length is None:
        return np.dtype("O", metadata={VARIABLE_KEY: str if encoding == "utf-8" else bytes})
    return np.dtype(f"S{length}", metadata={ENCODING_KEY: encoding})


def vlen_dtype(base: DTypeLike) -> np.dtype:
    """The dtype of sequences of any length, each an array of `base`.

    >>> check_vlen_dtype(vlen_dtype("i4"))
    dtype('int32')
    """
    return np.dtype("O", metadata={VARIABLE_KEY: np.dtype(base)})


def enum_dtype(values: dict[str, int], basetype: DTypeLike = np.uint8) -> np.dtype:
    """The dtype of integers that have names.

    >>> check_enum_dtype(enum_dtype({"red": 0, "blue": 1}))
    {'red': 0, 'blue': 1}
    """
    if not values:
        raise ValueError("values: an enumeration has at least one name")
    return np.dtype(np.dtype(basetype), metadata={ENUM_KEY: dict(values)})


def opaque_dtype(dtype: DTypeLike) -> np.dtype:
    """The dtype of opaque bytes that only numpy understands, such as times."""
    return np.dtype(np.dtype(dtype), metadata={OPAQUE_KEY: True})


ref_dtype = np.dtype("O", metadata={REFERENCE_KEY: Reference})
regionref_dtype = np.dtype("O", metadata={REFERENCE_KEY: RegionReference})
# References of HDF5 1.12 (H5T_STD_REF), to objects, regions and attributes, also of other files.
# h5py does not know them.
revised_ref_dtype = np.dtype("O", metadata={REFERENCE_KEY: Reference, REVISED_KEY: True})


def mark_of(dtype: DTypeLike, key: str) -> Any:
    return (np.dtype(dtype).metadata or {}).get(key)


def check_string_dtype(dtype: DTypeLike) -> string_info | None:
    """(encoding, length) of strings, with length None if it is variable; None for other dtypes."""
    dtype = np.dtype(dtype)
    variable = mark_of(dtype, VARIABLE_KEY)
    if variable is str or variable is bytes:
        return string_info("utf-8" if variable is str else "ascii", None)
    if dtype.kind != "S":
        return None
    return string_info(mark_of(dtype, ENCODING_KEY) or "ascii", dtype.itemsize)


def check_vlen_dtype(dtype: DTypeLike) -> np.dtype | None:
    """The dtype of the elements of sequences; None for other dtypes."""
    base = mark_of(dtype, VARIABLE_KEY)
    # h5py keeps what it was given, be it the name of a type.
    is_other = base is None or base is str or base is bytes
    return None if is_other else np.dtype(base)


def check_enum_dtype(dtype: DTypeLike) -> dict[str, int] | None:
    """The values of an enumeration by name; None for other dtypes."""
    return mark_of(dtype, ENUM_KEY)


def check_ref_dtype(dtype: DTypeLike) -> type | None:
    """Reference or RegionReference; None for other dtypes."""
    return mark_of(dtype, REFERENCE_KEY)


def check_opaque_dtype(dtype: DTypeLike) -> bool:
    """Whether its values are stored as opaque bytes."""
    return bool(mark_of(dtype, OPAQUE_KEY))
