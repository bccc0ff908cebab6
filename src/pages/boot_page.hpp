#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/file_context.hpp"
#include "pages/page_allocator.hpp"

namespace onecast {

/// The start of page 0 that Onecast keeps for the superblock and its extension.
inline constexpr std::uint64_t kBootSize = 512;

/// The list of runs where it is too long for the superblock extension.
struct PageListPlace {
  Address address;
  std::uint64_t length = 0;
};

/// A place for the list of runs, if it needs one. Call after everything else has its address.
std::optional<PageListPlace> place_page_list(PageAllocator& allocator);

/// Versions of the superblock that are written.
inline constexpr std::uint8_t kCompatibleSuperblock = 2;
inline constexpr std::uint8_t kLatestSuperblock = 3;

struct BootContents {
  std::uint8_t superblock_version;
  Address root;
  std::uint64_t generation;  ///< of the page list
};

/// Encodes superblock and extension: file space info and page list.
void encode_boot(std::span<std::byte> out, const FileContext& file, const BootContents& contents,
                 const PageAllocator& allocator, const std::optional<PageListPlace>& place);
void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation);

}  // namespace onecast
