#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "objects/codec/decoded_types.hpp"
#include "objects/codec/encoded_messages.hpp"
#include "objects/memory/arena.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/new_blocks.hpp"
#include "objects/tree/rooms_above.hpp"
#include "onecast/objects/file.hpp"
#include "pages/metadata_store.hpp"
#include "pages/page_allocator.hpp"
#include "structures/overlap_guard.hpp"
#include "structures/shared_messages.hpp"
#include "transport/file_identity.hpp"
#include "transport/known_end_transport.hpp"
#include "transport/transport.hpp"

namespace onecast::tree {

/// What a file is called, and which one it is.
struct FileName {
  std::string path;            ///< as given
  std::string working_folder;  ///< when it was opened: relative names start there; empty: not known
  std::uint64_t folder_of_first_rank = 0;  ///< folder_digest() there
  std::string place;                       ///< `path` from the root, if it is a file of the system
  FileIdentity identity;                   ///< of the file that rank 0 opened
  FileStamp stamp;                         ///< when it was read, on rank 0
  std::uint64_t number = 0;                ///< of all that rank 0's process opened
  std::string why_read_only;               ///< a file that somebody may want to write
  bool is_external = false;                ///< it was opened because another file names it
  /// Where FollowExternal::folder looks: without symbolic links, of the file that was opened first.
  std::string trusted_folder;

  /// So that ranks can compare where they were.
  [[nodiscard]] std::uint64_t folder_digest() const {
    return Digest().add(std::string_view(working_folder)).value();
  }
};

/// An open file as its objects see it: what it is called, how it was opened, its bytes and its
/// metadata as it lies in the file, and memory for what is decoded of that. A FileState has also
/// the objects, and what calls have changed.
class OpenFile {
 public:
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// What it is called, and which file it is.
  [[nodiscard]] const FileName& name() const { return name_; }
  [[nodiscard]] FileName& name() { return name_; }
  [[nodiscard]] const std::string& path() const { return name_.path; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] const FileOptions& options() const { return options_; }
  /// As they were given.
  [[nodiscard]] const FileOptions& asked() const { return asked_; }
  [[nodiscard]] const Communicator& communicator() const { return communicator_; }
  [[nodiscard]] CommunicatorBackend& comm() const { return communicator_.backend(); }
  /// May calls be carried out beside the caller?
  [[nodiscard]] bool allows_threads() const;
  [[nodiscard]] const RoomsAbove& rooms() const { return rooms_; }

  [[nodiscard]] bool is_open() const { return transport_ != nullptr; }
  void require_open() const;
  /// Throws Error: state (read-only), unsupported (not a file whose structure Onecast can change).
  void require_editable() const;
  void require_writable() const;

  [[nodiscard]] Transport& transport() { return *transport_; }
  /// What the transport has done, and who uses it notes besides.
  [[nodiscard]] IoStats& stats() { return stats_; }
  [[nodiscard]] MetadataStore& store() const { return *store_; }
  [[nodiscard]] SharedMessages& shared() { return *shared_; }
  [[nodiscard]] NewBlocks& new_blocks() { return *new_blocks_; }
  [[nodiscard]] const NewBlocks& new_blocks() const { return *new_blocks_; }
  /// The store and new blocks, for what is decoded once.
  [[nodiscard]] OverlapGuard& structures() { return *structures_; }
  /// A file that is open for writing has one.
  [[nodiscard]] bool has_allocator() const { return allocator_.has_value(); }
  [[nodiscard]] PageAllocator& allocator() { return *allocator_; }
  [[nodiscard]] const PageAllocator& allocator() const { return *allocator_; }

  [[nodiscard]] Arena& arena() { return arena_; }
  /// What keeps names and attributes where they are when they are forgotten; null if they never
  /// are.
  [[nodiscard]] std::shared_ptr<const void> keeper() const {
    if (access_ == Access::read_only) return nullptr;
    return arena_.keeper();
  }
  /// What a Datatype or Dataspace message means, or what it shares. It lives as long as the file.
  const Datatype& datatype(const HeaderMessage& message) {
    return types_.datatype(message, *shared_, store_->file());
  }
  const Dataspace& dataspace(const HeaderMessage& message) {
    return types_.dataspace(message, *shared_, store_->file());
  }
  /// The type as files of this profile have it. The bytes of elements are the same.
  [[nodiscard]] Datatype stored_type(const Datatype& type) const;
  /// The Datatype message's bytes of stored_type(), in the arena; other objects may have them too.
  ByteView encoded(const Datatype& type) {
    return encoded_.of(type, is_for_old_readers(), store_->file(), arena_);
  }
  ByteView encoded(const Dataspace& space) { return encoded_.of(space, store_->file(), arena_); }
  /// The Group Info message of new groups.
  const HeaderMessage& group_info() { return encoded_.group_info(store_->file(), arena_); }

  [[nodiscard]] Node& root() const { return *root_; }
  /// It has changed since the last flush.
  virtual void note_dirty(Node& node) = 0;
  /// So many more nodes are likely to be looked at: spares the table of them its growth.
  virtual void expect_nodes(std::size_t more) = 0;

 protected:
  explicit OpenFile(const RoomsAbove& rooms) : rooms_(rooms) {}
  ~OpenFile() = default;

  /// The store is there: what is decoded of it comes by way of these. `file_size` outlives them.
  void start_decoding(const std::uint64_t& file_size);
  /// What is decoded is decoded anew when it is looked at again. Returns what keeps its memory.
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
  [[nodiscard]] bool is_for_old_readers() const { return options_.profile == Profile::compatible; }

  std::optional<SharedMessages> shared_;
  std::optional<NewBlocks> new_blocks_;
  std::optional<OverlapGuard> structures_;
  DecodedTypes types_;
  EncodedMessages encoded_;
};

}  // namespace onecast::tree
