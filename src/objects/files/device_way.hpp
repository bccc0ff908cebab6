#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::files {

/// The way between the file and memory of a device that the last transfer took, in words; for
/// File::explain. Several threads may transfer at the same time.
class DeviceWay {
 public:
  void note(std::string words) {
    const std::lock_guard lock(mutex_);
    words_ = std::move(words);
    is_noted_ = true;
  }
  /// Where there is no device, this is one load.
  void forget() {
    if (is_noted_) note("");
  }
  [[nodiscard]] std::string words() {
    const std::lock_guard lock(mutex_);
    return words_;
  }

 private:
  Mutex mutex_;
  std::atomic<bool> is_noted_ = false;
  std::string words_;  ///< empty: there was no such memory
};

}  // namespace onecast::files
