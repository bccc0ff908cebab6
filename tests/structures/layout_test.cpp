#include <gtest/gtest.h>

#include "structures/btree_v2.hpp"
#include "structures/btree_v2_pieces.hpp"
#include "structures/heaps/fractal_heap.hpp"
#include "structures/heaps/fractal_heap_pieces.hpp"
#include "structures/memory_file.hpp"

namespace onecast::structures {
namespace {

/// Returns a file that contains only these pieces, and sets `addresses` to theirs.
std::unique_ptr<MemoryFile> file_of(const Pieces& pieces, std::vector<Address>& addresses,
                                    const FileContext& file = kFile) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < pieces.count(); ++i) {
    addresses.push_back({bytes.size()});
    bytes.resize(bytes.size() + pieces.size(i), std::byte{0xee});
  }
  for (std::size_t i = 0; i < pieces.count(); ++i)
    pieces.encode(i, std::span<std::byte>(bytes).subspan(addresses[i].value, pieces.size(i)),
                  addresses, file);
  return std::make_unique<MemoryFile>(std::move(bytes), file);
}

/// Expects that all nodes except the root hold more records than the threshold at which other
/// writers merge them.
void expect_filled(const BTreeV2& tree, const BTreeV2::Node& node) {
  BTreeV2Shape shape(tree.header().node_size, tree.header().record_size, 8);
  ASSERT_TRUE(shape.reach(node.level));
  if (node.address != tree.header().root_node) {
    EXPECT_GT(tree.record_count(node), shape.level(node.level).max_records * 40 / 100);
  }
  std::uint64_t total = tree.record_count(node);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const BTreeV2::Node child = tree.child(node, i);
    expect_filled(tree, child);
    if (node.level > 1) total += node.children[i].total_record_count;
  }
  if (node.level > 1 && node.address == tree.header().root_node) {
    EXPECT_EQ(total, tree.header().total_record_count);
  }
}

void expect_tree(std::uint64_t count, std::uint16_t record_size, std::uint32_t node_size,
                 const FileContext& context = kFile) {
  SCOPED_TRACE(fmt::format("{} records of {} bytes in nodes of {}", count, record_size, node_size));
  const BTreeV2Pieces pieces({BTreeV2Type::link_name, record_size, count, node_size}, context,
                             [](std::uint64_t i, std::span<std::byte> out) {
                               ByteWriter writer(out);
                               writer.uint(2 * i, 4);
                               writer.zeros(writer.remaining());
                             });
  std::vector<Address> addresses;
  const auto file = file_of(pieces, addresses, context);
  const BTreeV2 tree(*file, addresses[0], BTreeV2Type::link_name, record_size);
  const auto number = [&](ByteView record) { return ByteReader(record, {}, context).uint(4, "n"); };
  std::uint64_t seen = 0;
  tree.for_each([&](ByteView record) {
    if (number(record) != 2 * seen) ADD_FAILURE() << seen;
    ++seen;
  });
  EXPECT_EQ(seen, count);
  for (std::uint64_t wanted = 0; wanted < 2 * count + 2; wanted += count > 5000 ? 77 : 1) {
    const auto found = tree.find([&](ByteView record) {
      return number(record) < wanted ? -1 : static_cast<int>(number(record) > wanted);
    });
    if (found.has_value() != (wanted % 2 == 0 && wanted < 2 * count)) ADD_FAILURE() << wanted;
  }
  if (const auto root = tree.root()) expect_filled(tree, *root);
}

TEST(BTreeV2Layout, AnyNumberOfRecords) {
  for (std::uint64_t count = 0; count < 200; ++count) expect_tree(count, 11, 512);
  for (std::uint64_t count = 200; count < 4000; count += 37) expect_tree(count, 11, 512);
  for (const std::uint64_t count :
       {1148ULL, 1149ULL, 1150ULL, 1151ULL, 26'449ULL, 26'450ULL, 100'000ULL, 1'000'000ULL})
    expect_tree(count, 11, 512);
}

TEST(BTreeV2Layout, OtherSizes) {
  constexpr std::uint16_t kRecordSizes[] = {13, 15, 17, 24, 40, 100};
  for (const std::uint16_t record_size : kRecordSizes)
    for (const std::uint64_t count : {1ULL, 20ULL, 21ULL, 500ULL, 3000ULL})
      expect_tree(count, record_size, 512);
  expect_tree(10'000, 272, 2048);
  expect_tree(70'000, 24, 64 * 1024);
  expect_tree(5000, 11, 512, {"small.h5", 4, 4});
}

HeapParameters tiny_table() { return {8, {2, 64, 256, 24}, 100, true}; }

TEST(FractalHeapPieces, ObjectsOfAllSizes) {
  for (const HeapParameters& parameters : {kLinkHeap, kAttributeHeap, tiny_table()}) {
    for (const std::size_t count : {0U, 1U, 2U, 5U, 50U, 3000U, 20'000U}) {
      SCOPED_TRACE(count);
      std::vector<std::uint64_t> sizes;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t largest = i % 50 == 49 ? parameters.max_managed_object_size * 2 : 60;
        sizes.push_back(1 + i * 7919 % largest);
      }
      const auto fill = [](std::size_t i, std::span<std::byte> out) {
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<std::byte>(i + k);
      };
      const FractalHeapPieces pieces(parameters, sizes, kFile, fill);
      std::vector<Address> addresses;
      const auto file = file_of(pieces, addresses);
      FractalHeap heap(*file, addresses[0]);
      std::vector<std::byte> expected;
      for (std::size_t i = 0; i < count; ++i) {
        const ByteView object = heap.object(pieces.heap_id(i, kFile));
        expected.resize(sizes[i]);
        fill(i, expected);
        if (!std::equal(object.begin(), object.end(), expected.begin(), expected.end()))
          ADD_FAILURE() << i;
      }
      const FractalHeapHeader& header = heap.header();
      EXPECT_EQ(header.managed_object_count + header.huge_object_count, count);
      EXPECT_LE(header.allocated_managed_space, header.managed_space);
      EXPECT_LE(header.iterator_offset, header.managed_space);
    }
  }
}

TEST(HeapSpace, ObjectsStayInBlocksAndApart) {
  HeapSpace space(kLinkHeap.table, 21);
  std::uint64_t end = 0;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < 50'000; ++i) {
    const std::uint64_t size = 1 + i * 7919 % (i % 100 == 0 ? 4096 : 100);
    const std::uint64_t at = space.allocate(size);
    EXPECT_GE(at, end);
    end = at + size;
    const HeapSpace::DirectBlock& block = space.direct_blocks().back();
    EXPECT_GE(at, block.offset + 21);
    EXPECT_LE(end, block.offset + block.size);
    blocks = space.direct_blocks().size();
  }
  EXPECT_GT(blocks, 40U);
  EXPECT_GT(space.indirect_blocks().size(), 1U);
}

TEST(DoublingTable, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(kLinkHeap.table.is_valid());
  EXPECT_TRUE(kAttributeHeap.table.is_valid());
  const DoublingTable wrong[] = {
      {0, 512, 65536, 32},     {3, 512, 65536, 32}, {4, 0, 65536, 32},    {4, 500, 65536, 32},
      {4, 512, 0, 32},         {4, 512, 256, 32},   {4, 512, 65536, 0},   {4, 512, 65536, 10},
      {4, 512, 65536, 64},     {4, 512, 65536, 15}, {1024, 512, 512, 32}, {4, 512, 3u << 30, 40},
      {4, 512, 1ULL << 40, 60}};
  for (const DoublingTable& table : wrong) EXPECT_FALSE(table.is_valid());
}

}  // namespace
}  // namespace onecast::structures
