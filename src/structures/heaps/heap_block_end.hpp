#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/address.hpp"
#include "base/byte_writer.hpp"
#include "base/lookup3.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// A note at the end of a direct block of a fractal heap that Onecast wrote: how much of it is
/// used, so that objects can be added. A heap without a free-space manager does not tell that, and
/// other writers leave unused space alone. The checksum binds the note to its block, so bytes of an
/// object are not taken for a note.
class HeapBlockEnd {
 public:
  HeapBlockEnd(Address heap, std::uint64_t block_offset)
      : heap_(heap), block_offset_(block_offset) {}

  /// Notes that `used` bytes, from the start of the block, are in use. If there is no room for the
  /// note, the block counts as full.
  void write(std::span<std::byte> block, std::uint64_t used) const {
    const std::uint64_t rest = block.size() - used;
    const auto end = block.last(static_cast<std::size_t>(std::min(rest, kSize)));
    ByteWriter out(end);
    if (rest < kSize) return out.zeros(end.size());
    out.uint(used, 4);
    out.uint(checksum(used), 4);
  }

  /// The number of bytes in use; nothing if the block does not tell.
  [[nodiscard]] std::optional<std::uint64_t> read(ByteView block) const {
    if (block.size() < kSize) return std::nullopt;
    const ByteView end = block.last(kSize);
    std::uint64_t values[2] = {};
    for (std::size_t i = kSize; i-- > 0;)
      values[i / 4] = values[i / 4] << 8U | std::to_integer<std::uint64_t>(end[i]);
    if (values[0] > block.size() - kSize || values[1] != checksum(values[0])) return std::nullopt;
    return values[0];
  }

  static constexpr std::uint64_t kSize = 8;

 private:
  [[nodiscard]] std::uint32_t checksum(std::uint64_t used) const {
    std::array<std::byte, 24> bytes{};
    ByteWriter out(bytes);
    out.uint(heap_.value, 8);
    out.uint(block_offset_, 8);
    out.uint(used, 8);
    return lookup3(bytes);
  }

  Address heap_;
  std::uint64_t block_offset_;
};

}  // namespace onecast::structures
