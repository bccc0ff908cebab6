#include "pages/waiting_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "onecast/base/error.hpp"
#include "support/fault_transport.hpp"
#include "support/memory_transport.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"
#include "transport/factory.hpp"

namespace onecast::pages {
namespace {

using Bytes = std::vector<std::byte>;
using test::pattern;

class WaitingBytesTest : public testing::Test {
 protected:
  Bytes read(const WaitingBytes& from, std::uint64_t offset, std::size_t size) {
    Bytes bytes(size, std::byte{0xEE});
    from.read(offset, bytes);
    return bytes;
  }
  static Bytes elements(std::size_t count, const Bytes& one) {
    Bytes all;
    for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), one.begin(), one.end());
    return all;
  }

  std::shared_ptr<test::MemoryDisk> disk_ = std::make_shared<test::MemoryDisk>();
  std::shared_ptr<test::FaultPlan> plan_ = std::make_shared<test::FaultPlan>();
  int made_ = 0;
  WaitingSpace space_{[this] {
                        ++made_;
                        return test::fault_factory(test::memory_factory(disk_), plan_)(
                            "/folder/file", OpenMode::temporary);
                      },
                      [] { return std::string("data.h5"); }};
};

TEST_F(WaitingBytesTest, StaysInMemoryUpToTheLimit) {
  space_.set_limit(1000);
  const WaitingBytes one(space_, pattern(600));
  const WaitingBytes two(space_, pattern(401, 1));
  const WaitingBytes three(space_, pattern(400, 2));
  EXPECT_TRUE(one.is_in_memory());
  EXPECT_FALSE(two.is_in_memory());
  EXPECT_TRUE(three.is_in_memory());
  EXPECT_EQ(space_.in_memory(), 1000U);
  EXPECT_EQ(space_.file_size(), 401U);
  EXPECT_EQ(one.bytes(), pattern(600));
  EXPECT_EQ(two.bytes(), pattern(401, 1));
  EXPECT_EQ(three.bytes(), pattern(400, 2));
  EXPECT_EQ(made_, 1);
}

TEST_F(WaitingBytesTest, WhatNobodyWroteIsTheFillValueAndTakesNoSpace) {
  const Bytes fill = pattern(12, 5);
  for (const std::uint64_t limit : {std::uint64_t{0}, WaitingSpace::kMostInMemory}) {
    space_.set_limit(limit);
    WaitingBytes x(space_, 12'000'000, 12, fill);
    EXPECT_EQ(read(x, 4800, 120), elements(10, fill));
    EXPECT_EQ(read(x, 4807, 5), Bytes(fill.begin() + 7, fill.end()));
    x.write(1'200'000, pattern(24));
    EXPECT_EQ(read(x, 1'199'988, 12), fill);
    EXPECT_EQ(read(x, 1'200'000, 24), pattern(24));
    EXPECT_EQ(read(x, 1'200'024, 12), fill);
    ASSERT_EQ(x.written().size(), 1U);
    const auto [start, end] = *x.written().begin();
    EXPECT_LE(end - start, 8192U);
    EXPECT_EQ(start % 12, 0U);
    EXPECT_EQ(end % 12, 0U);
    EXPECT_FALSE(x.is_whole());
    x.write_end();
    EXPECT_TRUE(x.written().rbegin()->second == 12'000'000);
    EXPECT_EQ(read(x, 12'000'000 - 24, 24), elements(2, fill));
  }
}

TEST_F(WaitingBytesTest, PlacesAreUsedAgainAndTheFileGoes) {
  space_.set_limit(0);
  for (std::size_t seed = 0; seed < 50; ++seed) {
    WaitingBytes x(space_, pattern(1000, seed));
    WaitingBytes y(space_, pattern(700, seed));
    x = WaitingBytes(space_, pattern(900, seed + 1));
    EXPECT_EQ(x.bytes(), pattern(900, seed + 1));
    EXPECT_EQ(y.bytes(), pattern(700, seed));
    // Old bytes do not show where nothing was written.
    const WaitingBytes empty(space_, 500, 1, {});
    EXPECT_EQ(empty.bytes(), Bytes(500));
  }
  EXPECT_LE(space_.most_file_size(), 3100U);
  EXPECT_EQ(space_.file_size(), 0U);
  EXPECT_EQ(made_, 50) << "it goes when nothing is in it";
  EXPECT_TRUE(disk_->names().empty());
}

TEST_F(WaitingBytesTest, RandomCallsAsOnAnArray) {
  std::mt19937 random(7);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (std::size_t round = 0; round < 60; ++round) {
    space_.set_limit(round % 2 == 0 ? 0 : WaitingSpace::kMostInMemory);
    const auto element = static_cast<std::size_t>(below(20) == 0 ? 5000 : 1 + below(30));
    const Bytes fill = below(2) == 0 ? Bytes() : pattern(element, round);
    const std::size_t size = element * (1 + below(100'000 / element));
    WaitingBytes x(space_, size, element, fill);
    Bytes model = fill.empty() ? Bytes(size) : elements(size / element, fill);
    for (std::size_t step = 0; step < 30; ++step) {
      const std::uint64_t first = below(size);
      const std::uint64_t count = 1 + below(std::min<std::uint64_t>(size - first, 9000));
      const Bytes bytes = pattern(static_cast<std::size_t>(count), round + step);
      x.reserve(first, count);
      x.write(first, bytes);
      std::ranges::copy(bytes, model.begin() + static_cast<std::ptrdiff_t>(first));
      const std::uint64_t at = below(size);
      const auto n = static_cast<std::size_t>(1 + below(size - at));
      EXPECT_TRUE(std::ranges::equal(read(x, at, n), std::span(model).subspan(at, n)));
    }
    Bytes pieces;
    x.for_each_piece([&](std::uint64_t offset, std::span<const std::byte> part) {
      EXPECT_EQ(offset, pieces.size());
      pieces.insert(pieces.end(), part.begin(), part.end());
    });
    EXPECT_TRUE(pieces == model);
    std::uint64_t behind = 0;
    for (const auto& [start, end] : x.written()) {
      const Bytes gap(model.begin() + static_cast<std::ptrdiff_t>(behind),
                      model.begin() + static_cast<std::ptrdiff_t>(start));
      EXPECT_TRUE(gap == (fill.empty() ? Bytes(gap.size()) : elements(gap.size() / element, fill)));
      behind = end;
    }
  }
}

TEST_F(WaitingBytesTest, AFullDiskIsToldAndNothingHasChanged) {
  space_.set_limit(100);
  WaitingBytes x(space_, 100'000, 4, {});
  x.write(0, pattern(100));
  plan_->space = 5000;
  const Error error = test::thrown_by([&] { x.reserve(50'000, 20'000); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.system_errno(), ENOSPC);
  for (const char* part : {"data.h5: ", "100 bytes", "/folder/file", "flush more often"})
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  test::thrown_by([&] { x.write(50'000, pattern(20'000)); });
  EXPECT_EQ(read(x, 50'000, 20'000), Bytes(20'000));
  EXPECT_EQ(read(x, 0, 100), pattern(100));
  plan_->space.reset();
  x.write(50'000, pattern(20'000));
  EXPECT_EQ(read(x, 50'000, 20'000), pattern(20'000));
}

}  // namespace
}  // namespace onecast::pages
