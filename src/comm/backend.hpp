#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/collective_calls.hpp"
#include "comm/header_reducer.hpp"
#include "comm/message_batch.hpp"
#include "comm/progress.hpp"
#include "comm/shared_memory.hpp"

namespace onecast::comm {

/// The few collective operations Onecast needs, over one process, MPI or messages of the user. All
/// are collective: every rank calls the same one with arguments that match. None throws Error for
/// another rank's sake; agreement on errors is comm/agreement.hpp.
class CommunicatorBackend : public HeaderReducer {
 public:
  /// One process that never has others beside it: no communicator was given.
  [[nodiscard]] virtual bool is_self() const { return false; }
  /// Throws Error (state) if the processes cannot meet any more. @independent
  virtual void require_running() const {}

  /// The same processes in the same order? @independent
  [[nodiscard]] virtual bool has_ranks_of(const CommunicatorBackend& other) const {
    return this == &other || (size() == 1 && other.size() == 1);
  }
  /// May `other` belong to another rank of this process, a thread? What that has open is to this
  /// rank as what another process has. @independent
  [[nodiscard]] virtual bool is_beside(const CommunicatorBackend& /*other*/) const { return false; }

  /// May a thread make these calls while the others make calls of their own elsewhere?
  [[nodiscard]] virtual bool allows_threads() const { return true; }
  /// What runs beside the caller. All files that are open on these ranks share it, so that the
  /// collective calls of a rank keep one order.
  [[nodiscard]] Progress& progress() { return progress_; }

  /// The calls of all files that are open on these ranks.
  [[nodiscard]] CollectiveCalls& calls() { return calls_; }

  std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) override;
  void wait_for(HeaderReduction& reduction, const AwaitedCall& call) override;

  /// `bytes` of `root` to everyone, in segments of at most kSegment bytes. Same size on all ranks.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;

  /// `head` and `tail` of `root` to everyone, together at most kSegment bytes: one message.
  virtual void broadcast_both(std::span<std::byte> head, std::span<std::byte> tail, int root) {
    broadcast(head, root);
    broadcast(tail, root);
  }

  /// Element-wise, in place; one message.
  virtual void all_reduce_min(std::span<std::uint64_t> values) = 0;
  virtual void all_reduce_max(std::span<std::uint64_t> values) = 0;

  /// Everyone's bytes, by rank; sizes may differ.
  virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) = 0;

  /// The same in one message, where all know that nobody has more than `largest` bytes, at most
  /// kMostPadded from all together: smaller ones are padded.
  virtual std::vector<std::vector<std::byte>> all_gather_padded(std::span<const std::byte> mine,
                                                                std::uint64_t /*largest*/) {
    return all_gather(mine);
  }
  static constexpr std::uint64_t kMostPadded = std::uint64_t{32} << 20U;

  /// `to[r]` to each rank r; what each rank had for this one, by rank. This one's own is left out.
  virtual std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) = 0;

  virtual void barrier() = 0;

  /// The ranks that gave the same number, 0 or more, in the order of their ranks.
  virtual std::unique_ptr<CommunicatorBackend> split(int /*group*/) {
    throw std::logic_error("split: not of these ranks");
  }

  /// `higher` = what the value of lower ranks and that of higher ranks make together. The ranks of
  /// the first are all below those of the second. Associative.
  using Combine = void (*)(const std::byte* lower, std::byte* higher);

  /// `value`, of the same small size on all ranks, becomes what all make together, in the order of
  /// the ranks; one message.
  virtual void all_combine(std::span<std::byte> value, Combine combine);

  /// The node (the memory that its ranks share) of each rank, numbered from 0 in the order of their
  /// lowest ranks. Found out in the first call; collective then.
  virtual const std::vector<int>& nodes();

  /// The ranks of this one's node, in their order; null where they cannot be reached apart from the
  /// others. Made in the first call; collective then, after nodes().
  virtual CommunicatorBackend* node() { return nullptr; }

  /// Memory that all ranks, which must be on one node, see: `size` bytes of each, which may differ.
  /// To be let go of by all at the same point. Null if there is no such thing. @collective
  virtual std::unique_ptr<SharedMemory> share_memory(std::size_t /*size*/) { return nullptr; }

  /// Messages between pairs of ranks: not collective.
  virtual std::unique_ptr<MessageBatch> messages();

  /// Collective calls made so far by this process.
  [[nodiscard]] std::uint64_t collectives() const { return collectives_; }
  /// Those made on what split() gave.
  void count_collectives(std::uint64_t more) { collectives_ += more; }
  /// Messages that this process sent to one rank each, and their bytes.
  [[nodiscard]] const MessageCounts& sent() const { return sent_; }

  static constexpr std::size_t kSegment = std::size_t{64} << 20U;

 protected:
  /// The numbers of nodes whose lowest rank is known for each rank.
  static std::vector<int> number_nodes(const std::vector<int>& lowest_ranks);

  std::uint64_t collectives_ = 0;
  MessageCounts sent_;
  std::vector<int> nodes_;  ///< empty until they are known

 private:
  Progress progress_;
  CollectiveCalls calls_{*this};
};

}  // namespace onecast::comm
