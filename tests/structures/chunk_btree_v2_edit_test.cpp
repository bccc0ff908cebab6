// Version 2 B-trees of chunks are changed in place, and compared with a map.
#include "structures/chunks/chunk_btree_v2_edit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "structures/chunks/chunk_btree_v2.hpp"
#include "structures/chunks/chunk_btree_v2_pieces.hpp"
#include "structures/memory_file.hpp"

namespace onecast::structures {
namespace {

constexpr std::uint64_t kFirstOfVersion2 = 64;

DataLayoutMessage layout_of(unsigned rank) {
  DataLayoutMessage layout;
  layout.layout_class = LayoutClass::chunked;
  layout.dimensionality = static_cast<std::uint8_t>(rank + 1);
  std::fill_n(layout.dimensions.begin(), rank + 1, 1);
  return layout;
}

/// A file that contains only a tree, and the expected chunks, by number.
class TreeFileOfVersion2 {
 public:
  /// `size_size` is 0 if the chunks are not filtered.
  TreeFileOfVersion2(const std::vector<std::uint64_t>& shape, std::uint8_t size_size,
                     std::uint32_t node_size)
      : grid_(layout_of(static_cast<unsigned>(shape.size())), shape, {}, 1, {}, context_),
        form_{grid_.rank, size_size},
        node_size_(node_size) {}

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }

  /// Removes and sets these chunks, and returns the number of bytes that were written.
  std::uint64_t change(const std::vector<std::uint64_t>& gone,
                       const std::map<std::uint64_t, std::uint64_t>& set) {
    for (const std::uint64_t n : gone) chunks_.erase(n);
    for (const auto& [n, address] : set) chunks_[n] = address;
    if (!header_.is_defined()) return create();
    MemoryFile source(bytes_);
    std::uint64_t end = bytes_.size();
    const auto take = [&](std::uint64_t size) {
      const Address address{end};
      end += size;
      return address;
    };
    ChunkBTreeV2Edit tree(source, grid_, header_, form_.size_size != 0, take);
    for (const std::uint64_t n : gone) tree.remove(grid_.coordinates(n));
    for (const auto& [n, address] : set) tree.set(entry(n));
    tree.finish();
    const std::uint64_t written = write(tree, tree.allocate(take), end);
    for (const FileRange& r : tree.released()) released_ += r.size;
    if (tree.count() == 0)
      header_ = {};
    else
      EXPECT_EQ(tree.allocate(take).front(), header_);
    return written;
  }

  void expect_sound() {
    MemoryFile source(bytes_);
    std::map<std::uint64_t, std::uint64_t> found;
    std::uint64_t used = 0;
    if (header_.is_defined()) {
      const ChunkBTreeV2 index(source, grid_, header_, form_.size_size != 0);
      index.for_each([&](const ChunkEntry& e) {
        const std::uint64_t n = grid_.number(e.at);
        found.emplace(n, e.address.value);
        ASSERT_EQ(e.size, entry(n).size);
        ASSERT_EQ(e.filter_mask, form_.size_size == 0 ? 0 : entry(n).filter_mask);
      });
      for (std::uint64_t n = 0; n < grid_.total; ++n)
        ASSERT_EQ(index.find(grid_.coordinates(n)).has_value(), chunks_.contains(n)) << n;
      const BTreeV2 tree(source, header_);
      ASSERT_EQ(tree.header().total_record_count, chunks_.size());
      used = BTreeV2Header::size(context_);
      tree.for_each_node([&](Address, std::uint64_t size) { used += size; });
    }
    ASSERT_EQ(found, chunks_);
    // Bytes that are neither used nor released would be lost.
    ASSERT_EQ(used + released_, bytes_.size() - kFirstOfVersion2);
  }

 private:
  [[nodiscard]] ChunkEntry entry(std::uint64_t n) const {
    const std::uint64_t address = chunks_.at(n);
    return {grid_.coordinates(n), Address{address}, form_.size_size == 0 ? 1 : address % 50,
            static_cast<std::uint32_t>(address % 3)};
  }

  std::uint64_t create() {
    std::vector<std::uint64_t> numbers;
    for (const auto& [n, address] : chunks_) numbers.push_back(n);
    if (numbers.empty()) return 0;
    const auto tree = chunk_btree_v2_pieces(
        form_, node_size_, numbers.size(), [&](std::uint64_t i) { return entry(numbers[i]); },
        context_);
    std::uint64_t end = bytes_.size();
    const auto addresses = tree->allocate([&](std::uint64_t size) {
      const Address address{end};
      end += size;
      return address;
    });
    header_ = addresses.front();
    return write(*tree, addresses, end);
  }

  std::uint64_t write(const Pieces& tree, const std::vector<Address>& addresses,
                      std::uint64_t end) {
    std::vector<std::byte> next = bytes_;
    next.resize(end, std::byte{0xee});
    std::uint64_t written = 0;
    for (std::size_t i = 0; i < tree.count(); ++i) {
      written += tree.touched(i);
      if (tree.touched(i) != 0)
        tree.encode(i, std::span(next).subspan(addresses[i].value, tree.size(i)), addresses,
                    context_);
    }
    bytes_ = std::move(next);
    return written;
  }

  FileContext context_{"memory.h5", 8, 8};
  ChunkGrid grid_;
  ChunkRecordForm form_;
  std::uint32_t node_size_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(kFirstOfVersion2);
  Address header_;
  std::map<std::uint64_t, std::uint64_t> chunks_;
  std::uint64_t released_ = 0;
};

TEST(ChunkBTreeV2Edit, RandomChanges) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const auto size_size = static_cast<std::uint8_t>(seed % 3 == 0 ? 0 : seed % 3 == 1 ? 2 : 8);
    TreeFileOfVersion2 file = seed % 2 == 0 ? TreeFileOfVersion2({30, 25}, size_size, 160)
                                            : TreeFileOfVersion2({9, 8, 11}, size_size, 512);
    for (int step = 0; step < 30; ++step) {
      std::vector<std::uint64_t> gone;
      std::map<std::uint64_t, std::uint64_t> set;
      const std::uint64_t total = file.grid().total;
      // Sometimes nearly all chunks are removed, or all from some place on.
      if (random() % 3 == 0)
        for (std::uint64_t n = random() % total; n < total; ++n) gone.push_back(n);
      for (std::uint64_t i = random() % 40; i > 0; --i) gone.push_back(random() % total);
      for (std::uint64_t i = random() % 90; i > 0; --i) set[random() % total] = 1 + random() % 9999;
      file.change(gone, set);
      ASSERT_NO_FATAL_FAILURE(file.expect_sound()) << seed << " " << step;
    }
  }
}

TEST(ChunkBTreeV2Edit, AChangeWritesThePath) {
  constexpr std::uint64_t kNode = 2048;
  std::map<std::uint64_t, std::uint64_t> most;
  for (const std::uint64_t rows : {20U, 1000U}) {
    TreeFileOfVersion2 file({rows + 20, 50}, 8, kNode);
    std::map<std::uint64_t, std::uint64_t> all;
    for (std::uint64_t n = 0; n < rows * 50; ++n) all[n] = 5000 + n;
    file.change({}, all);
    // The place changes: it is in a leaf, or in the node above.
    for (std::uint64_t n = 0; n < rows * 50; n += rows * 5 - 1)
      EXPECT_EQ(file.change({}, {{n, 9}}), kNode);
    for (std::uint64_t n = rows * 50; n < (rows + 20) * 50; ++n)
      most[rows] = std::max(most[rows], file.change({}, {{n, 5000 + n}}));
    ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  }
  // At most two nodes of each level and the header are written. Fifty times as many chunks take one
  // more level.
  EXPECT_LE(most[20], 4 * kNode + 64);
  EXPECT_LE(most[1000], 6 * kNode + 64);
}

TEST(ChunkBTreeV2Edit, AnEmptyTreeIsReleased) {
  TreeFileOfVersion2 file({40, 40}, 0, 2048);
  std::map<std::uint64_t, std::uint64_t> all;
  std::vector<std::uint64_t> gone;
  for (std::uint64_t n = 0; n < 1600; ++n) {
    all[n] = 1 + n;
    gone.push_back(n);
  }
  file.change({}, all);
  file.change(gone, {});
  ASSERT_NO_FATAL_FAILURE(file.expect_sound());
  file.change({}, {{5, 7}});
  ASSERT_NO_FATAL_FAILURE(file.expect_sound());
}

}  // namespace
}  // namespace onecast::structures
