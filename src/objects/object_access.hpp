#pragma once

#include "onecast/objects/object.hpp"

namespace onecast {

/// The way from a handle to what it means.
struct ObjectAccess {
  static Node& node(const Object& object) { return *object.node_; }
};

}  // namespace onecast
