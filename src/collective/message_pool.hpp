#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// The outgoing messages of this round and of the last one, and the memory in which they are
/// packed. When that is full, it waits until all messages have been sent.
class MessagePool {
 public:
  MessagePool(CommunicatorBackend& comm, std::span<std::byte> memory)
      : batch_(comm.messages()), last_(comm.messages()), memory_(memory) {}

  void begin_round() {
    last_->wait();
    std::swap(last_, batch_);
  }
  void wait_for_last_round() { last_->wait(); }

  /// Room for a message, which must be sent by send() before the next room is requested.
  std::span<std::byte> room(std::size_t size) {
    if (size > memory_.size() - used_) wait();
    used_ += size;
    return memory_.subspan(used_ - size, size);
  }
  /// Sends from the memory of the pool, or from any memory that is unchanged until wait().
  void send(int to, std::span<const std::byte> bytes) { batch_->send(to, bytes); }
  void wait() {
    last_->wait();
    batch_->wait();
    used_ = 0;
  }

 private:
  std::unique_ptr<MessageBatch> batch_;  ///< of this round
  std::unique_ptr<MessageBatch> last_;
  std::span<std::byte> memory_;
  std::size_t used_ = 0;
};

}  // namespace onecast::collective
