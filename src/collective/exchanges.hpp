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
#include "collective/owner_map.hpp"
#include "collective/round_buffers.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

struct ExchangeOptions {
  /// Bytes that a rank may use for one transfer, besides the caller's buffer and the description
  /// of the extents.
  std::uint64_t collective_buffer = std::uint64_t{16} << 20U;
  OwnerOptions owners;
  /// Ranks of a node send what they write through one of them, if there are several nodes and so
  /// many ranks on the largest: fewer, larger messages. 0: never.
  std::uint32_t relay_from = 16;
};

/// So far, on this rank.
struct ExchangeStats {
  std::uint64_t plans = 0;         ///< plans of exchange that were made
  std::uint64_t plans_reused = 0;  ///< calls that used one that was made before
  std::uint64_t buffer_peak = 0;   ///< bytes of memory, at most, for all transfers
};

/// The transfers of one file that go in two phases: who owns which stripe, plans of exchange, and
/// the memory for them.
///
/// Who owns which stripe is settled once, when the first plan is made, and does not change.
///
/// The last few plans are kept. Where all ranks want the extents of one of them again, or the same
/// moved by one distance, as a time step behind the last one is, no new plan is made if the same
/// ranks own what lies there: the distance is a multiple of all slots' stripes, or stripes are only
/// assumed, so that nobody has to own one for ever.
class Exchanges {
 public:
  /// All outlive it. `layout` and `options` are the same on all ranks.
  Exchanges(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
            const ExchangeOptions& options);

  /// How far these extents are from those of each plan that is kept (AccessSummary::distances).
  [[nodiscard]] std::array<std::int64_t, kKeptPlans> distances(TransferDirection direction,
                                                               const ExtentList& extents) const;

  /// All that follow throw the Error of the lowest rank that failed, on all ranks. `failure`: of
  /// what this rank did besides. In two phases, by a plan that is kept or one that is made.
  /// @collective
  void transfer(TransferDirection direction, const AccessSummary& all, const ExtentList& extents,
                const OutBuffers& out, const InBuffers& in, const std::exception_ptr& failure);
  /// A plan for these extents, which belongs to this object; the memory for it is there.
  /// @collective
  ExchangePlan plan(TransferDirection direction, const ExtentList& extents);
  /// The two phases of a plan for which there is memory. @collective
  void transfer(const ExchangePlan& plan, const OutBuffers& out, const InBuffers& in,
                const std::exception_ptr& failure);
  /// The memory for a plan that was made before. Throws std::bad_alloc. @independent
  void reserve(const ExchangePlan& plan);

  /// How much of the memory one of its uses may take.
  [[nodiscard]] std::uint64_t share() const;
  /// So much of it, until the next call. Throws std::bad_alloc.
  std::span<std::byte> memory(std::uint64_t size);

  [[nodiscard]] const StripeLayout& layout() const { return layout_; }
  /// 0: none was needed yet.
  [[nodiscard]] std::size_t aggregators() const { return owners_ ? owners_->aggregators() : 0; }
  [[nodiscard]] const ExchangeStats& stats() const { return stats_; }

 private:
  void find_owners();
  const ExchangePlan* kept_plan(const AccessSummary& all, std::int64_t& distance);
  ExchangePlan& keep(ExchangePlan plan);
  /// `distance`: behind where the plan was made for. @collective
  void transfer_moved(const ExchangePlan& plan, std::int64_t distance, const OutBuffers& out,
                      const InBuffers& in, const std::exception_ptr& failure);

  CommunicatorBackend& comm_;
  Transport& file_;
  StripeLayout layout_;
  ExchangeOptions options_;
  std::optional<OwnerMap> owners_;
  RoundBuffers buffers_;
  std::unique_ptr<NodeRelay> relay_;
  /// The n-th plan that was made to be kept is kept at n modulo kKeptPlans, if it is small enough.
  std::array<std::optional<ExchangePlan>, kKeptPlans> kept_;
  std::size_t plans_to_keep_ = 0;
  std::optional<ExchangePlan> unkept_;
  ExchangeStats stats_;
};

}  // namespace onecast::collective
