#include "objects/files/compact_room.hpp"

#include <algorithm>

#include "objects/files/file_state.hpp"

namespace onecast::files {

std::uint64_t room_for_compact(const FileState& file) {
  constexpr std::uint64_t kTotal = std::uint64_t{16} << 20U;
  const std::uint64_t most =
      file.options().compact_total.value_or(file.comm().is_self() ? UINT64_MAX : kTotal);
  return most - std::min(most, file.changes().compact_bytes);
}

bool is_within_compact_limit(const FileState& file, std::uint64_t size) {
  const std::uint64_t limit = file.options().compact_limit;
  return limit != 0 && size <= limit;
}

}  // namespace onecast::files
