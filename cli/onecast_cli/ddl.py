"""Types and values in h5dump's data description language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import onecast

ORDER = {"little": "LE", "big": "BE", "vax": "VAX"}
PADDING = {"null_terminated": "NULLTERM", "null_padded": "NULLPAD", "space_padded": "SPACEPAD"}
REFERENCE = {"object": "H5T_STD_REF_OBJECT", "region": "H5T_STD_REF_DSETREG"}
CSET = {"ascii": "ASCII", "utf8": "UTF8"}
ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


# --- types ---------------------------------------------------------------------------------------
def type_text(stored: onecast.StoredType, indent: str = "") -> str:
    """Returns the type as text; lines after the first begin with `indent`."""
    match stored.type_class.name:
        case "integer":
            return integer_text(stored)
        case "floating":
            return float_text(stored)
        case "bitfield":
            return f"H5T_STD_B{8 * stored.size}{ORDER[stored.byte_order.name]}"
        case "time":
            return f"H5T_UNIX_D{8 * stored.size}{ORDER[stored.byte_order.name]}"
        case "string":
            padding = PADDING[stored.padding.name]
            return string_text(str(stored.size), padding, stored.character_set.name, indent)
        case "variable_string":
            return string_text("H5T_VARIABLE", "NULLTERM", stored.character_set.name, indent)
        case "opaque":
            return block("H5T_OPAQUE", [f'OPAQUE_TAG "{stored.tag}";'], indent)
        case "compound":
            lines = [
                f'{type_text(member, indent + "   ")} "{escaped_name(name)}";'
                for name, _, member in stored.members
            ]
            return block("H5T_COMPOUND", lines, indent)
        case "reference":
            return f"H5T_REFERENCE {{ {REFERENCE.get(stored.reference_kind.name, 'UNDEFINED')} }}"
        case "enumeration":
            names = [f'"{name}" {" " * max(16 - len(name), 0)}{v};' for name, v in stored.values]
            return block("H5T_ENUM", [f"{type_text(stored.base)};", *names], indent)
        case "sequence":
            return f"H5T_VLEN {{ {type_text(stored.base, indent)}}}"
        case "array":
            dimensions = "".join(f"[{extent}]" for extent in stored.dimensions)
            return f"H5T_ARRAY {{ {dimensions} {type_text(stored.base, indent)} }}"
        case "complex":
            return f"H5T_COMPLEX {{ {type_text(stored.base, indent)} }}"
    return str(stored)


def block(head: str, lines: list[str], indent: str) -> str:
    return "\n".join([f"{head} {{", *(f"{indent}   {line}" for line in lines), f"{indent}}}"])


def integer_text(stored: onecast.StoredType) -> str:
    offset, precision = stored.bits
    order = stored.byte_order.name
    if stored.size in (1, 2, 4, 8) and (offset, precision) == (0, 8 * stored.size):
        sign = "I" if stored.is_signed else "U"
        return f"H5T_STD_{sign}{8 * stored.size}{ORDER[order]}"
    sign = "" if stored.is_signed else "unsigned "
    return f"{8 * stored.size}-bit {order}-endian {sign}integer {precision}-bit precision"


def float_text(stored: onecast.StoredType) -> str:
    order = ORDER[stored.byte_order.name]
    if order == "VAX":
        return f"H5T_VAX_F{8 * stored.size}"
    offset, precision = stored.bits
    if stored.size in (4, 8) and (offset, precision) == (0, 8 * stored.size):
        return f"H5T_IEEE_F{8 * stored.size}{order}"
    order = stored.byte_order.name
    return f"{8 * stored.size}-bit {order}-endian floating-point {precision}-bit precision"


def string_text(size: str, padding: str, characters: str, indent: str) -> str:
    lines = [
        f"STRSIZE {size};",
        f"STRPAD H5T_STR_{padding};",
        f"CSET H5T_CSET_{CSET[characters]};",
        "CTYPE H5T_C_S1;",
    ]
    return block("H5T_STRING", lines, indent)


def space_text(shape: tuple | None, maxshape: tuple | None) -> str:
    if shape is None:
        return "NULL"
    if shape == ():
        return "SCALAR"
    limits = ["H5S_UNLIMITED" if limit is None else str(limit) for limit in maxshape or shape]
    return f"SIMPLE {{ ( {', '.join(map(str, shape))} ) / ( {', '.join(limits)} ) }}"


# --- values --------------------------------------------------------------------------------------
class ValueText:
    """Elements as text. `path_of(reference)` returns the path that a reference leads to."""

    def __init__(self, path_of: Callable[[onecast.Reference], str]) -> None:
        self.path_of = path_of

    def __call__(self, stored: onecast.StoredType, value: Any) -> str:
        match stored.type_class.name:
            case "integer" | "time":
                return str(int(value))
            case "floating":
                return float_value(value)
            case "string":
                return quoted(padded(stored, bytes(value)))
            case "variable_string":
                return quoted(value if isinstance(value, bytes) else str(value).encode())
            case "bitfield":
                return bits_text(stored, int(value))
            case "opaque":
                data = np.asarray(value).tobytes()
                return f"0x{data[0]:02x}" if len(data) == 1 else data.hex(":")
            case "enumeration":
                return self.enumeration(stored, value)
            case "reference":
                return self.reference(value)
            case "array":
                return self.array(stored, value)
            case "sequence":
                return f"({', '.join(self(stored.base, v) for v in value)})"
            case "complex":
                return f"{float_value(value.real)}+{float_value(value.imag)}i"
            case "compound":
                return self.compound(stored, value)
        return str(value)

    def array(self, stored: onecast.StoredType, value: Any) -> str:
        flat = value.reshape((-1, *value.shape[len(stored.dimensions) :]))
        return f"[ {', '.join(self(stored.base, element) for element in flat)} ]"

    def enumeration(self, stored: onecast.StoredType, value: Any) -> str:
        for name, number in stored.values:
            if number == int(value):
                return escaped_name(name)
        return str(int(value))

    def compound(self, stored: onecast.StoredType, value: Any) -> str:
        if isinstance(value, np.complexfloating):
            parts = [float_value(value.real), float_value(value.imag)]
        else:
            parts = [self(member, value[name]) for name, _, member in stored.members]
        return "{\n" + ",\n".join(parts) + "\n}"

    def reference(self, value: Any) -> str:
        if not value:
            return "NULL"
        return self.path_of(value)


def float_value(value: Any) -> str:
    return "-nan" if np.isnan(value) and np.signbit(value) else f"{float(value):g}"


def padded(stored: onecast.StoredType, value: bytes) -> bytes:
    """Returns the stored bytes: h5dump shows the padding, except after a terminating NUL."""
    match stored.padding.name:
        case "null_padded":
            return value.ljust(stored.size, b"\0")
        case "space_padded":
            return value.ljust(stored.size, b" ")
    return value.partition(b"\0")[0]


def quoted(value: bytes) -> str:
    return '"' + "".join(ESCAPES.get(byte) or character(byte) for byte in value) + '"'


def character(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def escaped_name(name: str) -> str:
    return "".join(ESCAPES.get(ord(c), c) for c in name)


def bits_text(stored: onecast.StoredType, value: int) -> str:
    if stored.size == 1:
        return f"0x{value:02x}"
    return ":".join(f"{byte:02x}" for byte in value.to_bytes(stored.size, "little"))
