#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/communicator_access.hpp"
#include "objects/codec/decoded_types.hpp"
#include "objects/codec/encoded_messages.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/new_blocks.hpp"
#include "objects/nodes/equal_attributes.hpp"
#include "objects/nodes/rooms_above.hpp"
#include "onecast/objects/file.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "structures/overlap_guard.hpp"
#include "structures/shared_messages.hpp"
#include "transport/file_identity.hpp"
#include "transport/known_end_transport.hpp"
#include "transport/transport.hpp"

namespace onecast::nodes {

/// The names of a file, and its identity.
struct FileName {
  std::string path;  ///< the path as given
  /// The working directory at the open, from which relative names start; empty: not known.
  std::string working_folder;
  std::uint64_t folder_of_first_rank = 0;  ///< folder_digest() on rank 0
  std::string full_path;                   ///< the absolute path, if it is a file of the system
  FileIdentity identity;                   ///< identifies the file that rank 0 opened
  FileStamp stamp;                         ///< the stamp at the open, on rank 0
  std::uint64_t number = 0;   ///< the number among all files that rank 0's process has opened
  std::string why_read_only;  ///< the reason, of a file that a caller may want to write
  bool is_external = false;   ///< true if it was opened because another file names it
  /// The folder of the file that was opened first, without symbolic links, for
  /// FollowExternal::folder.
  std::string trusted_folder;

  /// Returns a number by which ranks compare their working directories.
  [[nodiscard]] std::uint64_t folder_digest() const {
    return Digest().add(std::string_view(working_folder)).value();
  }
};

/// An open file as its objects see it: its name, how it was opened, its bytes, its stored metadata,
/// and memory for decoded metadata. A FileState adds the objects and the changes of calls.
class OpenFile {
 public:
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] const FileName& name() const { return name_; }
  [[nodiscard]] FileName& name() { return name_; }
  [[nodiscard]] const std::string& path() const { return name_.path; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] const FileOptions& options() const { return options_; }
  /// The options as the program gave them.
  [[nodiscard]] const FileOptions& asked() const { return asked_; }
  [[nodiscard]] const Communicator& communicator() const { return communicator_; }
  [[nodiscard]] CommunicatorBackend& comm() const { return backend_of(communicator_); }
  /// Returns true if a thread may carry out calls beside the caller.
  [[nodiscard]] bool allows_threads() const;
  [[nodiscard]] const RoomsAbove& rooms() const { return rooms_; }

  [[nodiscard]] bool is_open() const { return transport_ != nullptr; }
  void require_open() const {
    if (!is_open()) throw_closed();
  }
  void require_writable() const {
    if (!is_open() || access_ != Access::read_write) throw_read_only();
  }
  /// Throws Error: state (read-only), unsupported (a file whose structure Onecast cannot change).
  void require_editable() const {
    require_writable();
    if (store_->superblock().version == 3 && store_->superblock().file_consistency_flags != 0)
      throw_in_use();
  }

  [[nodiscard]] Transport& transport() { return *transport_; }
  /// The counts of the transport's work and of what its users add.
  [[nodiscard]] IoStats& stats() { return stats_; }
  [[nodiscard]] MetadataStore& store() const { return *store_; }
  [[nodiscard]] SharedMessages& shared() { return *shared_; }
  [[nodiscard]] NewBlocks& new_blocks() { return *new_blocks_; }
  [[nodiscard]] const NewBlocks& new_blocks() const { return *new_blocks_; }
  /// Lets all metadata be decoded once more.
  void decode_again() { structures_->begin_again(); }
  /// The store and new blocks, for metadata that is decoded once.
  [[nodiscard]] OverlapGuard& structures() { return *structures_; }
  /// True for a file that is open for writing.
  [[nodiscard]] bool has_allocator() const { return allocator_.has_value(); }
  [[nodiscard]] PageAllocator& allocator() { return *allocator_; }
  [[nodiscard]] const PageAllocator& allocator() const { return *allocator_; }

  [[nodiscard]] Arena& arena() { return arena_; }
  /// True if the file may forget decoded objects to which handles lead: it is open for writing, or
  /// follows a writer.
  [[nodiscard]] bool forgets() const { return access_ == Access::read_write || options_.follow; }
  /// Returns an owner of the memory of names and attributes, which keeps them when the file forgets
  /// them; null if the file never forgets them.
  [[nodiscard]] std::shared_ptr<const void> keeper() const {
    if (!forgets()) return nullptr;
    return arena_.keeper();
  }
  /// Returns what a Datatype or Dataspace message describes, itself or by sharing. The result lives
  /// as long as the file.
  const Datatype& datatype(const HeaderMessage& message) {
    if (may_share_another(message))
      return types_.datatype(shared_->resolve(message), *shared_, store_->file());
    return types_.datatype(message, *shared_, store_->file());
  }
  const Dataspace& dataspace(const HeaderMessage& message) {
    if (may_share_another(message))
      return types_.dataspace(shared_->resolve(message), *shared_, store_->file());
    return types_.dataspace(message, *shared_, store_->file());
  }
  /// Returns the type in the form that files of this profile have. The bytes of elements are equal.
  [[nodiscard]] Datatype stored_type(const Datatype& type) const;
  /// Returns the bytes of the Datatype message of stored_type(), in the arena. Objects share them.
  ByteView encoded(const Datatype& type) {
    return encoded_.of(type, is_for_old_readers(), store_->file(), arena_);
  }
  ByteView encoded(const Dataspace& space) { return encoded_.of(space, store_->file(), arena_); }
  /// Returns the Group Info message of a new group. Groups with the default limits share its bytes.
  HeaderMessage group_info(const DenseLimits& links) {
    return encoded_.group_info(links, store_->file(), arena_);
  }

  [[nodiscard]] EqualAttributes& equal_attributes() { return equal_attributes_; }

  [[nodiscard]] Node& root() const { return *root_; }
  /// Notes that the node has changed since the last flush.
  virtual void note_dirty(Node& node) = 0;
  /// Reserves room for `more` nodes that are likely to be looked up.
  virtual void expect_nodes(std::size_t more) = 0;

 protected:
  explicit OpenFile(const RoomsAbove& rooms) : rooms_(rooms) {}
  ~OpenFile() = default;

  /// Starts the decoders of the store's metadata. `file_size` must outlive them.
  void start_decoding(const std::uint64_t& file_size);
  /// Forgets decoded messages, which are decoded anew at the next lookup. Returns the owner of
  /// their memory.
  [[nodiscard]] std::shared_ptr<const void> forget_decoded_metadata();

  const RoomsAbove& rooms_;
  FileName name_;
  Communicator communicator_;
  FileOptions asked_;
  FileOptions options_;
  Access access_ = Access::read_only;
  IoStats stats_;
  std::unique_ptr<KnownEndTransport> transport_;
  std::unique_ptr<MetadataStore> store_;
  std::optional<PageAllocator> allocator_;
  Arena arena_;
  Node* root_ = nullptr;

 private:
  /// True if the same message may lead to something else later: the writer of a file that is
  /// followed may give the place to another object.
  [[nodiscard]] bool may_share_another(const HeaderMessage& message) const {
    return options_.follow && message.is_shared();
  }
  [[noreturn]] void throw_closed() const;
  [[noreturn]] void throw_read_only() const;
  [[noreturn]] void throw_in_use() const;
  [[nodiscard]] bool is_for_old_readers() const { return options_.profile == Profile::compatible; }

  std::optional<SharedMessages> shared_;
  std::optional<NewBlocks> new_blocks_;
  std::optional<OverlapGuard> structures_;
  DecodedTypes types_;
  EncodedMessages encoded_;
  EqualAttributes equal_attributes_;
};

}  // namespace onecast::nodes
