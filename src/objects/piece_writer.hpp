#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "objects/raw_data.hpp"

namespace onecast {

/// Writes pieces of raw data; small ones that lie close behind each other by one call.
class PieceWriter {
 public:
  explicit PieceWriter(FileState& file) : file_(file) {}
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;

  void add(Address address, std::span<const std::byte> bytes) {
    const std::uint64_t end = first_.value + buffer_.size();
    if (!buffer_.empty() && (address.value < end || address.value - end > gap_ ||
                             buffer_.size() + bytes.size() > kMost))
      finish();
    if (bytes.size() >= kLarge) return finish(), write_raw(file_, address, bytes);
    if (buffer_.empty())
      first_ = address;
    else
      buffer_.resize(static_cast<std::size_t>(address.value - first_.value));
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }

  /// Writes what is left.
  void finish() {
    if (!buffer_.empty()) write_raw(file_, first_, buffer_);
    buffer_.clear();
  }

  /// What lies between two pieces is filled up too, and belongs to nobody. Else only pieces that
  /// touch are joined.
  void fill_gaps() { gap_ = kAlignment - 1; }

 private:
  static constexpr std::size_t kLarge = std::size_t{256} << 10U;  ///< copying these is no gain
  static constexpr std::size_t kMost = std::size_t{1} << 20U;
  static constexpr std::uint64_t kAlignment = 8;  ///< of what a PageAllocator gives

  FileState& file_;
  Address first_;
  std::vector<std::byte> buffer_;
  std::uint64_t gap_ = 0;
};

}  // namespace onecast
