"""Types and values -> what JSON can say."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

import onecast


def type_of(stored: onecast.StoredType) -> dict[str, Any]:
    """The stored type, class by class."""
    described: dict[str, Any] = {"class": stored.type_class.name, "size": stored.size}
    match described["class"]:
        case "integer":
            described |= {"signed": stored.is_signed, "order": stored.byte_order.name}
        case "floating":
            described |= {"order": stored.byte_order.name}
        case "string":
            described |= {"padding": stored.padding.name, "characters": stored.character_set.name}
        case "variable_string":
            described = {"class": "variable_string", "characters": stored.character_set.name}
        case "compound":
            described["members"] = [
                {"name": name, "offset": offset, "type": type_of(member)}
                for name, offset, member in stored.members
            ]
        case _:
            described["unsupported"] = str(stored)
    return described


def value_of(value: Any) -> Any:
    """Arrays as nested lists, compound elements as objects, text as text; what JSON has no word
    for as "NaN", "Infinity", "-Infinity", {"base64": ...}. null: no elements."""
    if isinstance(value, onecast.Empty):
        return None
    if isinstance(value, np.ndarray) and value.ndim:
        if value.dtype.kind in "iu" or (value.dtype.kind == "f" and np.isfinite(value).all()):
            return value.tolist()
        return [value_of(element) for element in value]
    return element_of(value[()] if isinstance(value, np.ndarray) else value)


def element_of(element: Any) -> Any:
    if isinstance(element, np.void):
        return {name: value_of(element[name]) for name in element.dtype.names}
    if isinstance(element, bytes):
        return text_of(element)
    if isinstance(element, np.complexfloating):
        return {"r": element_of(element.real), "i": element_of(element.imag)}
    if isinstance(element, np.generic):
        element = element.item()
    if isinstance(element, float) and not math.isfinite(element):
        return "NaN" if math.isnan(element) else f"{'-' if element < 0 else ''}Infinity"
    return element


def text_of(text: bytes) -> Any:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode("ascii")}
