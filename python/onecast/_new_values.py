"""Encodes Python's values of variable length, and references, as elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._core import CharacterSet, StoredType, StringPadding, TypeClass
from ._dtypes import ref_dtype, regionref_dtype, sequence_base, string_dtype
from ._types import dtype_of, memory_type


def guess_dtype(data: Any) -> np.dtype | None:
    """Returns the dtype of data for which numpy has none: text, references, and lists and arrays of
    these. For an array or dataset of objects whose dtype describes them, returns that dtype."""
    kind = _item_type(data)
    if isinstance(kind, np.dtype):
        return kind
    if kind is str:
        return string_dtype()
    if kind is bytes:
        return string_dtype("ascii")
    if kind is _core.RegionReference:
        return regionref_dtype
    return ref_dtype if kind is _core.Reference else None


def find_item_type(data: Any) -> type | None:
    """Returns the type of the items of a list, tuple or array of objects, at any depth; None if
    there are several types, or for arrays that have a dtype."""
    kind = _item_type(data)
    return None if isinstance(kind, np.dtype) else kind


def _item_type(data: Any) -> type | np.dtype | None:
    """Returns the type of all items of nested lists and object arrays, or the dtype that describes
    it; None if there are several types."""
    dtype: Any = getattr(data, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind == "O" and dtype.metadata:
        return dtype  # the dtype of an array, or of any library's dataset
    if isinstance(data, np.ndarray):
        if dtype.kind != "O":
            return None
        if not data.size:
            return None
        return _core.common_type(np.ascontiguousarray(data))
    elif isinstance(data, list | tuple):
        kinds = {_item_type(item) for item in data}
    else:
        return type(data)
    return kinds.pop() if len(kinds) == 1 else None


def object_array(data: Any, dtype: np.dtype) -> np.ndarray:
    """Returns an array of Python objects: texts, references, or arrays of any length."""
    if (base := sequence_base(dtype)) is not None:
        array = _sequences(data, base)
    else:
        array = np.asarray(data, dtype=object, order="C")
    return array.view(dtype)


def is_one_sequence(data: Any, dtype: np.dtype) -> bool:
    """True if the data for a single element is a list of the sequence's items, which may be
    lists."""
    base = sequence_base(dtype)
    if base is None or base.kind != "O":
        return False
    if isinstance(data, np.ndarray):
        return data.ndim == 1 and _depth_of(data) <= _depth(dtype)
    return isinstance(data, list | tuple)


def _depth(dtype: np.dtype) -> int:
    """Returns the number of nested sequences."""
    base = sequence_base(dtype)
    return 0 if base is None else 1 + _depth(base)


def _depth_of(data: Any) -> int:
    if isinstance(data, np.ndarray) and data.dtype.kind != "O":
        return data.ndim
    if not isinstance(data, np.ndarray | list | tuple):
        return 0
    return 1 + max(map(_depth_of, data), default=0)


def one_sequence(data: Any, dtype: np.dtype) -> np.ndarray:
    return objects([data]).reshape(()).view(dtype)


def _sequences(data: Any, base: np.dtype) -> np.ndarray:
    """Returns an array with one array in each element. The last dimension of numbers becomes that
    of the sequences."""
    if isinstance(data, np.ndarray) and data.dtype.kind == "O":
        return data.astype(object, order="C")
    if base.kind != "O":
        try:
            numbers = np.asarray(data, dtype=base)
        except (ValueError, TypeError):
            numbers = None
        if numbers is not None and numbers.ndim:
            depth = len(base.shape)
            shape = numbers.shape[: numbers.ndim - 1 - depth]
            rows = numbers.reshape(
                int(np.prod(shape, dtype=np.int64)), *numbers.shape[len(shape) :]
            )
            return objects(list(rows)).reshape(shape)
    if not np.iterable(data):
        raise TypeError(f"a sequence was expected for each element, not {type(data).__name__}")
    if base.kind == "O" and not any(isinstance(x, list | tuple | np.ndarray) for x in data):
        return objects([data]).reshape(())
    return objects(list(data))


def objects(items: list[Any], dtype: Any = object) -> np.ndarray:
    """Returns an array in which each item is an element, also if it is a sequence."""
    array = np.empty(len(items), dtype)
    for position, item in enumerate(items):
        array[position] = item
    return array


def encode(values: _core.NewValues, array: np.ndarray, stored: StoredType) -> Any:
    """Returns the bytes of the elements of `array`; `values` keeps their values."""
    count = array.size
    match stored.type_class:
        case TypeClass.variable_string:
            _require_ascii(array, stored)
            return values.strings(stored, np.ascontiguousarray(array, object))
        case TypeClass.reference:
            return values.references(stored, [_reference(r, stored) for r in array.flat])
        case TypeClass.sequence:
            return _encode_sequences(values, array, stored)
        case TypeClass.array if stored.points_elsewhere:
            return encode(values, array, stored.base)
        case TypeClass.compound if stored.points_elsewhere:
            rows = np.zeros((array.size, stored.size), np.uint8)
            flat = array.reshape(-1)
            for name, offset, member in stored.members:
                part = encode(values, np.ascontiguousarray(flat[name]), member)
                part = np.frombuffer(part, np.uint8).reshape(count, member.size)
                rows[:, offset : offset + member.size] = part
            return rows.reshape(-1)
    plain = np.ascontiguousarray(encode_plain(array, stored))
    return plain.reshape(-1).view(np.uint8)


def _require_ascii(array: np.ndarray, stored: StoredType) -> None:
    if stored.character_set == CharacterSet.ascii:
        for text in array.flat:
            if isinstance(text, str) and not text.isascii():
                text.encode("ascii")  # raises UnicodeEncodeError


def encode_plain(array: np.ndarray, stored: StoredType) -> Any:
    """Returns elements without values of variable length in stored form; `array` itself if it has
    that form."""
    memory = memory_type(stored)
    if memory == stored or not array.size:
        return array
    if _fills(array, stored):
        return array
    data = np.empty(array.nbytes // memory.size * stored.size, np.uint8)
    _core.convert(memory, np.ascontiguousarray(array), stored, data)
    return data


def _fills(array: np.ndarray, stored: StoredType) -> bool:
    """True if the texts have the size of their type, which they may fill without a terminator, as
    netCDF-4's characters do. HDF5's conversion would cut off the last character."""
    return (
        stored.type_class == TypeClass.string
        and stored.padding == StringPadding.null_terminated
        and array.dtype == np.dtype(f"S{stored.size}")
    )


def _reference(item: Any, stored: StoredType) -> _core.Reference | None:
    if not isinstance(item, _core.Reference):
        _require_none(item)
        return None
    is_region = isinstance(item, _core.RegionReference)
    if is_region and stored.reference_kind == _core.ReferenceKind.object:
        raise TypeError("cannot convert a reference to a region into one to an object")
    return item


def _require_none(item: Any) -> None:
    """Raises TypeError unless the item means a null reference: None, or 0 as in numpy's empty
    arrays of objects."""
    if item is not None and not (isinstance(item, int) and item == 0):
        raise TypeError(f"a reference is expected, not {item!r}")


def _encode_sequences(values: _core.NewValues, array: np.ndarray, stored: StoredType) -> bytes:
    base = sequence_base(array.dtype)
    if base is None:
        base = dtype_of(stored.base)
    items = [_sequence(item, base) for item in array.flat]
    if items:
        flat = np.concatenate(items)
        if flat.dtype != base and not base.shape:
            flat = flat.astype(base)
        flat = flat.view(base) if base.kind == "O" else flat
    else:
        flat = np.empty(0, base)
    return values.sequences(
        stored, [len(item) for item in items], encode(values, flat, stored.base)
    )


def _sequence(item: Any, base: np.dtype) -> np.ndarray:
    """Returns one sequence; None, and 0 as in numpy's empty arrays of objects, mean an empty
    one."""
    if item is None or (isinstance(item, int) and item == 0):
        item = []
    if base.kind == "O":
        return objects(list(item))
    array = np.asarray(item, dtype=base.base)
    if array.ndim != 1 + len(base.shape):
        raise ValueError(f"a sequence of {base} has one dimension, {item!r} does not")
    return array
