#include "pages/page_seal.hpp"

#include <xxhash.h>

#include "base/byte_writer.hpp"
#include "base/file_context.hpp"

namespace onecast::pages {
namespace {

std::uint64_t seal_of(Address page, ByteView bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size() - kSealSize, page.value);
}

}  // namespace

void seal_page(Address page, std::span<std::byte> bytes) {
  ByteWriter(bytes.last(kSealSize)).uint(seal_of(page, bytes), kSealSize);
}

bool is_sealed(Address page, ByteView bytes) {
  const FileContext none;
  return ByteReader(bytes.last(kSealSize), page, none, "Page").uint(kSealSize, "Seal") ==
         seal_of(page, bytes);
}

}  // namespace onecast::pages
