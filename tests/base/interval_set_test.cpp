#include "base/interval_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace onecast {
namespace {

TEST(IntervalSetTest, IsASetOfNumbers) {
  constexpr std::uint64_t kAll = 60;
  std::mt19937 random(3);
  const auto between = [&](std::uint64_t first, std::uint64_t last) {
    return std::uniform_int_distribution<std::uint64_t>(first, last)(random);
  };
  for (int turn = 0; turn < 50; ++turn) {
    IntervalSet set;
    std::vector<bool> expected(kAll, false);
    for (int i = 0; i < 12; ++i) {
      const std::uint64_t start = between(0, kAll);
      const std::uint64_t end = between(start, std::min(kAll, start + 7));
      const bool adds = between(0, 3) != 0;
      if (adds)
        set.add(start, end);
      else
        set.remove(start, end);
      for (std::uint64_t n = start; n < end; ++n) expected[n] = adds;
      for (std::uint64_t a = 0; a <= kAll; ++a)
        for (std::uint64_t b = a; b <= kAll; ++b) {
          std::uint64_t count = 0;
          for (std::uint64_t n = a; n < b; ++n) count += expected[n] ? 1U : 0U;
          ASSERT_EQ(set.overlaps(a, b), count > 0) << a << " to " << b;
          ASSERT_EQ(set.covers(a, b), count == b - a) << a << " to " << b;
          const auto next = set.next(a, b);
          ASSERT_LE(next.end, b);
          for (std::uint64_t n = a; n < next.end; ++n) ASSERT_EQ(expected[n], n >= next.start);
          ASSERT_TRUE(next.end == b || !expected[next.end]);
        }
      std::uint64_t before = 0;
      bool first = true;
      for (const auto& [from, to] : set.intervals()) {
        ASSERT_LT(from, to);
        ASSERT_TRUE(first || from > before);
        before = to;
        first = false;
      }
    }
  }
}

}  // namespace
}  // namespace onecast
