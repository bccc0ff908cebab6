"""onecast diff"""

from __future__ import annotations

import click

import onecast

from .comparison import Comparison
from .numbers import Finite
from .opening import Follow, as_printed, follow_option, open_file, printable
from .output import Answering
from .progress import progress


@click.command(cls=Answering)
@click.option("--rtol", type=Finite(min=0), default=0.0, help="Relative tolerance of numbers.")
@click.option("--atol", type=Finite(min=0), default=0.0, help="Absolute tolerance of numbers.")
@click.option(
    "--exclude",
    metavar="PATH",
    multiple=True,
    help="Leave out an object and everything below it, or an attribute (PATH@NAME).",
)
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
    follow_external: Follow,
) -> None:
    """Compare two files: structure, types, attributes, values, fill values; the orders of links and
    attributes where both files track them.

    A line is printed for each difference. Exit code 0: no difference, 1: differences, 2: an object
    could not be read or compared. The storage of datasets, times, and whether an order is tracked
    are not compared. NaN equals NaN.
    """
    with (
        open_file(path_a, follow_external, load_policy="lazy") as a,
        open_file(path_b, follow_external, load_policy="lazy") as b,
        progress("comparing") as advance,
    ):
        excluded = {path for given in exclude for path in places_of(given, a, b)}
        comparison = Comparison(a, b, rtol, atol, excluded, advance)
        count = 0
        for path, what in comparison.run():
            count += 1
            if count <= limit:
                click.echo(f"{printable(path)}: {printable(what)}")
    if count > limit:
        click.echo(f"... and {count - limit} more")
    if comparison.trouble or count:
        raise click.exceptions.Exit(2 if comparison.trouble else 1)


def places_of(given: str, *files: onecast.File) -> list[str]:
    """Returns the names by which a comparison may reach an excluded object; raises if there are
    none."""
    path = "/" + given.strip("/")
    if path == "/":
        raise click.UsageError(f"--exclude {given}: leaves nothing to compare")
    found = [p for p in dict.fromkeys((path, as_printed(path))) if any(has(f, p) for f in files)]
    if not found:
        raise click.UsageError(f"--exclude {printable(given)}: neither file has it")
    return found


def has(file: onecast.File, path: str) -> bool:
    """True if there is a link of this path, or an attribute of this PATH@NAME."""
    if file.get(path, getlink=True) is not None:
        return True
    for at, char in enumerate(path):
        owner = file.get(path[:at]) if char == "@" else None
        if owner is not None and path[at + 1 :] in owner.attrs:
            return True
    return False
