#include "structures/visited_extents.hpp"

#include "base/located_error.hpp"

namespace onecast::structures {

void VisitedExtents::add(Address address, std::uint64_t length, const FileContext& file,
                         const char* what) {
  const std::uint64_t start = address.value;
  const auto after = end_of_.lower_bound(start);
  const bool hits_next = after != end_of_.end() && after->first - start < length;
  const bool hits_previous = after != end_of_.begin() && std::prev(after)->second > start;
  if (hits_next || hits_previous)
    throw LocatedError(ErrorCode::format, file.name, address, what, "Address",
                       "is used twice by one structure");
  end_of_.emplace_hint(after, start, start + length);
}

}  // namespace onecast::structures
