#include "format/boot/superblock.hpp"

#include <fmt/format.h>

namespace onecast::format {
namespace {

Superblock from(const SuperblockV0& s) {
  Superblock all;
  all.version = s.version;
  all.size_of_offsets = s.size_of_offsets;
  all.size_of_lengths = s.size_of_lengths;
  all.file_consistency_flags = s.file_consistency_flags;
  all.base_address = s.base_address;
  all.end_of_file_address = s.end_of_file;
  all.driver_info_address = s.driver_information_block;
  all.root_header_address = s.root_group.object_header;
  if (s.root_group.cache_type == SymbolCacheType::group)
    all.cached_root = Superblock::CachedRoot{s.root_group.btree, s.root_group.name_heap};
  all.group_leaf_node_k = s.group_leaf_node_k;
  all.group_internal_node_k = s.group_internal_node_k;
  all.indexed_storage_internal_node_k = s.indexed_storage_internal_node_k;
  return all;
}

Superblock from(const SuperblockV2& s) {
  Superblock all;
  all.version = s.version;
  all.size_of_offsets = s.size_of_offsets;
  all.size_of_lengths = s.size_of_lengths;
  all.file_consistency_flags = s.file_consistency_flags;
  all.base_address = s.base_address;
  all.end_of_file_address = s.end_of_file;
  all.extension_address = s.extension;
  all.root_header_address = s.root_group_header;
  return all;
}

std::uint8_t size_field(ByteReader& in, const char* field) {
  const std::uint64_t size = in.uint(1, field);
  if (size == 16 || size == 32) in.refuse(field, fmt::format("{} bytes", size));
  if (size != 2 && size != 4 && size != 8)
    in.fail(field, fmt::format("is {}, none of 2, 4, 8, 16 and 32", size));
  return static_cast<std::uint8_t>(size);
}

}  // namespace

bool is_open_for_swmr(ByteView superblock) {
  return superblock.size() > kSuperblockFlagsAt &&
         superblock[kSuperblockVersionAt] == std::byte{3} &&
         (std::to_integer<std::uint32_t>(superblock[kSuperblockFlagsAt]) &
          consistency_flag::kOpenForSwmr) != 0;
}

Superblock decode_superblock(ByteView bytes, Address where, FileContext& file) {
  ByteReader in(bytes, where, file, "Superblock");
  Decoder(in).signature("Format Signature", kFormatSignature);
  const std::uint64_t version = in.uint(1, "Version Number of the Superblock");
  if (version == kFlushUnderWay)
    in.fail("Version Number of the Superblock",
            "is 255: a flush was under way when its writer ended, and no journal that fits lies "
            "beside the file");
  if (version > 3)
    in.refuse("Version Number of the Superblock", fmt::format("version {}", version));

  // The sizes precede everything that depends on them, at a place that depends on the version.
  if (version < 2) in.bytes(4, "Version Numbers");
  const std::uint8_t size_of_offsets = size_field(in, "Size of Offsets");
  const std::uint8_t size_of_lengths = size_field(in, "Size of Lengths");
  file.size_of_offsets = size_of_offsets;
  file.size_of_lengths = size_of_lengths;

  const Superblock superblock = version < 2 ? from(decode<SuperblockV0>(bytes, where, file))
                                            : from(decode<SuperblockV2>(bytes, where, file));
  if (!superblock.root_header_address.is_defined())
    in.fail("Root Group Object Header Address", "is undefined");
  if (!superblock.base_address.is_defined()) in.fail("Base Address", "is undefined");
  if (!superblock.end_of_file_address.is_defined()) in.fail("End of File Address", "is undefined");
  return superblock;
}

}  // namespace onecast::format
