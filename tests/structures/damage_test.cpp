#include <gtest/gtest.h>

#include <map>
#include <random>

#include "format/objects/data_layout_message.hpp"
#include "structures/chunks/open_chunk_index.hpp"
#include "structures/dense.hpp"
#include "structures/dense_file.hpp"
#include "structures/group_btree_v1.hpp"
#include "structures/heaps/global_heap.hpp"
#include "structures/memory_file.hpp"
#include "structures/stock.hpp"
#include "support/temporary_directory.hpp"

/// Damaged files may give an Error or wrong contents, but nothing else, and quickly.
namespace onecast::structures {
namespace {

void read_links(MemoryFile& file, const LinkInfoMessage& info) {
  if (!info.fractal_heap.is_defined()) return;
  DenseLinks links(file, info.fractal_heap, info.name_btree, info.creation_order_btree);
  std::string last;
  links.for_each_by_hash(
      [&](ByteView bytes) { last = decode<LinkMessage>(bytes, {}, file.file()).name; });
  links.for_each_by_creation_order([](ByteView) {});
  links.find(last);
  links.find("absent");
}

void read_attributes(MemoryFile& file, const AttributeInfoMessage& info) {
  if (!info.fractal_heap.is_defined()) return;
  DenseAttributes attributes(file, info.fractal_heap, info.name_btree, info.creation_order_btree);
  std::string last;
  attributes.for_each_by_hash(
      [&](ByteView bytes) { last = decode<AttributeMessage>(bytes, {}, file.file()).name; });
  attributes.for_each_by_creation_order([](ByteView) {});
  attributes.find(last);
}

void read_layout(MemoryFile& file, const DataLayoutMessage& layout) {
  if (layout.layout_class == LayoutClass::chunked && layout.version == 3) {
    const std::uint64_t shape[] = {20, 20};
    const ChunkGrid grid(layout, shape, {}, 1, Address{}, file.file());
    const auto index = open_chunk_index(file, grid, layout, false);
    ChunkCoordinates last{};
    index->for_each([&](const ChunkEntry& chunk) { last = chunk.at; });
    (void)index->find(last);
  }
  if (layout.layout_class != LayoutClass::contiguous) return;
  const ByteView data = file.view(layout.address, layout.size, "data");
  ByteReader in(data, layout.address, file.file());
  GlobalHeap heap(file);
  while (in.remaining() >= VariableLengthReference::size(file.file())) {
    const auto reference = decode<VariableLengthReference>(in);
    if (reference.length != 0) (void)heap.object(reference.id);
  }
}

void read_object(MemoryFile& file, Address header, unsigned depth) {
  const ObjectHeader object = read_object_header(file, header);
  for (const HeaderMessage& message : object.messages) {
    ByteReader in(message.data, message.address, file.file());
    if (message.type == MessageType::link_info) read_links(file, decode<LinkInfoMessage>(in));
    if (message.type == MessageType::attribute_info)
      read_attributes(file, decode<AttributeInfoMessage>(in));
    if (message.type == MessageType::data_layout) read_layout(file, decode<DataLayoutMessage>(in));
    if (message.type != MessageType::symbol_table) continue;
    const auto table = decode<SymbolTableMessage>(in);
    std::string last;
    const SymbolTable symbols(file, table.btree, table.local_heap);
    symbols.for_each([&](const SymbolTableEntry& entry, std::string_view name) {
      last = name;
      if (depth < 2 && entry.object_header.is_defined())
        read_object(file, entry.object_header, depth + 1);
    });
    (void)symbols.find(last);
    (void)symbols.find("absent");
  }
}

/// Returns true if the file is read without an Error.
bool survives(std::vector<std::byte> bytes) {
  MemoryFile file(std::move(bytes));
  try {
    read_object(file, file.superblock().root_header_address, 0);
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported ||
                error.code() == ErrorCode::invalid_argument)
        << error.what();
    return false;
  }
}

/// Returns the position of the checksum of a piece: behind the shortest prefix that it fits, or in
/// the prefix of a direct block.
std::size_t checksum_of(ByteView piece) {
  const std::string_view signature(reinterpret_cast<const char*>(piece.data()), 4);
  if (signature == "FHDB")
    return 4 + 1 + 8 + (piece.size() >= 1024 && piece.size() % 1024 == 0 ? 5U : 4U);
  if (signature != "FRHP" && signature != "FHIB" && !signature.starts_with("BT")) return 0;
  for (std::size_t at = 4; at + 4 <= piece.size(); ++at)
    if (ByteReader(piece.subspan(at, 4), {}, {}).uint(4, "checksum") == lookup3(piece.first(at)))
      return at;
  return 0;
}

TEST(Damage, DenseStorage) {
  const DenseFile whole({150, 40, 6});
  ASSERT_TRUE(survives(whole.bytes()));
  std::vector<std::byte> bytes = whole.bytes();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      bytes[i] ^= static_cast<std::byte>(flip);
      survives(bytes);
      bytes[i] = whole.bytes()[i];
    }
  }
}

TEST(Damage, DenseStorageWithChecksumsThatFit) {
  const DenseFile whole({1500, 40, 6});
  std::size_t passed = 0;
  std::map<std::string_view, unsigned> of_kind;
  for (const Extent& piece : whole.pieces()) {
    const auto start = static_cast<std::size_t>(piece.address.value);
    const auto size = static_cast<std::size_t>(piece.size);
    const std::size_t checksum_at = checksum_of(ByteView(whole.bytes()).subspan(start, size));
    const std::string_view kind(reinterpret_cast<const char*>(whole.bytes().data()) + start, 4);
    if (checksum_at == 0 || ++of_kind[kind] > 4) continue;
    std::vector<std::byte> bytes = whole.bytes();
    const std::span<std::byte> damaged = std::span<std::byte>(bytes).subspan(start, size);
    const bool direct = damaged[0] == std::byte{'F'} && damaged[2] == std::byte{'D'};
    const std::size_t end = direct ? size : checksum_at;
    for (std::size_t i = 4; i < end; i += i < 160 ? 1 : 29) {
      const std::byte original = damaged[i];
      for (const unsigned value : {0x00U, 0x01U, 0x7fU, 0xffU}) {
        damaged[i] = static_cast<std::byte>(value);
        const std::uint32_t checksum = direct ? direct_block_checksum(damaged, checksum_at)
                                              : lookup3(damaged.first(checksum_at));
        ByteWriter(damaged.subspan(checksum_at, 4)).uint(checksum, 4);
        passed += survives(bytes) ? 1U : 0U;
        damaged[i] = original;
      }
    }
  }
  EXPECT_GT(passed, 1000U);  // fewer would mean that checksums were not corrected
}

TEST(Damage, OldFiles) {
  ONECAST_NEEDS_H5PY();
  const test::TemporaryDirectory directory;
  const StockAnswer answer = run_stock("make_files.py", "tiny '" + (directory / "tiny") + "'");
  ASSERT_EQ(answer.status, 0) << answer.text;
  const std::vector<std::byte> whole = MemoryFile::read(directory / "tiny");
  ASSERT_TRUE(survives(whole));
  std::vector<std::byte> bytes = whole;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned value : {0x00U, 0x01U, 0x80U, 0xffU}) {
      if (bytes[i] == static_cast<std::byte>(value)) continue;
      bytes[i] = static_cast<std::byte>(value);
      survives(bytes);
    }
    bytes[i] = whole[i];
  }
  std::mt19937 random(1);
  for (unsigned round = 0; round < 3000; ++round) {
    std::vector<std::byte> many = whole;
    for (unsigned k = 0; k < 5; ++k)
      many[random() % many.size()] = static_cast<std::byte>(random());
    survives(std::move(many));
  }
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_FALSE(survives({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}));
}

TEST(Damage, TreesThatLoop) {
  // One version 1 node has itself as its children, another has one child many times.
  std::vector<std::byte> bytes(4096);
  const FileContext context{"loop.h5", 8, 8};
  const auto put_node = [&](std::size_t at, std::uint8_t level, std::uint64_t child) {
    std::vector<std::byte> entries(8 + 16 * 20);
    for (std::size_t i = 0; i < 20; ++i)
      ByteWriter(std::span(entries).subspan(8 + 16 * i)).uint(child, 8);
    const BTreeV1Node node{8, BTreeV1NodeType::group, level, 20, {}, {}, entries};
    ByteWriter out(std::span<std::byte>(bytes).subspan(at));
    encode(out, context, node);
  };
  const auto walk = [&] {
    MemoryFile file(bytes, context);
    const BTreeV1 tree(file, Address{0}, BTreeV1NodeType::group, 8);
    BTreeV1::Walk all(tree);
    while (all.next()) {
    }
  };
  put_node(0, 255, 0);
  EXPECT_THROW(walk(), Error);
  for (unsigned level = 0; level < 9; ++level)
    put_node(400 * level, static_cast<std::uint8_t>(8 - level), 400 * (level + 1));
  EXPECT_THROW(walk(), Error);
}

TEST(Damage, CollectionsThatOverlap) {
  std::vector<std::byte> bytes(8192);
  const FileContext context{"overlap.h5", 8, 8};
  for (const std::size_t at : {std::size_t{0}, std::size_t{2048}}) {
    ByteWriter out(std::span<std::byte>(bytes).subspan(at));
    encode(out, context, GlobalHeapCollection{4096});
    encode(out, context, GlobalHeapObject{1, 1, 0, {}});
  }
  MemoryFile file(bytes, context);
  GlobalHeap heap(file);
  EXPECT_EQ(heap.object({Address{0}, 1}).size(), 0U);
  EXPECT_THROW(heap.object({Address{2048}, 1}), Error);
}

}  // namespace
}  // namespace onecast::structures
