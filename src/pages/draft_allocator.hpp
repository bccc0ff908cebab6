#pragma once

#include <utility>

#include "base/namespaces.hpp"
#include "pages/page_allocator.hpp"

namespace onecast::pages {

/// A draft of allocations, which may fail. Unless it is adopted, the allocator gives the same
/// addresses again, and notes that something may have been written to them.
class DraftAllocator {
 public:
  explicit DraftAllocator(PageAllocator& allocator)
      : allocator_(allocator), before_(allocator.mark()) {}
  DraftAllocator(const DraftAllocator&) = delete;
  DraftAllocator& operator=(const DraftAllocator&) = delete;
  ~DraftAllocator() {
    if (!adopted_) allocator_.undo(std::move(before_));
  }

  PageAllocator& operator*() { return allocator_; }
  PageAllocator* operator->() { return &allocator_; }

  void adopt() {
    allocator_.forget_last_mark();
    adopted_ = true;
  }

 private:
  PageAllocator& allocator_;
  PageAllocator::Mark before_;
  bool adopted_ = false;
};

}  // namespace onecast::pages
