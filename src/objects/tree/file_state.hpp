#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/unclosed_files.hpp"
#include "collective/collective_file.hpp"
#include "collective/last_transfer.hpp"
#include "comm/backend.hpp"
#include "comm/collective_calls.hpp"
#include "comm/file_calls.hpp"
#include "comm/serving_group.hpp"
#include "objects/codec/decoded_messages.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/chunk_cache.hpp"
#include "objects/memory/heard_heaps.hpp"
#include "objects/memory/new_blocks.hpp"
#include "objects/memory/unsettled_writes.hpp"
#include "objects/tree/call_log.hpp"
#include "objects/tree/changes.hpp"
#include "objects/tree/external_files.hpp"
#include "objects/tree/local_edits.hpp"
#include "objects/tree/node.hpp"
#include "objects/tree/node_table.hpp"
#include "objects/tree/pending_call.hpp"
#include "objects/tree/rooms_above.hpp"
#include "objects/tree/transfer_options.hpp"
#include "onecast/objects/file.hpp"
#include "pages/journal.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "structures/overlap_guard.hpp"
#include "transport/factory.hpp"

namespace onecast {

/// What a file is called, and which one it is.
struct FileName {
  std::string path;            ///< as given
  std::string working_folder;  ///< when it was opened: relative names start there; empty: not known
  std::string place;           ///< `path` from the root, if it is a file of the system
  FileIdentity identity;       ///< of the file that rank 0 opened
  std::uint64_t number = 0;    ///< of all that rank 0's process opened
  std::string why_read_only;   ///< a file that somebody may want to write
  /// Where FollowExternal::folder looks: without symbolic links, of the file that was opened first.
  std::string trusted_folder;
};

/// What is known of the way of raw data between memory and file, and what is kept of it.
struct Transfers {
  TransferOptions options;  ///< of options and hints of the file
  StripeLayout layout;      ///< where somebody may ask for it; the same on all ranks
  std::unique_ptr<CollectiveFile> collective;  ///< once all ranks transferred together
  LastTransfer last;
  ServingGroup serving_group;  ///< the last one
  ChunkCache chunk_cache;
  HeardHeaps heard_heaps;
};

/// A handle's way to a node, which is not forgotten altogether as long as there is one.
std::shared_ptr<Node> held(std::shared_ptr<const void> keeps, Node& node);

/// An open file on one rank. It has the metadata as it lies in the file (store) and decoded
/// (nodes); what the calls since the last flush have changed (changes, log, local edits), which the
/// next flush makes part of the file (committed); and what transfers of raw data need. The rooms
/// above work on these parts; what a file does as a whole, open, flush, close, leave, it does
/// itself.
class FileState : public std::enable_shared_from_this<FileState> {
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

  /// Each begun one is ended, or dropped without a flush: then what it changed is the business of
  /// the others. See FileOpening.
  void begin_opening(Access how);
  void end_opening(Access how);
  void drop_opening(Access how);

  /// The node of the object at `address`, read if need be.
  Node& node_at(Address address, Node* parent, std::string_view name);
  /// Looks at what all datasets are, so that they can be asked for it while a call is pending.
  void look_at_datasets();
  /// So many more nodes are likely to be looked at: spares the table of them its growth.
  void expect_nodes(std::size_t more);
  /// The node that is known to be there; else null.
  Node* known_node(Address address);
  /// The node that another rank means.
  Node& node_of(const NodeId& id);
  /// Its header, if that was forgotten. Any number of threads may call it at once.
  void recall(Node& node);
  /// New nodes have other identities from now on.
  void forget_identities() {
    new_nodes_.clear();
    nodes_in_new_nodes_ = nodes_in_file_;
  }
  Node& new_node(Node* parent, std::string_view name, ObjectKind kind);
  /// It has changed since the last flush.
  void note_dirty(Node& node);
  /// Those that changed, but are not new nor removed, by address.
  std::vector<Node*> dirty_stored_nodes();
  /// A new node is on disk now.
  void register_address(Node& node) { unregistered_.push_back(&node); }
  /// A new node has a place already.
  void reserve(Node& node) {
    nodes_.at(node.header.first.address) = &node;
    changes_.reserved_headers.push_back(node.header.first);
    changes_.dirty = true;
  }
  /// What a link leads to; null if it dangles. Soft links start at `group`.
  Node* follow(Node& group, LinkEntry& entry);
  /// What `path`, from `start`, leads to; null if nothing is there.
  Node* find(Node& start, std::string_view path);
  /// What a Datatype or Dataspace message means, or what it shares. It lives as long as the file.
  const Datatype& datatype(const HeaderMessage& message);
  const Dataspace& dataspace(const HeaderMessage& message);
  /// A Datatype message's bytes, in the arena; made once for many objects of one type in a row.
  ByteView encoded(const Datatype& type);
  /// Those that links from here lead to, and files for raw data.
  std::shared_ptr<ExternalFiles> external_files() const;
  /// Somebody opened it because `from` names it: from now on both look for others together, unless
  /// another file does so with it already.
  void become_external_of(const FileState& from);
  [[nodiscard]] bool is_external() const { return is_external_; }
  [[nodiscard]] bool owns(const ExternalFiles& files) const { return own_files_.get() == &files; }
  /// Who writes what all ranks have: the owner of the stripe, if all know it, else rank 0.
  int writer_at(Address address);
  /// For Onecast itself: by way of no opening.
  Settled<Node> handle(Node& node) { return held(shared_from_this(), node); }

  void require_open() const;
  /// Throws Error: state (read-only), unsupported (not a file whose structure Onecast can change).
  void require_editable() const;
  void require_writable() const;
  [[nodiscard]] bool is_open() const { return transport_ != nullptr; }
  /// May calls be carried out beside the caller?
  [[nodiscard]] bool allows_threads() const {
    return comm().allows_threads() && !(options_.mpi_io && comm().is_self());
  }
  [[nodiscard]] const RoomsAbove& rooms() const { return rooms_; }
  [[nodiscard]] bool is_closing() const { return closing_; }
  /// On rank 0 of a file that is open for writing, if a journal is wanted; else null.
  [[nodiscard]] JournalFile* journal() const { return journal_.get(); }
  /// Which rank writes which stripe. Collective if nothing asked for the nodes before.
  const OwnerMap& stripe_owners();
  /// Metadata gets pages from now on, and the next flush a page list, if it got none before.
  void begin_pages();
  /// A flush has succeeded: all that changed is in the file.
  void forget_changes();
  /// Those to which handles lead, and `others`, with those above them; and the root.
  [[nodiscard]] std::vector<Node*> held_nodes(const std::vector<Node*>& others = {});
  /// After a flush: forgets what is decoded, and metadata as it is in the file, if there is much.
  void forget_decoded();
  void note_memory(std::uint64_t more = 0) {
    most_memory_ = std::max(most_memory_, memory_bytes() + more);
  }
  /// Those that this file named, as far as it looks for them itself.
  [[nodiscard]] ExternalFiles& own_files() const { return *own_files_; }

  [[nodiscard]] CommunicatorBackend& comm() const { return communicator_.backend(); }
  [[nodiscard]] MetadataReport report() const;
  /// What keeps names and attributes where they are when they are forgotten; null if they never
  /// are.
  [[nodiscard]] std::shared_ptr<const void> keeper() const {
    if (access_ == Access::read_only) return nullptr;
    return arena_.keeper();
  }
  /// Bytes of metadata in memory, as it is in the file and decoded.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// With the collective calls so far.
  [[nodiscard]] IoStats io_stats() const;

  /// What it is called, and which file it is.
  [[nodiscard]] const FileName& name() const { return name_; }
  [[nodiscard]] FileName& name() { return name_; }
  [[nodiscard]] const std::string& path() const { return name_.path; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] const FileOptions& options() const { return options_; }
  /// As they were given.
  [[nodiscard]] const FileOptions& asked() const { return asked_; }
  [[nodiscard]] const Communicator& communicator() const { return communicator_; }
  /// Its collective calls.
  [[nodiscard]] FileCalls& calls() { return *calls_; }
  /// The structural calls since the last flush, which all ranks make alike.
  [[nodiscard]] CallLog& log() { return log_; }
  [[nodiscard]] const CallLog& log() const { return log_; }
  [[nodiscard]] UntoldErrors& untold() { return untold_; }
  [[nodiscard]] Transport& transport() { return *transport_; }
  [[nodiscard]] IoStats& stats() { return stats_; }

  [[nodiscard]] MetadataStore& store() const { return *store_; }
  [[nodiscard]] SharedMessages& shared() { return *shared_; }
  [[nodiscard]] NewBlocks& new_blocks() { return *new_blocks_; }
  /// The store and new blocks, for what is decoded once.
  [[nodiscard]] OverlapGuard& structures() { return *structures_; }
  [[nodiscard]] Arena& arena() { return arena_; }
  /// A file that is open for writing has one.
  [[nodiscard]] bool has_allocator() const { return allocator_.has_value(); }
  [[nodiscard]] PageAllocator& allocator() { return *allocator_; }
  [[nodiscard]] const PageAllocator& allocator() const { return *allocator_; }
  [[nodiscard]] Committed& committed() { return committed_; }
  [[nodiscard]] const Committed& committed() const { return committed_; }
  /// What the next flush has to do.
  [[nodiscard]] Changes& changes() { return changes_; }
  [[nodiscard]] const Changes& changes() const { return changes_; }
  /// What all ranks write alike to the global heap.
  [[nodiscard]] HeapWriter& heap() const { return *heap_; }
  [[nodiscard]] LocalEdits& local_edits() { return local_edits_; }
  [[nodiscard]] const LocalEdits& local_edits() const { return local_edits_; }
  [[nodiscard]] Transfers& transfers() { return transfers_; }
  [[nodiscard]] const Transfers& transfers() const { return transfers_; }

  [[nodiscard]] Node& root() const { return *root_; }
  /// For Node::walk_mark.
  [[nodiscard]] std::uint64_t next_walk() { return ++walks_; }
  /// A number for an object that is created.
  [[nodiscard]] std::uint64_t next_creation() { return ++creations_; }
  /// Is every object that a path leads to a known node?
  [[nodiscard]] std::atomic<bool>& all_known() { return all_known_; }

 private:
  /// Soft links on the way through one path.
  struct LinksFollowed {
    unsigned depth = 0;
    unsigned total = 0;
  };
  static constexpr LinksFollowed kMostLinks{16, 128};

  Node* follow(Node& group, LinkEntry& entry, LinksFollowed& followed);
  Node* follow_external(const Node& group, const LinkMessage& link, LinksFollowed& followed);
  Node* find(Node& start, std::string_view path, LinksFollowed& followed);

  /// Nothing is decoded, or waits for a flush, that could not be read again?
  [[nodiscard]] bool may_forget() const;
  void forget_all_but(const std::vector<Node*>& held, bool images);
  void register_addresses();
  Node& add_node(Node* parent, std::string_view name, ObjectHeader header, Address address,
                 ObjectKind kind);
  void start(const std::string& file_path, const Communicator& comm,
             const FileOptions& file_options, TransportFactory factory, OpenMode mode);
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
  void close(bool flushes);
  void become_read_only();
  void open_transport(TransportFactory factory, OpenMode mode);
  std::unique_ptr<Transport> open_on_first_rank(const TransportFactory& factory, OpenMode mode);
  [[nodiscard]] std::unique_ptr<Transport> open_temporary() const;
  std::unique_ptr<Transport> open_later(const TransportFactory& factory, OpenMode mode);
  void prepare_journal(const TransportFactory& counted);
  std::unique_ptr<Transport> recovered(std::unique_ptr<Transport> file,
                                       const TransportFactory& counted);
  void prepare_to_write();
  /// Where raw data and metadata are placed: after the allocator was made.
  void set_placement();
  void watch_for_close();
  [[nodiscard]] bool has_changes() const;
  void shut();

  const RoomsAbove& rooms_;
  FileName name_;
  Communicator communicator_;
  FileOptions asked_;
  FileOptions options_;
  Access access_ = Access::read_only;
  IoStats stats_;
  std::uint64_t collectives_before_ = 0;
  std::optional<FileCalls> calls_;
  std::unique_ptr<Transport> transport_;
  Transfers transfers_;
  std::unique_ptr<MetadataStore> store_;
  std::optional<SharedMessages> shared_;
  std::optional<NewBlocks> new_blocks_;
  std::optional<OverlapGuard> structures_;
  std::optional<PageAllocator> allocator_;
  Committed committed_;
  Arena arena_;
  Node* root_ = nullptr;
  std::uint64_t walks_ = 0;
  std::uint64_t creations_ = 0;
  std::atomic<bool> all_known_{false};
  CallLog log_;
  UntoldErrors untold_;
  Changes changes_{[this] { return open_temporary(); }, [this] { return path(); }};
  // Shared, so that the room above can make it of a class which this one does not know.
  std::shared_ptr<HeapWriter> heap_;
  LocalEdits local_edits_{*this};
  std::shared_ptr<ExternalFiles> own_files_ = std::make_shared<ExternalFiles>();
  std::weak_ptr<ExternalFiles> shared_files_ = own_files_;
  bool is_external_ = false;
  std::mutex openings_mutex_;  ///< of what follows
  unsigned readings_ = 0;
  unsigned writings_ = 0;
  std::optional<OwnerMap> owners_;        ///< of stripes, once they are dealt
  std::unique_ptr<JournalFile> journal_;  ///< on rank 0 of a file open for writing, if wanted
  bool leftover_journal_ = false;         ///< one of no use was found
  OpenMode mode_ = OpenMode::read_only;
  TransportFactory factory_;  ///< as it was given: counts nothing
  bool overlaid_ = false;  ///< open for reading, and a flush was not finished: a journal is needed
  DecodedMessages<Datatype> datatypes_;
  DecodedMessages<Dataspace> dataspaces_;
  std::optional<Datatype> last_encoded_;
  ByteView last_encoding_;
  std::mutex nodes_mutex_;  ///< of what follows
  NodeTable nodes_;
  /// New ones, of so many nodes, by creation_digest: made for node_of().
  std::unordered_map<std::uint64_t, Node*> new_nodes_;
  std::size_t nodes_in_new_nodes_ = 0;
  std::size_t nodes_in_file_ = 0;   ///< so many nodes are not new, or were removed
  std::vector<Node*> dirty_nodes_;  ///< since the last flush; some twice, or not dirty any more
  std::size_t nodes_looked_at_ = 0;
  bool closing_ = false;
  std::shared_ptr<const CollectiveCalls::Preparation> preparation_;
  int exceptions_at_open_ = -1;  ///< that were unwinding; -1: it was not opened yet
  /// Not in nodes_ by their address yet, but on disk: entered once somebody looks, which after the
  /// last flush nobody does.
  std::vector<Node*> unregistered_;
  std::mutex recalling_;
  std::uint64_t brought_ = 0;         ///< bytes of metadata in memory when it was opened
  std::uint64_t most_memory_ = 0;     ///< that memory_bytes() came to
  std::uint64_t remained_ = 0;        ///< of memory_bytes(), after the last time all was forgotten
  std::uint64_t of_one_flush_ = 0;    ///< what came to that with the next flush
  bool forgot_at_last_flush_ = true;  ///< or there was none yet
  std::optional<UnclosedWarning> unclosed_;  ///< of a file that is open for writing; goes first
};

/// From here to the end of the block is one read_all or write_all.
class TransferScope {
 public:
  TransferScope(FileState& file, const char* call) : file_(file) {
    file.transfers().last.begin(call, file.io_stats());
  }
  TransferScope(const TransferScope&) = delete;
  TransferScope& operator=(const TransferScope&) = delete;
  ~TransferScope() { file_.transfers().last.end(file_.io_stats()); }

 private:
  FileState& file_;
};

/// Locks it as the option, or the environment, says.
void lock_transport(Transport& file, LockKind kind, FileLocking option);

}  // namespace onecast
