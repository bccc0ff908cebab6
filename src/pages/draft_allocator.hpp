#pragma once

#include "pages/page_allocator.hpp"

namespace onecast {

/// A copy of an allocator, for what may fail. If it is not adopted, the allocator gives the same
/// addresses again, and knows that something may have been written there.
class DraftAllocator {
 public:
  explicit DraftAllocator(PageAllocator& allocator) : allocator_(allocator), draft_(allocator) {}
  DraftAllocator(const DraftAllocator&) = delete;
  DraftAllocator& operator=(const DraftAllocator&) = delete;
  ~DraftAllocator() {
    if (!adopted_) allocator_.learn_used(draft_);
  }

  PageAllocator& operator*() { return draft_; }
  PageAllocator* operator->() { return &draft_; }

  void adopt() {
    allocator_ = std::move(draft_);
    adopted_ = true;
  }

 private:
  PageAllocator& allocator_;
  PageAllocator draft_;
  bool adopted_ = false;
};

}  // namespace onecast
