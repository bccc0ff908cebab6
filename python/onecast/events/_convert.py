"""Converts files of one kind to another, and writes files in one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from .._errors import UsageError
from .._ranks import on_rank_0, replacing
from ._chain import Chain
from ._columnar import ColumnarEvents
from ._events import Columns, Events
from ._forgotten import warn_user
from ._kinds import Path, creator_of, path_of, refuse_loss, split_name, split_target
from ._padded import can_be_padded, padded
from ._root import RootEvents, UnpaddedColumnWarning, UnreadableColumns, UnreadColumnWarning
from ._root_columns import without_cycle
from ._settings import alike_arguments, texts
from ._storage import whole_number
from ._writer import Writer

if TYPE_CHECKING:
    from mpi4py import MPI


def create(
    path: Path, *, layout: str = "columnar", comm: MPI.Intracomm | None = None, **storage: Any
) -> Any:
    """Creates a file of events. `append(data)` adds a batch; `close()`, or the end of `with`,
    completes the file. An existing file at `path` is lost. If an exception ends `with`, what was
    flushed stays; a file that was never flushed is removed.

    `path`: FILE, or FILE:NAME with the name of the group. Raises FileExistsError if FILE has other
    groups, which would be lost with it.

    `storage` of layout "columnar":
        name: the name of the group; "Events" by default.
        compression: "zstd:3", "lz4", "gzip:6", "lzf", "bzip2:9" or "none"; None: "zstd:3".
        chunk_bytes: the approximate size of a chunk before compression; 256 KiB by default.
        expected: the approximate number of events, which makes all chunks equally full.
        identity: the columns with run, lumi, event; by default those with the usual names.
        types: for columns, the type of an event's value, such as "var * ?float32": a type of
            awkward or its text, a form, or a dtype of numpy. Later batches may have everything that
            the type allows. The first batch must have all of these columns; without a batch the
            file has them, empty.
        classes, titles: for columns, the class in the program that made them, and a description.
        Other names are options of onecast.File.
    @collective over `comm`, @same arguments
    """
    place, creator = _place_and_creator(path, layout, storage, comm)
    return creator(place, comm=comm, **storage)


def write(
    path: Path,
    data: Any,
    *,
    layout: str = "columnar",
    comm: MPI.Intracomm | None = None,
    **storage: Any,
) -> None:
    """Writes events to a new file at once. `data` is a dict of arrays of awkward or numpy, with one
    element for each event, or an array of records. A file at `path` is replaced when everything is
    written.

    On a communicator each rank passes its own events, which follow each other in the order of the
    ranks; a rank without events passes {}. The bytes of the file do not depend on the number of
    ranks. `storage`: see `create`.

    Raises, on all ranks, TypeError and ValueError that name the column. @collective over `comm`,
    @local data
    """
    place, creator = _place_and_creator(path, layout, storage, comm)
    on_rank_0(comm, lambda: _refuse_read_only(place))
    with (
        replacing(place, comm) as beside,
        creator(beside, comm=comm, is_whole=True, **storage) as writer,
    ):
        writer.append(data)


def convert(
    source: Path | Sequence[Path],
    target: Path,
    layout: str = "columnar",
    compression: str | None = None,
    *,
    columns: Columns = None,
    start: int = 0,
    stop: int | None = None,
    pad: int | None = None,
    batch: int | None = None,
    identity: Sequence[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    comm: MPI.Intracomm | None = None,
    **storage: Any,
) -> int:
    """Writes the events of one or several files of any kind to a new file, one file after the
    other, and returns their number. Products become columns, too. The command `onecast events
    convert` writes products again, unless it has --layout columnar.

    columns, start, stop: the part to convert. pad: the number of elements that each list of numbers
    gets, with a column `NAME_mask` (Events.to_padded); other lists are left out. batch: the number
    of events that are in memory at a time, on all ranks together; about 64 MiB if left out.
    identity: the columns with run, lumi, event, if their names are unusual. progress: is called
    with the number of events that are done, and of all. compression: "zstd:3" if left out.
    `storage`: see `create`; given classes and titles replace those of the source.

    Several files must have the same columns, in any order; otherwise a KeyError names the missing
    one, unless `columns` names those to take. In files of columns the types may differ as in the
    first append on several ranks: a column is an option if it is one in some file, a union if it is
    one in some file.

    On a communicator each rank converts its part of each batch. Columns that cannot be read in some
    file are left out and named in an UnreadColumnWarning; if they were requested, or if no column
    can be read, a KeyError or a ValueError names them. A UserWarning names a source whose writer
    was interrupted. A file at `target` is replaced when everything is written.
    @collective over `comm`, @same arguments
    """

    def arguments() -> dict[str, Any]:
        creator_of(layout)  # raises for one that is not known
        place, name = _target(target, "target", storage)
        return {
            "source": _locations(source),
            "target": place,
            "name": name,
            "layout": layout,
            "columns": _names(columns),
            "start": whole_number(start, None, "start"),
            "stop": None if stop is None else whole_number(stop, None, "stop"),
            "pad": None if pad is None else whole_number(pad, 1, "pad"),
            "batch": None if batch is None else whole_number(batch, 1, "batch"),
            "classes": texts(storage.pop("classes", None), "classes"),
            "titles": texts(storage.pop("titles", None), "titles"),
        }

    given = alike_arguments(comm, arguments)
    creator, target, columns = creator_of(layout), given["target"], given["columns"]
    on_rank_0(comm, lambda: _refuse_same(given["source"], target))
    on_rank_0(comm, lambda: refuse_loss(target, given["name"]))
    on_rank_0(comm, lambda: _refuse_read_only(target))
    if compression is not None:
        storage["compression"] = compression
    if given["name"] is not None:
        storage["name"] = given["name"]
    unreadable: dict[str, str] = {}
    told: set[str] = set()
    while True:
        with Chain(given["source"], columns, comm) as chain:
            left_out = chain.left_out() | unreadable
            for name in [name for name in left_out if name not in told]:
                told.add(name)
                if comm is None or comm.rank == 0:
                    warn_user(left_out[name], UnreadColumnWarning)
            try:
                return _convert(chain, left_out, creator, given, dict(storage), identity, progress)
            except UnreadableColumns as error:
                if columns is not None:
                    raise
                # The second attempt leaves these out.
                path = str(error).partition(": column ")[0]
                for name, why in error.columns.items():
                    unreadable[name] = f"{path}: column {name} is left out: {why}"


def _convert(
    chain: Chain,
    left_out: Iterable[str],
    creator: Callable[..., Any],
    given: dict[str, Any],
    storage: dict[str, Any],
    identity: Sequence[str] | None,
    progress: Callable[[int, int], None],
) -> int:
    """Does the work of `convert` with checked arguments. Raises UnreadableColumns on all ranks."""
    comm, pad, target = chain.comm, given["pad"], given["target"]
    first, last, _ = slice(given["start"], given["stop"]).indices(len(chain))
    last = max(first, last)
    events = chain.first_of(first, last)
    names = [name for name in events.named(given["columns"]) if name not in left_out]
    if not names and isinstance(events, RootEvents):
        raise ValueError(f"{events.path}: there is no column that can be read")
    classes = events.products
    if pad is not None:
        names, plain = _to_pad(events, names, given["columns"], comm)
        # Padded columns are not lists any more.
        classes = {name: classes[name] for name in plain}
    storage |= {
        "expected": last - first,
        "identity": identity,
        "name": storage.get("name") or _group_of(events, given["source"][0]),
        "classes": classes | given["classes"],
        "titles": events.titles | given["titles"],
    }
    types = chain.types_of(names, events)
    if types and pad is None:
        storage["types"] = {**types, **(storage.get("types") or {})}
    with (
        replacing(target, comm) as beside,
        creator(beside, comm=comm, **storage) as writer,
    ):
        done = 0
        for read, count in chain.batches(names, first, last, given["batch"]):
            with chain.told():
                if names:
                    take = read if pad is None else partial(_padded, read, pad)
                    # A writer that calls the read by itself tells all ranks of a failure.
                    writer.append(take if isinstance(writer, Writer) else take())
            done += count
            progress(done, last - first)
    return last - first


def _place_and_creator(
    path: Path, layout: str, storage: dict[str, Any], comm: MPI.Intracomm | None
) -> tuple[str, Callable[..., Any]]:
    """Moves a name in `path` to `storage`. @collective"""

    def arguments() -> dict[str, Any]:
        creator_of(layout)  # raises for one that is not known
        place, name = _target(path, "path", storage)
        return {"path": place, "name": name, "layout": layout}

    given = alike_arguments(comm, arguments)
    on_rank_0(comm, lambda: refuse_loss(given["path"], given["name"]))
    if given["name"] is not None:
        storage["name"] = given["name"]
    return given["path"], creator_of(layout)


def _target(path: Path, argument: str, storage: dict[str, Any]) -> tuple[str, str | None]:
    """Returns FILE, and the name of the group, if given. Raises TypeError, ValueError."""
    place, name = split_target(path, argument)
    if (ending := os.path.splitext(place)[1].lower()) in (".pds", ".root"):
        # The extension makes readers expect that kind.
        kind = ending[1:].upper()
        raise ValueError(f"{place}: columns are HDF5; `onecast events convert` makes {kind} files")
    if name is not None and storage.get("name", name) != name:
        raise ValueError(f"name: {storage['name']!r}, and {argument} says {name!r}")
    return place, name


def _locations(source: Any) -> list[str]:
    """Returns the paths of the sources. Raises TypeError, ValueError."""
    if isinstance(source, Path) or not isinstance(source, Iterable):
        return [path_of(source, "source")]
    found = [path_of(location, "source") for location in source]
    if not found:
        raise ValueError("source: one file at least was expected")
    return found


def _names(columns: Any) -> Columns:
    if columns is None:
        return None
    names = list(columns) if isinstance(columns, Iterable) else [columns]
    if isinstance(columns, str) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"columns: a list of names was expected, not {columns!r}")
    if not names:
        raise ValueError("columns: one name at least was expected; None: all columns")
    return names


def _group_of(events: Events, location: str) -> str:
    """Returns the name of the tree or group in the first file."""
    name = split_name(location)[1]
    if name is None and isinstance(events, RootEvents):
        name = events.tree.name
    if name is None and isinstance(events, ColumnarEvents):
        name = events.group.name
    return without_cycle(name or "Events").rpartition("/")[2]


def _refuse_same(sources: list[str], target: str) -> None:
    for location in sources:
        source = split_name(location)[0]
        if os.path.exists(source) and os.path.exists(target) and os.path.samefile(source, target):
            raise UsageError(f"{target}: a file cannot take the place of its own source")


def _refuse_read_only(target: str) -> None:
    """Raises PermissionError if the target is write-protected. Replacing it would succeed, as that
    needs only a right on the folder."""
    if os.path.isfile(target):
        os.close(os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))


def _padded(read: Callable[[], Any], pad: int) -> dict[str, Any]:
    return padded(read(), pad, 0)


def _to_pad(
    events: Events, names: list[str], columns: Columns, comm: Any
) -> tuple[list[str], list[str]]:
    """Returns (names of the columns that can be padded, or of the requested ones, names of those
    that need no padding). @collective"""

    def look() -> tuple[list[str], list[str]]:
        sample = events.to_awkward(names, 0, min(1, len(events)))
        fitting = names
        if columns is None:
            fitting = [name for name in names if can_be_padded(sample[name])]
        return fitting, [name for name in fitting if sample[name].layout.is_numpy]

    fitting, plain = on_rank_0(comm, look)
    for name in sorted(set(names) - set(fitting)) if comm is None or comm.rank == 0 else ():
        text = f"{events.path}: column {name} is left out: it has no lists of numbers"
        warn_user(text, UnpaddedColumnWarning)
    return fitting, plain
