#include "space/bound_selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "space/selection_parts.hpp"
#include "support/bitmap.hpp"
#include "support/selection_model.hpp"
#include "support/thrown_by.hpp"

namespace onecast::space {
namespace {

using test::SelectionModel;
using test::thrown_by;
using Runs = SelectionModel::Runs;

Runs runs_of(const BoundSelection& selection) {
  Runs found;
  selection.for_each_run(
      [&](std::uint64_t first, std::uint64_t count) { found.emplace_back(first, count); });
  return found;
}

void expect_as_model(const Shape& shape, const std::optional<Hyperslab>& part) {
  SCOPED_TRACE(part ? fmt::format("shape {} start {} count {} stride {} block {}", shape,
                                  part->start, part->count, part->stride, part->block)
                    : fmt::format("all of {}", shape));
  const BoundSelection selection(shape, part ? Selection(*part) : Selection(), "d");
  const SelectionModel model(shape, part);
  ASSERT_EQ(selection.element_count(), model.elements.size());
  EXPECT_EQ(runs_of(selection), model.runs());
  if (model.elements.empty()) return;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto& expected = model.coordinates[d];
    ASSERT_EQ(selection.coordinates(d), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_EQ(selection.coordinate(d, k), expected[k]);
    for (std::uint64_t at = 0; at < shape[d] + 3; ++at) {
      const auto first = std::lower_bound(expected.begin(), expected.end(), at) - expected.begin();
      EXPECT_EQ(selection.first_at_least(d, at), static_cast<std::uint64_t>(first)) << "at " << at;
    }
    const bool dense = expected.back() - expected.front() + 1 == expected.size();
    EXPECT_EQ(selection.is_dense(d), dense);
  }
}

TEST(BoundSelectionTest, AgreesWithTheModelOnRandomParts) {
  std::mt19937 random(20261121);
  for (int round = 0; round < 3000; ++round) {
    Shape shape(random() % 5);
    for (std::uint64_t& n : shape) n = 1 + random() % 7;
    const Hyperslab part = test::random_part(shape, random);
    expect_as_model(shape, part);
    expect_as_model(shape, std::nullopt);
    if (HasFailure()) return;
  }
}

TEST(BoundSelectionTest, RunsAreAsLongAsTheyCanBe) {
  const auto runs = [](const Shape& shape, const Hyperslab& part) {
    return runs_of(BoundSelection(shape, part, "d"));
  };
  EXPECT_EQ(runs({4, 6}, {{1, 0}, {2, 6}, {}, {}}), (Runs{{6, 12}}));
  EXPECT_EQ(runs({4, 6}, {{0, 2}, {2, 3}, {}, {}}), (Runs{{2, 3}, {8, 3}}));
  // Blocks are runs, too; so are the last elements of a row together with the first of the next
  // row.
  EXPECT_EQ(runs({10}, {{0}, {3}, {4}, {2}}), (Runs{{0, 2}, {4, 2}, {8, 2}}));
  EXPECT_EQ(runs({2, 4}, {{0, 0}, {2, 2}, {1, 3}, {}}), (Runs{{0, 1}, {3, 2}, {7, 1}}));
  EXPECT_EQ(runs({6, 5}, {{0, 0}, {2, 1}, {3, 1}, {2, 5}}), (Runs{{0, 10}, {15, 10}}));
  EXPECT_EQ(runs({3, 1, 2}, {{0, 0, 0}, {3, 1, 2}, {}, {}}), (Runs{{0, 6}}));
}

TEST(BoundSelectionTest, OneElementAndNone) {
  EXPECT_EQ(runs_of(BoundSelection({}, {}, "d")), (Runs{{0, 1}}));
  EXPECT_EQ(runs_of(BoundSelection({}, Hyperslab{}, "d")), (Runs{{0, 1}}));
  EXPECT_EQ(runs_of(BoundSelection(Dataspace::null(), {}, "d")), Runs{});
  EXPECT_EQ(runs_of(BoundSelection(Dataspace::null(), Hyperslab{}, "d")), Runs{});
  EXPECT_EQ(runs_of(BoundSelection(Shape{3, 0}, {}, "d")), Runs{});
  // Without elements, a place outside is no error.
  EXPECT_EQ(BoundSelection(Shape{3}, Hyperslab{{9}, {0}, {0}, {0}}, "d").element_count(), 0U);
}

TEST(BoundSelectionTest, AnEmptyDimensionHasNoCoordinate) {
  const BoundSelection none(Shape{3, 4}, Hyperslab{{0, 0}, {0, 2}, {0, 1}, {1, 1}}, "d");
  for (std::uint64_t at = 0; at < 5; ++at) EXPECT_EQ(none.first_at_least(0, at), 0U);
  EXPECT_EQ(BoundSelection(Shape{0}, {}, "d").first_at_least(0, 5), 0U);
}

/// Expects that parts have at most `most` elements, or are one cell, and that each element is in
/// exactly one part, at the position that the part gives.
void expect_parts(const BoundSelection& bound, const Shape& shape, const Shape& cell,
                  std::uint64_t most, const std::vector<std::uint64_t>& elements) {
  std::vector<std::uint64_t> by_number(elements.size(), ~std::uint64_t{0});
  std::uint64_t done = 0;
  for_each_part(bound, cell, most, [&](const SelectionPart& part) {
    EXPECT_GT(part.count, 0U);
    if (part.count > most)
      for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::uint64_t side = cell.empty() ? 1 : cell[d];
        EXPECT_EQ(part.box[d].first / side, (part.box[d].end - 1) / side);
      }
    std::vector<std::uint64_t> inside;
    BoundSelection(shape, bound.within(part.box), "part")
        .for_each_run([&](std::uint64_t first, std::uint64_t count) {
          for (std::uint64_t i = 0; i < count; ++i) inside.push_back(first + i);
        });
    ASSERT_EQ(inside.size(), part.count);
    EXPECT_EQ(bound.element_count_in(part.box), part.count);
    std::uint64_t last = ~std::uint64_t{0};
    for_each_run_of_part(bound, part,
                         [&](std::uint64_t number, std::uint64_t in_part, std::uint64_t count) {
                           EXPECT_NE(number, last) << "runs that could be one";
                           last = number + count;
                           for (std::uint64_t i = 0; i < count; ++i) {
                             ASSERT_LT(number + i, by_number.size());
                             EXPECT_EQ(by_number[number + i], ~std::uint64_t{0});
                             by_number[number + i] = inside[in_part + i];
                           }
                           if (cell.empty()) {
                             EXPECT_EQ(number, done + in_part) << "in order";
                           }
                         });
    done += part.count;
  });
  EXPECT_EQ(by_number, elements);
}

/// Walks through a selection in all ways, and compares with the elements that it means.
void expect_walks(const Shape& shape, const Selection& selection, const test::Bitmap& bitmap,
                  std::mt19937& random) {
  const BoundSelection bound(shape, selection, "d");
  const auto elements = bitmap.elements();
  ASSERT_EQ(bound.element_count(), elements.size());
  std::vector<std::uint64_t> walked;
  std::uint64_t last = 0;
  bound.for_each_run([&](std::uint64_t first, std::uint64_t count) {
    EXPECT_TRUE(walked.empty() || first > last) << "runs that could be one";
    for (std::uint64_t i = 0; i < count; ++i) walked.push_back(first + i);
    last = first + count;
  });
  EXPECT_EQ(walked, elements);

  Shape cell(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) cell[d] = 1 + random() % (shape[d] + 1);
  std::vector<std::uint64_t> by_number(elements.size(), ~std::uint64_t{0});
  Shape before;
  bound.for_each_cell(cell, [&](std::span<const std::uint64_t> start) {
    const Shape here(start.begin(), start.end());
    EXPECT_TRUE(before.empty() || before < here);
    before = here;
    std::uint64_t in_cell = 0;
    bound.for_each_run_in(start, cell,
                          [&](std::uint64_t at, std::uint64_t number, std::uint64_t count) {
                            in_cell += count;
                            for (std::uint64_t i = 0; i < count; ++i) {
                              auto where = test::coordinates_of(cell, at + i);
                              for (std::size_t d = 0; d < shape.size(); ++d) where[d] += start[d];
                              ASSERT_LT(number + i, by_number.size());
                              by_number[number + i] = test::element_at(shape, where);
                            }
                          });
    EXPECT_GT(in_cell, 0U);
  });
  EXPECT_EQ(by_number, elements);
  expect_parts(bound, shape, {}, 1 + random() % 9, elements);
  expect_parts(bound, shape, cell, 1 + random() % 9, elements);

  if (elements.empty()) return;
  const std::uint64_t first = random() % elements.size();
  const std::uint64_t count = random() % (elements.size() - first + 1);
  walked.clear();
  bound.for_each_run_of(first, count, [&](std::uint64_t at, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) walked.push_back(at + i);
  });
  EXPECT_TRUE(std::ranges::equal(walked, std::span(elements).subspan(first, count)));
}

TEST(BoundSelectionTest, WalksOfSetsAgreeWithABitmap) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const Shape shape = test::random_shape(random, 4, 7);
    const test::RandomSet set(shape, random, static_cast<int>(random() % 4));
    expect_walks(shape, set.selection, set.bitmap, random);
    expect_walks(shape, {}, test::Bitmap(shape, {Shape(shape.size()), shape, {}, {}}), random);
    if (HasFailure()) return;
  }
}

TEST(BoundSelectionTest, PointsAreASetAndPlacesInIt) {
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    const Shape shape = test::random_shape(random, 3, 6);
    const std::uint64_t all = Dataspace(shape).element_count();
    std::vector<std::uint64_t> points, coordinates;
    test::Bitmap bitmap(shape);
    for (auto left = random() % 12; left > 0; --left) {
      points.push_back(random() % all);
      bitmap.in[points.back()] = true;
    }
    if (random() % 2 == 0) std::ranges::sort(points);
    for (const std::uint64_t e : points)
      for (const std::uint64_t at : test::coordinates_of(shape, e)) coordinates.push_back(at);
    const Selection selection = Selection::points(shape.size(), coordinates);
    expect_walks(shape, selection, bitmap, random);
    const BoundSelection bound(shape, selection, "d");
    const auto elements = bitmap.elements();
    if (bound.positions().empty()) {
      EXPECT_EQ(points, elements);
    } else {
      ASSERT_EQ(bound.positions().size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_EQ(elements[bound.positions()[i]], points[i]);
    }
    if (HasFailure()) return;
  }
}

TEST(BoundSelectionTest, CellsFarApartAreFoundAtOnce) {
  const std::uint64_t n = 1ULL << 30U;
  const Selection corners = Selection::points(2, {0, 0, 5, n - 1, n - 1, 3});
  std::vector<Shape> cells;
  BoundSelection(Shape{n, n}, corners, "d").for_each_cell(Shape{10, 10}, [&](auto start) {
    cells.emplace_back(start.begin(), start.end());
  });
  EXPECT_EQ(cells, (std::vector<Shape>{{0, 0}, {0, (n - 1) / 10 * 10}, {(n - 1) / 10 * 10, 0}}));
}

TEST(BoundSelectionTest, ThirtyTwoDimensions) {
  const Shape shape(32, 2);
  Hyperslab part{Shape(32, 1), Shape(32, 1)};
  part.start[3] = 0;
  part.count[3] = 2;
  const Selection set = Selection(part) | Hyperslab{Shape(32, 0), Shape(32, 1)};
  std::uint64_t runs = 0;
  BoundSelection(shape, set, "d").for_each_run([&](auto, auto) { ++runs; });
  EXPECT_EQ(runs, 3U);
  EXPECT_THROW(BoundSelection(Dataspace(Shape(33, 1))), Error);
}

TEST(BoundSelectionTest, SelectionsThatLeaveTheArray) {
  const Selection irregular = Selection(Hyperslab{{0, 0}, {1, 1}}) | Hyperslab{{3, 4}, {1, 1}};
  for (const Selection& s : {irregular, Selection::points(2, {0, 0, 3, 4})}) {
    EXPECT_EQ(BoundSelection(Shape{4, 5}, s, "d").element_count(), 2U);
    const Error error = thrown_by([&] { BoundSelection(Shape{4, 4}, s, "f.h5: /d"); });
    EXPECT_EQ(std::string(error.what()),
              "f.h5: /d: selection: dimension 1: coordinate 4 leaves the size 4");
    EXPECT_THROW(BoundSelection(Shape{4}, s, "d"), Error);
    EXPECT_THROW(BoundSelection(Shape{}, s, "d"), Error);
    EXPECT_THROW(BoundSelection(Dataspace::null(), s, "d"), Error);
  }
  for (const Dataspace& space : {Dataspace(), Dataspace(Shape{2}), Dataspace::null()})
    EXPECT_EQ(BoundSelection(space, Selection::none(), "d").element_count(), 0U);
  EXPECT_EQ(BoundSelection(Shape{13}, Hyperslab{{2}, {Dataspace::kUnlimited}, {5}, {3}}, "d")
                .element_count(),
            7U);
}

TEST(BoundSelectionTest, WhatIsWrongIsSaid) {
  constexpr std::uint64_t kMax = ~std::uint64_t{0} - 1;  // one more is "unlimited"
  struct Case {
    Shape shape;
    Hyperslab part;
    const char* text;
  };
  const Case cases[] = {
      {{4}, {{0, 0}, {1, 1}, {}, {}}, "must have 1 dimensions"},
      {{4}, {{0}, {1, 1}, {}, {}}, "must have 1 dimensions"},
      {{4}, {{0}, {1}, {1, 1}, {}}, "must have 1 dimensions"},
      {{4}, {{0}, {1}, {}, {1, 1}}, "must have 1 dimensions"},
      {{}, {{0}, {1}, {}, {}}, "must have 0 dimensions"},
      {{9}, {{0}, {2}, {2}, {3}}, "dimension 0: stride 2 below block 3: blocks overlap"},
      {{9}, {{0}, {2}, {0}, {1}}, "dimension 0: stride 0 below block 1: blocks overlap"},
      {{9, 4},
       {{0, 1}, {1, 4}, {}, {}},
       "dimension 1: start 1, count 4, stride 1, block 1 leaves the size 4"},
      {{9}, {{9}, {1}, {}, {}}, "leaves the size 9"},
      {{9}, {{0}, {2}, {8}, {2}}, "leaves the size 9"},
      {{0}, {{0}, {1}, {}, {}}, "leaves the size 0"},
      {{9}, {{kMax}, {1}, {}, {}}, "leaves the size 9"},
      {{9}, {{1}, {kMax}, {kMax}, {}}, "leaves the size 9"},
      {{9}, {{0}, {kMax}, {}, {}}, "leaves the size 9"},
      {{9}, {{1}, {1}, {}, {kMax}}, "leaves the size 9"},
      {{9}, {{0}, {kMax / 2 + 1}, {2}, {2}}, "leaves the size 9"},
  };
  for (const Case& c : cases) {
    const Error error = thrown_by([&] { BoundSelection(c.shape, c.part, "f.h5: /d"); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("f.h5: /d: selection: ", 0), 0U) << text;
    EXPECT_NE(text.find(c.text), std::string::npos) << text << "\nexpected: " << c.text;
  }
}

}  // namespace
}  // namespace onecast::space
