"""onecast dump"""

from __future__ import annotations

import click

from .dump_ddl import DdlDump
from .dump_json import JsonDump
from .dump_records import dump_records
from .opening import Follow, find, follow_option, open_file


@click.command()
@click.option("--header", is_flag=True, help="Print only the structure, no values.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "h5dump", "records"]),
    default="json",
    show_default=True,
    help="JSON, the readable form of h5dump, or the bytes of the OBJECTs' headers, field by field.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=1 << 24,
    show_default=True,
    help="Show at most this number of elements of a dataset.",
)
@follow_option
@click.argument("path", metavar="FILE")
@click.argument("where", metavar="[OBJECT]...", nargs=-1)
def dump(
    path: str, where: tuple[str, ...], header: bool, form: str, limit: int, follow_external: Follow
) -> None:
    """Print everything in a file, or below the OBJECTs in it.

    The JSON is {"file": ..., "objects": {PATH: OBJECT, ...}}, with each object once, under the
    first path that leads to it. {"unsupported": reason} replaces data that Onecast cannot read, and
    {"error": reason} replaces damaged data; after an error the exit code is 1.

    With --format records, nothing below the OBJECTs is printed.
    """
    if form == "records":
        with open_file(path, follow_external, load_policy="lazy") as file:
            sound = dump_records([find(file, name) for name in where or ("/",)])
    else:
        kind = JsonDump if form == "json" else DdlDump
        with open_file(path, follow_external, load_policy="lazy") as file:
            dumped = kind(path, file, with_values=not header, limit=limit)
            dumped.write([find(file, name) for name in where or ("/",)])
        sound = not dumped.damaged
    if not sound:
        raise click.exceptions.Exit(1)
