#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::collective {

/// Memory that messages can be sent from, but that the process cannot read, such as a device's.
class FarBytes {
 public:
  virtual ~FarBytes() = default;
  [[nodiscard]] virtual std::span<const std::byte> bytes() const = 0;
  /// Returns a copy in memory of the process, which is made by the first call. Throws Error.
  [[nodiscard]] virtual std::span<const std::byte> copy() const = 0;
};

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
  /// Adds a buffer of which only copies can be read; it must outlive the list.
  std::uint64_t add_far(const FarBytes& far)
    requires std::is_const_v<Byte>
  {
    const std::uint64_t first = add(far.bytes());
    parts_.back().far = &far;
    return first;
  }
  /// The end of the last buffer.
  [[nodiscard]] std::uint64_t size() const {
    return parts_.empty() ? 0 : parts_.back().first + parts_.back().bytes.size();
  }
  /// The byte at a position. Positions within one buffer are adjacent in memory. Throws Error if
  /// far bytes cannot be copied.
  [[nodiscard]] Byte* at(std::uint64_t position) const {
    const Part& part = part_at(position);
    Byte* first = part.bytes.data();
    if constexpr (std::is_const_v<Byte>)
      if (part.far != nullptr) first = part.far->copy().data();
    return first + (position - part.first);
  }
  [[nodiscard]] std::span<Byte> at(std::uint64_t position, std::uint64_t size) const {
    return {at(position), static_cast<std::size_t>(size)};
  }
  /// Bytes of one buffer for a message; far ones where they are.
  [[nodiscard]] std::span<Byte> to_send(std::uint64_t position, std::uint64_t size) const {
    const Part& part = part_at(position);
    return part.bytes.subspan(static_cast<std::size_t>(position - part.first),
                              static_cast<std::size_t>(size));
  }

 private:
  struct Part {
    std::uint64_t first;
    std::span<Byte> bytes;
    const FarBytes* far = nullptr;
  };

  [[nodiscard]] const Part& part_at(std::uint64_t position) const {
    if (parts_.size() == 1) return parts_.front();
    return *std::prev(std::upper_bound(parts_.begin(), parts_.end(), position,
                                       [](std::uint64_t p, const Part& x) { return p < x.first; }));
  }
  std::vector<Part> parts_;
};

using OutBuffers = BufferList<const std::byte>;
using InBuffers = BufferList<std::byte>;

}  // namespace onecast::collective
