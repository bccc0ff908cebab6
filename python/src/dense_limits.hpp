#pragma once

#include <nanobind/stl/pair.h>

#include <utility>

#include "onecast/objects/order.hpp"

/// (max_compact, min_dense) of a DenseLimits
using Limits = std::pair<unsigned, unsigned>;

inline Limits to_python(const onecast::DenseLimits& limits) {
  return {limits.max_compact, limits.min_dense};
}
inline onecast::DenseLimits to_limits(const Limits& limits) {
  return {limits.first, limits.second};
}
