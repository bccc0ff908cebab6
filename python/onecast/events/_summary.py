"""What all ranks must know of a batch, from one scan: forms, sizes, equal offsets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._ranks import for_other_ranks
from ._nodes import Node, require_same_names, steps
from ._parts import Part

Labels = dict[str, str]
"""path of a list -> path of the first list below the same node with equal offsets"""


@dataclass
class Summary:
    """The columns, sizes and errors of some adjacent ranks together."""

    columns: dict[str, Node] | None = None  #: None: no columns at all
    events: int = 0
    sizes: dict[str, int] = field(default_factory=dict)  #: path of a node -> its elements
    labels: Labels | None = None
    call: str | None = None  #: what they called; None: of no rank
    error: Exception | None = None  #: of the first rank that failed
    are_unlike: bool = False  #: ranks have different nodes: then columns, sizes, labels say nothing
    rank: int = 0  #: the first of those that have columns


def summary_of(parts: dict[str, Part]) -> Summary:
    if not parts:
        return Summary(call="append")
    events = next(iter(parts.values())).length
    sizes = {path: part.length for name in parts for path, part in parts[name].walk(name)}
    nodes = {name: part.node for name, part in parts.items()}
    return Summary(nodes, events, sizes, labels_of(parts), "append")


def combine(a: Summary, b: Summary) -> Summary:
    """Combines two adjacent groups of ranks, with `a` before `b`."""
    error = a.error or b.error
    columns = b.columns if a.columns is None else a.columns
    are_unlike = a.are_unlike or b.are_unlike
    if a.columns is not None and b.columns is not None and a.columns != b.columns:
        are_unlike = True
        try:
            require_same_names(a.columns, b.columns, f"rank {a.rank}", f"rank {b.rank}")
        except TypeError as caught:
            error = error or caught
    if None not in (a.call, b.call) and a.call != b.call:
        error = error or ValueError(f"some ranks called {a.call}, others {b.call}")
    sizes = a.sizes | {path: a.sizes.get(path, 0) + size for path, size in b.sizes.items()}
    labels = refine(a.labels, b.labels)
    events, call = a.events + b.events, a.call or b.call
    rank = b.rank if a.columns is None else a.rank
    return Summary(columns, events, sizes, labels, call, error, are_unlike, rank)


def exchange(comm: Any, mine: Summary) -> tuple[Summary, Summary]:
    """Returns (what the ranks before this one have, what all ranks have), by one scan and a
    broadcast of its result. @collective"""
    if comm is None:
        return Summary(), mine
    error = None if mine.error is None else for_other_ranks(mine.error)
    mine = replace(mine, error=error, rank=comm.rank)
    before = comm.exscan(mine, op=combine)
    before = Summary() if comm.rank == 0 else before
    is_last = comm.rank == comm.size - 1
    return before, comm.bcast(combine(before, mine) if is_last else None, root=comm.size - 1)


# --- shared offsets ------------------------------------------------------------------------------
def labels_of(parts: dict[str, Part]) -> Labels:
    labels: Labels = {}
    known: Known = {}
    for name, part in parts.items():
        _label(name, part, "", known, labels)
    return labels


# node above -> (number of offsets, last offset) -> lists with different offsets
Known = dict[str, dict[tuple[int, int], list[tuple[str, np.ndarray]]]]


def _label(path: str, part: Part, above: str, known: Known, labels: Labels) -> None:
    """Compares only lists below one node, and of one type of a union. Those with equal offsets
    share the place in the file, because events need the same part of it."""
    below = above if part.node.kind == "record" else path
    if part.node.kind == "list":
        offsets = part.arrays["offsets"]
        alike = known.setdefault(above, {}).setdefault((len(offsets), int(offsets[-1])), [])
        below = next((p for p, o in alike if o is offsets or np.array_equal(o, offsets)), path)
        if below == path:
            alike.append((path, offsets))
        labels[path] = below
    for step, content in zip(steps(part.node), part.contents, strict=True):
        if part.node.kind == "union":
            below = f"{path}{step}|"  # no node has this path
        _label(path + step, content, below, known, labels)


def refine(a: Labels | None, b: Labels | None) -> Labels | None:
    """Returns the labels of lists that share offsets on both sides."""
    if a is None or b is None:
        return a if b is None else b
    first: dict[tuple[str | None, str | None], str] = {}
    return {path: first.setdefault((a.get(path), b.get(path)), path) for path in {**a, **b}}
