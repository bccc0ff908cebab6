"""The base class of all identifiers of datatypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core import ByteOrder, CharacterSet, StoredType, StringPadding, TypeClass
from .._datatype import Datatype
from .._dtypes import check_enum_dtype
from .._types import to_dtype, to_stored
from ._identifiers import ObjectID, missing, text

# The numbers are those of the specification.
NO_CLASS = -1
INTEGER, FLOAT, TIME, STRING, BITFIELD, OPAQUE, COMPOUND, REFERENCE, ENUM, VLEN, ARRAY, COMPLEX = (
    range(12)
)
ORDER_LE, ORDER_BE, ORDER_VAX, ORDER_NONE = 0, 1, 2, 4
SGN_NONE, SGN_2 = 0, 1
NORM_IMPLIED, NORM_MSBSET, NORM_NONE = 0, 1, 2
STR_NULLTERM, STR_NULLPAD, STR_SPACEPAD = 0, 1, 2
CSET_ASCII, CSET_UTF8 = 0, 1
PAD_ZERO, PAD_ONE, PAD_BACKGROUND = 0, 1, 2
DIR_DEFAULT, DIR_ASCEND, DIR_DESCEND = 0, 1, 2
VARIABLE = -1

_CLASSES = {
    TypeClass.integer: INTEGER,
    TypeClass.floating: FLOAT,
    TypeClass.time: TIME,
    TypeClass.string: STRING,
    TypeClass.variable_string: STRING,
    TypeClass.bitfield: BITFIELD,
    TypeClass.opaque: OPAQUE,
    TypeClass.compound: COMPOUND,
    TypeClass.reference: REFERENCE,
    TypeClass.enumeration: ENUM,
    TypeClass.sequence: VLEN,
    TypeClass.array: ARRAY,
    TypeClass.complex: COMPLEX,
}
ORDERS = {ORDER_LE: ByteOrder.little, ORDER_BE: ByteOrder.big, ORDER_VAX: ByteOrder.vax}
ORDER_NUMBERS = {order: number for number, order in ORDERS.items()}
PADDINGS = (
    StringPadding.null_terminated,
    StringPadding.null_padded,
    StringPadding.space_padded,
)
SETS = (CharacterSet.ascii, CharacterSet.utf8)


class TypeID(ObjectID):
    """A datatype. A change affects this object only."""

    _is_committed = False  # True for a type that a file holds, even if `_held` is None

    def __init__(self, stored: StoredType, held: Datatype | None = None) -> None:
        self._new_number()
        self._stored = stored
        self._held = held  # the committed datatype, or None
        self._locked = held is not None

    def _key(self) -> Any:
        return self._stored

    def __hash__(self) -> int:
        return hash(self._stored)

    @property
    def _hl(self) -> Datatype:
        """The committed datatype. Raises ValueError if the datatype is not committed."""
        if self._held is None:
            raise ValueError("the datatype is not committed")
        return self._held

    @property
    def dtype(self) -> np.dtype:
        return to_dtype(self._stored, "a datatype")

    def py_dtype(self) -> np.dtype:
        return self.dtype

    def _become(self, stored: StoredType) -> None:
        if self._locked:
            raise TypeError("the datatype is locked, or committed: copy() can be changed")
        self._stored = stored

    def copy(self) -> TypeID:
        return type_id(self._stored)

    __copy__ = copy

    def equal(self, other: TypeID) -> bool:
        return self == other

    def get_class(self) -> int:
        return _CLASSES[self._stored.type_class]

    def get_size(self) -> int:
        return self._stored.size

    def set_size(self, size: int) -> None:
        raise TypeError(f"the size of {self._stored} cannot be set")

    def get_super(self) -> TypeID:
        return type_id(self._stored.base)

    def detect_class(self, wanted: int) -> bool:
        return _has_class(self._stored, wanted)

    def is_variable_str(self) -> bool:
        return self._stored.type_class == TypeClass.variable_string

    def committed(self) -> bool:
        return self._held is not None or self._is_committed

    @property
    def locked(self) -> bool:
        return self._locked

    def lock(self) -> None:
        self._locked = True

    def commit(self, group: Any, name: str | bytes, lcpl: Any = None) -> None:
        """Commits the datatype to the file under this name. @replicated"""
        if text(name) in group._hl:
            raise TypeError(f"{text(name)!r}: cannot commit the datatype (name already exists)")
        self._held = group._hl._commit(text(name), self._stored)
        self._locked = True

    def encode(self) -> bytes:
        raise missing("TypeID.encode", "pickle the dtype")

    def __reduce__(self) -> Any:
        return py_create, (self.dtype, True)


def _has_class(stored: StoredType, wanted: int) -> bool:
    if _CLASSES[stored.type_class] == wanted:
        return True
    match stored.type_class:
        case TypeClass.compound:
            return any(_has_class(member, wanted) for _, _, member in stored.members)
        case TypeClass.array | TypeClass.sequence | TypeClass.enumeration | TypeClass.complex:
            return _has_class(stored.base, wanted)
    return False


# The classes of identifiers, by the number of the datatype class.
identifiers: dict[int, Any] = {}


def type_id(stored: StoredType, held: Datatype | None = None, committed: bool = False) -> TypeID:
    made = identifiers[_CLASSES[stored.type_class]](stored, held)
    made._is_committed = committed
    return made


def py_create(dtype: Any, logical: bool = False, aligned: bool = False) -> TypeID:
    """Returns the datatype of a dtype. With `logical`, h5py's metadata of the dtype counts;
    without, an enumeration becomes its integers, and an object an address in memory."""
    dtype = np.dtype(dtype)
    if not logical and check_enum_dtype(dtype) is not None:
        dtype = np.dtype(dtype.str)
    if dtype.kind == "O" and not logical:
        return type_id(StoredType.opaque(8, "PYTHON:OBJECT"))
    if dtype.names and not logical:
        members = [
            (name, dtype.fields[name][1], py_create(dtype.fields[name][0])._stored)
            for name in dtype.names
        ]
        return type_id(StoredType.compound(dtype.itemsize, members))
    stored = to_stored(dtype)
    if dtype.names and dtype.isalignedstruct and stored.points_elsewhere:
        raise TypeError("values of variable length have another size in files: align=False fits")
    return type_id(stored)
