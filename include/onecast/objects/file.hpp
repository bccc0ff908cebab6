#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "onecast/comm/communicator.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/independent.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/objects/pending.hpp"
#include "onecast/objects/waiting_pointer.hpp"
#include "onecast/transport/io_stats.hpp"
#include "onecast/transport/random_access_file.hpp"

namespace onecast {

namespace files {
struct FileAccess;
class FileOpening;
class FileState;
}  // namespace files

/// The access with which an existing file is opened. A new file is always open for reading and
/// writing.
enum class Access : std::uint8_t { read_only, read_write };

/// A report on the metadata of an open file, as far as this rank knows it; `onecast stat` prints
/// it.
struct MetadataReport {
  std::uint64_t file_size = 0;         ///< bytes; the end-of-file address of the superblock
  std::uint64_t metadata_bytes = 0;    ///< bytes of known metadata; all of it after an eager open
  std::uint64_t small_data_bytes = 0;  ///< raw data that came with the metadata
  std::uint64_t pieces = 0;            ///< separate ranges of metadata in the file
  std::uint64_t page_size = 0;         ///< 0: the file has no page list
  std::uint64_t pages = 0;             ///< metadata pages
  std::uint64_t page_runs = 0;         ///< runs of adjacent pages
  std::uint64_t extents = 0;           ///< ranges outside of pages in the page list
  std::uint64_t free_bytes = 0;        ///< free space that the page list knows
  std::uint64_t stripes_touched = 0;   ///< stripes that hold metadata
  /// The size of a stripe in bytes, from the file system or the options; 0: a file system without
  /// stripes.
  std::uint64_t stripe_size = 0;
  std::uint64_t reads_to_open = 0;      ///< read calls that the open made, on one process
  std::uint64_t objects_in_memory = 0;  ///< decoded objects
  std::uint64_t memory_bytes = 0;       ///< metadata in memory, as in the file and decoded
  std::uint64_t most_memory_bytes = 0;  ///< the largest value of memory_bytes, also during flushes
  bool page_list_stale = false;         ///< another program changed the file
  bool complete = false;                ///< all metadata is in memory
};

/// The state in which File::recover found the file.
enum class Recovered : std::uint8_t {
  nothing,   ///< no flush was in progress
  complete,  ///< a flush was complete except for removing its journal, or had not begun
  undone,    ///< a flush was half done and has been undone
  unmarked,  ///< it was written for readers (SWMR) and not closed; that mark has been cleared
};

/// An HDF5 file, open on one process or on all processes of a communicator.
///
/// If a process opens one file several times, all openings share one state in memory: an opening
/// for reading sees what another has written and not flushed. Each opening is closed separately.
/// Closing one for writing flushes; closing the last one closes the file. An open file cannot be
/// opened again with options that contradict those of the first opening, on other ranks, for
/// writing if it is open for reading only, or by create (Error: io, invalid_argument). Exception:
/// if both openings are for reading only, the file is then open twice. Openings for reading with
/// the option follow share a state only with one for writing: each sees what it has refreshed.
///
/// A File is a handle: copies refer to one opening. If the last copy and the last handle of its
/// objects are destroyed without close, the file is closed without a flush: the changes since the
/// last flush are lost, and a line on stderr says so, also for files that are open when the process
/// ends. If this happens while an exception unwinds, the file is abandoned (see abandon()), so that
/// no other rank waits for this one.
///
/// Any number of threads may use one file and its objects at the same time for @independent calls
/// that change nothing. All other calls require that no other thread uses the file.
class File {
 public:
  /// Makes an empty handle, which is not open. Its calls throw Error (state), except close, which
  /// does nothing.
  File() = default;
  /// @independent
  [[nodiscard]] bool is_empty() const { return state_.is_empty(); }

  /// Creates an empty file, open for reading and writing. It takes the place of an existing file at
  /// `path`, unless the option exclusive is set; if it cannot be created, the existing file stays
  /// as it was. The file becomes valid HDF5 with its first flush. Throws Error: io (EAGAIN: the
  /// file is open elsewhere, or was created by another program at the same moment), already_exists,
  /// invalid_argument (options), diverged (arguments differ between ranks). @collective @same
  static File create(const std::string& path, const FileOptions& options = {});
  static File create(const std::string& path, const Communicator& communicator,
                     const FileOptions& options = {});

  /// Opens a file and brings its metadata, or a part of it (see FileOptions), to all ranks. Throws
  /// Error: not_found, io, format (not HDF5, truncated, damaged), unsupported, invalid_argument
  /// (options), diverged (arguments differ between ranks). @collective @same
  static File open(const std::string& path, Access access = Access::read_only,
                   const FileOptions& options = {});
  static File open(const std::string& path, Access access, const Communicator& communicator,
                   const FileOptions& options = {});

  /// Creates or opens an HDF5 file in an object of the program instead of a file of the system.
  /// With several ranks, each passes an object for the same bytes: its own, or one that the ranks
  /// of its process share. On a rank that touches no raw data only name() and journal() are called.
  /// The object is kept until the last handle is destroyed. Differences from a path:
  ///
  /// - No other opening in this process may use the object, except that it may be opened for
  ///   reading several times (Error: io). Changes by other programs are not detected.
  /// - Without RandomAccessFile::journal there is no journal, whatever the option says.
  /// - Data that waits for a flush beyond 64 MiB lies in the system's folder for temporary files.
  /// - Onecast looks for other files that the HDF5 file names as if the HDF5 file lay at name().
  ///   The option mpi_io is refused. Stripes are those of the options.
  ///
  /// Throws Error as for a path, and invalid_argument (`bytes` is null). @collective
  static File create(std::shared_ptr<RandomAccessFile> bytes, const FileOptions& options = {});
  static File create(std::shared_ptr<RandomAccessFile> bytes, const Communicator& communicator,
                     const FileOptions& options = {});
  static File open(std::shared_ptr<RandomAccessFile> bytes, Access access = Access::read_only,
                   const FileOptions& options = {});
  static File open(std::shared_ptr<RandomAccessFile> bytes, Access access,
                   const Communicator& communicator, const FileOptions& options = {});

  /// Undoes a flush during which the process was killed, and removes the journal, as an open for
  /// writing does. Until then other programs refuse such a file. Also clears the mark of a file
  /// that was written for readers (SWMR) and not closed; no program may have it open then. Throws
  /// Error: not_found, io (also if the file is open elsewhere), format (the file is half written,
  /// and no journal fits).
  /// @independent
  static Recovered recover(const std::string& path, FileLocking locking = FileLocking::on);

  /// Makes all open files unusable in this process, as if they were closed, and writes nothing. For
  /// a process that was forked while another thread was in a call that changes a file. @independent
  static void leave_all_behind() noexcept;

  /// The root group. Throws Error (state) if the file is closed. @independent
  [[nodiscard]] Group root() const;
  /// The path that was passed to open or create. @independent
  [[nodiscard]] const std::string& path() const;
  /// True if both handles refer to one file, also through different openings. @independent
  [[nodiscard]] bool same_file(const File& other) const {
    return state_.now() == other.state_.now();
  }
  /// @independent
  [[nodiscard]] Access access() const;
  [[nodiscard]] Profile profile() const;
  /// The size of the user block in bytes. @independent
  [[nodiscard]] std::uint64_t userblock_size() const;
  /// @independent
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] Communicator communicator() const;

  /// Writes all changes: every changed page once, the page with the superblock last. Writes nothing
  /// if nothing changed. Throws Error on all ranks or on none: diverged (ranks made different
  /// structural calls; names the first), io, state (open for reading only, closed). After an error
  /// the pages in the file are those of the last successful flush. After io, the flush can be tried
  /// again; after diverged, the ranks can go on with rollback(). @collective
  void flush();
  /// Gives up all structural changes since the last flush, or since the file was created, including
  /// those that differ between ranks: objects, links, attributes, shapes, compact data, and data
  /// that has no place in the file yet. Elements that were written in place stay: those of
  /// contiguous datasets and of unfiltered chunks that existed at the last flush. Handles stay
  /// valid; calls with handles of objects that were created since then throw Error (state), as for
  /// removed objects. Throws Error: state (open for reading only, closed, inside independent() on
  /// any rank), io, diverged (a rank left, or called something else). @collective
  void rollback();
  /// Begins flush(); see Pending. @collective
  [[nodiscard]] Pending flush_async();

  /// Begins to write for readers in other processes, which look at the file meanwhile (HDF5's SWMR:
  /// one writer, many readers), until close. Flushes first. From then on each flush writes what
  /// changed in an order in which no reader, of Onecast or of the HDF5 library, sees a part of it
  /// before what it refers to. Elements, shapes and attributes can change; objects and links cannot
  /// be created or removed. The space of what is replaced is used again only after close. There is
  /// no journal: if the process is killed, the file is sound, and recover() clears its mark. Throws
  /// Error: state (read-only, inside independent(), or begun already), unsupported (another profile
  /// than latest, several ranks), and those of flush. @collective
  void start_swmr();
  /// True after start_swmr(). @independent
  [[nodiscard]] bool is_swmr() const;
  /// Sees what another program has written since the file was opened with the option follow, or
  /// since the last refresh(): shapes, attributes, links and elements of all objects. Handles stay
  /// valid unless the object was removed or moved; names and bytes of attributes must be requested
  /// again. Also refreshes the files that external links and virtual datasets led to. Does nothing
  /// without the option, as nobody else can write the file. No other thread may use the file
  /// meanwhile. Throws Error (format; io, with ESTALE or ENOENT if the file was replaced or
  /// removed, with EAGAIN if flushes follow each other too quickly); after an error, reading throws
  /// Error (io, EAGAIN) until a refresh succeeds. @independent
  void refresh();

  /// Begins an independent section, in which this rank creates groups, datasets, committed
  /// datatypes, links and attributes without the other ranks. The section ends when the returned
  /// object is destroyed:
  ///
  ///     {
  ///       const auto alone = file.independent();
  ///       file.root().create_group("rank " + std::to_string(file.communicator().rank()));
  ///     }
  ///     file.flush();
  ///
  /// In the section, calls that create are @independent. This rank sees its new objects at once,
  /// and may read, write and change them. A flush or close, in the section or after it, merges the
  /// objects of all ranks in rank order, by one exchange; then the other ranks see them. Handles
  /// stay valid. After the merge, the objects are like objects that existed before: only structural
  /// calls of all ranks can change them.
  ///
  /// - If two ranks create the same name, or one rank and outside of the section all ranks, the
  ///   flush throws Error (diverged), which names both, on all ranks; everything else is then in
  ///   the file. The first object keeps the name; the other rank's object under that name is left
  ///   out. Two groups are merged into one, which is not an error if they were created as missing
  ///   groups on a path, or required (Group::require_group).
  /// - Calls that move, remove or copy, that make a reference to an object that no flush has
  ///   written yet, or that change what other ranks know throw Error (state). So does a collective
  ///   read or write of a dataset that the other ranks do not know.
  /// - Data of new datasets waits for the flush in memory, and beyond 64 MiB in a temporary file in
  ///   this file's folder (no space: Error io). With a communicator, values of variable length can
  ///   be read only after the flush.
  ///
  /// Sections may be nested. Ranks without a section take part in the flush like the others.
  /// @independent
  [[nodiscard]] Independent independent();

  /// Adds a valid page list, with the next flush, to a file that another program wrote or changed.
  /// Several ranks can then open the file without a walk over its objects. Any change on a
  /// communicator also adds the list. Returns true if the file had no valid list. Throws Error:
  /// state, unsupported.
  /// @replicated
  bool adopt();

  /// Flushes and closes the file; does nothing if it is closed. A file without changes is not
  /// written. If the flush fails, the file is still closed, and the Error of the flush is thrown.
  /// After MPI_Finalize the ranks cannot communicate: a file open for writing is then closed
  /// without a flush, with Error (state). @collective for files open for writing, else @independent
  void close();

  /// Closes the file without a flush, for a rank that cannot continue. The changes since the last
  /// flush are lost on all ranks. The call waits for no other rank; it does nothing if the file is
  /// closed. The next collective call of the other ranks, whichever it is, throws Error (diverged)
  /// on all of them, with the number of this rank and the `reason`. So do all further collective
  /// calls except close, which closes the file. A file whose last handle is destroyed while an
  /// exception unwinds is abandoned. @independent
  void abandon(const std::string& reason);

  /// Brings the metadata of the object at `path` and, if `recursive`, of everything below it to all
  /// ranks, up to the metadata budget: one process reads it and broadcasts it once. In files open
  /// for reading only, this includes small data. Throws Error: not_found, io, state. @collective
  /// @same
  void prefetch_all(const std::string& path = "/", bool recursive = true);

  /// Writes to many datasets of this file in one collective call. All ranks name the same datasets
  /// in one order, each with its own part or none (Selection::none()); with Datasets::own each rank
  /// names its own datasets, any number of them. Contiguous data and unfiltered chunks that need no
  /// conversion go to the file in one transfer with one agreement, however many datasets there are;
  /// other data follows in the order of the list. Parts of one dataset must not overlap. The call
  /// succeeds on all ranks or throws one Error on all: those of Dataset::write_all, and diverged
  /// (the lists name different datasets). Requests before the one that failed may have been
  /// written.
  /// @param failure an error that keeps this rank from passing a list; all ranks throw it
  /// @param named which datasets the ranks name; @same
  /// @collective @local
  void write_multi(std::span<const WriteRequest> requests, const std::exception_ptr& failure = {},
                   Datasets named = Datasets::same);
  /// Reads from many datasets of this file in one collective call, with lists as write_multi takes
  /// them; parts may overlap. A part that all ranks want is read once, and so is a filtered chunk
  /// that several ranks want, if they name the same datasets. With Sharing::serve, ranks with equal
  /// lists share their reads; with Sharing::verify, the lists of all ranks must be equal;
  /// Sharing::trust holds for Datasets::same alone. All requests of a list have the same sharing.
  /// Throws the errors of Dataset::read_all, and diverged. @collective @local
  void read_multi(std::span<const ReadRequest> requests, const std::exception_ptr& failure = {},
                  Datasets named = Datasets::same) const;
  /// Begins write_multi or read_multi; see Pending. The list is copied, including values of
  /// variable length and handles. The memory to which it points must not be used (read) or changed
  /// (write) until wait() returns. wait() throws the errors of the call, on all ranks. @collective
  /// @local
  [[nodiscard]] Pending write_multi_async(std::span<const WriteRequest> requests,
                                          const std::exception_ptr& failure = {},
                                          Datasets named = Datasets::same);
  [[nodiscard]] Pending read_multi_async(std::span<const ReadRequest> requests,
                                         const std::exception_ptr& failure = {},
                                         Datasets named = Datasets::same) const;

  /// The counts of this process since the file was opened. Also available after close. @independent
  [[nodiscard]] IoStats io_stats() const;
  /// @independent
  [[nodiscard]] MetadataReport metadata_report() const;
  /// Describes the last read_all, write_all, read_multi or write_multi of this file on this rank,
  /// in one sentence: the method, the reason for it, counts, and the time in file operations and in
  /// the exchange with other ranks. If a transfer since then had memory of a device (a GPU), it
  /// says whether that was direct or staged, and why. Also available after close. @independent
  [[nodiscard]] std::string explain() const;
  /// The names of the hints that Onecast does not know. @independent
  [[nodiscard]] const std::vector<std::string>& unused_hints() const;

 private:
  friend struct files::FileAccess;
  friend class Object;
  explicit File(detail::WaitingPointer<files::FileState> state) : state_(std::move(state)) {}
  static File of(std::shared_ptr<files::FileState> state, const std::string& path, Access access);

  detail::WaitingPointer<files::FileState> state_;
};

}  // namespace onecast
