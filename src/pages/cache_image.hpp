#pragma once

#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "pages/superblock_info.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::pages {

/// One entry of a metadata cache image; the bytes lie in the source.
struct CachedPiece {
  Address address;
  ByteView bytes;
};

/// Reads the metadata cache image, a block of metadata that another library left when it closed the
/// file. Its entries replace what lies at their addresses, which may be older or missing. Returns
/// them in the order of addresses, or nothing if there is no image. Throws Error (format) if the
/// block is damaged, or if entries overlap each other, `boot` (the superblock and its extension) or
/// the block, or lie outside of the file.
std::vector<CachedPiece> read_cache_image(MetadataSource& source,
                                          const SuperblockExtension& extension,
                                          const std::vector<FileRange>& boot, std::uint64_t end);

}  // namespace onecast::pages
