#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/extent_list.hpp"
#include "collective/method.hpp"
#include "comm/backend.hpp"
#include "stripes/owner_map.hpp"

namespace onecast::collective {

/// The bytes that go between one rank and one aggregator in one round: one message.
struct Leg {
  std::uint64_t round = 0;
  std::size_t peer = 0;  ///< an aggregator or a rank
  std::uint64_t bytes = 0;

  auto operator<=>(const Leg&) const = default;
};

/// The bytes that a rank of this node sends to an aggregator in a round.
struct NodeLeg {
  std::uint64_t round = 0;
  std::size_t aggregator = 0;
  int member = 0;  ///< the number of the rank on its node
  std::uint64_t bytes = 0;
  std::uint64_t position = 0;  ///< in the member's half of the shared memory

  auto operator<=>(const NodeLeg&) const = default;
};

/// The messages of each round: their senders, receivers and contents. In round r, aggregators
/// process positions [r * window, (r + 1) * window) of their domains. The plan can be used again
/// whenever all ranks want the same extents in the same direction.
struct ExchangePlan {
  TransferDirection direction = TransferDirection::writing;
  ExtentList extents;  ///< this rank's extents in the file
  std::uint64_t window = 0;
  std::vector<Leg> as_rank;        ///< by round, then aggregator
  std::vector<Leg> as_aggregator;  ///< by round, then rank
  /// The extents that ranks want in this aggregator's domain, by rank, without ranks that want
  /// nothing.
  std::vector<std::pair<std::size_t, ExtentList>> wanted;
  std::uint64_t wanted_begin = 0;  ///< the first position in `wanted`
  std::uint64_t wanted_end = 0;    ///< the end of the last extent in `wanted`
  /// The bytes that the ranks of this node send, by round, aggregator and member, if one of them
  /// sends for all.
  std::vector<NodeLeg> of_node;
  /// The most bytes that this rank receives in a round: as an aggregator if ranks write, else as a
  /// rank.
  std::uint64_t most_received = 0;

  [[nodiscard]] const ExtentList& wanted_by(std::size_t rank) const;

  /// The stretch of its domain that this aggregator processes in a round.
  struct Stretch {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(to - from); }
  };
  [[nodiscard]] Stretch stretch_of(std::uint64_t round) const {
    return {std::max(round * window, wanted_begin), std::min((round + 1) * window, wanted_end)};
  }
  /// The size of a buffer that holds any stretch.
  [[nodiscard]] std::uint64_t longest_stretch() const {
    return std::min(window, wanted_end - wanted_begin);
  }
};

/// Makes a plan whose windows are so small that no rank receives more than `room` bytes in a round,
/// nor sends more, if `bounds_sent`. `reserve` allocates the memory that the plan needs. Takes two
/// collective calls, more only if ranks want the same bytes. All ranks throw the Error of the
/// lowest rank that failed. @collective
ExchangePlan make_plan(CommunicatorBackend& comm, const OwnerMap& owners,
                       TransferDirection direction, ExtentList extents, std::uint64_t room,
                       std::function<void(const ExchangePlan&)> reserve, bool bounds_sent = false);

/// Calls `each(position in the domain, length, position in the buffer)`, in ascending order, for
/// what this rank wants in [from, to) of an aggregator's domain.
template <class F>
void for_each_wanted_here(const ExchangePlan& plan, const OwnerMap& owners, std::size_t aggregator,
                          std::uint64_t from, std::uint64_t to, F&& each) {
  owners.for_each_stretch(
      aggregator, from, to, [&](std::uint64_t at, std::uint64_t offset, std::uint64_t length) {
        plan.extents.for_each_in(offset, offset + length,
                                 [&](std::uint64_t first, std::uint64_t bytes, std::uint64_t in) {
                                   each(at + (first - offset), bytes, in);
                                 });
      });
}

}  // namespace onecast::collective
