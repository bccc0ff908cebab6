#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/exchange_plan.hpp"
#include "collective/node_relay.hpp"
#include "collective/round_buffers.hpp"
#include "comm/backend.hpp"
#include "stripes/owner_map.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

/// The state that both directions need: the ranks, the file, and memory that is large enough.
struct TwoPhase {
  CommunicatorBackend& comm;
  Transport& file;
  const OwnerMap& owners;
  const ExchangePlan& plan;
  RoundBuffers& buffers;
  /// Set if the ranks of a node send what they write through one of them.
  NodeRelay* relay = nullptr;
};

/// Both functions carry out a plan. An Error of the transport is thrown on its own rank at the end,
/// after all messages have arrived; the ranks must then agree on it.

/// `bytes`: the caller's buffer. Where ranks write the same byte, that of the highest rank stays.
void write_in_two_phases(const TwoPhase& now, const OutBuffers& bytes);

/// Bytes beyond the end of the file are zeros.
void read_in_two_phases(const TwoPhase& now, const InBuffers& bytes);

/// The lowest round at the front of the lists, of those that are not empty.
template <class... Legs>
std::uint64_t next_round(std::span<const Legs>... lists) {
  std::uint64_t round = ~std::uint64_t{0};
  ((round = lists.empty() ? round : std::min(round, lists.front().round)), ...);
  return round;
}

/// Takes the legs of `round` from the front of `legs`.
template <class Legs>
std::span<const Legs> take_round(std::span<const Legs>& legs, std::uint64_t round) {
  std::size_t n = 0;
  while (n < legs.size() && legs[n].round == round) ++n;
  const auto taken = legs.first(n);
  legs = legs.subspan(n);
  return taken;
}

}  // namespace onecast::collective
