"""Compares two files object by object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click
import numpy as np

import onecast
from onecast import inspect

from .differing import as_array, types_text, values_text
from .equal import Equality, PathAt
from .objects import member_path, paths_by_address
from .opening import FAILURES, printable, reason
from .pieces import boxes
from .progress import Advance

Outcome = Iterator[tuple[str, str]]  # (path, what differs)


class Comparison:
    """`excluded`: paths, also PATH@NAME for attributes."""

    def __init__(
        self,
        a: onecast.File,
        b: onecast.File,
        rtol: float,
        atol: float,
        excluded: set[str],
        advance: Advance,
    ) -> None:
        self.a, self.b = a, b
        self.excluded = excluded
        self.advance = advance
        self.trouble = False
        self.partners: dict[Any, tuple[Any, str]] = {}
        self.taken: set[Any] = set()
        self.equal = Equality(rtol, atol, lazy_paths(a), lazy_paths(b))

    def run(self) -> Outcome:
        pending = [("/", self.a["/"], self.b["/"])]
        while pending:
            path, a, b = pending.pop()
            below: list[tuple[str, Any, Any]] = []
            yield from self.guarded(path, self.objects(path, a, b, below))
            pending.extend(reversed(below))
            self.advance(len(self.partners), len(self.partners) + len(pending))

    def guarded(self, path: str, found: Outcome) -> Outcome:
        """Reports what cannot be read, and compares the rest."""
        try:
            yield from found
        except FAILURES as error:
            self.trouble = True
            text = reason(error, self.a.filename, path)
            click.echo(f"onecast: {printable(path)}: {text}", err=True)

    def objects(self, path: str, a: Any, b: Any, below: list) -> Outcome:
        if a in self.partners or b in self.taken:
            partner, name = self.partners.get(a, (None, "another object"))
            if partner is None or partner != b:
                yield path, f"is the same object as {name} in one file only"
            return
        self.partners[a] = (b, path)
        self.taken.add(b)
        if type(a) is not type(b):
            yield path, f"{type(a).__name__.lower()} != {type(b).__name__.lower()}"
            return
        details_a, details_b = inspect.details(a), inspect.details(b)
        if details_a["comment"] != details_b["comment"]:
            yield path, f"comment: {details_a['comment']} != {details_b['comment']}"
        if details_a["type"] != details_b["type"]:
            yield path, f"type: {types_text(details_a['type'], details_b['type'])}"
        yield from self.attributes(path, a, b)
        tracked = inspect.tracked_orders(a) & inspect.tracked_orders(b)
        if "attributes" in tracked:
            yield from orders(path, "attributes", list(a.attrs), list(b.attrs))
        if isinstance(a, onecast.Dataset):
            yield from self.datasets(path, a, b)
        if isinstance(a, onecast.Group):
            yield from self.groups(path, a, b, below)
            if "links" in tracked:
                yield from orders(path, "links", list(a), list(b))

    # --- groups ----------------------------------------------------------------------------------
    def groups(self, path: str, a: onecast.Group, b: onecast.Group, below: list) -> Outcome:
        links_a, links_b = a.links(), b.links()
        for name in sorted(links_a.keys() | links_b.keys()):
            where = member_path(path, name)
            if where in self.excluded:
                continue
            if name not in links_a or name not in links_b:
                yield where, f"only in {self.a.filename if name in links_a else self.b.filename}"
                continue
            x, y = links_a[name], links_b[name]
            if x != y:
                yield where, f"link: {x} != {y}"
            elif isinstance(x, onecast.HardLink):
                yield from self.guarded(where, self.opened(where, a, b, name, below))

    def opened(self, where: str, a: Any, b: Any, name: str, below: list) -> Outcome:
        below.append((where, a[name], b[name]))
        yield from ()

    # --- attributes ------------------------------------------------------------------------------
    def attributes(self, path: str, a: Any, b: Any) -> Outcome:
        names_a, names_b = set(a.attrs), set(b.attrs)
        for name in sorted(names_a | names_b):
            where = f"{path}@{name}"
            if where in self.excluded:
                continue
            if name not in names_a or name not in names_b:
                yield where, f"only in {self.a.filename if name in names_a else self.b.filename}"
            else:
                yield from self.guarded(where, self.attribute(where, a.attrs, b.attrs, name))

    def attribute(self, where: str, a: Any, b: Any, name: str) -> Outcome:
        type_a, type_b = a.get_type(name), b.get_type(name)
        if type_a != type_b:
            yield where, f"type: {types_text(type_a, type_b)}"
        shape_a, shape_b = a.get_shape(name), b.get_shape(name)
        if shape_a != shape_b:
            yield where, f"shape: {shape_a} != {shape_b}"
        elif shape_a is not None:
            yield from self.values(
                where, [((0,) * len(shape_a), as_array(a[name]), as_array(b[name]))]
            )

    # --- datasets --------------------------------------------------------------------------------
    def datasets(self, path: str, a: onecast.Dataset, b: onecast.Dataset) -> Outcome:
        if a.datatype != b.datatype:
            yield path, f"type: {types_text(a.datatype, b.datatype)}"
        if a.shape != b.shape:
            yield path, f"shape: {a.shape} != {b.shape}"
            return
        if a.maxshape != b.maxshape:
            yield path, f"maximum shape: {a.maxshape} != {b.maxshape}"
        yield from self.fill_values(path, a, b)
        if a.shape is not None:
            yield from self.values(path, self.pieces(a.shape, a, b))

    def fill_values(self, path: str, a: onecast.Dataset, b: onecast.Dataset) -> Outcome:
        """Compares the fill values; one that was never set is zero."""
        kinds = [inspect.storage(found)["fill"] for found in (a, b)]
        if kinds == ["default", "default"]:
            return
        if "undefined" in kinds:
            if kinds[0] != kinds[1]:
                yield path, f"fill value: {kinds[0]} != {kinds[1]}"
            return
        x, y = (as_array(found.fillvalue) for found in (a, b))
        if x.shape != y.shape or not self.equal(x, y).all():
            yield path, f"fill value{values_text(x[()], y[()], self.equal)}"

    def pieces(
        self, shape: tuple[int, ...], a: onecast.Dataset, b: onecast.Dataset
    ) -> Iterator[tuple]:
        """Yields (corner, part of a, part of b)."""
        if shape == ():
            yield (), as_array(a[()]), as_array(b[()])
            return
        element = max(a.datatype.size, b.datatype.size)
        for box in boxes(shape, element, a.chunks):
            yield tuple(side.start for side in box), np.asarray(a[box]), np.asarray(b[box])

    def values(self, where: str, pieces: Any) -> Outcome:
        count, total, first = 0, 0, None
        for corner, a, b in pieces:
            if a.shape != b.shape:
                yield where, f"shape of elements: {a.shape} != {b.shape}"
                return
            equal = self.equal(a, b)
            total += equal.size
            if equal.all():
                continue
            different = ~equal
            count += int(np.count_nonzero(different))
            if first is None:
                at = np.unravel_index(int(np.argmax(different)), different.shape)
                place = tuple(
                    int(i) + (corner[d] if d < len(corner) else 0) for d, i in enumerate(at)
                )
                first = f"first at {place}{values_text(a[at], b[at], self.equal)}"
        if count:
            yield where, f"{count} of {total} values differ, {first}"


def orders(path: str, what: str, a: Sequence[str], b: Sequence[str]) -> Outcome:
    """Compares the order of the names that both have."""
    common = set(a) & set(b)
    a, b = [name for name in a if name in common], [name for name in b if name in common]
    if a != b:
        at = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
        yield path, f"order of {what}: first at {at}: {a[at]} != {b[at]}"


def lazy_paths(file: onecast.File) -> PathAt:
    """Returns a function from addresses to paths, which searches the file when first called."""
    paths: dict[int, str] | None = None

    def path_at(address: int) -> str:
        nonlocal paths
        if paths is None:
            paths = paths_by_address(file)
        return paths.get(address, f"#{address}")

    return path_at
