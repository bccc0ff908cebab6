"""Types that a program declares for columns before there are events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._nodes import Node
from ._optional import require
from ._parts import part_of, require_names, require_text


def declared(types: Any) -> dict[str, Node]:
    """Returns name -> node of the column. Raises TypeError and ValueError that name the column."""
    if types is not None and not isinstance(types, Mapping):
        raise TypeError(f"types: a dict of columns and types was expected, not {types!r}")
    for name in types or {}:
        try:
            require_text(name)
        except (TypeError, ValueError) as error:
            raise type(error)(f"types: {error}") from None
    return {name: _node(name, given) for name, given in (types or {}).items()}


def _node(name: str, given: Any) -> Node:
    try:
        part = part_of(_no_elements(given))
        require_names(name, part)
        return part.node
    except ImportError:
        raise
    except Exception as error:
        why = str(error).strip().partition("\n")[0]
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(
            f"types: column {name}: a type of one event was expected, as 'var * ?float32', a type "
            f"or form of awkward, or a dtype of numpy, not {given!r} ({why})"
        ) from error


def _no_elements(given: Any) -> Any:
    """Returns an empty array of that type."""
    if isinstance(given, np.dtype | type):
        return np.empty(0, given)
    ak = require("awkward")
    if isinstance(given, str):
        try:
            given = ak.types.from_datashape(given, highlevel=False)
        except Exception:
            return np.empty(0, given)  # "f4", "<u8"
    if isinstance(given, ak.types.ArrayType):
        given = given.content
    if isinstance(given, ak.types.Type):
        given = ak.forms.from_type(given)
    if not isinstance(given, ak.forms.Form):
        raise TypeError(type(given).__name__)
    return ak.Array(given.length_zero_array(highlevel=False))
