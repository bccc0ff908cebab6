#include "pages/cache_image.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format/infra/metadata_cache_image.hpp"
#include "structures/read_record.hpp"

namespace onecast::pages {

std::vector<CachedPiece> read_cache_image(MetadataSource& source,
                                          const SuperblockExtension& extension,
                                          const std::vector<FileRange>& boot, std::uint64_t end) {
  if (!extension.cache_image) return {};
  const auto& [address, size] = *extension.cache_image;
  const ByteReader where({}, address, source.file(), CacheImageBlock::kTitle);
  const auto block = read_record<CacheImageBlock>(source, address, size);
  if (block.size != size)
    where.fail("Image Data Length", fmt::format("is {}, the message says {}", block.size, size));
  std::vector<CachedPiece> pieces;
  pieces.reserve(block.entries.size());
  for (const CacheImageEntry& entry : block.entries) pieces.push_back({entry.address, entry.image});
  std::ranges::sort(pieces, {}, [](const CachedPiece& p) { return p.address.value; });

  std::vector<FileRange> taken = boot;
  taken.push_back({address, size});
  std::uint64_t behind = 0;  // the end of the previous entry
  for (const CachedPiece& piece : pieces) {
    const std::uint64_t first = piece.address.value;
    const std::uint64_t length = piece.bytes.size();
    const auto fail = [&](const char* what) {
      where.fail("Entry Address", fmt::format("{:#x}, {} bytes: {}", first, length, what));
    };
    if (!piece.address.is_defined() || first > end || length > end - first) fail("leaves the file");
    if (first < behind) fail("overlaps another entry");
    behind = first + length;
    for (const FileRange& r : taken)
      if (first < r.address.value + r.size && r.address.value < behind)
        fail("overlaps the superblock, its extension or the image");
  }
  return pieces;
}

}  // namespace onecast::pages
