"""Python's values <-> arrays of exactly the stored type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._core import StoredType, StringPadding, TypeClass
from ._types import string_dtype


def decode_text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def encode_text(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


def as_array(data: Any, dtype: np.dtype | None = None) -> np.ndarray:
    """`data` as numpy converts it to `dtype`, C-contiguous.

    str, and arrays of str, become fixed-length strings in UTF-8; bytes become strings in ASCII.
    """
    if dtype is not None and dtype.kind != "S":
        return np.asarray(data, dtype=dtype, order="C")
    array = np.asarray(data)
    if array.dtype.kind in "UO":
        array = _encode(np.asarray(data, dtype=object), dtype)
    return np.asarray(array, dtype=dtype, order="C")


def _encode(array: np.ndarray, dtype: np.dtype | None) -> np.ndarray:
    """An array of str or of bytes -> strings, as long as the longest unless `dtype` says so."""
    elements = list(array.flat)
    if all(isinstance(element, str) for element in elements):
        elements = [encode_text(element) for element in elements]
        if any(b"\0" in element for element in elements):
            raise ValueError("a text with NUL characters cannot be stored: they mark its end")
        encoding = "utf-8"
    elif all(isinstance(element, bytes) for element in elements):
        encoding = "ascii"
    else:
        raise TypeError(f"{array!r} of dtype object: only str, or only bytes, can be stored")
    if dtype is None:
        dtype = string_dtype(encoding, max(map(len, elements), default=0) or 1)
    return np.array(elements, dtype=dtype).reshape(array.shape)


def fill_array(value: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """The same, broadcast to `shape`. Raises TypeError if that cannot be."""
    array = as_array(value, dtype)
    if array.shape != shape:
        original = array.shape
        while array.ndim > len(shape) and array.shape[0] == 1:
            array = array[0]
        try:
            array = np.broadcast_to(array, shape)
        except ValueError:
            raise TypeError(f"Can't broadcast {original} -> {shape}") from None
    return np.ascontiguousarray(array)


def unpad(array: np.ndarray, stored: StoredType) -> None:
    """Turns strings just read, as they are padded in the file, into numpy's: zeros at the end."""

    def clean(texts: np.ndarray, padding: StringPadding) -> None:
        if padding == StringPadding.null_terminated:
            texts[np.logical_or.accumulate(texts == 0, axis=-1)] = 0
        elif padding == StringPadding.space_padded:
            texts[_tail(texts, ord(" "))] = 0

    if _is_padded(stored):
        _each_string(array, stored, clean)


def pad(array: np.ndarray, stored: StoredType) -> np.ndarray:
    """numpy's strings as they are padded in the file; `array` itself if nothing is to be done."""
    if not _is_padded(stored):
        return array

    def finish(texts: np.ndarray, padding: StringPadding) -> None:
        if padding == StringPadding.null_terminated:
            texts[..., -1] = 0
        elif padding == StringPadding.space_padded:
            texts[_tail(texts, 0)] = ord(" ")

    padded = array.copy()
    _each_string(padded, stored, finish)
    return padded


def _tail(texts: np.ndarray, byte: int) -> np.ndarray:
    """Where in each text only `byte` follows."""
    return np.logical_and.accumulate((texts == byte)[..., ::-1], axis=-1)[..., ::-1]


def _is_padded(stored: StoredType) -> bool:
    """Does it hold strings that are padded otherwise than numpy's?"""
    if stored.type_class == TypeClass.compound:
        return any(_is_padded(member) for _, _, member in stored.members)
    return stored.type_class == TypeClass.string and stored.padding != StringPadding.null_padded


def _each_string(
    array: np.ndarray, stored: StoredType, change: Callable[[np.ndarray, StringPadding], None]
) -> None:
    """Calls `change` with the bytes of every array of strings in `array`, changing it in place."""
    if array.dtype.names:
        for name, _, member in stored.members:
            _each_string(array[name], member, change)
    elif stored.type_class == TypeClass.string and array.size:
        texts = np.array(array, order="C", ndmin=1)
        change(texts.view(np.uint8).reshape(*texts.shape, stored.size), stored.padding)
        array[...] = texts.reshape(array.shape)
