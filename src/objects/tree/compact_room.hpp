#pragma once

#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::tree {

class FileState;

/// So many bytes may one more dataset have that is compact only because it is small.
std::uint64_t room_for_compact(const FileState& file);

}  // namespace onecast::tree
