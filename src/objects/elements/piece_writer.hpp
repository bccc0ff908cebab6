#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::elements {

/// Writes pieces of raw data. Small adjacent pieces become one call. If no other rank writes, small
/// pieces with small gaps do, too: the bytes of the gap are read and written back.
class PieceWriter {
 public:
  explicit PieceWriter(FileState& file)
      : file_(file), most_gap_(file.comm().size() == 1 ? kMostGap : 0) {}
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;

  void add(Address address, std::span<const std::byte> bytes) {
    if (!buffer_.empty() && !fits(address, bytes.size())) finish();
    if (bytes.size() >= kLarge) return finish(), write_raw(file_, address, bytes);
    if (buffer_.empty()) first_ = address;
    if (const std::size_t gap = address.value - end(); gap != 0) {
      gaps_.push_back({buffer_.size(), gap});
      buffer_.resize(buffer_.size() + gap);
    }
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }

  /// Writes the pieces that are left.
  void finish() {
    if (!gaps_.empty()) {
      old_.resize(buffer_.size());
      read_file(file_, first_, old_);
      for (const Gap& gap : gaps_)
        std::memcpy(buffer_.data() + gap.at, old_.data() + gap.at, gap.size);
      gaps_.clear();
    }
    if (!buffer_.empty()) write_raw(file_, first_, buffer_);
    buffer_.clear();
  }

 private:
  struct Gap {
    std::size_t at, size;
  };

  [[nodiscard]] std::uint64_t end() const { return first_.value + buffer_.size(); }
  /// Returns true if the piece can join the present write.
  [[nodiscard]] bool fits(Address address, std::size_t size) const {
    if (address.value < end() || address.value - end() > (size < kMostGap ? most_gap_ : 0))
      return false;
    const bool has_gaps = !gaps_.empty() || address.value != end();
    return address.value + size - first_.value <= (has_gaps ? kMostWithGaps : kMost);
  }

  /// Copying larger pieces gains nothing.
  static constexpr std::size_t kLarge = std::size_t{256} << 10U;
  static constexpr std::size_t kMost = std::size_t{1} << 20U;
  static constexpr std::size_t kMostWithGaps = std::size_t{64} << 10U;
  /// Reading and writing this many bytes takes about as long as a system call.
  static constexpr std::size_t kMostGap = std::size_t{2} << 10U;

  FileState& file_;
  std::size_t most_gap_;
  Address first_;
  std::vector<std::byte> buffer_;
  std::vector<Gap> gaps_;
  std::vector<std::byte> old_;  ///< the old bytes
};

}  // namespace onecast::elements
