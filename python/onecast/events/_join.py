"""Joins the types of one column on several ranks or in several files. Fields and types of a union
keep the order of the first side that has them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from ._nodes import Node, order_of, steps, words

Has = list[tuple[str, Node]]
"""("on rank 3", node): the nodes of one column, and where they are"""


def joined_columns(comm: Any, columns: dict[str, Node] | None) -> dict[str, Node]:
    """Joins the columns of all ranks, which have equal names. Raises TypeError on all ranks, which
    names the column and two ranks. @collective"""
    mine = {name: [(f"on rank {comm.rank}", node)] for name, node in (columns or {}).items()}
    return {name: joined(has, name) for name, has in comm.allreduce(mine, op=_collected).items()}


def _collected(a: dict[str, Has], b: dict[str, Has]) -> dict[str, Has]:
    """Combines the columns of adjacent groups of ranks."""
    if not a or not b:
        return a or b
    return {name: has + [h for h in b[name] if h[1] not in _nodes(has)] for name, has in a.items()}


def _nodes(has: Has) -> list[Node]:
    return [node for _, node in has]


def joined(has: Has, path: str) -> Node:
    """Returns a node that can hold all: an option or a union if any of them is one. Raises
    TypeError if there is none."""
    has = [found for found in has if found[1].kind != "unknown"] or has[:1]
    place, first = has[0]
    if all(node == first for node in _nodes(has)):
        return first
    if any(_is_optional(node) for node in _nodes(has)):
        whole = [(where, below) for where, node in has for below in _without_option(node)]
        return _as_option(joined(whole, path))
    if any(node.kind == "union" for node in _nodes(has)):
        return _joined_union(has, path)
    orders = []
    for where, node in has:
        order = order_of(first, node)
        if order is None:
            one, other = words(first), words(node)
            if one == other:  # awkward's parameters differ
                one, other = f"{one} with {first.parameters}", f"{other} with {node.parameters}"
            raise TypeError(f"column {path}: {one} {place}, {other} {where}")
        orders.append(order)
    contents = [
        joined(
            [(where, node.contents[o[n]]) for (where, node), o in zip(has, orders, strict=True)],
            below,
        )
        for n, below in enumerate(path + step for step in steps(first))
    ]
    return replace(first, contents=tuple(contents))


def _is_optional(node: Node) -> bool:
    """True if the joined node is optional. awkward has unions of options, but no options of
    unions."""
    is_union = node.kind == "union"
    return node.kind == "option" or (is_union and any(map(_is_optional, node.contents)))


def _without_option(node: Node) -> list[Node]:
    if node.kind == "option":
        return [node.contents[0]]
    if node.kind == "union":
        below = [kind for content in node.contents for kind in _without_option(content)]
        return [replace(node, contents=tuple(below))]
    return [node]


def _as_option(node: Node) -> Node:
    if node.kind == "union":
        return replace(node, contents=tuple(map(_as_option, node.contents)))
    return node if node.kind == "option" else Node("option", (node,))


def _joined_union(has: Has, path: str) -> Node:
    kinds: list[Has] = []
    for where, node in has:
        taken: list[Has] = []  # types of one union are not joined with each other
        for kind in node.contents if node.kind == "union" else [node]:
            left = [k for k in kinds if not any(k is t for t in taken)]
            alike = next((k for k in left if _can_be_joined([*k, (where, kind)])), None)
            if alike is None:
                alike = []
                kinds.append(alike)
            alike.append((where, kind))
            taken.append(alike)
    union = next(node for node in _nodes(has) if node.kind == "union")
    return replace(union, contents=tuple(joined(kind, path) for kind in kinds))


def _can_be_joined(has: Has) -> bool:
    with suppress(TypeError):
        joined(has, "")
        return True
    return False
