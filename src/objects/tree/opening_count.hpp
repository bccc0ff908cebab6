#pragma once

#include <mutex>

#include "base/namespaces.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::tree {

/// How many openings of a file in this process have not ended. Any number of threads may begin and
/// end some.
class OpeningCount {
 public:
  void begin(Access how) {
    const std::scoped_lock lock(mutex_);
    ++of(how);
  }
  void end(Access how) {
    const std::scoped_lock lock(mutex_);
    --of(how);
  }
  [[nodiscard]] bool any_for_writing() const {
    const std::scoped_lock lock(mutex_);
    return for_writing_ != 0;
  }
  [[nodiscard]] bool any() const {
    const std::scoped_lock lock(mutex_);
    return for_writing_ != 0 || for_reading_ != 0;
  }

 private:
  unsigned& of(Access how) { return how == Access::read_write ? for_writing_ : for_reading_; }

  mutable std::mutex mutex_;
  unsigned for_reading_ = 0;
  unsigned for_writing_ = 0;
};

}  // namespace onecast::tree
