"""Attributes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._attributes import AttributeManager
from .._core import StoredType
from .._objects import first_result
from ._identifiers import ObjectID, absent, raw, target, text
from .h5s import SpaceID
from .h5t import TypeID, type_id


class AttrInfo(NamedTuple):
    corder_valid: bool
    corder: int
    cset: int
    data_size: int


class AttrID(ObjectID):
    """One attribute of an object."""

    def __init__(self, attrs: AttributeManager, name: str) -> None:
        self._new_number()
        self._attrs = attrs
        self._name = name

    def _key(self) -> Any:
        return (self._attrs._owner, self._name)

    def __hash__(self) -> int:
        return hash(self._key())

    @property
    def valid(self) -> bool:
        return not self._closed and bool(self._attrs._owner) and self._name in self._attrs

    @property
    def name(self) -> str:
        return self._name

    def get_name(self) -> bytes:
        return raw(self._name)

    @property
    def dtype(self) -> np.dtype:
        return self.get_type().dtype

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape; None for h5py.Empty."""
        return self._attrs.get_shape(self._name)

    @property
    def rank(self) -> int:
        return len(self.shape or ())

    def get_type(self) -> TypeID:
        committed = _core.committed_type_of(self._attrs._object, self._name) is not None
        return type_id(self._attrs.get_type(self._name), None, committed)

    def get_space(self) -> SpaceID:
        return SpaceID(self._attrs.get_shape(self._name))

    def get_storage_size(self) -> int:
        count = 0 if self.shape is None else math.prod(self.shape)
        return self._attrs.get_type(self._name).size * count

    def read(self, arr: np.ndarray, mtype: Any = None) -> None:
        arr[...] = self._attrs._stored_value(self._name)

    def write(self, arr: np.ndarray, mtype: Any = None) -> None:
        """Replaces the value, and keeps type and shape. Bytes whose type `mtype` is the stored type
        are stored unchanged, even strings without a terminator. @replicated"""
        stored = self._attrs.get_type(self._name)
        array = np.asarray(arr)
        if array.dtype.kind == "S" and mtype is not None and mtype._stored == stored:
            self._attrs._replace_bytes(self._name, array)
        else:
            self._attrs._replace(self._name, arr)


def _attrs(loc: Any, obj_name: bytes) -> AttributeManager:
    return target(loc, obj_name).attrs


def create(
    loc: Any, name: bytes, tid: TypeID, space: SpaceID, *, obj_name: bytes = b".", lapl: Any = None
) -> AttrID:
    """Creates an attribute whose value is all zeros. @replicated"""
    attrs, stored = _attrs(loc, obj_name), tid._stored
    if text(name) in attrs:
        raise ValueError(f"the attribute {text(name)!r} already exists")
    count = space.get_simple_extent_npoints()
    attrs._object.set_attribute(name, stored, space._stored, _zeros(stored, count), None)
    return AttrID(attrs, text(name))


def _zeros(stored: StoredType, count: int) -> bytes:
    return bytes(stored.size * count)


def open(
    loc: Any, name: bytes | None = None, index: int = -1, *, obj_name: bytes = b".", **order: Any
) -> AttrID:
    """Opens an attribute. Raises KeyError if there is none. @independent"""
    attrs = _attrs(loc, obj_name)
    if (name is None) == (index < 0):
        raise TypeError("Exactly one of name or idx must be specified")
    found = list(attrs)[index] if name is None else text(name)
    if found not in attrs:
        raise KeyError(f"Can't open attribute (can't locate attribute: {found!r})")
    return AttrID(attrs, found)


def exists(loc: Any, name: bytes, *, obj_name: bytes = b".", lapl: Any = None) -> bool:
    return text(name) in _attrs(loc, obj_name)


def rename(
    loc: Any, name: bytes, new_name: bytes, *, obj_name: bytes = b".", lapl: Any = None
) -> None:
    """Renames an attribute. @replicated"""
    attrs = _attrs(loc, obj_name)
    if text(new_name) in attrs:
        raise ValueError(f"the attribute {text(new_name)!r} already exists")
    attrs._rename(text(name), text(new_name))


def delete(
    loc: Any, name: bytes | None = None, index: int = -1, *, obj_name: bytes = b".", **order: Any
) -> None:
    """Removes an attribute. @replicated"""
    attrs = _attrs(loc, obj_name)
    del attrs[list(attrs)[index] if name is None else text(name)]


def get_num_attrs(loc: Any) -> int:
    return len(loc._hl.attrs)


def get_info(loc: Any, name: bytes | None = None, index: int = -1, **others: Any) -> AttrInfo:
    attrs = loc._attrs if isinstance(loc, AttrID) else _attrs(loc, others.get("obj_name", b"."))
    if isinstance(loc, AttrID):
        found = loc._name
    else:
        found = attrs._object.nth_attribute_name(index) if name is None else text(name)
    order, is_utf8 = attrs._object.attribute_info(found)
    size = AttrID(attrs, found).get_storage_size()
    return AttrInfo(order is not None, order or 0, int(is_utf8), size)


def iterate(loc: Any, func: Callable, index: int = 0, *, info: bool = False, **order: Any) -> Any:
    """Calls func(name), or func(name, AttrInfo), for each attribute. Stops at the first result that
    is not None."""
    attrs = loc._hl.attrs
    names = map(raw, list(attrs)[index:])
    return first_result(func, ((n, get_info(loc, n)) if info else (n,) for n in names))


__getattr__ = absent(__name__, {})
