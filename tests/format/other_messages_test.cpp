#include "bytes.hpp"
#include "format/objects/attribute_info_message.hpp"
#include "format/objects/extension_messages.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "format/objects/filter_pipeline_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/object_messages.hpp"
#include "format/objects/page_list_message.hpp"
#include "format/objects/shared_message.hpp"
#include "record_conformance.hpp"

namespace onecast::format {

template <>
struct Samples<LinkInfoMessage> {
  static std::vector<LinkInfoMessage> values(const FileContext&) {
    return {{}, {3, 17, Address{0x100}, Address{0x200}, Address{0x300}}};
  }
};

template <>
struct Samples<GroupInfoMessage> {
  static std::vector<GroupInfoMessage> values(const FileContext&) {
    return {{}, {3, 9, 7, 100, 20}};
  }
};

template <>
struct Samples<SymbolTableMessage> {
  static std::vector<SymbolTableMessage> values(const FileContext&) {
    return {{Address{0x88}, Address{0x2a8}}};
  }
};

template <>
struct Samples<AttributeInfoMessage> {
  static std::vector<AttributeInfoMessage> values(const FileContext&) {
    return {{}, {3, 17, Address{0x100}, Address{0x200}, Address{0x300}}};
  }
};

template <>
struct Samples<FilterDescription> {
  static std::vector<FilterDescription> values(const FileContext&) {
    return {{1, 1, 0, "deflate", {6}},
            {1, 2, 1, "shuffle", {8, 1}},
            {1, 3, 0, "", {}},
            {2, 1, 0, "", {6}},
            {2, 32015, 1, "zstd", {3}},
            {2, 307, 0, "", {}},
            {1, 32000, 1, "sixteen letters!", {1, 2, 3}}};
  }
};

template <>
struct Samples<FilterPipelineMessage> {
  static std::vector<FilterPipelineMessage> values(const FileContext& file) {
    FilterPipelineMessage v1, v2;
    v1.version = 1;
    for (const FilterDescription& filter : Samples<FilterDescription>::values(file))
      (filter.pipeline_version == 1 ? v1 : v2).filters.push_back(filter);
    return {FilterPipelineMessage{}, v1, v2};
  }
};

template <>
struct Samples<ExternalDataFilesMessage> {
  static std::vector<ExternalDataFilesMessage> values(const FileContext&) {
    return {{Address{0x800}, {{8, 0, 100}, {24, 16, ExternalDataFilesMessage::kUnlimitedSize}}}};
  }
};

template <>
struct Samples<BogusMessage> {
  static std::vector<BogusMessage> values(const FileContext&) { return {{}}; }
};

template <>
struct Samples<CommentMessage> {
  static std::vector<CommentMessage> values(const FileContext&) { return {{}, {"a comment"}}; }
};

template <>
struct Samples<OldModificationTimeMessage> {
  static std::vector<OldModificationTimeMessage> values(const FileContext&) {
    return {{}, {"1998", "12", "31", "23", "59", "58"}};
  }
};

template <>
struct Samples<ModificationTimeMessage> {
  static std::vector<ModificationTimeMessage> values(const FileContext&) { return {{1234567890}}; }
};

template <>
struct Samples<ReferenceCountMessage> {
  static std::vector<ReferenceCountMessage> values(const FileContext&) { return {{3}}; }
};

template <>
struct Samples<ContinuationMessage> {
  static std::vector<ContinuationMessage> values(const FileContext&) {
    return {{Address{0x400}, 120}};
  }
};

template <>
struct Samples<SharedMessage> {
  static std::vector<SharedMessage> values(const FileContext&) {
    const Address datatype{0x700};
    return {{1, SharedMessage::Type::committed, datatype, {}},
            {2, SharedMessage::Type::committed, datatype, {}},
            {3, SharedMessage::Type::committed, datatype, {}},
            {3, SharedMessage::Type::in_heap, {}, literal_bytes("eight by")}};
  }
};

template <>
struct Samples<SharedMessageTableMessage> {
  static std::vector<SharedMessageTableMessage> values(const FileContext&) {
    return {{Address{0x900}, 2}};
  }
};

template <>
struct Samples<BTreeKValuesMessage> {
  static std::vector<BTreeKValuesMessage> values(const FileContext&) { return {{}, {64, 32, 8}}; }
};

template <>
struct Samples<DriverInfoMessage> {
  static std::vector<DriverInfoMessage> values(const FileContext&) {
    return {{"NCSAfami", literal_bytes("a driver's own")}, {}};
  }
};

template <>
struct Samples<FileSpaceInfoMessage> {
  static std::vector<FileSpaceInfoMessage> values(const FileContext&) {
    FileSpaceInfoMessage page, persistent, old, old_persistent;
    page.page_size = 1 << 20;
    persistent.strategy = FileSpaceStrategy::fsm_aggregators;
    persistent.persist = true;
    persistent.end_of_allocated_space = Address{0x5000};
    persistent.managers[7] = Address{0x3000};
    old.version = 0;
    old.old_strategy = 3;
    old_persistent = old;
    old_persistent.old_strategy = FileSpaceInfoMessage::kOldAllPersist;
    return {page, persistent, old, old_persistent};
  }
};

template <>
struct Samples<CacheImageMessage> {
  static std::vector<CacheImageMessage> values(const FileContext&) {
    return {{Address{0x4000}, 4096}};
  }
};

template <>
struct Samples<PageListMessage> {
  static std::vector<PageListMessage> values(const FileContext&) {
    PageListMessage here, elsewhere;
    here.page_size = 1 << 20;
    here.generation = 7;
    here.end_of_file_address = 100U << 20U;
    here.runs = {{2, 0}, {1, 2}, {5, 90}};
    here.run_count = 3;
    elsewhere = here;
    elsewhere.flags = PageListMessage::kRunsInBlock;
    elsewhere.runs.clear();
    elsewhere.block_address = Address{0x500000};
    elsewhere.block_length = 24 + 3 * MetadataPageRun::kSize;
    PageListMessage with_extents = here;
    with_extents.flags = PageListMessage::kHasExtents;
    with_extents.extents_address = Address{0x600000};
    with_extents.extents_length = MetadataExtentsBlock::size(2);
    PageListMessage both = elsewhere;
    both.flags |= PageListMessage::kHasExtents;
    PageListMessage free = with_extents;
    free.flags |= PageListMessage::kHasFreeSpace;
    free.free = {{Address{700}, 100}, {Address{8U << 20U}, FreeStretch::kForMetadata | 4096U}};
    free.free_count = 2;
    PageListMessage all = both;
    all.flags |= PageListMessage::kHasFreeSpace;
    all.block_room = 1024;
    return {here, elsewhere, with_extents, both, free, all};
  }
};

template <>
struct Samples<MetadataExtentsBlock> {
  static std::vector<MetadataExtentsBlock> values(const FileContext&) {
    return {{1000, {{Address{0}, 96}, {Address{800}, 200}}}, {1000, {}}};
  }
};

template <>
struct Samples<PageListBlock> {
  static std::vector<PageListBlock> values(const FileContext&) {
    const std::vector<MetadataPageRun> runs{{2, 0}, {1, 2}, {5, 90}};
    return {{95, 7, runs},
            {95, 8, {}},
            {95, 9, runs, true, 950, {{Address{700}, 100}, {Address{900}, 50}}}};
  }
};

using OtherMessages1 =
    testing::Types<LinkInfoMessage, GroupInfoMessage, SymbolTableMessage, AttributeInfoMessage,
                   FilterDescription, FilterPipelineMessage, ExternalDataFilesMessage, BogusMessage,
                   CommentMessage, OldModificationTimeMessage, ModificationTimeMessage>;
using OtherMessages2 = testing::Types<ReferenceCountMessage, ContinuationMessage, SharedMessage,
                                      SharedMessageTableMessage, BTreeKValuesMessage,
                                      DriverInfoMessage, FileSpaceInfoMessage, CacheImageMessage,
                                      PageListMessage, PageListBlock, MetadataExtentsBlock>;
INSTANTIATE_TYPED_TEST_SUITE_P(OtherMessages1, RecordConformance, OtherMessages1);
INSTANTIATE_TYPED_TEST_SUITE_P(OtherMessages2, RecordConformance, OtherMessages2);

namespace {

const FileContext kFile{"messages.h5", 8, 8};

TEST(FileSpaceInfoMessage, TakesTheBytesThatStockLibrariesExpect) {
  EXPECT_EQ(encoded_size(kFile, FileSpaceInfoMessage{}), 29U);
}

TEST(PageListBlock, SizeIsTheEncodedSize) {
  const PageListBlock block{95, 7, {{2, 0}, {1, 2}}, true, 95, {{Address{8}, 16}}};
  EXPECT_EQ(encoded_size(kFile, block), PageListBlock::size(2, 1));
}

TEST(MetadataExtentsBlock, RefusesExtentsThatOverlapAreEmptyOrLeaveTheFile) {
  const auto refused = [](const std::vector<MetadataExtent>& extents) {
    const MetadataExtentsBlock block{1000, extents};
    EXPECT_EQ(encoded_size(kFile, block), MetadataExtentsBlock::size(extents.size()));
    EXPECT_EQ(MetadataExtentsBlock::count(encoded_size(kFile, block)), extents.size());
    std::vector<std::byte> bytes(encoded_size(kFile, block));
    ByteWriter out(bytes);
    encode(out, kFile, block);
    ByteReader in(bytes, Address{0}, kFile);
    MetadataExtentsBlock found = block.context();
    EXPECT_THROW(decode_into(in, found), Error);
  };
  refused({{Address{0}, 96}, {Address{95}, 10}});
  refused({{Address{500}, 96}, {Address{95}, 10}});
  refused({{Address{500}, 0}});
  refused({{Address{500}, 501}});
  refused({{Address{1000}, 1}});
}

TEST(PageListMessage, RefusesRunsThatOverlapOrDoNotAscend) {
  PageListMessage m = Samples<PageListMessage>::values(kFile)[0];
  m.runs[1].first_page = 1;
  const auto bytes = encoded(kFile, m);
  EXPECT_THROW(decode<PageListMessage>(bytes, Address{0}, kFile), Error);
}

TEST(PageListMessage, RefusesRunsBeyondTheEndOfTheFile) {
  PageListMessage m = Samples<PageListMessage>::values(kFile)[0];
  m.runs[2].first_page = 96;
  const auto bytes = encoded(kFile, m);
  EXPECT_THROW(decode<PageListMessage>(bytes, Address{0}, kFile), Error);
}

TEST(PageListMessage, RunCountThatLiesAllocatesNothing) {
  PageListMessage m = Samples<PageListMessage>::values(kFile)[0];
  m.run_count = 0xffffffffU;
  const auto bytes = encoded(kFile, m);
  EXPECT_THROW(decode<PageListMessage>(bytes, Address{0}, kFile), Error);
}

}  // namespace
}  // namespace onecast::format
