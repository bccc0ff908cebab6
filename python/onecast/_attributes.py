"""Attributes: `object.attrs`."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterator, MutableMapping, ValuesView
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._core import Dataspace, Reference, StoredType
from ._dtypes import Empty, check_string_dtype
from ._interfaces import Owner
from ._members import assign, covers, structured
from ._types import committed_type, is_text, stored_for, to_dtype, to_stored
from ._values import (
    as_array,
    decode,
    decode_text,
    encode,
    fill_array,
    new_array,
    new_values,
    plain_numbers,
    shape_of_elements,
)


class AttributeManager(MutableMapping):
    """The attributes of an object: a mapping from names to values, as in h5py.

    Lookups are @independent. Setting and removing are @collective with the @same arguments on all
    ranks, and do not communicate: the next collective call compares them.

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

    def __getitem__(self, name: str) -> Any:
        """The value. Raises KeyError; UnsupportedError, which names the type, if it cannot be read.
        @independent"""
        value = self._object.plain_attribute(_check(name))
        return self._value_of(name) if value is NotImplemented else value

    def _value_of(self, name: str) -> Any:
        stored, space, value = self._object.attribute_value(name)
        where = f"{self._owner._where}: attribute {name!r}"
        dtype = to_dtype(stored, where)
        if space.is_null:
            return Empty(dtype)
        array = self._decode(stored, dtype, space.shape, value)
        return array[()] if array.ndim == 0 else array

    def _decode(
        self, stored: StoredType, dtype: np.dtype, shape: tuple[int, ...], data: bytes
    ) -> np.ndarray:
        count = len(data) // stored.size
        array = decode(self._object, stored, dtype, data, count)
        if is_text(stored) or (check_string_dtype(dtype) and dtype.kind == "O"):
            texts = np.empty(count, object)
            texts[:] = [decode_text(text) for text in array]
            return texts.reshape(shape)
        return array.reshape(shape + array.shape[1:])

    def __setitem__(self, name: str, value: Any) -> None:
        """Creates or replaces an attribute. Raises TypeError, which names the dtype, if the value
        cannot be stored. @collective @same"""
        numbers = plain_numbers(value)
        if numbers is None:
            self.create(name, value)
        else:
            array, stored = numbers
            self._object.set_attribute(_check(name), stored, Dataspace(array.shape), array, None)

    def __delitem__(self, name: str) -> None:
        """Removes an attribute. Raises KeyError. @collective @same"""
        self._object.remove_attribute(_check(name))

    def __contains__(self, name: object) -> bool:
        return self._object.has_attribute(_check(name))

    def __iter__(self) -> Iterator[str]:
        """The names, in order of creation if that is stored. @independent"""
        return iter(self._object.attribute_names())

    def __len__(self) -> int:
        return len(self._object.attribute_names())

    def values(self) -> ValuesView:
        return _Values(self)

    def items(self) -> ItemsView:
        return _Items(self)

    def _all(self) -> Iterator[tuple[str, Any]]:
        for name, value in self._object.plain_attributes():
            yield name, self[name] if value is NotImplemented else value

    def create(
        self,
        name: str,
        data: Any,
        shape: tuple[int, ...] | int | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        """Creates or replaces an attribute with a given shape and type. @collective @same

        dtype: may be a committed datatype of the file; the attribute then refers to it

        Raises ValueError if `shape` has another number of elements.
        """
        committed = committed_type(dtype)
        if dtype is not None:
            dtype = committed.dtype if committed is not None else np.dtype(dtype)
        if isinstance(data, Empty):
            stored = to_stored(data.dtype if dtype is None else dtype)
            kind = stored if committed is None else committed._object
            self._object.set_attribute(_check(name), kind, Dataspace.null(), b"")
            return
        array = new_array(data, dtype)
        extents = shape_of_elements(array, dtype)
        if shape is not None:
            shape = (shape,) if isinstance(shape, int) else tuple(shape)
            if math.prod(shape) == array.size and dtype is not None:  # of all dimensions
                shape = shape[: len(shape) - dtype.ndim]
            if math.prod(shape) != math.prod(extents):
                raise ValueError("Shape of new attribute conflicts with shape of data")
            extents = shape
        stored = stored_for(array, dtype) if committed is None else committed.datatype
        self._set(name, stored, Dataspace(extents), array, committed)

    def _set(
        self,
        name: str,
        stored: StoredType,
        space: Dataspace,
        array: np.ndarray,
        committed: Any = None,
    ) -> None:
        values = new_values(stored)
        data = encode(array, stored, values)
        kind = stored if committed is None else committed._object
        self._object.set_attribute(_check(name), kind, space, data, values)

    def modify(self, name: str, value: Any) -> None:
        """Changes the value, keeping type and shape; creates the attribute if it is missing.

        Raises TypeError if the shape differs, ValueError if a text is too long. @collective @same
        """
        if name not in self:
            self.create(name, value)
            return
        stored, space, before = self._object.attribute_value(_check(name))
        dtype = to_dtype(stored, f"{self._owner._where}: attribute {name!r}")
        given = structured(value) if dtype.names else None
        if given is None:
            given = as_array(value, dtype if dtype.kind in "OV" else None)
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

    def ref(self, name: str) -> Reference:
        """A reference to the attribute, of HDF5 1.12 (revised_ref_dtype): `file[reference]` is the
        object, `reference.attribute` the name. @collective @same for an object that was created
        since the last flush, else @independent. Raises KeyError."""
        return self._object.attribute_reference(_check(name))

    def get_type(self, name: str) -> StoredType:
        """The stored type, also if the value cannot be read. @independent"""
        return self._object.attribute_value(_check(name))[0]

    def get_shape(self, name: str) -> tuple[int, ...] | None:
        """The shape; None if the attribute has no elements. @independent"""
        space = self._object.attribute_value(_check(name))[1]
        return None if space.is_null else space.shape

    def __repr__(self) -> str:
        return f"<Attributes of {self._owner!r}>"


class _Values(ValuesView):
    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping._all())


class _Items(ItemsView):
    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return self._mapping._all()


def _check(name: object) -> str | bytes:
    if not isinstance(name, (str, bytes)):
        raise TypeError(f"A name should be string or bytes, not {type(name)}")
    return name
