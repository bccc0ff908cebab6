#include <gtest/gtest.h>

#include <map>
#include <set>

#include "format/objects/attribute_info_message.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/group_messages.hpp"
#include "structures/dense.hpp"
#include "structures/group_btree_v1.hpp"
#include "structures/heaps/fractal_heap_pieces.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/memory_file.hpp"
#include "structures/stock.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

namespace onecast::structures {
namespace {

/// Reads structures of files that h5py wrote (make_files.py defines their contents).
class Reading : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_h5py()) return;
    const test::TemporaryDirectory directory;
    for (const std::string kind : {"old", "new"}) {
      const StockAnswer answer = run_stock("make_files.py", kind + " '" + (directory / kind) + "'");
      ASSERT_EQ(answer.status, 0) << answer.text;
      (kind == "old" ? old_bytes_ : new_bytes_) = MemoryFile::read(directory / kind);
    }
  }
  void SetUp() override {
    ONECAST_NEEDS_H5PY();
    old_ = std::make_unique<MemoryFile>(old_bytes_);
    new_ = std::make_unique<MemoryFile>(new_bytes_);
  }

  /// Returns the object header of a child of the old file's root.
  Address old_child(const std::string& name) {
    const SymbolTableMessage root = symbols(old_->superblock().root_header_address);
    const auto entry = SymbolTable(*old_, root.btree, root.local_heap).find(name);
    EXPECT_TRUE(entry) << name;
    return entry ? entry->object_header : Address{};
  }
  SymbolTableMessage symbols(Address header) {
    return message_of<SymbolTableMessage>(*old_, header, MessageType::symbol_table);
  }
  /// Returns the object header of a child of the new file's root, which has compact links.
  Address new_child(const std::string& name) {
    const ObjectHeader root = read_object_header(*new_, new_->superblock().root_header_address);
    for (const HeaderMessage& message : root.messages) {
      if (message.type != MessageType::link) continue;
      const auto link = decode<LinkMessage>(message.data, message.address, new_->file());
      if (link.name == name) return link.object_header;
    }
    ADD_FAILURE() << name;
    return {};
  }
  DenseLinks dense_links(const std::string& group) {
    const auto info = message_of<LinkInfoMessage>(*new_, new_child(group), MessageType::link_info);
    return {*new_, info.fractal_heap, info.name_btree, info.creation_order_btree};
  }
  DenseAttributes dense_attributes(const std::string& group) {
    const auto info =
        message_of<AttributeInfoMessage>(*new_, new_child(group), MessageType::attribute_info);
    return {*new_, info.fractal_heap, info.name_btree, info.creation_order_btree};
  }

  static inline std::vector<std::byte> old_bytes_;
  static inline std::vector<std::byte> new_bytes_;
  std::unique_ptr<MemoryFile> old_;
  std::unique_ptr<MemoryFile> new_;
};

constexpr std::size_t kCounts[] = {0, 10, 1000, 100'000};

std::string link_name(std::size_t i) { return fmt::format("link{:06}", i); }

TEST_F(Reading, SymbolTables) {
  const Address target = old_child("target");
  for (const std::size_t count : kCounts) {
    const SymbolTableMessage table = symbols(old_child(fmt::format("group{}", count)));
    std::size_t seen = 0;
    std::size_t soft = 0;
    SymbolTable(*old_, table.btree, table.local_heap)
        .for_each([&](const SymbolTableEntry& entry, std::string_view name) {
          if (entry.cache_type == SymbolCacheType::soft_link) {
            ++soft;
            EXPECT_EQ(name, "soft");
            const LocalHeap heap(*old_, table.local_heap);
            EXPECT_EQ(heap.text(entry.link_value_offset, "value"), "/target/somewhere else");
            return;
          }
          if (name != link_name(seen)) ADD_FAILURE() << name;
          if (entry.object_header != target) ADD_FAILURE() << name;
          ++seen;
        });
    EXPECT_EQ(seen, count);
    EXPECT_EQ(soft, count == 10 ? 1U : 0U);

    const SymbolTable group(*old_, table.btree, table.local_heap);
    for (std::size_t i = 0; i < count; i += count > 1000 ? 97 : 1) {
      const auto found = group.find(link_name(i));
      ASSERT_TRUE(found) << link_name(i);
      EXPECT_EQ(found->object_header, target);
    }
    for (const char* missing : {"", "a", "link", "link0000005", "link999999", "zebra"})
      EXPECT_FALSE(group.find(missing)) << missing;
  }
}

TEST_F(Reading, SymbolIsFoundInFewNodes) {
  const SymbolTableMessage table = symbols(old_child("group100000"));
  const SymbolTable group(*old_, table.btree, table.local_heap);
  old_->views = 0;
  EXPECT_TRUE(group.find(link_name(77'777)));
  EXPECT_LE(old_->views, 12U);  // two for each of at most 5 nodes, and the symbol table node
}

TEST_F(Reading, GlobalHeap) {
  const auto layout =
      message_of<DataLayoutMessage>(*old_, old_child("text"), MessageType::data_layout);
  ByteReader in(old_->view(layout.address, layout.size, "text"), layout.address, old_->file());
  GlobalHeap heap(*old_);
  for (std::size_t i = 0; i < 3000; ++i) {
    const auto reference = decode<VariableLengthReference>(in);
    const ByteView value = heap.object(reference.id);
    const std::string_view text(reinterpret_cast<const char*>(value.data()), value.size());
    ASSERT_EQ(text, fmt::format("value {}", i));
    if (i % 500 == 0) {
      EXPECT_EQ(global_heap_object(*old_, reference.id.collection, reference.id.index).data(),
                value.data());
      EXPECT_EQ(test::thrown_by([&] { heap.object({reference.id.collection, 60'000}); }).code(),
                ErrorCode::format);
    }
  }
}

TEST_F(Reading, DenseLinks) {
  const Address target = new_child("target");
  for (const std::size_t count : {std::size_t{10}, std::size_t{1000}, std::size_t{100'000}}) {
    DenseLinks links = dense_links(fmt::format("group{}", count));
    EXPECT_EQ(links.count(), count);
    std::set<std::string, std::less<>> names;
    const auto link = [&](ByteView bytes) { return decode<LinkMessage>(bytes, {}, new_->file()); };
    links.for_each_by_hash([&](ByteView bytes) { names.emplace(link(bytes).name); });
    EXPECT_EQ(names.size(), count);
    std::size_t index = 0;
    EXPECT_TRUE(links.for_each_by_creation_order([&](ByteView bytes) {
      const LinkMessage message = link(bytes);
      if (message.name != link_name(count - 1 - index)) ADD_FAILURE() << message.name;
      if (message.creation_order != index || message.object_header != target)
        ADD_FAILURE() << index;
      ++index;
    }));
    EXPECT_EQ(index, count);
    for (std::size_t i = 0; i < count; i += count > 1000 ? 97 : 1) {
      const auto found = links.find(link_name(i));
      ASSERT_TRUE(found) << link_name(i);
      EXPECT_EQ(link(*found).name, link_name(i));
    }
    EXPECT_FALSE(links.find("no such link"));
    EXPECT_FALSE(links.find(""));
  }
}

TEST_F(Reading, DenseAttributes) {
  DenseAttributes many = dense_attributes("attributes");
  EXPECT_EQ(many.count(), 2000U);
  std::size_t index = 2000;
  many.for_each_by_creation_order([&](ByteView bytes) {
    const auto attribute = decode<AttributeMessage>(bytes, {}, new_->file());
    EXPECT_EQ(attribute.name, fmt::format("attr{:05}", --index));
    ByteReader value(attribute.data, {}, new_->file());
    EXPECT_EQ(value.uint(8, "value"), index);
  });
  EXPECT_EQ(index, 0U);
  EXPECT_TRUE(many.find("attr01234"));
  EXPECT_FALSE(many.find("attr02000"));
}

TEST_F(Reading, HugeAttributes) {
  DenseAttributes big = dense_attributes("big");
  std::map<std::string, std::size_t, std::less<>> sizes;
  big.for_each_by_hash([&](ByteView bytes) {
    const auto attribute = decode<AttributeMessage>(bytes, {}, new_->file());
    sizes.emplace(attribute.name, attribute.data.size());
    const auto number = static_cast<std::uint8_t>(std::stoi(std::string(attribute.name.substr(4))));
    EXPECT_EQ(attribute.data.back(), std::byte{number});
  });
  ASSERT_EQ(sizes.size(), 40U);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(sizes[fmt::format("attr{:05}", i)], i * 2000 + 1);
}

/// Expects that pieces for objects of the sizes in a heap of stock HDF5 have the same header as
/// that heap.
template <class D>
void expect_same_header(MemoryFile& file, D& dense, Address heap,
                        const HeapParameters& parameters) {
  std::vector<std::uint64_t> sizes;
  dense.for_each_by_creation_order([&](ByteView bytes) { sizes.push_back(bytes.size()); });
  const FractalHeapPieces pieces(parameters, sizes, file.file(), {});
  std::vector<std::byte> bytes(pieces.size(0));
  pieces.encode(0, bytes, std::vector<Address>(pieces.count(), Address{0}), file.file());
  const auto made = decode<FractalHeapHeader>(bytes, {}, file.file());
  const FractalHeapHeader stock = FractalHeap(file, heap).header();
  EXPECT_EQ(made.heap_id_length, stock.heap_id_length);
  EXPECT_EQ(made.flags, stock.flags);
  EXPECT_EQ(made.max_managed_object_size, stock.max_managed_object_size);
  EXPECT_EQ(made.next_huge_id, stock.next_huge_id);
  EXPECT_EQ(made.free_space, stock.free_space);
  EXPECT_EQ(made.managed_space, stock.managed_space);
  EXPECT_EQ(made.allocated_managed_space, stock.allocated_managed_space);
  EXPECT_EQ(made.iterator_offset, stock.iterator_offset);
  EXPECT_EQ(made.managed_object_count, stock.managed_object_count);
  EXPECT_EQ(made.table_width, stock.table_width);
  EXPECT_EQ(made.starting_block_size, stock.starting_block_size);
  EXPECT_EQ(made.max_direct_block_size, stock.max_direct_block_size);
  EXPECT_EQ(made.max_heap_bits, stock.max_heap_bits);
  EXPECT_EQ(made.starting_root_rows, stock.starting_root_rows);
  EXPECT_EQ(made.current_root_rows, stock.current_root_rows);
}

TEST_F(Reading, WrittenHeapsHaveTheSameHeader) {
  for (const std::size_t count : {std::size_t{10}, std::size_t{1000}, std::size_t{100'000}}) {
    const std::string group = fmt::format("group{}", count);
    DenseLinks links = dense_links(group);
    const auto info = message_of<LinkInfoMessage>(*new_, new_child(group), MessageType::link_info);
    expect_same_header(*new_, links, info.fractal_heap, kLinkHeap);
  }
  DenseAttributes attributes = dense_attributes("attributes");
  const auto info =
      message_of<AttributeInfoMessage>(*new_, new_child("attributes"), MessageType::attribute_info);
  expect_same_header(*new_, attributes, info.fractal_heap, kAttributeHeap);
}

TEST_F(Reading, ChunksOfVersion2Trees) {
  const auto layout =
      message_of<DataLayoutMessage>(*new_, new_child("chunked"), MessageType::data_layout);
  ASSERT_EQ(layout.index_type, ChunkIndexType::btree_v2);
  const BTreeV2 tree(*new_, layout.address, ChunkRecord::kType, ChunkRecord::size(new_->file(), 2));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> offsets;
  tree.for_each([&](ByteView bytes) {
    ByteReader in(bytes, tree.address(), new_->file());
    ChunkRecord record;
    record.rank = 2;
    decode_into(in, record);
    offsets.emplace_back(record.scaled_offset[0], record.scaled_offset[1]);
  });
  EXPECT_EQ(offsets.size(), 100U * 40U);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
}

TEST_F(Reading, NarrowAddresses) {
  const test::TemporaryDirectory directory;
  const StockAnswer answer = run_stock("make_files.py", "narrow '" + (directory / "narrow") + "'");
  ASSERT_EQ(answer.status, 0) << answer.text;
  new_ = std::make_unique<MemoryFile>(MemoryFile::read(directory / "narrow"));
  const Address target = new_child("target");
  ASSERT_EQ(new_->file().size_of_offsets, 4);
  DenseLinks links = dense_links("group");
  std::size_t index = 0;
  links.for_each_by_creation_order([&](ByteView bytes) {
    const auto link = decode<LinkMessage>(bytes, {}, new_->file());
    EXPECT_EQ(link.name, link_name(index++));
    EXPECT_EQ(link.object_header, target);
  });
  EXPECT_EQ(index, 3000U);
  EXPECT_TRUE(links.find("link001234"));
  DenseAttributes attributes = dense_attributes("group");
  std::size_t count = 0;
  attributes.for_each_by_hash([&](ByteView) { ++count; });
  EXPECT_EQ(count, 30U);
  EXPECT_GT(attributes.find("attr00029")->size(), 58'000U);
}

TEST_F(Reading, WrongKindOfTree) {
  const auto info =
      message_of<LinkInfoMessage>(*new_, new_child("group10"), MessageType::link_info);
  const Error error = test::thrown_by(
      [&] { DenseLinks(*new_, info.fractal_heap, info.creation_order_btree, info.name_btree); });
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_NE(std::string(error.what()).find("Type: is 6, expected 5"), std::string::npos)
      << error.what();
}

}  // namespace
}  // namespace onecast::structures
