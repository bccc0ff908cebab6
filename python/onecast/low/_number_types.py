"""Identifiers of number types."""

from __future__ import annotations

from typing import Any

from .._core import StoredType
from ._identifiers import missing
from ._type_id import (
    NORM_IMPLIED,
    NORM_MSBSET,
    NORM_NONE,
    ORDER_NUMBERS,
    ORDERS,
    PAD_ZERO,
    SGN_2,
    SGN_NONE,
    TypeID,
)


class _Number(TypeID):
    """A datatype that is stored as one number, whatever its class is in h5py."""

    def get_order(self) -> int:
        return ORDER_NUMBERS[self._stored.byte_order]

    def set_order(self, order: int) -> None:
        self._rebuild(order=ORDERS[order])

    def get_precision(self) -> int:
        return self._stored.bits[1]

    def set_precision(self, precision: int) -> None:
        self._rebuild(bits=(self._stored.bits[0], precision))

    def get_offset(self) -> int:
        return self._stored.bits[0]

    def set_offset(self, offset: int) -> None:
        self._rebuild(bits=(offset, self._stored.bits[1]))

    def get_pad(self) -> tuple[int, int]:
        return (PAD_ZERO, PAD_ZERO)

    def set_size(self, size: int) -> None:
        bits = self._stored.bits
        whole = bits == (0, 8 * self._stored.size)
        self._rebuild(size=size, bits=(0, 8 * size) if whole else bits)

    def _parts(self, **changes: Any) -> dict[str, Any]:
        """Returns what the type is made of, with these changes."""
        now = self._stored
        return {"size": now.size, "order": now.byte_order, "bits": now.bits, **changes}

    def _rebuild(self, **changes: Any) -> None:
        raise NotImplementedError


class TypeAtomicID(_Number):
    """A number type."""


class TypeIntegerID(TypeAtomicID):
    def get_sign(self) -> int:
        return SGN_2 if self._stored.is_signed else SGN_NONE

    def set_sign(self, sign: int) -> None:
        self._rebuild(is_signed=sign == SGN_2)

    def _rebuild(self, **changes: Any) -> None:
        parts = self._parts(**{"is_signed": self._stored.is_signed, **changes})
        self._become(StoredType.integer(**parts))


class TypeBitfieldID(_Number):
    def _rebuild(self, **changes: Any) -> None:
        parts = self._parts(**changes)
        if parts.pop("bits") != (0, 8 * parts["size"]):
            raise missing("bit fields that use some of their bits")
        self._become(StoredType.bitfield(**parts))


class TypeTimeID(_Number):
    """A time type, which numpy cannot read."""


class TypeComplexID(TypeAtomicID):
    """A complex type: two floats."""

    def get_order(self) -> int:
        return ORDER_NUMBERS[self._stored.base.byte_order]


class TypeFloatID(TypeAtomicID):
    def get_fields(self) -> tuple[int, int, int, int, int]:
        """Returns (sign position, exponent position and size, mantissa position and size)."""
        return self._stored.float_layout[:5]

    def set_fields(self, spos: int, epos: int, esize: int, mpos: int, msize: int) -> None:
        layout = (spos, epos, esize, mpos, msize, *self._stored.float_layout[5:])
        # Fields may lie beyond the type's size until set_size(), which programs for h5py call next.
        self._rebuild(layout=layout)

    def get_ebias(self) -> int:
        return self._stored.float_layout[5]

    def set_ebias(self, bias: int) -> None:
        layout = self._stored.float_layout
        self._rebuild(layout=(*layout[:5], bias, layout[6]))

    def get_norm(self) -> int:
        return (NORM_NONE, NORM_MSBSET, NORM_IMPLIED)[self._stored.float_layout[6]]

    def set_norm(self, norm: int) -> None:
        stored = {NORM_NONE: 0, NORM_MSBSET: 1, NORM_IMPLIED: 2}[norm]
        self._rebuild(layout=(*self._stored.float_layout[:6], stored))

    def get_inpad(self) -> int:
        return PAD_ZERO

    def _rebuild(self, **changes: Any) -> None:
        parts = self._parts(**{"layout": self._stored.float_layout, **changes})
        spos, epos, esize, mpos, msize = parts["layout"][:5]
        used = max(spos + 1, epos + esize, mpos + msize)
        if "bits" not in changes:
            parts["bits"] = (0, max(used, parts["bits"][1]))
        self._become(StoredType.floating(**parts))
