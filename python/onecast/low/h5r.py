"""References."""

from __future__ import annotations

from typing import Any

from .._core import Reference, RegionReference
from .._dataset import Dataset
from .._group import Group
from . import h5g
from ._identifiers import HeldID, absent, raw, target
from .h5s import SpaceID, selection_of

OBJECT, DATASET_REGION = 0, 1

__all__ = ["DATASET_REGION", "OBJECT", "Reference", "RegionReference"]


def create(loc: Any, name: bytes, ref_type: int, space: SpaceID | None = None) -> Reference:
    """Returns a reference. @replicated for an object created since the last flush"""
    held = target(loc, name)
    if ref_type == OBJECT:
        return held.ref
    if ref_type != DATASET_REGION:
        raise ValueError("Unknown reference typecode")
    if space is None:
        raise ValueError("Dataspace required for region reference")
    return held._object.region_reference(selection_of(space))


def dereference(ref: Reference, id: Any) -> HeldID | None:
    """Returns the object; None for a reference that was never set."""
    return id._hl.file[ref].id if ref else None


def get_region(ref: RegionReference, id: Any) -> SpaceID | None:
    if not ref:
        return None
    found = id._hl.file[ref]
    return SpaceID(found.shape, None, found._region(ref).part)


def get_obj_type(ref: Reference, id: Any) -> int | None:
    if not ref:
        return None
    found = id._hl.file[ref]
    if isinstance(found, Group):
        return h5g.GROUP
    return h5g.DATASET if isinstance(found, Dataset) else h5g.TYPE


def get_name(ref: Reference, id: Any) -> bytes | None:
    """Returns the path of the object, or None if the reference was never set or no path leads to
    the object any more."""
    name = id._hl.file[ref].name if ref else None
    return None if name is None else raw(name)


__getattr__ = absent(__name__, {})
