#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
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

struct ExchangeOptions {
  /// The bytes that a rank may use for one transfer, besides the caller's buffer and the
  /// description of the extents.
  std::uint64_t collective_buffer = std::uint64_t{16} << 20U;
  OwnerOptions owners;
  /// If the largest of several nodes has at least this many ranks, the ranks of a node send what
  /// they write through one of them: fewer and larger messages. 0: never.
  std::uint32_t relay_from = 16;
};

/// Counts on this rank.
struct ExchangeStats {
  std::uint64_t plans = 0;         ///< plans of exchange that were made
  std::uint64_t plans_reused = 0;  ///< calls that used a kept plan
  std::uint64_t buffer_peak = 0;   ///< the most bytes of memory for all transfers
};

/// The two-phase transfers of one file: the owners of its stripes, the plans of exchange, and the
/// memory for them.
///
/// The owners of stripes are fixed when the first plan is made.
///
/// The last few plans are kept. A kept plan is used again if all ranks want its extents, or its
/// extents moved by one distance, as the next time step does. Then the same ranks must own the
/// stripes: the distance is a multiple of all slots' stripes, or stripes are only assumed, so that
/// their owners may change.
class Exchanges {
 public:
  /// All arguments must outlive it. `layout` and `options` are equal on all ranks.
  Exchanges(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
            const ExchangeOptions& options);

  /// The distance of these extents from those of each kept plan (AccessSummary::distances).
  [[nodiscard]] std::array<std::int64_t, kKeptPlans> distances(TransferDirection direction,
                                                               const ExtentList& extents) const;

  /// Transfers in two phases, by a kept plan or a new one. This function and the following ones
  /// throw the Error of the lowest rank that failed, on all ranks. `failure` is an error of this
  /// rank in other work. @collective
  void transfer(TransferDirection direction, const AccessSummary& all, const ExtentList& extents,
                const OutBuffers& out, const InBuffers& in, const std::exception_ptr& failure);
  /// Makes a plan for these extents, valid only for this object, and allocates the memory for it.
  /// @collective
  ExchangePlan plan(TransferDirection direction, const ExtentList& extents);
  /// Carries out the two phases of a plan for which there is memory. @collective
  void transfer(const ExchangePlan& plan, const OutBuffers& out, const InBuffers& in,
                const std::exception_ptr& failure);
  /// Allocates the memory for an existing plan. Throws std::bad_alloc. @independent
  void reserve(const ExchangePlan& plan);

  /// The bytes that one buffer may take of the memory.
  [[nodiscard]] std::uint64_t share() const;
  /// Lends `size` bytes of the memory until the next call. Throws std::bad_alloc.
  std::span<std::byte> memory(std::uint64_t size);

  [[nodiscard]] const StripeLayout& layout() const { return layout_; }
  /// 0: none was needed yet.
  [[nodiscard]] std::size_t aggregators() const { return owners_ ? owners_->aggregators() : 0; }
  [[nodiscard]] const ExchangeStats& stats() const { return stats_; }

 private:
  void find_owners();
  const ExchangePlan* kept_plan(const AccessSummary& all, std::int64_t& distance);
  ExchangePlan& keep(ExchangePlan plan);
  /// `distance` is the offset from the place for which the plan was made. @collective
  void transfer_moved(const ExchangePlan& plan, std::int64_t distance, const OutBuffers& out,
                      const InBuffers& in, const std::exception_ptr& failure);

  CommunicatorBackend& comm_;
  Transport& file_;
  StripeLayout layout_;
  ExchangeOptions options_;
  std::optional<OwnerMap> owners_;
  RoundBuffers buffers_;
  std::unique_ptr<NodeRelay> relay_;
  /// The n-th plan is kept at n modulo kKeptPlans, if it is small enough.
  std::array<std::optional<ExchangePlan>, kKeptPlans> kept_;
  std::size_t plans_to_keep_ = 0;
  std::optional<ExchangePlan> unkept_;
  ExchangeStats stats_;
};

}  // namespace onecast::collective
