#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// What went from this process to others, one by one.
struct MessageCounts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// Messages under way between pairs of ranks. Those of a pair arrive in the order they were sent
/// in, whatever their batch. The bytes stay where they are until wait() returns.
class MessageBatch {
 public:
  MessageBatch() = default;
  MessageBatch(const MessageBatch&) = delete;
  MessageBatch& operator=(const MessageBatch&) = delete;
  /// Waits.
  virtual ~MessageBatch() = default;

  /// Both return at once. The other side names the same size. Never to or from oneself.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;

  /// Until all have arrived, and all that were sent can be forgotten. The batch is empty then.
  virtual void wait() = 0;
};

}  // namespace onecast::comm
