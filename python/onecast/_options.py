"""Options that are given by name."""

from __future__ import annotations

import difflib
import inspect
import operator
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from . import _core
from ._file_options import FILE_OPTIONS, FileOption

Function = TypeVar("Function", bound=Callable[..., Any])

# h5py's names.
_WORDS_OF_H5PY: dict[str, dict[Any, Any]] = {
    "locking": {None: "on", True: "on", False: "off", "best-effort": "best_effort"},
    "follow_external": {True: "everywhere", False: "nowhere"},
    "track_order": {True: "links_and_attributes", False: "nothing"},
}


def member(kind: Any, name: str, value: Any) -> Any:
    """Returns the member of an enumeration of the core. Raises ValueError, which names the option,
    if there is none."""
    if not isinstance(value, str) or value not in kind.__members__:
        expected = ", ".join(kind.__members__)
        raise ValueError(f"{name}: one of {expected} was expected, not {value!r}")
    return kind[value]


def sharing_of(value: str | None) -> Any:
    """Returns the sharing; None means the file's option."""
    return None if value is None else member(_core.choices.sharing, "sharing", value)


def unknown_option(call: str, name: str, known: Iterable[str]) -> TypeError:
    close = difflib.get_close_matches(name, list(known), 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return TypeError(f"{call}: unknown option {name!r}{hint}")


def file_options(given: dict[str, Any]) -> _core.FileOptions:
    """Returns the options. Raises TypeError for unknown names and values of a wrong kind,
    ValueError for other wrong values."""
    options = _core.FileOptions()
    for name, value in given.items():
        if name not in FILE_OPTIONS:
            raise unknown_option("File", name, FILE_OPTIONS)
        taken = option_value(name, value)
        try:
            setattr(options, name, taken)
        except TypeError as error:
            # The number does not fit the core's type.
            raise _wrong(ValueError, name, value) from error
    return options


def option_value(name: str, value: Any) -> Any:
    """Returns the value in the core's form."""
    option = FILE_OPTIONS[name]
    if value is None and option.default is None:
        return {} if option.kind == "hints" else None
    if option.kind == "choice":
        if value is None or isinstance(value, bool | str):
            value = _WORDS_OF_H5PY.get(name, {}).get(value, value)
        return member(getattr(_core.choices, name), name, value)
    if option.kind == "hints":
        if not hasattr(value, "items"):
            raise _wrong(TypeError, name, value)
        return {str(hint): str(said) for hint, said in value.items()}
    if option.kind == "flag":
        if not isinstance(value, bool | np.bool_):
            raise _wrong(TypeError, name, value)
        return bool(value)
    try:
        return operator.index(value)
    except TypeError:
        raise _wrong(TypeError, name, value) from None


def _wrong(kind: type[Exception], name: str, value: Any) -> Exception:
    return kind(f"option {name}: {FILE_OPTIONS[name].expected} was expected, not {value!r}")


def shows_file_options(function: Function) -> Function:
    """Lists the options in place of `**options`, for help() and completion."""
    signature = inspect.signature(function)
    *own, _ = signature.parameters.values()
    options = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=option.type
        )
        for name, option in FILE_OPTIONS.items()
        if name not in signature.parameters
    ]
    vars(function)["__signature__"] = signature.replace(parameters=[*own, *options])
    return function


def options_help() -> str:
    """Describes each option; those that most programs need come first."""
    parts = []
    for expert in (False, True):
        if expert:
            parts.append("Leave alone unless measured:")
        parts += [
            _option_help(name, option)
            for name, option in FILE_OPTIONS.items()
            if option.expert == expert
        ]
    return "\n\n".join(parts)


def _option_help(name: str, option: FileOption) -> str:
    return textwrap.fill(f"{name}: {option.text}", 100, subsequent_indent="    ")
