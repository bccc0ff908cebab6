#include "bytes.hpp"
#include "format/infra/free_space.hpp"
#include "format/infra/shared_message_list.hpp"
#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<FreeSpaceHeader> {
  static std::vector<FreeSpaceHeader> values(const FileContext&) {
    return {{},
            {FreeSpaceClient::fractal_heap, 1000, 3, 2, 1, 4, 70, 130, 32, 500, Address{0x1234}, 77,
             100}};
  }
};

template <>
struct Samples<FreeSpaceSectionList> {
  static std::vector<FreeSpaceSectionList> values(const FileContext&) {
    static const std::byte sections[12] = {std::byte{1}, std::byte{2}};
    return {{0, Address{0x100}, {}}, {12, Address{0x100}, ByteView(sections)}};
  }
};

template <>
struct Samples<SharedMessageList> {
  static std::vector<SharedMessageList> values(const FileContext&) {
    static const std::byte records[34] = {std::byte{1}};
    return {{}, {34, ByteView(records)}};
  }
};

using CheckRecords = testing::Types<FreeSpaceHeader, FreeSpaceSectionList, SharedMessageList>;
INSTANTIATE_TYPED_TEST_SUITE_P(Check, RecordConformance, CheckRecords);

TEST(CheckRecords, SizesAreKnownBefore) {
  for (const FileContext& file : kSampleFiles) {
    for (const FreeSpaceHeader& header : Samples<FreeSpaceHeader>::values(file))
      EXPECT_EQ(encoded_size(file, header), FreeSpaceHeader::size(file));
    for (const FreeSpaceSectionList& list : Samples<FreeSpaceSectionList>::values(file))
      EXPECT_EQ(encoded_size(file, list),
                FreeSpaceSectionList::overhead(file) + list.sections.size());
    EXPECT_EQ(encoded_size(file, SharedMessageList{}), SharedMessageList::size(file, 0));
  }
}

}  // namespace onecast::format
