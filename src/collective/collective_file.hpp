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

/// What collective calls have done so far, on this rank.
struct CollectiveStats : ExchangeStats {
  std::uint64_t calls = 0;
  Choice last;  ///< of the last call
};

/// One file, reached by all ranks of a communicator together.
///
/// Where ranks write the same byte in one call, that of the highest rank stays. Extents of a rank
/// ascend and do not overlap (ExtentListBuilder sees to that).
class CollectiveFile {
 public:
  /// All outlive it. `layout` and `options` are the same on all ranks.
  CollectiveFile(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
                 const CollectiveOptions& options = {});

  /// What this rank tells the others about a transfer of these extents, before it.
  [[nodiscard]] AccessSummary summary(TransferDirection direction, const ExtentList& extents) const;

  /// What a plan says of extents. They are taken from, or filled into, `bytes`, at the positions
  /// they name. What is read from behind the end of the file is zeros. None of the ranks, of whose
  /// summaries the plan was made, had failed. Throws the Error of the lowest rank that failed, on
  /// all ranks. `failure`: of what this rank did besides. @collective
  void write(const TransferPlan& plan, const ExtentList& extents, const OutBuffers& bytes,
             const std::exception_ptr& failure = {});
  void read(const TransferPlan& plan, const ExtentList& extents, const InBuffers& bytes,
            const std::exception_ptr& failure = {});

  /// Write and read extents by a plan that follows from all ranks' summaries, which one reduction
  /// combines. `failure`: why this rank cannot take part, if so. `method`: what is asked for, equal
  /// on all ranks; automatic: as the options say. @collective
  void write(const ExtentList& extents, const OutBuffers& bytes,
             const std::exception_ptr& failure = {}, Method method = Method::automatic);
  void read(const ExtentList& extents, const InBuffers& bytes,
            const std::exception_ptr& failure = {}, Method method = Method::automatic);

  /// A plan of exchange for all further transfers of the same extents: they need two collective
  /// calls then, and go in two phases. The plan belongs to this object. @collective
  ExchangePlan plan(TransferDirection direction, const ExtentList& extents);
  void write(const ExchangePlan& plan, const OutBuffers& bytes);
  void read(const ExchangePlan& plan, const InBuffers& bytes);

  [[nodiscard]] const StripeLayout& layout() const { return exchanges_.layout(); }
  /// 0: none was needed yet.
  [[nodiscard]] std::size_t aggregators() const { return exchanges_.aggregators(); }
  [[nodiscard]] CollectiveStats stats() const;
  /// That of the last call without a plan of exchange.
  [[nodiscard]] const TransferPlan& last_plan() const { return last_; }

 private:
  /// One reduction.
  TransferPlan plan_together(TransferDirection direction, const ExtentList& extents,
                             std::uint64_t buffer_size, const std::exception_ptr& failure,
                             Method method);
  void begin(const TransferPlan& plan);
  /// Writes or reads by a plan of exchange, if there is memory for it. @collective
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
