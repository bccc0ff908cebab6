#pragma once

// Made by tools/options.py from src/objects/files/file_options.toml: change that.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace onecast {

/// The other files that Onecast reads if a file names them: targets of external links, files of raw
/// data, and sources of virtual datasets.
enum class FollowExternal : std::uint8_t {
  /// No other file.
  nowhere,
  /// Everything that the process may read, as in HDF5.
  everywhere,
  /// Files in and below the folder of the file that the program opened, symbolic links resolved.
  folder,
};

/// Locks on files, as in HDF5 (flock): one writer, or any number of readers. One rank locks the
/// file for all ranks.
enum class FileLocking : std::uint8_t {
  /// Lock; a file that cannot be locked is not opened.
  on,
  /// No lock.
  off,
  /// Like on, but no lock if the file system has none.
  best_effort,
};

/// The way in which ranks find out whether they pass equal arguments to read_all and write_equal.
/// An option of a file and of a call.
enum class Sharing : std::uint8_t {
  /// read_all: one small reduction compares; a part that all ranks want is read by one rank and
  /// broadcast, otherwise each rank reads its own. write_equal: no message is sent, flush compares.
  automatic,
  /// Nothing is compared: read_all is one broadcast. If a rank passes other arguments, or fails
  /// where the others do not, results are wrong or the program hangs.
  trust,
  /// One small reduction compares, in read_all and write_equal; if a rank passes other arguments,
  /// all ranks get the error "diverged", which names the ranks.
  verify,
  /// read_all: ranks that want one part share one read and one broadcast, whatever the other ranks
  /// want. write_equal: as verify.
  serve,
};

/// The versions of HDF5 structures in a file. A file keeps its profile (see
/// docs/reference/profiles.md).
enum class Profile : std::uint8_t {
  /// Readable by every library since HDF5 1.8.
  compatible,
  /// Uses the chunk indexes of HDF5 1.10, which are smaller and faster to append to.
  latest,
};

/// The orders of creation that the root group of a new file tracks, and in which it is listed.
enum class TrackOrder : std::uint8_t {
  /// Links and attributes are listed by name.
  nothing,
  /// Links; attributes are listed by name.
  links,
  /// Both.
  links_and_attributes,
};

/// The time at which metadata is read.
enum class LoadPolicy : std::uint8_t {
  /// Eager with several ranks, and for files with a page list and at most 2 MiB of metadata; else
  /// lazy.
  automatic,
  /// All metadata at open, up to `metadata_budget`.
  eager,
  /// Each rank reads the metadata that it looks up.
  lazy,
};

/// The method of read_all and write_all for contiguous data. Other data has methods of its own.
enum class TransferMethod : std::uint8_t {
  /// Chosen for each call, from the requests of all ranks.
  automatic,
  /// Each rank transfers its own part, even if all ranks want one part; ranks agree on errors only.
  plain,
  /// Each rank transfers its own part, but see `sharing`.
  independent,
  /// Stripe owners transfer for all ranks, but see `sharing`.
  collective,
  /// One rank transfers a part that all ranks want; otherwise as collective.
  broadcast,
};

/// The way of data between a file and memory of a device (a GPU).
enum class DeviceIo : std::uint8_t {
  /// Data goes directly where the system has NVIDIA's GPUDirect Storage, and the data and the file
  /// allow it; otherwise it is staged.
  automatic,
  /// Data goes through memory of the process, which the device copies while the file is read or
  /// written.
  staged,
  /// Data goes by NVIDIA's cuFile. If it does not transfer a part that is large enough, the call
  /// fails and says why. What ranks exchange is sent from memory of the device, if the MPI says
  /// that it can.
  direct,
};

/// Options of File::create and File::open. They are the @same on all ranks (else all ranks throw
/// diverged) unless said otherwise. Sizes in bytes. docs/reference/options.md lists them for all
/// languages, and says which of them most programs need.
struct FileOptions {
  // --- behaviour: what the program sees

  /// The other files that Onecast reads if the file names them: targets of external links, files of
  /// raw data, and sources of virtual datasets. Onecast looks for other files in the folders of the
  /// environment variable HDF5_EXT_PREFIX (raw data: HDF5_EXTFILE_PREFIX, sources of virtual
  /// datasets: HDF5_VDS_PREFIX), beside the file that names them, and at their name, relative to
  /// the working directory at the time of the open. For files that are not trusted choose `folder`:
  /// with `everywhere` a file can reveal everything that the process may read.
  FollowExternal follow_external = FollowExternal::everywhere;
  /// Lock the file (flock, as in HDF5) against a second writer, and against a writer while it is
  /// read. The environment variable HDF5_USE_FILE_LOCKING (TRUE, FALSE or BEST_EFFORT) takes
  /// precedence over the option.
  FileLocking locking = FileLocking::on;
  /// flush and close return when the bytes are on stable storage.
  bool durable = false;
  /// Before a flush overwrites metadata, it saves the old bytes in PATH.onecast-journal. A flush
  /// whose process is killed can then be undone. Without the journal, the file is damaged. Leave
  /// alone unless measured.
  bool journal = true;
  /// An existing file is an error and is not replaced. If several programs create a file at the
  /// same moment, one of them gets it. For create only.
  bool exclusive = false;
  /// Follow a writer of the file: refresh() shows what it has written since. For reading, on one
  /// process; the file is not locked. The writer may write for readers (SWMR), or be any Onecast
  /// job, on any number of ranks, with the option journal: then each refresh() shows the state that
  /// one of its flushes left. For open only.
  bool follow = false;
  /// The way in which ranks find out whether they pass equal arguments to read_all and write_equal;
  /// a call may choose another value. Leave alone unless measured.
  Sharing sharing = Sharing::automatic;

  // --- layout: what lies where in the file

  /// The versions of HDF5 structures in a new file; the file keeps its profile. For create only.
  Profile profile = Profile::compatible;
  /// The orders of creation that the root group of a new file tracks, and in which it is listed.
  /// For create only.
  TrackOrder track_order = TrackOrder::links;
  /// The root group of a new file has the times of its creation and of its last change. For create
  /// only.
  bool track_times = false;
  /// Size of the user block of a new file: bytes before the HDF5 file, which belong to the program.
  /// Onecast leaves them unwritten. 0 or a power of two from 512 bytes to
  /// 18,446,744,073,709,551,615 bytes. 0: none. For create only.
  std::uint64_t userblock_size = 0;
  /// Stripe size, if the file system does not report one. It decides where metadata and large
  /// datasets lie, which ranks write, and how collective transfers are divided. For a new file it
  /// is requested from the file system, if it takes such requests (Lustre). At most 1 TiB. 0: 1
  /// MiB, and no request.
  std::uint64_t stripe_size = 0;
  /// Number of storage targets of the file, if the file system does not report one. For a new file
  /// it is requested from the file system, if it takes such requests (Lustre). 0: unknown, and no
  /// request.
  std::uint32_t stripe_count = 0;
  /// Bytes at the start of a new file that are for metadata only. They are rounded up to whole
  /// pages, and to whole stripes if stripes are known. On Lustre these bytes are a component of one
  /// stripe, so that metadata lies on one storage target; the requested striping is that of the
  /// rest. The file is at least this large, but on most file systems unwritten bytes take no space.
  /// At most 1 TiB. 0: none. For create only.
  std::uint64_t metadata_reserve = 0;
  /// Size of the metadata pages of a new file, or of pages that are added to a file without a page
  /// list. The size of the file is a multiple of the page size. Metadata pages of any size lie
  /// together in large runs; larger pages save almost nothing and make small files larger. 0 or a
  /// power of two from 4 KiB to 1 GiB. 0: 4 KiB. Leave alone unless measured.
  std::uint64_t page_size = 0;
  /// Largest size of a new dataset that is compact by default (stored in its header); 0: none. At
  /// most 64,000 bytes. Leave alone unless measured.
  std::uint64_t compact_limit = 4096;
  /// Largest total size of the datasets that are compact by default. Every rank holds the data of
  /// all compact datasets. The total counts datasets that were created, and not removed, since the
  /// file was opened. For datasets created in an independent section the flush decides: all of them
  /// are compact, or none. Not given: 16 MiB with a communicator, no limit without one. Leave alone
  /// unless measured.
  std::optional<std::uint64_t> compact_total = {};
  /// Large contiguous data and large chunks begin at multiples of this size in the file; 1:
  /// anywhere. At most 1 TiB. 0: the stripe size, if stripes are known; then only chunks that fill
  /// whole stripes are aligned. Leave alone unless measured.
  std::uint64_t alignment_interval = 0;
  /// Smallest size of contiguous data and chunks that are aligned to `alignment_interval`. 0: the
  /// size of `alignment_interval`. Leave alone unless measured.
  std::uint64_t alignment_threshold = 0;

  // --- tuning: the same results by other means

  /// The time at which metadata is read. For open only.
  LoadPolicy load_policy = LoadPolicy::automatic;
  /// The approximate amount of metadata that an open brings to every rank, and that a file open for
  /// writing keeps in memory. At open it counts metadata and small data; the superblock is always
  /// read. Ranks read the rest when they look it up, unless it is prefetched. While writing it
  /// counts metadata as in the file and decoded, without objects that handles lead to, a few pages,
  /// and the results of one call. When the results of the structural calls since the last flush
  /// take half of the budget, the next structural call that adds something flushes first. That call
  /// then communicates. It is the same call on all ranks, and on any number of ranks. After a
  /// flush, metadata beyond a part of the budget is dropped from memory and read again when it is
  /// looked up. In an independent section there is no such flush.
  std::uint64_t metadata_budget = std::uint64_t{256} << 20U;
  /// Number of threads that one read of a chunked or large dataset may use, including the caller's.
  /// 0: the number of cores that this process may use; 1 with several ranks. Need not be the @same
  /// on all ranks.
  std::uint32_t decode_threads = 0;
  /// Total size of chunks that are kept for further reads: filtered chunks in decoded form, others
  /// as stored. Need not be the @same on all ranks.
  std::uint64_t chunk_cache_bytes = std::uint64_t{16} << 20U;
  /// Hints of MPI-IO, by name; they set options that are not given. `striping_unit` sets
  /// `stripe_size`, `striping_factor` `stripe_count`, `cb_nodes` `aggregators`, `cb_buffer_size`
  /// `collective_buffer`; `romio_cb_read`, `romio_cb_write` and `collective_buffering` set
  /// `method`. Others are listed as unused hints of the file.
  std::map<std::string, std::string> hints = {};
  /// Use independent MPI-IO operations instead of POSIX calls for file access. Only in a build with
  /// MPI. Leave alone unless measured.
  bool mpi_io = false;
  /// The method of read_all and write_all for contiguous data (see docs/reference/collective.md).
  /// Leave alone unless measured.
  TransferMethod method = TransferMethod::automatic;
  /// The way of data between the file and memory of a device (see docs/how-to/gpu.md). Leave alone
  /// unless measured.
  DeviceIo device_io = DeviceIo::automatic;
  /// Largest amount of memory that one collective transfer uses on a rank, in addition to the
  /// caller's. 0 or at least 64 KiB. 0: 16 MiB. Leave alone unless measured.
  std::uint64_t collective_buffer = 0;
  /// Largest number of ranks that transfer for all ranks. 0: as many as the stripes require. Leave
  /// alone unless measured.
  std::uint32_t aggregators = 0;
  /// Largest number of stripes with changed metadata that rank 0 writes for all ranks; with more,
  /// each stripe is written by its owner. Not given: 64, but 0 if stripes are known and the ranks
  /// are on several nodes. Leave alone unless measured.
  std::optional<std::uint64_t> single_writer_stripes = {};
  /// Largest size of a dataset whose raw data is read with the metadata. Applies only to files
  /// without a page list that are opened for reading. For open only. Leave alone unless measured.
  std::uint64_t small_data_limit = std::uint64_t{64} << 10U;

  /// Not an option: an error in the options of this rank that a binding of another language found.
  /// open and create throw it, on all ranks.
  std::string problem = {};

  bool operator==(const FileOptions&) const = default;
};

}  // namespace onecast
