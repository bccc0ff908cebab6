#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "buffer.hpp"
#include "onecast/objects/pending.hpp"

/// A call that was begun, and the memory that it uses.
class PendingTransfer {
 public:
  /// begin(buffer), which returns its Pending.
  template <class Memory, class Begin>
  static std::unique_ptr<PendingTransfer> begin(nb::handle memory, Begin&& begin) {
    auto buffer = std::make_unique<Memory>(memory);
    auto made = std::make_unique<PendingTransfer>();
    {
      const CoreCall call;
      made->call_ = std::forward<Begin>(begin)(buffer->bytes());
    }
    made->memory_ = std::move(buffer);
    return made;
  }
  PendingTransfer() = default;  ///< of nothing
  explicit PendingTransfer(onecast::Pending call) : call_(std::move(call)) {}
  PendingTransfer(const PendingTransfer&) = delete;
  PendingTransfer& operator=(const PendingTransfer&) = delete;
  /// The memory goes when nothing uses it any more.
  ~PendingTransfer() {
    const nb::gil_scoped_release released;
    call_ = {};
  }

  void wait() {
    CallFromCore::refuse_core();
    {
      const nb::gil_scoped_release released;
      const std::scoped_lock lock(mutex_);
      call_.wait();
    }
    memory_.reset();
  }
  [[nodiscard]] bool is_done() {
    const nb::gil_scoped_release released;
    const std::scoped_lock lock(mutex_);
    return call_.is_done();
  }

 private:
  std::mutex mutex_;  ///< waited for without the GIL
  std::unique_ptr<Buffer> memory_;
  onecast::Pending call_;
};
