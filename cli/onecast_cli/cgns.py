"""onecast cgns"""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING

import click
import numpy as np

from .ls import shape_text
from .opening import blaming, each, for_each, printable, split_location
from .output import Answering

if TYPE_CHECKING:
    from onecast.cgns import Link


@click.group()
def cgns() -> None:
    """Show CGNS files, check them, and make them quick to open."""


def library() -> ModuleType:
    """Imports the CGNS layer, which may be left out of a build."""
    try:
        import onecast.cgns
    except ImportError as missing:
        raise click.ClickException(str(missing)) from missing
    return onecast.cgns


@cgns.command()
@click.option("-d", "--depth", type=click.IntRange(min=0), help="Levels below the first node.")
@click.argument("location", metavar="FILE[/PATH]")
def ls(location: str, depth: int | None) -> None:
    """List the tree: names, labels, types, sizes; for zones also vertices and cells.

    Links are shown with their targets and are not followed.
    """
    path, where = split_location(location)
    trees = library()
    with blaming(path):
        targets = {link.path: link for link in trees.links(path)}
        tree = trees.load(path, where, depth, values="lazy", follow_links=False)
        show(tree, where, targets)


def show(tree: list, where: str, targets: dict[str, Link]) -> None:
    above = where.rstrip("/").rpartition("/")[0] if tree[3] != "CGNSTree_t" else None
    waiting = [(tree, 0, "" if above is None else f"{above}/{tree[0]}")]
    while waiting:
        node, level, at = waiting.pop()
        click.echo(line_of(node, level, targets.get(at)))
        waiting += [(child, level + 1, f"{at}/{child[0]}") for child in reversed(node[2])]


def line_of(node: list, level: int, link: Link | None) -> str:
    name, value, _, label = node
    cells = ["  " * level + printable(name), printable(label)]
    if link is not None:
        target = f"{link.file}:{link.target}" if link.file else link.target
        return "  ".join([cells[0], f"-> {printable(target)}"])
    if value is not None:
        cells += [value.kind, shape_text(value.shape)]
    if label == "Zone_t" and value is not None and value.shape in ((1, 3), (2, 3), (3, 3)):
        sizes = value.read()
        cells.append(f"({extents(sizes[:, 0])} vertices, {extents(sizes[:, 1])} cells)")
    return "  ".join(cells)


def extents(sizes: np.ndarray) -> str:
    return shape_text(tuple(int(size) for size in sizes))


@cgns.command(cls=Answering)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
def check(paths: tuple[str, ...]) -> None:
    """Compare files with the grammar of CGNS: one line for each violation, with the path of the
    node and the rule.

    Exit code 0: no violation, 1: violations, 2: a file could not be read.
    """
    each(paths, check_one)


def check_one(path: str) -> int:
    found = library().check(path)
    for violation in found:
        click.echo(f"{printable(path)}: {printable(violation.path)}: {printable(violation.rule)}")
    if not found:
        click.echo(f"{printable(path)}: no violation")
    return 1 if found else 0


@cgns.command()
@click.option(
    "--force", is_flag=True, help="Replace OUT if it exists and is another file than FILE."
)
@click.argument("path", metavar="FILE")
@click.argument("out")
def compact(path: str, out: str, force: bool) -> None:
    """Copy a file without the space of deleted nodes, with small values in the headers and the
    metadata in pages, so that it is quick to open. OUT may be FILE, which is then replaced when all
    is written.
    """
    if not force and os.path.lexists(out) and not is_same_file(path, out):
        raise click.ClickException(f"{printable(out)}: the file exists")
    with blaming(path):
        before = os.path.getsize(path)
        library().compact(path, out)
    after = os.path.getsize(out)
    had = "it" if is_same_file(path, out) else printable(path)
    click.echo(f"{printable(out)}: {after} bytes; {had} had {before}")


def is_same_file(path: str, out: str) -> bool:
    return os.path.exists(path) and os.path.exists(out) and os.path.samefile(path, out)


@cgns.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
def adopt(paths: tuple[str, ...]) -> None:
    """Make files of other programs quick to open, in place.

    The command moves small values into the headers of their nodes, and adds a page list. No value
    changes.

    Exit code 0: success, 1: a file could not be changed.
    """
    for_each(paths, adopt_one)


def adopt_one(path: str) -> str:
    taken_in, added = library().adopt(path)
    listed = "page list added" if added else "the page list was valid"
    return f"{taken_in} values moved into headers; {listed}"
