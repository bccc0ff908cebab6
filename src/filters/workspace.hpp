#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"

namespace onecast::filters {

/// The memory for the results of filters. It grows, is never cleared, and serves one chunk after
/// the other, since allocating for each chunk costs more than a fast filter.
class Workspace {
 public:
  /// The workspace of this thread.
  static Workspace& mine();

  /// Must be called before each filter. `target` is the place for its result; empty: any place.
  void next(std::span<std::byte> target) {
    target_ = target;
    turned_ = false;
  }

  /// Must be called if the result of a filter is not used: its input is then the input of the next
  /// one.
  void drop_result() {
    if (turned_) turn_ = 1 - turn_;
    turned_ = false;
  }

  /// Room for the result of this filter, which may call it once. Earlier results, which may be the
  /// filter's input, stay valid.
  std::span<std::byte> result(std::size_t size) {
    if (size <= target_.size()) return target_.first(size);
    turn_ = 1 - turn_;
    turned_ = true;
    return room(results_[turn_], size);
  }

  /// Room for intermediate data of a filter, which may call it once.
  std::span<std::byte> temporary(std::size_t size) { return room(temporary_, size); }

  /// Frees large memory, so that a single huge chunk does not cost every thread its size for ever.
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
