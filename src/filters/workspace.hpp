#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"

namespace onecast::filters {

/// The memory that filters put their results into. It grows, is never cleared, and serves one chunk
/// after the other: allocating for each costs more than a fast filter does.
class Workspace {
 public:
  /// The one of this thread.
  static Workspace& mine();

  /// Before each filter. `target`: where its result shall go; empty: anywhere.
  void next(std::span<std::byte> target) {
    target_ = target;
    turned_ = false;
  }

  /// After a filter whose result is not used: what it was given stays as it is for the next one.
  void drop_result() {
    if (turned_) turn_ = 1 - turn_;
    turned_ = false;
  }

  /// Room for the result of this filter, which asks at most once. What was asked for before, which
  /// may be what the filter decodes, stays as it is.
  std::span<std::byte> result(std::size_t size) {
    if (size <= target_.size()) return target_.first(size);
    turn_ = 1 - turn_;
    turned_ = true;
    return room(results_[turn_], size);
  }

  /// Room for what a filter needs on the way; asked for once.
  std::span<std::byte> temporary(std::size_t size) { return room(temporary_, size); }

  /// Gives large memory back: one huge chunk shall not cost every thread its size for ever.
  void trim();

 private:
  static std::span<std::byte> room(Buffer& buffer, std::size_t size);

  std::array<Buffer, 2> results_;
  Buffer temporary_;
  std::span<std::byte> target_;
  std::size_t turn_ = 0;
  bool turned_ = false;  ///< for this filter
};

}  // namespace onecast::filters
