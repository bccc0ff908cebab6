#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/message_batch.hpp"
#include "comm/user_messages.hpp"

namespace onecast::comm {

/// What some ranks do together by messages between two of them: binomial trees in rank order. All
/// of these ranks must make equal calls in one order.
class UserTree {
 public:
  using Bytes = std::vector<std::byte>;

  /// `rank_of`: the rank, among all, of each of these ranks. `rank`: this one among these.
  UserTree(std::shared_ptr<UserMessages> messages, std::vector<int> rank_of, int rank)
      : messages_(std::move(messages)), rank_of_(std::move(rank_of)), rank_(rank) {}

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(rank_of_.size()); }
  [[nodiscard]] const std::vector<int>& rank_of() const { return rank_of_; }
  [[nodiscard]] const std::shared_ptr<UserMessages>& messages() const { return messages_; }

  /// Gives the bytes of the root to all ranks.
  void spread(std::span<std::byte> bytes, int root);
  /// Calls combine(lower, higher) for adjacent ranges of ranks, which adds the lower to the higher;
  /// all ranks get the result.
  template <class F>
  void reduce(std::span<std::byte> value, F&& combine) {
    Bytes theirs(value.size());
    for (int step = 1; step < size(); step *= 2) {
      if ((rank_ & step) != 0) {
        send(rank_ - step, value);
        break;
      }
      if (rank_ + step >= size()) continue;
      receive(rank_ + step, theirs);
      combine(std::span<const std::byte>(value), std::span(theirs));
      std::copy(theirs.begin(), theirs.end(), value.begin());
    }
    spread(value, 0);
  }
  std::vector<Bytes> all_gather(std::span<const std::byte> mine);
  /// Sends a message to each rank, and returns those of all ranks for this one. `batch` has no
  /// other messages.
  std::vector<Bytes> exchange(const std::vector<Bytes>& to, MessageBatch& batch);
  /// Returns the values of all ranks on rank 0; on other ranks, a part of them.
  template <class Value>
  std::vector<Value> gather_values(const Value& mine) {
    std::vector<Value> below{mine};  // of this rank and the ranks below it in the tree
    for (int step = 1; step < size(); step *= 2) {
      if ((rank_ & step) != 0) {
        send(rank_ - step, std::as_bytes(std::span(below)));
        break;
      }
      const int next = rank_ + step;
      if (next >= size()) continue;
      const std::size_t known = below.size();
      below.resize(known + static_cast<std::size_t>(std::min(step, size() - next)));
      receive(next, std::as_writable_bytes(std::span(below).subspan(known)));
    }
    return below;
  }

 private:
  void send(int to, std::span<const std::byte> bytes) {
    messages_->send(in_whole(to), UserMessages::Kind::collective, bytes);
  }
  void receive(int from, std::span<std::byte> bytes) {
    messages_->receive(in_whole(from), UserMessages::Kind::collective, bytes);
  }
  [[nodiscard]] int in_whole(int rank) const { return rank_of_[static_cast<std::size_t>(rank)]; }
  std::vector<std::uint64_t> exchange_sizes(const std::vector<Bytes>& to);

  std::shared_ptr<UserMessages> messages_;
  std::vector<int> rank_of_;
  int rank_;
};

}  // namespace onecast::comm
