"""onecast repack"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import click

import onecast

from .opening import FAILURES, Follow, as_printed, follow_option, printable, reason
from .progress import progress

LAYOUTS = ("compact", "contiguous", "chunked")
Changes = dict[str, dict[str, Any]]  # path -> fields of a StorageChange


@click.command()
@click.option(
    "--layout",
    "layouts",
    metavar="[PATH:]LAYOUT",
    multiple=True,
    help="compact, contiguous, chunked or chunked:AxB (elements of a chunk).",
)
@click.option(
    "--filter",
    "filters",
    metavar="[PATH:]FILTERS",
    multiple=True,
    help="none, or filters separated by commas, with parameters separated by slashes, such as "
    "shuffle,gzip=4 or bitshuffle=0/2. A filter is one of "
    f"{', '.join(k.h5py_name or k.name for k in onecast.known_filters() if k.encodes)}, "
    "or a number.",
)
@click.option(
    "--profile",
    type=click.Choice(["compatible", "latest"]),
    default="compatible",
    help="The HDF5 libraries that can read OUT: since 1.8 (the default) or since 1.10.",
)
@click.option("--page-size", type=int, default=0, help="The bytes of a metadata page.")
@click.option("--compact-limit", type=int, help="Datasets up to this size in bytes are compact.")
@click.option(
    "--stripe-size",
    type=int,
    default=0,
    help="The stripe size of OUT; large data is aligned to it.",
)
@click.option(
    "--alignment-interval", type=int, default=0, help="Large data begins at its multiples."
)
@click.option(
    "--alignment-threshold", type=int, default=0, help="Align data of this size in bytes or more."
)
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@follow_option
@click.argument("path_in", metavar="IN")
@click.argument("path_out", metavar="OUT")
def repack(
    path_in: str,
    path_out: str,
    layouts: Sequence[str],
    filters: Sequence[str],
    profile: str,
    page_size: int,
    compact_limit: int | None,
    force: bool,
    follow_external: Follow,
    **placement: int,
) -> None:
    """Write the contents of IN into a new file OUT, without unused space and with all metadata in
    pages.

    Every value is equal. Small datasets become compact, and all others are stored as before, unless
    options say otherwise for the dataset at PATH, or for all datasets that can be stored so.
    Virtual datasets and raw data in external files become plain datasets, which need no other file.
    Exit code 0: success, 1: failure, and there is no OUT.
    """
    changes = changes_of(layouts, filters)
    options = {} if compact_limit is None else {"compact_limit": compact_limit}
    try:
        storage = {
            path_in_file(path_in, path): onecast.StorageChange(**change)
            for path, change in changes.items()
        }
        with progress("copying") as advance:
            onecast.repack(
                path_in,
                path_out,
                storage,
                force=force,
                progress=advance,
                follow_external=follow_external,
                profile=profile,
                page_size=page_size,
                **placement,
                **options,
            )
    except FAILURES as error:
        about_output = isinstance(error, OSError) and error.filename == path_out
        path = path_out if about_output else path_in
        raise click.ClickException(f"{printable(path)}: {reason(error, path)}") from error


def changes_of(layouts: Sequence[str], filters: Sequence[str]) -> Changes:
    changes: Changes = {}
    for option, texts, parse in (
        ("--layout", layouts, parse_layout),
        ("--filter", filters, parse_filters),
    ):
        said: set[str] = set()
        for text in texts:
            path, change = parse(text)
            if path in said:
                raise click.UsageError(f"{option} {text}: the second one for {path or 'all'}")
            said.add(path)
            changes.setdefault(path, {}).update(change)
    for change in changes.values():
        if change.get("layout") == "chunked" and "filters" in changes.get("", {}):
            change.setdefault("filters", changes[""]["filters"])
    return changes


def path_in_file(file: str, path: str) -> str:
    """Returns the path that is printed like `path`, if there is no other."""
    meant = as_printed(path)
    if meant == path:
        return path
    with onecast.File(file, load_policy="lazy") as opened:
        return path if path in opened else meant


def parse_layout(text: str) -> tuple[str, dict[str, Any]]:
    """[PATH:]LAYOUT[:AxB]

    >>> parse_layout("a/b:chunked:2x3")
    ('a/b', {'layout': 'chunked', 'chunks': (2, 3)})
    """
    found = re.fullmatch(r"(?:(.*):)?(compact|contiguous|chunked(?::([1-9]\d*(?:x\d+)*))?)", text)
    if found is None:
        expected = ", ".join(LAYOUTS)
        raise click.UsageError(f"--layout {text}: expected [PATH:] and one of {expected}")
    path, layout, chunk = found.groups()
    change: dict[str, Any] = {"layout": layout.partition(":")[0]}
    if chunk:
        change["chunks"] = tuple(map(int, chunk.split("x")))
    return (path or "").strip("/"), change


def parse_filters(text: str) -> tuple[str, dict[str, Any]]:
    """[PATH:]none or NAME[=PARAMETER[/PARAMETER]...][,...]

    >>> parse_filters("shuffle,gzip=4")
    ('', {'filters': [('shuffle',), ('gzip', 4)]})
    """
    path, _, names = text.rpartition(":")
    filters: list[tuple[Any, ...]] = []
    for part in names.split(",") if names != "none" else []:
        found = re.fullmatch(r"(\w+)(?:=(\d+(?:/\d+)*))?", part)
        if found is None:
            raise click.UsageError(
                f"--filter {text}: expected [PATH:]NAME[=PARAMETER[/PARAMETER]...],... or none"
            )
        name, values = found.groups()
        if filters and len(filters[-1]) > 1 and part.isdigit():
            raise click.UsageError(
                f"--filter {text}: {part} would be a filter by its number: parameters are separated"
                " by /"
            )
        number = int(name) if name.isdigit() else name
        filters.append((number, *map(int, values.split("/") if values else ())))
    return path.strip("/"), {"filters": filters}
