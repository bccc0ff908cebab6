#pragma once

#include <vector>

#include "base/namespaces.hpp"
#include "pages/file_range.hpp"
#include "pages/superblock_info.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::pages {

/// One piece of a metadata cache image; the bytes lie in the source.
struct CachedPiece {
  Address address;
  ByteView bytes;
};

/// Metadata that another library left in one block when it closed the file: it is to be read
/// instead of what lies in its place, which may be older, or missing. In the order of addresses;
/// none if there is no image. Throws Error (format) if the block is damaged, or if pieces overlap
/// each other, `boot` (the superblock and its extension) or the block, or leave the file.
std::vector<CachedPiece> read_cache_image(MetadataSource& source,
                                          const SuperblockExtension& extension,
                                          const std::vector<FileRange>& boot, std::uint64_t end);

}  // namespace onecast::pages
