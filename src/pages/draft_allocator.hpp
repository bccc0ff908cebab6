#pragma once

#include <utility>

#include "base/namespaces.hpp"
#include "pages/page_allocator.hpp"

namespace onecast::pages {

/// A draft of allocations, which may fail. Unless it is kept, the allocator gives the same
/// addresses again, and notes that something may have been written to them.
class DraftAllocator {
 public:
  explicit DraftAllocator(PageAllocator& allocator)
      : allocator_(allocator), before_(allocator.mark()) {}
  DraftAllocator(const DraftAllocator&) = delete;
  DraftAllocator& operator=(const DraftAllocator&) = delete;
  ~DraftAllocator() {
    if (!kept_) allocator_.undo(std::move(before_));
  }

  PageAllocator& operator*() { return allocator_; }
  PageAllocator* operator->() { return &allocator_; }

  void keep() {
    allocator_.forget_last_mark();
    kept_ = true;
  }

 private:
  PageAllocator& allocator_;
  PageAllocator::Mark before_;
  bool kept_ = false;
};

}  // namespace onecast::pages
