"""Types and values -> what JSON can say."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

import onecast

IEEE = {
    2: (15, 10, 5, 0, 10, 15, 2),
    4: (31, 23, 8, 0, 23, 127, 2),
    8: (63, 52, 11, 0, 52, 1023, 2),
}


def type_of(stored: onecast.StoredType) -> dict[str, Any]:
    """The stored type, class by class."""
    kind = stored.type_class.name
    described: dict[str, Any] = {"class": kind, "size": stored.size}
    match kind:
        case "integer" | "bitfield" | "floating":
            described |= number_of(stored, kind)
        case "time":
            described |= {"order": stored.byte_order.name}
        case "string":
            described |= {"padding": stored.padding.name, "characters": stored.character_set.name}
        case "variable_string":
            described = {"class": kind, "characters": stored.character_set.name}
        case "opaque":
            described |= {"tag": stored.tag}
        case "reference":
            described |= {"kind": stored.reference_kind.name}
        case "enumeration":
            described |= {"base": type_of(stored.base), "values": dict(stored.values)}
        case "array":
            described |= {"base": type_of(stored.base), "dimensions": list(stored.dimensions)}
        case "sequence" | "complex":
            described |= {"base": type_of(stored.base)}
        case "compound":
            described["members"] = [
                {"name": name, "offset": offset, "type": type_of(member)}
                for name, offset, member in stored.members
            ]
    return described


def number_of(stored: onecast.StoredType, kind: str) -> dict[str, Any]:
    described: dict[str, Any] = {"order": stored.byte_order.name}
    if kind == "integer":
        described = {"signed": stored.is_signed} | described
    offset, precision = stored.bits
    if (offset, precision) != (0, 8 * stored.size):
        described |= {"offset": offset, "precision": precision}
    if kind == "floating" and stored.float_layout != IEEE.get(stored.size):
        names = ("sign", "exponent", "exponent_bits", "mantissa", "mantissa_bits", "bias", "norm")
        described["layout"] = dict(zip(names, stored.float_layout, strict=True))
    return described


def value_of(value: Any) -> Any:
    """Arrays as nested lists, compound elements as objects, text as text; what JSON has no word
    for as "NaN", "Infinity", "-Infinity", {"base64": ...}. null: no elements."""
    if isinstance(value, onecast.Empty):
        return None
    if isinstance(value, np.ndarray) and value.ndim:
        if value.dtype.kind in "iub" or (
            value.dtype.kind == "f" and value.dtype.itemsize <= 8 and np.isfinite(value).all()
        ):
            return value.tolist()
        return [value_of(element) for element in value]
    return element_of(value[()] if isinstance(value, np.ndarray) else value)


def element_of(element: Any) -> Any:
    if isinstance(element, np.ndarray):
        return value_of(element)
    if isinstance(element, np.void):
        if element.dtype.names is None:
            return bytes_of(element.tobytes())
        return {name: value_of(element[name]) for name in element.dtype.names}
    if isinstance(element, bytes):
        return text_of(element)
    if isinstance(element, np.complexfloating):
        return {"r": element_of(element.real), "i": element_of(element.imag)}
    if isinstance(element, onecast.Reference):
        return reference_of(element)
    if isinstance(element, np.datetime64 | np.timedelta64):
        return str(element)
    if isinstance(element, np.longdouble):
        element = float(element)
    if isinstance(element, np.generic):
        element = element.item()
    if isinstance(element, float) and not math.isfinite(element):
        return "NaN" if math.isnan(element) else f"{'-' if element < 0 else ''}Infinity"
    return element


def reference_of(reference: onecast.Reference) -> Any:
    if not reference:
        return None
    described: dict[str, Any] = {"reference": reference.kind.name, "address": reference.address}
    if reference.file:
        described["file"] = reference.file
    if reference.attribute:
        described["attribute"] = reference.attribute
    return described


def text_of(text: bytes) -> Any:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return bytes_of(text)


def bytes_of(data: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data).decode("ascii")}
