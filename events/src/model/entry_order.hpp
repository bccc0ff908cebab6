#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "onecast/events/identity.hpp"

namespace onecast::events {

/// Returns the entries in the order of their identities; entries of equal identity keep their
/// order.
template <class IdentityOf>
std::vector<std::uint64_t> entries_by_identity(std::size_t count, IdentityOf&& identity_of) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::ranges::sort(order, {},
                    [&](std::uint64_t entry) { return std::pair(identity_of(entry), entry); });
  return order;
}

/// Returns the first position in [low, high) whose identity is not before this one; `high` if there
/// is none.
template <class IdentityAt>
std::uint64_t first_not_before(const Identity& identity, std::uint64_t low, std::uint64_t high,
                               IdentityAt&& identity_at) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (identity_at(middle) < identity)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Returns the first entry with that identity in such an order.
template <class IdentityOf>
std::optional<std::uint64_t> find_entry(const std::vector<std::uint64_t>& order,
                                        const Identity& identity, IdentityOf&& identity_of) {
  const auto found = std::ranges::lower_bound(order, identity, {}, identity_of);
  if (found == order.end() || identity_of(*found) != identity) return {};
  return *found;
}

}  // namespace onecast::events
