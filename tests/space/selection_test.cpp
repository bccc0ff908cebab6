#include "space/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::thrown_by;
using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// What a selection means, element by element.
struct Model {
  std::vector<std::vector<std::uint64_t>> coordinates;  ///< by dimension
  std::vector<std::uint64_t> elements;                  ///< in order

  Model(const Shape& shape, const std::optional<Hyperslab>& part) : coordinates(shape.size()) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (!part) {
        for (std::uint64_t i = 0; i < shape[d]; ++i) coordinates[d].push_back(i);
        continue;
      }
      for (std::uint64_t c = 0; c < part->count[d]; ++c)
        for (std::uint64_t b = 0; b < (part->block.empty() ? 1 : part->block[d]); ++b)
          coordinates[d].push_back(part->start[d] + c * (part->stride.empty() ? 1 : part->stride[d]) + b);
    }
    add(shape, 0, 0);
  }

  [[nodiscard]] Runs runs() const {
    Runs found;
    for (const std::uint64_t e : elements)
      if (!found.empty() && found.back().first + found.back().second == e)
        ++found.back().second;
      else
        found.emplace_back(e, 1);
    return found;
  }

 private:
  void add(const Shape& shape, std::size_t d, std::uint64_t at) {
    if (d == shape.size()) return elements.push_back(at);
    for (const std::uint64_t c : coordinates[d]) add(shape, d + 1, at * shape[d] + c);
  }
};

Runs runs_of(const Selection& selection) {
  Runs found;
  selection.for_each_run([&](std::uint64_t first, std::uint64_t count) { found.emplace_back(first, count); });
  return found;
}

void expect_as_model(const Shape& shape, const std::optional<Hyperslab>& part) {
  SCOPED_TRACE(part ? fmt::format("shape {} start {} count {} stride {} block {}", shape, part->start,
                                  part->count, part->stride, part->block)
                    : fmt::format("all of {}", shape));
  const Selection selection(shape, part, "d");
  const Model model(shape, part);
  ASSERT_EQ(selection.element_count(), model.elements.size());
  EXPECT_EQ(runs_of(selection), model.runs());
  if (model.elements.empty()) return;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto& expected = model.coordinates[d];
    ASSERT_EQ(selection.coordinates(d), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(selection.coordinate(d, k), expected[k]);
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
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rank = below(5);
    Shape shape(rank);
    Hyperslab part{Shape(rank), Shape(rank), Shape(rank), Shape(rank)};
    for (std::size_t d = 0; d < rank; ++d) {
      const std::uint64_t n = shape[d] = 1 + below(7);
      part.block[d] = 1 + below(n);
      part.start[d] = below(n - part.block[d] + 1);
      const std::uint64_t left = n - part.start[d] - part.block[d];
      part.stride[d] = part.block[d] + below(3);
      part.count[d] = below(20) == 0 ? 0 : 1 + below(left / part.stride[d] + 1);
    }
    if (below(4) == 0) part.block.clear();
    if (part.block.empty() && below(2) == 0) {
      part.stride.clear();
      for (std::size_t d = 0; d < rank; ++d) part.count[d] = below(shape[d] - part.start[d] + 1);
    }
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
      {{9, 4}, {{0, 1}, {1, 4}, {}, {}}, "dimension 1: start 1, count 4, stride 1, block 1 leaves the size 4"},
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
