#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"

/// Two selections with equally many elements correspond: the first element of one is the first of
/// the other, and so on. Elements are numbered in that order.
namespace onecast::space {

/// Elements that two selections of one array have in common: `count` of them, from these numbers
/// on in each.
struct CommonRun {
  std::uint64_t first, second, count;
};

/// Calls `each` for all common elements, in order, in runs as long as they can be; until it returns
/// false. Takes little memory, and time only for parts where the smaller one has elements.
void for_each_common_run(const BoundSelection& first, const BoundSelection& second,
                         const Shape& shape, const std::function<bool(const CommonRun&)>& each);

/// The elements of a selection that have the given numbers, which ascend, apart from each other.
/// `shape`: of its array.
Selection elements_at(const BoundSelection& selection, const Shape& shape,
                      std::span<const Interval> numbers);

/// The elements of `source` that correspond to those of `mapped` that are also in `wanted`, a
/// selection of the same array as `mapped`. Quick: it works dimension by dimension; absent where
/// that is not possible.
std::optional<Selection> corresponding_product(const BoundSelection& wanted,
                                               const BoundSelection& mapped,
                                               const BoundSelection& source);

}  // namespace onecast::space
