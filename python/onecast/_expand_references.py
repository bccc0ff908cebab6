"""Copies with `expand_refs`: references in the copy refer to copies of the referenced objects."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from . import _core
from ._dtypes import REVISED_KEY, check_ref_dtype, check_vlen_dtype, mark_of
from ._interfaces import OpenFile
from ._objects import HLObject
from ._types import to_dtype


def require_expandable(source: Any) -> None:
    """Raises UnsupportedError, before anything is copied, if references cannot be expanded."""
    for thing in _below(source):
        named = {f"attribute {name!r}": dtype for name, dtype in _attribute_dtypes(thing)}
        if (elements := _element_dtype(thing)) is not None:
            named["elements"] = elements
        for what, dtype in named.items():
            if _has_references(dtype) and not _is_expandable(dtype):
                raise _core.UnsupportedError(
                    f"{thing._where}: {what}: expand_refs=True expands object and region"
                    " references, but no revised ones, and none that are part of a value"
                )


def expand_references(source: Any, copied: Any) -> None:
    """Changes the references in the copy. Referenced objects outside of the source are copied into
    the root group as `~obj_pointed_by_ADDRESS`, as the HDF5 library does. @replicated"""
    _Expansion(source.file, copied.file).run(source, copied)


class _Expansion:
    def __init__(self, source: OpenFile, target: OpenFile) -> None:
        self._source = source
        self._target = target
        self._copies: dict[Any, Any] = {}
        self._left: list[Any] = []

    def run(self, source: Any, copied: Any) -> None:
        self._pair(source, copied)
        while self._left:
            thing = self._left.pop()
            self._expand(thing, self._copies[thing])

    def _pair(self, source: Any, copied: Any) -> None:
        """Notes recursively which object is the copy of which."""
        if source in self._copies:
            return
        self._copies[source] = copied
        self._left.append(source)
        if isinstance(copied._object, _core.Group):
            for name in copied:
                if name in source and copied.get(name) is not None:
                    found = source[name]
                    if found.file == source.file:
                        self._pair(found, copied[name])

    def _expand(self, thing: Any, copied: Any) -> None:
        for name, dtype in _attribute_dtypes(thing):
            if _is_expandable(dtype) and name in copied.attrs:
                values = np.asarray(thing.attrs[name], object)
                copied.attrs.create(name, self._led_to_copies(values), dtype=dtype)
        if _is_expandable(_element_dtype(thing)):
            values = np.asarray(thing[()], object)
            copied.write_equal((), self._led_to_copies(values))

    def _led_to_copies(self, values: np.ndarray) -> np.ndarray:
        result = np.empty(values.shape, object)
        result.flat[:] = [self._led_to_copy(value) for value in values.flat]
        return result

    def _led_to_copy(self, reference: Any) -> Any:
        if not reference:
            return reference
        thing = self._source[reference]
        if isinstance(reference, _core.RegionReference):
            part = thing._region(reference).part
            return self._copy_of(thing)._object.region_reference(part)
        return self._copy_of(thing).ref

    def _copy_of(self, thing: Any) -> HLObject:
        if thing not in self._copies:
            require_expandable(thing)
            name = f"~obj_pointed_by_{thing.ref.address}"
            root = self._target["/"]
            _core.copy(root._object, thing._object, name, _core.CopyOptions())
            self._pair(thing, root[name])
        return self._copies[thing]


def _below(thing: Any) -> Iterator[Any]:
    """Yields the object, and all objects to which its hard links lead."""
    left, seen = [thing], set()
    while left:
        one = left.pop()
        if one in seen:
            continue
        seen.add(one)
        yield one
        if isinstance(one._object, _core.Group):
            links = ((name, one.get(name, getlink=True, getclass=True)) for name in one)
            left += [one[name] for name, kind in links if kind.__name__ == "HardLink"]


def _attribute_dtypes(thing: Any) -> Iterator[tuple[str, np.dtype]]:
    """Yields the attributes that have elements and can be read; others have no references."""
    for name in thing.attrs:
        if thing.attrs.get_shape(name) is not None:
            with suppress(_core.UnsupportedError):
                yield name, to_dtype(thing.attrs.get_type(name), thing._where)


def _element_dtype(thing: Any) -> np.dtype | None:
    if not isinstance(thing._object, _core.Dataset) or thing.shape is None:
        return None
    with suppress(_core.UnsupportedError):
        return thing.dtype
    return None


def _is_expandable(dtype: np.dtype | None) -> bool:
    if dtype is None or check_ref_dtype(dtype) is None:
        return False
    return not mark_of(dtype, REVISED_KEY)


def _has_references(dtype: np.dtype) -> bool:
    if not dtype.hasobject:
        return False
    inner = [dtype[name] for name in dtype.names or ()]
    if dtype.subdtype:
        inner.append(dtype.subdtype[0])
    if isinstance(elements := check_vlen_dtype(dtype), np.dtype):
        inner.append(elements)
    return check_ref_dtype(dtype) is not None or any(map(_has_references, inner))
