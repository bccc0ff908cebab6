#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// Outgoing messages, and the memory in which they are packed. When that is full, it waits until
/// all messages have been sent.
class MessagePool {
 public:
  MessagePool(CommunicatorBackend& comm, std::span<std::byte> memory)
      : batch_(comm.messages()), memory_(memory) {}

  /// Room for a message, which must be sent by send() before the next room is requested.
  std::span<std::byte> room(std::size_t size) {
    if (size > memory_.size() - used_) {
      batch_->wait();
      used_ = 0;
    }
    used_ += size;
    return memory_.subspan(used_ - size, size);
  }
  /// Sends from the memory of the pool, or from any memory that is unchanged until wait().
  void send(int to, std::span<const std::byte> bytes) { batch_->send(to, bytes); }
  void wait() {
    batch_->wait();
    used_ = 0;
  }

 private:
  std::unique_ptr<MessageBatch> batch_;
  std::span<std::byte> memory_;
  std::size_t used_ = 0;
};

}  // namespace onecast::collective
