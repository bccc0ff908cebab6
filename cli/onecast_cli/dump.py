"""onecast dump"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import click

import onecast

from .opening import open_file, printable, reason
from .values import type_of, value_of


@click.command()
@click.option("--header", is_flag=True, help="The structure only, no values.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=1 << 28,
    show_default=True,
    help="Leave out values of more bytes.",
)
@click.argument("path", metavar="FILE")
@click.argument("where", metavar="[PATH]", default="/")
def dump(path: str, where: str, header: bool, limit: int) -> None:
    """Print everything in a file, or below PATH in it, as JSON.

    {"file": ..., "objects": {PATH: OBJECT, ...}}, each object once, by the first path that leads to
    it. What Onecast cannot read stands there as {"unsupported": reason}, what is larger than the
    limit as {"omitted": bytes}, what is damaged as {"error": reason}; the last ends the command
    with exit code 1.
    """
    with open_file(path) as file:
        dumper = Dumper(path, with_values=not header, limit=limit)
        dumper.write(file[where])
    if dumper.damaged:
        raise click.exceptions.Exit(1)


class Dumper:
    def __init__(self, path: str, with_values: bool, limit: int) -> None:
        self.path = path
        self.with_values = with_values
        self.limit = limit
        self.damaged = False
        self.paths: dict[Any, str] = {}

    def write(self, start: Any) -> None:
        """One object after the other, so that only one is in memory."""
        click.echo(f'{{"file": {json.dumps(self.path)}, "objects": {{', nl=False)
        separator = "\n"
        for name, described in self.objects(start):
            text = json.dumps(described, allow_nan=False)
            click.echo(f"{separator}{json.dumps(name)}: {text}", nl=False)
            separator = ",\n"
        click.echo("\n}}")

    def objects(self, start: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        self.paths[start] = start.name
        pending = [start]
        while pending:
            current = pending.pop()
            below: list[Any] = []
            yield current.name, self.describe(current, below)
            pending.extend(reversed(below))

    def describe(self, found: Any, below: list[Any]) -> dict[str, Any]:
        """An object; members of a group seen for the first time are added to `below`."""
        described: dict[str, Any] = {"kind": type(found).__name__.lower()}
        if isinstance(found, onecast.Dataset):
            described |= self.attempt(found.name, lambda: dataset_header(found))
            if self.with_values:
                described["value"] = self.attempt(found.name, lambda: self.value(found))
        described["attributes"] = {name: self.attribute(found, name) for name in self.names(found)}
        if isinstance(found, onecast.Group):
            described["links"] = self.attempt(found.name, lambda: self.links(found, below))
        return described

    def value(self, dataset: onecast.Dataset) -> Any:
        if dataset.nbytes > self.limit:
            return {"omitted": dataset.nbytes}
        return value_of(dataset[()])

    def names(self, found: Any) -> list[str]:
        names = self.attempt(found.name, lambda: list(found.attrs))
        return names if isinstance(names, list) else []

    def attribute(self, found: Any, name: str) -> dict[str, Any]:
        where = f"{found.name}@{name}"

        def header() -> dict[str, Any]:
            return {
                "type": type_of(found.attrs.get_type(name)),
                "shape": extents(found.attrs.get_shape(name)),
            }

        described = self.attempt(where, header)
        if self.with_values and "type" in described:
            described["value"] = self.attempt(where, lambda: value_of(found.attrs[name]))
        return described

    def links(self, group: onecast.Group, below: list[Any]) -> dict[str, Any]:
        described: dict[str, Any] = {}
        for name, link in group.links().items():
            match link:
                case onecast.HardLink():
                    described[name] = self.hard_link(group, name, below)
                case onecast.SoftLink(path):
                    described[name] = {"kind": "soft", "path": path}
                case onecast.ExternalLink(filename, path):
                    described[name] = {"kind": "external", "file": filename, "path": path}
                case _:
                    described[name] = {"kind": "user_defined"}
        return described

    def hard_link(self, group: onecast.Group, name: str, below: list[Any]) -> dict[str, Any]:
        def target() -> dict[str, Any]:
            found = group[name]
            if found not in self.paths:
                self.paths[found] = found.name
                below.append(found)
            return {"object": self.paths[found]}

        return {"kind": "hard"} | self.attempt(f"{group.name.rstrip('/')}/{name}", target)

    def attempt(self, where: str, work: Callable[[], Any]) -> Any:
        """work(), or what kept it from being done, which is also told on stderr."""
        try:
            return work()
        except onecast.UnsupportedError as error:
            return {"unsupported": self.note(where, error)}
        except (OSError, LookupError, ValueError) as error:
            self.damaged = True
            return {"error": self.note(where, error)}

    def note(self, where: str, error: Exception) -> str:
        text = reason(error, self.path, where)
        click.echo(f"onecast: {printable(self.path)}: {printable(where)}: {text}", err=True)
        return text


def dataset_header(dataset: onecast.Dataset) -> dict[str, Any]:
    return {
        "type": type_of(dataset.datatype),
        "shape": extents(dataset.shape),
        "maxshape": extents(dataset.maxshape),
        "layout": dataset.layout,
        "chunks": extents(dataset.chunks),
    }


def extents(shape: tuple[int | None, ...] | None) -> list[int | None] | None:
    return None if shape is None else list(shape)
