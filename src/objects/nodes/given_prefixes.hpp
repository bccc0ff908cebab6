#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "onecast/objects/dataset.hpp"

namespace onecast::nodes {

/// The prefixes that a program gave for a dataset. They are used as long as a handle holds them.
/// Any number of threads may call this at once.
class GivenPrefixes {
 public:
  /// Returns what has to be held until a handle holds the prefixes.
  std::shared_ptr<const void> set(FilePrefixes prefixes) {
    const std::scoped_lock lock(mutex_);
    auto token = token_.lock();
    if (!token) token = std::make_shared<char>();
    token_ = token;
    prefixes_ = std::move(prefixes);
    return token;
  }
  [[nodiscard]] FilePrefixes now() const {
    const std::scoped_lock lock(mutex_);
    return prefixes_;
  }
  /// Returns what a new handle has to hold. Null: no handle holds the prefixes, so none is used any
  /// more; `ended` tells whether there were any until now.
  std::shared_ptr<const void> hold(bool& ended) {
    const std::scoped_lock lock(mutex_);
    auto token = token_.lock();
    ended = !token && std::exchange(prefixes_, {}) != FilePrefixes();
    return token;
  }

 private:
  mutable Mutex mutex_;
  FilePrefixes prefixes_;
  std::weak_ptr<const void> token_;  ///< expires with the last handle that holds the prefixes
};

}  // namespace onecast::nodes
