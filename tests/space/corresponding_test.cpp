#include "space/corresponding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace onecast::space {
namespace {

/// Returns the numbers of the elements.
std::vector<std::uint64_t> elements(const BoundSelection& selection) {
  std::vector<std::uint64_t> all;
  selection.for_each_run([&](std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(first + i);
  });
  return all;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t operator()(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(engine_);
  }

  Shape shape() {
    Shape shape(operator()(1, 3));
    for (auto& n : shape) n = operator()(1, 9);
    return shape;
  }
  Selection hyperslab(const Shape& shape) {
    Hyperslab part;
    for (const std::uint64_t n : shape) {
      const std::uint64_t block = operator()(1, n);
      const std::uint64_t stride = block + operator()(0, 2);
      const std::uint64_t count = operator()(1, (n - block) / stride + 1);
      part.start.push_back(operator()(0, n - (count - 1) * stride - block));
      part.count.push_back(count);
      part.stride.push_back(stride);
      part.block.push_back(block);
    }
    return part;
  }
  /// Returns a selection of any form.
  Selection selection(const Shape& shape) {
    Selection result = hyperslab(shape);
    while (operator()(0, 2) == 0) result |= hyperslab(shape);
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

TEST(CorrespondingTest, CommonRuns) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const Shape shape = random.shape();
    const BoundSelection a(shape, random.selection(shape), "a");
    const BoundSelection b(shape, random.selection(shape), "b");
    const auto of_a = elements(a);
    const auto of_b = elements(b);
    std::vector<std::uint64_t> expected, found;
    std::ranges::set_intersection(of_a, of_b, std::back_inserter(expected));
    CommonRun last{0, 0, 0};
    for_each_common_run(a, b, shape, [&](const CommonRun& run) {
      EXPECT_FALSE(last.count != 0 && run.first == last.first + last.count &&
                   run.second == last.second + last.count);
      last = run;
      for (std::uint64_t i = 0; i < run.count; ++i) {
        EXPECT_EQ(of_a.at(run.first + i), of_b.at(run.second + i));
        found.push_back(of_a[run.first + i]);
      }
      return true;
    });
    EXPECT_EQ(found, expected);
  }
}

TEST(CorrespondingTest, CommonRunsInLargeArrays) {
  const Shape shape{1'000'000'000, 3, 1'000'000'000};
  const Selection far[] = {Hyperslab{{5, 0, 7}, {1, 3, 2}},
                           Hyperslab{{999'999'999, 2, 999'999'990}, {1, 1, 10}}};
  const BoundSelection a(shape, far[0] | far[1], "a");
  const BoundSelection all(shape, {Hyperslab{{0, 0, 0}, {1, 1, 1}, {}, shape}}, "all");
  std::uint64_t count = 0;
  for_each_common_run(a, all, shape, [&](const CommonRun& run) {
    count += run.count;
    return true;
  });
  EXPECT_EQ(count, 16U);
  int calls = 0;
  for_each_common_run(all, a, shape, [&](const CommonRun&) { return ++calls < 2; });
  EXPECT_EQ(calls, 2);
}

TEST(CorrespondingTest, OfSingleElements) {
  const BoundSelection one(Dataspace(), {}, "one");
  int calls = 0;
  for_each_common_run(one, one, {}, [&](const CommonRun& run) {
    EXPECT_EQ(run.count, 1U);
    return ++calls > 0;
  });
  EXPECT_EQ(calls, 1);
  const Interval first[] = {{0, 1}};
  EXPECT_EQ(elements_at(one, {}, first).kind(), Selection::Kind::all);
}

TEST(CorrespondingTest, ElementsAt) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    const Shape shape = random.shape();
    const BoundSelection selection(shape, random.selection(shape), "selection");
    const auto all = elements(selection);
    std::vector<Interval> numbers;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t at = random(0, 3); at < all.size(); at += random(1, 4)) {
      const std::uint64_t end = std::min<std::uint64_t>(all.size(), at + random(1, 5));
      numbers.push_back({at, end});
      for (; at < end; ++at) expected.push_back(all[at]);
    }
    EXPECT_EQ(elements(BoundSelection(shape, elements_at(selection, shape, numbers), "found")),
              expected);
  }
}

TEST(CorrespondingTest, Product) {
  Random random(3);
  int made = 0;
  for (int round = 0; round < 1000; ++round) {
    const Shape shape = random.shape();
    const Selection mapped_part = random.hyperslab(shape);
    const BoundSelection wanted(shape, random.hyperslab(shape), "wanted");
    const BoundSelection mapped(shape, mapped_part, "mapped");
    // The source has the same coordinates in another place, with gaps.
    Hyperslab part;
    Shape source_shape;
    const auto counts = mapped_part.product_shape();
    ASSERT_TRUE(counts);
    for (const std::uint64_t count : *counts) {
      if (random(0, 3) == 0) {  // adds a dimension
        part.start.push_back(2);
        part.count.push_back(1);
        part.stride.push_back(1);
        source_shape.push_back(4);
      }
      part.start.push_back(random(0, 3));
      part.stride.push_back(random(1, 3));
      part.count.push_back(count);
      source_shape.push_back(part.start.back() + part.stride.back() * count);
    }
    const BoundSelection source(source_shape, part, "source");
    std::vector<std::uint64_t> expected;
    const auto all = elements(source);
    for_each_common_run(wanted, mapped, shape, [&](const CommonRun& run) {
      for (std::uint64_t i = 0; i < run.count; ++i) expected.push_back(all.at(run.second + i));
      return true;
    });
    if (expected.empty()) continue;
    const auto found = corresponding_product(wanted, mapped, source);
    ASSERT_TRUE(found);
    EXPECT_EQ(elements(BoundSelection(source_shape, *found, "found")), expected);
    ++made;
  }
  EXPECT_GT(made, 300);
}

TEST(CorrespondingTest, NoProductOfOtherShapes) {
  const BoundSelection square(Shape{4, 4});
  const BoundSelection line(Shape{16});
  EXPECT_FALSE(corresponding_product(square, square, line));
  const BoundSelection irregular(
      Shape{4, 4}, Selection(Hyperslab{{0, 0}, {1, 2}}) | Selection(Hyperslab{{2, 1}, {1, 2}}),
      "irregular");
  EXPECT_FALSE(corresponding_product(irregular, square, square));
}

}  // namespace
}  // namespace onecast::space
