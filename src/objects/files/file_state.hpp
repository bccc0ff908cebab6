#pragma once

#include <unistd.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "base/unclosed_files.hpp"
#include "comm/collective_calls.hpp"
#include "comm/file_calls.hpp"
#include "objects/files/opening_count.hpp"
#include "objects/files/shared_heap.hpp"
#include "objects/files/transfers.hpp"
#include "objects/files/transport_opener.hpp"
#include "objects/files/untold_errors.hpp"
#include "objects/memory/memory_watch.hpp"
#include "objects/nodes/call_log.hpp"
#include "objects/nodes/changes.hpp"
#include "objects/nodes/held_node.hpp"
#include "objects/nodes/known_nodes.hpp"
#include "objects/nodes/local_edits.hpp"
#include "objects/nodes/node.hpp"
#include "objects/nodes/open_file.hpp"
#include "transport/factory.hpp"

namespace onecast::files {

class ExternalFiles;

/// An open file on one rank. In addition to what its objects see of it (OpenFile), it has these
/// objects (nodes); the changes of calls since the last flush (changes, log, local edits), which
/// the next flush makes part of the file (committed); and the state for transfers of raw data. The
/// rooms above work on these parts; the file itself does what concerns it as a whole: open, flush,
/// close, leave.
class FileState final : public OpenFile, public std::enable_shared_from_this<FileState> {
 public:
  /// @collective
  static std::shared_ptr<FileState> create(const std::string& path,
                                           const Communicator& communicator,
                                           const FileOptions& options, const RoomsAbove& rooms,
                                           TransportFactory factory = {});
  static std::shared_ptr<FileState> open(const std::string& path, Access access,
                                         const Communicator& communicator,
                                         const FileOptions& options, const RoomsAbove& rooms,
                                         TransportFactory factory = {});
  /// Opens a file, or returns the state of a file that is open already. @collective
  static std::shared_ptr<FileState> open_once(const std::string& path, Access access,
                                              const Communicator& communicator,
                                              const FileOptions& options, const RoomsAbove& rooms);
  /// Opens a file that `from` names, by this process alone. @independent
  static std::shared_ptr<FileState> open_external(const std::string& path, Access access,
                                                  const FileOptions& options,
                                                  const FileState& from);
  explicit FileState(const RoomsAbove& rooms);
  FileState(const FileState&) = delete;
  FileState& operator=(const FileState&) = delete;
  ~FileState();

  /// @collective for files open for writing
  void flush() { rooms_.flush(*this, CallKind::flush); }
  /// Begins a structural call that adds something: flushes if the results of the calls since the
  /// last flush take more memory than the option metadata_budget leaves for them. Throws before the
  /// call has changed anything. @collective if it flushes, which all ranks decide alike: it counts
  /// calls, not bytes of this rank's memory. Does nothing inside independent().
  void make_room();
  /// Flushes first if the file is open for writing. @collective for files open for writing
  void close();
  /// Closes the file without a flush; the other ranks get the `reason` from their next collective
  /// call.
  void abandon(std::string_view reason);

  /// Returns true if this process was forked from the one that opened the file.
  [[nodiscard]] bool is_of_another_process() const { return process_ != getpid(); }
  /// Closes the file in a forked process without further work, since another thread of the parent
  /// may have been in the middle of a change.
  void leave_behind() noexcept {
    static_cast<void>(transport_.release());  // NOLINT(bugprone-unused-return-value): on purpose
  }

  /// Each opening that begins is ended, or dropped without a flush; the changes made through a
  /// dropped opening are left to the other openings. See FileOpening.
  void begin_opening(Access how);
  void end_opening(Access how);
  void drop_opening(Access how);

  /// The objects that calls have looked up or created.
  [[nodiscard]] KnownNodes& nodes() { return nodes_; }
  [[nodiscard]] const KnownNodes& nodes() const { return nodes_; }
  Node& new_node(Node* parent, std::string_view name, ObjectKind kind);
  void note_dirty(Node& node) override;
  void expect_nodes(std::size_t more) override { nodes_.expect(more); }
  /// Enters a new node whose header already has its place.
  void reserve(Node& node);
  /// Returns a handle for use by Onecast itself, without an opening.
  detail::WaitingPointer<Node> handle(Node& node) { return held(shared_from_this(), node); }

  /// The files that links from here lead to, and files for raw data.
  std::shared_ptr<ExternalFiles> external_files() const;
  /// Notes that this file was opened because `from` names it. From now on both share one table of
  /// external files, unless this file already shares one with another file.
  void become_external_of(const FileState& from);
  [[nodiscard]] bool owns(const ExternalFiles& files) const { return own_files_.get() == &files; }
  /// The external files that this file looks up for itself.
  [[nodiscard]] ExternalFiles& own_files() const { return *own_files_; }

  /// The collective calls of the file.
  [[nodiscard]] FileCalls& calls() { return *calls_; }
  /// The structural calls since the last flush, which all ranks make alike.
  [[nodiscard]] CallLog& log() { return log_; }
  [[nodiscard]] const CallLog& log() const { return log_; }
  [[nodiscard]] UntoldErrors& untold() { return untold_; }
  /// The changes that the next flush writes.
  [[nodiscard]] Changes& changes() { return changes_; }
  [[nodiscard]] const Changes& changes() const { return changes_; }
  /// Returns true if this rank has chunks that a flush must make known to all ranks.
  [[nodiscard]] bool has_unsettled_chunks() const;
  /// Notes raw data whose space is free after the next flush.
  void release_raw_data(Address address, std::uint64_t size) {
    changes_.released.raw_data.add(address.value, allocator().room_of_raw_data(address, size));
  }
  [[nodiscard]] LocalEdits& local_edits() { return local_edits_; }
  [[nodiscard]] const LocalEdits& local_edits() const { return local_edits_; }
  /// The values that all ranks put into the global heap alike; null before the first. See
  /// values/heap_writer.hpp.
  [[nodiscard]] std::unique_ptr<SharedHeap>& heap() { return heap_; }
  [[nodiscard]] const std::unique_ptr<SharedHeap>& heap() const { return heap_; }

  /// Throws Error: state, unsupported.
  void require_swmr_can_begin();
  /// Begins to write for readers: the next flush marks the file.
  void begin_swmr();
  /// Takes begin_swmr() back.
  void give_up_swmr() { committed_.swmr.stop(); }
  [[nodiscard]] bool is_swmr() const { return committed_.swmr.is_on(); }
  /// Throws Error (state) if the file is written for readers, who expect no new objects or links.
  void require_structure_may_change() const {
    if (!committed_.swmr.is_off()) throw_structure_fixed();
  }

  [[nodiscard]] bool is_closing() const { return closing_; }
  /// Checks the path on rank 0 before anything is written: see TransportOpener.
  void require_place() const {
    if (comm().rank() == 0) opener_.require_place();
  }
  /// Returns the journal on rank 0 of a file that is open for writing, if one is wanted; else null.
  [[nodiscard]] JournalFile* journal() const { return opener_.journal(); }
  [[nodiscard]] Committed& committed() { return committed_; }
  [[nodiscard]] const Committed& committed() const { return committed_; }
  /// Makes metadata get pages from now on; the next flush adds a page list if the file has none.
  void begin_pages();
  /// Forgets decoded objects after a flush, and stored metadata if it takes much memory.
  void forget_decoded();
  /// Sees what the writer of a file that is followed has written since: of `object`, or of
  /// everything if it is null. Does nothing for a file that is not followed, as nobody else writes
  /// it. The files that are open because this one names them are seen anew as a whole. No other
  /// thread may use the file. Throws Error. @independent
  void refresh(Node* object);
  /// Does the same for this file alone.
  void refresh_alone(Node* object);

  /// Notes that the file has all changes; a rollback leads back to this state.
  void note_flushed();
  /// Notes that the flush which marks the file for readers has succeeded.
  void note_swmr_begun();
  /// Notes the node's present link before another link replaces it, for a rollback.
  void note_moved(Node& node) { changes_.moved.push_back({&node, node.parent, node.name}); }
  /// Restores the state of the last flush, except for raw data that was written in place. Ranks may
  /// have written anything up to `used_end`. The header of the root group must be readable. @same,
  /// does not communicate
  void roll_back(std::uint64_t used_end);

  /// Returns the bytes of metadata in memory, both stored and decoded.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// Returns the largest memory_bytes() so far, including the `more` of note_memory().
  [[nodiscard]] std::uint64_t most_memory_bytes() const { return memory_.most(); }
  void note_memory(std::uint64_t more = 0) { memory_.note(memory_bytes() + more); }

  [[nodiscard]] Transfers& transfers() { return transfers_; }
  [[nodiscard]] const Transfers& transfers() const { return transfers_; }
  /// Returns the rank that writes what all ranks have: the owner of the stripe, if all ranks know
  /// it, else rank 0.
  int writer_at(Address address) {
    return transfers_.writer_at(comm(), store_->base() + address.value);
  }
  /// Includes the collective calls so far.
  [[nodiscard]] IoStats io_stats() const;

 private:
  void start(const std::string& file_path, const Communicator& in, const FileOptions& file_options,
             TransportFactory factory, OpenMode mode);
  /// The differences of an opening from the usual one.
  struct HowToOpen {
    TransportFactory factory = {};
    bool shares = false;  ///< true if a file that is open already is not opened again
    const FileState* named_by = nullptr;  ///< the file whose link or dataset leads to this one
  };
  /// Returns null if the file is open already, and sets `known` to that file's number. @collective
  static std::shared_ptr<FileState> open_new(const std::string& path, Access access,
                                             const Communicator& communicator,
                                             const FileOptions& options, const RoomsAbove& rooms,
                                             HowToOpen how, std::uint64_t& known);
  /// Returns the number of the open file that this opening shares, or 0 if there is none. Throws
  /// Error.
  [[nodiscard]] std::uint64_t number_if_open() const;
  /// Returns false if the file is open already, and sets `known` to that file's number. @collective
  bool load_metadata(bool shares, std::uint64_t& known);
  /// Adapts the options to a file that is followed. Throws Error (unsupported).
  void prepare_to_follow(OpenMode mode);
  /// Sets the file up as a new one.
  void begin_empty_file();
  void find_root();
  void prepare_to_write();
  /// Returns the end of the part of the file that is reserved for metadata; see AllocationRules.
  [[nodiscard]] std::uint64_t metadata_until() const;
  /// Sets the rules by which raw data and metadata are allocated. Call it after the allocator was
  /// made.
  void set_allocation_rules();
  void watch_for_close();
  void close(bool flushes);
  [[noreturn]] void throw_structure_fixed() const;
  /// Ends writing for readers: flushes, and lets the next flush clear the mark.
  void end_swmr();
  /// Clears the mark without a flush, if that succeeds.
  void unmark() noexcept;
  void become_read_only();
  void drop_unflushed() noexcept;
  void shut();

  [[nodiscard]] bool has_changes() const;
  /// Returns true if everything that is decoded can be read again and nothing waits for a flush.
  [[nodiscard]] bool may_forget() const;
  void forget_all_but(const std::vector<Node*>& held, bool images);
  void decode_anew(const std::vector<Node*>& held);
  void look_at_properties(Node& dataset);
  void look_at_shape(Node& dataset);
  /// Takes over the present state of the transport.
  void take_over_state(Node* object);
  /// Forgets what no handle needs if it takes much memory.
  void forget_unheld();
  [[nodiscard]] bool may_read_again(const Error& error, unsigned attempt) const;
  /// Loads the metadata of the state that the last flush of the writer left.
  void load_again();
  [[nodiscard]] bool is_written_for_readers();
  void end_if_gone(Node& node);
  void note_end_of_followed();
  /// Creates the root group of a new file.
  void begin_root();
  void begin_changes();
  void leave_empty();

  TransportOpener opener_{*this};
  std::uint64_t collectives_before_ = 0;
  std::optional<FileCalls> calls_;
  Transfers transfers_;
  Committed committed_;
  CallLog log_{*this};
  UntoldErrors untold_;
  Changes changes_{[this] { return opener_.open_temporary(); }, [this] { return path(); }};
  std::unique_ptr<SharedHeap> heap_;
  LocalEdits local_edits_{*this, log_};
  std::shared_ptr<ExternalFiles> own_files_;
  std::weak_ptr<ExternalFiles> shared_files_ = own_files_;
  OpeningCount openings_;
  KnownNodes nodes_{*this};
  MemoryWatch memory_;
  /// The shapes that datasets had before a rollback; callers may still refer to them.
  std::vector<std::unique_ptr<Dataspace>> former_shapes_;
  bool closing_ = false;
  const pid_t process_ = getpid();  ///< the process that opened it
  std::shared_ptr<const CollectiveCalls::Preparation> preparation_;
  int exceptions_at_open_ = -1;  ///< exceptions that were unwinding at the open; -1: not opened yet
  /// Exists for a file that is open for writing; destroyed first.
  std::optional<UnclosedWarning> unclosed_;
};

/// Returns the file of an object. Each OpenFile is a FileState.
inline FileState& file_of(const Node& node) { return static_cast<FileState&>(node.home()); }

}  // namespace onecast::files
