#pragma once

#include <memory>
#include <utility>

#include "onecast/base/error.hpp"

namespace onecast {

namespace files {
class FileOpening;
class FileState;
}  // namespace files
namespace nodes {
class Node;
}

/// Only Onecast's own layers use these names.
namespace detail {

/// Waits until no call of the file is pending; returns at once on the
/// thread that carries out the calls. Throws Error (state) if `opening` is given and was closed,
/// even if the file is still open through another opening.
void wait_until_idle(const nodes::Node& node, const files::FileOpening* opening = nullptr);
void wait_until_idle(const files::FileState& file, const files::FileOpening* opening = nullptr);
[[noreturn]] inline void fail_empty() {
  throw Error(ErrorCode::state,
              "an empty handle: nothing was assigned to it, or it was moved from");
}

/// The target of a handle; an empty handle has none, and access to it throws Error (state). Access
/// waits for the pending calls of the file (see Pending), because they may change the target and
/// only one thread at a time may use it.
template <class T>
class WaitingPointer {
 public:
  WaitingPointer() = default;
  /// @param opening the opening through which `to` is reached, kept alive by `to`
  // NOLINTNEXTLINE(google-explicit-constructor): a WaitingPointer is a pointer that waits
  WaitingPointer(std::shared_ptr<T> to, files::FileOpening* opening = nullptr)
      : to_(std::move(to)), opening_(opening) {}

  [[nodiscard]] bool is_empty() const { return to_ == nullptr; }
  T* operator->() const { return &**this; }
  T& operator*() const {
    wait_until_idle(*now(), opening_);
    return *to_;
  }
  /// Accesses the target, also after the opening was closed.
  T& even_closed() const {
    wait_until_idle(*now());
    return *to_;
  }
  /// Accesses the target without waiting, for properties that no call changes.
  [[nodiscard]] const std::shared_ptr<T>& now() const {
    if (is_empty()) fail_empty();
    return to_;
  }
  [[nodiscard]] files::FileOpening* opening() const {
    if (is_empty()) fail_empty();
    return opening_;
  }

 private:
  std::shared_ptr<T> to_;
  files::FileOpening* opening_ = nullptr;
};

}  // namespace detail
}  // namespace onecast
