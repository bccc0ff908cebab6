#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_context.hpp"
#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "format/boot/superblock.hpp"
#include "format/objects/extension_messages.hpp"
#include "format/objects/page_list_message.hpp"
#include "structures/metadata_source.hpp"
#include "structures/object_header.hpp"

namespace onecast::pages {

/// The pages of a file that hold metadata, as its superblock extension says.
struct PageList {
  PageListMessage message;
  std::vector<MetadataPageRun> runs;  ///< from the message or its block
  std::vector<FileRange> extents;     ///< metadata outside of pages
  std::vector<FreeStretch> free;      ///< from the message or its block
  /// Another program opened the file for writing, or its end moved, so the list may miss pages.
  bool stale = false;
  bool was_unknown = false;  ///< another program marked the list: it stays stale

  [[nodiscard]] std::uint64_t page_size() const { return message.page_size; }
  [[nodiscard]] std::uint64_t page_count() const;
};

/// Returns where the superblock is: 0, 512, 1024, 2048, ... ("II.A").
std::optional<std::uint64_t> find_superblock(ByteView start_of_file);
/// Throws Error (format): a file of `size` bytes has none.
[[noreturn]] void fail_without_superblock(const std::string& file, std::uint64_t size);

/// True if another program writes the file for concurrent readers (SWMR), or was killed doing so.
/// Until it closes the file, the superblock has the old end of file.
inline bool grows_behind_its_end(const Superblock& superblock) {
  return superblock.version == 3 &&
         (superblock.file_consistency_flags & consistency_flag::kOpenForSwmr) != 0;
}

/// Sets the end of the file, whatever the superblock says.
inline void end_at(Superblock& superblock, std::uint64_t end) {
  superblock.end_of_file_address = Address{superblock.base_address.value + end};
}

/// The contents of a superblock extension.
struct SuperblockExtension {
  /// A message that is kept when the extension is written anew.
  struct Kept {
    MessageType type = MessageType::nil;
    std::uint8_t flags = 0;
    std::vector<std::byte> bytes;
  };

  std::optional<PageList> page_list;
  std::optional<SharedMessageTableMessage> shared_messages;
  std::optional<BTreeKValuesMessage> btree_k_values;
  std::optional<FileRange> cache_image;  ///< metadata that replaces what lies at its addresses
  std::vector<Kept> others;              ///< all but the page list
  FileRange block;                       ///< its place, if it is one block; else undefined
};

/// "Indexed Storage Internal Node K": the extension's, else the superblock's.
inline unsigned indexed_storage_k(const Superblock& superblock,
                                  const SuperblockExtension& extension) {
  const auto& k = extension.btree_k_values;
  return k ? k->indexed_storage_internal_node_k : superblock.indexed_storage_internal_node_k;
}

/// Empty if there is no extension. Refuses a driver other than a single file, since reading would
/// go wrong.
SuperblockExtension read_extension(MetadataSource& source, const Superblock& superblock);

}  // namespace onecast::pages
