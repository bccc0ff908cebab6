#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// Messages on their way out, and the memory they are packed in; when that is full, all must have
/// arrived before it is used again.
class MessagePool {
 public:
  MessagePool(CommunicatorBackend& comm, std::span<std::byte> memory)
      : batch_(comm.messages()), memory_(memory) {}

  /// Room for a message, to be sent by send() before the next is asked for.
  std::span<std::byte> room(std::size_t size) {
    if (size > memory_.size() - used_) {
      batch_->wait();
      used_ = 0;
    }
    used_ += size;
    return memory_.subspan(used_ - size, size);
  }
  /// From the memory of the pool, or from any that stays as it is until wait().
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
