#include "pages/block_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/disk.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

namespace onecast::pages {
namespace {

using test::IoCall;
using test::pattern;
using test::thrown_by;

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;

class BlockCacheTest : public testing::Test {
 protected:
  static constexpr const char* kName = "a.h5";

  /// Returns a cache over a file of this size, whose address 0 lies at `base`.
  BlockCache& cache(std::uint64_t size, std::uint64_t base = 0) {
    content_ = pattern(static_cast<std::size_t>(base + size));
    disk_.bytes(kName) = content_;
    base_ = base;
    transport_ = disk_.factory()(kName, OpenMode::read_only);
    return cache_.emplace(context_, *transport_, base, size);
  }
  void expect_view(std::uint64_t address, std::uint64_t size) {
    const ByteView view = cache_->view({address}, size, "test");
    ASSERT_EQ(view.size(), size);
    EXPECT_TRUE(std::equal(view.begin(), view.end(),
                           content_.begin() + static_cast<std::ptrdiff_t>(base_ + address)));
  }
  static IoCall read(std::uint64_t offset, std::uint64_t size) {
    return {IoCall::Kind::read, offset, size};
  }
  [[nodiscard]] const test::IoTrace& trace() const { return disk_.trace(); }

  test::Disk disk_;
  FileContext context_{kName, 8, 8};
  std::vector<std::byte> content_;
  std::uint64_t base_ = 0;
  std::unique_ptr<Transport> transport_;
  std::optional<BlockCache> cache_;
};

TEST_F(BlockCacheTest, ReadsOneAlignedBlockAndServesFromIt) {
  const BlockCache& blocks = cache(10 * kMiB);
  expect_view(3 * kMiB + 100, 10);
  expect_view(3 * kMiB, 64 * kKiB);
  expect_view(3 * kMiB + 64 * kKiB - 1, 1);
  EXPECT_EQ(trace(), (test::IoTrace{read(3 * kMiB, 64 * kKiB)}));
  EXPECT_EQ(blocks.reads(), 1U);
}

TEST_F(BlockCacheTest, ReadingOnDoublesTheBlock) {
  cache(40 * kMiB);
  for (std::uint64_t at = 0; at < 40 * kMiB; at += 32 * kKiB) expect_view(at, 16);
  test::IoTrace expected;
  std::uint64_t at = 0;
  for (std::uint64_t size = 64 * kKiB; at < 40 * kMiB; size = std::min(2 * size, 8 * kMiB)) {
    expected.push_back(read(at, std::min(size, 40 * kMiB - at)));
    at += size;
  }
  EXPECT_EQ(trace(), expected);
  EXPECT_EQ(trace().size(), 12U);
}

TEST_F(BlockCacheTest, ABlockStopsWhereTheNextIsKnown) {
  cache(4 * kMiB);
  expect_view(128 * kKiB, 1);
  expect_view(0, 1);
  expect_view(64 * kKiB, 1);  // a view would read 128 KiB
  EXPECT_EQ(trace(), (test::IoTrace{read(128 * kKiB, 64 * kKiB), read(0, 64 * kKiB),
                                    read(64 * kKiB, 64 * kKiB)}));
}

TEST_F(BlockCacheTest, AViewAcrossBlocksIsStitchedOnce) {
  BlockCache& blocks = cache(4 * kMiB);
  expect_view(0, 10);
  expect_view(64 * kKiB, 10);
  expect_view(64 * kKiB - 5, 10);
  EXPECT_EQ(trace().size(), 2U);
  const ByteView first = blocks.view({64 * kKiB - 5}, 10, "test");
  EXPECT_EQ(first.data(), blocks.view({64 * kKiB - 5}, 10, "test").data());
  expect_view(100, 3 * kMiB);
  EXPECT_EQ(blocks.reads(), trace().size());
  std::vector<std::byte> copied(2 * kMiB);
  blocks.copy({kMiB + 3}, copied);
  EXPECT_TRUE(std::equal(copied.begin(), copied.end(), content_.begin() + kMiB + 3));
}

TEST_F(BlockCacheTest, ALargeViewReadsWhatIsMissingAndNoMore) {
  BlockCache& blocks = cache(4 * kMiB);
  expect_view(0, 10);
  expect_view(256 * kKiB, 10);
  expect_view(1000, 400 * kKiB);
  expect_view(100 * kKiB, 10);
  expect_view(330 * kKiB, 70 * kKiB);
  EXPECT_EQ(trace(),
            (test::IoTrace{read(0, 64 * kKiB), read(256 * kKiB, 64 * kKiB),
                           read(64 * kKiB, 192 * kKiB), read(320 * kKiB, 80 * kKiB + 1000)}));
  EXPECT_EQ(blocks.bytes(), 2 * 64 * kKiB + 400 * kKiB);
}

TEST_F(BlockCacheTest, ALargeViewOfWhichAReadFailsLeavesNoTrace) {
  BlockCache& blocks = cache(4 * kMiB);
  expect_view(256 * kKiB, 10);
  disk_.faults().faults = {{.call = test::FaultPlan::Call::read, .first = 2}};
  EXPECT_EQ(thrown_by([&] { blocks.view({0}, 500 * kKiB, "test"); }).code(), ErrorCode::io);
  EXPECT_EQ(blocks.bytes(), 64 * kKiB);
  expect_view(0, 500 * kKiB);
}

TEST_F(BlockCacheTest, CopyReadsWhatIsMissing) {
  BlockCache& blocks = cache(kMiB);
  std::vector<std::byte> copied(100 * kKiB);
  blocks.copy({200 * kKiB}, copied);
  EXPECT_TRUE(std::equal(copied.begin(), copied.end(), content_.begin() + 200 * kKiB));
  EXPECT_EQ(trace(), (test::IoTrace{read(192 * kKiB, 64 * kKiB), read(256 * kKiB, 128 * kKiB)}));
}

TEST_F(BlockCacheTest, NothingIsReadBehindTheEnd) {
  cache(100 * kKiB + 7);
  expect_view(100 * kKiB, 7);
  EXPECT_EQ(trace(), (test::IoTrace{read(64 * kKiB, 36 * kKiB + 7)}));
  expect_view(100 * kKiB + 7, 0);
}

TEST_F(BlockCacheTest, WhatLeavesTheFileIsRefusedWithItsPlace) {
  BlockCache& blocks = cache(1000);
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  const std::pair<std::uint64_t, std::uint64_t> outside[] = {
      {0, 1001}, {999, 2}, {1000, 1}, {1001, 0}, {kMax, 1}, {kMax, 0}, {1, kMax}, {kMax - 4, 10}};
  for (const auto& [address, size] : outside) {
    const Error error = thrown_by([&] { blocks.view({address}, size, "B-tree"); });
    EXPECT_EQ(error.code(), ErrorCode::format);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("a.h5: ", 0), 0U) << text;
    EXPECT_NE(text.find("B-tree"), std::string::npos) << text;
    EXPECT_NE(text.find("which ends at 0x3e8"), std::string::npos) << text;
    EXPECT_FALSE(blocks.is_inside({address}, size));
  }
  EXPECT_TRUE(blocks.is_inside({1000}, 0));
  EXPECT_TRUE(trace().empty());
}

TEST_F(BlockCacheTest, AddressesStartAtTheBase) {
  cache(200 * kKiB, 512);
  expect_view(5, 100);
  EXPECT_EQ(trace(), (test::IoTrace{read(512, 64 * kKiB)}));
  expect_view(199 * kKiB, kKiB);
}

TEST_F(BlockCacheTest, TakesWhatIsKnownUpToTheEnd) {
  BlockCache& blocks = cache(1000);
  Buffer known(1500);
  std::copy_n(content_.begin(), 1000, known.begin());
  blocks.add({0}, std::move(known));
  expect_view(0, 1000);
  EXPECT_TRUE(trace().empty());
  EXPECT_EQ(blocks.extents().extents().front().size, 1000U);
}

TEST_F(BlockCacheTest, AFileThatShrinksIsNoticed) {
  BlockCache& blocks = cache(100 * kKiB);
  disk_.bytes(kName).resize(90 * kKiB);
  const Error error = thrown_by([&] { blocks.view({80 * kKiB}, 10, "test"); });
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_NE(std::string(error.what()).find("became shorter"), std::string::npos) << error.what();
}

TEST_F(BlockCacheTest, AFailedReadLeavesNoTrace) {
  BlockCache& blocks = cache(100 * kKiB);
  disk_.faults().faults = {{.call = test::FaultPlan::Call::read, .first = 1}};
  EXPECT_EQ(thrown_by([&] { blocks.view({0}, 10, "test"); }).code(), ErrorCode::io);
  expect_view(0, 10);
}

}  // namespace
}  // namespace onecast::pages
