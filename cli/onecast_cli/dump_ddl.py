"""onecast dump --format h5dump"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click
import numpy as np

import onecast
from onecast import inspect

from .ddl import ValueText, escaped_name, space_text, type_text
from .objects import Dump, member_path, members
from .opening import FAILURES, printable
from .pieces import first_elements

WIDTH = 77


class DdlDump(Dump):
    """Dumps by name, depth first, like h5dump; an object met again is shown as HARDLINK."""

    def write(self, starts: list[Any]) -> None:
        self.shown: dict[int, str] = {}
        self.text = ValueText(self.reference)
        click.echo(f'HDF5 "{os.path.basename(self.path) or self.path}" {{')
        for start in starts:
            name = start.name if start.name == "/" else start.name.rpartition("/")[2]
            self.walk(name, start)
        click.echo("}")

    def walk(self, name: str, start: Any) -> None:
        """Uses a stack of its own, since groups may nest deeply."""
        pending: list[Iterator[tuple[str, Any]]] = [iter([(name, start)])]
        closing: list[str] = []
        while pending:
            name, found = next(pending[-1], ("", None))
            indent = "   " * (len(pending) - 1)
            if found is None:
                pending.pop()
                if closing:
                    self.line(closing.pop())
                continue
            below = self.attempt(name, lambda: self.show(name, found, indent))  # noqa: B023
            if below is not None and not isinstance(below, dict):
                pending.append(below)
                closing.append(f"{indent}}}")

    def line(self, text: str) -> None:
        click.echo(text.encode("utf-8", "surrogateescape"))

    def show(self, name: str, found: Any, indent: str) -> Iterator[tuple[str, Any]] | None:
        """Shows an object or link; the members of a group are still to be shown."""
        shown = escaped_name(name)
        match found:
            case onecast.SoftLink(path):
                self.lines(indent, f'SOFTLINK "{shown}" {{', f'   LINKTARGET "{path}"', "}")
            case onecast.ExternalLink(file, path):
                target = (f'   TARGETFILE "{file}"', f'   TARGETPATH "{path}"')
                self.lines(indent, f'EXTERNAL_LINK "{shown}" {{', *target, "}")
            case onecast.UserDefinedLink(number):
                self.lines(indent, f'USERDEFINED_LINK "{shown}" {{', f"   LINKCLASS {number}", "}")
            case _:
                return self.object(shown, found, indent)
        return None

    def lines(self, indent: str, *texts: str) -> None:
        for text in texts:
            self.line(indent + text)

    # --- objects ---------------------------------------------------------------------------------
    def object(self, name: str, found: Any, indent: str) -> Iterator[tuple[str, Any]] | None:
        details = inspect.details(found)
        kind = {onecast.Dataset: "DATASET", onecast.Datatype: "DATATYPE"}.get(type(found), "GROUP")
        before = self.shown.get(details["address"])
        if before is not None:
            link = f'HARDLINK "{before}"'
            if kind == "DATATYPE":
                self.line(f'{indent}DATATYPE "{name}" {link}')
            else:
                self.lines(indent, f'{kind} "{name}" {{', f"   {link}", "}")
            return None
        self.shown[details["address"]] = found.name
        if kind == "DATATYPE":
            end = "" if details["type"].type_class.name == "compound" else ";"
            self.line(f'{indent}DATATYPE "{name}" {type_text(details["type"], indent)}{end}')
            self.attributes(found, indent + "   ")
            return None
        self.line(f'{indent}{kind} "{name}" {{')
        if details["comment"] is not None:
            self.line(f'{indent}   COMMENT "{details["comment"]}"')
        if kind == "GROUP":
            self.attributes(found, indent + "   ")
            return self.members(found)
        committed = details["committed_type"]
        self.attempt(found.name, lambda: self.dataset(found, committed, indent + "   "))
        self.attributes(found, indent + "   ")
        self.line(f"{indent}}}")
        return None

    def members(self, group: onecast.Group) -> Iterator[tuple[str, Any]]:
        links = self.attempt(group.name, lambda: members(group))
        for name, link in links if isinstance(links, list) else ():
            if isinstance(link, onecast.HardLink):
                link = self.attempt(member_path(group.name, name), lambda: group[name])  # noqa: B023
            if not isinstance(link, dict):
                yield name, link

    def dataset(self, dataset: onecast.Dataset, committed: int | None, indent: str) -> None:
        self.space_and_type(
            dataset.datatype, committed, space_text(dataset.shape, dataset.maxshape), indent
        )
        if self.with_values:
            count = min(dataset.size or 0, self.limit)
            values = (e for part in parts_of(dataset, count) for e in part)
            self.data(dataset.name, dataset.datatype, dataset.shape, values, indent)

    def space_and_type(
        self, stored: onecast.StoredType, committed: int | None, space: str, indent: str
    ) -> None:
        text = type_text(stored, indent)
        if committed is not None:
            text = f'"{self.path_at(committed) or f"#{committed}"}"'
        self.lines(indent, f"DATATYPE  {text}", f"DATASPACE  {space}")

    def attributes(self, found: Any, indent: str) -> None:
        names = self.attempt(found.name, lambda: sorted(found.attrs))
        for name in names if isinstance(names, list) else ():
            self.line(f'{indent}ATTRIBUTE "{escaped_name(name)}" {{')
            where = f"{found.name}@{name}"
            self.attempt(where, lambda: self.attribute(found, name, indent + "   "))  # noqa: B023
            self.line(f"{indent}}}")

    def attribute(self, found: Any, name: str, indent: str) -> None:
        stored, shape = found.attrs.get_type(name), found.attrs.get_shape(name)
        committed = inspect.committed_type_of(found, name)
        self.space_and_type(stored, committed, space_text(shape, None), indent)
        if self.with_values:
            self.data(f"{found.name}@{name}", stored, shape, self.elements(found, name), indent)

    def elements(self, found: Any, name: str) -> Iterator[Any]:
        value = found.attrs[name]
        shape = found.attrs.get_shape(name)
        if shape is None:
            return
        if isinstance(value, str):
            value = value.encode("utf-8", "surrogateescape")
        if isinstance(value, bytes | np.void | onecast.Reference):
            yield value
            return
        array = np.asarray(value)
        count = int(np.prod(shape, dtype=np.int64))
        for element in array.reshape((count, *array.shape[len(shape) :])):
            is_text = isinstance(element, str)
            yield element.encode("utf-8", "surrogateescape") if is_text else element

    # --- data ------------------------------------------------------------------------------------
    def data(
        self,
        where: str | None,
        stored: onecast.StoredType,
        shape: tuple[int, ...] | None,
        values: Iterator[Any],
        indent: str,
    ) -> None:
        self.line(f"{indent}DATA {{")
        self.attempt(where, lambda: self.value_lines(stored, shape or (), values, indent))
        self.line(f"{indent}}}")

    def value_lines(
        self, stored: onecast.StoredType, shape: tuple[int, ...], values: Any, indent: str
    ) -> None:
        row = shape[-1] if shape else 1
        line, empty = "", True
        for number, value in enumerate(values):
            text = self.text(stored, value).replace("\n", f"\n{indent}      ")
            if line and not empty:
                line += ","
            # h5dump begins a new line for each row, and if the next element does not fit.
            new_row = number % row == 0 if len(shape) > 1 else number == 0
            fits = len(line) + 1 + len(text.partition("\n")[0]) + 1 <= WIDTH
            if line and not (new_row or not fits or "\n" in text):
                line += f" {text}"
            else:
                if line:
                    self.line(line)
                line = f"{indent}({position(number, shape)}): {text}"
            empty = False
        if line:
            self.line(line)

    def reference(self, reference: onecast.Reference) -> str:
        address = reference.address or 0  # ValueText shows a null reference itself
        path = self.path_at(address) or f"#{address}"
        kind = "DATASET"
        try:
            found = self.file[reference]
            kind = {onecast.Group: "GROUP", onecast.Datatype: "DATATYPE"}.get(type(found), kind)
        except FAILURES as error:
            return f"#{address} ({printable(str(error))})"
        number = f" {address}" if reference.kind.name == "object" else ""
        return f'{kind}{number} "{path}"'


def parts_of(dataset: onecast.Dataset, count: int) -> Iterator[Any]:
    if count and dataset.shape == ():
        yield [dataset[()]]
    elif count:
        yield from first_elements(dataset, count)


def position(number: int, shape: tuple[int, ...]) -> str:
    """
    >>> position(7, (3, 4)), position(5, (9,)), position(0, ())
    ('1,3', '5', '0')
    """
    at: list[int] = []
    for extent in reversed(shape[1:]):
        number, rest = divmod(number, extent)
        at.append(rest)
    return ",".join(map(str, [number, *reversed(at)]))
