"""Converts between Python's values and arrays of exactly the stored type."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from . import _core, _members, _new_values
from ._config import get_config
from ._core import StoredType, TypeClass
from ._dtypes import (
    check_string_dtype,
    sequence_base,
    string_dtype,
    string_info,
    without_string_dtype,
)
from ._errors import ConversionError
from ._types import memory_type, to_stored
from ._warnings import warning_outside

_NUMBERS = {
    dtype: to_stored(dtype)
    for dtype in (
        np.dtype(order + kind) for order in "<>" for kind in np.typecodes["AllInteger"] + "efd"
    )
}
_NARROW = {
    np.dtype(order + kind) for order in "<>" for kind in "efF"
}  # numbers may overflow in these
_CONVERTED_AT_ONCE = 1 << 20  # bytes
_SCALARS = {int, float, *(dtype.type for dtype in _NUMBERS)}


def decode_text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def encode_text(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


def as_array(data: Any, dtype: np.dtype | None = None, is_new: bool = False) -> np.ndarray:
    """Returns `data` as numpy converts it to `dtype`, C-contiguous.

    str, and arrays of str, become fixed-length strings in UTF-8; bytes become strings in ASCII.
    Members of compounds are matched by name. The dimensions of elements that are arrays are the
    last dimensions of `data`; others raise TypeError.

    is_new: the dtype of `data` is also that of what is created; an array of objects raises
        TypeError
    """
    data = without_string_dtype(data)
    if dtype is not None and dtype.subdtype:
        return _elements(data, dtype)
    if dtype is not None and dtype.names and (given := _members.structured(data)) is not None:
        return _members.by_name(given, dtype)
    if dtype is not None and dtype.kind == "O" and dtype.metadata:
        return _new_values.object_array(data, dtype)
    if dtype is not None and dtype.kind != "V" and _members.structured(data) is not None:
        raise ConversionError(f"there is no conversion from a compound to {dtype}")
    if dtype in _NARROW:
        return warning_outside(lambda: np.asarray(data, dtype=dtype, order="C"))
    if dtype is not None and dtype.kind != "S":
        return np.asarray(data, dtype=dtype, order="C")
    array = np.asarray(data)
    if is_new and array.dtype.kind == "O":
        raise TypeError(f"Object dtype {array.dtype!r} has no native HDF5 equivalent")
    refused = array.dtype.kind == "U" and get_config()._as_h5py
    if refused and (is_new or isinstance(data, np.ndarray)):
        raise TypeError(f"No conversion path for dtype: {array.dtype!r}")
    if array.dtype.kind in "UO":
        array = _encode(np.asarray(data, dtype=object), dtype)
    return np.asarray(array, dtype=dtype, order="C")


def _elements(data: Any, dtype: np.dtype) -> np.ndarray:
    """Returns an array whose last dimensions are those of elements that are arrays."""
    array = as_array(data, dtype.base)
    if array.shape[max(0, array.ndim - dtype.ndim) :] != dtype.shape:
        raise TypeError(f"elements are arrays of shape {dtype.shape}, given {array.shape}")
    return array


def shape_of_elements(array: np.ndarray, dtype: np.dtype | None) -> tuple[int, ...]:
    """Returns the shape of as_array()'s result without the dimensions of elements that are
    arrays."""
    return array.shape[: array.ndim - (dtype.ndim if dtype is not None else 0)]


def plain_numbers(data: Any) -> tuple[np.ndarray, StoredType] | None:
    """Returns numbers whose bytes can be stored unchanged, with their type; None for anything else.
    It is fast, since most data is like this, and small objects are many."""
    if type(data) is not np.ndarray:
        if type(data) not in _SCALARS:
            return None
        data = np.asarray(data)
    dtype = data.dtype
    stored = _NUMBERS.get(dtype)
    # Metadata may mark an enumeration; equal dtypes may differ in it.
    if stored is None or dtype.metadata is not None or not data.flags.c_contiguous:
        return None
    return data, stored


def type_to_convert(array: Any, dtype: np.dtype) -> StoredType | None:
    """Returns the type of an array of numbers that differs from `dtype`, which the core converts as
    HDF5 does, in little memory. None if there is nothing to convert, or numpy converts it."""
    if type(array) is not np.ndarray or array.dtype == dtype:
        return None
    if dtype not in _NUMBERS or dtype.metadata is not None or array.dtype.metadata is not None:
        return None
    return _NUMBERS.get(array.dtype)


def new_array(data: Any, dtype: np.dtype | None = None) -> np.ndarray:
    """Returns `data` in the form in which new data is stored: str and bytes with variable length,
    unless `dtype` or an array of numpy's strings says otherwise."""
    data = without_string_dtype(data)
    if dtype is None:
        dtype = _new_values.guess_dtype(data)
        return as_array(data, dtype, is_new=dtype is None)
    if (given := type_to_convert(data, dtype)) is not None:
        converted = np.empty(data.shape, dtype)
        if data.size:
            _core.convert(given, np.ascontiguousarray(data), _NUMBERS[dtype], converted)
        return converted
    return as_array(data, dtype)


def many_to_convert(data: Any, dtype: np.dtype | None) -> np.ndarray | None:
    """Returns numbers of another dtype if they are many, so that the core converts them part by
    part; None otherwise: see new_array()."""
    if dtype is None or type_to_convert(data, dtype) is None:
        return None
    if data.size * dtype.itemsize <= _CONVERTED_AT_ONCE:
        return None
    return np.ascontiguousarray(data)


def _encode(array: np.ndarray, dtype: np.dtype | None) -> np.ndarray:
    """Encodes an array of str or bytes, or of both if `dtype` is given, as strings of the longest
    length unless `dtype` says otherwise."""
    elements = list(array.flat)
    are_texts = all(isinstance(element, str) for element in elements)
    kinds = (str, bytes) if dtype is not None else (str,) if are_texts else (bytes,)
    if not all(isinstance(element, kinds) for element in elements):
        raise ConversionError(f"{array!r} of dtype object: only str, or only bytes, can be stored")
    info = None if dtype is None else check_string_dtype(dtype)
    elements = [
        _without_end(_fitting(element, info)) if isinstance(element, str) else element
        for element in elements
    ]
    if dtype is None:
        encoding = "utf-8" if are_texts else "ascii"
        dtype = string_dtype(encoding, max(map(len, elements), default=0) or 1)
    return np.array(elements, dtype=dtype).reshape(array.shape)


def _without_end(text: bytes) -> bytes:
    if b"\0" in text:
        raise ValueError("a text with NUL characters cannot be stored: they mark its end")
    return text


def _fitting(text: str, info: string_info | None) -> bytes:
    """Returns the text as a string of that length, cut between characters. Raises
    UnicodeEncodeError if its encoding lacks a character."""
    if info is not None and info.encoding == "ascii":
        return text.encode("ascii")
    encoded = encode_text(text)
    if info is None or info.length is None or len(encoded) <= info.length:
        return encoded
    end = info.length
    # A character has at most three bytes after the first.
    while end > max(0, info.length - 3) and encoded[end] & 0xC0 == 0x80:
        end -= 1
    return encoded[:end]


def fill_array(value: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """Returns as_array() broadcast to `shape`. Raises TypeError if that is not possible."""
    if shape == () and _new_values.is_one_sequence(value, dtype):
        return _new_values.one_sequence(value, dtype)
    array = as_array(value, dtype)
    return np.ascontiguousarray(broadcast(array, shape + dtype.shape))


def broadcast(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the array with that shape. Raises TypeError if that is not possible."""
    if array.shape == shape:
        return array
    original = array.shape
    while array.ndim > len(shape) and array.shape[0] == 1:
        array = array.reshape(array.shape[1:])
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise TypeError(f"Can't broadcast {original} -> {shape}") from None


def decode(owner: Any, stored: StoredType, dtype: np.dtype, data: Any, count: int) -> np.ndarray:
    """Returns the values of `count` elements from their stored bytes.

    `owner` is the object of the core in whose file they are. An element that is an array adds its
    dimensions.
    """
    values = _core.VariableValues(owner) if stored.points_elsewhere else None
    return _decode(values, stored, dtype, data, count)


def _decode(values: Any, stored: StoredType, dtype: np.dtype, data: Any, count: int) -> np.ndarray:
    match stored.type_class:
        case TypeClass.variable_string:
            array = np.empty(count, dtype)
            values.strings(stored, data, array, None)
            return array
        case TypeClass.reference:
            return _new_values.objects(values.references(stored, data), dtype)
        case TypeClass.sequence:
            counts, elements = values.sequences(stored, data)
            base: Any = sequence_base(dtype)
            flat = _decode(values, stored.base, base, elements, sum(counts))
            ends = np.cumsum([0, *counts], dtype=np.int64).tolist()
            return _new_values.objects([flat[a:b].copy() for a, b in pairwise(ends)], dtype)
        case TypeClass.array if stored.points_elsewhere:
            base, dimensions = dtype.base, dtype.shape
            number = int(np.prod(dimensions, dtype=np.int64))
            flat = _decode(values, stored.base, base, data, count * number)
            return flat.reshape(count, *dimensions, *flat.shape[1:])
        case TypeClass.compound if stored.points_elsewhere:
            return _decode_members(values, stored, dtype, data, count)
    memory = memory_type(stored)
    array = np.empty(count, dtype)
    if memory == stored:
        _bytes(array)[:] = np.frombuffer(data, np.uint8)
    elif count:
        _core.convert(stored, data, memory, _bytes(array))
    return array


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ndarray(array.nbytes, np.uint8, buffer=array)


def _decode_members(
    values: Any, stored: StoredType, dtype: np.dtype, data: Any, count: int
) -> np.ndarray:
    array = np.zeros(count, dtype)
    rows = np.frombuffer(data, np.uint8).reshape(count, stored.size)
    for name, offset, member in stored.members:
        part = np.ascontiguousarray(rows[:, offset : offset + member.size])
        member_dtype = dtype[name]
        array[name] = _decode(values, member, member_dtype, part.reshape(-1), count)
    return array


def new_values(stored: StoredType) -> Any:
    """Returns the keeper of values of this type for encode(); None if none is needed."""
    return _core.NewValues() if stored.points_elsewhere else None


def encode(array: np.ndarray, stored: StoredType, values: Any = None) -> Any:
    """Returns the values in stored form; `array` itself if it has that form.

    `values` comes from new_values(), and must be kept with the result.
    """
    if values is not None:
        return _new_values.encode(values, array, stored)
    return _new_values.encode_plain(array, stored)
