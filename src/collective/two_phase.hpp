#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/exchange_plan.hpp"
#include "collective/node_relay.hpp"
#include "collective/owner_map.hpp"
#include "collective/round_buffers.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

/// What both directions need: who takes part, the file, and the memory, already large enough.
struct TwoPhase {
  CommunicatorBackend& comm;
  Transport& file;
  const OwnerMap& owners;
  const ExchangePlan& plan;
  RoundBuffers& buffers;
  /// Where the ranks of a node send what they write through one of them; else null.
  NodeRelay* relay = nullptr;
};

/// Both carry out a plan. An Error of the transport is thrown at the end, on the rank it happened
/// on, when all messages have found their way; it is to be agreed on.

/// `bytes`: the caller's buffer. Where ranks write the same byte, that of the highest rank stays.
void write_in_two_phases(const TwoPhase& now, const OutBuffers& bytes);

/// Bytes behind the end of the file are zeros.
void read_in_two_phases(const TwoPhase& now, const InBuffers& bytes);

/// The lowest round of lists that are not all empty, from the places that the cursors have reached.
template <class... Legs>
std::uint64_t next_round(std::span<const Legs>... lists) {
  std::uint64_t round = ~std::uint64_t{0};
  ((round = lists.empty() ? round : std::min(round, lists.front().round)), ...);
  return round;
}

/// Takes the legs of `round` off the front of `legs`.
template <class Legs>
std::span<const Legs> take_round(std::span<const Legs>& legs, std::uint64_t round) {
  std::size_t n = 0;
  while (n < legs.size() && legs[n].round == round) ++n;
  const auto taken = legs.first(n);
  legs = legs.subspan(n);
  return taken;
}

}  // namespace onecast::collective
