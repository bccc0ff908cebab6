#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/file_context.hpp"
#include "pages/page_allocator.hpp"
#include "pages/superblock_info.hpp"

namespace onecast {

/// The start of page 0 that a new file keeps for the superblock and its extension.
inline constexpr std::uint64_t kBootSize = 512;

/// A block that is not part of the superblock extension.
struct BlockPlace {
  Address address;
  std::uint64_t length = 0;
};

/// Where a file has its superblock extension, and what both hold beside the page list.
struct Boot {
  std::uint8_t version = 2;                     ///< of the superblock: 2 or 3
  std::uint64_t base = 0;                       ///< where the superblock lies
  HeaderChunk extension;                        ///< address undefined: not given yet
  std::vector<SuperblockExtension::Kept> kept;  ///< other messages of the extension
  BlockPlace extents;                           ///< of metadata outside of pages, if there is any

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

/// The page size that new pages of a file without a page list should have: its own, that of
/// a list which is stale, `wanted`, or, if that is 0, one that suits its size.
std::uint64_t page_size_for(const SuperblockExtension& extension, const FileContext& file,
                            std::uint64_t wanted, std::uint64_t file_size);

/// A place for the extension, if it has none yet.
void place_extension(Boot& boot, PageAllocator& allocator, const FileContext& file);
/// A place for the list of runs, if it needs one. Call after everything else has its address.
std::optional<BlockPlace> place_page_list(PageAllocator& allocator);

/// Encodes the superblock into exactly its size.
void encode_superblock(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                       Address root, const PageAllocator& allocator);
/// Encodes the extension: what is kept, and the page list.
void encode_extension(std::span<std::byte> out, const FileContext& file, const Boot& boot,
                      const PageAllocator& allocator, std::uint64_t generation,
                      const std::optional<BlockPlace>& place);
void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation);
void encode_extents(std::span<std::byte> out, const FileContext& file,
                    const std::vector<FileRange>& extents);

}  // namespace onecast
