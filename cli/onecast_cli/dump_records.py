"""Object headers, record by record and field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from onecast.inspect import header

from .opening import printable


def dump_records(objects: Sequence[Any]) -> bool:
    """Prints the headers of the objects; returns whether all could be decoded."""
    sound = True
    for found in objects:
        click.echo(printable(found.name))
        for record in header(found):
            click.echo(f"  {record['address']:#x}: {record['title']}, {record['size']} bytes")
            for field in record["fields"]:
                click.echo(_line(field))
            if record["problem"] is not None:
                click.echo(f"    problem: {printable(record['problem'])}")
                sound = False
    return sound


def _line(field: dict[str, Any]) -> str:
    name, value = printable(field["name"]), printable(field["value"])
    return f"    {field['address']:#x} {field['size']:>4}  {name}" + (
        f" = {value}" if value else ""
    )
