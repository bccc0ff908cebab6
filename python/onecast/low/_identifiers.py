"""The classes of identifiers, and errors for names that Onecast lacks."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

from .._core import UnsupportedError
from .._lock import phil

_numbers = itertools.count(1 << 56)


class ObjectID:
    """An identifier. Two identifiers of one kind are equal if they stand for the same thing."""

    def __init__(self, id: int = 0) -> None:
        self._number = id
        self._closed = False

    @property
    def id(self) -> int:
        """A number that means nothing outside of this object."""
        return self._number

    @property
    def valid(self) -> bool:
        return not self._closed

    @property
    def locked(self) -> bool:
        """True if the identifier cannot be closed or changed."""
        return False

    def __bool__(self) -> bool:
        return self.valid

    def close(self) -> None:
        self._closed = True

    _close = close

    def _key(self) -> Any:
        """Returns what decides whether two identifiers are equal."""
        return self._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectID) and self._key() == other._key()

    def __hash__(self) -> int:
        raise TypeError("Objects of class ObjectID cannot be hashed")

    def __copy__(self) -> ObjectID:
        same = type(self).__new__(type(self))
        same.__dict__.update(self.__dict__)
        return same

    def _new_number(self) -> None:
        self._number = next(_numbers)
        self._closed = False


class HeldID(ObjectID):
    """The identifier of something that an object of the high level represents."""

    def __init__(self, held: Any) -> None:
        self._new_number()
        self._held = held

    @property
    def _hl(self) -> Any:
        """The object of the high level. Raises ValueError if the identifier is closed."""
        if not self.valid:
            raise ValueError("Not a valid identifier (it, or its file, is closed)")
        return self._held

    @property
    def valid(self) -> bool:
        return not self._closed and bool(self._held)

    def close(self) -> None:
        """Closes this identifier and its object. Other objects of the same thing stay open."""
        if self.valid:
            self._held._close()
        self._closed = True

    _close = close

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeldID) and self._held == other._held

    def __hash__(self) -> int:
        return hash(self._held)


def text(name: str | bytes) -> str:
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name


def raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def target(loc: Any, name: str | bytes | None) -> Any:
    """Returns the high-level object at a path from `loc`, which "." and None name itself."""
    return loc._hl if name in (None, b".", ".") else loc._hl[text(name)]


def absent(module: str, alternatives: dict[str, str]) -> Callable[[str], Any]:
    """Returns a module's `__getattr__`, which raises an error for names that Onecast lacks."""

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise missing(f"{module}.{name}", alternatives.get(name))

    return __getattr__


def missing(name: str, alternative: str | None = None) -> MissingName:
    instead = alternative or "use the high-level interface, or h5py itself for this program"
    return MissingName(f"{name} is not supported: {instead}")


class MissingName(UnsupportedError, AttributeError):
    """The error for a name of h5py's low level that Onecast lacks."""


def with_phil(function: Callable) -> Callable:
    """Returns a function that holds the lock, as h5py's decorator of this name does."""

    @functools.wraps(function)
    def locked(*args: Any, **kwargs: Any) -> Any:
        with phil:
            return function(*args, **kwargs)

    return locked
