#include "pages/free_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace onecast::pages {
namespace {

using Stretch = FreeSpace::Stretch;

/// A model of FreeSpace, byte by byte.
class Bytes {
 public:
  explicit Bytes(std::size_t count) : free_(count, false) {}

  [[nodiscard]] std::vector<Stretch> stretches() const {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (!free_[i]) continue;
      if (i == 0 || !free_[i - 1]) all.push_back({i, 0});
      ++all.back().size;
    }
    return all;
  }
  [[nodiscard]] bool overlaps(std::uint64_t address, std::uint64_t size) const {
    for (std::uint64_t i = address; i < address + size; ++i)
      if (free_[i]) return true;
    return false;
  }
  void set(std::uint64_t address, std::uint64_t size, bool free) {
    for (std::uint64_t i = address; i < address + size; ++i) free_[i] = free;
  }
  /// Returns the smallest stretch that fits, and the first of equal ones.
  [[nodiscard]] std::optional<Stretch> smallest(std::uint64_t size) const {
    std::optional<Stretch> best;
    for (const Stretch& s : stretches())
      if (s.size >= size && (!best || s.size < best->size)) best = s;
    return best;
  }

 private:
  std::vector<bool> free_;
};

void expect_equal(const FreeSpace& space, const Bytes& bytes) {
  const std::vector<Stretch> expected = bytes.stretches();
  const std::vector<Stretch> found(space.stretches().begin(), space.stretches().end());
  ASSERT_EQ(found, expected);
  std::uint64_t sum = 0;
  for (const Stretch& s : expected) sum += s.size;
  ASSERT_EQ(space.bytes(), sum);
}

TEST(FreeSpaceTest, IsASetOfBytes) {
  constexpr std::uint64_t kAll = 4000;
  std::mt19937 random(11);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  const auto anywhere = [](std::uint64_t start) { return start; };
  FreeSpace space;
  Bytes bytes(kAll);
  for (int turn = 0; turn < 4000; ++turn) {
    const std::uint64_t size = 1 + below(6);
    const std::uint64_t address = below(kAll - size);
    const bool is_marked = turn % 7 == 0;
    const std::size_t mark = is_marked ? space.mark() : 0;
    const Bytes before = bytes;
    const bool is_taken = below(3) == 0;
    if (is_taken) {
      const auto expected = bytes.smallest(size);
      const auto found = space.take(size, anywhere);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (found) {
        ASSERT_EQ(*found, expected->address);
        bytes.set(*found, size, false);
      }
    } else {
      const bool fits = !bytes.overlaps(address, size);
      ASSERT_EQ(space.overlaps(address, size), !fits);
      ASSERT_EQ(space.add(address, size).has_value(), fits);
      if (fits) bytes.set(address, size, true);
    }
    if (is_marked && turn % 2 == 0) {
      space.undo(mark);
      bytes = before;
    } else if (is_marked) {
      space.forget_mark();
    }
    if (turn % 20 == 0) expect_equal(space, bytes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(FreeSpaceTest, ManyAtOnceAreLikeEach) {
  std::mt19937 random(5);
  std::vector<Stretch> ascending;
  std::uint64_t end = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t start = end + random() % 3;
    ascending.push_back({start, 1 + random() % 50});
    end = ascending.back().end();
  }
  FreeSpace one_by_one;
  for (const Stretch& s : ascending) one_by_one.add(s.address, s.size);
  FreeSpace at_once;
  at_once.add_all(ascending);
  FreeSpace behind_others;
  behind_others.add_all({ascending.begin(), ascending.begin() + 1000});
  behind_others.add_all({ascending.begin() + 1000, ascending.end()});
  for (FreeSpace* space : {&at_once, &behind_others}) {
    FreeSpace expected = one_by_one;
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t size = 1 + random() % 60;
      const auto place = [](std::uint64_t start) { return start + start % 2; };
      ASSERT_EQ(space->take(size, place, 2), expected.take(size, place, 2));
      ASSERT_EQ(space->take_whole(size, 16), expected.take_whole(size, 16));
    }
    ASSERT_EQ(space->count(), expected.count());
    ASSERT_TRUE(std::equal(space->stretches().begin(), space->stretches().end(),
                           expected.stretches().begin()));
  }
}

}  // namespace
}  // namespace onecast::pages
