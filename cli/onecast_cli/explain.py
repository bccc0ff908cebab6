"""onecast explain"""

from __future__ import annotations

import json
import math
import os
from typing import Any

import click

import onecast
from onecast.inspect import forecast, storage

from .opening import find, open_file, printable, reason, split_location


class Size(click.ParamType):
    """Bytes: 4096, 4K, 1M, 2G, 1T."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        number, power = value, 0
        if value[-1:].upper() in tuple("KMGT"):
            number, power = value[:-1], " KMGT".index(value[-1].upper())
        if not number.isascii() or not number.isdigit() or int(number) == 0:
            self.fail(f"{value!r} is not a number of bytes, such as 4096, 4K or 1M", param, ctx)
        return int(number) << 10 * power


class Hint(click.ParamType):
    name = "NAME=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        name, equals, said = value.partition("=")
        if not name or not equals:
            self.fail(f"{value!r} is not NAME=VALUE", param, ctx)
        return name, said


NUMBER = click.IntRange(1, 1_000_000)
METHODS = click.Choice(onecast.FILE_OPTIONS["method"].values)


@click.command()
@click.option("--read", "reading", is_flag=True, help="Explain a read_all, not a write_all.")
@click.option("--bytes", "size", type=Size(), help="The number of bytes, in place of a dataset.")
@click.option("--ranks", type=NUMBER, default=8, show_default=True)
@click.option(
    "--nodes",
    type=NUMBER,
    default=1,
    show_default=True,
    help="The number of nodes on which the ranks run.",
)
@click.option("--interleaved", type=Size(), help="Deal pieces of this size to the ranks in turn.")
@click.option(
    "--chunk", type=Size(), help="With --bytes, the data has filtered chunks of this size."
)
@click.option("--same", is_flag=True, help="Every rank transfers all elements.")
@click.option("--method", type=METHODS, default="automatic", show_default=True)
@click.option("--aggregators", type=NUMBER, help="The most ranks that transfer data for all ranks.")
@click.option("--stripe-size", type=Size(), help="Used if the file system does not report stripes.")
@click.option("--stripe-count", type=NUMBER, help="Used in the same way.")
@click.option("--hint", "hints", type=Hint(), multiple=True, help="A hint of MPI-IO.")
@click.option("--json", "as_json", is_flag=True, help="Print all counts as JSON.")
@click.argument("location", metavar="[FILE[/DATASET]]", required=False)
def explain(
    location: str | None,
    size: int | None,
    interleaved: int | None,
    chunk: int | None,
    same: bool,
    as_json: bool,
    hints: tuple[tuple[str, str], ...],
    **given: Any,
) -> None:
    """Print the method that a read or write of many ranks would take, and the reason.

    With --bytes the FILE need not exist and may be left out; its name shows which file system would
    be used.
    """
    if interleaved and same:
        raise click.UsageError("--interleaved and --same exclude each other")
    if chunk and size is None:
        raise click.UsageError("--chunk needs --bytes")
    if location is None and size is None:
        raise click.UsageError("FILE[/DATASET] or --bytes was expected")
    path, where = location or "", ""
    if size is None:
        path, where = split_location(path)
    planned: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    planned["pattern"] = "interleaved" if interleaved else "same" if same else "contiguous"
    planned["piece"] = interleaved or 0
    planned["hints"] = dict(hints)
    place = place_of(path, where) if size is None else {"bytes": size, "chunk": chunk or 0}
    try:
        found = forecast(path, **(planned | place))
    except ValueError as error:
        begin = f"{printable(path)}: " if path else ""
        raise click.ClickException(f"{begin}{reason(error, path)}") from error
    if as_json:
        click.echo(json.dumps({"file": path or None} | found, indent=2))
    else:
        show(found, given)


def place_of(path: str, where: str) -> dict[str, int]:
    """Returns the place of a dataset's elements: one piece, or filtered chunks."""
    if not os.path.exists(path):
        raise click.ClickException(f"{printable(path)}: no such file; --bytes needs none")
    with open_file(path, load_policy="lazy") as file:
        found = find(file, where)
        if not isinstance(found, onecast.Dataset):
            raise click.ClickException(
                f"{printable(path)}: {printable(where)}: is not a dataset; name one, or use --bytes"
            )
        stored = storage(found)
        if found.chunks and found.shape and stored["filters"]:
            row = found.chunks[0] * math.prod(found.shape[1:]) * found.dtype.itemsize
            return {"bytes": found.nbytes, "chunk": row}
        kind = "external" if stored["external"] else stored["layout"]
        if kind != "contiguous":
            raise click.ClickException(
                f"{printable(path)}: {printable(where)}: is {kind}, not contiguous: "
                f"{OTHER_STORAGE[kind]}"
            )
        # A dataset that was never written to has no place yet.
        return {"bytes": found.nbytes, "first": stored["address"] or 0}


OTHER_STORAGE = {
    "compact": "it is part of the metadata, which every rank has",
    "chunked": "chunks without filters are pieces in the file; use --bytes and --interleaved",
    "external": "each rank reads and writes the other files by itself",
    "virtual": "each rank reads the sources by itself",
}


def show(found: dict[str, Any], given: dict[str, Any]) -> None:
    call = "read_all" if given["reading"] else "write_all"
    ranks, nodes = counted(given["ranks"], "rank"), counted(given["nodes"], "node")
    click.echo(f"{call} by {ranks} on {nodes}: {found['sentence']}")
    count = found["stripe_count"]
    targets = counted(count, "target") if count else "an unknown number of targets"
    click.echo(f"stripes: {found['stripe_size']} bytes, over {targets} ({found['stripe_source']})")


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
