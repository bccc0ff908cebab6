"""Filters."""

from __future__ import annotations

from .._filters import KnownFilter, known_filters, unregister_filter
from ._identifiers import absent, missing

FILTER_ERROR, FILTER_NONE, FILTER_ALL = -1, 0, 0
FILTER_DEFLATE, FILTER_SHUFFLE, FILTER_FLETCHER32 = 1, 2, 3
FILTER_SZIP, FILTER_NBIT, FILTER_SCALEOFFSET = 4, 5, 6
FILTER_LZF = 32000
FILTER_RESERVED, FILTER_MAX, FILTER_NMAX = 256, 65535, 32
FLAG_DEFMASK, FLAG_MANDATORY, FLAG_OPTIONAL = 0x00FF, 0, 1
FLAG_INVMASK, FLAG_REVERSE, FLAG_SKIP_EDC = 0xFF00, 0x0100, 0x0200
SZIP_ALLOW_K13_OPTION_MASK, SZIP_CHIP_OPTION_MASK = 1, 2
SZIP_EC_OPTION_MASK, SZIP_NN_OPTION_MASK, SZIP_MAX_PIXELS_PER_BLOCK = 4, 32, 32
SO_FLOAT_DSCALE, SO_FLOAT_ESCALE, SO_INT = 0, 1, 2
SO_INT_MINBITS_DEFAULT = 0
FILTER_CONFIG_ENCODE_ENABLED, FILTER_CONFIG_DECODE_ENABLED = 1, 2
ERROR_EDC, DISABLE_EDC, ENABLE_EDC, NO_EDC = -1, 0, 1, 2
CLASS_T_VERS = 1


def _known(filter_code: int) -> KnownFilter | None:
    return next((k for k in known_filters() if k.id == filter_code and k.decodes), None)


def filter_avail(filter_code: int) -> bool:
    return _known(filter_code) is not None


def get_filter_info(filter_code: int) -> int:
    """Returns the FILTER_CONFIG flags. Raises ValueError if there is no such filter."""
    known = _known(filter_code)
    if known is None:
        raise ValueError(f"there is no filter {filter_code}")
    return (FILTER_CONFIG_ENCODE_ENABLED if known.encodes else 0) | FILTER_CONFIG_DECODE_ENABLED


def register_filter(cls_pointer_address: int) -> bool:
    raise missing("h5z.register_filter", "onecast.register_filter takes functions of Python")


def unregister_filter_id(filter_code: int) -> bool:
    unregister_filter(filter_code)
    return True


__getattr__ = absent(__name__, {})
