"""Links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .._core import Link
from .._errors import as_h5py
from .._links import AnyLink, ExternalLink, SoftLink
from .._objects import first_result
from ._identifiers import ObjectID, absent, raw, target, text

TYPE_HARD, TYPE_SOFT, TYPE_EXTERNAL = 0, 1, 64
SAME_LOC = None


class LinkInfo(NamedTuple):
    type: int
    corder_valid: bool
    corder: int
    cset: int
    u: Any


class LinkProxy(ObjectID):
    """The links of a group."""

    def __init__(self, group: Any) -> None:
        self._new_number()
        self._group = group

    def create_hard(
        self, new_name: bytes, cur_loc: Any, cur_name: bytes, lcpl: Any = None, lapl: Any = None
    ) -> None:
        """Creates a hard link. @replicated, like all calls here that change links"""
        self._group._hl[text(new_name)] = cur_loc._hl[text(cur_name)]

    def create_soft(
        self, new_name: bytes, target: bytes, lcpl: Any = None, lapl: Any = None
    ) -> None:
        self._group._hl[text(new_name)] = SoftLink(text(target))

    def create_external(
        self,
        link_name: bytes,
        file_name: bytes,
        obj_name: bytes,
        lcpl: Any = None,
        lapl: Any = None,
    ) -> None:
        self._group._hl[text(link_name)] = ExternalLink(text(file_name), text(obj_name))

    def _link(self, name: bytes) -> AnyLink:
        link = self._group._hl._link(text(name))
        if link is None:
            raise KeyError(f"there is no link {text(name)!r}")
        return link

    def get_val(self, name: bytes, lapl: Any = None) -> Any:
        """Returns the path of a soft link, or (file, path) of an external link."""
        link = self._link(name)
        if isinstance(link, ExternalLink):
            return raw(link.filename), raw(link.path)
        if not isinstance(link, SoftLink):
            raise TypeError("Link must be either a soft or external link")
        return raw(link.path)

    def get_info(self, name: bytes, index: int = -1, *, lapl: Any = None) -> LinkInfo:
        link = self._group._hl._stored_link(text(name))
        if link is None:
            raise KeyError(f"there is no link {text(name)!r}")
        order = link.creation_order
        value = link.address if link.link_class == TYPE_HARD else _value_size(link)
        return LinkInfo(
            link.link_class, order is not None, order or 0, int(link.is_utf8), value or 0
        )

    def move(
        self, src_name: bytes, dst_loc: Any, dst_name: bytes, lcpl: Any = None, lapl: Any = None
    ) -> None:
        target = self._group if dst_loc is None else dst_loc
        path = text(dst_name)
        if not path.startswith("/"):
            if target._hl.name is None:
                with as_h5py:
                    return self._group._hl._object.move(text(src_name), path, target._hl._object)
            path = f"{target._hl.name.rstrip('/')}/{path}"
        self._group._hl.move(text(src_name), path)

    def exists(self, name: bytes, lapl: Any = None) -> bool:
        return text(name) in self._group._hl

    def visit(
        self,
        func: Callable,
        *,
        idx_type: int = 0,
        order: int = 0,
        obj_name: bytes = b".",
        lapl: Any = None,
        info: bool = False,
    ) -> Any:
        """Calls func(name), or func(name, LinkInfo), for each link below the group, at any
        depth."""
        group = target(self._group, obj_name)
        if not info:
            return group.visit_links(lambda name: func(raw(name)))
        links = group.id.links
        return group.visit_links(lambda name: func(raw(name), links.get_info(raw(name))))

    def iterate(self, func: Callable, *, obj_name: bytes = b".", info: bool = False) -> Any:
        """Calls func(name), or func(name, LinkInfo), for each link of the group."""
        group = target(self._group, obj_name)
        links = group.id.links
        names = map(raw, group)
        return first_result(func, ((n, links.get_info(n)) if info else (n,) for n in names))


def _value_size(link: Link) -> int:
    """Returns the size of a link's value as H5Lget_info does: texts with their NUL."""
    if link.link_class == TYPE_SOFT:
        return len(raw(link.target)) + 1
    if link.link_class == TYPE_EXTERNAL:
        return len(raw(link.target_file)) + len(raw(link.target)) + 3
    return len(link.value)


__getattr__ = absent(__name__, {})
