#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.hpp"

namespace onecast {

/// Reads runs of bytes, which come in the order of their offsets; those close to each other by one
/// read together with what lies between. `read(offset, span of bytes)` reads.
template <class Read>
class Sieve {
 public:
  explicit Sieve(Read read) : read_(std::move(read)) {}

  /// The bytes at `offset` to `out`.
  void add(std::uint64_t offset, std::span<std::byte> out) {
    if (!runs_.empty() &&
        (offset - end_ > kMostGap || offset + out.size() - runs_.front().offset > kMostWindow))
      finish();
    runs_.push_back({offset, out});
    end_ = offset + out.size();
  }

  /// Reads what is left.
  void finish() {
    if (runs_.size() == 1) {
      read_(runs_[0].offset, runs_[0].out);
    } else if (!runs_.empty()) {
      const std::uint64_t first = runs_.front().offset;
      const auto size = static_cast<std::size_t>(end_ - first);
      if (buffer_.size() < size) buffer_ = Buffer(size);
      const auto window = buffer_.span().first(size);
      read_(first, window);
      for (const Run& run : runs_)
        std::memcpy(run.out.data(), window.data() + (run.offset - first), run.out.size());
    }
    runs_.clear();
  }

 private:
  /// A call of the system takes about as long as copying so much.
  static constexpr std::uint64_t kMostGap = 4 << 10U;
  static constexpr std::uint64_t kMostWindow = 64 << 10U;

  struct Run {
    std::uint64_t offset;
    std::span<std::byte> out;
  };

  Read read_;
  std::vector<Run> runs_;
  std::uint64_t end_ = 0;  ///< of the last run
  Buffer buffer_;
};

}  // namespace onecast
