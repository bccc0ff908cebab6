"""Dimension scales."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from .._objects import first_result
from ._identifiers import absent, raw, text


def set_scale(dset: Any, dimname: bytes = b"") -> None:
    """Makes the dataset a dimension scale. @replicated, like all calls here that change
    something"""
    _core.make_scale(dset._object, dimname)


def is_scale(dset: Any) -> bool:
    return _core.is_scale(dset._object)


def get_scale_name(dscale: Any) -> bytes:
    return raw(_core.scale_name(dscale._object))


def attach_scale(dset: Any, dscale: Any, idx: int) -> None:
    _core.attach_scale(dset._object, idx, dscale._object)


def detach_scale(dset: Any, dscale: Any, idx: int) -> None:
    _core.detach_scale(dset._object, idx, dscale._object)


def is_attached(dset: Any, dscale: Any, idx: int) -> bool:
    return _core.is_attached(dset._object, idx, dscale._object)


def get_num_scales(dset: Any, dim: int) -> int:
    return len(_core.scales_of(dset._object, dim))


def set_label(dset: Any, idx: int, label: bytes) -> None:
    _core.set_dimension_label(dset._object, idx, text(label))


def get_label(dset: Any, idx: int) -> bytes:
    return raw(_core.dimension_label(dset._object, idx))


def iterate(dset: Any, dim: int, func: Callable[[Any], Any], startidx: int = 0) -> Any:
    """Calls func(scale) for each scale. Stops at the first result that is not None."""
    scales = dset._hl.dims[dim].values()[startidx:]
    return first_result(func, ((scale.id,) for scale in scales))


__getattr__ = absent(__name__, {})
