#include "pages/page_seal.hpp"

// Where xxHash chooses its code by the processor, it takes half the time.
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

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
