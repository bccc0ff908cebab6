"""Converts between stored types and numpy's dtypes."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from ._config import get_config, on_new_names
from ._core import (
    ByteOrder,
    CharacterSet,
    Object,
    ReferenceKind,
    RegionReference,
    StoredType,
    StringPadding,
    TypeClass,
    UnsupportedError,
    forget_plain_types,
)
from ._dtypes import (
    ENCODING_KEY,
    REFERENCE_KEY,
    REVISED_KEY,
    VARIABLE_KEY,
    check_enum_dtype,
    check_opaque_dtype,
    enum_dtype,
    mark_of,
    member_types,
    opaque_dtype,
    ref_dtype,
    regionref_dtype,
    revised_ref_dtype,
    sequence_base,
    stored_dtype,
    string_dtype,
    vlen_dtype,
)

_settings = get_config()
OPAQUE_PREFIX = "NUMPY:"


# --- stored types -> dtypes ----------------------------------------------------------------------
def is_text(stored: StoredType) -> bool:
    """True for a fixed-length string in UTF-8."""
    return stored.type_class == TypeClass.string and stored.character_set == CharacterSet.utf8


class _NoDtype(Exception):
    pass


def to_dtype(stored: StoredType, where: str) -> np.dtype:
    """Returns the dtype. Raises UnsupportedError, which names the type and its place `where`, if
    the type cannot be read."""
    try:
        return dtype_of(stored)
    except _NoDtype as unknown:
        raise UnsupportedError(f"{where}: {unknown}") from None


@lru_cache(maxsize=1024)
def dtype_of(stored: StoredType) -> np.dtype:
    memory = memory_type(stored)
    size = memory.size
    order = ">" if memory.byte_order == ByteOrder.big else "<"
    match stored.type_class:
        case TypeClass.integer | TypeClass.bitfield:
            return np.dtype(f"{order}{'i' if memory.is_signed else 'u'}{size}")
        case TypeClass.floating:
            return np.dtype(f"{order}f{size}")
        case TypeClass.string:
            return string_dtype("utf-8" if is_text(stored) else "ascii", size)
        case TypeClass.variable_string:
            utf8 = stored.character_set == CharacterSet.utf8
            return string_dtype("utf-8" if utf8 else "ascii")
        case TypeClass.sequence:
            return vlen_dtype(dtype_of(stored.base))
        case TypeClass.reference if stored.reference_kind == ReferenceKind.region:
            return regionref_dtype
        case TypeClass.reference:
            is_old = stored.reference_kind == ReferenceKind.object
            return ref_dtype if is_old else revised_ref_dtype
        case TypeClass.enumeration if _is_boolean(stored):
            return np.dtype(bool)
        case TypeClass.enumeration:
            return enum_dtype(dict(stored.values), dtype_of(stored.base))
        case TypeClass.opaque:
            return _opaque_dtype(stored)
        case TypeClass.array:
            return np.dtype((dtype_of(stored.base), stored.dimensions))
        case TypeClass.complex:
            part = dtype_of(stored.base)
            return np.dtype(f"{part.str[0]}c{2 * part.itemsize}")
        case TypeClass.compound:
            return _compound_dtype(stored, memory)
    raise _NoDtype(f"the type {stored} cannot be read")


def _is_boolean(stored: StoredType) -> bool:
    return dict(stored.values) == _boolean_values()


def _boolean_values() -> dict[str, int]:
    return {name: value for value, name in enumerate(_settings.bool_names)}


def _opaque_dtype(stored: StoredType) -> np.dtype:
    if stored.tag.startswith(OPAQUE_PREFIX):
        try:
            dtype = np.dtype(stored.tag.removeprefix(OPAQUE_PREFIX))
        except TypeError:
            dtype = None
        if dtype is not None and dtype.itemsize == stored.size and not dtype.hasobject:
            return opaque_dtype(dtype)
    return np.dtype(f"V{stored.size}")


def _compound_dtype(stored: StoredType, memory: StoredType) -> np.dtype:
    names = [name for name, _, _ in stored.members]
    formats = []
    for name, _, member in stored.members:
        try:
            formats.append(dtype_of(member))
        except _NoDtype as unknown:
            raise _NoDtype(f"member {name!r}: {unknown}") from None
    offsets, size = [offset for _, offset, _ in memory.members], memory.size
    if stored.points_elsewhere:
        offsets, size = _shifted(stored)
    if tuple(names) == _settings.complex_names and formats[0] == formats[1]:
        part = formats[0]
        adjacent = offsets == [0, part.itemsize] and memory.size == 2 * part.itemsize
        if part.kind == "f" and part.itemsize > 2 and adjacent:
            return np.dtype(f"{part.str[0]}c{2 * part.itemsize}")
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def _shifted(stored: StoredType) -> tuple[list[int], int]:
    """Returns offsets and size of a compound. A member with another size in memory than in the file
    moves the members after it, as in HDF5."""
    offsets = [0] * len(stored.members)
    shift = 0
    by_offset = sorted(enumerate(stored.members), key=lambda member: member[1][1])
    for position, (_, offset, member) in by_offset:
        offsets[position] = offset + shift
        shift += _size_in_memory(member) - member.size
    return offsets, stored.size + shift


def _size_in_memory(stored: StoredType) -> int:
    match stored.type_class:
        case TypeClass.variable_string:
            return 8
        case TypeClass.sequence:
            return 16
        case TypeClass.reference:
            return 12 if stored.reference_kind == ReferenceKind.region else 8
        case TypeClass.array:
            return stored.size // stored.base.size * _size_in_memory(stored.base)
        case TypeClass.compound if stored.points_elsewhere:
            return _shifted(stored)[1]
    return memory_type(stored).size


# --- types in memory -----------------------------------------------------------------------------
@lru_cache(maxsize=1024)
def memory_type(stored: StoredType) -> StoredType:
    """Returns a type whose bytes numpy understands: `stored` itself if it is such a type."""
    size, order = stored.size, stored.byte_order
    match stored.type_class:
        case TypeClass.integer | TypeClass.bitfield:
            if size not in (1, 2, 4, 8):
                raise _NoDtype(f"the type {stored} cannot be read: numpy has no such integers")
            whole = StoredType.integer(size, stored.is_signed, order)
            return stored if stored.bits == (0, 8 * size) else whole
        case TypeClass.floating:
            return _floating_memory(stored)
        case TypeClass.string if stored.padding != StringPadding.null_padded:
            return StoredType.string(size, StringPadding.null_padded, stored.character_set)
        case TypeClass.enumeration if _is_boolean(stored):
            return stored if size == 1 else StoredType.integer(1, True, ByteOrder.little)
        case TypeClass.enumeration:
            base = memory_type(stored.base)
            return stored if base == stored.base else base
        case TypeClass.array:
            base = memory_type(stored.base)
            return stored if base == stored.base else StoredType.array(base, stored.dimensions)
        case TypeClass.complex:
            base = memory_type(stored.base)
            if base.size < 4:
                raise _NoDtype(f"the type {stored} cannot be read")
            return stored if base == stored.base else StoredType.complex(base)
        case TypeClass.compound:
            return _compound_memory(stored)
    return stored


def _floating_memory(stored: StoredType) -> StoredType:
    """Returns numpy's smallest floating-point type that has all the values."""
    order = ByteOrder.big if stored.byte_order == ByteOrder.big else ByteOrder.little
    _, _, exponent_size, _, mantissa_size, bias, normalization = stored.float_layout
    implied = normalization == 2
    digits = mantissa_size if implied else mantissa_size - 1
    highest = (1 << exponent_size) - 2 - bias
    for kind in ("f2", "f4", "f8", "g"):
        info = np.finfo(kind)
        if digits <= info.nmant and highest < info.maxexp and 1 - bias >= info.minexp:
            known = _native_floating(np.dtype(kind), order)
            same = known.float_layout == stored.float_layout and known.bits == stored.bits
            return stored if same and known.size == stored.size else known
    raise _NoDtype(f"the type {stored} cannot be read: numpy has no such numbers")


def _native_floating(dtype: np.dtype, order: ByteOrder) -> StoredType:
    extended = dtype.itemsize > 8 and np.finfo(dtype).nmant == 63
    if extended:
        return StoredType.float80(dtype.itemsize, order)
    return StoredType.floating(dtype.itemsize, order)


def _compound_memory(stored: StoredType) -> StoredType:
    try:
        members = [(name, offset, memory_type(t)) for name, offset, t in stored.members]
    except _NoDtype as unknown:
        raise _NoDtype(f"in {stored}: {unknown}") from None
    if all(a[2] == b[2] for a, b in zip(members, stored.members, strict=True)):
        return stored
    if all(a[2].size <= b[2].size for a, b in zip(members, stored.members, strict=True)):
        return StoredType.compound(stored.size, members)
    packed, end = [], 0
    for name, _, member in members:
        packed.append((name, end, member))
        end += member.size
    return StoredType.compound(end, packed)


def plain_type(stored: StoredType) -> tuple[np.dtype, StoredType] | None:
    """Returns (dtype, type of its bytes) for a type whose values lie completely in its bytes; None
    for others, and for types that cannot be read. The core asks once for each type."""
    if stored.points_elsewhere:
        return None
    try:
        return dtype_of(stored), memory_type(stored)
    except _NoDtype:
        return None


def _forget() -> None:
    """Drops cached types, which depend on the names for complex numbers and bool."""
    dtype_of.cache_clear()
    memory_type.cache_clear()
    forget_plain_types()


on_new_names(_forget)


def given_type(dtype: Any) -> tuple[Object | None, StoredType | None, np.dtype | None]:
    """Returns what the argument `dtype` of a call that stores values means: the object, if it is a
    committed datatype; the stored type, if it is a Datatype or an identifier of the low level; the
    dtype, unless it is None."""
    if dtype is None:
        return None, None, None
    stored = getattr(dtype, "datatype", getattr(dtype, "_stored", None))
    if stored is None:
        return None, None, stored_dtype(dtype)
    is_committed = hasattr(dtype, "datatype") and dtype._handle is not None
    return dtype._object if is_committed else None, stored, stored_dtype(dtype.dtype)


# --- dtypes -> stored types ----------------------------------------------------------------------
def to_stored(dtype: np.dtype) -> StoredType:
    """Returns the stored type. Raises TypeError, which names the dtype, if Onecast cannot write
    it."""
    # Most dtypes are numbers. Equal dtypes of other kinds may mean different things.
    if dtype.kind in "iuf" and dtype.metadata is None:
        return _number(dtype)
    return _to_stored(dtype)


@cache
def _number(dtype: np.dtype) -> StoredType:
    return _to_stored(dtype)


def _to_stored(dtype: np.dtype) -> StoredType:
    order = ByteOrder.big if dtype.str[0] == ">" else ByteOrder.little
    size = dtype.itemsize
    if dtype.kind == "O":
        return _object_type(dtype)
    if check_opaque_dtype(dtype):
        return StoredType.opaque(size, OPAQUE_PREFIX + dtype.str)
    match dtype.kind:
        case "i" | "u":
            number = StoredType.integer(size, dtype.kind == "i", order)
            names = check_enum_dtype(dtype)
            return StoredType.enumeration(number, list(names.items())) if names else number
        case "b":
            number = StoredType.integer(1, True, ByteOrder.little)
            return StoredType.enumeration(number, list(_boolean_values().items()))
        case "f":
            return _native_floating(dtype, order)
        case "c":
            part = to_stored(np.dtype(f"{dtype.str[0]}f{size // 2}"))
            r, i = _settings.complex_names
            return StoredType.compound(size, [(r, 0, part), (i, size // 2, part)])
        case "S" if size > 0:
            utf8 = mark_of(dtype, ENCODING_KEY) == "utf-8"
            return StoredType.string(
                size, StringPadding.null_padded, CharacterSet.utf8 if utf8 else CharacterSet.ascii
            )
        case "V" if dtype.fields and dtype.names:
            return _compound_type(dtype)
        case "V" if dtype.subdtype:
            base, dimensions = dtype.subdtype
            return StoredType.array(to_stored(base), dimensions)
        case "V" if size > 0:
            return StoredType.opaque(size, "")
    raise TypeError(f"dtype {dtype!r} has no equivalent that Onecast writes")


def _object_type(dtype: np.dtype) -> StoredType:
    variable, reference = mark_of(dtype, VARIABLE_KEY), mark_of(dtype, REFERENCE_KEY)
    if variable is str or variable is bytes:
        utf8 = variable is str
        return StoredType.variable_string(CharacterSet.utf8 if utf8 else CharacterSet.ascii)
    if (base := sequence_base(dtype)) is not None:
        return StoredType.sequence(to_stored(base))
    if mark_of(dtype, REVISED_KEY):
        return StoredType.reference(ReferenceKind.revised_object)
    if reference is not None:
        # h5py has classes of equal names.
        region = reference.__name__ == RegionReference.__name__
        return StoredType.reference(ReferenceKind.region if region else ReferenceKind.object)
    raise TypeError(f"Object dtype {dtype!r} has no native HDF5 equivalent")


def _compound_type(dtype: np.dtype) -> StoredType:
    """Returns a compound type. Members that are larger in the file than in memory move those after
    them."""
    fields = [(name, offset, member) for name, (member, offset) in member_types(dtype).items()]
    stored = {name: to_stored(member) for name, _, member in fields}
    offsets, shift = {}, 0
    for name, offset, member in sorted(fields, key=lambda field: field[1]):
        offsets[name] = offset + shift
        shift += stored[name].size - member.itemsize
    return StoredType.compound(
        dtype.itemsize + shift, [(name, offsets[name], stored[name]) for name, _, _ in fields]
    )


def stored_for(array: np.ndarray, dtype: np.dtype | None) -> StoredType:
    """Returns the stored type for `array`, which was converted to `dtype` if one was requested."""
    # Only one of two equal dtypes may carry the character set, and S without a length has none.
    return to_stored(dtype if dtype is not None and dtype.itemsize else array.dtype)
