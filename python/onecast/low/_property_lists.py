"""The base classes of all property lists."""

from __future__ import annotations

from typing import Any, ClassVar

from ._identifiers import ObjectID, missing


class PropList(ObjectID):
    """A property list. It has get_NAME() and set_NAME(...) for each name in `defaults`."""

    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, **values: Any) -> None:
        self._new_number()
        self._values = dict(values)

    def _key(self) -> Any:
        return (type(self), self._all())

    def __hash__(self) -> int:
        return self._number

    def equal(self, other: PropList) -> bool:
        return self == other

    def copy(self) -> PropList:
        return type(self)(**self._values)

    __copy__ = copy

    def get_class(self) -> Any:
        return type(self)

    def _all(self) -> dict[str, Any]:
        return self._defaults() | self._values

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            found |= vars(base).get("defaults", {})
        return found

    def _get(self, name: str) -> Any:
        return self._all()[name]

    def __getattr__(self, name: str) -> Any:
        verb, _, what = name.partition("_")
        if name.startswith("__") or verb not in ("get", "set") or what not in self._defaults():
            if name.startswith("_"):
                raise AttributeError(name)
            raise missing(f"{type(self).__name__}.{name}")
        if verb == "get":
            return lambda: self._get(what)
        return lambda *given, **named: self._set(what, (*given, *named.values()))

    def _set(self, what: str, given: tuple[Any, ...]) -> None:
        before = self._defaults()[what]
        count = len(before) if isinstance(before, tuple) else 1
        if len(given) > count:
            raise TypeError(f"{what}: {count} values were expected, not {len(given)}")
        if isinstance(before, tuple):
            given = (*given, *self._get(what)[len(given) :])
        self._values[what] = given if isinstance(before, tuple) else given[0]


class PropCreateID(PropList):
    """Creation properties."""


class PropOCID(PropCreateID):
    """Object creation properties."""

    defaults: ClassVar = {
        "obj_track_times": False,
        "attr_creation_order": 0,
        "attr_phase_change": (8, 6),
    }

    def set_attr_phase_change(self, max_compact: int = 8, min_dense: int = 6) -> None:
        self._set_limits("attr_phase_change", max_compact, min_dense)

    def _set_limits(self, name: str, max_compact: int, min_dense: int) -> None:
        if not 0 <= min_dense <= max_compact < 1 << 16:
            raise ValueError(f"{name}: 0 <= min_dense <= max_compact < 65536 was expected")
        self._values[name] = (max_compact, min_dense)

    def _limits(self, **names: str) -> dict[str, tuple[int, int]]:
        """Returns the core's keyword arguments for the limits of dense storage that were set."""
        return {word: self._values[name] for word, name in names.items() if name in self._values}
