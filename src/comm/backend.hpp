#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace onecast {

/// The few collective operations Onecast needs, over one process or MPI. All are collective: every
/// rank calls the same one with arguments that match. None throws Error for another rank's sake;
/// agreement on errors is comm/agreement.hpp.
class CommunicatorBackend {
 public:
  CommunicatorBackend() = default;
  CommunicatorBackend(const CommunicatorBackend&) = delete;
  CommunicatorBackend& operator=(const CommunicatorBackend&) = delete;
  virtual ~CommunicatorBackend() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// One process that never has others beside it: no communicator was given.
  [[nodiscard]] virtual bool is_self() const { return false; }

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

  /// Collective calls made so far by this process.
  [[nodiscard]] std::uint64_t collectives() const { return collectives_; }
  /// Those made on what split() gave.
  void count_collectives(std::uint64_t more) { collectives_ += more; }

  static constexpr std::size_t kSegment = std::size_t{64} << 20U;

 protected:
  std::uint64_t collectives_ = 0;
};

}  // namespace onecast
