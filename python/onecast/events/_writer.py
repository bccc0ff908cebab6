"""Writes columns batch by batch, on one process or on all ranks of a communicator."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import close_when_free
from .._file import File
from .._pending import words_of
from .._ranks import raise_alike
from ._description import describe
from ._forgotten import close_at_exit, one_at_a_time, warn_user
from ._index import Identity, identity_in, write_index
from ._join import joined_columns
from ._nodes import Node, compact_json, nodes_of, steps, unify_columns
from ._parts import Part, fitted, moved_index, moved_offsets, parts_of
from ._settings import alike_arguments, group_name, texts
from ._storage import (
    CHUNK_BYTES,
    GrowingArray,
    chunk_rows,
    compression_named,
    parts_to_write,
    whole_number,
)
from ._summary import Labels, Summary, exchange, refine, summary_of
from ._types import declared

if TYPE_CHECKING:
    from mpi4py import MPI

_BELOW = re.compile(r"(\[\]|\?)+$")  # the part of a path after the name of the column
_COPIED_AT_A_TIME = 1 << 20  # elements


class Writer:
    """A new file of columns: `onecast.events.create`. Threads may share it: their calls wait for
    each other. On one process, a writer that is forgotten without close closes its file."""

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        name: str = "Events",
        compression: str | None = None,
        chunk_bytes: int = CHUNK_BYTES,
        expected: int | None = None,
        is_whole: bool = False,
        identity: Sequence[str] | None = None,
        classes: dict[str, str] | None = None,
        titles: dict[str, str] | None = None,
        types: Mapping[str, Any] | None = None,
        comm: MPI.Intracomm | None = None,
        **options: Any,
    ) -> None:
        def settings() -> dict[str, Any]:
            return {
                "name": group_name(name),
                "compression": compression_named(compression),
                "chunk_bytes": whole_number(chunk_bytes, 1, "chunk_bytes"),
                "expected": None if expected is None else whole_number(expected, 0, "expected"),
                "identity": Identity.given(identity),
                "classes": texts(classes, "classes"),
                "titles": texts(titles, "titles"),
                "types": declared(types),
                "options of onecast.File": sorted(options),
            }

        given = alike_arguments(comm, settings)
        self.compression, self.chunk_bytes = given["compression"], given["chunk_bytes"]
        self.expected, self.identity = given["expected"], given["identity"]
        self.described = {"class": given["classes"], "title": given["titles"]}
        self.declared: dict[str, Node] = given["types"]
        self.is_whole, self.comm = is_whole, comm
        self.file = File(path, "w", comm=comm, **({"profile": "latest"} | options))
        self.place = os.path.realpath(path)
        self.was_flushed = self.is_broken = False
        try:
            self.group = self.file.create_group(name)
        except BaseException:
            self.abandon("the group of the events cannot be made")
            raise
        self.columns: dict[str, Node] | None = None
        self.labels: Labels | None = None
        self.totals: dict[str, int] = {}
        self.events = 0
        self.arrays: dict[tuple[str, str], GrowingArray] = {}  # (path of a node, attribute)
        self.names: dict[str, str] = {}  # path of a node -> its key
        self.taken: set[str] = set()  # names of datasets
        self.lock = threading.RLock()
        self.process = os.getpid()
        self.is_open = True
        if comm is None:  # otherwise a forgotten cycle would close the file first
            self.file._leave_to_holder()
        close_at_exit(self)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None:
            self.close()
        elif self.is_open and self.process == os.getpid():
            self.abandon(words_of(error))

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            close_when_free(self.close_forgotten)

    def close_forgotten(self) -> None:
        """Closes the file, except in a forked process and on several ranks, which must call
        close."""
        if self.is_open and self.comm is None and self.process == os.getpid():
            self.close()

    def abandon(self, reason: str) -> None:
        """Gives up the file without waiting for other ranks, which get the reason from their next
        call. What was flushed stays; a file that was never flushed is removed. @independent"""
        self.is_open = False
        has_all = not (self.file or self.is_broken)  # the file was closed before
        self.file.abandon(reason)
        if not (self.was_flushed or has_all) and (self.comm is None or self.comm.rank == 0):
            with suppress(OSError):
                os.remove(self.place)

    # --- appending -------------------------------------------------------------------------------
    @one_at_a_time
    def append(self, data: Any) -> None:
        """Adds events: a dict of arrays, or an array of records. On a communicator each rank passes
        its own, which follow each other in the order of the ranks; a rank without events passes {}.
        A function that returns them may be passed, too; an error in it is raised on all ranks.
        Columns, fields and types have the order of the first batch, and may come in another order.

        Raises, on all ranks, TypeError and ValueError that name the column. The file and earlier
        batches are then unchanged. @collective @local
        """
        self._require_open()
        known = self.declared if self.columns is None else self.columns
        take = data if callable(data) else lambda: data
        parts, before, everyone = self._meet(lambda: parts_of(take()), known)
        if everyone.are_unlike:
            columns = joined_columns(self.comm, {name: part.node for name, part in parts.items()})
            parts, before, everyone = self._meet(partial(dict, parts), columns)
            if everyone.are_unlike:
                raise TypeError(
                    "the ranks' columns have types that cannot be joined: declare types"
                )
        if everyone.columns is not None:
            self._add(parts, everyone.columns, before, everyone)

    def _meet(
        self, take: Callable[[], dict[str, Part]], wanted: Mapping[str, Node]
    ) -> tuple[dict[str, Part], Summary, Summary]:
        """Returns the parts that `take` returns, fitted to `wanted`, and the results of
        `_exchange`."""
        failure: Exception | None = None
        parts: dict[str, Part] = {}
        try:
            parts = {
                name: fitted(part, wanted[name]) if name in wanted else part
                for name, part in take().items()
            }
            mine = summary_of(parts)
        except Exception as error:
            failure = error
            mine = Summary(call="append", error=error)
        before, everyone = self._exchange(mine)
        raise_alike(failure, everyone.error)
        return parts, before, everyone

    def _exchange(self, mine: Summary) -> tuple[Summary, Summary]:
        if self.comm is not None:
            self.file.write_multi([])  # meets the calls of other ranks, and ranks that left
        return exchange(self.comm, mine)

    def _add(
        self, parts: dict[str, Part], found: dict[str, Node], before: Summary, everyone: Summary
    ) -> None:
        columns = unify_columns(self._columns_before(found), found)
        if self.identity is not None:
            identity_in(self.identity, columns)
        labels = refine(self.labels, everyone.labels) or {}
        parts = {name: fitted(part, columns[name]) for name, part in parts.items()}
        walked = [found for name in parts for found in parts[name].walk(name)]
        local = {path: part for path, part in walked if part.node.kind != "unknown"}
        with self._whole_or_nothing():
            self._part_company(labels)
            for path, node in nodes_of(columns):
                if labels.get(path, path) == path:
                    self._add_node(path, node, local.get(path), before, everyone)
            self._write()
            self.columns, self.labels = columns, labels
            self.events += everyone.events
            for path, size in everyone.sizes.items():
                self.totals[path] = self.totals.get(path, 0) + size

    def _columns_before(self, found: dict[str, Node]) -> dict[str, Node]:
        """Returns the columns that this batch must match: for the first batch, its own and the
        declared ones."""
        if self.columns is not None:
            return self.columns
        for name in self.declared:
            if name not in found:
                raise ValueError(f"column {name}: types has it, and the first batch has not")
        return found | self.declared

    def _add_declared(self) -> None:
        """Adds the declared columns, without events, to a file without a batch."""
        nodes = nodes_of(self.declared)
        labels = {path: path for path, node in nodes if node.kind == "list"}
        sizes = {path: 0 for path, _ in nodes}
        self._add({}, self.declared, Summary(), Summary(self.declared, 0, sizes, labels))

    @contextmanager
    def _whole_or_nothing(self) -> Iterator[None]:
        """Undoes what fails or is interrupted within: the writer continues from its earlier state.
        Further elements of the datasets are written anew, or cut off."""
        known = {key: array.state() for key, array in self.arrays.items()}
        before = self.columns, self.labels, self.events, dict(self.totals)
        try:
            yield
        except BaseException:
            self.columns, self.labels, self.events, self.totals = before
            for key in self.arrays.keys() - known.keys():
                made = self.arrays.pop(key)
                if made.dataset is not None:
                    with suppress(Exception):
                        del self.group[made.name]
            for key, state in known.items():
                self.arrays[key].restore(state)
            raise

    def _add_node(
        self, path: str, node: Node, part: Part | None, before: Summary, everyone: Summary
    ) -> None:
        """Adds this rank's elements of one node in the form of the file."""

        def place(below: str) -> int:
            return self.totals.get(below, 0) + before.sizes.get(below, 0)

        start, total = place(path), self.totals.get(path, 0) + everyone.sizes.get(path, 0)
        contents = [path + step for step in steps(node)]
        for attribute, dtype in node.stored().items():
            array = self._array(path, node, attribute, dtype, everyone)
            found = part.arrays[attribute] if part is not None else np.empty(0, dtype)
            if attribute == "offsets":
                is_first = array.total == 0 and (self.comm is None or self.comm.rank == 0)
                if part is None:
                    found = np.zeros(1, dtype)
                found = moved_offsets(found if is_first else found[1:], place(contents[0]))
                array.add(start + (not is_first), found, total + 1)
                continue
            if attribute == "index":
                found = moved_index(node, part, found, [place(c) for c in contents])
            array.add(start, found, total)

    def _array(
        self, path: str, node: Node, attribute: str, dtype: np.dtype, everyone: Summary
    ) -> GrowingArray:
        if (path, attribute) not in self.arrays:
            name = f"{self._key(path, node)}-{attribute}"
            array = GrowingArray(name, dtype, node.inner_shape, self.compression)
            expected = None
            so_far = everyone.sizes.get(path, 0) + (attribute == "offsets")
            if self.is_whole:
                expected = so_far
            elif self.expected and everyone.events:
                expected = -(-so_far * max(self.expected, everyone.events) // everyone.events)
            array.chunk = chunk_rows(array.row_bytes, self.chunk_bytes, expected)
            self.arrays[path, attribute] = array
        return self.arrays[path, attribute]

    def _key(self, path: str, node: Node) -> str:
        """Returns the key of a node. Shared offsets get the part before the first _ of the first
        column."""
        if path not in self.names:
            wanted = path.replace("/", ".")
            if node.kind != "list":
                wanted = _BELOW.sub("", wanted)
            elif self.columns is None and "[" not in wanted:
                wanted = wanted.partition("_")[0] or wanted
            number, node = 1, replace(node, key=wanted)
            while self.taken.intersection(node.place):
                number += 1
                node = replace(node, key=f"{wanted}~{number}")
            self.taken.update(node.place)
            self.names[path] = node.key
        return self.names[path]

    def _part_company(self, labels: Labels) -> None:
        """Gives lists that shared offsets so far, and differ in this batch, offsets of their own: a
        copy of the shared ones."""
        for path, label in (self.labels or {}).items():
            shared = self.arrays.get((label, "offsets"))
            apart = labels[path]
            if shared is None or (apart, "offsets") in self.arrays:
                continue
            name = f"{self._key(apart, Node('list'))}-offsets"
            own = GrowingArray(name, shared.dtype, (), shared.compression)
            own.chunk, own.total, own.waits = shared.chunk, shared.total, shared.waits
            own.pieces = list(shared.pieces)
            self.arrays[apart, "offsets"] = own
            self._copy_written(shared, own)

    def _copy_written(self, shared: GrowingArray, own: GrowingArray) -> None:
        if not shared.written:
            return
        own.make_room(self.group, shared.written, is_last=False)
        rank, ranks = (0, 1) if self.comm is None else (self.comm.rank, self.comm.size)
        block = own.chunk * max(1, _COPIED_AT_A_TIME // own.chunk)
        for first in range(0, shared.written, block):
            count = min(block, shared.written - first)
            part = slice(first + count * rank // ranks, first + count * (rank + 1) // ranks)
            (values,) = self.file.read_multi([(shared.dataset, part)])
            self.file.write_multi([(own.dataset, part, values)])
        own.written = shared.written

    # --- writing ---------------------------------------------------------------------------------
    def _write(self, everything: bool = False, is_last: bool = False) -> None:
        """Writes full chunks, or everything. With `is_last`, nothing follows."""
        growing: list[tuple[GrowingArray, int]] = []
        for array in self.arrays.values():
            end = array.end(everything or is_last)
            is_other = (everything or is_last) and not array.has_length(end)
            if end > array.written or is_other:
                array.make_room(self.group, end, is_last)
                growing.append((array, end))
        for part in parts_to_write(growing, is_cut=self.comm is None):
            self.file.write_multi([(array.dataset, *array.take(end)) for array, end in part])
        for array in self.arrays.values():
            array.keep()

    @one_at_a_time
    def flush(self) -> None:
        """Writes what was appended so far. If the process ends without close, the file has these
        events, without an index. Chunks that are not full are written again later. @collective"""
        self._require_open()
        self._all_call("flush")
        with self._whole_or_nothing():
            self._write(everything=True)
        self._describe(is_last=False)
        self.file.flush()
        self.was_flushed = True

    @one_at_a_time
    def close(self) -> None:
        """Writes the waiting elements, the form and the index, and closes the file. @collective"""
        if not self.is_open:
            return
        try:
            self._all_call("close")
            if self.columns is None and self.declared:
                self._add_declared()
            self._write(is_last=True)
            self._describe(is_last=True)
            self._make_index()
            self._close_file()
        except BaseException as error:
            self.abandon(words_of(error))
            raise
        self.is_open = False

    def _close_file(self) -> None:
        try:
            self.file.close()
        except Exception:  # a full disk, for example: such a file cannot be read
            self.is_broken = True
            raise

    def _all_call(self, call: str) -> None:
        _, everyone = self._exchange(Summary(call=call))
        raise_alike(None, everyone.error)

    def _describe(self, is_last: bool) -> None:
        leaders = self.labels or {}
        columns = self.columns or {}
        paths = [path for path, _ in nodes_of(columns)]
        keys = {path: self.names.get(leaders.get(path, path), "") for path in paths}
        describe(self.group, columns, keys, self.described, self.events, is_last)

    def _make_index(self) -> None:
        try:
            identity = identity_in(self.identity, self.columns or {})
            if identity is None:
                return
            arrays = [self.arrays[name, "data"].dataset for name in identity]
            write_index(self.file, self.group, arrays, self.comm, self.compression)
        except ValueError as error:
            if self.identity is not None:
                raise
            # The program did not ask for an index: columns of these names may be something else.
            if self.comm is None or self.comm.rank == 0:
                warn_user(f"no index of identities: {error}")
            return
        self.group.attrs["identity"] = compact_json(list(identity))

    def _require_open(self) -> None:
        if not self.is_open:
            self.file._require_open()  # at the end of the program it raises SystemExit
            raise ValueError("the file is closed")
