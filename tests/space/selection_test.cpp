#include "onecast/space/selection.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/bitmap.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::Bitmap;
using test::RandomSet;
using test::thrown_by;
using Kind = Selection::Kind;

constexpr std::uint64_t kUnlimited = Dataspace::kUnlimited;

/// Returns the elements in the blocks that a selection lists. No element may be in two blocks.
Bitmap bitmap_of(const Shape& shape, const Selection& selection) {
  Bitmap found(shape);
  selection.for_each_block([&](std::span<const Interval> block) {
    std::vector<std::vector<std::uint64_t>> axes;
    Hyperslab part;
    for (const Interval& side : block) {
      part.start.push_back(side.first);
      part.count.push_back(side.end - side.first);
    }
    for (const std::uint64_t e : test::SelectionModel(shape, part).elements) {
      EXPECT_FALSE(found.in[e]) << "twice: element " << e;
      found.in[e] = true;
    }
  });
  return found;
}

void expect_is(const Selection& selection, const Bitmap& bitmap) {
  EXPECT_EQ(bitmap_of(bitmap.shape, selection).in, bitmap.in);
  const auto elements = bitmap.elements();
  EXPECT_EQ(selection.element_count(), elements.size());
  // A set always has the same form, whatever made it.
  std::vector<std::uint64_t> coordinates;
  for (const std::uint64_t e : elements)
    for (const std::uint64_t at : test::coordinates_of(bitmap.shape, e)) coordinates.push_back(at);
  const Selection again = Selection::points(bitmap.shape.size(), coordinates) | Selection::none();
  EXPECT_EQ(selection, again);
  EXPECT_EQ(selection.digest(), again.digest());
  if (elements.empty()) return;
  const Selection::Box box = selection.bounding_box();
  for (std::size_t d = 0; d < bitmap.shape.size(); ++d) {
    std::uint64_t low = kUnlimited, high = 0;
    for (std::size_t i = d; i < coordinates.size(); i += bitmap.shape.size()) {
      low = std::min(low, coordinates[i]);
      high = std::max(high, coordinates[i] + 1);
    }
    EXPECT_EQ(box.start[d], low);
    EXPECT_EQ(box.end[d], high);
  }
}

TEST(SelectionTest, SetsAgreeWithABitmap) {
  std::mt19937 random(20261121);
  for (int round = 0; round < 2000; ++round) {
    const Shape shape = test::random_shape(random, 4, 6);
    const RandomSet a(shape, random, 3);
    const RandomSet b(shape, random, 2);
    expect_is(a.selection, a.bitmap);
    EXPECT_EQ(a.selection == b.selection, a.bitmap.in == b.bitmap.in);
    Bitmap rest = a.bitmap;
    rest.in.flip();
    expect_is(a.selection.complement(shape), rest);
    Selection changed = a.selection;
    changed ^= b.selection;
    EXPECT_EQ(changed, (a.selection | b.selection) - (a.selection & b.selection));
    changed ^= b.selection;
    EXPECT_EQ(changed, a.selection);
    if (HasFailure()) return;
  }
}

TEST(SelectionTest, ClippedIsWhatLiesInside) {
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    const Shape shape = test::random_shape(random, 3, 7);
    Shape small = shape;
    for (std::uint64_t& n : small) n = random() % (n + 1);
    const RandomSet a(shape, random, 2);
    Bitmap inside(shape);
    for (const std::uint64_t e : a.bitmap.elements())
      inside.in[e] = std::ranges::equal(test::coordinates_of(shape, e), small, std::less<>());
    expect_is(a.selection.clipped(small), inside);
    if (HasFailure()) return;
  }
}

TEST(SelectionTest, BlocksMayOverlap) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    const Shape shape = test::random_shape(random, 3, 8);
    Bitmap expected(shape);
    std::vector<Interval> blocks;
    for (auto left = random() % 9; left > 0; --left) {
      Hyperslab part;
      for (const std::uint64_t n : shape) {
        const std::uint64_t first = random() % n;
        const std::uint64_t count = random() % 10 == 0 ? 0 : 1 + random() % (n - first);
        blocks.push_back({first, first + count});
        part.start.push_back(first);
        part.count.push_back(count);
      }
      expected =
          Bitmap::combine(expected, Bitmap(shape, part), [](bool x, bool y) { return x || y; });
    }
    expect_is(Selection::blocks(shape.size(), blocks), expected);
    if (HasFailure()) return;
  }
}

TEST(SelectionTest, ProductsOfLists) {
  const std::vector<Interval> sides[] = {{{0, 1}, {2, 4}}, {{1, 2}}, {{0, 5}}};
  const Selection product = Selection::product(sides);
  EXPECT_EQ(product.kind(), Kind::irregular);
  EXPECT_EQ(product.element_count(), 15U);
  const Selection one = Hyperslab{{0, 1, 0}, {1, 1, 5}};
  const Selection two = Hyperslab{{2, 1, 0}, {2, 1, 5}};
  EXPECT_EQ(product, one | two);
  EXPECT_EQ(product.product_shape(), (Shape{3, 1, 5}));
  EXPECT_EQ(one.product_shape(), (Shape{1, 1, 5}));
  EXPECT_EQ((product - Hyperslab{{0, 1, 0}, {1, 1, 1}}).product_shape(), std::nullopt);
  const std::vector<Interval> even[] = {{{1, 2}, {3, 4}, {5, 6}}};
  ASSERT_EQ(Selection::product(even).kind(), Kind::hyperslab);
  EXPECT_EQ(Selection::product(even), (Selection(Hyperslab{{1}, {3}, {2}, {}})));
}

TEST(SelectionTest, WhatIsRegularStaysSmall) {
  // The selection has 10^16 elements in 10^10 blocks.
  const std::uint64_t n = 100'000'000;
  const Selection a(Hyperslab{{0, 0}, {n / 1000, n / 1000}, {1000, 1000}, {999, 999}});
  EXPECT_EQ(a.element_count(), n / 1000 * 999 * (n / 1000) * 999);
  EXPECT_EQ(a.bounding_box().end, (Shape{n - 1, n - 1}));
  const Selection cut = a - Hyperslab{{7, 0}, {1, n}};
  EXPECT_EQ(cut.element_count(), a.element_count() - n / 1000 * 999);
  EXPECT_EQ(cut | (a & Hyperslab{{7, 0}, {1, n}}), a);
}

TEST(SelectionTest, AllAndNone) {
  const Selection all;
  const Selection none = Selection::none();
  const Selection part(Hyperslab{{1}, {2}});
  EXPECT_EQ(all | part, all);
  EXPECT_EQ(all & part, part);
  EXPECT_EQ(part & all, part);
  EXPECT_EQ(part - all, none);
  EXPECT_EQ(part | none, part);
  EXPECT_EQ(none ^ part, part);
  EXPECT_EQ(all - none, all);
  EXPECT_EQ(none.element_count(), 0U);
  EXPECT_EQ(none.rank(), 0U);
  EXPECT_EQ(all.complement({4}), none);
  EXPECT_EQ(none.complement({4}), Selection(Hyperslab{{0}, {4}}));
  EXPECT_EQ(part, Selection(Hyperslab{{1}, {1}, {9}, {2}}));
  EXPECT_EQ(Selection(Hyperslab{{5}, {0}}), none);
  EXPECT_NE(part, all);
  for (const auto& action : std::vector<std::function<void()>>{
           [&] { static_cast<void>(all.element_count()); },
           [&] { static_cast<void>(all.bounding_box()); },
           [&] { static_cast<void>(all - part); },
           [&] { static_cast<void>(all ^ part); },
           [&] { static_cast<void>(part | Hyperslab{{0, 0}, {1, 1}}); },
           [&] { static_cast<void>(part | Hyperslab{{0}, {1, 1}}); },
           [&] { static_cast<void>(part | Hyperslab{{0}, {2}, {1}, {3}}); },
           [&] { static_cast<void>(part | Hyperslab{{kUnlimited}, {2}}); },
           [&] { static_cast<void>(part | Hyperslab{{0}, {kUnlimited}}); },
           [&] { static_cast<void>(part.clipped({1, 1})); },
           [&] { static_cast<void>(Selection::points(2, {1, 2, 3})); },
           [&] { static_cast<void>(Selection::points(0, {1})); },
           [&] { static_cast<void>(Selection::blocks(2, std::vector<Interval>(3))); },
           [&] { static_cast<void>(Selection::blocks(1, std::vector<Interval>{{2, 1}})); },
           [&] { static_cast<void>(Selection::blocks(33, {})); },
           [&] { static_cast<void>(Selection::product({})); },
           [&] {
             const std::vector<Interval> side[] = {{{3, 4}, {1, 2}}};
             static_cast<void>(Selection::product(side));
           },
           [&] {
             // Every second element of a huge array would be a block of its own.
             static_cast<void>(Selection(Hyperslab{{0}, {1ULL << 40U}, {2}, {}}) | part);
           },
       })
    EXPECT_EQ(thrown_by(action).code(), ErrorCode::invalid_argument);
}

TEST(SelectionTest, UnlimitedEndsWhereTheArrayEnds) {
  const Selection counts(Hyperslab{{2}, {kUnlimited}, {5}, {3}});
  EXPECT_TRUE(counts.is_unlimited());
  EXPECT_EQ(counts.clipped({12}), Selection(Hyperslab{{2}, {2}, {5}, {3}}));
  EXPECT_EQ(counts.clipped({13}).element_count(), 7U);  // 2 3 4 7 8 9 12
  EXPECT_EQ(counts.clipped({3}), Selection(Hyperslab{{2}, {1}}));
  EXPECT_EQ(counts.clipped({2}), Selection::none());
  const Selection block(Hyperslab{{1, 0}, {1, 1}, {}, {kUnlimited, 2}});
  EXPECT_EQ(block.clipped({4, 2}), Selection(Hyperslab{{1, 0}, {3, 2}}));
}

TEST(SelectionTest, PointsKeepTheirOrder) {
  const Selection points = Selection::points(2, {3, 1, 0, 2, 3, 1});
  EXPECT_EQ(points.element_count(), 3U);
  EXPECT_EQ(points.bounding_box(), (Selection::Box{{0, 1}, {4, 3}}));
  EXPECT_NE(points, Selection::points(2, {0, 2, 3, 1, 3, 1}));
  EXPECT_EQ((points | Selection::none()).element_count(), 2U);
  EXPECT_EQ(points.clipped({4, 2}), Selection::points(2, {3, 1, 3, 1}));
  EXPECT_EQ(Selection::points(3, {}), Selection::none());
}

}  // namespace
}  // namespace onecast
