#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "onecast/comm/communicator.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/independent.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/objects/pending.hpp"
#include "onecast/objects/settled.hpp"
#include "onecast/transport/io_stats.hpp"

namespace onecast {

class FileOpening;
class FileState;

/// read_write is for files that exist; a new file is always open for both.
enum class Access : std::uint8_t { read_only, read_write };

/// When metadata that open has not brought yet is read.
enum class LoadPolicy : std::uint8_t {
  automatic,  ///< eager for files with a page list and wherever there are several ranks, else lazy
  eager,      ///< all of it at open, up to the budget
  lazy,       ///< only what is looked at
};

/// Locks on files, as HDF5 takes them (flock): writers alone, readers together. Of several ranks
/// one locks for all.
enum class FileLocking : std::uint8_t {
  on,
  off,
  best_effort,  ///< on, but not where the file system has no locks
};

/// Which files that a file names are followed: those of external links, of raw data, and the
/// sources of virtual datasets.
enum class FollowExternal : std::uint8_t {
  nowhere,
  everywhere,  ///< as HDF5 does: whatever the process may read
  folder,      ///< in the folder of the file that the program opened and below it, symbolic links
               ///< resolved
};

/// Which versions of HDF5's structures a file is made of. It is kept by the file (see
/// docs/reference/profiles.md).
enum class Profile : std::uint8_t {
  compatible,  ///< every library since HDF5 1.8 reads it
  latest,      ///< chunk indexes of HDF5 1.10: smaller, and faster to append to
};

/// How read_all and write_all of contiguous data reach the file; other data goes its own way.
enum class TransferMethod : std::uint8_t {
  automatic,    ///< chosen for each call, from what all ranks want
  plain,        ///< each rank for itself, also what all want; nothing but errors is agreed on
  independent,  ///< each rank for itself, but see Sharing
  collective,   ///< ranks that own stripes transfer for all, but see Sharing
  broadcast,    ///< what all want, one rank transfers for all; else as collective
};

/// Options of open and create, the @same on all ranks (or they throw diverged). Sizes in bytes.
struct FileOptions {
  /// Create: of a metadata page, a power of two from 4 KiB to 1 GiB, 0: 4 KiB; the size of the file
  /// is a multiple. Pages of metadata lie together in large runs, whatever their size. Open for
  /// writing, files without a page list: of pages that are added.
  std::uint64_t page_size = 0;
  /// Create.
  Profile profile = Profile::compatible;
  /// Datasets created with at most this many bytes (0 ... 64,000) are stored in their header.
  std::uint64_t compact_limit = 4096;
  /// And only as long as the data of such datasets, made and not removed since the file was opened,
  /// is no more than this: every rank holds all of it. Those made inside independent() are judged
  /// at the flush, all or none of them. Not given: 16 MiB with a communicator, without one no
  /// limit.
  std::optional<std::uint64_t> compact_total = {};
  /// Open: about so much metadata and small data is brought to every rank at most, the superblock
  /// in any case. What is left is read by those that look at it; see File::prefetch_all. Writing:
  /// about so much metadata, as it is in the file and decoded, is in memory at most, besides what
  /// handles lead to, a few pages, and what one call makes. When what the
  /// structural calls since the last flush made takes half of it, the next one that adds something
  /// flushes first: it is @collective then, the same on all ranks, on any number of them after the
  /// same calls. What a flush leaves in memory beyond a part of it is forgotten, and read again by
  /// those that look at it. Inside File::independent there is no such flush.
  std::uint64_t metadata_budget = std::uint64_t{256} << 20U;
  /// Open for reading, files without a page list: raw data of datasets up to this size comes along.
  std::uint64_t small_data_limit = 64 << 10U;
  LoadPolicy load_policy = LoadPolicy::automatic;
  /// Follow links into other files, and read raw data that lies in other files. They are looked for
  /// in the folders of the environment variable HDF5_EXT_PREFIX (raw data: HDF5_EXTFILE_PREFIX,
  /// sources of virtual datasets: HDF5_VDS_PREFIX), beside the file that names them, and at their
  /// name as it stands, seen from the folder in which the program opened the file. Files that are
  /// not trusted: `folder`, or they show whatever the process may read.
  FollowExternal follow_external = FollowExternal::everywhere;
  /// Of a stripe of the file system, where that does not say so itself: what places of metadata and
  /// of large datasets, writers and collective transfers go by. A new file is made so, where the
  /// file system takes such wishes (Lustre). 0: 1 MiB, and no wish.
  std::uint64_t stripe_size = 0;
  /// A number: over so many storage targets; likewise. 0: not known, and no wish.
  std::uint32_t stripe_count = 0;
  /// A number: so many changed stripes, and fewer, are written by rank 0; of more, each by the rank
  /// that owns it. Not given: 64, but 0 for ranks on several nodes if stripes are known.
  std::optional<std::uint64_t> single_writer_stripes = {};
  /// Contiguous data and chunks of this size or more begin at multiples of `alignment_interval` in
  /// the file. 0: of that size.
  std::uint64_t alignment_threshold = 0;
  /// 0: of a stripe, if stripes are known; then of chunks only those that fill whole stripes. 1: no
  /// alignment.
  std::uint64_t alignment_interval = 0;
  /// flush and close wait until the bytes are on stable storage.
  bool durable = false;
  /// Before a flush overwrites pages, what was there is written to PATH.onecast-journal, so that
  /// the flush of a process that is killed can be undone. Without it, such a file is damaged.
  bool journal = true;
  /// The environment variable HDF5_USE_FILE_LOCKING (TRUE, FALSE or BEST_EFFORT) wins over it.
  FileLocking locking = FileLocking::on;
  /// Threads that one read of a chunked or large dataset may use, the caller's included; need not
  /// be the @same. 0: the cores this process may use; 1 on several ranks.
  unsigned decode_threads = 0;
  /// Decoded chunks up to so many bytes are kept for further reads; need not be the @same.
  std::uint64_t chunk_cache_bytes = std::uint64_t{16} << 20U;
  /// Of read_all and write_equal; each call may say otherwise.
  Sharing sharing = Sharing::automatic;
  TransferMethod method = TransferMethod::automatic;
  /// At most so much memory is used on a rank by one collective transfer, besides the caller's:
  /// 64 KiB or more. 0: 16 MiB.
  std::uint64_t collective_buffer = 0;
  /// A number: at most so many ranks transfer for all. 0: as many as the stripes call for.
  std::uint32_t aggregators = 0;
  /// Hints as MPI-IO knows them (see hints_of in onecast/comm/mpi.hpp): striping_unit,
  /// striping_factor, cb_nodes, cb_buffer_size, romio_cb_read, romio_cb_write,
  /// collective_buffering; they set the options above that are not given. See
  /// File::unused_hints for others.
  std::map<std::string, std::string> hints = {};
  /// Reach the file through MPI-IO, each process for itself, instead of POSIX calls. Needs a build
  /// with MPI.
  bool mpi_io = false;

  bool operator==(const FileOptions&) const = default;
};

/// How the metadata of an open file lies, as far as this rank knows it; what `onecast stat` prints.
struct MetadataReport {
  std::uint64_t file_size = 0;          ///< bytes, the end-of-address of the superblock
  std::uint64_t metadata_bytes = 0;     ///< bytes of metadata known (all of it after an eager open)
  std::uint64_t small_data_bytes = 0;   ///< raw data brought along
  std::uint64_t pieces = 0;             ///< separate stretches of metadata in the file
  std::uint64_t page_size = 0;          ///< 0: the file has no page list
  std::uint64_t pages = 0;              ///< metadata pages
  std::uint64_t page_runs = 0;          ///< runs of adjacent pages
  std::uint64_t extents = 0;            ///< stretches outside of pages that the page list names
  std::uint64_t stripes_touched = 0;    ///< stripes that hold metadata
  std::uint64_t reads_to_open = 0;      ///< read calls that the open made, on one process
  std::uint64_t objects_in_memory = 0;  ///< decoded
  std::uint64_t memory_bytes = 0;       ///< of metadata in memory, as in the file and decoded
  std::uint64_t most_memory_bytes = 0;  ///< the most that this came to, in flushes as well
  bool page_list_stale = false;         ///< another program changed the file since
  bool complete = false;                ///< all metadata is in memory
};

/// What File::recover found.
enum class Recovered : std::uint8_t {
  nothing,   ///< no flush was under way
  complete,  ///< a flush was done, but for removing its journal, or not begun
  undone,    ///< a flush was half done; the file is as before it now
};

/// An HDF5 file, open on one process or on all processes of a communicator.
///
/// One file, opened several times in a process, is one file: all openings share what is in memory,
/// so that one for reading sees what another has written and not flushed. Each is closed for
/// itself; closing one for writing flushes, and the last one closes the file. With options that
/// contradict those of the first opening, on other ranks, for writing what is open for reading
/// only, and by create, an open file cannot be opened again (Error: io, invalid_argument); but for
/// reading what is open for reading only, which then is open twice.
///
/// A handle: copies mean the same opening; when the last one and the last handle of its objects
/// goes without close having been called, the file is closed but not flushed: what was changed
/// since the last flush is lost, and a line on stderr says so. So it does of files that are open
/// when the process ends. If an exception unwinds, the file is abandoned (see abandon()), so that
/// no other rank waits for this one.
///
/// Any number of threads may look at and read one file and the objects in it at once, with
/// @independent calls that change nothing. Everything else is for one thread, while no other uses
/// the file.
class File {
 public:
  /// A new, empty file, open for reading and writing; a file at `path` is unlinked first. It
  /// becomes valid HDF5 with its first flush. Throws Error: io, invalid_argument (options),
  /// diverged (arguments differ between ranks). @collective @same
  static File create(const std::string& path, const FileOptions& options = {});
  static File create(const std::string& path, const Communicator& communicator,
                     const FileOptions& options = {});

  /// Brings the metadata, or a part of it (see FileOptions), to all ranks. Throws Error: not_found,
  /// io, format (not HDF5, truncated, damaged), unsupported, invalid_argument (options), diverged
  /// (arguments differ between ranks). @collective @same
  static File open(const std::string& path, Access access = Access::read_only,
                   const FileOptions& options = {});
  static File open(const std::string& path, Access access, const Communicator& communicator,
                   const FileOptions& options = {});

  /// Undoes the flush of a process that was killed in the middle, and removes the journal, as open
  /// for writing does; other programs refuse such a file before. Throws Error: not_found, io (also
  /// if it is open elsewhere), format (the file is half written, and no journal fits). @independent
  static Recovered recover(const std::string& path, FileLocking locking = FileLocking::on);

  /// The root group. Throws Error (state) if the file is closed. @independent
  [[nodiscard]] Group root() const;
  /// As given to open or create. @independent, as are the next five
  [[nodiscard]] const std::string& path() const;
  /// Do both mean one file, however often it was opened?
  [[nodiscard]] bool same_file(const File& other) const {
    return state_.now() == other.state_.now();
  }
  [[nodiscard]] Access access() const;
  [[nodiscard]] Profile profile() const;
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] Communicator communicator() const;

  /// Writes what changed: every dirty page once, the page with the superblock last; writes nothing
  /// if nothing did. Throws Error on all ranks or none: diverged (ranks made different structural
  /// calls; names the first), io, state (open for reading only, closed). After an error the pages
  /// in the file are as the last flush left them; after io it can be tried again. @collective
  void flush();
  /// The same, begun. @collective
  [[nodiscard]] Pending flush_async();

  /// Until what it returns goes, this rank creates groups, datasets, committed datatypes, links and
  /// attributes of its own, without the others:
  ///
  ///     {
  ///       const auto alone = file.independent();
  ///       file.root().create_group("rank " + std::to_string(file.communicator().rank()));
  ///     }
  ///     file.flush();
  ///
  /// The calls that create are @independent then. This rank sees what it made at once, and may
  /// write to it, change it and read it; the others see it once a flush (or close), which may come
  /// inside or after, has merged the parts of all ranks in their order, by one exchange. Handles
  /// stay good. What a rank made is its own until then: afterwards, and what was there before, only
  /// all ranks together can change.
  ///
  /// - A name that two ranks create, or one rank and in the meantime all, is an Error (diverged) of
  ///   that flush, on all ranks, which names both. It comes when all else is in the file. The first
  ///   keeps the name; what the other rank made under it is left out. Two groups become one, with
  ///   the members of both, and that is no error where they were made on the way to something
  ///   else, or required (Group::require_group).
  /// - Moving, removing, copying, and references to objects that no flush has written yet, throw
  ///   Error (state), as does changing what others know; so does a collective read or write of a
  ///   dataset that the others do not know.
  /// - Data written to a new dataset stays in memory until the flush; elements of variable length,
  ///   with a communicator, can only then be read.
  ///
  /// Blocks may be nested; ranks without one take part in the flush like the others. @independent
  [[nodiscard]] Independent independent();

  /// A file that another program wrote, or changed since, gets a valid page list with the next
  /// flush, so that several ranks open it without a walk; any change on a communicator does that,
  /// too. Returns whether it had none. Throws Error: state, unsupported. @independent @same
  bool adopt();

  /// Flushes and closes; does nothing if the file is closed. An unmodified file is not written to.
  /// Closes also if the flush fails, and throws its Error. @collective for files open for writing,
  /// else @independent. Once MPI is finalized the ranks cannot meet: then a file open for writing
  /// is closed without the flush, with Error (state).
  void close();

  /// Closes without a flush, for a rank that cannot go on: what was changed since the last flush is
  /// given up, on all ranks. The next collective call of the others, whatever it is, throws Error
  /// (diverged) with this rank's number and the `reason` on all of them, and so does each further
  /// one but close, which closes. Waits for nobody; does nothing if the file is closed. A file that
  /// goes while an exception unwinds is abandoned. @independent
  void abandon(const std::string& reason);

  /// Brings the metadata of the object at `path`, and of everything below it if `recursive`, to all
  /// ranks, up to the budget: one process reads, one broadcast shares. In files open for reading
  /// small raw data comes along. Throws Error: not_found, io, state. @collective @same
  void prefetch_all(const std::string& path = "/", bool recursive = true);

  /// Writes to many datasets of this file at once, together: all ranks name the same datasets in
  /// the same order, each with its own part or none (Selection::none()). What lies in the file as
  /// it is in memory, contiguous data and unfiltered chunks, goes there in one transfer, with one
  /// agreement, however many datasets there are; all else follows in the order of the list. Parts
  /// of one dataset must not overlap. Either all succeed or all throw the same Error: those of
  /// Dataset::write_all, and diverged (the lists name different datasets); what of the list comes
  /// before the failure may have been written. @collective @local
  void write_multi(std::span<const WriteRequest> requests);
  /// Reads of many datasets, likewise; parts may overlap. What all ranks want of a dataset is read
  /// once, and so is a filtered chunk that several want. With Sharing::serve, ranks whose whole
  /// lists are the same share their reads; with Sharing::verify, the lists of all must be. Errors
  /// as of Dataset::read_all, and diverged. @collective @local
  void read_multi(std::span<const ReadRequest> requests) const;
  /// The same, begun: see Pending. The list is copied, values of variable length and handles with
  /// it; the memory that it names is Onecast's until wait(), which throws the errors of the call,
  /// on all ranks. @collective @local
  [[nodiscard]] Pending write_multi_async(std::span<const WriteRequest> requests);
  [[nodiscard]] Pending read_multi_async(std::span<const ReadRequest> requests) const;
  /// This rank has no list: takes part in the write_multi, or read_multi, of the others, which
  /// throws `failure` on all ranks. @collective @local
  [[noreturn]] void fail_write_multi(const std::exception_ptr& failure);
  [[noreturn]] void fail_read_multi(const std::exception_ptr& failure) const;
  [[nodiscard]] Pending fail_write_multi_async(std::exception_ptr failure);
  [[nodiscard]] Pending fail_read_multi_async(std::exception_ptr failure) const;

  /// This process's counts since open, also after close. @independent
  [[nodiscard]] IoStats io_stats() const;
  /// @independent
  [[nodiscard]] MetadataReport metadata_report() const;
  /// How the last read_all, write_all, read_multi or write_multi of this file went, seen from this
  /// rank: a sentence for people, with the method, why it was taken, and counts. Also after close.
  /// @independent
  [[nodiscard]] std::string explain() const;
  /// Names of the hints that mean nothing here. @independent
  [[nodiscard]] const std::vector<std::string>& unused_hints() const;

 private:
  friend struct FileAccess;
  friend class Object;
  explicit File(Settled<FileState> state) : state_(std::move(state)) {}
  static File of(std::shared_ptr<FileState> state, const std::string& path, Access access);

  Settled<FileState> state_;
};

}  // namespace onecast
