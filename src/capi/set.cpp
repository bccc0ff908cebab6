#include "onecast/capi/set.h"

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

Selection combined(onecast_set_operation operation, const Selection& a, const Selection& b) {
  switch (operation) {
    case ONECAST_UNION:
      return a | b;
    case ONECAST_INTERSECTION:
      return a & b;
    case ONECAST_DIFFERENCE:
      return a - b;
    case ONECAST_SYMMETRIC_DIFFERENCE:
      return a ^ b;
  }
  reject("operation: " + std::to_string(static_cast<int>(operation)) + " is none of its values");
}

/// Returns a handle of the set that make() returns.
template <class Make>
onecast_status give(onecast_set** out, Make&& make) {
  return guard_making(out, [&] {
    required(out, "set");
    *out = new onecast_set{make()};
  });
}

}  // namespace

onecast_status onecast_set_combine(onecast_set_operation operation, const onecast_selection* a,
                                   const onecast_selection* b, onecast_set** set) {
  return give(set,
              [&] { return combined(operation, plain_selection_of(a), plain_selection_of(b)); });
}

onecast_status onecast_set_complement(const onecast_selection* selection, size_t rank,
                                      const uint64_t* shape, onecast_set** set) {
  return give(set, [&] {
    return plain_selection_of(selection).complement(shape_of(shape, rank, "shape"));
  });
}

onecast_status onecast_set_boxes(size_t rank, size_t count, const uint64_t* intervals,
                                 onecast_set** set) {
  return give(set, [&] {
    if (rank == 0 || rank > ONECAST_MAX_RANK)
      reject("boxes of " + std::to_string(rank) + " dimensions");
    std::size_t numbers = 0;
    if (__builtin_mul_overflow(2 * rank, count, &numbers)) reject("too many boxes");
    const auto given = list(intervals, numbers, "intervals");
    std::vector<Interval> sides;
    sides.reserve(given.size() / 2);
    for (std::size_t i = 0; i < given.size(); i += 2) sides.push_back({given[i], given[i + 1]});
    return Selection::blocks(rank, sides);
  });
}

onecast_status onecast_set_count(const onecast_set* set, uint64_t* count) {
  return guard_counting(
      count, [&] { required(count, "count") = required(set, "set").value.element_count(); });
}

onecast_status onecast_set_get_boxes(const onecast_set* set, size_t* rank, size_t* count,
                                     uint64_t** intervals) {
  if (rank != nullptr) *rank = 0;
  return guard_listing(intervals, count, [&] {
    const Selection& from = required(set, "set").value;
    required(rank, "rank");
    required(count, "count");
    required(intervals, "intervals");
    std::vector<std::uint64_t> found;
    std::size_t boxes = 0;
    from.for_each_block([&](std::span<const Interval> sides) {
      ++boxes;
      for (const Interval& side : sides) found.insert(found.end(), {side.first, side.end});
    });
    ReturnedBlock block(found.size(), sizeof(std::uint64_t), 0);
    std::copy(found.begin(), found.end(), block.entries<std::uint64_t>());
    *intervals = static_cast<std::uint64_t*>(block.release());
    *rank = from.rank();
    *count = boxes;
  });
}

void onecast_set_free(onecast_set** set) {
  if (set != nullptr) delete std::exchange(*set, nullptr);
}
