"""Identifiers of datatypes."""

from __future__ import annotations

from typing import Any

from .._core import CharacterSet, StoredType, StringPadding
from ._identifiers import raw, text
from ._number_types import (
    TypeBitfieldID,
    TypeComplexID,
    TypeFloatID,
    TypeIntegerID,
    TypeTimeID,
)
from ._type_id import (
    ARRAY,
    BITFIELD,
    COMPLEX,
    COMPOUND,
    ENUM,
    FLOAT,
    INTEGER,
    OPAQUE,
    PADDINGS,
    REFERENCE,
    SETS,
    STRING,
    TIME,
    VARIABLE,
    VLEN,
    TypeID,
    identifiers,
    type_id,
)


class TypeStringID(TypeID):
    def _rebuild(self, size: int | None, padding: StringPadding, set: CharacterSet) -> None:
        if size is None:
            self._become(StoredType.variable_string(set))
        else:
            self._become(StoredType.string(size, padding, set))

    @property
    def _size(self) -> int | None:
        return None if self.is_variable_str() else self._stored.size

    def get_size(self) -> int:
        """Returns the size in bytes; for a string of variable length, that of a pointer in
        memory."""
        return 8 if self.is_variable_str() else self._stored.size

    def set_size(self, size: int) -> None:
        number = None if size == VARIABLE else size
        self._rebuild(number, self._stored.padding, self._stored.character_set)

    def get_cset(self) -> int:
        return SETS.index(self._stored.character_set)

    def set_cset(self, cset: int) -> None:
        self._rebuild(self._size, self._stored.padding, SETS[cset])

    def get_strpad(self) -> int:
        return PADDINGS.index(self._stored.padding)

    def set_strpad(self, padding: int) -> None:
        self._rebuild(self._size, PADDINGS[padding], self._stored.character_set)


class TypeOpaqueID(TypeID):
    def get_tag(self) -> bytes:
        return raw(self._stored.tag)

    def set_tag(self, tag: bytes) -> None:
        self._become(StoredType.opaque(self._stored.size, tag))

    def set_size(self, size: int) -> None:
        self._become(StoredType.opaque(size, self._stored.tag))


class TypeReferenceID(TypeID):
    """A reference to objects or regions."""


class TypeArrayID(TypeID):
    def get_array_dims(self) -> tuple[int, ...]:
        return self._stored.dimensions

    def get_array_ndims(self) -> int:
        return len(self._stored.dimensions)


class TypeVlenID(TypeID):
    """A sequence of variable length."""


class TypeCompositeID(TypeID):
    """A datatype with named members: a compound or an enumeration."""

    def _members(self) -> list[Any]:
        """Returns (name, ...) for each member."""
        raise NotImplementedError

    def get_nmembers(self) -> int:
        return len(self._members())

    def _member(self, index: int) -> Any:
        if not 0 <= index < self.get_nmembers():
            raise ValueError(f"there is no member {index}")
        return self._members()[index]

    def get_member_name(self, index: int) -> bytes:
        return raw(self._member(index)[0])

    def get_member_index(self, name: str | bytes) -> int:
        names = [member[0] for member in self._members()]
        if text(name) not in names:
            raise ValueError(f"there is no member {text(name)!r}")
        return names.index(text(name))


class TypeCompoundID(TypeCompositeID):
    """A compound. A new one has no members."""

    def __init__(self, stored: Any, held: Any = None, size: int = 0) -> None:
        super().__init__(stored, held)
        self._size = size

    def _members(self) -> list[tuple[str, int, StoredType]]:
        return [] if self._stored is None else self._stored.members

    def get_size(self) -> int:
        return self._size if self._stored is None else self._stored.size

    def get_class(self) -> int:
        return COMPOUND

    def set_size(self, size: int) -> None:
        if self._stored is None:
            self._size = size
        else:
            self._become(StoredType.compound(size, self._stored.members))

    def get_member_offset(self, index: int) -> int:
        return self._member(index)[1]

    def get_member_type(self, index: int) -> TypeID:
        return type_id(self._member(index)[2])

    def get_member_class(self, index: int) -> int:
        return self.get_member_type(index).get_class()

    def insert(self, name: str | bytes, offset: int, field: TypeID) -> None:
        members = [*self._members(), (text(name), offset, field._stored)]
        self._become(StoredType.compound(self.get_size(), members))

    def pack(self) -> None:
        members, offset = [], 0
        if self._stored is None:
            raise TypeError("the compound has no members yet")
        for name, _, stored in self._members():
            members.append((name, offset, stored))
            offset += stored.size
        self._become(StoredType.compound(offset, members))


class TypeEnumID(TypeCompositeID):
    """An enumeration. A new one has no members."""

    def __init__(self, stored: Any, held: Any = None, base: Any = None) -> None:
        super().__init__(stored, held)
        self._base = base

    def get_class(self) -> int:
        return ENUM

    def get_size(self) -> int:
        return self._base.size if self._stored is None else self._stored.size

    def get_super(self) -> TypeID:
        return type_id(self._base if self._stored is None else self._stored.base)

    def _members(self) -> list[tuple[str, int]]:
        return [] if self._stored is None else self._stored.values

    def get_member_value(self, index: int) -> int:
        return self._member(index)[1]

    def enum_insert(self, name: str | bytes, value: int) -> None:
        base = self._base if self._stored is None else self._stored.base
        values = [*self._members(), (text(name), int(value))]
        self._become(StoredType.enumeration(base, values))

    def enum_nameof(self, value: int) -> bytes:
        for name, number in self._members():
            if number == value:
                return raw(name)
        raise ValueError(f"no name has the value {value}")

    def enum_valueof(self, name: str | bytes) -> int:
        return self.get_member_value(self.get_member_index(name))


identifiers |= {
    INTEGER: TypeIntegerID,
    FLOAT: TypeFloatID,
    TIME: TypeTimeID,
    STRING: TypeStringID,
    BITFIELD: TypeBitfieldID,
    OPAQUE: TypeOpaqueID,
    COMPOUND: TypeCompoundID,
    REFERENCE: TypeReferenceID,
    ENUM: TypeEnumID,
    VLEN: TypeVlenID,
    ARRAY: TypeArrayID,
    COMPLEX: TypeComplexID,
}
