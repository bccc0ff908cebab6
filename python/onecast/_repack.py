"""Writes the contents of a file into a new file, with other storage."""

from __future__ import annotations

import contextlib
import errno
import operator
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import _core
from ._file import File
from ._filters import known_filters
from ._options import shows_file_options
from ._ranks import on_rank_0, replacing
from ._storage import GZIP_LEVEL, GZIP_NAMES

COPIED_AT_ONCE = 1 << 20


class StorageChange(NamedTuple):
    """Changes to the storage of a dataset. None means unchanged.

    layout: "compact", "contiguous" or "chunked"
    chunks: elements of a chunk in each dimension
    filters: (name or number, parameter ...) of each, in the order in which chunks pass them;
        `onecast.known_filters()` lists the names
    """

    layout: str | None = None
    chunks: tuple[int, ...] | None = None
    filters: Sequence[tuple[Any, ...]] | None = None

    def _core_change(self) -> _core.StorageChange:
        layout = None if self.layout is None else getattr(_core.Layout, self.layout)
        filters = None
        if self.filters is not None:
            filters = [_filter(name, values) for name, *values in self.filters]
        return _core.StorageChange(layout, _numbers("chunks", self.chunks or (), 64), filters)


def _numbers(what: str, values: Sequence[int], bits: int) -> list[int]:
    numbers = [operator.index(value) for value in values]
    for number in numbers:
        if not 0 <= number < 1 << bits:
            raise ValueError(f"{what}: numbers from 0 to 2^{bits} - 1 were expected, not {number}")
    return numbers


def _filter(name: str | int, values: list[int]) -> _core.Filter:
    values = _numbers(f"filter {name}", values, 32)
    names: dict[Any, str] = {known.id: known.name for known in known_filters()}
    name = names.get(name, name)
    if not isinstance(name, str):
        return _core.Filter(_numbers("filter", [name], 16)[0], True, values)
    if name in GZIP_NAMES and not values:
        values = [GZIP_LEVEL]
    named = _core.Filter.named(name, values)
    return _core.Filter(named.id, True, named.client_data)


@shows_file_options
def repack(
    source: str | os.PathLike,
    dest: str | os.PathLike,
    storage: Mapping[str, StorageChange] | None = None,
    *,
    force: bool = False,
    comm: Any = None,
    progress: Callable[[int, int], None] | None = None,
    follow_external: Any = "everywhere",
    **options: Any,
) -> None:
    """Writes the contents of a file into a new file: equal in every value, with its metadata in
    pages. The bytes of the user block are copied, and the orders of links and attributes that
    groups, datasets and types track.

    storage: a mapping from paths of datasets to StorageChange; "" applies to all datasets that have
        no entry and can be stored in that way
    force: replaces an existing file, which may be `source`; it is unchanged if the call fails
    progress: is called with the bytes of elements copied so far and in total
    follow_external: the option of File for `source`
    options: those of the new file; see File. `track_order`, `track_times` and `userblock_size` are
        by default those of `source`; a user block of 0 bytes is left out

    Raises FileExistsError, UnsupportedError (names an object that cannot be written) and the
    exceptions of File; no new file is left then. An OSError about the new file has `dest` as its
    `filename`. @collective @same

    >>> with onecast.File("loose.h5", "w") as f:
    ...     f["x"] = [[1, 2], [3, 4]]
    >>> change = onecast.StorageChange(chunks=(1, 2), filters=[("gzip", 9)])
    >>> onecast.repack("loose.h5", "packed.h5", {"x": change})
    >>> with onecast.File("packed.h5") as f:
    ...     f["x"].chunks, f["x"].compression_opts
    ((1, 2), 9)
    """
    core_options = _core.CopyOptions(
        storage={
            name.strip("/"): change._core_change() for name, change in (storage or {}).items()
        },
        progress=progress,
    )
    on_rank_0(comm, lambda: _require_free(dest, force))
    with (
        File(source, comm=comm, follow_external=follow_external) as old,
        replacing(dest, comm) as beside,
    ):
        new = File(beside, "w", comm=comm, **(_settings_of(old) | _without_none(options)))
        try:
            with _together(comm):
                _require_room(old, new)
                _core.copy_members(new._object, old._object, core_options)
        except BaseException as error:
            new.abandon(f"repacking failed: {error}")
            raise
        size = min(old.userblock_size, new.userblock_size)
        new.close()
        on_rank_0(comm, lambda: _copy_beginning(source, beside, size))


def _require_free(path: str | os.PathLike, force: bool) -> None:
    if not force and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "exists", os.fsdecode(path))


def _settings_of(old: File) -> dict[str, Any]:
    """Returns the options that the new file shares with the old one unless the caller gives them.
    No option exists for a root group that tracks only attributes."""
    links, attributes = old._object.tracks_links, old._object.tracks_attributes
    order = "links_and_attributes" if attributes else "links" if links else "nothing"
    return {
        "track_order": order,
        "track_times": old._object.tracks_times,
        "userblock_size": old.userblock_size,
    }


def _without_none(options: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in options.items()
        if value is not None or name not in ("track_order", "track_times", "userblock_size")
    }


def _require_room(old: File, new: File) -> None:
    if 0 < new.userblock_size < old.userblock_size:
        raise ValueError(
            f"userblock_size: {new.userblock_size} bytes do not hold the user block of "
            f"{old.filename}, which has {old.userblock_size}; 0 leaves it out"
        )


def _copy_beginning(source: str | os.PathLike, dest: str, size: int) -> None:
    with open(source, "rb") as old, open(dest, "r+b") as new:
        while size > 0:
            piece = old.read(min(size, COPIED_AT_ONCE))
            if not piece:
                raise OSError(f"{os.fsdecode(source)}: ends within its user block")
            new.write(piece)
            size -= len(piece)


@contextlib.contextmanager
def _together(comm: Any) -> Iterator[None]:
    """If one rank fails, all ranks raise."""
    failure = None
    try:
        yield
    except Exception as error:
        failure = error
    failures = [] if comm is None else [text for text in comm.allgather(str(failure or "")) if text]
    if failure is not None:
        raise failure
    if failures:
        raise _core.DivergedError(f"another rank: {failures[0]}")
