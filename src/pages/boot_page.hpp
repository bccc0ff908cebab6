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

/// Encodes superblock (version 2) and extension: file space info and page list.
void encode_boot(std::span<std::byte> out, const FileContext& file, Address root,
                 const PageAllocator& allocator, std::uint64_t generation,
                 const std::optional<PageListPlace>& place);
void encode_page_list(std::span<std::byte> out, const FileContext& file,
                      const PageAllocator& allocator, std::uint64_t generation);

}  // namespace onecast
