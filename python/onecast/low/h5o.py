"""Objects."""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import Any, NamedTuple

from .. import _core
from .._dataset import Dataset
from .._group import Group
from ._identifiers import HeldID, absent, raw, target, text

TYPE_GROUP, TYPE_DATASET, TYPE_NAMED_DATATYPE = 0, 1, 2
COPY_SHALLOW_HIERARCHY_FLAG, COPY_EXPAND_SOFT_LINK_FLAG, COPY_EXPAND_EXT_LINK_FLAG = 1, 2, 4
COPY_EXPAND_REFERENCE_FLAG, COPY_WITHOUT_ATTR_FLAG = 8, 16


class ObjInfo(NamedTuple):
    fileno: int
    addr: int
    type: int
    rc: int
    atime: int
    mtime: int
    ctime: int
    btime: int
    num_attrs: int


def open(loc: Any, name: bytes, lapl: Any = None) -> HeldID:
    """Opens an object. Raises KeyError if there is none. @independent"""
    return loc._hl[text(name)].id


def link(source: Any, loc: Any, name: bytes, lcpl: Any = None, lapl: Any = None) -> None:
    """Creates a hard link to `source`. @replicated"""
    loc._hl[text(name)] = source._hl


def copy(
    src_loc: Any,
    src_name: bytes,
    dst_loc: Any,
    dst_name: bytes,
    copypl: Any = None,
    lcpl: Any = None,
) -> None:
    """Copies an object. @replicated"""
    flags = 0 if copypl is None else copypl.get_copy_object()
    src_loc._hl.copy(
        target(src_loc, src_name),
        dst_loc._hl,
        text(dst_name),
        shallow=bool(flags & COPY_SHALLOW_HIERARCHY_FLAG),
        expand_soft=bool(flags & COPY_EXPAND_SOFT_LINK_FLAG),
        expand_external=bool(flags & COPY_EXPAND_EXT_LINK_FLAG),
        expand_refs=bool(flags & COPY_EXPAND_REFERENCE_FLAG),
        without_attrs=bool(flags & COPY_WITHOUT_ATTR_FLAG),
    )


def exists_by_name(loc: Any, name: bytes, lapl: Any = None) -> bool:
    """Returns True if the path leads to an object."""
    return loc._hl.get(text(name)) is not None


def get_info(loc: Any, name: bytes | None = None, *, lapl: Any = None) -> ObjInfo:
    held = target(loc, name)
    kind = TYPE_NAMED_DATATYPE
    if isinstance(held, Group):
        kind = TYPE_GROUP
    elif isinstance(held, Dataset):
        kind = TYPE_DATASET
    found = _core.details(held._object)
    counts = found["address"], kind, found["reference_count"]
    return ObjInfo._make((hash(held.file), *counts, *times_of(held), len(held.attrs)))


def times_of(held: Any) -> tuple[int, int, int, int]:
    """Returns the times of access, modification, change and birth of an object, 0 if it has none. A
    new object has the present time until its first flush gives it one."""
    untold = int(time()) if held._object.tracks_times else 0
    return held._object.times or (untold,) * 4


def get_comment(
    loc: Any, name: bytes | None = None, *, obj_name: bytes = b".", lapl: Any = None
) -> bytes | None:
    held = target(loc, obj_name if name is None else name)
    return None if held.comment is None else raw(held.comment)


def set_comment(loc: Any, comment: bytes, *, obj_name: bytes = b".", lapl: Any = None) -> None:
    """Sets the comment of an object. @replicated"""
    target(loc, obj_name).comment = text(comment)


def visit(
    loc: Any,
    func: Callable,
    *,
    idx_type: int = 0,
    order: int = 0,
    obj_name: bytes = b".",
    lapl: Any = None,
    info: bool = False,
) -> Any:
    """Calls func(name), or func(name, ObjInfo), for each object below the group."""
    group = target(loc, obj_name)
    if info:
        return group.visititems(lambda name, found: func(raw(name), get_info(found.id)))
    return group.visit(lambda name: func(raw(name)))


__getattr__ = absent(__name__, {})
