#pragma once

#include <cstddef>
#include <span>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

/// The last bytes of a metadata page are a checksum over the rest of it: XXH3 (64 bits) with the
/// page's address as seed. Whoever reads a whole sealed page need not verify the checksum of every
/// object in it: one process does it once for all. Pages that one object takes whole have no seal,
/// nor need others have one. See docs/reference/page-list.md.
namespace onecast::pages {

inline constexpr std::size_t kSealSize = 8;

void seal_page(Address page, std::span<std::byte> bytes);
bool is_sealed(Address page, ByteView bytes);

}  // namespace onecast::pages
