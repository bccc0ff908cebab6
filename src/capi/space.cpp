#include "onecast/capi/space.h"

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"

using namespace onecast;
using namespace onecast::capi;

onecast_space onecast_array(size_t rank, const uint64_t* shape) {
  onecast_space space = {};
  space.kind = ONECAST_ARRAY;
  if (rank > ONECAST_MAX_RANK || shape == nullptr) return space;  // functions refuse rank 0
  space.rank = rank;
  std::copy_n(shape, rank, space.shape);
  return space;
}

onecast_space onecast_growing_array(size_t rank, const uint64_t* shape, const uint64_t* max_shape) {
  onecast_space space = onecast_array(max_shape != nullptr ? rank : 0, shape);
  space.can_grow = 1;
  std::copy_n(max_shape, space.rank, space.max_shape);
  return space;
}

onecast_status onecast_space_count(const onecast_space* space, uint64_t* count) {
  return guard(
      [&] { required(count, "count") = dataspace_of(&required(space, "space")).element_count(); });
}

onecast_part onecast_box(size_t rank, const uint64_t* start, const uint64_t* count) {
  return onecast_hyperslab(rank, start, nullptr, count, nullptr);
}

onecast_part onecast_hyperslab(size_t rank, const uint64_t* start, const uint64_t* stride,
                               const uint64_t* count, const uint64_t* block) {
  onecast_part part = {};
  part.kind = ONECAST_HYPERSLAB;
  part.rank = rank;
  part.start = start;
  part.stride = stride;
  part.count = count;
  part.block = block;
  return part;
}

onecast_part onecast_points(size_t rank, size_t point_count, const uint64_t* points) {
  onecast_part part = {};
  part.kind = ONECAST_POINTS;
  part.rank = rank;
  part.point_count = point_count;
  part.points = points;
  return part;
}

onecast_part onecast_nothing(void) {
  onecast_part part = {};
  part.kind = ONECAST_NONE;
  return part;
}
