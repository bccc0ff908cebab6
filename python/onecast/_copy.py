"""Copying objects: translates h5py's arguments of Group.copy."""

from __future__ import annotations

from typing import Any

from . import _core
from ._interfaces import ParentGroup
from ._objects import HLObject, check_name, last_component


def copy(
    group: ParentGroup, source: Any, dest: Any, name: str | None, options: _core.CopyOptions
) -> None:
    found = source if isinstance(source, HLObject) else group[check_name(source)]
    if _is_group(dest):
        path = found.name and last_component(found.name) if name is None else name
        target = dest
    elif isinstance(dest, HLObject):
        raise TypeError("Destination must be path or Group object")
    else:
        target, path = group, dest
    path = check_name(path, "Copying an object")
    _core.copy(target._object, found._object, path, options)


def _is_group(thing: Any) -> bool:
    return isinstance(thing, HLObject) and isinstance(thing._object, _core.Group)
