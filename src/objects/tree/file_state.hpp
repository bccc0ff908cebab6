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
#include "objects/memory/memory_watch.hpp"
#include "objects/memory/unsettled_writes.hpp"
#include "objects/tree/call_log.hpp"
#include "objects/tree/changes.hpp"
#include "objects/tree/held_node.hpp"
#include "objects/tree/known_nodes.hpp"
#include "objects/tree/local_edits.hpp"
#include "objects/tree/node.hpp"
#include "objects/tree/open_file.hpp"
#include "objects/tree/opening_count.hpp"
#include "objects/tree/transfers.hpp"
#include "objects/tree/transport_opener.hpp"
#include "objects/tree/untold_errors.hpp"
#include "transport/factory.hpp"

namespace onecast::tree {

class ExternalFiles;

/// An open file on one rank. It has, beside what its objects see of it, these objects (nodes); what
/// the calls since the last flush have changed (changes, log, local edits), which the next flush
/// makes part of the file (committed); and what transfers of raw data need. The rooms above work on
/// these parts; what a file does as a whole, open, flush, close, leave, it does itself.
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
  /// Opens a file, or takes the state of one that is open already. @collective
  static std::shared_ptr<FileState> open_once(const std::string& path, Access access,
                                              const Communicator& communicator,
                                              const FileOptions& options, const RoomsAbove& rooms);
  /// One that `from` names, by this process alone. @independent
  static std::shared_ptr<FileState> open_external(const std::string& path, Access access,
                                                  const FileOptions& options,
                                                  const FileState& from);
  explicit FileState(const RoomsAbove& rooms);
  FileState(const FileState&) = delete;
  FileState& operator=(const FileState&) = delete;
  ~FileState();

  /// @collective for files open for writing
  void flush() { rooms_.flush(*this, CallKind::flush); }
  /// Before a structural call that adds something: a flush, if what the calls since the last one
  /// made takes more memory than the option metadata_budget leaves for it. Throws before the call
  /// has changed anything. @collective then, and the same on all ranks: calls are counted, not
  /// bytes of this rank's memory. Inside independent() nothing happens.
  void make_room();
  /// Flushes first, if it is open for writing. @collective for files open for writing
  void close();
  /// Without a flush; the other ranks hear the `reason` in their next collective call.
  void abandon(std::string_view reason);

  /// This process was forked off the one that opened it.
  [[nodiscard]] bool is_of_another_process() const { return process_ != getpid(); }
  /// In a forked process: it is closed here, as it is, since another thread may have been at work
  /// on it.
  void leave_behind() noexcept {
    static_cast<void>(transport_.release());  // NOLINT(bugprone-unused-return-value): on purpose
  }

  /// Each begun one is ended, or dropped without a flush: then what it changed is the business of
  /// the others. See FileOpening.
  void begin_opening(Access how);
  void end_opening(Access how);
  void drop_opening(Access how);

  /// The objects that somebody has looked at, or made.
  [[nodiscard]] KnownNodes& nodes() { return nodes_; }
  [[nodiscard]] const KnownNodes& nodes() const { return nodes_; }
  Node& new_node(Node* parent, std::string_view name, ObjectKind kind);
  void note_dirty(Node& node) override;
  void expect_nodes(std::size_t more) override { nodes_.expect(more); }
  /// A new node has a place already.
  void reserve(Node& node);
  /// For Onecast itself: by way of no opening.
  Settled<Node> handle(Node& node) { return held(shared_from_this(), node); }

  /// Those that links from here lead to, and files for raw data.
  std::shared_ptr<ExternalFiles> external_files() const;
  /// Somebody opened it because `from` names it: from now on both look for others together, unless
  /// another file does so with it already.
  void become_external_of(const FileState& from);
  [[nodiscard]] bool owns(const ExternalFiles& files) const { return own_files_.get() == &files; }
  /// Those that this file named, as far as it looks for them itself.
  [[nodiscard]] ExternalFiles& own_files() const { return *own_files_; }

  /// Its collective calls.
  [[nodiscard]] FileCalls& calls() { return *calls_; }
  /// The structural calls since the last flush, which all ranks make alike.
  [[nodiscard]] CallLog& log() { return log_; }
  [[nodiscard]] const CallLog& log() const { return log_; }
  [[nodiscard]] UntoldErrors& untold() { return untold_; }
  /// What the next flush has to do.
  [[nodiscard]] Changes& changes() { return changes_; }
  [[nodiscard]] const Changes& changes() const { return changes_; }
  /// Raw data whose space is free after the next flush.
  void release_raw_data(Address address, std::uint64_t size) {
    changes_.released.raw_data.add(address.value, allocator().room_of_raw_data(address, size));
  }
  [[nodiscard]] LocalEdits& local_edits() { return local_edits_; }
  [[nodiscard]] const LocalEdits& local_edits() const { return local_edits_; }
  /// What all ranks write alike to the global heap.
  [[nodiscard]] values::HeapWriter& heap() const { return *heap_; }

  [[nodiscard]] bool is_closing() const { return closing_; }
  /// On rank 0, before anything is written: see TransportOpener.
  void require_place() const {
    if (comm().rank() == 0) opener_.require_place();
  }
  /// On rank 0 of a file that is open for writing, if a journal is wanted; else null.
  [[nodiscard]] JournalFile* journal() const { return opener_.journal(); }
  [[nodiscard]] Committed& committed() { return committed_; }
  [[nodiscard]] const Committed& committed() const { return committed_; }
  /// Metadata gets pages from now on, and the next flush a page list, if it got none before.
  void begin_pages();
  /// After a flush: forgets what is decoded, and metadata as it is in the file, if there is much.
  void forget_decoded();

  /// The file has all changes: a rollback leads here.
  void note_flushed();
  /// Before another link leads to the node: a rollback leads back.
  void note_moved(Node& node) { changes_.moved.push_back({&node, node.parent, node.name}); }
  /// All is again as the last flush left it, but for raw data that was written in its place. Up to
  /// `used_end` ranks may have written anything. The header of the root group can be read. @same,
  /// does not communicate
  void roll_back(std::uint64_t used_end);

  /// Bytes of metadata in memory, as it is in the file and decoded.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// The most that it came to, with what was noted beside it.
  [[nodiscard]] std::uint64_t most_memory_bytes() const { return memory_.most(); }
  void note_memory(std::uint64_t more = 0) { memory_.note(memory_bytes() + more); }

  [[nodiscard]] Transfers& transfers() { return transfers_; }
  [[nodiscard]] const Transfers& transfers() const { return transfers_; }
  /// Who writes what all ranks have: the owner of the stripe, if all know it, else rank 0.
  int writer_at(Address address) {
    return transfers_.writer_at(comm(), store_->base() + address.value);
  }
  /// With the collective calls so far.
  [[nodiscard]] IoStats io_stats() const;

 private:
  void start(const std::string& file_path, const Communicator& in, const FileOptions& file_options,
             TransportFactory factory, OpenMode mode);
  /// What only some openings want.
  struct HowToOpen {
    TransportFactory factory = {};
    bool shares = false;                  ///< an open file is not opened again
    const FileState* named_by = nullptr;  ///< the file is followed from there
  };
  /// Null where the file is open already: `known` is the number of that. @collective
  static std::shared_ptr<FileState> open_new(const std::string& path, Access access,
                                             const Communicator& communicator,
                                             const FileOptions& options, const RoomsAbove& rooms,
                                             HowToOpen how, std::uint64_t& known);
  /// Of the open file that opening this one comes to, 0 if there is none. Throws Error.
  [[nodiscard]] std::uint64_t number_if_open() const;
  /// False where the file is open already: `known` is the number of that. @collective
  bool load_metadata(bool shares, std::uint64_t& known);
  /// As a new file.
  void begin_empty_file();
  void find_root();
  void prepare_to_write();
  /// How much of the file is for metadata only; see Placement.
  [[nodiscard]] std::uint64_t metadata_until() const;
  /// Where raw data and metadata are placed: after the allocator was made.
  void set_placement();
  void watch_for_close();
  void close(bool flushes);
  void become_read_only();
  void drop_unflushed() noexcept;
  void shut();

  [[nodiscard]] bool has_changes() const;
  /// Nothing is decoded, or waits for a flush, that could not be read again?
  [[nodiscard]] bool may_forget() const;
  void forget_all_but(const std::vector<Node*>& held, bool images);
  void decode_anew(const std::vector<Node*>& held);
  /// Makes the root group of a new file.
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
  // Shared, so that the room above can make it of a class which this one does not know.
  std::shared_ptr<values::HeapWriter> heap_;
  LocalEdits local_edits_{*this, log_};
  std::shared_ptr<ExternalFiles> own_files_;
  std::weak_ptr<ExternalFiles> shared_files_ = own_files_;
  OpeningCount openings_;
  KnownNodes nodes_{*this, *this};
  MemoryWatch memory_;
  /// That datasets had before a rollback: somebody may look at them still.
  std::vector<std::unique_ptr<Dataspace>> former_shapes_;
  bool closing_ = false;
  const pid_t process_ = getpid();  ///< that opened it
  std::shared_ptr<const CollectiveCalls::Preparation> preparation_;
  int exceptions_at_open_ = -1;              ///< that were unwinding; -1: it was not opened yet
  std::optional<UnclosedWarning> unclosed_;  ///< of a file that is open for writing; goes first
};

}  // namespace onecast::tree
