#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::lifetime {

/// Removes a new object, and up to `groups` groups above it as long as they are empty.
void take_back(Node& group, std::string_view name, std::uint64_t groups);

/// Takes back, on all ranks, the objects of calls whose data any rank lost. @collective
void take_back_lost(FileState& file);

}  // namespace onecast::lifetime
