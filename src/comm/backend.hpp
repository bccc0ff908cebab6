#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/device_api.hpp"
#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "comm/collective_calls.hpp"
#include "comm/header_reducer.hpp"
#include "comm/message_batch.hpp"
#include "comm/node/shared_memory.hpp"
#include "comm/progress.hpp"

namespace onecast::comm {

class NodeChannel;

/// The first rank of a node, which makes memory for the others.
struct NodeLeader {
  int rank = 0;
  int ranks = 1;             ///< those of the node
  std::int32_t process = 0;  ///< its process, as the others of its node know it
  std::uint64_t number = 0;  ///< a random number; 0: there is none
};

/// The few collective operations that Onecast needs, over one process, MPI or messages of the user.
/// All are collective: every rank makes the same call with matching arguments. None throws because
/// another rank failed; comm/agreement.hpp has agreement on errors.
class CommunicatorBackend : public HeaderReducer {
 public:
  CommunicatorBackend();
  ~CommunicatorBackend() override;

  /// True for one process without a communicator, which never has other ranks.
  [[nodiscard]] virtual bool is_self() const { return false; }
  /// Throws Error (state) if the ranks cannot communicate any more. @independent
  virtual void require_running() const {}

  /// True if `other` has the same processes in the same order. @independent
  [[nodiscard]] virtual bool has_ranks_of(const CommunicatorBackend& other) const {
    return this == &other || (size() == 1 && other.size() == 1);
  }
  /// True if `other` may belong to another rank in this process, a thread. Its open files then
  /// count as those of another process. @independent
  [[nodiscard]] virtual bool is_beside(const CommunicatorBackend& /*other*/) const { return false; }

  /// True if one thread may make these calls while other threads make calls elsewhere.
  [[nodiscard]] virtual bool allows_threads() const { return true; }
  /// The work that runs beside the caller. All files that are open on these ranks share it, so that
  /// the collective calls of a rank have one order.
  [[nodiscard]] Progress& progress() { return progress_; }

  /// The collective calls of all files that are open on these ranks.
  [[nodiscard]] CollectiveCalls& calls() { return calls_; }
  [[nodiscard]] const CollectiveCalls& calls() const { return calls_; }

  std::unique_ptr<HeaderReduction> begin_header(const CallHeader& mine) override;
  void wait_for(HeaderReduction& reduction, const AwaitedCall& call) override;

  /// Broadcasts `bytes` of `root` in segments of at most kSegment bytes. All ranks pass the same
  /// size.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;

  /// Broadcasts `head` and `tail` of `root`, together at most kSegment bytes, in one message.
  virtual void broadcast_both(std::span<std::byte> head, std::span<std::byte> tail, int root) {
    broadcast(head, root);
    broadcast(tail, root);
  }

  /// Reduces element by element, in place; one message.
  virtual void all_reduce_min(std::span<std::uint64_t> values) = 0;
  virtual void all_reduce_max(std::span<std::uint64_t> values) = 0;

  /// Gathers the bytes of all ranks, by rank; sizes may differ.
  virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) = 0;

  /// Gathers in one message, padded to `largest` bytes. All ranks must know that no rank has more,
  /// and that all together have at most kMostPadded bytes.
  virtual std::vector<std::vector<std::byte>> all_gather_padded(std::span<const std::byte> mine,
                                                                std::uint64_t /*largest*/) {
    return all_gather(mine);
  }
  static constexpr std::uint64_t kMostPadded = std::uint64_t{32} << 20U;

  /// Sends `to[r]` to each rank r. Returns what each rank sent to this one, by rank, without its
  /// own.
  virtual std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& to) = 0;

  virtual void barrier() = 0;

  /// The ranks that pass the same number, 0 or more, in rank order.
  virtual std::unique_ptr<CommunicatorBackend> split(int /*group*/) {
    throw std::logic_error("split: not of these ranks");
  }

  /// Sets `higher` to the combination of the value of lower ranks and that of higher ranks; all
  /// ranks of the first are below those of the second. Must be associative.
  using Combine = void (*)(const std::byte* lower, std::byte* higher);

  /// Combines `value` of all ranks in rank order; it has one small size on all ranks. One message.
  virtual void all_combine(std::span<std::byte> value, Combine combine);

  /// The node (whose ranks share memory) of each rank, numbered from 0 in the order of their lowest
  /// ranks. The first call finds it out and is collective.
  virtual const std::vector<int>& nodes();

  /// True if nodes() has been called, on all ranks.
  [[nodiscard]] bool knows_nodes() const { return !nodes_.empty(); }

  /// The first rank of this rank's node; must come after nodes(). @independent
  [[nodiscard]] const NodeLeader& node_leader() const { return leader_; }

  /// Notes that the ranks are on several nodes, as all of them know: nodes() need not find it out.
  /// Where it costs no further call, the next broadcast of rank 0 brings nodes(), too.
  void be_on_several_nodes() { several_nodes_ = true; }
  [[nodiscard]] bool is_on_several_nodes() const { return several_nodes_; }

  /// A number that is equal on all ranks of a node; ranks of other nodes may have it, too. Nothing
  /// if ranks share no memory. @independent
  [[nodiscard]] virtual std::optional<std::uint64_t> node_hint() const { return {}; }

  /// The ranks of this rank's node, in rank order; null if they share no memory by share_memory().
  /// The first call creates it and is collective; it must come after nodes().
  virtual CommunicatorBackend* node() { return nullptr; }

  /// The ranks of this rank's node, and the first rank of each node (null on other ranks): bytes
  /// reach all ranks through the second and the first. The first call creates them and is
  /// collective; it must come after nodes().
  CommunicatorBackend& ranks_of_node();
  CommunicatorBackend* leaders();

  /// The memory through which large data of rank 0 reaches all ranks (comm/node/node_channel.hpp);
  /// null until want_channel() has made it.
  [[nodiscard]] NodeChannel* channel() const { return channel_.get(); }
  /// Makes channel() if data of `bytes` is worth it, with `most` bytes at most, or a larger one.
  /// Returns null, on all ranks, if there is none. @collective
  NodeChannel* want_channel(std::uint64_t bytes, std::uint64_t most);

  /// Memory that all ranks see, which must be on one node: `size` bytes of each, which may differ.
  /// All ranks must release it at the same point. Null if there is no such memory. @collective
  virtual std::unique_ptr<SharedMemory> share_memory(std::size_t /*size*/) { return nullptr; }

  /// Messages between pairs of ranks; not collective.
  virtual std::unique_ptr<MessageBatch> messages();
  /// True if messages can be sent from memory of such a device. @independent
  [[nodiscard]] virtual bool sends_from(DeviceApi /*device*/) const { return false; }

  /// The number of collective calls of this process so far.
  [[nodiscard]] std::uint64_t collectives() const { return collectives_; }
  /// Adds the calls made on a communicator from split().
  void count_collectives(std::uint64_t more) { collectives_ += more; }
  /// Does the steps of one call, among the ranks of this rank's node and, unless it is null, among
  /// the first ranks of all nodes, and counts them.
  template <class Steps>
  void count_steps(const CommunicatorBackend& node, const CommunicatorBackend* leaders,
                   Steps&& steps) {
    const auto made = [&] {
      return node.collectives() + (leaders != nullptr ? leaders->collectives() : 0);
    };
    const std::uint64_t before = made();
    std::forward<Steps>(steps)();
    collectives_ += calls_of_steps(made() - before);
  }
  /// The number and bytes of messages that this process sent to single ranks.
  [[nodiscard]] const MessageCounts& sent() const { return sent_; }

  static constexpr std::size_t kSegment = std::size_t{64} << 20U;

 protected:
  /// The ranks with the number of this rank among `group_of`, which is equal on all ranks. Ranks
  /// with a negative number may get null. @collective
  virtual std::unique_ptr<CommunicatorBackend> split_known(const std::vector<int>& group_of) {
    const int mine = group_of[static_cast<std::size_t>(rank())];
    return split(mine < 0 ? size() : mine);
  }
  /// The number of calls that such steps of one call count as.
  [[nodiscard]] virtual std::uint64_t calls_of_steps(std::uint64_t steps) const { return steps; }
  /// Sets nodes() and node_leader(); `process` and `number` are those of the leader.
  void set_nodes(std::vector<int> nodes);
  void set_leader(std::int32_t process, std::uint64_t number) {
    leader_.process = process;
    leader_.number = number;
  }

  /// Numbers the nodes, from the lowest rank on the node of each rank.
  static std::vector<int> number_nodes(const std::vector<int>& lowest_ranks);

  std::uint64_t collectives_ = 0;
  MessageCounts sent_;
  std::vector<int> nodes_;  ///< empty until they are known

 private:
  NodeLeader leader_;
  bool several_nodes_ = false;
  std::unique_ptr<NodeChannel> channel_;
  bool can_have_channel_ = true;  ///< no rank was refused shared memory
  std::unique_ptr<CommunicatorBackend> ranks_of_node_;
  std::unique_ptr<CommunicatorBackend> leaders_;  ///< on other ranks: the others, or null
  bool has_leaders_ = false;
  Progress progress_;
  CollectiveCalls calls_{*this};
};

}  // namespace onecast::comm
