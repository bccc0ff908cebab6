"""The options of a file."""

# Made by tools/options.py from src/objects/files/file_options.toml: change that.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict


class FileOptions(TypedDict, total=False):
    """The keywords of `File` that are options: `FILE_OPTIONS` describes them."""

    # behaviour: what the program sees
    follow_external: bool | Literal["nowhere", "everywhere", "folder"]
    locking: bool | Literal["on", "off", "best_effort"] | None
    durable: bool
    journal: bool
    exclusive: bool
    follow: bool
    sharing: Literal["automatic", "trust", "verify", "serve"]

    # layout: what lies where in the file
    profile: Literal["compatible", "latest"]
    track_order: Literal["nothing", "links", "links_and_attributes"]
    track_times: bool
    userblock_size: int
    stripe_size: int
    stripe_count: int
    metadata_reserve: int
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
    device_io: Literal["automatic", "staged", "direct"]
    collective_buffer: int
    aggregators: int
    single_writer_stripes: int | None
    small_data_limit: int


class FileOption(NamedTuple):
    """An option of `File`.

    kind: "bytes", "count", "flag", "choice" or "hints"
    default: the default value; None if the option has none
    group: "behaviour", "layout" or "tuning"
    text: the description
    expected: the values that `File` takes, in words
    type: the type of the keyword, as an annotation
    values: the values of a choice, as `File` takes them
    expert: True if programs should leave the option alone unless they measure
    """

    kind: str
    default: Any
    group: str
    text: str
    expected: str = "true or false"
    type: str = "bool"
    values: tuple[str, ...] = ()
    expert: bool = False


FILE_OPTIONS: dict[str, FileOption] = {
    "follow_external": FileOption(
        "choice",
        "everywhere",
        "behaviour",
        "The other files that Onecast reads if the file names them: targets of external "
        "links, files of raw data, and sources of virtual datasets. Onecast looks for other "
        "files in the folders of the environment variable HDF5_EXT_PREFIX (raw data: "
        "HDF5_EXTFILE_PREFIX, sources of virtual datasets: HDF5_VDS_PREFIX), beside the file "
        "that names them, and at their name, relative to the working directory at the time of"
        " the open. For files that are not trusted choose `folder`: with `everywhere` a file "
        'can reveal everything that the process may read. "nowhere": no other file. '
        '"everywhere": everything that the process may read, as in HDF5. "folder": files in '
        "and below the folder of the file that the program opened, symbolic links resolved. "
        'Default "everywhere".',
        "nowhere, everywhere or folder",
        'bool | Literal["nowhere", "everywhere", "folder"]',
        ("nowhere", "everywhere", "folder"),
    ),
    "locking": FileOption(
        "choice",
        "on",
        "behaviour",
        "Lock the file (flock, as in HDF5) against a second writer, and against a writer "
        "while it is read. The environment variable HDF5_USE_FILE_LOCKING (TRUE, FALSE or "
        'BEST_EFFORT) takes precedence over the option. "on": lock; a file that cannot be '
        'locked is not opened. "off": no lock. "best_effort": like on, but no lock if the '
        'file system has none. Default "on".',
        "on, off or best_effort",
        'bool | Literal["on", "off", "best_effort"] | None',
        ("on", "off", "best_effort"),
    ),
    "durable": FileOption(
        "flag",
        False,
        "behaviour",
        "flush and close return when the bytes are on stable storage. Default False.",
    ),
    "journal": FileOption(
        "flag",
        True,
        "behaviour",
        "Before a flush overwrites metadata, it saves the old bytes in PATH.onecast-journal. "
        "A flush whose process is killed can then be undone. Without the journal, the file is"
        " damaged. Default True.",
        expert=True,
    ),
    "exclusive": FileOption(
        "flag",
        False,
        "behaviour",
        "An existing file is an error and is not replaced. If several programs create a file "
        "at the same moment, one of them gets it. For create only. Default False.",
    ),
    "follow": FileOption(
        "flag",
        False,
        "behaviour",
        "Follow a writer of the file: refresh() shows what it has written since. For reading,"
        " on one process; the file is not locked. The writer may write for readers (SWMR), or"
        " be any Onecast job, on any number of ranks, with the option journal: then each "
        "refresh() shows the state that one of its flushes left. For open only. Default "
        "False.",
    ),
    "sharing": FileOption(
        "choice",
        "automatic",
        "behaviour",
        "The way in which ranks find out whether they pass equal arguments to read_all and "
        'write_equal; a call may choose another value. "automatic": read_all: one small '
        "reduction compares; a part that all ranks want is read by one rank and broadcast, "
        "otherwise each rank reads its own. write_equal: no message is sent, flush compares. "
        '"trust": nothing is compared: read_all is one broadcast. If a rank passes other '
        "arguments, or fails where the others do not, results are wrong or the program hangs."
        ' "verify": one small reduction compares, in read_all and write_equal; if a rank '
        'passes other arguments, all ranks get the error "diverged", which names the ranks. '
        '"serve": read_all: ranks that want one part share one read and one broadcast, '
        'whatever the other ranks want. write_equal: as verify. Default "automatic".',
        "automatic, trust, verify or serve",
        'Literal["automatic", "trust", "verify", "serve"]',
        ("automatic", "trust", "verify", "serve"),
        expert=True,
    ),
    "profile": FileOption(
        "choice",
        "compatible",
        "layout",
        "The versions of HDF5 structures in a new file; the file keeps its profile. "
        '"compatible": readable by every library since HDF5 1.8. "latest": uses the chunk '
        "indexes of HDF5 1.10, which are smaller and faster to append to. For create only. "
        'Default "compatible".',
        "compatible or latest",
        'Literal["compatible", "latest"]',
        ("compatible", "latest"),
    ),
    "track_order": FileOption(
        "choice",
        "links",
        "layout",
        "The orders of creation that the root group of a new file tracks, and in which it is "
        'listed. "nothing": links and attributes are listed by name. "links": links; '
        'attributes are listed by name. "links_and_attributes": both. For create only. '
        'Default "links".',
        "nothing, links or links_and_attributes",
        'Literal["nothing", "links", "links_and_attributes"]',
        ("nothing", "links", "links_and_attributes"),
    ),
    "track_times": FileOption(
        "flag",
        False,
        "layout",
        "The root group of a new file has the times of its creation and of its last change. "
        "For create only. Default False.",
    ),
    "userblock_size": FileOption(
        "bytes",
        0,
        "layout",
        "Size of the user block of a new file: bytes before the HDF5 file, which belong to "
        "the program. Onecast leaves them unwritten. 0 or a power of two from 512 bytes to "
        "18,446,744,073,709,551,615 bytes. 0: none. For create only. Default 0.",
        "0 or a power of two from 512 bytes to 18,446,744,073,709,551,615 bytes",
        "int",
    ),
    "stripe_size": FileOption(
        "bytes",
        0,
        "layout",
        "Stripe size, if the file system does not report one. It decides where metadata and "
        "large datasets lie, which ranks write, and how collective transfers are divided. For"
        " a new file it is requested from the file system, if it takes such requests "
        "(Lustre). At most 1 TiB. 0: 1 MiB, and no request. Default 0.",
        "at most 1 TiB",
        "int",
    ),
    "stripe_count": FileOption(
        "count",
        0,
        "layout",
        "Number of storage targets of the file, if the file system does not report one. For a"
        " new file it is requested from the file system, if it takes such requests (Lustre). "
        "0: unknown, and no request. Default 0.",
        "a number",
        "int",
    ),
    "metadata_reserve": FileOption(
        "bytes",
        0,
        "layout",
        "Bytes at the start of a new file that are for metadata only. They are rounded up to "
        "whole pages, and to whole stripes if stripes are known. On Lustre these bytes are a "
        "component of one stripe, so that metadata lies on one storage target; the requested "
        "striping is that of the rest. The file is at least this large, but on most file "
        "systems unwritten bytes take no space. At most 1 TiB. 0: none. For create only. "
        "Default 0.",
        "at most 1 TiB",
        "int",
    ),
    "page_size": FileOption(
        "bytes",
        0,
        "layout",
        "Size of the metadata pages of a new file, or of pages that are added to a file "
        "without a page list. The size of the file is a multiple of the page size. Metadata "
        "pages of any size lie together in large runs; larger pages save almost nothing and "
        "make small files larger. 0 or a power of two from 4 KiB to 1 GiB. 0: 4 KiB. Default "
        "0.",
        "0 or a power of two from 4 KiB to 1 GiB",
        "int",
        expert=True,
    ),
    "compact_limit": FileOption(
        "bytes",
        4096,
        "layout",
        "Largest size of a new dataset that is compact by default (stored in its header); 0: "
        "none. At most 64,000 bytes. Default 4 KiB.",
        "at most 64,000 bytes",
        "int",
        expert=True,
    ),
    "compact_total": FileOption(
        "bytes",
        None,
        "layout",
        "Largest total size of the datasets that are compact by default. Every rank holds the"
        " data of all compact datasets. The total counts datasets that were created, and not "
        "removed, since the file was opened. For datasets created in an independent section "
        "the flush decides: all of them are compact, or none. None: 16 MiB with a "
        "communicator, no limit without one. Default None.",
        "a number of bytes",
        "int | None",
        expert=True,
    ),
    "alignment_interval": FileOption(
        "bytes",
        0,
        "layout",
        "Large contiguous data and large chunks begin at multiples of this size in the file; "
        "1: anywhere. At most 1 TiB. 0: the stripe size, if stripes are known; then only "
        "chunks that fill whole stripes are aligned. Default 0.",
        "at most 1 TiB",
        "int",
        expert=True,
    ),
    "alignment_threshold": FileOption(
        "bytes",
        0,
        "layout",
        "Smallest size of contiguous data and chunks that are aligned to "
        "`alignment_interval`. 0: the size of `alignment_interval`. Default 0.",
        "a number of bytes",
        "int",
        expert=True,
    ),
    "load_policy": FileOption(
        "choice",
        "automatic",
        "tuning",
        'The time at which metadata is read. "automatic": eager with several ranks, and for '
        'files with a page list and at most 2 MiB of metadata; else lazy. "eager": all '
        'metadata at open, up to `metadata_budget`. "lazy": each rank reads the metadata that'
        ' it looks up. For open only. Default "automatic".',
        "automatic, eager or lazy",
        'Literal["automatic", "eager", "lazy"]',
        ("automatic", "eager", "lazy"),
    ),
    "metadata_budget": FileOption(
        "bytes",
        268435456,
        "tuning",
        "The approximate amount of metadata that an open brings to every rank, and that a "
        "file open for writing keeps in memory. At open it counts metadata and small data; "
        "the superblock is always read. Ranks read the rest when they look it up, unless it "
        "is prefetched. While writing it counts metadata as in the file and decoded, without "
        "objects that handles lead to, a few pages, and the results of one call. When the "
        "results of the structural calls since the last flush take half of the budget, the "
        "next structural call that adds something flushes first. That call then communicates."
        " It is the same call on all ranks, and on any number of ranks. After a flush, "
        "metadata beyond a part of the budget is dropped from memory and read again when it "
        "is looked up. In an independent section there is no such flush. Default 256 MiB.",
        "a number of bytes",
        "int",
    ),
    "decode_threads": FileOption(
        "count",
        0,
        "tuning",
        "Number of threads that one read of a chunked or large dataset may use, including the"
        " caller's. 0: the number of cores that this process may use; 1 with several ranks. "
        "Need not be the @same on all ranks. Default 0.",
        "a number",
        "int",
    ),
    "chunk_cache_bytes": FileOption(
        "bytes",
        16777216,
        "tuning",
        "Total size of chunks that are kept for further reads: filtered chunks in decoded "
        "form, others as stored. Need not be the @same on all ranks. Default 16 MiB.",
        "a number of bytes",
        "int",
    ),
    "hints": FileOption(
        "hints",
        None,
        "tuning",
        "Hints of MPI-IO, by name; they set options that are not given. `striping_unit` sets "
        "`stripe_size`, `striping_factor` `stripe_count`, `cb_nodes` `aggregators`, "
        "`cb_buffer_size` `collective_buffer`; `romio_cb_read`, `romio_cb_write` and "
        "`collective_buffering` set `method`. Others are listed as unused hints of the file. "
        "Default none.",
        "names and values",
        "Mapping[str, Any]",
    ),
    "mpi_io": FileOption(
        "flag",
        False,
        "tuning",
        "Use independent MPI-IO operations instead of POSIX calls for file access. Only in a "
        "build with MPI. Default False.",
        expert=True,
    ),
    "method": FileOption(
        "choice",
        "automatic",
        "tuning",
        "The method of read_all and write_all for contiguous data (see "
        'docs/reference/collective.md). "automatic": chosen for each call, from the requests '
        'of all ranks. "plain": each rank transfers its own part, even if all ranks want one '
        'part; ranks agree on errors only. "independent": each rank transfers its own part, '
        'but see `sharing`. "collective": stripe owners transfer for all ranks, but see '
        '`sharing`. "broadcast": one rank transfers a part that all ranks want; otherwise as '
        'collective. Default "automatic".',
        "automatic, plain, independent, collective or broadcast",
        'Literal["automatic", "plain", "independent", "collective", "broadcast"]',
        ("automatic", "plain", "independent", "collective", "broadcast"),
        expert=True,
    ),
    "device_io": FileOption(
        "choice",
        "automatic",
        "tuning",
        "The way of data between the file and memory of a device (see docs/how-to/gpu.md). "
        '"automatic": data goes directly where the system has NVIDIA\'s GPUDirect Storage, and'
        ' the data and the file allow it; otherwise it is staged. "staged": data goes through'
        " memory of the process, which the device copies while the file is read or written. "
        '"direct": data goes by NVIDIA\'s cuFile. If it does not transfer a part that is large'
        " enough, the call fails and says why. What ranks exchange is sent from memory of the"
        ' device, if the MPI says that it can. Default "automatic".',
        "automatic, staged or direct",
        'Literal["automatic", "staged", "direct"]',
        ("automatic", "staged", "direct"),
        expert=True,
    ),
    "collective_buffer": FileOption(
        "bytes",
        0,
        "tuning",
        "Largest amount of memory that one collective transfer uses on a rank, in addition to"
        " the caller's. 0 or at least 64 KiB. 0: 16 MiB. Default 0.",
        "0 or at least 64 KiB",
        "int",
        expert=True,
    ),
    "aggregators": FileOption(
        "count",
        0,
        "tuning",
        "Largest number of ranks that transfer for all ranks. 0: as many as the stripes "
        "require. Default 0.",
        "a number",
        "int",
        expert=True,
    ),
    "single_writer_stripes": FileOption(
        "count",
        None,
        "tuning",
        "Largest number of stripes with changed metadata that rank 0 writes for all ranks; "
        "with more, each stripe is written by its owner. None: 64, but 0 if stripes are known"
        " and the ranks are on several nodes. Default None.",
        "a number",
        "int | None",
        expert=True,
    ),
    "small_data_limit": FileOption(
        "bytes",
        65536,
        "tuning",
        "Largest size of a dataset whose raw data is read with the metadata. Applies only to "
        "files without a page list that are opened for reading. For open only. Default 64 "
        "KiB.",
        "a number of bytes",
        "int",
        expert=True,
    ),
}
