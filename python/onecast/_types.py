"""Stored types <-> numpy's dtypes."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from ._core import ByteOrder, CharacterSet, StoredType, StringPadding, TypeClass, UnsupportedError

# h5py marks the character set of strings by this key of the dtype's metadata, and complex numbers
# by these two members.
ENCODING_KEY = "h5py_encoding"
VARIABLE_KEY = "vlen"
COMPLEX_MEMBERS = ("r", "i")


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
    """The dtype of strings of `length` bytes, as h5py.string_dtype makes it; h5py's works as well.

    Strings of variable length (`length=None`) can be read, not written.
    Raises ValueError if `encoding` is neither "utf-8" nor "ascii".

    >>> string_dtype("utf-8", 10)
    dtype('S10')
    """
    if encoding not in ("utf-8", "ascii"):
        raise ValueError(f"encoding: 'utf-8' or 'ascii' was expected, not {encoding!r}")
    if length is None:
        return np.dtype("O", metadata={VARIABLE_KEY: str if encoding == "utf-8" else bytes})
    return np.dtype(f"S{length}", metadata={ENCODING_KEY: encoding})


def is_text(stored: StoredType) -> bool:
    """Is this a fixed-length string in UTF-8?"""
    return stored.type_class == TypeClass.string and stored.character_set == CharacterSet.utf8


def to_dtype(stored: StoredType, where: str) -> np.dtype:
    """Raises UnsupportedError, naming the type and `where` it is, if it cannot be read."""
    size = stored.size
    order = ">" if stored.byte_order == ByteOrder.big else "<"
    match stored.type_class:
        case TypeClass.integer if size in (1, 2, 4, 8):
            return np.dtype(f"{order}{'i' if stored.is_signed else 'u'}{size}")
        case TypeClass.floating if size in (2, 4, 8):
            return np.dtype(f"{order}f{size}")
        case TypeClass.string:
            utf8 = stored.character_set == CharacterSet.utf8
            return string_dtype("utf-8", size) if utf8 else np.dtype(f"S{size}")
        case TypeClass.variable_string:
            utf8 = stored.character_set == CharacterSet.utf8
            return string_dtype("utf-8" if utf8 else "ascii")
        case TypeClass.compound:
            return _compound_dtype(stored, where)
    raise UnsupportedError(f"{where}: the type {stored} cannot be read")


def _compound_dtype(stored: StoredType, where: str) -> np.dtype:
    names = [name for name, _, _ in stored.members]
    formats = []
    for name, _, member in stored.members:
        member_where = f"{where}: member {name!r}"
        if member.type_class == TypeClass.variable_string:
            raise UnsupportedError(f"{member_where}: the type {member} cannot be read")
        formats.append(to_dtype(member, member_where))
    if tuple(names) == COMPLEX_MEMBERS and formats[0] == formats[1]:
        part = formats[0]
        adjacent = [offset for _, offset, _ in stored.members] == [0, part.itemsize]
        if part.kind == "f" and part.itemsize > 2 and adjacent and stored.size == 2 * part.itemsize:
            return np.dtype(f"{part.str[0]}c{2 * part.itemsize}")
    return np.dtype(
        {
            "names": names,
            "formats": formats,
            "offsets": [offset for _, offset, _ in stored.members],
            "itemsize": stored.size,
        }
    )


def to_stored(dtype: np.dtype) -> StoredType:
    """Raises TypeError, naming the dtype, if Onecast cannot write it."""
    order = ByteOrder.big if dtype.str[0] == ">" else ByteOrder.little
    size = dtype.itemsize
    match dtype.kind:
        case "i" | "u":
            return StoredType.integer(size, dtype.kind == "i", order)
        case "f" if size <= 8:
            return StoredType.floating(size, order)
        case "c" if size <= 16:
            part = StoredType.floating(size // 2, order)
            r, i = COMPLEX_MEMBERS
            return StoredType.compound(size, [(r, 0, part), (i, size // 2, part)])
        case "S" if size > 0:
            utf8 = (dtype.metadata or {}).get(ENCODING_KEY) == "utf-8"
            return StoredType.string(
                size, StringPadding.null_padded, CharacterSet.utf8 if utf8 else CharacterSet.ascii
            )
        case "V" if dtype.fields and dtype.names:
            members = [(name, dtype.fields[name][1], dtype.fields[name][0]) for name in dtype.names]
            return StoredType.compound(
                size, [(name, offset, to_stored(member)) for name, offset, member in members]
            )
    if VARIABLE_KEY in (dtype.metadata or {}):
        raise TypeError(f"dtype {dtype!r}: strings of variable length can only be read")
    raise TypeError(f"dtype {dtype!r} has no equivalent that Onecast writes")


def stored_for(array: np.ndarray, dtype: np.dtype | None) -> StoredType:
    """The type to store `array` with, which was converted to `dtype` if one was asked for."""
    # Of two equal dtypes only one may carry the character set, and S without a length has none.
    return to_stored(dtype if dtype is not None and dtype.itemsize else array.dtype)
