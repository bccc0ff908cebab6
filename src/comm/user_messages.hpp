#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/message_batch.hpp"
#include "onecast/comm/point_to_point.hpp"

namespace onecast::comm {

/// Messages of this rank through the functions of a user. Their exceptions become Error (io);
/// afterwards no function is called any more.
class UserMessages {
 public:
  explicit UserMessages(std::shared_ptr<PointToPoint> functions);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const PointToPoint& functions() const { return *functions_; }
  [[nodiscard]] bool is_broken() const { return !broken_.empty(); }
  /// Throws Error (state) if a function has thrown before.
  void require_whole() const;

  /// The kind of a message; only messages of one kind match.
  enum class Kind : std::uint8_t {
    collective,  ///< operations that all ranks make in one order
    header,      ///< likewise, but a rank that leaves a file does not wait for headers of others
    batch,       ///< see want()
  };
  void send(int to, Kind kind, std::span<const std::byte> bytes);
  void receive(int from, Kind kind, std::span<std::byte> bytes);
  /// The number of this rank's node.
  [[nodiscard]] std::uint64_t node();

  /// A message that a batch will receive.
  struct Wanted {
    std::span<std::byte> bytes;
    bool is_there = false;
  };
  /// Messages are received in the order in which they were requested, in any batch.
  std::shared_ptr<Wanted> want(int from, std::span<std::byte> bytes);
  void wait_for(int from, const Wanted& wanted);

 private:
  /// Calls a function, which `describe` names in the text of its error.
  template <class F, class Description>
  void call(F&& function, Description&& describe);

  std::shared_ptr<PointToPoint> functions_;
  int rank_;
  int size_;
  std::string broken_;  ///< why no function is called any more; empty if they are
  std::map<int, std::deque<std::shared_ptr<Wanted>>> wanted_;  ///< by the sending rank
};

/// Messages between the ranks of a part; `rank_of` gives their ranks in the whole. It, `messages`
/// and `sent`, which counts them, must outlive the batch.
std::unique_ptr<MessageBatch> user_batch(UserMessages& messages, const std::vector<int>& rank_of,
                                         MessageCounts& sent);

}  // namespace onecast::comm
