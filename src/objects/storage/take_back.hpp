#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

/// Removes a new object, and so many groups above it as far as nothing else is in them.
void take_back(Node& group, std::string_view name, std::uint64_t groups);

/// Takes back, on all ranks, what calls created whose data any rank lost. @collective
void take_back_lost(FileState& file);

}  // namespace onecast::storage
