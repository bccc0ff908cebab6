#include <numeric>

#include "capi_test.hpp"

namespace onecast::test {
namespace {

using Selections = CapiTest;
using Coordinates = std::vector<std::uint64_t>;

Owned<onecast_set> combined(onecast_set_operation operation, const onecast_selection& a,
                            const onecast_selection& b) {
  return made_by<onecast_set>(
      [&](auto out) { return onecast_set_combine(operation, &a, &b, out); });
}

std::uint64_t count_of(const Owned<onecast_set>& selection) {
  std::uint64_t count = 0;
  EXPECT_DONE(onecast_set_count(selection.get(), &count));
  return count;
}

Coordinates boxes_of(const Owned<onecast_set>& selection) {
  std::size_t rank = 0;
  std::size_t count = 0;
  std::uint64_t* intervals = nullptr;
  EXPECT_DONE(onecast_set_get_boxes(selection.get(), &rank, &count, &intervals));
  const Owned<void> owner(static_cast<void*>(intervals));
  return {intervals, intervals + 2 * rank * count};
}

const Coordinates kShape = {6, 6};

TEST_F(Selections, ARingIsWritten) {
  const Coordinates start = {1, 1};
  const Coordinates large = {4, 4};
  const Coordinates inside = {2, 2};
  const Coordinates small = {2, 2};
  const auto ring =
      combined(ONECAST_DIFFERENCE, onecast_selection_box(2, start.data(), large.data()),
               onecast_selection_box(2, inside.data(), small.data()));
  EXPECT_EQ(count_of(ring), 12U);
  const auto grid = dataset("grid", ONECAST_INT32, kShape);
  std::vector<std::int32_t> values(12);
  std::iota(values.begin(), values.end(), 1);
  const onecast_selection part = onecast_selection_set(ring.get());
  EXPECT_DONE(onecast_dataset_write(grid.get(), &part, ONECAST_INT32, values.data(),
                                    values.size() * sizeof values[0]));
  const auto all = read<std::int32_t>(grid.get(), 36, ONECAST_INT32);
  EXPECT_EQ((std::vector<std::int32_t>(all.begin() + 6, all.begin() + 18)),
            (std::vector<std::int32_t>{0, 1, 2, 3, 4, 0, 0, 5, 0, 0, 6, 0}));
  EXPECT_EQ(read<std::int32_t>(grid.get(), 12, ONECAST_INT32, &part), values);
}

TEST_F(Selections, Operations) {
  const Coordinates zero = {0};
  const Coordinates two = {2};
  const Coordinates four = {4};
  const onecast_selection first = onecast_selection_box(1, zero.data(), four.data());
  const onecast_selection second = onecast_selection_box(1, two.data(), four.data());
  EXPECT_EQ(boxes_of(combined(ONECAST_UNION, first, second)), (Coordinates{0, 6}));
  EXPECT_EQ(boxes_of(combined(ONECAST_INTERSECTION, first, second)), (Coordinates{2, 4}));
  EXPECT_EQ(boxes_of(combined(ONECAST_DIFFERENCE, first, second)), (Coordinates{0, 2}));
  const auto either = combined(ONECAST_SYMMETRIC_DIFFERENCE, first, second);
  EXPECT_EQ(boxes_of(either), (Coordinates{0, 2, 4, 6}));
  const std::uint64_t ten = 10;
  const onecast_selection set = onecast_selection_set(either.get());
  const auto rest =
      made_by<onecast_set>([&](auto out) { return onecast_set_complement(&set, 1, &ten, out); });
  EXPECT_EQ(boxes_of(rest), (Coordinates{2, 4, 6, 10}));
  const Coordinates intervals = {8, 9, 1, 3, 2, 5};
  const auto boxes = made_by<onecast_set>(
      [&](auto out) { return onecast_set_boxes(1, 3, intervals.data(), out); });
  EXPECT_EQ(boxes_of(boxes), (Coordinates{1, 5, 8, 9}));
}

TEST_F(Selections, WhatIsWrong) {
  const Coordinates zero = {0, 0};
  const Coordinates four = {4, 4};
  const onecast_selection line = onecast_selection_box(1, zero.data(), four.data());
  const onecast_selection square = onecast_selection_box(2, zero.data(), four.data());
  onecast_set* made = nullptr;
  EXPECT_EQ(onecast_set_combine(ONECAST_UNION, &line, &square, &made), ONECAST_INVALID_ARGUMENT);
  EXPECT_EQ(made, nullptr);
  EXPECT_FAILS(onecast_set_combine(static_cast<onecast_set_operation>(9), &line, &line, &made),
               ONECAST_INVALID_ARGUMENT, "operation: 9");
  EXPECT_FAILS(onecast_set_boxes(0, 1, zero.data(), &made), ONECAST_INVALID_ARGUMENT,
               "0 dimensions");
  const auto grid = dataset("grid", ONECAST_INT32, kShape);
  const onecast_selection empty = onecast_selection_set(nullptr);
  std::int32_t value = 0;
  EXPECT_FAILS(onecast_dataset_read(grid.get(), &empty, ONECAST_INT32, &value, sizeof value),
               ONECAST_INVALID_ARGUMENT, "set is NULL");
}

}  // namespace
}  // namespace onecast::test
