#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace onecast::events {

/// Simulates the work of an event: how long a product waits between fetching and serialising. No
/// thread waits with it.
class Waiter {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  virtual ~Waiter() = default;

  /// @param entry of the event in the source @param bytes the size of the product
  /// Called for several products at the same time.
  [[nodiscard]] virtual std::chrono::microseconds wait(std::uint64_t entry, std::size_t product,
                                                       std::size_t bytes) = 0;
};

}  // namespace onecast::events
