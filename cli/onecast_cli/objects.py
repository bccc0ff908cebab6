"""Names of objects by address, and errors that do not end a dump, for both forms of a dump."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import click

import onecast
from onecast import inspect

from .opening import FAILURES, printable, reason


class Dump(ABC):
    def __init__(self, path: str, file: onecast.File, with_values: bool, limit: int) -> None:
        self.path = path
        self.file = file
        self.with_values = with_values
        self.limit = limit
        self.damaged = False
        self._paths: dict[int, str] | None = None

    @abstractmethod
    def write(self, starts: list[Any]) -> None:
        """Prints the objects and everything below them."""

    def attempt(self, where: str | None, work: Callable[[], Any]) -> Any:
        """Returns work(), or its error, which is also printed on stderr."""
        try:
            return work()
        except onecast.UnsupportedError as error:
            return {"unsupported": self.note(where, error)}
        except FAILURES as error:
            self.damaged = True
            return {"error": self.note(where, error)}

    def note(self, where: str | None, error: Exception) -> str:
        text = reason(error, self.path, where or "")
        click.echo(f"onecast: {printable(self.path)}: {printable(where or '?')}: {text}", err=True)
        return text

    def path_at(self, address: int) -> str | None:
        """Returns the path of the object there; None if no path leads to it."""
        if self._paths is None:
            self._paths = paths_by_address(self.file)
        return self._paths.get(address)


def member_path(group: str | None, name: str) -> str:
    return f"{(group or '').rstrip('/')}/{name}"


def members(group: onecast.Group) -> list[tuple[str, Any]]:
    """Returns (name, link), sorted by name."""
    return sorted(
        group.links().items(), key=lambda item: item[0].encode("utf-8", "surrogateescape")
    )


def paths_by_address(file: onecast.File) -> dict[int, str]:
    """Returns the first path to each object, by name, depth first."""
    paths = {inspect.details(file)["address"]: "/"}
    pending: list[Iterator[tuple[str, onecast.Group]]] = [iter([("/", file)])]
    while pending:
        path, group = next(pending[-1], ("", None))
        if group is None:
            pending.pop()
            continue
        below: list[tuple[str, Any, int]] = []
        try:
            links = members(group)
        except FAILURES:
            continue  # the dump itself reports it
        for name, link in links:
            if not isinstance(link, onecast.HardLink):
                continue
            try:
                found = group[name]
                address = inspect.details(found)["address"]
            except FAILURES:
                continue
            below.append((member_path(path, name), found, address))
        pending.append(_unseen(below, paths))
    return paths


def _unseen(
    below: list[tuple[str, Any, int]], paths: dict[int, str]
) -> Iterator[tuple[str, onecast.Group]]:
    for path, found, address in below:
        if address in paths:
            continue
        paths[address] = path
        if isinstance(found, onecast.Group):
            yield path, found
