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
#include "onecast/objects/settled.hpp"
#include "onecast/transport/io_stats.hpp"
#include "onecast/transport/random_access_file.hpp"

namespace onecast {

class FileOpening;
class FileState;

/// read_write is for files that exist; a new file is always open for both.
enum class Access : std::uint8_t { read_only, read_write };

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
  /// Empty, until another is assigned: is not open, and its calls throw Error (state). To close it
  /// does nothing.
  File() = default;
  /// @independent
  [[nodiscard]] bool is_empty() const { return state_.is_empty(); }

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

  /// Creates it in an object of the program, not in a file of the system. On several ranks each
  /// gives an object of its own, or one that the ranks of its process share, for the same bytes;
  /// that of a rank which touches no raw data is not called but for its name and its journal. It is
  /// kept until the last handle goes. What would need a path:
  ///
  /// - Nothing else in this process may have the object open, but for reading what is open for
  ///   reading (Error: io). What other programs do to the bytes is not seen.
  /// - Without RandomAccessFile::journal there is none, whatever the option says.
  /// - Data that waits for a flush beyond 64 MiB lies in the system's folder for temporary files.
  /// - Other files that it names are looked for as if it lay at its name; the option mpi_io is
  ///   refused; stripes are what the options say.
  /// Throws Error: as above, and invalid_argument (`bytes` is null). @collective
  static File create(std::shared_ptr<RandomAccessFile> bytes, const FileOptions& options = {});
  static File create(std::shared_ptr<RandomAccessFile> bytes, const Communicator& communicator,
                     const FileOptions& options = {});
  static File open(std::shared_ptr<RandomAccessFile> bytes, Access access = Access::read_only,
                   const FileOptions& options = {});
  static File open(std::shared_ptr<RandomAccessFile> bytes, Access access,
                   const Communicator& communicator, const FileOptions& options = {});

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
  /// - Data of new datasets waits for the flush, beyond 64 MiB in a temporary file in this folder
  ///   (no room: Error io). Values of variable length, with a communicator, are read only after it.
  ///
  /// Blocks may be nested; ranks without one take part in the flush like the others. @independent
  [[nodiscard]] Independent independent();

  /// A file that another program wrote, or changed since, gets a valid page list with the next
  /// flush, so that several ranks open it without a walk; any change on a communicator does that,
  /// too. Returns whether it had none. Throws Error: state, unsupported. @collective @same; does
  /// not communicate
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
  /// the same order, each with its own part or none (Selection::none()). Contiguous data and
  /// unfiltered chunks that need no conversion go to the file in one transfer, with one agreement,
  /// however many datasets there are; all else follows in the order of the list. Parts of one
  /// dataset must not overlap. Either all ranks succeed or all throw the same Error: those of
  /// Dataset::write_all, and diverged (the lists name different datasets); what of the list comes
  /// before the failure may have been written.
  /// @param failure why this rank has no list, if so; then all ranks throw it
  /// @collective @local
  void write_multi(std::span<const WriteRequest> requests, const std::exception_ptr& failure = {});
  /// Reads of many datasets, likewise; parts may overlap. What all ranks want of a dataset is read
  /// once, and so is a filtered chunk that several want. With Sharing::serve, ranks whose whole
  /// lists are the same share their reads; with Sharing::verify, the lists of all must be. All
  /// requests of a list have one sharing. Errors as of Dataset::read_all, and diverged.
  /// @collective @local
  void read_multi(std::span<const ReadRequest> requests,
                  const std::exception_ptr& failure = {}) const;
  /// Begin to write or to read a list; see Pending. The list is copied, with values of variable
  /// length and handles; the memory that it names is Onecast's until wait(), which throws the
  /// errors of the call, on all ranks. @collective @local
  [[nodiscard]] Pending write_multi_async(std::span<const WriteRequest> requests,
                                          const std::exception_ptr& failure = {});
  [[nodiscard]] Pending read_multi_async(std::span<const ReadRequest> requests,
                                         const std::exception_ptr& failure = {}) const;

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
