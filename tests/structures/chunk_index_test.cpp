#include <gtest/gtest.h>

#include <map>
#include <set>

#include "format/objects/dataspace_message.hpp"
#include "structures/chunks/chunk_numbering.hpp"
#include "structures/chunks/chunk_order.hpp"
#include "structures/chunks/open_chunk_index.hpp"
#include "structures/memory_file.hpp"
#include "structures/object_contents.hpp"
#include "structures/stock.hpp"
#include "support/temporary_directory.hpp"
#include "support/thrown_by.hpp"

namespace onecast::structures {
namespace {

std::map<std::string, Address> datasets_of(MemoryFile& file) {
  std::map<std::string, Address> found;
  const ObjectHeader root = read_object_header(file, file.superblock().root_header_address);
  read_links(file, root, [&](const LinkMessage& link) {
    found.emplace(std::string(link.name), link.object_header);
  });
  return found;
}

/// The index of a dataset, as a read opens it.
struct Opened {
  Opened(MemoryFile& file, Address header)
      : layout(message_of<DataLayoutMessage>(file, header, MessageType::data_layout)),
        space(message_of<DataspaceMessage>(file, header, MessageType::dataspace)),
        filtered(read_object_header(file, header).find(MessageType::filter_pipeline) != nullptr),
        grid(layout, std::span(space.sizes).first(space.rank),
             std::span(space.maximum_sizes).first(space.rank), 4, header, file.file()),
        index(open_chunk_index(file, grid, layout, filtered)) {}

  DataLayoutMessage layout;
  DataspaceMessage space;
  bool filtered;
  ChunkGrid grid;
  std::unique_ptr<ChunkIndex> index;
};

/// Indexes in files that h5py wrote (make_chunk_files.py defines their contents).
class ChunkIndexes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_h5py()) return;
    const test::TemporaryDirectory directory;
    for (const std::string size : {"small", "large"}) {
      const std::string path = directory / size;
      const StockAnswer answer = run_stock("make_chunk_files.py", size + " '" + path + "'");
      ASSERT_EQ(answer.status, 0) << answer.text;
      for (const char* end : {"", ".old"}) bytes_[size + end] = MemoryFile::read(path + end);
    }
  }
  void SetUp() override { ONECAST_NEEDS_H5PY(); }

  template <class F>
  void for_each_dataset(const std::string& size, F&& test) {
    for (const char* end : {"", ".old"}) {
      MemoryFile file(bytes_[size + end]);
      for (const auto& [name, header] : datasets_of(file)) {
        SCOPED_TRACE(name);
        test(file, Opened(file, header));
      }
    }
  }

  static inline std::map<std::string, std::vector<std::byte>> bytes_;
};

std::uint64_t first_element(MemoryFile& file, const ChunkEntry& entry) {
  ByteReader in(file.view(entry.address, 4, "chunk"), entry.address, file.file());
  return in.uint(4, "element");
}

std::uint64_t expected_element(const Opened& dataset, const ChunkCoordinates& at) {
  std::uint64_t n = 0;
  for (unsigned d = 0; d < dataset.grid.rank; ++d)
    n = n * dataset.grid.extent[d] + at[d] * dataset.grid.chunk[d];
  return n;
}

TEST_F(ChunkIndexes, AllChunksAreWhereTheyBelong) {
  std::set<ChunkIndexType> types;
  for_each_dataset("large", [&](MemoryFile& file, const Opened& dataset) {
    types.insert(dataset.layout.index_type);
    std::set<std::uint64_t> seen;
    dataset.index->for_each([&](const ChunkEntry& entry) {
      if (!dataset.grid.contains(entry.at)) return;  // an implicit index has room for more chunks
      EXPECT_TRUE(seen.insert(dataset.grid.number(entry.at)).second);
      if (!dataset.filtered) {
        EXPECT_EQ(entry.size, dataset.grid.bytes);
        EXPECT_EQ(first_element(file, entry), expected_element(dataset, entry.at));
      }
    });
    EXPECT_EQ(seen.size(), dataset.grid.total);
  });
  EXPECT_EQ(types.size(), 6U);
}

TEST_F(ChunkIndexes, FoundOneByOne) {
  for_each_dataset("large", [](MemoryFile& file, const Opened& dataset) {
    std::map<std::uint64_t, ChunkEntry> all;
    dataset.index->for_each([&](const ChunkEntry& entry) {
      if (dataset.grid.contains(entry.at)) all.emplace(dataset.grid.number(entry.at), entry);
    });
    const std::uint64_t step = 1 + dataset.grid.total / 300;
    for (std::uint64_t n = 0; n < dataset.grid.total; n += step) {
      file.views = 0;
      const auto found = dataset.index->find(dataset.grid.coordinates(n));
      EXPECT_LE(file.views, 12U);  // there is no scan
      ASSERT_TRUE(found) << n;
      EXPECT_EQ(found->address, all.at(n).address);
      EXPECT_EQ(found->size, all.at(n).size);
    }
  });
}

TEST_F(ChunkIndexes, PartsOfTheGrid) {
  for_each_dataset("large", [](MemoryFile&, const Opened& dataset) {
    const ChunkGrid& grid = dataset.grid;
    for (std::uint64_t turn = 0; turn < 40; ++turn) {
      ChunkBox box;
      std::uint64_t inside = 1;
      for (unsigned d = 0; d < grid.rank; ++d) {
        const std::uint64_t a = (turn * 7919 + d * 31) % grid.count[d];
        const std::uint64_t b = (turn * 104729 + d * 17) % grid.count[d];
        box.first[d] = std::min(a, b);
        box.last[d] = std::max(a, b);
        inside *= box.last[d] - box.first[d] + 1;
      }
      std::set<std::uint64_t> seen;
      dataset.index->for_each_in(box, [&](const ChunkEntry& entry) {
        EXPECT_TRUE(is_inside(box, entry.at, grid.rank));
        EXPECT_TRUE(seen.insert(grid.number(entry.at)).second);
      });
      EXPECT_EQ(seen.size(), inside);
    }
  });
}

TEST_F(ChunkIndexes, EveryDamagedByteIsAnErrorOrAValue) {
  for (const char* end : {"", ".old"}) {
    const std::vector<std::byte>& sound = bytes_[std::string("small") + end];
    MemoryFile whole(sound);
    const auto datasets = datasets_of(whole);
    for (const auto& [name, header] : datasets) {
      const Opened dataset(whole, header);
      // The bytes at the beginning of the index and behind it are changed; the index is small.
      const std::uint64_t start = dataset.layout.address.value;
      for (std::uint64_t at = start; at < std::min<std::uint64_t>(start + 700, sound.size());
           ++at) {
        std::vector<std::byte> bytes = sound;
        bytes[at] ^= std::byte{static_cast<unsigned char>(1U << at % 8)};
        MemoryFile file(std::move(bytes));
        try {
          const auto index = open_chunk_index(file, dataset.grid, dataset.layout, dataset.filtered);
          std::uint64_t count = 0;
          index->for_each([&](const ChunkEntry&) { ++count; });
          for (std::uint64_t n = 0; n < dataset.grid.total; n += 5)
            static_cast<void>(index->find(dataset.grid.coordinates(n)));
          EXPECT_LE(count, 4096U);
        } catch (const Error& error) {
          EXPECT_TRUE(error.code() == ErrorCode::format || error.code() == ErrorCode::unsupported);
        }
      }
    }
  }
}

DataLayoutMessage layout_of(ChunkIndexType type, std::initializer_list<std::uint64_t> chunk) {
  DataLayoutMessage layout;
  layout.version = 4;
  layout.layout_class = LayoutClass::chunked;
  layout.index_type = type;
  layout.address = Address{8};
  layout.dimensionality = static_cast<std::uint8_t>(chunk.size() + 1);
  std::copy(chunk.begin(), chunk.end(), layout.dimensions.begin());
  return layout;
}

TEST(ChunkGrids, HugeOnesAreRefused) {
  const FileContext file;
  const std::uint64_t shape[] = {~std::uint64_t{0} - 1, ~std::uint64_t{0} - 1};
  const std::uint64_t small[] = {2, 2};
  const auto tiny = layout_of(ChunkIndexType::implicit, {1, 1});
  const Error many = test::thrown_by([&] { ChunkGrid(tiny, shape, {}, 1, Address{}, file); });
  EXPECT_NE(std::string(many.what()).find("more than 2^64 chunks"), std::string::npos);
  const auto large = layout_of(ChunkIndexType::implicit, {1U << 31U, 1U << 31U});
  const Error big = test::thrown_by([&] { ChunkGrid(large, small, {}, 8, Address{}, file); });
  EXPECT_NE(std::string(big.what()).find("a chunk of more than 2^63 bytes"), std::string::npos);
}

TEST(ChunkGrids, PartialChunks) {
  const std::uint64_t shape[] = {10, 11};
  const ChunkGrid grid(layout_of(ChunkIndexType::implicit, {5, 4}), shape, {}, 4, Address{}, {});
  EXPECT_EQ(grid.total, 6U);
  EXPECT_FALSE(grid.is_partial({1, 1}));
  EXPECT_TRUE(grid.is_partial({1, 2}));
  EXPECT_TRUE(grid.contains({1, 2}));
  EXPECT_FALSE(grid.contains({2, 0}));
  for (std::uint64_t n = 0; n < 6; ++n) EXPECT_EQ(grid.number(grid.coordinates(n)), n);
}

TEST(ChunkNumbers, TheUnlimitedDimensionIsTheSlowest) {
  const std::uint64_t shape[] = {4, 6, 2};
  const std::uint64_t most[] = {8, ChunkGrid::kUnlimited, 6};
  const ChunkGrid grid(layout_of(ChunkIndexType::extensible_array, {2, 2, 2}), shape, most, 4,
                       Address{}, {});
  const auto numbers = ChunkNumbering::of(grid);
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->number({1, 2, 0}), 2U * 4 * 3 + 1 * 3);
  const ChunkCoordinates at = numbers->coordinates(2 * 4 * 3 + 1 * 3 + 2);
  EXPECT_EQ(std::vector(at.begin(), at.begin() + 3), (std::vector<std::uint64_t>{1, 2, 2}));
  EXPECT_EQ(numbers->needed(grid), 2U * 4 * 3 + 1 * 3 + 0 + 1);
}

TEST(ChunkNumbers, SeveralUnlimitedDimensionsHaveNone) {
  const std::uint64_t shape[] = {4, 6};
  const std::uint64_t most[] = {ChunkGrid::kUnlimited, ChunkGrid::kUnlimited};
  const ChunkGrid grid(layout_of(ChunkIndexType::extensible_array, {2, 2}), shape, most, 4,
                       Address{}, {});
  EXPECT_FALSE(ChunkNumbering::of(grid));
}

TEST(ChunkOrder, FirstInBox) {
  const ChunkBox box{{2, 3}, {4, 5}};
  const auto next = [&](std::uint64_t a,
                        std::uint64_t b) -> std::optional<std::array<std::uint64_t, 2>> {
    const auto found = first_in_box(box, {a, b}, 2);
    if (!found) return std::nullopt;
    return {{(*found)[0], (*found)[1]}};
  };
  using Pair = std::array<std::uint64_t, 2>;
  EXPECT_EQ(next(0, 9), (Pair{2, 3}));
  EXPECT_EQ(next(2, 0), (Pair{2, 3}));
  EXPECT_EQ(next(2, 4), (Pair{2, 4}));
  EXPECT_EQ(next(2, 6), (Pair{3, 3}));
  EXPECT_EQ(next(4, 5), (Pair{4, 5}));
  EXPECT_EQ(next(4, 6), std::nullopt);
  EXPECT_EQ(next(5, 0), std::nullopt);
}

/// A hostile implicit index that claims more than the file has is found before it is walked.
TEST(HostileIndexes, ImplicitChunksOutsideOfTheFile) {
  MemoryFile file(std::vector<std::byte>(1000));
  const std::uint64_t shape[] = {std::uint64_t{1} << 50U};
  const auto layout = layout_of(ChunkIndexType::implicit, {1});
  const ChunkGrid grid(layout, shape, {}, 1, Address{}, file.file());
  const auto index = open_chunk_index(file, grid, layout, false);
  EXPECT_THROW(index->for_each([](const ChunkEntry&) { FAIL(); }), Error);
}

}  // namespace
}  // namespace onecast::structures
