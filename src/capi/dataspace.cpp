#include "onecast/capi/dataspace.h"

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"

using namespace onecast;
using namespace onecast::capi;

onecast_dataspace onecast_dataspace_array(size_t rank, const uint64_t* shape) {
  onecast_dataspace space = {};
  space.kind = ONECAST_ARRAY;
  if (rank > ONECAST_MAX_RANK || shape == nullptr) return space;  // functions refuse rank 0
  space.rank = rank;
  std::copy_n(shape, rank, space.shape);
  return space;
}

onecast_dataspace onecast_dataspace_growing(size_t rank, const uint64_t* shape,
                                            const uint64_t* max_shape) {
  onecast_dataspace space = onecast_dataspace_array(max_shape != nullptr ? rank : 0, shape);
  space.can_grow = 1;
  std::copy_n(max_shape, space.rank, space.max_shape);
  return space;
}

onecast_status onecast_dataspace_count(const onecast_dataspace* space, uint64_t* count) {
  return guard(
      [&] { required(count, "count") = dataspace_of(&required(space, "space")).element_count(); });
}
