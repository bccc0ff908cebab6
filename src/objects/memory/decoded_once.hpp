#pragma once

#include <atomic>
#include <utility>

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"

namespace onecast::memory {

/// A value that is decoded when it is first requested, and then stays. Any number of threads may
/// request it at once: then several may decode it, and all get the first result.
template <class T>
class DecodedOnce {
 public:
  DecodedOnce() = default;
  DecodedOnce(const DecodedOnce&) = delete;
  DecodedOnce& operator=(const DecodedOnce&) = delete;
  ~DecodedOnce() { reset(); }

  /// Returns null if it is not decoded yet.
  [[nodiscard]] T* get() const { return value_.load(std::memory_order_acquire); }

  /// `decode` returns a Kept<T>.
  template <class Decode>
  T& get(Decode&& decode) {
    if (T* known = get()) return *known;
    Kept<T> mine = decode();
    T* other = nullptr;
    if (!value_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel))
      return *other;
    return *mine.release();
  }

  /// Forgets the value. No other thread may use it meanwhile.
  void reset() { static_cast<void>(take()); }
  /// Hands over the value, so that it is decoded again. Other threads may still use the old one.
  [[nodiscard]] Kept<T> take() { return Kept<T>(value_.exchange(nullptr)); }

 private:
  std::atomic<T*> value_{nullptr};
};

}  // namespace onecast::memory
