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

/// What a handle leads to. The way there waits for the calls that are pending (see Pending): they
/// may change it, and only one thread at a time may.
template <class T>
class Settled {
 public:
  /// @param opening by way of which it is reached, if `to` keeps one alive
  // NOLINTNEXTLINE(google-explicit-constructor): it is that pointer, and a way to follow it
  Settled(std::shared_ptr<T> to, FileOpening* opening = nullptr)
      : to_(std::move(to)), opening_(opening) {}

  T* operator->() const { return &**this; }
  T& operator*() const {
    settle(*to_);
    if (opening_ != nullptr) require_usable(*opening_);
    return *to_;
  }
  /// Also after the opening was closed.
  T& even_closed() const {
    settle(*to_);
    return *to_;
  }
  /// Without waiting: for what no call changes.
  [[nodiscard]] const std::shared_ptr<T>& now() const { return to_; }
  [[nodiscard]] FileOpening* opening() const { return opening_; }

 private:
  std::shared_ptr<T> to_;
  FileOpening* opening_;
};

}  // namespace onecast
