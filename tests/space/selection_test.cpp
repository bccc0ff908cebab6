#include "space/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/selection_model.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::SelectionModel;
using test::thrown_by;
using Runs = SelectionModel::Runs;

Runs runs_of(const Selection& selection) {
  Runs found;
  selection.for_each_run(
      [&](std::uint64_t first, std::uint64_t count) { found.emplace_back(first, count); });
  return found;
}

void expect_as_model(const Shape& shape, const std::optional<Hyperslab>& part) {
  SCOPED_TRACE(part ? fmt::format("shape {} start {} count {} stride {} block {}", shape,
                                  part->start, part->count, part->stride, part->block)
                    : fmt::format("all of {}", shape));
  const Selection selection(shape, part, "d");
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

TEST(SelectionTest, AgreesWithTheModelOnRandomParts) {
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

TEST(SelectionTest, RunsAreAsLongAsTheyCanBe) {
  const auto runs = [](const Shape& shape, const Hyperslab& part) {
    return runs_of(Selection(shape, part, "d"));
  };
  EXPECT_EQ(runs({4, 6}, {{1, 0}, {2, 6}, {}, {}}), (Runs{{6, 12}}));
  EXPECT_EQ(runs({4, 6}, {{0, 2}, {2, 3}, {}, {}}), (Runs{{2, 3}, {8, 3}}));
  // Blocks are runs too, and so are the last elements of a row with the first of the next one.
  EXPECT_EQ(runs({10}, {{0}, {3}, {4}, {2}}), (Runs{{0, 2}, {4, 2}, {8, 2}}));
  EXPECT_EQ(runs({2, 4}, {{0, 0}, {2, 2}, {1, 3}, {}}), (Runs{{0, 1}, {3, 2}, {7, 1}}));
  EXPECT_EQ(runs({6, 5}, {{0, 0}, {2, 1}, {3, 1}, {2, 5}}), (Runs{{0, 10}, {15, 10}}));
  EXPECT_EQ(runs({3, 1, 2}, {{0, 0, 0}, {3, 1, 2}, {}, {}}), (Runs{{0, 6}}));
}

TEST(SelectionTest, OneElementAndNone) {
  EXPECT_EQ(runs_of(Selection({}, {}, "d")), (Runs{{0, 1}}));
  EXPECT_EQ(runs_of(Selection({}, Hyperslab{}, "d")), (Runs{{0, 1}}));
  EXPECT_EQ(runs_of(Selection(Dataspace::null(), {}, "d")), Runs{});
  EXPECT_EQ(runs_of(Selection(Dataspace::null(), Hyperslab{}, "d")), Runs{});
  EXPECT_EQ(runs_of(Selection(Shape{3, 0}, {}, "d")), Runs{});
  // With no element a place outside does no harm.
  EXPECT_EQ(Selection(Shape{3}, Hyperslab{{9}, {0}, {0}, {0}}, "d").element_count(), 0U);
}

TEST(SelectionTest, AnEmptyDimensionHasNoCoordinate) {
  const Selection none(Shape{3, 4}, Hyperslab{{0, 0}, {0, 2}, {0, 1}, {1, 1}}, "d");
  for (std::uint64_t at = 0; at < 5; ++at) EXPECT_EQ(none.first_at_least(0, at), 0U);
  EXPECT_EQ(Selection(Shape{0}, {}, "d").first_at_least(0, 5), 0U);
}

TEST(SelectionTest, WhatIsWrongIsSaid) {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
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
    const Error error = thrown_by([&] { Selection(c.shape, c.part, "f.h5: /d"); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("f.h5: /d: selection: ", 0), 0U) << text;
    EXPECT_NE(text.find(c.text), std::string::npos) << text << "\nexpected: " << c.text;
  }
}

}  // namespace
}  // namespace onecast
