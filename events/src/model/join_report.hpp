#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "onecast/events/identity.hpp"

namespace onecast::events {

/// What joining files found that their user should know.
struct JoinReport {
  std::vector<std::string> interrupted;  ///< files whose writer was: what they have is joined
  std::vector<std::string> recoded;      ///< whose chunks have another size than those of the first
  std::optional<Identity> repeated;      ///< one that several events have
};

/// One that several events have, of identities that ascend.
inline std::optional<Identity> repeated_in(const std::vector<Identity>& ascending) {
  const auto found = std::ranges::adjacent_find(ascending);
  return found == ascending.end() ? std::nullopt : std::optional(*found);
}

}  // namespace onecast::events
