#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace onecast::events {

/// Objects that are used again, with the memory that they have, once nobody holds them any more.
/// Any thread may take and release them.
template <class T>
class Pool {
 public:
  std::shared_ptr<T> take() {
    std::unique_ptr<T> object;
    {
      const std::lock_guard lock(unused_->mutex);
      if (!unused_->objects.empty()) {
        object = std::move(unused_->objects.back());
        unused_->objects.pop_back();
      } else {
        // The release must not fail for want of memory.
        unused_->objects.reserve(++unused_->made);
      }
    }
    if (!object) object = std::make_unique<T>();
    return {object.release(), [unused = unused_](T* released) {
              std::unique_ptr<T> back(released);
              const std::lock_guard lock(unused->mutex);
              unused->objects.push_back(std::move(back));
            }};
  }

 private:
  struct Unused {
    std::mutex mutex;
    std::vector<std::unique_ptr<T>> objects;
    std::size_t made = 0;
  };
  std::shared_ptr<Unused> unused_ = std::make_shared<Unused>();
};

}  // namespace onecast::events
