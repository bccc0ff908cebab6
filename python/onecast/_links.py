"""Kinds of links: `Group.get(name, getlink=True)` returns them, `group[name] = link` creates
them."""

from __future__ import annotations

from dataclasses import dataclass

from ._core import Link, LinkKind


@dataclass(frozen=True)
class HardLink:
    """A name of an object."""


@dataclass(frozen=True)
class SoftLink:
    """A path in the file of the link, which need not exist."""

    path: str


@dataclass(frozen=True)
class ExternalLink:
    """A path in another file; see `follow_external` of `File`."""

    filename: str
    path: str


@dataclass(frozen=True)
class UserDefinedLink:
    """A link whose meaning an application defined. Onecast does not follow it."""


AnyLink = HardLink | SoftLink | ExternalLink | UserDefinedLink


def link_of(link: Link) -> AnyLink:
    match link.kind:
        case LinkKind.hard:
            return HardLink()
        case LinkKind.soft:
            return SoftLink(link.target)
        case LinkKind.external:
            return ExternalLink(link.target_file, link.target)
    return UserDefinedLink()
