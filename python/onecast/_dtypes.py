"""Dtypes with meanings that numpy's own dtypes lack."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._config import get_config
from ._core import Reference, RegionReference

# numpy lacks some properties; the metadata of a dtype holds them, under h5py's keys.
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
    """The dtype of strings of `length` bytes. It equals that of h5py.string_dtype, which is
    accepted as well.

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
# References of HDF5 1.12 (H5T_STD_REF) to objects, regions and attributes, also in other files.
# h5py does not support them.
revised_ref_dtype = np.dtype("O", metadata={REFERENCE_KEY: Reference, REVISED_KEY: True})


def stored_dtype(dtype: DTypeLike) -> np.dtype:
    """Returns the dtype; for numpy's StringDType, that of strings of variable length."""
    dtype = np.dtype(dtype)
    return string_dtype() if dtype.kind == "T" else dtype


def without_string_dtype(data: Any) -> Any:
    """Returns arrays of numpy's StringDType as arrays of str, with missing values as empty
    texts."""
    kind = getattr(getattr(data, "dtype", None), "kind", None)
    if kind != "T" or not isinstance(data, np.ndarray):
        return data
    texts = data.astype(object)
    if not isinstance(getattr(data.dtype, "na_object", ""), str):
        for place, text in np.ndenumerate(texts):
            if not isinstance(text, str):
                texts[place] = ""
    return texts


def mark_of(dtype: DTypeLike, key: str) -> Any:
    marks: Mapping[str, Any] | None = np.dtype(dtype).metadata
    return None if marks is None else marks.get(key)


def member_types(dtype: np.dtype) -> dict[str, tuple[np.dtype, int]]:
    """Returns (dtype, offset) of each member of a compound by its name; {} for other dtypes."""
    fields: Mapping[str, Any] = dtype.fields or {}
    return {name: (fields[name][0], fields[name][1]) for name in dtype.names or ()}


def check_string_dtype(dtype: DTypeLike) -> string_info | None:
    """(encoding, length) of strings, with length None if it is variable; None for other dtypes."""
    dtype = np.dtype(dtype)
    variable = mark_of(dtype, VARIABLE_KEY)
    if variable is str or variable is bytes:
        return string_info("utf-8" if variable is str else "ascii", None)
    if dtype.kind != "S":
        return None
    return string_info(mark_of(dtype, ENCODING_KEY) or "ascii", dtype.itemsize)


def check_vlen_dtype(dtype: DTypeLike) -> Any:
    """The dtype of the elements of sequences; None for other dtypes. In h5py's place, str or bytes
    for strings of variable length."""
    base = mark_of(dtype, VARIABLE_KEY)
    is_text = base is str or base is bytes
    return base if is_text and get_config()._as_h5py else sequence_base(dtype)


def sequence_base(dtype: DTypeLike) -> np.dtype | None:
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
    """True if its values are stored as opaque bytes."""
    return bool(mark_of(dtype, OPAQUE_KEY))


def special_dtype(**kind: Any) -> np.dtype:
    """h5py's older form of vlen_dtype, string_dtype, enum_dtype and ref_dtype, with one of `vlen`
    (str, bytes or a dtype), `enum` (a base and the values by name) and `ref` (Reference or
    RegionReference). Raises TypeError for anything else.

    >>> special_dtype(vlen=np.dtype("i4")) == vlen_dtype("i4")
    True
    """
    if len(kind) != 1:
        raise TypeError("Exactly one keyword may be provided")
    ((name, value),) = kind.items()
    if name == "vlen":
        if value is str or value is bytes:
            return string_dtype("utf-8" if value is str else "ascii")
        return vlen_dtype(value)
    if name == "enum":
        try:
            base, values = value
        except (TypeError, ValueError):
            raise TypeError(
                "Enums must be created from a 2-tuple (basetype, values_dict)"
            ) from None
        return enum_dtype(values, base)
    if name == "ref":
        known = {Reference: ref_dtype, RegionReference: regionref_dtype}
        if value not in known:
            raise ValueError("Ref class must be Reference or RegionReference")
        return known[value]
    raise TypeError(f'Unknown special type "{name}"')


def check_dtype(**kind: Any) -> Any:
    """h5py's older form of check_vlen_dtype, check_string_dtype, check_enum_dtype and
    check_ref_dtype, with one of `vlen`, `enum` and `ref`, and a dtype; None if the dtype is of
    another kind.

    >>> check_dtype(vlen=string_dtype())
    <class 'str'>
    """
    if len(kind) != 1:
        raise TypeError("Exactly one keyword may be provided")
    ((name, dtype),) = kind.items()
    keys = {"vlen": VARIABLE_KEY, "enum": ENUM_KEY, "ref": REFERENCE_KEY}
    if name not in keys:
        raise TypeError(f'Unknown special type "{name}"')
    return mark_of(dtype, keys[name])


def complex_compat_dtype(dtype: DTypeLike) -> np.dtype:
    """The compound type by which files for HDF5 before 2.0 store complex numbers. Raises TypeError
    for other dtypes.

    >>> complex_compat_dtype("c8")
    dtype([('r', '<f4'), ('i', '<f4')])
    """
    dtype = np.dtype(dtype)
    if dtype.kind != "c":
        raise TypeError(f"a dtype of complex numbers was expected, not {dtype}")
    part = np.dtype(f"{dtype.str[0]}f{dtype.itemsize // 2}")
    return np.dtype([(name, part) for name in get_config().complex_names])


def check_complex_dtype(
    dtype: DTypeLike, names: tuple[str, str] | None = ("r", "i")
) -> np.dtype | None:
    """The dtype of complex numbers, for a complex dtype or for a compound of two equal floats with
    these member names (any names if `names` is None); None for other dtypes."""
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return dtype
    members = member_types(dtype)
    if len(members) != 2 or names not in (None, dtype.names):
        return None
    (part, at), (other, other_at) = members.values()
    adjacent = (at, other_at) == (0, part.itemsize)
    if other != part or part.kind != "f" or part.itemsize < 4 or not adjacent:
        return None
    return np.dtype(f"{part.str[0]}c{2 * part.itemsize}")
