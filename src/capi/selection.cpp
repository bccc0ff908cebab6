#include "onecast/capi/selection.h"

onecast_selection onecast_selection_box(size_t rank, const uint64_t* start, const uint64_t* count) {
  return onecast_selection_hyperslab(rank, start, nullptr, count, nullptr);
}

onecast_selection onecast_selection_hyperslab(size_t rank, const uint64_t* start,
                                              const uint64_t* stride, const uint64_t* count,
                                              const uint64_t* block) {
  onecast_selection part = {};
  part.kind = ONECAST_HYPERSLAB;
  part.rank = rank;
  part.start = start;
  part.stride = stride;
  part.count = count;
  part.block = block;
  return part;
}

onecast_selection onecast_selection_points(size_t rank, size_t point_count,
                                           const uint64_t* points) {
  onecast_selection part = {};
  part.kind = ONECAST_POINTS;
  part.rank = rank;
  part.point_count = point_count;
  part.points = points;
  return part;
}

onecast_selection onecast_selection_none(void) {
  onecast_selection part = {};
  part.kind = ONECAST_NONE;
  return part;
}

onecast_selection onecast_selection_set(const struct onecast_set* set) {
  onecast_selection part = {};
  part.kind = ONECAST_SET;
  part.set = set;
  return part;
}
