"""Kinds of links: `Group.get(name, getlink=True)` returns them, `group[name] = link` creates
them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ._core import Link, LinkKind


@dataclass(frozen=True)
class HardLink:
    """A name of an object."""

    def __repr__(self) -> str:
        return "<HardLink>"


@dataclass(frozen=True)
class SoftLink:
    """A path in the file of the link, which need not exist."""

    path: str

    @property
    def _path(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f'<SoftLink to "{self.path}">'


@dataclass(frozen=True)
class ExternalLink:
    """A path in another file; see `follow_external` of `File`."""

    filename: str
    path: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "filename", os.fsdecode(self.filename))

    @property
    def _filename(self) -> str:
        return self.filename

    @property
    def _path(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f'<ExternalLink to "{self.path}" in file "{self.filename}">'


@dataclass(frozen=True)
class UserDefinedLink:
    """A link of a class that a program defines, 65 to 255, with a value that only this program
    understands. Onecast does not follow it."""

    link_class: int
    value: bytes = b""


AnyLink = HardLink | SoftLink | ExternalLink | UserDefinedLink


def link_of(link: Link) -> AnyLink:
    match link.kind:
        case LinkKind.hard:
            return HardLink()
        case LinkKind.soft:
            return SoftLink(link.target)
        case LinkKind.external:
            return ExternalLink(link.target_file, link.target)
    return UserDefinedLink(link.link_class, link.value)
