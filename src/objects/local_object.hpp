#pragma once

#include <cstdint>

#include "base/buffer.hpp"

namespace onecast {

/// What is known of an object that this rank created inside independent(), until the next flush
/// tells the other ranks of it.
struct LocalObject {
  /// A group that was required, or made for the sake of what is in it: other ranks may make it too.
  bool on_the_way = false;
  Buffer data{};  ///< of contiguous storage, which gets its place at flush; empty: never written
  std::uint64_t number = kNoNumber;  ///< among those that this rank sends

  static constexpr std::uint64_t kNoNumber = UINT64_MAX;
};

}  // namespace onecast
