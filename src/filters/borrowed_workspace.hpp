#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "filters/workspace.hpp"

namespace onecast::filters {

/// Lends the workspace of this thread for one chunk; a new one if that is in use, because a
/// registered filter reads a file itself.
class BorrowedWorkspace {
 public:
  BorrowedWorkspace() {
    if (in_use()) own_ = std::make_unique<Workspace>();
    in_use() = true;
  }
  BorrowedWorkspace(const BorrowedWorkspace&) = delete;
  BorrowedWorkspace& operator=(const BorrowedWorkspace&) = delete;
  ~BorrowedWorkspace() {
    if (own_) return;
    in_use() = false;
    Workspace::mine().trim();
  }
  Workspace& operator*() { return own_ ? *own_ : Workspace::mine(); }

 private:
  static bool& in_use() {
    static thread_local bool now = false;
    return now;
  }

  std::unique_ptr<Workspace> own_;
};

}  // namespace onecast::filters
