"""The options of a file."""

# Made by tools/options.py from src/objects/tree/file_options.toml: change that.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict


class FileOptions(TypedDict, total=False):
    """The keywords of `File` that are options: `FILE_OPTIONS` describes them."""

    # behaviour: what the program sees
    follow_external: bool | Literal["nowhere", "everywhere", "folder"]
    locking: bool | Literal["on", "off", "best_effort"]
    durable: bool
    journal: bool
    sharing: Literal["automatic", "trust", "verify", "serve"]

    # layout: what lies where in the file
    profile: Literal["compatible", "latest"]
    stripe_size: int
    stripe_count: int
    page_size: int
    compact_limit: int
    compact_total: int | None
    alignment_interval: int
    alignment_threshold: int

    # tuning: the same results by other means
    load_policy: Literal["automatic", "eager", "lazy"]
    metadata_budget: int
    decode_threads: int
    chunk_cache_bytes: int
    hints: Mapping[str, Any]
    mpi_io: bool
    method: Literal["automatic", "plain", "independent", "collective", "broadcast"]
    collective_buffer: int
    aggregators: int
    single_writer_stripes: int | None
    small_data_limit: int


class FileOption(NamedTuple):
    """An option of `File`.

    kind: "bytes", "count", "flag", "choice" or "hints"
    default: None: not given
    group: "behaviour", "layout" or "tuning"
    expert: to be left alone unless measured
    values: of a choice, as `File` takes them
    expected: what `File` takes, in words
    text: what it is for
    type: as an annotation
    """

    kind: str
    default: Any
    group: str
    expert: bool
    values: tuple[str, ...]
    expected: str
    text: str
    type: str


FILE_OPTIONS: dict[str, FileOption] = {
    "follow_external": FileOption(
        "choice",
        "everywhere",
        "behaviour",
        False,
        ("nowhere", "everywhere", "folder"),
        "nowhere, everywhere or folder",
        "Which other files that the file names are read: by external links, as raw data, as "
        "sources of virtual datasets. They are looked for in the folders of the environment "
        "variable HDF5_EXT_PREFIX (raw data: HDF5_EXTFILE_PREFIX, sources of virtual "
        "datasets: HDF5_VDS_PREFIX), beside the file that names them, and at their name as it"
        " stands, seen from the folder in which the program opened the file. For files that "
        "are not trusted choose `folder`: `everywhere` shows whatever the process may read. "
        '"nowhere": no other file. "everywhere": as HDF5 does: whatever the process may read.'
        ' "folder": in the folder of the file that the program opened and below it, symbolic '
        'links resolved. Default "everywhere".',
        'bool | Literal["nowhere", "everywhere", "folder"]',
    ),
    "locking": FileOption(
        "choice",
        "on",
        "behaviour",
        False,
        ("on", "off", "best_effort"),
        "on, off or best_effort",
        "Whether the file is locked (flock, as HDF5 does) against a second writer, and "
        "readers against a writer. The environment variable HDF5_USE_FILE_LOCKING (TRUE, "
        'FALSE or BEST_EFFORT) wins over the option. "on": a file that cannot be locked is '
        'not opened. "off": no lock. "best_effort": on, but not where the file system has no '
        'locks. Default "on".',
        'bool | Literal["on", "off", "best_effort"]',
    ),
    "durable": FileOption(
        "flag",
        False,
        "behaviour",
        False,
        (),
        "true or false",
        "flush and close wait until the bytes are on stable storage. Default False.",
        "bool",
    ),
    "journal": FileOption(
        "flag",
        True,
        "behaviour",
        True,
        (),
        "true or false",
        "Before a flush overwrites metadata, it saves what was there in PATH.onecast-journal."
        " The flush of a process that is killed can then be undone. Without the journal such "
        "a file is damaged. Default True.",
        "bool",
    ),
    "sharing": FileOption(
        "choice",
        "automatic",
        "behaviour",
        True,
        ("automatic", "trust", "verify", "serve"),
        "automatic, trust, verify or serve",
        "How ranks find out whether they mean the same, in read_all and write_equal; each "
        'call may say otherwise. "automatic": read_all: one small reduction tells; what all '
        "ranks want is read by one rank and broadcast, else each rank reads its own. "
        'write_equal: nothing is sent, flush compares. "trust": all mean the same, and '
        "nothing is compared: read_all is one broadcast. A rank that means something else, or"
        ' fails where the others do not, makes the program wrong, or hang. "verify": all must'
        " mean the same, which one small reduction tells: if a rank does not, all get the "
        'error "diverged", which names the ranks. So does write_equal. "serve": read_all: '
        "ranks that want the same share one read and one broadcast among themselves, whatever"
        ' the others want. write_equal: as verify. Default "automatic".',
        'Literal["automatic", "trust", "verify", "serve"]',
    ),
    "profile": FileOption(
        "choice",
        "compatible",
        "layout",
        False,
        ("compatible", "latest"),
        "compatible or latest",
        "Which versions of HDF5's structures a new file is made of; the file keeps it. "
        '"compatible": every library since HDF5 1.8 reads it. "latest": chunk indexes of HDF5'
        ' 1.10: smaller, and faster to append to. For create only. Default "compatible".',
        'Literal["compatible", "latest"]',
    ),
    "stripe_size": FileOption(
        "bytes",
        0,
        "layout",
        False,
        (),
        "at most 1 TiB",
        "Size of a stripe of the file system, where the file system does not say it. The "
        "places of metadata and of large datasets, writers and collective transfers go by it."
        " A new file is striped so, where the file system takes such wishes (Lustre). At most"
        " 1 TiB. 0: 1 MiB, and no wish. Default 0.",
        "int",
    ),
    "stripe_count": FileOption(
        "count",
        0,
        "layout",
        False,
        (),
        "a number",
        "Number of storage targets over which the file is striped, where the file system does"
        " not say it. A new file is striped so, where the file system takes such wishes "
        "(Lustre). 0: not known, and no wish. Default 0.",
        "int",
    ),
    "page_size": FileOption(
        "bytes",
        0,
        "layout",
        True,
        (),
        "0 or a power of two from 4 KiB to 1 GiB",
        "Size of a metadata page of a new file, or of pages that are added to a file without "
        "a page list. The size of the file is a multiple of it. Pages of metadata lie "
        "together in large runs, whatever their size; larger pages save next to nothing, and "
        "make small files larger. 0 or a power of two from 4 KiB to 1 GiB. 0: 4 KiB. Default "
        "0.",
        "int",
    ),
    "compact_limit": FileOption(
        "bytes",
        4096,
        "layout",
        True,
        (),
        "at most 64,000 bytes",
        "Datasets that are created with at most this size are stored in their header. At most"
        " 64,000 bytes. Default 4 KiB.",
        "int",
    ),
    "compact_total": FileOption(
        "bytes",
        None,
        "layout",
        True,
        (),
        "a number of bytes",
        "Datasets are stored in their header only while the data of all of these is at most "
        "this size. It counts those made and not removed since the file was opened: every "
        "rank holds all of their data. Those made inside independent() are judged at the "
        "flush, all or none of them. None: 16 MiB with a communicator, no limit without. "
        "Default None.",
        "int | None",
    ),
    "alignment_interval": FileOption(
        "bytes",
        0,
        "layout",
        True,
        (),
        "at most 1 TiB",
        "Large contiguous data and large chunks begin at multiples of this in the file; 1: "
        "anywhere. At most 1 TiB. 0: a stripe, if stripes are known; then of chunks only "
        "those that fill whole stripes. Default 0.",
        "int",
    ),
    "alignment_threshold": FileOption(
        "bytes",
        0,
        "layout",
        True,
        (),
        "a number of bytes",
        "Contiguous data and chunks of this size or more are aligned to `alignment_interval`."
        " 0: the size of `alignment_interval`. Default 0.",
        "int",
    ),
    "load_policy": FileOption(
        "choice",
        "automatic",
        "tuning",
        False,
        ("automatic", "eager", "lazy"),
        "automatic, eager or lazy",
        'When metadata is read. "automatic": eager for files with a page list and wherever '
        'there are several ranks, else lazy. "eager": all of it at open, up to '
        '`metadata_budget`. "lazy": only what is looked at, by the rank that looks. For open '
        'only. Default "automatic".',
        'Literal["automatic", "eager", "lazy"]',
    ),
    "metadata_budget": FileOption(
        "bytes",
        268435456,
        "tuning",
        False,
        (),
        "a number of bytes",
        "About this much metadata is brought to every rank at open, and is in memory while "
        "writing. Open: it counts metadata and small data; the superblock comes in any case. "
        "What is left is read by the ranks that look at it, unless it is prefetched. Writing:"
        " it counts metadata as it is in the file and decoded, besides what handles lead to, "
        "a few pages, and what one call makes. When what the structural calls since the last "
        "flush made takes half of it, the next one that adds something flushes first: that "
        "call is @collective then, the same on all ranks, on any number of them after the "
        "same calls. What a flush leaves in memory beyond a part of the budget is forgotten, "
        "and read again by those that look at it. Inside independent() there is no such "
        "flush. Default 256 MiB.",
        "int",
    ),
    "decode_threads": FileOption(
        "count",
        0,
        "tuning",
        False,
        (),
        "a number",
        "Number of threads that one read of a chunked or large dataset may use, the caller's "
        "included. 0: the cores this process may use; 1 on several ranks. Need not be the "
        "@same on all ranks. Default 0.",
        "int",
    ),
    "chunk_cache_bytes": FileOption(
        "bytes",
        16777216,
        "tuning",
        False,
        (),
        "a number of bytes",
        "Decoded chunks up to this size in all are kept for further reads. Need not be the "
        "@same on all ranks. Default 16 MiB.",
        "int",
    ),
    "hints": FileOption(
        "hints",
        None,
        "tuning",
        False,
        (),
        "names and values",
        "Hints as MPI-IO knows them, by name; they set the options that are not given. "
        "`striping_unit` sets `stripe_size`, `striping_factor` `stripe_count`, `cb_nodes` "
        "`aggregators`, `cb_buffer_size` `collective_buffer`; `romio_cb_read`, "
        "`romio_cb_write` and `collective_buffering` set `method`. Others are listed as "
        "unused hints of the file. Default none.",
        "Mapping[str, Any]",
    ),
    "mpi_io": FileOption(
        "flag",
        False,
        "tuning",
        True,
        (),
        "true or false",
        "The file is reached through MPI-IO, each process for itself, instead of POSIX calls."
        " It needs a build with MPI. Default False.",
        "bool",
    ),
    "method": FileOption(
        "choice",
        "automatic",
        "tuning",
        True,
        ("automatic", "plain", "independent", "collective", "broadcast"),
        "automatic, plain, independent, collective or broadcast",
        "How read_all and write_all of contiguous data reach the file (see "
        'docs/reference/collective.md). "automatic": chosen for each call, from what all '
        'ranks want. "plain": each rank for itself, also what all want; nothing but errors is'
        ' agreed on. "independent": each rank for itself, but see `sharing`. "collective": '
        'ranks that own stripes transfer for all, but see `sharing`. "broadcast": what all '
        'want, one rank transfers for all; else as collective. Default "automatic".',
        'Literal["automatic", "plain", "independent", "collective", "broadcast"]',
    ),
    "collective_buffer": FileOption(
        "bytes",
        0,
        "tuning",
        True,
        (),
        "0 or at least 64 KiB",
        "At most this much memory is used on a rank by one collective transfer, besides the "
        "caller's. 0 or at least 64 KiB. 0: 16 MiB. Default 0.",
        "int",
    ),
    "aggregators": FileOption(
        "count",
        0,
        "tuning",
        True,
        (),
        "a number",
        "Largest number of ranks that transfer for all. 0: as many as the stripes call for. "
        "Default 0.",
        "int",
    ),
    "single_writer_stripes": FileOption(
        "count",
        None,
        "tuning",
        True,
        (),
        "a number",
        "Up to this number of changed stripes of metadata are written by rank 0; of more, "
        "each by the rank that owns it. None: 64, but 0 for ranks on several nodes if stripes"
        " are known. Default None.",
        "int | None",
    ),
    "small_data_limit": FileOption(
        "bytes",
        65536,
        "tuning",
        True,
        (),
        "a number of bytes",
        "Raw data of datasets up to this size comes along with the metadata. Only where a "
        "file without a page list is opened for reading. For open only. Default 64 KiB.",
        "int",
    ),
}
