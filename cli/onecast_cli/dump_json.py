"""onecast dump --format json"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import click
import numpy as np

import onecast
from onecast import inspect

from .objects import Dump, member_path
from .pieces import PIECE_BYTES, first_elements
from .values import bytes_of, type_of, value_of

UNLIMITED = 2**64 - 1


class JsonDump(Dump):
    def write(self, starts: list[Any]) -> None:
        """Writes one object after the other, so that only a piece of one is in memory."""
        self.seen: dict[Any, str] = {}
        click.echo(f'{{"file": {json.dumps(self.path)}, "objects": {{', nl=False)
        separator = "\n"
        for found, described in self.objects(starts):
            click.echo(f"{separator}{json.dumps(found.name)}: ", nl=False)
            text = json.dumps(described, allow_nan=False)
            if self.with_values and isinstance(found, onecast.Dataset):
                click.echo(f'{text[:-1]}, "value": ', nl=False)
                self.write_value(found)
                text = "}"
            click.echo(text, nl=False)
            separator = ",\n"
        click.echo("\n}}")

    def objects(self, starts: list[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
        pending = []
        for start in reversed(starts):
            if start not in self.seen:
                self.seen[start] = start.name
                pending.append(start)
        while pending:
            current = pending.pop()
            below: list[Any] = []
            yield current, self.describe(current, below)
            pending.extend(reversed(below))

    def describe(self, found: Any, below: list[Any]) -> dict[str, Any]:
        """Describes an object; adds the members of a group seen for the first time to `below`."""
        described: dict[str, Any] = {"kind": type(found).__name__.lower()}
        described |= self.attempt(found.name, lambda: self.details(found))
        if isinstance(found, onecast.Dataset):
            described |= self.attempt(found.name, lambda: self.dataset_header(found))
        described["attributes"] = {name: self.attribute(found, name) for name in self.names(found)}
        if isinstance(found, onecast.Group):
            described["links"] = self.attempt(found.name, lambda: self.links(found, below))
        return described

    def details(self, found: Any) -> dict[str, Any]:
        details = inspect.details(found)
        described: dict[str, Any] = {}
        if isinstance(found, onecast.Datatype):
            described["type"] = type_of(details["type"])
        if details["comment"] is not None:
            described["comment"] = details["comment"]
        if details["modification_time"] is not None:
            time = datetime.fromtimestamp(details["modification_time"], UTC)
            described["modified"] = time.isoformat()
        if isinstance(found, onecast.Dataset) and details["committed_type"] is not None:
            described["committed_type"] = self.committed(details["committed_type"])
        return described

    def committed(self, address: int) -> str:
        return self.path_at(address) or f"#{address}"

    def dataset_header(self, dataset: onecast.Dataset) -> dict[str, Any]:
        storage = inspect.storage(dataset)
        described: dict[str, Any] = {
            "type": type_of(dataset.datatype),
            "shape": extents(dataset.shape),
            "maxshape": extents(dataset.maxshape),
            "layout": storage["layout"],
            "chunks": extents(dataset.chunks),
        }
        if storage["chunk_index"]:
            described["chunk_index"] = storage["chunk_index"]
        if storage["filters"]:
            described["filters"] = storage["filters"]
        if storage["external"]:
            described["external"] = storage["external"]
        if storage["layout"] == "virtual":
            described["sources"] = self.attempt(dataset.name, lambda: sources_of(dataset))
        described["fill"] = storage["fill"]
        if storage["fill"] == "defined":
            described["fill"] = self.attempt(
                dataset.name, lambda: value_of(inspect.fill_value(dataset))
            )
        return described

    # --- values ----------------------------------------------------------------------------------
    def write_value(self, dataset: onecast.Dataset) -> None:
        # The description of the storage may be damaged as well.
        size = self.attempt(
            dataset.name, lambda: (dataset.layout, dataset.datatype, dataset.size)[2]
        )
        if isinstance(size, dict):
            click.echo(json.dumps(size), nl=False)
            return
        if size is not None and size > self.limit:
            first = self.attempt(dataset.name, lambda: self.first(dataset))
            click.echo(json.dumps({"omitted": size - self.limit, "first": first}), nl=False)
            return
        for piece in self.value_texts(dataset, ()):
            click.echo(piece, nl=False)

    def first(self, dataset: onecast.Dataset) -> list[Any]:
        return [v for part in first_elements(dataset, self.limit) for v in value_of(part)]

    def value_texts(self, dataset: onecast.Dataset, at: tuple[Any, ...]) -> Iterator[str]:
        """Yields the elements at these coordinates, as JSON in pieces."""
        shape = dataset.shape
        rest = shape[len(at) :] if shape else ()
        row_bytes = dataset.datatype.size * int(np.prod(rest[1:], dtype=object))
        if not rest or 0 in rest or row_bytes * rest[0] <= PIECE_BYTES:
            yield self.piece(dataset, at)
            return
        yield "["
        if row_bytes > PIECE_BYTES:
            for row in range(rest[0]):
                yield "" if row == 0 else ", "
                yield from self.value_texts(dataset, (*at, row))
        else:
            rows = max(PIECE_BYTES // max(row_bytes, 1), 1)
            for start in range(0, rest[0], rows):
                text = self.piece(dataset, (*at, slice(start, min(start + rows, rest[0]))))
                yield ("" if start == 0 else ", ") + (text[1:-1] if text[0] == "[" else text)
        yield "]"

    def piece(self, dataset: onecast.Dataset, at: tuple[Any, ...]) -> str:
        value = self.attempt(dataset.name, lambda: value_of(dataset[at]))
        return json.dumps(value, allow_nan=False)

    # --- attributes and links --------------------------------------------------------------------
    def names(self, found: Any) -> list[str]:
        names = self.attempt(found.name, lambda: list(found.attrs))
        return names if isinstance(names, list) else []

    def attribute(self, found: Any, name: str) -> dict[str, Any]:
        where = f"{found.name}@{name}"

        def header() -> dict[str, Any]:
            described: dict[str, Any] = {
                "type": type_of(found.attrs.get_type(name)),
                "shape": extents(found.attrs.get_shape(name)),
            }
            committed = inspect.committed_type_of(found, name)
            if committed is not None:
                described["committed_type"] = self.committed(committed)
            return described

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
                case onecast.UserDefinedLink(number, value):
                    described[name] = {
                        "kind": "user_defined",
                        "class": number,
                        "value": bytes_of(value),
                    }
        return described

    def hard_link(self, group: onecast.Group, name: str, below: list[Any]) -> dict[str, Any]:
        def target() -> dict[str, Any]:
            found = group[name]
            if found not in self.seen:
                self.seen[found] = found.name
                below.append(found)
            return {"object": self.seen[found]}

        return {"kind": "hard"} | self.attempt(member_path(group.name, name), target)


def sources_of(dataset: onecast.Dataset) -> list[dict[str, Any]]:
    return [
        {
            "part": selected(source.vspace),
            "file": source.file_name,
            "dataset": source.dset_name,
            "source_part": selected(source.src_space),
        }
        for source in dataset.virtual_sources()
    ]


def selected(part: Any) -> str | dict[str, Any] | list[list[list[int]]]:
    """ "all", "none", a regular hyperslab (null: unlimited), or the corners of blocks."""
    if part.is_all:
        return "all"
    if part.is_none:
        return "none"
    if not part.is_regular_hyperslab():
        return [[list(corner) for corner in block] for block in part.get_select_hyper_blocklist()]
    numbers = (
        [None if n >= UNLIMITED else n for n in four] for four in part.get_regular_hyperslab()
    )
    return dict(zip(("start", "stride", "count", "block"), numbers, strict=True))


def extents(shape: tuple[int | None, ...] | None) -> list[int | None] | None:
    return None if shape is None else list(shape)
