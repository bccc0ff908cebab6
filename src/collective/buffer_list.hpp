#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::collective {

/// A caller's memory: one buffer, or several, at ascending positions. One unused position lies
/// between two buffers, so that no piece reaches from one into the next.
template <class Byte>
class BufferList {
 public:
  BufferList() = default;
  template <class Range>
    requires std::convertible_to<Range&&, std::span<Byte>>
  BufferList(Range&& one) {  // NOLINT: one buffer is a list of one
    add(one);
  }

  /// Adds a buffer. Returns the position of its first byte.
  std::uint64_t add(std::span<Byte> buffer) {
    const std::uint64_t first = parts_.empty() ? 0 : size() + 1;
    parts_.push_back({first, buffer});
    return first;
  }
  /// The end of the last buffer.
  [[nodiscard]] std::uint64_t size() const {
    return parts_.empty() ? 0 : parts_.back().first + parts_.back().bytes.size();
  }
  /// The byte at a position. Positions within one buffer are adjacent in memory.
  [[nodiscard]] Byte* at(std::uint64_t position) const {
    auto part = parts_.begin();
    if (parts_.size() > 1)
      part =
          std::prev(std::upper_bound(parts_.begin(), parts_.end(), position,
                                     [](std::uint64_t p, const Part& x) { return p < x.first; }));
    return part->bytes.data() + (position - part->first);
  }
  [[nodiscard]] std::span<Byte> at(std::uint64_t position, std::uint64_t size) const {
    return {at(position), static_cast<std::size_t>(size)};
  }

 private:
  struct Part {
    std::uint64_t first;
    std::span<Byte> bytes;
  };
  std::vector<Part> parts_;
};

using OutBuffers = BufferList<const std::byte>;
using InBuffers = BufferList<std::byte>;

}  // namespace onecast::collective
