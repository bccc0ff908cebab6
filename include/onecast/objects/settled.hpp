#pragma once

#include <memory>
#include <utility>

namespace onecast {

class FileOpening;
class FileState;
class Node;

/// For Onecast's own layers: return once no call of the file is pending, or on the thread that
/// carries them out.
void settle(const Node& node);
void settle(const FileState& file);
/// Throws Error (state) if it was closed, while the file is still open by way of another.
void require_usable(const FileOpening& opening);
/// Throws Error (state): the handle leads to nothing.
[[noreturn]] void fail_empty();

/// What a handle leads to; of an empty one nothing, and to go there throws Error (state). The way
/// there waits for the calls that are pending (see Pending): they may change it, and only one
/// thread at a time may.
template <class T>
class Settled {
 public:
  Settled() = default;
  /// @param opening by way of which it is reached, if `to` keeps one alive
  // NOLINTNEXTLINE(google-explicit-constructor): it is that pointer, and a way to follow it
  Settled(std::shared_ptr<T> to, FileOpening* opening = nullptr)
      : to_(std::move(to)), opening_(opening) {}

  [[nodiscard]] bool is_empty() const { return to_ == nullptr; }
  T* operator->() const { return &**this; }
  T& operator*() const {
    settle(*now());
    if (opening_ != nullptr) require_usable(*opening_);
    return *to_;
  }
  /// Also after the opening was closed.
  T& even_closed() const {
    settle(*now());
    return *to_;
  }
  /// Without waiting: for what no call changes.
  [[nodiscard]] const std::shared_ptr<T>& now() const {
    if (is_empty()) fail_empty();
    return to_;
  }
  [[nodiscard]] FileOpening* opening() const {
    if (is_empty()) fail_empty();
    return opening_;
  }

 private:
  std::shared_ptr<T> to_;
  FileOpening* opening_ = nullptr;
};

}  // namespace onecast
