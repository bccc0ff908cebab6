#include "collective/choose_method.hpp"

#include <stdexcept>

namespace onecast::collective {

bool has_contention(const StripeLayout& layout) { return layout.is_known(); }

bool is_worth_its_calls(TransferDirection direction, std::uint64_t pieces, std::uint64_t bytes) {
  constexpr std::uint64_t kWorthACall = std::uint64_t{64} << 10U;
  /// Measured on an ordinary disk (2 and 4 ranks, pieces of 128 bytes): this number of calls takes
  /// as long as a two-phase transfer without a kept plan; half as many take as long as one with a
  /// kept plan.
  constexpr std::uint64_t kFewToWrite = 12;
  constexpr std::uint64_t kFewToRead = 48;
  const bool is_read = direction == TransferDirection::reading;
  return pieces < (is_read ? kFewToRead : kFewToWrite) || bytes / pieces >= kWorthACall;
}

Choice choose_method(TransferDirection direction, const AccessSummary& all,
                     const StripeLayout& layout, std::size_t ranks, std::size_t nodes,
                     Method forced) {
  const WantedByAll wanted{direction, all, layout, ranks, nodes};
  if (forced != Method::automatic) {
    const TransferMethodEntry& entry = entry_of(forced);
    const char* hindrance = entry.hindrance != nullptr ? entry.hindrance(wanted) : nullptr;
    if (hindrance != nullptr) return {Method::collective, hindrance};
    return {forced, "it was requested"};
  }
  for (const TransferMethodEntry* entry : transfer_methods())
    if (const auto choice = entry->suits(wanted)) return *choice;
  throw std::logic_error("no transfer method suits");
}

bool asks_for_nodes(TransferDirection direction, const AccessSummary& all,
                    const StripeLayout& layout, Method forced) {
  if (direction == TransferDirection::reading || forced != Method::automatic ||
      !has_contention(layout) || all.ranks < 2)
    return false;
  const auto chosen = [&](std::size_t nodes) {
    return choose_method(direction, all, layout, all.ranks, nodes).method;
  };
  return chosen(1) != chosen(2);
}

}  // namespace onecast::collective
