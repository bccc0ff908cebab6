"""onecast ls"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

import onecast
from onecast import inspect

from .opening import Follow, find, follow_option, open_file, printable, split_location


@click.command()
@click.option("-r", "recursive", is_flag=True, help="List everything below, each object once.")
@click.option("-l", "long", is_flag=True, help="Also show layout, filters and attributes.")
@follow_option
@click.argument("location", metavar="FILE[/PATH]")
def ls(location: str, recursive: bool, long: bool, follow_external: Follow) -> None:
    """List the members of a group: name, kind, shape, type."""
    path, where = split_location(location)
    with open_file(path, follow_external) as file:
        start = find(file, where)
        if isinstance(start, onecast.Group):
            show_group(start, recursive, long)
        else:
            show([(start.name, start, "")], long)


def show_group(group: onecast.Group, recursive: bool, long: bool) -> None:
    """Lists the members of each group together, then goes into the subgroups."""
    seen: dict[object, str | None] = {group: group.name}
    pending = [(group, "")]
    while pending:
        current, prefix = pending.pop()
        entries = list(members(current, prefix, seen if recursive else {}))
        show(entries, long)
        if recursive:
            below = [
                (found, f"{name}/")
                for name, found, note in entries
                if isinstance(found, onecast.Group) and not note
            ]
            pending.extend(reversed(below))


def members(
    group: onecast.Group, prefix: str, seen: dict[object, str | None]
) -> Iterator[tuple[str, Any, str]]:
    """Yields (name, object or link, note)."""
    for name, link in group.links().items():
        found: Any = link
        note = ""
        if isinstance(link, onecast.HardLink):
            try:
                found = group[name]
            except onecast.UnsupportedError as error:
                note = f"unsupported: {error}"
            if not note and found in seen:
                note = f"same as {seen[found]}"
            elif not note:
                seen[found] = found.name
        yield prefix + name, found, note


def show(entries: list[tuple[str, object, str]], long: bool) -> None:
    rows = [(printable(name), *describe(found, note)) for name, found, note in entries]
    widths = [min(max((len(row[column]) for row in rows), default=0), 48) for column in range(3)]
    for (*columns, last), (_, found, note) in zip(rows, entries, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(columns, widths, strict=True)]
        click.echo("  ".join([*cells, last]).rstrip())
        if long and not note:
            for line in details(found):
                click.echo(f"    {line}")


KINDS: dict[type, str] = {
    onecast.Group: "group",
    onecast.Dataset: "dataset",
    onecast.Datatype: "type",
}


def describe(found: object, note: str) -> tuple[str, str, str]:
    """Returns kind, shape, type."""
    if isinstance(found, onecast.SoftLink):
        return "soft link", "", f"-> {printable(found.path)}"
    if isinstance(found, onecast.ExternalLink):
        return "external link", "", f"-> {printable(found.filename)}:{printable(found.path)}"
    if isinstance(found, onecast.UserDefinedLink):
        return "user-defined link", "", f"class {found.link_class}, {len(found.value)} bytes"
    kind = KINDS.get(type(found), "object")
    if note:
        return kind, "", printable(note)
    if isinstance(found, onecast.Dataset):
        return kind, shape_text(found.shape), str(found.datatype)
    return kind, "", ""


def shape_text(shape: tuple[int, ...] | None) -> str:
    if shape is None:
        return "empty"
    return " × ".join(map(str, shape)) or "scalar"


def details(found: object) -> Iterator[str]:
    if isinstance(found, onecast.Dataset):
        chunks = f", chunks of {shape_text(found.chunks)}" if found.chunks else ""
        elsewhere = ", in external files" if found.external else ""
        yield f"layout: {found.layout}{chunks}{elsewhere}"
        if found.layout == "chunked" and (filters := inspect.storage(found)["filters"]):
            yield f"filters: {', '.join(map(filter_text, filters))}"
        if found.maxshape and found.maxshape != found.shape:
            limits = ["unlimited" if limit is None else str(limit) for limit in found.maxshape]
            yield f"may grow to: {' × '.join(limits)}"
    if isinstance(found, onecast.Group | onecast.Dataset | onecast.Datatype):
        for name in found.attrs:
            yield f"@{printable(name)}: {attribute_text(found.attrs, name)}"


def filter_text(described: dict[str, Any]) -> str:
    """Returns NAME=PARAMETER/..., the form that repack takes; for an unknown filter, its stored
    form."""
    stored = described["client_data"]
    known = next((known for known in onecast.known_filters() if known.id == described["id"]), None)
    if known is None:
        name = f"{described['name'] or 'filter'} ({described['id']})"
    else:
        name = known.h5py_name or known.name
        positions = [p.position for p in known.parameters if p.position < len(stored)]
        stored = [stored[position] for position in positions]
    return printable(name) + ("=" + "/".join(map(str, stored)) if stored else "")


def attribute_text(attrs: onecast.AttributeManager, name: str) -> str:
    try:
        return f"{shape_text(attrs.get_shape(name))}, {attrs.get_type(name)}"
    except onecast.UnsupportedError as error:
        return printable(f"unsupported: {error}")
