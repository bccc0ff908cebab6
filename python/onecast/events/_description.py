"""Writes the attributes of a group of columns: docs/reference/events_columnar.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .._group import Group
from ._nodes import Node, compact_json, record_of, steps, to_form

ENCODING = "awkward-array"  # anndata's name for it
ENCODING_VERSION = "0.1.0"
LAYOUT, LAYOUT_VERSION = "columnar", 1
UNFINISHED = "unfinished"


def describe(
    group: Group,
    columns: Mapping[str, Node],
    keys: Mapping[str, str],
    described: Mapping[str, Mapping[str, str]],
    events: int,
    is_last: bool,
) -> None:
    """Writes the attributes. `keys` maps the path of a node to its key, `described` maps class and
    title to those of columns. With `is_last`, no more events follow. @collective"""
    form = record_of({name: _with_keys(node, name, keys) for name, node in columns.items()})
    attributes = group.attrs
    attributes["encoding-type"] = ENCODING
    attributes["encoding-version"] = ENCODING_VERSION
    attributes["form"] = compact_json(to_form(form))
    attributes["length"] = events
    attributes["layout"] = LAYOUT
    attributes["layout-version"] = LAYOUT_VERSION
    if not is_last:
        attributes[UNFINISHED] = 1
    elif UNFINISHED in attributes:
        del attributes[UNFINISHED]
    about = {
        name: {kind: said[name] for kind, said in described.items() if said.get(name)}
        for name in columns
    }
    attributes["columns"] = compact_json({name: said for name, said in about.items() if said})


def _with_keys(node: Node, path: str, keys: Mapping[str, str]) -> Node:
    contents = tuple(
        _with_keys(content, path + step, keys)
        for step, content in zip(steps(node), node.contents, strict=True)
    )
    return replace(node, contents=contents, key=keys.get(path, ""))
