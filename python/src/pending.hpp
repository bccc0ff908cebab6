#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "element_form.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/pending.hpp"
#include "own_mutex.hpp"

/// Returns the failure of a rank whose arguments do not let it take part; `why` is Python's text.
inline std::exception_ptr failure_of(const std::string& why) {
  return std::make_exception_ptr(onecast::Error(onecast::ErrorCode::invalid_argument, why));
}

/// A pending call and the memory that it uses.
class PendingTransfer {
 public:
  using Memory = std::vector<std::unique_ptr<Buffer>>;

  /// Begins a call; begin() returns its Pending.
  template <class Begin>
  static std::unique_ptr<PendingTransfer> begin(Memory memory, Begin&& begin) {
    auto made = std::make_unique<PendingTransfer>();
    made->memory_ = std::move(memory);
    const CoreCall call;
    made->call_ = std::forward<Begin>(begin)();
    return made;
  }
  /// Begins a call that uses one buffer; begin(bytes, request) returns its Pending.
  template <class OneBuffer, class Begin>
  static std::unique_ptr<PendingTransfer> begin(nb::handle source, const onecast::Selection& part,
                                                nb::handle form,
                                                std::optional<onecast::Sharing> sharing,
                                                Begin&& begin) {
    auto buffer = std::make_unique<OneBuffer>(source);
    const auto bytes = buffer->bytes();
    const onecast::TransferRequest request = request_of(*buffer, part, form, sharing);
    Memory memory;
    memory.push_back(std::move(buffer));
    return PendingTransfer::begin(std::move(memory), [&] { return begin(bytes, request); });
  }
  PendingTransfer() = default;  ///< without a call
  explicit PendingTransfer(onecast::Pending call) : call_(std::move(call)) {}
  PendingTransfer(const PendingTransfer&) = delete;
  PendingTransfer& operator=(const PendingTransfer&) = delete;
  /// Waits, so that the memory is freed when nothing uses it any more.
  ~PendingTransfer() {
    const ReleasedGil released;
    call_ = {};
  }

  void wait() {
    CallFromCore::refuse_core();
    const Afterwards afterwards;
    {
      const ReleasedGil released;
      const std::scoped_lock lock(mutex_);
      call_.wait();
    }
    memory_.clear();
  }
  [[nodiscard]] bool is_done() {
    const ReleasedGil released;
    const std::scoped_lock lock(mutex_);
    return call_.is_done();
  }

 private:
  OwnMutex mutex_;  ///< waited for without the GIL
  Memory memory_;
  onecast::Pending call_;
};
