#pragma once

#include <cstdint>
#include <exception>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/exchanges.hpp"
#include "collective/transfer_plan.hpp"
#include "comm/backend.hpp"
#include "transport/transport.hpp"

namespace onecast::collective {

struct CollectiveOptions : ExchangeOptions {
  Method method = Method::automatic;
};

/// Counts of what collective calls have done so far, on this rank.
struct CollectiveStats : ExchangeStats {
  std::uint64_t calls = 0;
  Choice last;  ///< of the last call
};

/// One file, which all ranks of a communicator access together.
///
/// Where ranks write the same byte in one call, the byte of the highest rank stays. The extents of
/// a rank ascend and do not overlap (ExtentListBuilder makes sure of that).
class CollectiveFile {
 public:
  /// All arguments must outlive it. `layout` and `options` are equal on all ranks.
  CollectiveFile(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
                 const CollectiveOptions& options = {});

  /// The summary that this rank contributes before a transfer of these extents.
  [[nodiscard]] AccessSummary summary(TransferDirection direction, const ExtentList& extents) const;

  /// Transfers extents as a plan says, from or to the positions in `bytes` that they name. Bytes
  /// beyond the end of the file are read as zeros. No rank whose summary is in the plan may have
  /// failed. Throws the Error of the lowest rank that failed, on all ranks. `failure` is an error
  /// of this rank in other work. @collective
  void write(const TransferPlan& plan, const ExtentList& extents, const OutBuffers& bytes,
             const std::exception_ptr& failure = {});
  void read(const TransferPlan& plan, const ExtentList& extents, const InBuffers& bytes,
            const std::exception_ptr& failure = {});

  /// Transfers extents by a plan that follows from the summaries of all ranks, combined in one
  /// reduction. `failure`: why this rank cannot take part, if it cannot. `method`: the requested
  /// method, equal on all ranks; automatic: as the options say. @collective
  void write(const ExtentList& extents, const OutBuffers& bytes,
             const std::exception_ptr& failure = {}, Method method = Method::automatic);
  void read(const ExtentList& extents, const InBuffers& bytes,
            const std::exception_ptr& failure = {}, Method method = Method::automatic);

  /// Makes a plan of exchange for later transfers of the same extents, which then need two
  /// collective calls and go in two phases. The plan is valid only for this object. @collective
  ExchangePlan plan(TransferDirection direction, const ExtentList& extents);
  void write(const ExchangePlan& plan, const OutBuffers& bytes);
  void read(const ExchangePlan& plan, const InBuffers& bytes);

  [[nodiscard]] const StripeLayout& layout() const { return exchanges_.layout(); }
  /// 0: none was needed yet.
  [[nodiscard]] std::size_t aggregators() const { return exchanges_.aggregators(); }
  [[nodiscard]] CollectiveStats stats() const;
  /// The plan of the last call without a plan of exchange.
  [[nodiscard]] const TransferPlan& last_plan() const { return last_; }

 private:
  /// Makes a plan with one reduction.
  TransferPlan plan_together(TransferDirection direction, const ExtentList& extents,
                             std::uint64_t buffer_size, const std::exception_ptr& failure,
                             Method method);
  void begin(const TransferPlan& plan);
  /// Transfers by a plan of exchange; all ranks agree first that there is memory. @collective
  void transfer(const ExchangePlan& plan, std::uint64_t buffer_size, const OutBuffers& out,
                const InBuffers& in);

  CommunicatorBackend& comm_;
  Transport& file_;
  Method method_;
  Exchanges exchanges_;
  TransferPlan last_;
  std::uint64_t calls_ = 0;
};

}  // namespace onecast::collective
