"""Attributes: `object.attrs`."""

from __future__ import annotations

import math
from collections.abc import Iterator, MutableMapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._config import get_config
from ._core import Dataspace, Object, Reference, StoredType
from ._dtypes import Empty, check_string_dtype, string_dtype
from ._errors import as_h5py
from ._identifiers import identifier_of
from ._interfaces import Owner
from ._mapping import ReadOneByOne
from ._members import assign, covers, structured
from ._types import given_type, is_text, stored_for, to_dtype, to_stored
from ._values import (
    as_array,
    decode,
    decode_text,
    encode,
    encode_text,
    fill_array,
    new_array,
    new_values,
    plain_numbers,
    shape_of_elements,
)

_settings = get_config()


class AttributeManager(ReadOneByOne, MutableMapping):
    """The attributes of an object: a mapping from names to values, as in h5py.

    Lookups are @independent. Setting and removing are @replicated.

    Values are numbers, numpy arrays (structured too), str, bytes, lists of these, and Empty.
    Numbers come back as numpy scalars, strings in UTF-8 as str (h5py: bytes if their length is
    fixed), strings in ASCII of fixed length as numpy.bytes_. A str is stored as a UTF-8 string of
    variable length, bytes as an ASCII string of variable length, and arrays of numpy strings with
    fixed length.

    >>> f = onecast.File("attributes.h5", "w")
    >>> f.attrs["text"] = "Größe"
    >>> f.attrs["numbers"] = [1, 2, 3]
    >>> f.attrs["text"], f.attrs["numbers"]
    ('Größe', array([1, 2, 3]))
    >>> f.attrs["missing"]
    Traceback (most recent call last):
    KeyError: ...
    >>> f.close()
    """

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    @property
    def _object(self) -> Any:
        return self._owner._object

    @property
    def _id(self) -> Any:
        return self._owner.id

    def __getitem__(self, name: str) -> Any:
        """Returns the value. Raises KeyError, and UnsupportedError, which names the type, if it
        cannot be read. @independent"""
        value = self._object.plain_attribute(_check(name))
        if value is NotImplemented:
            return self._value_of(name)
        if _settings._as_h5py and type(value) is str:
            return self._fixed_as_bytes(name, value)
        return value

    def _fixed_as_bytes(self, name: str, value: str) -> Any:
        stored, _, _ = self._object.attribute_value(name)
        return np.bytes_(encode_text(value)) if is_text(stored) else value

    def _value_of(self, name: str) -> Any:
        stored, space, value, dtype = self._stored(name)
        if space.is_null:
            return Empty(dtype)
        array = self._decode(stored, dtype, space.shape, value)
        return array[()] if array.ndim == 0 else array

    def _stored(self, name: str) -> tuple[StoredType, Dataspace, bytes, np.dtype]:
        """Returns the type, the dataspace, the value in stored form, and the dtype."""
        stored, space, value = self._object.attribute_value(_check(name))
        return stored, space, value, to_dtype(stored, f"{self._owner._where}: attribute {name!r}")

    def _decode(
        self, stored: StoredType, dtype: np.dtype, shape: tuple[int, ...], data: bytes
    ) -> np.ndarray:
        count = len(data) // stored.size
        array = decode(self._object, stored, dtype, data, count)
        fixed = is_text(stored) and not _settings._as_h5py
        if fixed or (check_string_dtype(dtype) and dtype.kind == "O"):
            # Fixed-length strings may have any length when they are written elsewhere.
            texts = np.empty(count, string_dtype() if fixed else dtype)
            texts[:] = [decode_text(text) for text in array]
            return texts.reshape(shape)
        return array.reshape(shape + array.shape[1:])

    def __setitem__(self, name: str, value: Any) -> None:
        """Creates or replaces an attribute. Raises TypeError, which names the dtype, if the value
        cannot be stored. @replicated"""
        numbers = plain_numbers(value)
        if numbers is None:
            self.create(name, value)
        else:
            array, stored = numbers
            self._object.set_attribute(_check(name), stored, Dataspace(array.shape), array, None)

    def __delitem__(self, name: str) -> None:
        """Removes an attribute. Raises KeyError if there is none or the file is open for reading
        only. @replicated"""
        held = self._object
        self._owner._require_removable(f"attribute {name!r}")
        held.remove_attribute(_check(name))

    def __contains__(self, name: object) -> bool:
        return self._object.has_attribute(_check(name))

    def __iter__(self) -> Iterator[str]:
        """The names, in order of creation if that is tracked, else sorted. @independent"""
        return iter(self._object.attribute_names())

    def __len__(self) -> int:
        return len(self._object.attribute_names())

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._object.attribute_names())

    def _members(self) -> Iterator[tuple[str, Any]]:
        for name, value in self._object.plain_attributes():
            again = value is NotImplemented or (_settings._as_h5py and type(value) is str)
            yield name, self[name] if again else value

    def create(
        self,
        name: str,
        data: Any,
        shape: tuple[int, ...] | int | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        """Creates or replaces an attribute with a given shape and type. @replicated

        dtype: may be a committed datatype of the file; the attribute then refers to it

        Raises ValueError if `shape` has another number of elements.
        """
        self._owner._require_writable()
        committed, named, dtype = given_type(dtype)
        if isinstance(data, Empty):
            stored = named or to_stored(data.dtype if dtype is None else dtype)
            kind = committed or stored
            self._object.set_attribute(_check(name), kind, Dataspace.null(), b"")
            return
        if dtype is not None and dtype.subdtype and np.shape(data)[-dtype.ndim :] != dtype.shape:
            raise ValueError(f"Array dtype shape {dtype.shape} is incompatible with data shape")
        array = new_array(data, dtype)
        extents = shape_of_elements(array, dtype)
        if shape is not None:
            shape = (shape,) if isinstance(shape, int) else tuple(shape)
            if math.prod(shape) == array.size and dtype is not None:  # of all dimensions
                shape = shape[: len(shape) - dtype.ndim]
            if math.prod(shape) != math.prod(extents):
                raise ValueError("Shape of new attribute conflicts with shape of data")
            extents = shape
        stored = stored_for(array, dtype) if named is None else named
        self._set(name, stored, Dataspace(extents), array, committed)

    def _set(
        self,
        name: str,
        stored: StoredType,
        space: Dataspace,
        array: np.ndarray,
        committed: Object | None = None,
    ) -> None:
        values = new_values(stored)
        data = encode(array, stored, values)
        kind = committed or stored
        self._object.set_attribute(_check(name), kind, space, data, values)

    def modify(self, name: str, value: Any) -> None:
        """Changes the value, keeping type and shape; creates the attribute if it is missing.

        Raises TypeError if the shape differs, ValueError if a text is too long. @replicated
        """
        if name not in self:
            self.create(name, value)
            return
        self._owner._require_writable()
        stored, space, before, dtype = self._stored(name)
        given = structured(value) if dtype.names else None
        if space.is_null:
            raise OSError(f"attribute {name!r}: has no elements that could be modified")
        if given is None:
            keeps = dtype.kind in "OV" or (dtype.kind in "iu" and not isinstance(value, np.ndarray))
            given = as_array(value, dtype if keeps else None)
        shape = space.shape + dtype.shape
        if given.shape != shape and not (given.size == 1 and shape in ((), (1,))):
            raise TypeError("Shape of data is incompatible with existing attribute")
        if dtype.kind == "S" and given.dtype.itemsize > dtype.itemsize:
            raise ValueError(f"attribute {name!r}: {value!r} does not fit into {stored}")
        given = given.reshape(shape)
        if covers(given.dtype, dtype):
            array = fill_array(given, dtype, space.shape)
        else:
            array = self._decode(stored, dtype, space.shape, before)
            assign(array, given)
        self._set(name, stored, space, array)

    def get_id(self, name: str) -> Any:
        """Returns the low-level identifier of an attribute, as in h5py. Raises KeyError.
        @independent"""
        if name not in self:
            raise KeyError(f"Can't open attribute (can't locate attribute: {name!r})")
        return identifier_of(self, name)

    def _replace(self, name: str, value: Any) -> None:
        """Replaces the value, keeping type and shape. @replicated"""
        stored, space, _, dtype = self._stored(name)
        self._set(name, stored, space, fill_array(value, dtype, space.shape))

    def _replace_bytes(self, name: str, array: np.ndarray) -> None:
        """Replaces the bytes of strings in stored form. Raises ValueError unless they have the size
        of the stored bytes. @replicated"""
        stored, space, value = self._object.attribute_value(_check(name))
        if array.nbytes != len(value):
            raise ValueError(f"attribute {name!r}: {len(value)} bytes expected, not {array.nbytes}")
        self._object.set_attribute(_check(name), stored, space, array.tobytes(), None)

    def _stored_value(self, name: str) -> np.ndarray:
        """The elements with the dtype of the stored type."""
        stored, space, value, dtype = self._stored(name)
        array = decode(self._object, stored, dtype, value, len(value) // stored.size)
        return array.reshape(space.shape + array.shape[1:])

    def _rename(self, name: str, new_name: str) -> None:
        """Renames an attribute. @replicated"""
        with as_h5py:
            self._object.rename_attribute(_check(name), _check(new_name))

    def ref(self, name: str) -> Reference:
        """Returns a reference to the attribute in the form of HDF5 1.12 (revised_ref_dtype):
        `file[reference]` is the object, `reference.attribute` the name. @replicated for an
        object created since the last flush, else @independent. Raises KeyError."""
        return self._object.attribute_reference(_check(name))

    def get_type(self, name: str) -> StoredType:
        """The stored type, even if the value cannot be read. @independent"""
        return self._object.attribute_value(_check(name))[0]

    def get_shape(self, name: str) -> tuple[int, ...] | None:
        """The shape; None if the attribute has no elements. @independent"""
        space = self._object.attribute_value(_check(name))[1]
        return None if space.is_null else space.shape

    def __repr__(self) -> str:
        return f"<Attributes of {self._owner!r}>"


def _check(name: object) -> str | bytes:
    if not isinstance(name, (str, bytes)):
        raise TypeError(f"A name should be string or bytes, not {type(name)}")
    return name
