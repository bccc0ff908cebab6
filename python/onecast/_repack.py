"""Writing a file anew, with other storage."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Unpack

from . import _core
from ._file import File
from ._file_options import FileOptions
from ._filters import known_filters
from ._options import shows_file_options
from ._ranks import keep_rights
from ._storage import GZIP_LEVEL, GZIP_NAMES


class StorageChange(NamedTuple):
    """Changes to the storage of a dataset; None: unchanged.

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
        return _core.StorageChange(layout, self.chunks or (), filters)


def _filter(name: str | int, values: list[int]) -> _core.Filter:
    name = {known.id: known.name for known in known_filters()}.get(name, name)
    if not isinstance(name, str):
        return _core.Filter(name, True, values)
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
    follow_external: bool | str = "everywhere",
    **options: Unpack[FileOptions],
) -> None:
    """Writes the contents of a file into a new file: equal in every value, with its metadata in
    pages.

    storage: a mapping from paths of datasets to StorageChange; "" applies to all datasets that have
        no entry and can be stored in that way
    force: replace an existing file, which may be `source`; it is unchanged if the call fails
    progress: called with the bytes of elements copied so far and in all
    follow_external: the option of File for `source`
    options: of the new file; see File

    Raises FileExistsError, UnsupportedError (names an object that cannot be written) and the
    exceptions of File; no new file is left then. @collective @same

    >>> with onecast.File("loose.h5", "w") as f:
    ...     f["x"] = [[1, 2], [3, 4]]
    >>> change = onecast.StorageChange(chunks=(1, 2), filters=[("gzip", 9)])
    >>> onecast.repack("loose.h5", "packed.h5", {"x": change})
    >>> with onecast.File("packed.h5") as f:
    ...     f["x"].chunks, f["x"].compression_opts
    ((1, 2), 9)
    """
    path = os.fsdecode(dest)
    if not force and os.path.lexists(path):
        raise FileExistsError(f"{path}: exists")
    core_options = _core.CopyOptions(
        storage={
            name.strip("/"): change._core_change() for name, change in (storage or {}).items()
        },
        progress=progress,
    )
    # Where a symbolic link leads, if there is one.
    real_path = os.path.realpath(path)
    half_done = f"{real_path}.onecast-repack"
    first = comm is None or comm.Get_rank() == 0
    try:
        with File(source, comm=comm, follow_external=follow_external) as old:
            new = File(half_done, "w", comm=comm, **options)
            try:
                with _together(comm):
                    _core.copy_members(new._object, old._object, core_options)
            except BaseException as error:
                new.abandon(f"repacking failed: {error}")
                raise
            new.close()
    except BaseException:
        if first:
            _remove(half_done)
        raise
    if first:
        keep_rights(real_path, half_done)
        os.replace(half_done, real_path)
    if comm is not None:
        comm.Barrier()


@contextlib.contextmanager
def _together(comm: Any) -> Iterator[None]:
    """If one rank fails, all do."""
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


def _remove(path: str) -> None:
    for name in (path, f"{path}.onecast-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
