#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"

/// Two selections with equal numbers of elements correspond: the first element of one to the first
/// of the other, and so on. Elements are numbered in that order.
namespace onecast::space {

/// `count` adjacent elements that two selections of one array share; `first` and `second` are the
/// number of the first one in each.
struct CommonRun {
  std::uint64_t first, second, count;
};

/// Calls `each` for all common elements, in order, in runs as long as possible, until it returns
/// false. Takes little memory, and time only for parts where the smaller selection has elements.
void for_each_common_run(const BoundSelection& first, const BoundSelection& second,
                         const Shape& shape, const std::function<bool(const CommonRun&)>& each);

/// The elements of a selection with the given numbers, which ascend and are apart from each other.
/// `shape` is that of the array.
Selection elements_at(const BoundSelection& selection, const Shape& shape,
                      std::span<const Interval> numbers);

/// The elements of `source` that correspond to the elements of `mapped` that are also in `wanted`,
/// a selection of the same array as `mapped`. Fast, since it works dimension by dimension; absent
/// if that is impossible.
std::optional<Selection> corresponding_product(const BoundSelection& wanted,
                                               const BoundSelection& mapped,
                                               const BoundSelection& source);

}  // namespace onecast::space
