// Version 1 B-trees of chunks are changed in place, and compared with a map node by node.
#include "structures/chunks/chunk_btree_v1_edit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "onecast/base/error.hpp"
#include "structures/chunks/chunk_btree_v1.hpp"
#include "structures/chunks/chunk_btree_v1_pieces.hpp"
#include "structures/memory_file.hpp"

namespace onecast::structures {
namespace {

constexpr std::uint64_t kElement = 4;

DataLayoutMessage layout_of(std::initializer_list<std::uint64_t> chunk) {
  DataLayoutMessage layout;
  layout.layout_class = LayoutClass::chunked;
  layout.dimensionality = static_cast<std::uint8_t>(chunk.size() + 1);
  std::copy(chunk.begin(), chunk.end(), layout.dimensions.begin());
  layout.dimensions[chunk.size()] = kElement;
  return layout;
}

/// A file that contains only a tree, and the expected chunks, by number.
class TreeFile {
 public:
  TreeFile(std::initializer_list<std::uint64_t> shape, std::initializer_list<std::uint64_t> chunk,
           unsigned node_k)
      : grid_(layout_of(chunk), std::vector<std::uint64_t>(shape), {}, kElement, {}, context_),
        node_k_(node_k) {}

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  [[nodiscard]] std::size_t nodes_removed() const { return nodes_removed_; }

  /// Removes and sets these chunks, and returns the number of nodes that were written.
  std::size_t change(const std::vector<std::uint64_t>& gone,
                     const std::map<std::uint64_t, std::uint64_t>& set) {
    for (const std::uint64_t n : gone) chunks_.erase(n);
    for (const auto& [n, address] : set) chunks_[n] = address;
    if (!root_.is_defined()) return create();
    MemoryFile source(bytes_);
    std::uint64_t end = bytes_.size();
    const auto take = [&](std::uint64_t size) {
      const Address address{end};
      end += size;
      return address;
    };
    ChunkBTreeV1Edit tree(source, grid_, kElement, root_, node_k_, take);
    for (const std::uint64_t n : gone) tree.remove(grid_.coordinates(n));
    for (const auto& [n, address] : set) tree.set(entry(n));
    tree.finish();
    const std::vector<std::byte> before = bytes_;
    const std::size_t written = write(tree, tree.allocate(take), end, before);
    nodes_removed_ += tree.released().size();
    if (tree.count() == 0)
      root_ = {};
    else
      EXPECT_EQ(tree.allocate(take).front(), root_);
    return written;
  }

  void expect_sound() {
    MemoryFile source(bytes_);
    std::map<std::uint64_t, std::uint64_t> found;
    if (root_.is_defined()) {
      const ChunkBTreeV1 index(source, grid_, root_);
      index.for_each(
          [&](const ChunkEntry& e) { found.emplace(grid_.number(e.at), e.address.value); });
      for (std::uint64_t n = 0; n < grid_.total; ++n) {
        const auto e = index.find(grid_.coordinates(n));
        ASSERT_EQ(e.has_value(), chunks_.contains(n)) << n;
        if (e) {
          ASSERT_EQ(e->size, chunks_[n] % 50);
        }
      }
      expect_levels(source);
    }
    ASSERT_EQ(found, chunks_);
  }

  /// The number of other chunks that are not found, without an error, if a key of the root has
  /// another offset.
  [[nodiscard]] std::size_t hidden_by_key(unsigned key, std::uint64_t offset) const {
    constexpr std::size_t kPrefix = 24;
    const std::size_t key_size = BTreeV1ChunkKey::size(grid_.rank);
    std::vector<std::byte> bytes = bytes_;
    const std::size_t at = root_.value + kPrefix + key * (key_size + sizeof(std::uint64_t));
    ByteWriter(std::span(bytes).subspan(at + 8, 8)).uint(offset, 8);
    MemoryFile source(bytes);
    const ChunkBTreeV1 index(source, grid_, root_);
    std::size_t hidden = 0;
    unsigned number = 0;
    for (const auto& [n, address] : chunks_) {
      if (number++ == key) continue;
      const ChunkCoordinates place = grid_.coordinates(n);
      const auto is_hidden = [&](auto&& is_found) {
        try {
          return !is_found();
        } catch (const Error&) {
          return false;
        }
      };
      if (is_hidden([&] { return index.find(place).has_value(); })) ++hidden;
      if (is_hidden([&] {
            std::size_t found = 0;
            index.for_each_in({place, place}, [&](const ChunkEntry&) { ++found; });
            return found == 1;
          }))
        ++hidden;
    }
    return hidden;
  }

 private:
  [[nodiscard]] ChunkEntry entry(std::uint64_t n) const {
    const std::uint64_t address = chunks_.at(n);
    return {grid_.coordinates(n), Address{address}, address % 50,
            static_cast<std::uint32_t>(address % 3)};
  }

  std::size_t create() {
    std::vector<std::uint64_t> numbers;
    for (const auto& [n, address] : chunks_) numbers.push_back(n);
    if (numbers.empty()) return 0;
    const ChunkBTreeV1Pieces tree(grid_, kElement, numbers.size(), node_k_, context_,
                                  [&](std::uint64_t i) { return entry(numbers[i]); });
    std::uint64_t end = bytes_.size();
    const auto addresses = tree.allocate([&](std::uint64_t size) {
      const Address address{end};
      end += size;
      return address;
    });
    root_ = addresses.front();
    return write(tree, addresses, end, bytes_);
  }

  std::size_t write(const Pieces& tree, const std::vector<Address>& addresses, std::uint64_t end,
                    std::vector<std::byte> next) {
    next.resize(end, std::byte{0xee});
    std::size_t written = 0;
    for (std::size_t i = 0; i < tree.count(); ++i) {
      if (tree.touched(i) == 0) continue;
      ++written;
      tree.encode(i, std::span(next).subspan(addresses[i].value, tree.size(i)), addresses,
                  context_);
    }
    bytes_ = std::move(next);
    return written;
  }

  /// Expects that siblings refer to each other and share the key between them, and that a parent
  /// has its children's first keys.
  void expect_levels(MemoryFile& source) {
    const BTreeV1 tree(source, root_, BTreeV1NodeType::chunk, BTreeV1ChunkKey::size(grid_.rank));
    std::vector<BTreeV1::Node> level{tree.root()};
    const auto key = [&](const BTreeV1::Node& node, unsigned i) {
      const ByteView bytes = tree.key(node, i).window();
      return std::vector<std::byte>(bytes.begin() + 8, bytes.end());
    };
    for (;;) {
      for (std::size_t i = 0; i < level.size(); ++i) {
        const BTreeV1::Node& node = level[i];
        ASSERT_GT(node.entries, 0);
        ASSERT_LE(node.entries, 2 * node_k_);
        ASSERT_EQ(node.left, i == 0 ? Address{} : level[i - 1].address);
        ASSERT_EQ(node.right, i + 1 == level.size() ? Address{} : level[i + 1].address);
        if (i + 1 < level.size()) {
          ASSERT_EQ(key(node, node.entries), key(level[i + 1], 0));
        }
      }
      if (level.front().level == 0) return;
      std::vector<BTreeV1::Node> below;
      for (const BTreeV1::Node& node : level)
        for (unsigned i = 0; i < node.entries; ++i) {
          below.push_back(tree.child_node(node, i));
          ASSERT_EQ(key(node, i), key(below.back(), 0));
        }
      level = std::move(below);
    }
  }

  FileContext context_{"memory.h5", 8, 8};
  ChunkGrid grid_;
  unsigned node_k_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(64);
  Address root_;
  std::map<std::uint64_t, std::uint64_t> chunks_;
  std::size_t nodes_removed_ = 0;
};

TEST(ChunkBTreeV1Edit, RandomChanges) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    TreeFile file =
        seed % 2 == 0 ? TreeFile({500}, {1}, 1 + seed % 3) : TreeFile({40, 30}, {2, 3}, 2);
    for (int step = 0; step < 40; ++step) {
      std::vector<std::uint64_t> gone;
      std::map<std::uint64_t, std::uint64_t> set;
      const std::uint64_t total = file.grid().total;
      // Sometimes nearly all chunks are removed, or all from some place on.
      if (random() % 3 == 0)
        for (std::uint64_t n = random() % total; n < total; ++n) gone.push_back(n);
      for (std::uint64_t i = random() % 40; i > 0; --i) gone.push_back(random() % total);
      for (std::uint64_t i = random() % 60; i > 0; --i) set[random() % total] = 1 + random() % 9999;
      file.change(gone, set);
      ASSERT_NO_FATAL_FAILURE(file.expect_sound()) << seed << " " << step;
    }
  }
}

// Chunks are also inserted in front of a full root.
TEST(ChunkBTreeV1Edit, OneChunkAtAnyPlace) {
  for (const unsigned node_k : {1U, 2U, 15U})
    for (std::uint64_t count = 1; count <= 5 * std::uint64_t{node_k}; ++count)
      for (std::uint64_t place = 0; place <= count; ++place) {
        TreeFile file({200}, {1}, node_k);
        std::map<std::uint64_t, std::uint64_t> all;
        for (std::uint64_t i = 0; i < count; ++i) all[1 + 2 * i] = 100 + i;
        file.change({}, all);
        file.change({}, {{2 * place, 7}});
        ASSERT_NO_FATAL_FAILURE(file.expect_sound()) << node_k << " " << count << " " << place;
        file.change({2 * place}, {});
        ASSERT_NO_FATAL_FAILURE(file.expect_sound()) << node_k << " " << count << " " << place;
      }
}

TEST(ChunkBTreeV1Edit, AppendingWritesThePath) {
  TreeFile file({20000}, {1}, 4);
  file.change({}, {{0, 100}});
  for (std::uint64_t n = 1; n < 20000; ++n) {
    // With at most 5 levels, these are the nodes of the path and a new node beside each.
    ASSERT_LE(file.change({}, {{n, 100 + n}}), 10U) << n;
  }
  ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  EXPECT_EQ(file.nodes_removed(), 0U);
}

TEST(ChunkBTreeV1Edit, EmptiedNodesAreGivenBack) {
  TreeFile file({1000}, {1}, 2);
  std::map<std::uint64_t, std::uint64_t> all;
  for (std::uint64_t n = 0; n < 1000; ++n) all[n] = 1 + n;
  file.change({}, all);
  std::vector<std::uint64_t> gone;
  for (std::uint64_t n = 3; n < 1000; ++n) gone.push_back(n);
  file.change(gone, {});
  ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  EXPECT_GE(file.nodes_removed(), 250U);
  file.change({0, 1, 2}, {});
  ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  file.change({}, {{5, 7}});
  ASSERT_NO_FATAL_FAILURE(file.expect_sound());
}

TEST(ChunkBTreeV1Edit, ADamagedKeyHidesNoOtherChunk) {
  TreeFile file({40}, {1}, 15);
  std::map<std::uint64_t, std::uint64_t> all;
  for (std::uint64_t n = 0; n < 20; ++n) all[2 * n] = 100 + n;
  file.change({}, all);
  for (unsigned key = 0; key < 20; ++key)
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{9}, ~std::uint64_t{0} >> 8U})
      EXPECT_EQ(file.hidden_by_key(key, offset), 0U) << key << " " << offset;
}

}  // namespace
}  // namespace onecast::structures
