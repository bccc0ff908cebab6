"""Reports of a file."""

from __future__ import annotations

from collections.abc import Callable

from . import _core


class FileReports:
    """Counts, and the places of metadata."""

    _core_file: _core.File
    _require_open: Callable[[], None]

    def prefetch_all(self, path: str = "/", recursive: bool = True) -> None:
        """Brings the metadata of an object to all ranks and, if `recursive`, that of everything
        below it: one process reads, one broadcast shares. @collective @same"""
        self._require_open()
        if not isinstance(path, str):
            raise TypeError(f"path: a str was expected, not {type(path).__name__}")
        self._core_file.prefetch_all(path, recursive)

    def io_stats(self) -> _core.IoStats:
        """Exact counts of this process's operations on the file system and the network for the file
        since it was opened: `opens, reads, bytes_read, writes, bytes_written, syncs, collectives`.
        Times are `file_nanoseconds` in reads, writes and syncs (the sum over threads) and
        `exchange_nanoseconds` in collective transfers outside of reads and writes (packing,
        messages, waiting for other ranks). `shared_bytes` is the metadata in memory that this
        process shares with other ranks of its node (0: each rank has its own copy).
        @independent"""
        return self._core_file.io_stats()

    def metadata_report(self) -> _core.MetadataReport:
        """Returns where the metadata lies: `file_size, metadata_bytes, small_data_bytes, pieces,
        page_size, pages, page_runs, extents, stripes_touched, stripe_size (0: an ordinary file
        system), reads_to_open, page_list_stale, complete`; and how much of it is in memory on this
        rank: `objects_in_memory` (decoded), `memory_bytes` (as in the file, and decoded),
        `most_memory_bytes` (the largest value of `memory_bytes`).
        @independent"""
        self._require_open()
        return self._core_file.metadata_report()

    def explain(self) -> str:
        """Describes in one sentence the last `read_all`, `write_all`, `read_multi` or `write_multi`
        of this file on this rank: the method, the reason for it, counts, and the time in file calls
        and in the exchange with other ranks. It can be called after close, too. @independent

        >>> with onecast.File("file.h5", "w") as f:
        ...     x = f.create_dataset("x", data=[1, 2, 3])
        ...     x.write_all((), [4, 5, 6])
        ...     f.explain()
        'write_all: ...'
        """
        return self._core_file.explain()

    @property
    def unused_hints(self) -> list[str]:
        """The names of given `hints` that Onecast does not know. @independent

        >>> with onecast.File("file.h5", "w", hints={"cb_nodes": 4, "e10_cache": "enable"}) as f:
        ...     f.unused_hints
        ['e10_cache']
        """
        return self._core_file.unused_hints
