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
#include <unordered_set>
#include <vector>

#include "base/unclosed_files.hpp"
#include "collective/last_transfer.hpp"
#include "comm/backend.hpp"
#include "comm/collective_calls.hpp"
#include "comm/file_calls.hpp"
#include "comm/serving_group.hpp"
#include "objects/codec/decoded_messages.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/chunk_cache.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/memory/heard_heaps.hpp"
#include "objects/memory/new_blocks.hpp"
#include "objects/memory/unsettled_writes.hpp"
#include "objects/tree/call_log.hpp"
#include "objects/tree/compact_write.hpp"
#include "objects/tree/external_files.hpp"
#include "objects/tree/local_edits.hpp"
#include "objects/tree/node.hpp"
#include "objects/tree/node_table.hpp"
#include "objects/tree/pending_call.hpp"
#include "objects/tree/transfer_options.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/variable_write.hpp"
#include "onecast/objects/file.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"
#include "pages/journal.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "pages/waiting_bytes.hpp"
#include "structures/overlap_guard.hpp"
#include "transport/factory.hpp"

namespace onecast {

class EditedChunks;

/// A handle's way to a node, which is not forgotten altogether as long as there is one.
std::shared_ptr<Node> held(std::shared_ptr<const void> keeps, Node& node);

/// An open file on one rank: the metadata store, the objects looked at so far, and what changed.
class FileState : public std::enable_shared_from_this<FileState> {
 public:
  /// @collective
  static std::shared_ptr<FileState> create(const std::string& path,
                                           const Communicator& communicator,
                                           const FileOptions& options,
                                           TransportFactory factory = {});
  static std::shared_ptr<FileState> open(const std::string& path, Access access,
                                         const Communicator& communicator,
                                         const FileOptions& options, TransportFactory factory = {});
  /// The same of a file that may be open already: then it is that one. @collective
  static std::shared_ptr<FileState> open_once(const std::string& path, Access access,
                                              const Communicator& communicator,
                                              const FileOptions& options);
  /// One that `from` names, by this process alone. @independent
  static std::shared_ptr<FileState> open_external(const std::string& path, Access access,
                                                  const FileOptions& options,
                                                  const FileState& from);
  FileState();
  ~FileState();

  /// @collective for files open for writing
  void flush() { flush(CallKind::flush); }
  /// Before a structural call that adds something: a flush, if what the calls since the last one
  /// made takes more memory than the option metadata_budget leaves for it. Throws before the call
  /// has changed anything. @collective then, and the same on all ranks: calls are counted, not
  /// bytes of this rank's memory. Inside independent() nothing happens.
  void make_room();
  /// The next flush writes a page list, if the file has no valid one. @same
  void adopt();
  [[nodiscard]] bool has_page_list() const { return has_page_list_; }
  /// Flushes first, if it is open for writing. @collective for files open for writing
  void close();
  /// Without a flush; the other ranks hear the `reason` in their next collective call.
  void abandon(std::string_view reason);

  /// Each begun one is ended, or dropped without a flush: then what it changed is the business of
  /// the others. See FileOpening.
  void begin_opening(Access how);
  void end_opening(Access how);
  void drop_opening(Access how);

  /// An independent write to compact data, which other ranks must hear of at the next flush.
  void remember(CompactWrite write);
  /// A collective write to compact data, which all ranks made: it wins over independent ones
  /// before.
  void overwrite(CompactWrite write);
  /// What this rank wrote to a dataset, or to any (null), and the others do not know of yet.
  [[nodiscard]] UnsettledWrites unsettled_writes(const Node* only = nullptr) const;
  /// Makes what any rank wrote for itself known to all; `kinds`: what some rank has. Returns an
  /// Error where two ranks wrote one filtered chunk. @collective
  std::exception_ptr settle_writes(UnsettledWrites kinds);

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
    reserved_headers.push_back(node.header.first);
    dirty = true;
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
  [[nodiscard]] bool is_open() const { return transport != nullptr; }
  /// May calls be carried out beside the caller?
  [[nodiscard]] bool allows_threads() const {
    return comm().allows_threads() && !(options.mpi_io && comm().is_self());
  }
  [[nodiscard]] CommunicatorBackend& comm() const { return communicator.backend(); }
  [[nodiscard]] MetadataReport report() const;
  /// What keeps names and attributes where they are when they are forgotten; null if they never
  /// are.
  [[nodiscard]] std::shared_ptr<const void> keeper() const {
    if (access == Access::read_only) return nullptr;
    return arena.keeper();
  }
  /// Bytes of metadata in memory, as it is in the file and decoded.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// With the collective calls so far.
  [[nodiscard]] IoStats io_stats() const;

  std::string path;            ///< as given
  std::string working_folder;  ///< when it was opened: relative names start there; empty: not known
  std::string place;           ///< `path` from the root, if it is a file of the system
  FileIdentity identity;       ///< of the file that rank 0 opened
  std::uint64_t number = 0;    ///< of all that rank 0's process opened
  std::string why_read_only;   ///< a file that somebody may want to write
  /// Where FollowExternal::folder looks: without symbolic links, of the file that was opened first.
  std::string trusted_folder;
  Communicator communicator;
  FileOptions asked;  ///< as given
  FileOptions options;
  TransferOptions transfers;  ///< of options and hints
  StripeLayout layout;        ///< of the file, where somebody may ask for it; the same on all ranks
  Access access = Access::read_only;
  IoStats stats;
  std::uint64_t collectives_before = 0;
  std::optional<FileCalls> calls;  ///< collective ones
  std::unique_ptr<Transport> transport;
  std::unique_ptr<CollectiveFile> collective;  ///< once all ranks transferred together
  LastTransfer last_transfer;
  std::unique_ptr<MetadataStore> store;
  std::optional<SharedMessages> shared;
  std::optional<NewBlocks> new_blocks;
  std::optional<OverlapGuard> structures;  ///< the store and new blocks, for what is decoded once
  ChunkCache chunk_cache;
  HeardHeaps heard_heaps;
  std::optional<PageAllocator> allocator;  ///< of a file that is open for writing
  Boot boot;                               ///< likewise
  std::uint64_t generation = 0;
  Arena arena;
  Node* root = nullptr;
  std::uint64_t walks = 0;             ///< see Node::walk_mark
  std::uint64_t creations = 0;         ///< objects created so far
  std::atomic<bool> all_known{false};  ///< every object that a path leads to is a known node

  CallLog log;
  bool dirty = false;             ///< some node is
  std::uint64_t written_end = 0;  ///< this rank wrote raw data up to here
  std::uint64_t file_end = 0;     ///< the file is known to be so long, on all ranks
  std::exception_ptr deferred;    ///< data was lost: all ranks hear of it at every flush
  UntoldErrors untold;
  /// Rank 0 wrote for all, and no collective call came after it yet; the same on all ranks.
  bool first_rank_writes = false;
  ReleasedSpace released;  ///< since the last flush; the same on all ranks
  /// Those with edited chunks that the next flush may have to look at.
  std::vector<Node*> edited_datasets;
  std::unordered_set<const Node*> renewed;    ///< contiguous data has a new place; likewise
  std::vector<Node*> unfilled_datasets;       ///< since the last flush; the same on all ranks
  std::vector<HeaderChunk> reserved_headers;  ///< since the last flush
  HeapWriter heap{*this};                     ///< what all ranks write alike
  /// Raw data of this rank that gets its place at the next flush.
  WaitingSpace waiting{[this] { return open_temporary(); }, [this] { return path; }};
  std::vector<VariableWrite> variable_writes;        ///< of this rank, since the last flush
  ServingGroup serving_group;                        ///< the last one
  std::uint64_t decoded_chunk_bytes = 0;             ///< of pending chunks, of all of them
  std::unordered_set<EditedChunks*> decoded_chunks;  ///< that have some of these
  LocalEdits local_edits{*this};                     ///< of this rank, since the last flush
  /// Of compact datasets, made and not removed since the file was opened; the same on all ranks.
  std::uint64_t compact_bytes = 0;

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

  void flush(CallKind kind);
  /// Nothing is decoded, or waits for a flush, that could not be read again?
  [[nodiscard]] bool may_forget() const;
  /// After a flush: forgets what is decoded, and metadata as it is in the file, if there is much.
  void forget_decoded();
  void forget_all_but(const std::vector<Node*>& held, bool images);
  [[nodiscard]] std::vector<Node*> held_nodes();
  void note_memory(std::uint64_t more = 0) {
    most_memory_ = std::max(most_memory_, memory_bytes() + more);
  }
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
                                             const FileOptions& options, HowToOpen how,
                                             std::uint64_t& known);
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
  void merge_compact_writes();
  void sync_external_files();
  void prepare_to_write();
  void watch_for_close();
  [[nodiscard]] bool has_changes() const;
  void set_placement();
  CommitOptions commit_options();
  const OwnerMap& stripe_owners();
  /// All that changed is in the file.
  void forget_changes();
  void find_extents();
  void commit();
  void shut();

  std::shared_ptr<ExternalFiles> own_files_ = std::make_shared<ExternalFiles>();
  std::weak_ptr<ExternalFiles> shared_files_ = own_files_;
  bool is_external_ = false;
  std::mutex openings_mutex_;  ///< of what follows
  unsigned readings_ = 0;
  unsigned writings_ = 0;
  std::vector<CompactWrite> compact_writes_;  ///< unknown to other ranks
  /// Collective writes to compact data since open, the same on all ranks. The epoch of one is odd,
  /// of an independent write after it the next even number.
  std::uint64_t clock_ = 0;
  std::uint64_t committed_end_ = 0;  ///< metadata pages below it are in the file
  bool has_page_list_ = false;       ///< it is valid, or the file is new
  /// Until the first flush of a file without one: where its metadata lies.
  std::optional<std::vector<FileRange>> extents_;
  std::optional<OwnerMap> owners_;        ///< of stripes, once they are dealt
  std::unique_ptr<Commit> half_flushed_;  ///< failed, and left some of its pages in the file
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
    file.last_transfer.begin(call, file.io_stats());
  }
  TransferScope(const TransferScope&) = delete;
  TransferScope& operator=(const TransferScope&) = delete;
  ~TransferScope() { file_.last_transfer.end(file_.io_stats()); }

 private:
  FileState& file_;
};

/// Locks it as the option, or the environment, says.
void lock_transport(Transport& file, LockKind kind, FileLocking option);

/// The Group Info message of new groups.
HeaderMessage group_info_message(FileState& file);

}  // namespace onecast
