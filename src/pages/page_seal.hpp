#pragma once

#include <cstddef>
#include <span>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

/// The last bytes of a metadata page are a checksum of the rest: XXH3 (64 bits) with the page's
/// address as seed. After a page's seal was compared, the checksums of its objects need not be
/// verified: one process does so for all, or each for the pages that it reads on demand. Pages that
/// one object takes whole have no seal, and other pages may lack one. See
/// docs/reference/page-list.md.
namespace onecast::pages {

inline constexpr std::size_t kSealSize = 8;

void seal_page(Address page, std::span<std::byte> bytes);
bool is_sealed(Address page, ByteView bytes);

}  // namespace onecast::pages
