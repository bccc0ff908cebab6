"""Names of objects by address, and errors that do not end a dump, for both forms of a dump."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

import onecast
from onecast import inspect

from .opening import printable, reason


class Dump:
    def __init__(self, path: str, file: onecast.File, with_values: bool, limit: int) -> None:
        self.path = path
        self.file = file
        self.with_values = with_values
        self.limit = limit
        self.damaged = False
        self._paths: dict[int, str] | None = None

    def attempt(self, where: str, work: Callable[[], Any]) -> Any:
        """Returns work(), or its error, which is also printed on stderr."""
        try:
            return work()
        except onecast.UnsupportedError as error:
            return {"unsupported": self.note(where, error)}
        except (OSError, LookupError, ValueError, TypeError, OverflowError, MemoryError) as error:
            self.damaged = True
            return {"error": self.note(where, error)}

    def note(self, where: str, error: Exception) -> str:
        text = reason(error, self.path, where)
        click.echo(f"onecast: {printable(self.path)}: {printable(where)}: {text}", err=True)
        return text

    def path_at(self, address: int | None) -> str | None:
        """Returns the path of the object there; None if no path leads to it."""
        if self._paths is None:
            self._paths = paths_by_address(self.file)
        return self._paths.get(address)


def members(group: onecast.Group) -> list[tuple[str, Any]]:
    """Returns (name, link), sorted by name."""
    return sorted(
        group.links().items(), key=lambda item: item[0].encode("utf-8", "surrogateescape")
    )


def paths_by_address(file: onecast.File) -> dict[int, str]:
    """Returns the first path to each object, by name, depth first."""
    paths = {inspect.details(file)["address"]: "/"}
    pending = [iter([("/", file)])]
    while pending:
        path, group = next(pending[-1], (None, None))
        if group is None:
            pending.pop()
            continue
        below = []
        try:
            links = members(group)
        except (OSError, LookupError, ValueError, onecast.UnsupportedError):
            continue  # the dump itself reports it
        for name, link in links:
            if not isinstance(link, onecast.HardLink):
                continue
            try:
                found = group[name]
                address = inspect.details(found)["address"]
            except (OSError, LookupError, ValueError, onecast.UnsupportedError):
                continue
            below.append((f"{path.rstrip('/')}/{name}", found, address))
        pending.append(_unseen(below, paths))
    return paths


def _unseen(below: list, paths: dict[int, str]):
    for path, found, address in below:
        if address in paths:
            continue
        paths[address] = path
        if isinstance(found, onecast.Group):
            yield path, found
