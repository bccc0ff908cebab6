#pragma once

#include <memory>
#include <utility>

namespace onecast {

class FileState;
class Node;

/// For Onecast's own layers: return once no call of the file is pending, or on the thread that
/// carries them out.
void settle(const Node& node);
void settle(const FileState& file);

/// What a handle leads to. The way there waits for the calls that are pending (see Pending): they
/// may change it, and only one thread at a time may.
template <class T>
class Settled {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): it is that pointer, and a way to follow it
  Settled(std::shared_ptr<T> to) : to_(std::move(to)) {}

  T* operator->() const {
    settle(*to_);
    return to_.get();
  }
  T& operator*() const { return *operator->(); }
  /// Without waiting: for what no call changes.
  [[nodiscard]] const std::shared_ptr<T>& now() const { return to_; }

 private:
  std::shared_ptr<T> to_;
};

}  // namespace onecast
