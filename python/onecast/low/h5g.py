"""Groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .. import _core
from .._dataset import Dataset
from .._group import Group
from .._links import HardLink, SoftLink
from .._objects import first_result
from ._file_lists import PropFCID
from ._identifiers import HeldID, absent, raw, target, text
from .h5l import LinkProxy
from .h5o import times_of
from .h5p import PropGCID

UNKNOWN, LINK, GROUP, DATASET, TYPE = -1, 3, 0, 1, 2
LINK_ERROR, LINK_HARD, LINK_SOFT = -1, 0, 1
CRT_ORDER_TRACKED, CRT_ORDER_INDEXED = 1, 2


class GroupStat(NamedTuple):
    fileno: tuple[int, int]
    objno: tuple[int, int]
    nlink: int
    type: int
    mtime: int
    linklen: int


class GroupID(HeldID):
    """A group."""

    @property
    def links(self) -> LinkProxy:
        return LinkProxy(self)

    def get_create_plist(self) -> PropGCID | PropFCID:
        from_object = self._hl._object
        details = _core.details(from_object)
        from_links = 3 if from_object.tracks_links else 0
        from_attributes = 3 if from_object.tracks_attributes else 0
        return PropGCID(
            link_creation_order=from_links,
            attr_creation_order=from_attributes,
            attr_phase_change=details["attribute_limits"],
            link_phase_change=details["link_limits"],
            obj_track_times=from_object.tracks_times,
        )

    def get_num_objs(self) -> int:
        return len(self._hl)

    def get_objname_by_idx(self, idx: int) -> bytes:
        link = self._hl._object.nth_link(idx) if idx >= 0 else None
        if link is None:
            raise ValueError(f"there is no link {idx}")
        return raw(link.name)

    def get_objtype_by_idx(self, idx: int) -> int:
        return get_objinfo(self, self.get_objname_by_idx(idx)).type

    def get_linkval(self, name: bytes) -> bytes:
        return raw(self._hl.get(text(name), getlink=True).path)

    def unlink(self, name: bytes) -> None:
        del self._hl[text(name)]

    def move(self, current_name: bytes, new_name: bytes, remote: Any = None) -> None:
        self.links.move(current_name, self if remote is None else remote, new_name)

    def get_comment(self, name: bytes) -> bytes:
        return raw(self._hl[text(name)].comment or "")

    def set_comment(self, name: bytes, comment: bytes) -> None:
        self._hl[text(name)].comment = text(comment)

    def __contains__(self, name: bytes) -> bool:
        return text(name) in self._hl

    def __iter__(self) -> Iterator[bytes]:
        return (raw(name) for name in self._hl)

    def __len__(self) -> int:
        return len(self._hl)


def create(loc: Any, name: bytes | None, lcpl: Any = None, gcpl: Any = None) -> GroupID:
    """Creates a group. @replicated"""
    group = loc._hl
    path = None if name is None else text(name)
    options = {} if gcpl is None else gcpl._options()
    return group._wrap(group._object.create_group(path, **options), path).id


def open(loc: Any, name: bytes) -> GroupID:
    """Opens a group. Raises KeyError if there is none. @independent"""
    found = loc._hl[text(name)]
    if not isinstance(found, Group):
        raise ValueError(f"{text(name)!r} is not a group")
    return found.id


def get_objinfo(obj: Any, name: bytes = b".", follow_link: bool = True) -> GroupStat:
    """Returns information about an object or a link. @independent"""
    held = obj._hl
    if name != b".":
        link = held.get(text(name), getlink=True)
        if isinstance(link, SoftLink) and not follow_link:
            return GroupStat((0, 0), (0, 0), 0, LINK, 0, len(raw(link.path)) + 1)
        if not isinstance(link, HardLink) and not follow_link:
            return GroupStat((0, 0), (0, 0), 0, UNKNOWN, 0, 0)
        held = held[text(name)]
    kind = GROUP if isinstance(held, Group) else DATASET if isinstance(held, Dataset) else TYPE
    found = _core.details(held._object)
    _, _, change, _ = times_of(held)
    return GroupStat((0, 0), (found["address"], 0), found["reference_count"], kind, change, 0)


def iterate(
    loc: Any, func: Callable[[bytes], Any], startidx: int = 0, *, obj_name: Any = b"."
) -> Any:
    """Calls func(name) for each link. Stops at the first result that is not None."""
    group = target(loc, obj_name)
    return first_result(func, ((raw(name),) for name in list(group)[startidx:]))


__getattr__ = absent(__name__, {"link": "GroupID.links", "unlink": "GroupID.unlink"})
