"""onecast diff"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import numpy as np

import onecast
from onecast import inspect

from .equal import Equality
from .objects import paths_by_address
from .opening import follow_option, open_file, printable, reason
from .pieces import boxes
from .progress import progress

ERRORS = (OSError, LookupError, ValueError, TypeError, OverflowError, MemoryError)
Outcome = Iterator[tuple[str, str]]  # (path, what differs)


@click.command()
@click.option("--rtol", type=float, default=0, help="Relative tolerance of numbers.")
@click.option("--atol", type=float, default=0, help="Absolute tolerance of numbers.")
@click.option("--exclude", metavar="PATH", multiple=True, help="Leave out what is there and below.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Print at most this number of differences.",
)
@follow_option
@click.argument("path_a", metavar="A")
@click.argument("path_b", metavar="B")
def diff(
    path_a: str,
    path_b: str,
    rtol: float,
    atol: float,
    exclude: tuple[str, ...],
    limit: int,
    follow_external: str,
) -> None:
    """Compare two files: structure, types, attributes and values.

    Prints a line for each difference. Exit code 0: none, 1: some, 2: something could not be read or
    compared. How datasets are stored is not compared. NaN equals NaN.
    """
    try:
        with (
            open_file(path_a, follow_external, load_policy="lazy") as a,
            open_file(path_b, follow_external, load_policy="lazy") as b,
            progress("comparing") as advance,
        ):
            comparison = Comparison(a, b, rtol, atol, exclude, advance)
            count = 0
            for path, what in comparison.run():
                count += 1
                if count <= limit:
                    click.echo(f"{printable(path)}: {printable(what)}")
    except click.ClickException as error:
        error.exit_code = 2
        raise
    if count > limit:
        click.echo(f"... and {count - limit} more")
    if comparison.trouble or count:
        raise click.exceptions.Exit(2 if comparison.trouble else 1)


class Comparison:
    def __init__(self, a, b, rtol: float, atol: float, exclude: tuple[str, ...], advance) -> None:
        self.a, self.b = a, b
        self.exclude = {"/" + path.strip("/") for path in exclude}
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
        """What cannot be read is told, and the rest compared."""
        try:
            yield from found
        except (onecast.UnsupportedError, *ERRORS) as error:
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
        for name in ("comment", "type"):
            if details_a[name] != details_b[name]:
                yield path, f"{name}: {details_a[name]} != {details_b[name]}"
        yield from self.attributes(path, a, b)
        if isinstance(a, onecast.Dataset):
            yield from self.datasets(path, a, b)
        if isinstance(a, onecast.Group):
            yield from self.groups(path, a, b, below)

    # --- groups ----------------------------------------------------------------------------------
    def groups(self, path: str, a: onecast.Group, b: onecast.Group, below: list) -> Outcome:
        links_a, links_b = a.links(), b.links()
        for name in sorted(links_a.keys() | links_b.keys()):
            where = f"{path.rstrip('/')}/{name}"
            if where in self.exclude:
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
            if where in self.exclude:
                continue
            if name not in names_a or name not in names_b:
                yield where, f"only in {self.a.filename if name in names_a else self.b.filename}"
            else:
                yield from self.guarded(where, self.attribute(where, a.attrs, b.attrs, name))

    def attribute(self, where: str, a: Any, b: Any, name: str) -> Outcome:
        type_a, type_b = a.get_type(name), b.get_type(name)
        if type_a != type_b:
            yield where, f"type: {type_a} != {type_b}"
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
            yield path, f"type: {a.datatype} != {b.datatype}"
        if a.shape != b.shape:
            yield path, f"shape: {a.shape} != {b.shape}"
            return
        if a.maxshape != b.maxshape:
            yield path, f"maximum shape: {a.maxshape} != {b.maxshape}"
        if a.shape is not None:
            yield from self.values(path, self.pieces(a, b))

    def pieces(self, a: onecast.Dataset, b: onecast.Dataset) -> Iterator[tuple]:
        """(corner, part of a, part of b)"""
        if a.shape == ():
            yield (), as_array(a[()]), as_array(b[()])
            return
        element = max(a.datatype.size, b.datatype.size)
        for box in boxes(a.shape, element, a.chunks):
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
                first = f"first at {place}: {short(a[at])} != {short(b[at])}"
        if count:
            yield where, f"{count} of {total} values differ, {first}"


def as_array(value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    array = np.empty((), object)
    array[()] = value
    return array


def short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def lazy_paths(file: onecast.File):
    """address -> path, looked for once somebody asks."""
    paths: dict[int, str] | None = None

    def path_at(address: int) -> str:
        nonlocal paths
        if paths is None:
            paths = paths_by_address(file)
        return paths.get(address, f"#{address}")

    return path_at
