#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "format/objects/extension_messages.hpp"
#include "pages/page_allocator.hpp"
#include "pages/page_sizes.hpp"
#include "pages/superblock_info.hpp"

namespace onecast::pages {

/// "Indexed Storage Internal Node K" of a new file with this version of the superblock. Files of
/// version 2 have version 1 B-trees of chunks. A node has its whole size from the start, and pages
/// hold whole nodes: a page of kPageSize holds 4 nodes of 30 entries for one dimension, 2 for five.
/// Of nodes with 64 entries, as most libraries make them, it holds one.
constexpr std::uint16_t node_k_of_new(std::uint8_t superblock_version) {
  return superblock_version == 2 ? 15 : BTreeKValuesMessage().indexed_storage_internal_node_k;
}

/// A block that is not part of the superblock extension.
struct BlockPlace {
  Address address;
  std::uint64_t length = 0;
  std::uint64_t room = 0;  ///< kept for it; 0: not known
};

/// Where a file has its superblock extension, and what both hold beside the page list.
struct Boot {
  std::uint8_t version = 2;                     ///< of the superblock: 2 or 3
  std::uint64_t base = 0;                       ///< where the superblock lies
  HeaderChunk extension;                        ///< address undefined: not given yet
  std::vector<SuperblockExtension::Kept> kept;  ///< other messages of the extension
  BlockPlace extents;                           ///< of metadata outside of pages, if there is any
  BlockPlace list;  ///< if the page list does not fit into the extension

  /// Of a new file: both in page 0. `version`: of its superblock.
  static Boot of_new(const FileContext& file, std::uint64_t page_size, std::uint8_t version);
  /// Of a file that is open for writing. What the superblock of version 0 or 1 says goes into the
  /// extension; free space is not kept track of. Refuses what it cannot write.
  static Boot of(const Superblock& superblock, const SuperblockExtension& extension,
                 std::uint64_t base, const FileContext& file);

  [[nodiscard]] static std::uint64_t superblock_size(const FileContext& file);
  [[nodiscard]] std::uint64_t extent_count() const {
    return MetadataExtentsBlock::count(extents.length);
  }
};

/// Can this file be changed without a page list, and with no more of an extension than it has? Not
/// if its pages hold one kind of data, or its free space is kept track of.
bool may_stay_without_list(const Superblock& superblock, const SuperblockExtension& extension,
                           const FileContext& file);

/// The page size that new pages of a file without a page list should have: its own, that of
/// a list which is stale, or `wanted`.
std::uint64_t page_size_for(const SuperblockExtension& extension, const FileContext& file,
                            std::uint64_t wanted);

/// A place for the extension, if it has none yet.
void place_extension(Boot& boot, PageAllocator& allocator, const FileContext& file);
/// What a flush gives back once it is done.
struct GivenBack {
  std::vector<FileRange> raw_data;
  std::vector<FileRange> metadata;
  std::vector<HeapRoom> heap_rooms;
};
/// A place for the page list, if the file has one, and it needs one. Call after everything else has
/// its address: from then on the allocator is as it is when the flush is done.
void place_page_list(Boot& boot, PageAllocator& allocator, const GivenBack& given_back,
                     const FileContext& file);

/// Does a superblock of these bytes have version 2 or later, as those that are written?
bool has_modern_form(ByteView superblock);
/// Encodes the superblock into exactly its size.
void encode_superblock(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                       Address root, const PageAllocator& allocator);
/// Encodes the extension: what is kept, and the page list.
void encode_extension(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                      const PageAllocator& allocator, std::uint64_t generation);
void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation);
void encode_extents(std::span<std::byte> out, const FileContext& file,
                    const std::vector<FileRange>& extents);

}  // namespace onecast::pages
