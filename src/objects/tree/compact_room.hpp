#pragma once

#include <cstdint>

namespace onecast {

class FileState;

/// So many bytes may one more dataset have that is compact only because it is small.
std::uint64_t room_for_compact(const FileState& file);

}  // namespace onecast
