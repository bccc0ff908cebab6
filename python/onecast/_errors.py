"""Exceptions of several Python classes, for calls in which h5py raises one or the other."""

from __future__ import annotations

from typing import Any

from ._core import StateError


class ReadOnlyError(StateError, KeyError):
    """The file is open for reading only, so nothing can be removed. h5py raises KeyError."""


class MissingError(KeyError, ValueError, RuntimeError):
    """A call other than a look-up found no object or attribute of this name."""

    __str__ = Exception.__str__  # KeyError shows a text in quotes


class ArgumentError(OSError, ValueError, RuntimeError):
    """A wrong argument of a call that changes links, extents or scales."""


class ConversionError(OSError, TypeError):
    """Values of one type cannot become values of the other. h5py raises OSError."""


class UsageError(ValueError):
    """An argument is wrong in itself, whatever the files contain."""


class ExtentError(OverflowError, ValueError):
    """An extent that is negative or too large."""


class _AsH5py:
    """Within `with as_h5py:` a KeyError or ValueError is also the exception that h5py raises."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if type(error) is KeyError:
            raise MissingError(*error.args).with_traceback(trace) from error.__cause__
        if type(error) is ValueError:
            raise ArgumentError(*error.args).with_traceback(trace) from error.__cause__


as_h5py = _AsH5py()
