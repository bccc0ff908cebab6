"""Reads files of columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .._core import FormatError
from .._file import File
from .._group import Group
from ._description import LAYOUT, LAYOUT_VERSION, UNFINISHED
from ._events import Columns, WayBack, way_back
from ._forgotten import warn_user
from ._in_batches import InBatches
from ._index import (
    ENTRY,
    INDEX,
    Identity,
    find_in,
    identity_in,
    sorted_index,
    store_index,
    why_no_identity,
)
from ._nodes import KINDS, Node, compact_json, from_text, record_of, to_form, words
from ._optional import require
from ._storage import DEFAULT_COMPRESSION, compression_named, whole_number
from ._views import Selection, Stored


def groups_of(file: File) -> list[str]:
    """Returns the groups of the root that hold columns."""
    return [
        name
        for name in file
        if isinstance(file.get(name, getlink=False), Group)
        and file[name].attrs.get("layout") == LAYOUT
    ]


def is_unfinished(file: File) -> bool:
    """True if the writer made its group and arrays, and was interrupted in the first flush."""
    members = [file[name] for name in file if file.get(name, getlink=False) is not None]
    return bool(members) and all(_is_undescribed(member) for member in members)


def _is_undescribed(member: Any) -> bool:
    if not isinstance(member, Group) or len(member.attrs):
        return False
    stored = tuple(f"-{attribute}" for kind in KINDS.values() for attribute in kind.stored)
    return all(name.endswith(stored) for name in member)


class ColumnarEvents(InBatches):
    """Events in columns. See docs/reference/events_columnar.md."""

    kind = LAYOUT

    def __init__(self, path: str, name: str | None = None, comm: Any = None, **options: Any):
        self.path, self.comm, self.options = str(path), comm, options
        self.file = File(path, "r", comm=comm, **options)
        try:
            self._read_group(name)
        except BaseException:
            self.file.close()
            raise

    def _read_group(self, name: str | None) -> None:
        names = groups_of(self.file)
        if name is None and len(names) != 1:
            named = f"; FILE:NAME names one ({', '.join(names)})" if names else ""
            raise FormatError(
                f"{self.path}: one group of events was expected, not {len(names)}{named}"
            )
        name = names[0] if name is None else name
        if name not in names:
            raise KeyError(f"{self.path}: there are no events {name!r}, but {', '.join(names)}")
        self.group: Group = self.file[name]
        self.stored = Stored(self.group, self.path)
        version = self._attribute("layout-version", int)
        if version != LAYOUT_VERSION:
            raise self._wrong("layout-version", f"{LAYOUT_VERSION} was expected, not {version}")
        try:
            form = from_text(self.group.attrs.get("form"))
        except ValueError as error:
            raise self._wrong("form", str(error)) from None
        self.nodes: dict[str, Node] = dict(zip(form.fields or (), form.contents, strict=True))
        self._length = self._attribute("length", int)
        if self._length < 0 or (self._length and not self.nodes):
            raise self._wrong("length", f"{self._length} events in {len(self.nodes)} columns")
        self._about = self._json("columns", dict) or {}
        identity = self._json("identity", list)
        try:
            given = Identity.given(identity)
            self.identity = identity_in(given, self.nodes) if given else None
        except (ValueError, TypeError) as error:
            raise self._wrong("identity", str(error)) from None

    @property
    def _group_name(self) -> str:
        """The path of its group, as `FILE:NAME` has it."""
        return (self.group.name or "").removeprefix("/")

    def __reduce__(self) -> WayBack:
        return way_back(self, self._group_name, self.options)

    def _wrong(self, attribute: str, what: str) -> FormatError:
        return FormatError(f"{self.path}: {self.group.name}: attribute {attribute}: {what}")

    def _attribute(self, name: str, kind: type) -> Any:
        found = self.group.attrs.get(name)
        if not isinstance(found, (int, np.integer)):
            raise self._wrong(name, "a number was expected")
        return kind(found)

    def _json(self, name: str, kind: type) -> Any:
        """Returns an attribute that holds JSON; None if there is none."""
        text = self.group.attrs.get(name)
        if text is None:
            return None
        try:
            found = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise self._wrong(name, f"no JSON: {error}") from None
        if not isinstance(found, kind):
            raise self._wrong(name, f"a JSON {kind.__name__} was expected")
        return found

    # --- what there is ---------------------------------------------------------------------------
    def __len__(self) -> int:
        return self._length

    @property
    def is_unfinished(self) -> bool:
        return UNFINISHED in self.group.attrs

    @property
    def columns(self) -> list[str]:
        return list(self.nodes)

    def _said(self, name: str, what: str) -> str | None:
        about = self._about.get(name)
        said = about.get(what) if isinstance(about, dict) else None
        return said if isinstance(said, str) else None

    @property
    def products(self) -> dict[str, str]:
        return {name: self._said(name, "class") or words(node) for name, node in self.nodes.items()}

    @property
    def titles(self) -> dict[str, str]:
        return {name: text for name in self.nodes if (text := self._said(name, "title"))}

    def bytes_per_event(self, columns: Columns = None) -> float:
        names = {
            node.name_of(attribute): self.stored.dataset(node, attribute)
            for column in self.named(columns)
            for node in _all(self.nodes[column])
            for attribute in node.stored()
        }
        total = sum(d.dtype.itemsize * (d.size or 0) for d in names.values())
        return total / max(1, len(self))

    # --- reading ---------------------------------------------------------------------------------
    def selection(self, names: list[str], span: tuple[int, int]) -> tuple[Node, Selection]:
        chosen = record_of({name: self.nodes[name] for name in names})
        return chosen, Selection(self.stored, chosen, span)

    def _to_awkward(self, names: list[str], span: tuple[int, int], lazy: bool) -> Any:
        """An array of the file is read when it is first used, and is not copied. Without `lazy` all
        arrays are read at once. @independent"""
        chosen, selection = self.selection(names, span)
        if not lazy:
            selection.load(self._read_alone)
        arrays = selection.arrays() if lazy else selection.values()
        return self._array(chosen, arrays, selection.span)

    def read_all(self, columns: Columns = None, start: int = 0, stop: int | None = None) -> Any:
        """Reads events like to_awkward, for all ranks together, each with its own events. Chunks
        that several ranks want are read once. All ranks name the same columns. An error on one
        rank is raised on all ranks. @collective @local"""
        try:
            chosen, selection = self.selection(self.named(columns), self.span(start, stop))
        except Exception as error:
            self.file.read_multi(_failing(error))
            raise
        selection.load(self.file.read_multi)
        return self._array(chosen, selection.values(), selection.span)

    def _read_alone(self, requests: Any) -> list[np.ndarray]:
        if self.comm is None:
            return self.file.read_multi(requests)
        return [dataset[part] for dataset, part in requests]

    def _array(self, chosen: Node, arrays: Mapping[str, Any], span: tuple[int, int]) -> Any:
        """Returns an array of awkward. `arrays` maps each name to an array, or to a function that
        reads it."""
        ak = require("awkward")
        first, last = span
        try:
            form = ak.forms.from_dict(to_form(chosen))
            return ak.from_buffers(form, last - first, arrays)
        except (TypeError, ValueError) as error:
            why = str(error).partition("\n")[0]
            raise self._wrong("form", f"awkward does not take it: {why}") from error

    def to_numpy(
        self, columns: Columns = None, start: int = 0, stop: int | None = None
    ) -> dict[str, np.ndarray]:
        names = self.named(columns)
        plain = [name for name in names if self.nodes[name].kind == "numbers"]
        if columns is not None and (others := set(names) - set(plain)):
            raise TypeError(f"column {min(others)}: numbers were expected; see to_padded")
        _, selection = self.selection(plain, self.span(start, stop))
        selection.load(self._read_alone)
        return {
            name: view.load().arrays["data"]
            for name, view in zip(plain, selection.views, strict=True)
        }

    def find(self, run: int, lumi: int, event: int) -> int:
        index = self.group.get(INDEX)
        if index is None or index.shape != (len(self),) or index.dtype != ENTRY:
            raise ValueError(self._why_no_index())
        entry = find_in(
            index,
            (
                whole_number(run, None, "run"),
                whole_number(lumi, None, "lumi"),
                whole_number(event, None, "event"),
            ),
        )
        if entry is None:
            raise KeyError(f"{self.path}: there is no event {run}, {lumi}, {event}")
        if entry >= len(self):
            raise self.stored.wrong(INDEX, f"leads to event {entry} of {len(self)}")
        return entry

    def _why_no_index(self) -> str:
        why = "; its writer was interrupted" if self.is_unfinished else ""
        text = f"{self.path}: {self.group.name} has no index of identities{why}"
        place = self.path
        if len(groups_of(self.file)) > 1:
            place += f":{self._group_name}"
        lacking = self.identity is None and why_no_identity(self.nodes)
        if not lacking:
            return f"{text}; `onecast events index {place}` makes one"
        how = f"`onecast events index --identity RUN,LUMI,EVENT {place}`"
        return f"{text}, and {lacking}; where other columns are these, {how} makes one"

    def close(self) -> None:
        """Closes the file. Arrays that were not used yet cannot be read any more. @collective"""
        self.is_closed, self._kept = True, None
        self.file.close()

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self.is_closed = True
        self.file.__exit__(kind, error, trace)


def _all(node: Node) -> Sequence[Node]:
    return [node, *(below for content in node.contents for below in _all(content))]


def _failing(error: Exception) -> Iterator[Any]:
    """Yields requests that raise the error when iterated, so that all ranks get it."""
    yield from ()
    raise error


def add_index(
    path: str, name: str | None = None, identity: Sequence[str] | None = None
) -> int | None:
    """Makes the index of identities, or replaces it. This also completes a file whose writer was
    interrupted, even if the file can have no index."""
    with ColumnarEvents(path, name) as events:
        wanted = Identity.given(identity) or events.identity
        try:
            columns = identity_in(wanted, events.nodes)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        if columns is None and not events.is_unfinished:
            raise ValueError(f"{path}: no columns are run, lumi, event; `identity` names others")
        place, index = events.group.name or "/", np.empty(0, ENTRY)
        if columns is not None:
            arrays = events.to_numpy(columns)
            index = sorted_index([arrays[column] for column in columns], columns)
    with File(path, "r+") as file:
        group = file[place]
        if columns is not None:
            if INDEX in group:
                del group[INDEX]
            store_index(file, group, index, len(index), compression_named(DEFAULT_COMPRESSION))
            group.attrs["identity"] = compact_json(list(columns))
        if UNFINISHED in group.attrs:
            del group.attrs[UNFINISHED]
    if columns is None:
        warn_user(f"{path}: finished, without an index: no columns are run, lumi, event")
    return None if columns is None else len(index)
