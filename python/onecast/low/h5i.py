"""Identifiers."""

from __future__ import annotations

from typing import Any

from . import h5a, h5d, h5f, h5g, h5s, h5t
from ._identifiers import ObjectID, absent, raw

INVALID_HID = 0
BADID, FILE, GROUP, DATATYPE, DATASPACE, DATASET, ATTR = -1, 1, 2, 3, 4, 5, 7
GENPROP_CLS, GENPROP_LST = 9, 10


def get_type(obj: Any) -> int:
    kinds = (
        (h5f.FileID, FILE),
        (h5g.GroupID, GROUP),
        (h5t.TypeID, DATATYPE),
        (h5s.SpaceID, DATASPACE),
        (h5d.DatasetID, DATASET),
        (h5a.AttrID, ATTR),
    )
    return next((number for kind, number in kinds if isinstance(obj, kind)), BADID)


def get_name(obj: Any) -> bytes | None:
    """Returns the path of an object, or None."""
    if isinstance(obj, h5a.AttrID):
        return raw(obj._attrs._owner.name or "")
    held = getattr(obj, "_held", None)
    name = None if held is None else held.name
    return None if name is None else raw(name)


def get_file_id(obj: Any) -> h5f.FileID:
    return obj._hl.file.id


def is_valid(obj: ObjectID) -> bool:
    return obj.valid


def get_ref(obj: ObjectID) -> int:
    return 1 if obj.valid else 0


def inc_ref(obj: ObjectID) -> None:
    """Does nothing: Python counts references."""


def dec_ref(obj: ObjectID) -> None:
    """Does nothing: Python counts references."""


__getattr__ = absent(__name__, {})
