// Elements that are converted while they are written and read together, one buffer at a time
#include <cstdlib>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class ConvertedTogetherTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kRows = 450;
  static constexpr std::uint64_t kColumns = 300;  // for each rank: 1.08 MB of doubles

  ~ConvertedTogetherTest() override { unsetenv("ONECAST_PRETEND_STRIPES"); }

  [[nodiscard]] std::uint64_t width() const {
    return kColumns * static_cast<std::uint64_t>(size());
  }
  /// Returns this rank's columns: every n-th one, or contiguous ones.
  [[nodiscard]] Hyperslab mine(bool in_turn) const {
    const auto r = static_cast<std::uint64_t>(rank());
    if (in_turn) return {{0, r}, {kRows, kColumns}, {1, static_cast<std::uint64_t>(size())}, {}};
    return {{0, r * kColumns}, {kRows, kColumns}, {}, {}};
  }
  [[nodiscard]] std::vector<double> values(bool in_turn, double offset) const {
    std::vector<double> all;
    for (std::uint64_t row = 0; row < kRows; ++row)
      for (std::uint64_t c = 0; c < kColumns; ++c)
        all.push_back(value(
            row,
            in_turn ? c * static_cast<std::uint64_t>(size()) + static_cast<std::uint64_t>(rank())
                    : static_cast<std::uint64_t>(rank()) * kColumns + c,
            offset));
    return all;
  }
  static double value(std::uint64_t row, std::uint64_t column, double offset) {
    return offset + static_cast<double>(row * 7 + column % 1000);
  }
  void expect_all(const Dataset& d, double offset) const {
    std::vector<double> all(kRows * width());
    d.read(all);
    for (std::uint64_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(all[i], value(i / width(), i % width(), offset)) << i;
  }
  void write_and_read(const FileOptions& options) {
    const Datatype wide = Datatype::of<double>();
    const std::vector<DatasetOptions> layouts{{.layout = Layout::contiguous},
                                              {.chunk = {100, 77}},
                                              {.chunk = {100, 77}, .filters = {Filter::lzf()}}};
    for (const bool in_turn : {false, true}) {
      File file = File::create(path(), world_, options);
      std::vector<Dataset> datasets;
      for (const DatasetOptions& o : layouts)
        datasets.push_back(file.root().create_dataset(
            std::to_string(datasets.size()),
            {.type = Datatype::of<float>(), .space = Dataspace({kRows, width()}), .options = o}));
      for (Dataset& d : datasets)
        for (const double offset : {0.0, 1.0}) {  // the second time chunks have their places
          const auto some = values(in_turn, offset);
          d.write_all(some, {.part = mine(in_turn), .memory_type = wide});
          expect_all(d, offset);
          barrier();
        }
      const auto more = values(in_turn, 2);
      std::vector<WriteRequest> list;
      for (const Dataset& d : datasets)
        list.push_back(
            {d, std::as_bytes(std::span(more)), {.part = mine(in_turn), .memory_type = wide}});
      file.write_multi(list);
      for (const Dataset& d : datasets) {
        expect_all(d, 2);
        std::vector<double> found(more.size());
        d.read_all(found, {.part = mine(in_turn), .memory_type = wide});
        EXPECT_EQ(found, more);
        std::vector<std::int16_t> small(more.size());
        d.read_all(small, mine(in_turn));
        EXPECT_EQ(small, std::vector<std::int16_t>(more.begin(), more.end()));
        std::vector<double> all(kRows * width());
        d.read_all(all, {.memory_type = wide});
        EXPECT_EQ(all.back(), value(kRows - 1, width() - 1, 2));
      }
      barrier();
      for (Dataset& d : datasets) {
        std::vector<double> all(kRows * width());
        for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = value(i / width(), i % width(), 3);
        d.write_equal(all, {.memory_type = wide});
      }
      file.close();
      const File again = File::open(path(), Access::read_only, world_);
      for (std::size_t i = 0; i < datasets.size(); ++i)
        expect_all(again.root().open_dataset(std::to_string(i)), 3);
    }
  }
};

TEST_F(ConvertedTogetherTest, EachForItself) { write_and_read({}); }

TEST_F(ConvertedTogetherTest, ThroughOwnersOfStripes) {
  setenv("ONECAST_PRETEND_STRIPES", "65536:3", 1);
  write_and_read({.collective_buffer = 1 << 20U});
}

TEST_F(ConvertedTogetherTest, CollectiveByWish) {
  write_and_read({.method = TransferMethod::collective});
}

/// Every rank writes different values to the whole dataset.
TEST_F(ConvertedTogetherTest, WhatTheHighestRankWroteStays) {
  File file = File::create(path(), world_);
  Dataset d = file.root().create_dataset("d", {.type = Datatype::of<float>(),
                                               .space = Dataspace({kRows, 1000}),
                                               .options = {.layout = Layout::contiguous}});
  for (const double offset : {0.0, 10.0}) {  // the second time nothing needs filling
    const std::vector<double> mine(kRows * 1000, offset + rank());
    d.write_all(mine, {.memory_type = Datatype::of<double>()});
    barrier();
    EXPECT_EQ(d.read<float>(),
              std::vector<float>(mine.size(), static_cast<float>(offset + last())));
    barrier();
  }
  file.close();
}

TEST_F(ConvertedTogetherTest, VerifiedBytes) {
  File file = File::create(path(), world_, {.sharing = Sharing::verify});
  Dataset d = file.root().create_dataset("d", {.type = Datatype::of<float>(),
                                               .space = Dataspace({kRows, width()}),
                                               .options = {.layout = Layout::contiguous}});
  std::vector<double> all(kRows * width(), 5);
  d.write_all(all);
  EXPECT_EQ(d.read<float>(), std::vector<float>(all.size(), 5));
  if (size() > 1) {
    if (rank() == last()) all.back() = 6;
    EXPECT_EQ(same_error([&] { d.write_all(all); }).code(), ErrorCode::diverged);
  }
  file.close();
}

}  // namespace
}  // namespace onecast::test
