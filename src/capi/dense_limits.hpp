#pragma once

#include "base/namespaces.hpp"
#include "onecast/capi/object.h"
#include "onecast/objects/order.hpp"

namespace onecast::capi {

inline onecast_dense_limits to_c(const DenseLimits& limits) {
  return {limits.max_compact, limits.min_dense};
}
inline DenseLimits from_c(const onecast_dense_limits& limits) {
  return {limits.max_compact, limits.min_dense};
}

}  // namespace onecast::capi
