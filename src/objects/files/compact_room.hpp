#pragma once

#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::files {

class FileState;

/// Returns the largest number of bytes that another dataset may have to be made compact by default.
std::uint64_t room_for_compact(const FileState& file);

}  // namespace onecast::files
