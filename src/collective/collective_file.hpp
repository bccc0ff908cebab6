#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>

#include "collective/buffer_list.hpp"
#include "collective/choose_method.hpp"
#include "collective/exchange_plan.hpp"
#include "collective/node_relay.hpp"
#include "collective/owner_map.hpp"
#include "collective/round_buffers.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast {

struct CollectiveOptions {
  /// Bytes that a rank may use for one transfer, besides the caller's buffer and the description
  /// of the extents.
  std::uint64_t collective_buffer = std::uint64_t{16} << 20U;
  Method method = Method::automatic;
  OwnerOptions owners;
  /// Ranks of a node send what they write through one of them, if there are several nodes and so
  /// many ranks on the largest: fewer, larger messages. 0: never.
  std::uint32_t relay_from = 16;
};

/// What collective calls have done so far, on this rank.
struct CollectiveStats {
  std::uint64_t calls = 0;
  std::uint64_t plans = 0;         ///< plans of exchange that were made
  std::uint64_t plans_reused = 0;  ///< calls that used one that was made before
  std::uint64_t buffer_peak = 0;   ///< bytes of memory, at most, for all transfers
  Choice last;                     ///< of the last call
};

/// One file, reached by all ranks of a communicator together.
///
/// Who owns which stripe is settled once, at the first call in two phases, and does not change.
/// Where ranks write the same byte in one call, that of the highest rank stays. Extents of a rank
/// ascend and do not overlap (ExtentListBuilder sees to that).
///
/// The last few plans of exchange are kept. Where all ranks want the extents of one of them again,
/// or the same moved by one distance, as a time step behind the last one is, no new plan is made if
/// the same ranks own what lies there: the distance is a multiple of all slots' stripes, or stripes
/// are only assumed, so that nobody has to own one for ever.
class CollectiveFile {
 public:
  /// All outlive it. `layout` and `options` are the same on all ranks.
  CollectiveFile(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
                 const CollectiveOptions& options = {});

  /// What this rank tells the others about a transfer of these extents, before it.
  [[nodiscard]] AccessSummary summary(TransferDirection direction, const ExtentList& extents) const;

  /// The extents are taken from, or filled into, `bytes`, at the positions they name. What is read
  /// from behind the end of the file is zeros. `all`: what all ranks' summaries make together, of
  /// which none has failed. Throws the Error of the lowest rank that failed, on all ranks.
  /// `failure`: of what this rank did besides. `method`: of this call, the same on all ranks;
  /// automatic: as the options say. @collective
  void write(const AccessSummary& all, const ExtentList& extents, const OutBuffers& bytes,
             const std::exception_ptr& failure = {}, Method method = Method::automatic);
  void read(const AccessSummary& all, const ExtentList& extents, const InBuffers& bytes,
            const std::exception_ptr& failure = {}, Method method = Method::automatic);

  /// The same, with a reduction for the summary. `failure`: why this rank cannot take part, if so.
  /// @collective
  void write(const ExtentList& extents, const OutBuffers& bytes,
             const std::exception_ptr& failure = {}, Method method = Method::automatic);
  void read(const ExtentList& extents, const InBuffers& bytes,
            const std::exception_ptr& failure = {}, Method method = Method::automatic);

  /// A plan for all further transfers of the same extents: they need two collective calls
  /// then, and go in two phases. The plan belongs to this object. @collective
  ExchangePlan plan(TransferDirection direction, const ExtentList& extents);
  void write(const ExchangePlan& plan, const OutBuffers& bytes);
  void read(const ExchangePlan& plan, const InBuffers& bytes);

  [[nodiscard]] const StripeLayout& layout() const { return layout_; }
  /// 0: none was needed yet.
  [[nodiscard]] std::size_t aggregators() const { return owners_ ? owners_->aggregators() : 0; }
  [[nodiscard]] const CollectiveStats& stats() const { return stats_; }
  /// What all ranks wanted in the last call without a plan.
  [[nodiscard]] const AccessSummary& wanted() const { return wanted_; }

 private:
  Method choose(TransferDirection direction, const AccessSummary& all, Method method);
  AccessSummary summarize_all(TransferDirection direction, const ExtentList& extents,
                              std::uint64_t buffer_size, const std::exception_ptr& failure);
  void find_owners();
  [[nodiscard]] std::uint64_t share() const;
  ExchangePlan* kept_plan(std::int64_t& distance);
  ExchangePlan& keep(ExchangePlan plan);
  void reserve(const ExchangePlan& plan);
  void transfer_in_two_phases(TransferDirection direction, const ExtentList& extents,
                              const OutBuffers& out, const InBuffers& in,
                              const std::exception_ptr& failure);
  void write_edges(const ExtentList& extents, const OutBuffers& bytes, std::exception_ptr failure);
  void read_once(const ExtentList& extents, const InBuffers& bytes, std::exception_ptr failure);
  /// The two phases of a plan for which there is memory, `distance` behind where it was made for.
  /// `failure`: of what this rank did besides. @collective
  void transfer(const ExchangePlan& plan, std::int64_t distance, const OutBuffers& out,
                const InBuffers& in, const std::exception_ptr& failure = {});
  /// The same, if there is. @collective
  void transfer_with_memory(const ExchangePlan& plan, std::uint64_t buffer_size,
                            const OutBuffers& out, const InBuffers& in);

  CommunicatorBackend& comm_;
  Transport& file_;
  StripeLayout layout_;
  CollectiveOptions options_;
  std::optional<OwnerMap> owners_;
  RoundBuffers buffers_;
  std::unique_ptr<NodeRelay> relay_;
  /// The n-th plan that was made to be kept is kept at n modulo kKeptPlans, if it is small enough.
  std::array<std::optional<ExchangePlan>, kKeptPlans> kept_;
  std::size_t plans_to_keep_ = 0;
  std::optional<ExchangePlan> unkept_;
  AccessSummary wanted_;  ///< by all ranks in the call under way
  CollectiveStats stats_;
};

}  // namespace onecast
