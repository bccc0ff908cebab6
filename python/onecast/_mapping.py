"""Views of mappings that read their values one by one."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any


class Keys(KeysView):
    _mapping: Any

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._mapping)

    def __repr__(self) -> str:
        return f"<KeysViewHDF5 {list(self)}>"  # h5py's repr


def _repr(view: Values | Items) -> str:
    return f"<{type(view).__name__} of {view._mapping!r}>"


class Values(ValuesView):
    _mapping: Any

    def __contains__(self, value: Any) -> bool:
        return any(value is one or value == one for one in self)

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping._members())

    def __reversed__(self) -> Iterator[Any]:
        return (self._mapping.get(name) for name in reversed(self._mapping))

    __repr__ = _repr


class Items(ItemsView):
    _mapping: Any

    def __contains__(self, item: Any) -> bool:
        name, value = item
        return name in self._mapping and bool(self._mapping.get(name) == value)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return self._mapping._members()

    def __reversed__(self) -> Iterator[tuple[str, Any]]:
        return ((name, self._mapping.get(name)) for name in reversed(self._mapping))

    __repr__ = _repr


class ReadOneByOne(Mapping):
    """The calls of a mapping that return these views."""

    def keys(self) -> Any:
        """The names: a view. @independent"""
        return Keys(self)

    def values(self) -> Any:
        """The values, read one after the other: a view. @independent"""
        return Values(self)

    def items(self) -> Any:
        """Pairs of names and values, read one after the other: a view. @independent"""
        return Items(self)

    def _ipython_key_completions_(self) -> list[str]:
        return sorted(self)
