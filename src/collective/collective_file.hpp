#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>

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
  std::uint64_t plans = 0;        ///< of them, so many made a plan of exchange
  std::uint64_t buffer_peak = 0;  ///< bytes of memory, at most, for all transfers
  Choice last;                    ///< of the last call
};

/// One file, reached by all ranks of a communicator together.
///
/// Who owns which stripe is settled once, here, and does not change. Where ranks write the same
/// byte in one call, that of the highest rank stays. Extents of a rank ascend and do not overlap
/// (ExtentListBuilder sees to that).
class CollectiveFile {
 public:
  /// All outlive it. `layout` and `options` are the same on all ranks. @collective
  CollectiveFile(CommunicatorBackend& comm, Transport& file, const StripeLayout& layout,
                 const CollectiveOptions& options = {});

  /// The extents are taken from, or filled into, `bytes`, at the positions they name. What is read
  /// from behind the end of the file is zeros. Throws the Error of the lowest rank that failed, on
  /// all ranks. `failure`: why this rank cannot take part, if so. `method`: of this call, the same
  /// on all ranks; automatic: as the options say. @collective
  void write(const ExtentList& extents, std::span<const std::byte> bytes,
             std::exception_ptr failure = {}, Method method = Method::automatic);
  void read(const ExtentList& extents, std::span<std::byte> bytes, std::exception_ptr failure = {},
            Method method = Method::automatic);

  /// A plan for all further transfers of the same extents: they need two collective calls
  /// then, and go in two phases. The plan belongs to this object. @collective
  ExchangePlan plan(TransferDirection direction, const ExtentList& extents);
  void write(const ExchangePlan& plan, std::span<const std::byte> bytes);
  void read(const ExchangePlan& plan, std::span<std::byte> bytes);

  [[nodiscard]] const OwnerMap& owners() const { return owners_; }
  [[nodiscard]] const CollectiveStats& stats() const { return stats_; }
  /// What all ranks wanted in the last call without a plan.
  [[nodiscard]] const AccessSummary& wanted() const { return wanted_; }

 private:
  Choice choose(TransferDirection direction, const ExtentList& extents, std::size_t buffer_size,
                std::exception_ptr failure, Method method);
  [[nodiscard]] std::uint64_t share() const;
  void add_node_legs(ExchangePlan& plan);
  void reserve(const ExchangePlan& plan);
  void write_edges(const ExtentList& extents, std::span<const std::byte> bytes);
  void read_once(const ExtentList& extents, std::span<std::byte> bytes);
  /// The two phases of a plan. `failure`: of what this rank did besides. @collective
  void transfer(const ExchangePlan& plan, std::span<const std::byte> out, std::span<std::byte> in,
                const std::exception_ptr& failure = {});

  CommunicatorBackend& comm_;
  Transport& file_;
  StripeLayout layout_;
  CollectiveOptions options_;
  std::size_t nodes_;
  OwnerMap owners_;
  RoundBuffers buffers_;
  std::unique_ptr<NodeRelay> relay_;
  AccessSummary wanted_;  ///< by all ranks in the call under way
  CollectiveStats stats_;
};

}  // namespace onecast
