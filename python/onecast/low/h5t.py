"""Datatypes: what follows, and the names of the modules that this one shows."""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._core import ByteOrder, CharacterSet, ReferenceKind, StoredType, StringPadding
from .._datatype import Datatype
from .._dtypes import *
from ._identifiers import absent, missing, text
from ._number_types import *
from ._type_id import *
from ._type_ids import *


def create(classtype: int, size: int) -> TypeID:
    if classtype == COMPOUND:
        return TypeCompoundID(None, size=size)
    if classtype == OPAQUE:
        return type_id(StoredType.opaque(size, ""))
    if classtype == STRING:
        kind = StoredType.string(size, StringPadding.null_terminated, CharacterSet.ascii)
        return type_id(kind)
    raise ValueError("Class must be COMPOUND, OPAQUE or STRING")


def open(group: Any, name: str | bytes, tapl: Any = None) -> TypeID:
    """Opens a committed datatype. @independent"""
    found = group._hl[text(name)]
    if not isinstance(found, Datatype):
        raise ValueError(f"{text(name)!r} is not a committed datatype")
    return found.id


def enum_create(base: TypeID) -> TypeEnumID:
    return TypeEnumID(None, base=base._stored)


def array_create(base: TypeID, dims: tuple[int, ...]) -> TypeID:
    return type_id(StoredType.array(base._stored, list(dims)))


def vlen_create(base: TypeID) -> TypeID:
    return type_id(StoredType.sequence(base._stored))


def convert(
    src: TypeID, dst: TypeID, n: int, buf: np.ndarray, bkg: Any = None, dxpl: Any = None
) -> None:
    """Converts `n` elements in place. `buf` has room for `n` elements of the larger type."""
    data = buf.reshape(-1).view(np.uint8)
    given = data[: n * src.get_size()].copy()
    _core.convert(src._stored, given, dst._stored, data[: n * dst.get_size()])


def find(src: TypeID, dst: TypeID) -> tuple[int]:
    raise missing("h5t.find", "h5t.convert raises TypeError where there is no conversion")


# --- the types that HDF5 names -------------------------------------------------------------------
def _fixed(stored: StoredType) -> TypeID:
    made = type_id(stored)
    made.lock()
    return made


for _bits in (8, 16, 32, 64):
    for _letter, _order in (("LE", ByteOrder.little), ("BE", ByteOrder.big)):
        globals()[f"STD_I{_bits}{_letter}"] = _fixed(StoredType.integer(_bits // 8, True, _order))
        globals()[f"STD_U{_bits}{_letter}"] = _fixed(StoredType.integer(_bits // 8, False, _order))
        globals()[f"STD_B{_bits}{_letter}"] = _fixed(StoredType.bitfield(_bits // 8, _order))
        if _bits > 8:
            _float = StoredType.floating(_bits // 8, _order)
            globals()[f"IEEE_F{_bits}{_letter}"] = _fixed(_float)
            globals()[f"COMPLEX_IEEE_F{_bits}{_letter}"] = _fixed(StoredType.complex(_float))
    globals()[f"NATIVE_INT{_bits}"] = globals()[f"STD_I{_bits}LE"]
    globals()[f"NATIVE_UINT{_bits}"] = globals()[f"STD_U{_bits}LE"]
    globals()[f"NATIVE_B{_bits}"] = globals()[f"STD_B{_bits}LE"]

_g = globals()
for _name, _same in {
    "NATIVE_CHAR": "STD_I8LE",
    "NATIVE_SCHAR": "STD_I8LE",
    "NATIVE_UCHAR": "STD_U8LE",
    "NATIVE_SHORT": "STD_I16LE",
    "NATIVE_USHORT": "STD_U16LE",
    "NATIVE_INT": "STD_I32LE",
    "NATIVE_UINT": "STD_U32LE",
    "NATIVE_LONG": "STD_I64LE",
    "NATIVE_ULONG": "STD_U64LE",
    "NATIVE_LLONG": "STD_I64LE",
    "NATIVE_ULLONG": "STD_U64LE",
    "NATIVE_FLOAT16": "IEEE_F16LE",
    "NATIVE_FLOAT": "IEEE_F32LE",
    "NATIVE_DOUBLE": "IEEE_F64LE",
    "NATIVE_FLOAT_COMPLEX": "COMPLEX_IEEE_F32LE",
    "NATIVE_DOUBLE_COMPLEX": "COMPLEX_IEEE_F64LE",
}.items():
    _g[_name] = _g[_same]
for _bits in (32, 64):
    for _letter, _order in (("LE", ByteOrder.little), ("BE", ByteOrder.big)):
        _g[f"UNIX_D{_bits}{_letter}"] = _fixed(StoredType.time(_bits // 8, _order))

ORDER_NATIVE = ORDER_LE
NATIVE_LDOUBLE = LDOUBLE_LE = _fixed(StoredType.float80(16, ByteOrder.little))
NATIVE_LDOUBLE_COMPLEX = _fixed(StoredType.complex(NATIVE_LDOUBLE._stored))
NATIVE_OPAQUE = _fixed(StoredType.opaque(1, ""))
STD_REF_OBJ = _fixed(StoredType.reference(ReferenceKind.object))
STD_REF_DSETREG = _fixed(StoredType.reference(ReferenceKind.region))
C_S1 = _fixed(StoredType.string(1, StringPadding.null_terminated, CharacterSet.ascii))
FORTRAN_S1 = _fixed(StoredType.string(1, StringPadding.space_padded, CharacterSet.ascii))
VARIABLE_STRING = _fixed(StoredType.variable_string(CharacterSet.ascii))
PYTHON_OBJECT = _fixed(StoredType.opaque(8, "PYTHON:OBJECT"))

__getattr__ = absent(__name__, {"decode": "pickle the dtype", "get_config": "h5.get_config"})
