#include "format/infra/btree_v1.hpp"
#include "format/infra/btree_v2.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/infra/chunk_elements.hpp"
#include "format/infra/extensible_array.hpp"
#include "format/infra/fixed_array.hpp"
#include "format/infra/fractal_heap.hpp"
#include "format/infra/fractal_heap_id.hpp"
#include "format/infra/global_heap.hpp"
#include "format/infra/local_heap.hpp"
#include "format/infra/symbol_table_node.hpp"
#include "format/record_conformance.hpp"

namespace onecast {

using namespace format;

namespace {

ByteView bytes(std::size_t count) {
  static const std::vector<std::byte> all(4096, std::byte{0x5a});
  return ByteView(all).first(count);
}

}  // namespace

template <>
struct format::Samples<BTreeV1GroupKey> {
  static std::vector<BTreeV1GroupKey> values(const FileContext&) { return {{}, {0x1234}}; }
};

template <>
struct format::Samples<BTreeV1ChunkKey> {
  static std::vector<BTreeV1ChunkKey> values(const FileContext&) {
    return {{1, 100, 0, {7}, 0}, {3, 4096, 5, {1, std::uint64_t{1} << 40U, 3}, 0}};
  }
};

template <>
struct format::Samples<BTreeV1Node> {
  static std::vector<BTreeV1Node> values(const FileContext& file) {
    const std::size_t key = file.size_of_lengths;
    const std::size_t two = 3 * key + 2 * std::size_t{file.size_of_offsets};
    return {{key, BTreeV1NodeType::group, 0, 0, {}, {}, bytes(key)},
            {key, BTreeV1NodeType::chunk, 3, 2, Address{0x100}, Address{0x200}, bytes(two)}};
  }
};

template <>
struct format::Samples<SymbolTableNode> {
  static std::vector<SymbolTableNode> values(const FileContext&) {
    SymbolTableEntry soft;
    soft.link_name_offset = 8;
    soft.cache_type = SymbolCacheType::soft_link;
    soft.link_value_offset = 16;
    return {{}, {{SymbolTableEntry{}, soft}}};
  }
};

template <>
struct format::Samples<LocalHeapHeader> {
  static std::vector<LocalHeapHeader> values(const FileContext&) {
    return {{}, {88, 16, Address{0x300}}};
  }
};

template <>
struct format::Samples<GlobalHeapCollection> {
  static std::vector<GlobalHeapCollection> values(const FileContext&) { return {{4096}}; }
};

template <>
struct format::Samples<GlobalHeapObject> {
  static std::vector<GlobalHeapObject> values(const FileContext&) {
    return {{0, 0, 1000, {}}, {1, 1, 0, bytes(5)}, {2, 1, 0, bytes(8)}, {3, 0, 0, {}}};
  }
};

template <>
struct format::Samples<VariableLengthReference> {
  static std::vector<VariableLengthReference> values(const FileContext&) {
    return {{}, {3, {Address{0x400}, 2}}};
  }
};

template <>
struct format::Samples<BTreeV2Header> {
  static std::vector<BTreeV2Header> values(const FileContext&) {
    BTreeV2Header empty;
    empty.record_size = 11;
    BTreeV2Header full = empty;
    full.type = BTreeV2Type::filtered_chunk;
    full.depth = 2;
    full.root_node = Address{0x500};
    full.root_record_count = 3;
    full.total_record_count = 1000;
    return {empty, full};
  }
};

template <>
struct format::Samples<BTreeV2LeafNode> {
  static std::vector<BTreeV2LeafNode> values(const FileContext&) {
    return {{0, BTreeV2Type::link_name, {}}, {33, BTreeV2Type::attribute_name, bytes(33)}};
  }
};

template <>
struct format::Samples<BTreeV2InternalNode> {
  static std::vector<BTreeV2InternalNode> values(const FileContext&) {
    return {{11,
             2,
             1,
             0,
             BTreeV2Type::link_name,
             bytes(11),
             {{Address{0x600}, 4, 0}, {Address{0x700}, 5, 0}}},
            {0, 1, 2, 3, BTreeV2Type::link_name, {}, {{Address{0x600}, 400, 70000}}}};
  }
};

template <>
struct format::Samples<HugeIndirectRecord> {
  static std::vector<HugeIndirectRecord> values(const FileContext&) {
    return {{Address{0x800}, 5000, 1}};
  }
};

template <>
struct format::Samples<HugeIndirectFilteredRecord> {
  static std::vector<HugeIndirectFilteredRecord> values(const FileContext&) {
    return {{Address{0x800}, 5000, 1, 9000, 2}};
  }
};

template <>
struct format::Samples<HugeDirectRecord> {
  static std::vector<HugeDirectRecord> values(const FileContext&) {
    return {{Address{0x800}, 5000}};
  }
};

template <>
struct format::Samples<HugeDirectFilteredRecord> {
  static std::vector<HugeDirectFilteredRecord> values(const FileContext&) {
    return {{Address{0x800}, 5000, 1, 9000}};
  }
};

template <>
struct format::Samples<LinkNameRecord> {
  static std::vector<LinkNameRecord> values(const FileContext&) { return {{0xdeadbeef, bytes(7)}}; }
};

template <>
struct format::Samples<LinkCreationOrderRecord> {
  static std::vector<LinkCreationOrderRecord> values(const FileContext&) {
    return {{1234, bytes(7)}};
  }
};

template <>
struct format::Samples<AttributeNameRecord> {
  static std::vector<AttributeNameRecord> values(const FileContext&) {
    return {{bytes(8), 2, 77, 0xdeadbeef}};
  }
};

template <>
struct format::Samples<AttributeCreationOrderRecord> {
  static std::vector<AttributeCreationOrderRecord> values(const FileContext&) {
    return {{bytes(8), 0, 77}};
  }
};

template <>
struct format::Samples<ChunkRecord> {
  static std::vector<ChunkRecord> values(const FileContext&) {
    return {{2, Address{0x900}, {5, 6}}};
  }
};

template <>
struct format::Samples<FilteredChunkRecord> {
  static std::vector<FilteredChunkRecord> values(const FileContext&) {
    return {{2, 3, Address{0x900}, 65536, 1, {5, 6}}};
  }
};

template <>
struct format::Samples<FractalHeapHeader> {
  static std::vector<FractalHeapHeader> values(const FileContext&) {
    FractalHeapHeader plain;
    plain.heap_id_length = 7;
    plain.flags = FractalHeapHeader::kChecksummedBlocks;
    plain.root_block = Address{0xa00};
    FractalHeapHeader filtered = plain;
    filtered.filters_length = 20;
    filtered.filtered_root_block_size = 300;
    filtered.filters = bytes(20);
    return {plain, filtered};
  }
};

template <>
struct format::Samples<FractalHeapDirectBlock> {
  static std::vector<FractalHeapDirectBlock> values(const FileContext&) {
    return {{4, true, Address{0xb00}, 512, 0x12345678, bytes(100)},
            {5, false, Address{0xb00}, 0, 0, {}}};
  }
};

template <>
struct format::Samples<FractalHeapIndirectBlock> {
  static std::vector<FractalHeapIndirectBlock> values(const FileContext&) {
    FractalHeapIndirectBlock plain;
    plain.offset_size = 4;
    plain.child_count = 4;
    plain.heap_header = Address{0xb00};
    plain.children = {Address{0xc00}, {}, {}, {}};
    FractalHeapIndirectBlock filtered = plain;
    filtered.filtered_count = 2;
    filtered.filtered = {{300, 1}, {0, 0}};
    return {plain, filtered};
  }
};

template <>
struct format::Samples<ManagedHeapId> {
  static std::vector<ManagedHeapId> values(const FileContext&) {
    return {{4, 2, 0x12345678, 30}, {5, 2, 21, 1}};
  }
};

template <>
struct format::Samples<HugeIndirectHeapId> {
  static std::vector<HugeIndirectHeapId> values(const FileContext&) { return {{6, 1}, {7, 99}}; }
};

template <>
struct format::Samples<HugeDirectHeapId> {
  static std::vector<HugeDirectHeapId> values(const FileContext&) {
    return {{Address{0xd00}, 5000}};
  }
};

template <>
struct format::Samples<HugeDirectFilteredHeapId> {
  static std::vector<HugeDirectFilteredHeapId> values(const FileContext&) {
    return {{Address{0xd00}, 500, 2, 5000}};
  }
};

template <>
struct format::Samples<TinyHeapId> {
  static std::vector<TinyHeapId> values(const FileContext&) {
    return {{false, bytes(1)}, {false, bytes(16)}, {true, bytes(1)}, {true, bytes(4000)}};
  }
};

template <>
struct format::Samples<ChunkElement> {
  static std::vector<ChunkElement> values(const FileContext&) {
    return {{false, 0, Address{0xe00}, 0, 0}, {true, 3, Address{0xe00}, 70000, 1}};
  }
};

template <>
struct format::Samples<ChunkArrayPage> {
  static std::vector<ChunkArrayPage> values(const FileContext&) { return {{64, bytes(64)}}; }
};

template <>
struct format::Samples<FixedArrayHeader> {
  static std::vector<FixedArrayHeader> values(const FileContext&) {
    return {{}, {ChunkArrayClient::filtered_chunks, 15, 10, 5000, Address{0xf00}}};
  }
};

template <>
struct format::Samples<FixedArrayDataBlock> {
  static std::vector<FixedArrayDataBlock> values(const FileContext&) {
    return {{0, 80, ChunkArrayClient::chunks, Address{0xf00}, {}, bytes(80)},
            {5, 0, ChunkArrayClient::filtered_chunks, Address{0xf00}, bytes(5), {}}};
  }
};

template <>
struct format::Samples<ExtensibleArrayHeader> {
  static std::vector<ExtensibleArrayHeader> values(const FileContext&) {
    return {{}, {ChunkArrayClient::chunks, 8, 32, 4, 16, 4, 10, 1, 50, 2, 200, 77, 80, Address{1}}};
  }
};

template <>
struct format::Samples<ExtensibleArrayIndexBlock> {
  static std::vector<ExtensibleArrayIndexBlock> values(const FileContext&) {
    return {
        {32, 48, 16, ChunkArrayClient::chunks, Address{0xf00}, bytes(32), bytes(48), bytes(16)}};
  }
};

template <>
struct format::Samples<ExtensibleArraySecondaryBlock> {
  static std::vector<ExtensibleArraySecondaryBlock> values(const FileContext&) {
    return {{4, 0, 64, ChunkArrayClient::chunks, Address{0xf00}, 240, {}, bytes(64)},
            {4, 8, 64, ChunkArrayClient::chunks, Address{0xf00}, 240, bytes(8), bytes(64)}};
  }
};

template <>
struct format::Samples<ExtensibleArrayDataBlock> {
  static std::vector<ExtensibleArrayDataBlock> values(const FileContext&) {
    return {{4, 128, ChunkArrayClient::chunks, Address{0xf00}, 16, bytes(128)},
            {4, 0, ChunkArrayClient::chunks, Address{0xf00}, 16, {}}};
  }
};

using BTreesAndGroups =
    testing::Types<BTreeV1GroupKey, BTreeV1ChunkKey, BTreeV1Node, SymbolTableNode, BTreeV2Header,
                   BTreeV2LeafNode, BTreeV2InternalNode>;
INSTANTIATE_TYPED_TEST_SUITE_P(BTreesAndGroups, RecordConformance, BTreesAndGroups);

using BTreeV2Records =
    testing::Types<HugeIndirectRecord, HugeIndirectFilteredRecord, HugeDirectRecord,
                   HugeDirectFilteredRecord, LinkNameRecord, LinkCreationOrderRecord,
                   AttributeNameRecord, AttributeCreationOrderRecord, ChunkRecord,
                   FilteredChunkRecord>;
INSTANTIATE_TYPED_TEST_SUITE_P(BTreeV2Records, RecordConformance, BTreeV2Records);

using Heaps = testing::Types<LocalHeapHeader, GlobalHeapCollection, GlobalHeapObject,
                             VariableLengthReference, FractalHeapHeader, FractalHeapDirectBlock,
                             FractalHeapIndirectBlock, ManagedHeapId, HugeIndirectHeapId,
                             HugeDirectHeapId, HugeDirectFilteredHeapId, TinyHeapId>;
INSTANTIATE_TYPED_TEST_SUITE_P(Heaps, RecordConformance, Heaps);

using ChunkArrays =
    testing::Types<ChunkElement, ChunkArrayPage, FixedArrayHeader, FixedArrayDataBlock,
                   ExtensibleArrayHeader, ExtensibleArrayIndexBlock, ExtensibleArraySecondaryBlock,
                   ExtensibleArrayDataBlock>;
INSTANTIATE_TYPED_TEST_SUITE_P(ChunkArrays, RecordConformance, ChunkArrays);

TEST(InfraRecords, SizesAsDeclared) {
  for (const FileContext& file : kSampleFiles) {
    EXPECT_EQ(encoded_size(file, Samples<BTreeV2Header>::values(file)[0]),
              BTreeV2Header::size(file));
    for (const FractalHeapHeader& header : Samples<FractalHeapHeader>::values(file))
      EXPECT_EQ(encoded_size(file, header), FractalHeapHeader::size(file, header.filters_length));
    for (const FractalHeapIndirectBlock& block : Samples<FractalHeapIndirectBlock>::values(file))
      EXPECT_EQ(encoded_size(file, block),
                FractalHeapIndirectBlock::size(file, block.offset_size, block.child_count,
                                               block.filtered_count));
  }
  for (const FileContext& file : kSampleFiles) {
    EXPECT_EQ(encoded_size(file, FixedArrayHeader{}), FixedArrayHeader::size(file));
    EXPECT_EQ(encoded_size(file, ExtensibleArrayHeader{}), ExtensibleArrayHeader::size(file));
    EXPECT_EQ(encoded_size(file, Samples<FixedArrayDataBlock>::values(file)[0]),
              FixedArrayDataBlock::size(file, 80));
    EXPECT_EQ(encoded_size(file, Samples<ExtensibleArrayIndexBlock>::values(file)[0]),
              ExtensibleArrayIndexBlock::size(file, 96));
    EXPECT_EQ(encoded_size(file, Samples<ExtensibleArraySecondaryBlock>::values(file)[1]),
              ExtensibleArraySecondaryBlock::size(file, 4, 72));
    EXPECT_EQ(encoded_size(file, Samples<ExtensibleArrayDataBlock>::values(file)[0]),
              ExtensibleArrayDataBlock::size(file, 4, 128));
  }
  const FileContext file;
  EXPECT_EQ(encoded_size(file, LinkNameRecord{0, bytes(7)}), LinkNameRecord::kSize);
  EXPECT_EQ(encoded_size(file, LinkCreationOrderRecord{0, bytes(7)}),
            LinkCreationOrderRecord::kSize);
  EXPECT_EQ(encoded_size(file, AttributeNameRecord{bytes(8), 0, 0, 0}), AttributeNameRecord::kSize);
  EXPECT_EQ(encoded_size(file, AttributeCreationOrderRecord{bytes(8), 0, 0}),
            AttributeCreationOrderRecord::kSize);
}

}  // namespace onecast
