#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "onecast/events/identity.hpp"

namespace onecast::events {

/// Findings of a join that the user should know.
struct JoinReport {
  std::vector<std::string> interrupted;  ///< files with an interrupted writer, joined as far
  std::vector<std::string> recoded;      ///< files with another chunk size than the first
  std::optional<Identity> repeated;      ///< an identity that several events have
};

/// Returns an identity that occurs more than once, from identities in ascending order.
inline std::optional<Identity> repeated_in(const std::vector<Identity>& ascending) {
  const auto found = std::ranges::adjacent_find(ascending);
  return found == ascending.end() ? std::nullopt : std::optional(*found);
}

}  // namespace onecast::events
