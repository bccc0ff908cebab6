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
#include "transport/transport.hpp"

namespace onecast::pages {

/// "Indexed Storage Internal Node K" of a new file with this version of the superblock. Files of
/// version 2 have version 1 B-trees of chunks. A node has its full size from the start, and pages
/// hold whole nodes: a page of kPageSize holds 4 nodes of 30 entries for one dimension, 2 for five,
/// but only one node of 64 entries, the default of most libraries.
constexpr std::uint16_t node_k_of_new(std::uint8_t superblock_version) {
  return superblock_version == 2 ? 15 : BTreeKValuesMessage().indexed_storage_internal_node_k;
}

/// A block that is not part of the superblock extension.
struct BlockPlace {
  Address address;
  std::uint64_t length = 0;
  std::uint64_t room = 0;  ///< the space reserved for it; 0: not known
};

/// The place of the superblock and its extension, and what they hold besides the page list.
struct Boot {
  std::uint8_t version = 2;                     ///< of the superblock: 2 or 3
  std::uint64_t base = 0;                       ///< the offset of the superblock
  FileRange extension;                          ///< its address is undefined until it has a place
  std::vector<SuperblockExtension::Kept> kept;  ///< other messages of the extension
  BlockPlace extents;                           ///< the block of metadata outside of pages, if
                                                ///< there is any
  BlockPlace list;  ///< the block of a page list that does not fit into the extension
  /// The superblock says that readers look at the file while it is written (SWMR). The page list
  /// counts as stale then, since flushes do not renew it.
  bool is_for_readers = false;

  /// Describes a new file: both lie in page 0. `version` is that of its superblock.
  static Boot of_new(const FileContext& file, std::uint64_t page_size, std::uint8_t version);
  /// Describes a file that is open for writing. What a superblock of version 0 or 1 says goes into
  /// the extension; free space is no longer tracked. Refuses what cannot be written.
  static Boot of(const Superblock& superblock, const SuperblockExtension& extension,
                 std::uint64_t base, const FileContext& file);

  [[nodiscard]] static std::uint64_t superblock_size(const FileContext& file);
  [[nodiscard]] std::uint64_t extent_count() const {
    return MetadataExtentsBlock::count(extents.length);
  }
};

/// True if this file can be changed without a page list, and without an extension larger than its
/// own. False if its pages hold one kind of data, or it tracks free space.
bool may_stay_without_list(const Superblock& superblock, const SuperblockExtension& extension,
                           const FileContext& file);

/// The size of new pages of a file without a valid page list: its own page size, that of a stale
/// list, or `wanted`.
std::uint64_t page_size_for(const SuperblockExtension& extension, const FileContext& file,
                            std::uint64_t wanted);

/// Gives the extension a place, if it has none yet.
void allocate_extension(Boot& boot, PageAllocator& allocator, const FileContext& file);
/// The ranges that become free once the flush has succeeded.
struct GivenBack {
  std::vector<FileRange> raw_data;
  std::vector<FileRange> metadata;
  std::vector<HeapRoom> heap_rooms;
};
/// Gives the page list a place, if the file has a list and it needs a block. Must be called when
/// everything else has its address, since the list describes the allocator as it is then.
void allocate_page_list(Boot& boot, PageAllocator& allocator, const GivenBack& given_back,
                        const FileContext& file);

/// Sets the file consistency flags of a superblock of version 3, whose end of file becomes the end
/// of the file. Throws Error.
void write_consistency_flags(Transport& transport, std::uint64_t base, std::uint8_t flags,
                             const FileContext& file);
/// True if this superblock has version 2 or later, as those that Onecast writes.
bool has_modern_form(ByteView superblock);
/// Encodes the superblock; `out` has exactly its size.
void encode_superblock(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                       Address root, const PageAllocator& allocator);
/// Encodes the extension: the kept messages and the page list.
void encode_extension(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                      const PageAllocator& allocator, std::uint64_t generation);
void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation);
void encode_extents(std::span<std::byte> out, const FileContext& file,
                    const std::vector<FileRange>& extents);

}  // namespace onecast::pages
