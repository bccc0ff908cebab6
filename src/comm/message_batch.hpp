#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// The number and bytes of messages that this process sent to single ranks.
struct MessageCounts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// Messages between pairs of ranks. Those of a pair arrive in the order in which they were sent, in
/// any batch. Their memory must stay valid until wait() returns.
class MessageBatch {
 public:
  MessageBatch() = default;
  MessageBatch(const MessageBatch&) = delete;
  MessageBatch& operator=(const MessageBatch&) = delete;
  /// Waits for all messages.
  virtual ~MessageBatch() = default;

  /// Both return at once. The other rank must pass the same size, and must not be this rank.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;

  /// Waits until all messages were received, and the sent memory can be reused. Then the batch is
  /// empty.
  virtual void wait() = 0;
};

}  // namespace onecast::comm
