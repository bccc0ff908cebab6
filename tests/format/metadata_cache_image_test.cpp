#include "format/infra/metadata_cache_image.hpp"

#include "bytes.hpp"
#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<CacheImageBlock> {
  static std::vector<CacheImageBlock> values(const FileContext&) {
    static constexpr std::byte kBytes[] = {std::byte{1}, std::byte{2}, std::byte{3}};
    CacheImageEntry entry;
    entry.type = 5;
    entry.flags = 1;
    entry.ring = 1;
    entry.position = 7;
    entry.address = Address{0x1234};
    entry.image = kBytes;
    CacheImageEntry child = entry;
    child.parents = {Address{0x10}, Address{0x20}};
    return {{0, {}}, {99, {entry, child}}};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(MetadataCacheImages, RecordConformance,
                               testing::Types<CacheImageBlock>);

}  // namespace onecast::format
