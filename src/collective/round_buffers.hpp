#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "collective/coverage.hpp"

namespace onecast::collective {

/// The memory of two-phase transfers, kept from call to call: two halves for received bytes, so
/// that a round arrives while the previous one is processed; a window of the file; and bytes to
/// send.
class RoundBuffers {
 public:
  /// The part of a budget that each of the four buffers may take. The rest is for the Coverage of
  /// the window and, with `relay`, for the two halves of the shared memory of a node.
  static std::uint64_t share(std::uint64_t budget, bool relay = false) {
    return std::max<std::uint64_t>(1, budget / (relay ? 7 : 5));
  }

  /// Makes the buffers at least this large. Throws std::bad_alloc.
  void reserve(std::uint64_t received, std::uint64_t window, std::uint64_t sent) {
    grow(received_[0], received);
    grow(received_[1], received);
    grow(window_, window);
    grow(sent_, sent);
    coverage_.reset(window_.size());
  }

  [[nodiscard]] std::span<std::byte> received(std::size_t half) { return received_[half].span(); }
  [[nodiscard]] std::span<std::byte> window() { return window_.span(); }
  [[nodiscard]] std::span<std::byte> sent() { return sent_.span(); }
  [[nodiscard]] Coverage& coverage() { return coverage_; }

  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kBitsPerByte = 8;
    return received_[0].size() + received_[1].size() + window_.size() + sent_.size() +
           window_.size() / kBitsPerByte;
  }

 private:
  static void grow(Buffer& buffer, std::uint64_t size) {
    if (buffer.size() >= size) return;
    buffer = Buffer();
    buffer = Buffer(static_cast<std::size_t>(size));
  }

  std::array<Buffer, 2> received_;
  Buffer window_;
  Buffer sent_;
  Coverage coverage_;
};

}  // namespace onecast::collective
