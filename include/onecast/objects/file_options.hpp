#pragma once

// Made by tools/options.py from src/objects/tree/file_options.toml: change that.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace onecast {

/// Which files that a file names are followed: those of external links, of raw data, and the
/// sources of virtual datasets.
enum class FollowExternal : std::uint8_t {
  /// No other file.
  nowhere,
  /// As HDF5 does: whatever the process may read.
  everywhere,
  /// In the folder of the file that the program opened and below it, symbolic links resolved.
  folder,
};

/// Locks on files, as HDF5 takes them (flock): writers alone, readers together. Of several ranks
/// one locks for all.
enum class FileLocking : std::uint8_t {
  /// A file that cannot be locked is not opened.
  on,
  /// No lock.
  off,
  /// On, but not where the file system has no locks.
  best_effort,
};

/// How ranks that read together, or write what all of them have, find out whether they mean the
/// same. An option of a file, and of a call.
enum class Sharing : std::uint8_t {
  /// read_all: one small reduction tells; what all ranks want is read by one rank and broadcast,
  /// else each rank reads its own. write_equal: nothing is sent, flush compares.
  automatic,
  /// All mean the same, and nothing is compared: read_all is one broadcast. A rank that means
  /// something else, or fails where the others do not, makes the program wrong, or hang.
  trust,
  /// All must mean the same, which one small reduction tells: if a rank does not, all get the error
  /// "diverged", which names the ranks. So does write_equal.
  verify,
  /// read_all: ranks that want the same share one read and one broadcast among themselves, whatever
  /// the others want. write_equal: as verify.
  serve,
};

/// Which versions of HDF5's structures a file is made of. The file keeps it (see
/// docs/reference/profiles.md).
enum class Profile : std::uint8_t {
  /// Every library since HDF5 1.8 reads it.
  compatible,
  /// Chunk indexes of HDF5 1.10: smaller, and faster to append to.
  latest,
};

/// When metadata is read.
enum class LoadPolicy : std::uint8_t {
  /// Eager for files with a page list and wherever there are several ranks, else lazy.
  automatic,
  /// All of it at open, up to `metadata_budget`.
  eager,
  /// Only what is looked at, by the rank that looks.
  lazy,
};

/// How read_all and write_all of contiguous data reach the file; other data goes its own way.
enum class TransferMethod : std::uint8_t {
  /// Chosen for each call, from what all ranks want.
  automatic,
  /// Each rank for itself, also what all want; nothing but errors is agreed on.
  plain,
  /// Each rank for itself, but see `sharing`.
  independent,
  /// Ranks that own stripes transfer for all, but see `sharing`.
  collective,
  /// What all want, one rank transfers for all; else as collective.
  broadcast,
};

/// Options of File::create and File::open, the @same on all ranks (or they throw diverged) unless
/// said otherwise. Sizes in bytes. docs/reference/options.md lists them for all languages; what is
/// not marked there as expert is what most programs need.
struct FileOptions {
  // --- behaviour: what the program sees

  /// Which other files that the file names are read: by external links, as raw data, as sources of
  /// virtual datasets. They are looked for in the folders of the environment variable
  /// HDF5_EXT_PREFIX (raw data: HDF5_EXTFILE_PREFIX, sources of virtual datasets: HDF5_VDS_PREFIX),
  /// beside the file that names them, and at their name as it stands, seen from the folder in which
  /// the program opened the file. For files that are not trusted choose `folder`: `everywhere`
  /// shows whatever the process may read.
  FollowExternal follow_external = FollowExternal::everywhere;
  /// Whether the file is locked (flock, as HDF5 does) against a second writer, and readers against
  /// a writer. The environment variable HDF5_USE_FILE_LOCKING (TRUE, FALSE or BEST_EFFORT) wins
  /// over the option.
  FileLocking locking = FileLocking::on;
  /// flush and close wait until the bytes are on stable storage.
  bool durable = false;
  /// Before a flush overwrites metadata, it saves what was there in PATH.onecast-journal. The flush
  /// of a process that is killed can then be undone. Without the journal such a file is damaged.
  /// Leave alone unless measured.
  bool journal = true;
  /// How ranks find out whether they mean the same, in read_all and write_equal; each call may say
  /// otherwise. Leave alone unless measured.
  Sharing sharing = Sharing::automatic;

  // --- layout: what lies where in the file

  /// Which versions of HDF5's structures a new file is made of; the file keeps it. For create only.
  Profile profile = Profile::compatible;
  /// Size of a stripe of the file system, where the file system does not say it. The places of
  /// metadata and of large datasets, writers and collective transfers go by it. A new file is
  /// striped so, where the file system takes such wishes (Lustre). At most 1 TiB. 0: 1 MiB, and no
  /// wish.
  std::uint64_t stripe_size = 0;
  /// Number of storage targets over which the file is striped, where the file system does not say
  /// it. A new file is striped so, where the file system takes such wishes (Lustre). 0: not known,
  /// and no wish.
  std::uint32_t stripe_count = 0;
  /// Size of a metadata page of a new file, or of pages that are added to a file without a page
  /// list. The size of the file is a multiple of it. Pages of metadata lie together in large runs,
  /// whatever their size; larger pages save next to nothing, and make small files larger. 0 or a
  /// power of two from 4 KiB to 1 GiB. 0: 4 KiB. Leave alone unless measured.
  std::uint64_t page_size = 0;
  /// Datasets that are created with at most this size are stored in their header. At most 64,000
  /// bytes. Leave alone unless measured.
  std::uint64_t compact_limit = 4096;
  /// Datasets are stored in their header only while the data of all of these is at most this size.
  /// It counts those made and not removed since the file was opened: every rank holds all of their
  /// data. Those made inside independent() are judged at the flush, all or none of them. Not given:
  /// 16 MiB with a communicator, no limit without. Leave alone unless measured.
  std::optional<std::uint64_t> compact_total = {};
  /// Large contiguous data and large chunks begin at multiples of this in the file; 1: anywhere. At
  /// most 1 TiB. 0: a stripe, if stripes are known; then of chunks only those that fill whole
  /// stripes. Leave alone unless measured.
  std::uint64_t alignment_interval = 0;
  /// Contiguous data and chunks of this size or more are aligned to `alignment_interval`. 0: the
  /// size of `alignment_interval`. Leave alone unless measured.
  std::uint64_t alignment_threshold = 0;

  // --- tuning: the same results by other means

  /// When metadata is read. For open only.
  LoadPolicy load_policy = LoadPolicy::automatic;
  /// About this much metadata is brought to every rank at open, and is in memory while writing.
  /// Open: it counts metadata and small data; the superblock comes in any case. What is left is
  /// read by the ranks that look at it, unless it is prefetched. Writing: it counts metadata as it
  /// is in the file and decoded, besides what handles lead to, a few pages, and what one call
  /// makes. When what the structural calls since the last flush made takes half of it, the next one
  /// that adds something flushes first: that call is @collective then, the same on all ranks, on
  /// any number of them after the same calls. What a flush leaves in memory beyond a part of the
  /// budget is forgotten, and read again by those that look at it. Inside independent() there is no
  /// such flush.
  std::uint64_t metadata_budget = std::uint64_t{256} << 20U;
  /// Number of threads that one read of a chunked or large dataset may use, the caller's included.
  /// 0: the cores this process may use; 1 on several ranks. Need not be the @same on all ranks.
  std::uint32_t decode_threads = 0;
  /// Decoded chunks up to this size in all are kept for further reads. Need not be the @same on all
  /// ranks.
  std::uint64_t chunk_cache_bytes = std::uint64_t{16} << 20U;
  /// Hints as MPI-IO knows them, by name; they set the options that are not given. `striping_unit`
  /// sets `stripe_size`, `striping_factor` `stripe_count`, `cb_nodes` `aggregators`,
  /// `cb_buffer_size` `collective_buffer`; `romio_cb_read`, `romio_cb_write` and
  /// `collective_buffering` set `method`. Others are listed as unused hints of the file.
  std::map<std::string, std::string> hints = {};
  /// The file is reached through MPI-IO, each process for itself, instead of POSIX calls. It needs
  /// a build with MPI. Leave alone unless measured.
  bool mpi_io = false;
  /// How read_all and write_all of contiguous data reach the file (see
  /// docs/reference/collective.md). Leave alone unless measured.
  TransferMethod method = TransferMethod::automatic;
  /// At most this much memory is used on a rank by one collective transfer, besides the caller's. 0
  /// or at least 64 KiB. 0: 16 MiB. Leave alone unless measured.
  std::uint64_t collective_buffer = 0;
  /// Largest number of ranks that transfer for all. 0: as many as the stripes call for. Leave alone
  /// unless measured.
  std::uint32_t aggregators = 0;
  /// Up to this number of changed stripes of metadata are written by rank 0; of more, each by the
  /// rank that owns it. Not given: 64, but 0 for ranks on several nodes if stripes are known. Leave
  /// alone unless measured.
  std::optional<std::uint64_t> single_writer_stripes = {};
  /// Raw data of datasets up to this size comes along with the metadata. Only where a file without
  /// a page list is opened for reading. For open only. Leave alone unless measured.
  std::uint64_t small_data_limit = std::uint64_t{64} << 10U;

  /// Not an option: what is wrong with those of this rank, where a binding of another language
  /// found that. open and create throw it, on all ranks.
  std::string problem = {};

  bool operator==(const FileOptions&) const = default;
};

}  // namespace onecast
