#pragma once

#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::files {

class FileState;

/// Returns the largest number of bytes that another dataset may have to be made compact by default.
std::uint64_t room_for_compact(const FileState& file);
/// Returns true if the option compact_limit makes data of this size compact; 0 makes none compact,
/// not even a dataset without elements.
bool is_within_compact_limit(const FileState& file, std::uint64_t size);

}  // namespace onecast::files
