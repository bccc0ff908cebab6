#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "objects/raw_data.hpp"

namespace onecast {

/// Writes pieces of raw data; small ones that touch by one call.
class PieceWriter {
 public:
  explicit PieceWriter(FileState& file) : file_(file) {}
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;

  void add(Address address, std::span<const std::byte> bytes) {
    const std::uint64_t end = first_.value + buffer_.size();
    if (!buffer_.empty() && (address.value != end || buffer_.size() + bytes.size() > kMost))
      finish();
    if (bytes.size() >= kLarge) return finish(), write_raw(file_, address, bytes);
    if (buffer_.empty()) first_ = address;
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }

  /// Writes what is left.
  void finish() {
    if (!buffer_.empty()) write_raw(file_, first_, buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kLarge = std::size_t{256} << 10U;  ///< copying these is no gain
  static constexpr std::size_t kMost = std::size_t{1} << 20U;

  FileState& file_;
  Address first_;
  std::vector<std::byte> buffer_;
};

}  // namespace onecast
