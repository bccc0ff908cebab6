#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "onecast/events/product.hpp"

namespace onecast::events {

/// The functions of a codec; null if Onecast was built without its library.
struct CodecFunctions {
  /// Appends to `out`.
  void (*compress)(int level, Bytes bytes, std::vector<std::byte>& out) = nullptr;
  /// Returns true if `bytes` decompress to exactly out.size() bytes.
  bool (*decompress)(Bytes bytes, std::span<std::byte> out) = nullptr;
};
extern const CodecFunctions kLz4, kZstd, kLzma;

/// The size of the frame with which `bytes` begin, 0 if it is incomplete; and the size of its
/// contents, 0 if the frame does not state it.
std::uint64_t zstd_frame_bytes(Bytes bytes);
std::uint64_t zstd_content_bytes(Bytes bytes);
/// Returns the largest size of a frame with this content size.
std::uint64_t zstd_most_bytes(std::uint64_t content);

}  // namespace onecast::events
