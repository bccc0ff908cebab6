#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::collective {

/// Equal pieces at equal distances, in at most two levels (elements in rows in a plane): piece (i,
/// j), i < outer_count, j < count, is the `length` bytes at offset + i * outer_stride + j * stride.
/// Pieces ascend and do not overlap. In the caller's buffer they are adjacent, from `position` on.
struct StridedRun {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 1;
  std::uint64_t outer_stride = 0;
  std::uint64_t outer_count = 1;
  std::uint64_t position = 0;
  std::uint64_t bytes_before = 0;  ///< the bytes in the runs before this one

  [[nodiscard]] std::uint64_t pieces() const { return count * outer_count; }
  [[nodiscard]] std::uint64_t bytes() const { return pieces() * length; }
  [[nodiscard]] std::uint64_t piece_offset(std::uint64_t n) const {
    return offset + n / count * outer_stride + n % count * stride;
  }
  [[nodiscard]] std::uint64_t end() const { return piece_offset(pieces() - 1) + length; }
  /// The number of the first piece that ends after `at`; pieces() if there is none.
  [[nodiscard]] std::uint64_t first_piece_behind(std::uint64_t at) const;

  bool operator==(const StridedRun&) const = default;
};

/// The pieces that one process wants of a file (or of a domain, see OwnerMap), in ascending order
/// of their offsets. They are stored as strided runs, so a regular pattern takes the same memory at
/// any size.
class ExtentList {
 public:
  [[nodiscard]] bool empty() const { return runs_.empty(); }
  [[nodiscard]] std::span<const StridedRun> runs() const { return runs_; }
  [[nodiscard]] std::uint64_t begin() const { return empty() ? 0 : runs_.front().offset; }
  [[nodiscard]] std::uint64_t end() const { return empty() ? 0 : runs_.back().end(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return empty() ? 0 : runs_.back().bytes_before + runs_.back().bytes();
  }
  [[nodiscard]] std::uint64_t pieces() const;
  /// The number of pieces, where pieces that touch in the file count as one.
  [[nodiscard]] std::uint64_t stretches() const;
  /// True if the pieces are adjacent in the caller's buffer, from its start on, in order.
  [[nodiscard]] bool is_packed() const;
  /// The end of the last piece in the caller's buffer.
  [[nodiscard]] std::uint64_t buffer_size() const;

  [[nodiscard]] std::uint64_t bytes_below(std::uint64_t offset) const;
  [[nodiscard]] std::uint64_t bytes_in(std::uint64_t from, std::uint64_t to) const {
    return bytes_below(to) - bytes_below(from);
  }
  /// The offset of the first byte at or after `offset`.
  [[nodiscard]] std::optional<std::uint64_t> next_from(std::uint64_t offset) const;

  /// Calls `each(offset, length, position)` for the parts of pieces in [from, to), in ascending
  /// order.
  template <class F>
  void for_each_in(std::uint64_t from, std::uint64_t to, F&& each) const {
    for (auto run = run_behind(from); run != runs_.end() && run->offset < to; ++run)
      for (std::uint64_t n = run->first_piece_behind(from); n < run->pieces(); ++n) {
        const std::uint64_t offset = run->piece_offset(n);
        if (offset >= to) break;
        const std::uint64_t first = std::max(offset, from);
        const std::uint64_t last = std::min(offset + run->length, to);
        each(first, last - first, run->position + n * run->length + (first - offset));
      }
  }
  template <class F>
  void for_each(F&& each) const {
    for_each_in(0, ~std::uint64_t{0}, each);
  }

  /// The distance by which the pieces of `other` must be moved in the file to be these; negative
  /// towards its beginning. Positions in the buffer must be equal.
  [[nodiscard]] std::optional<std::int64_t> distance_from(const ExtentList& other) const;

  /// The pieces in [first, end) of the caller's buffer; their positions are relative to `first`.
  [[nodiscard]] ExtentList at_positions(std::uint64_t first, std::uint64_t end) const;

  /// Encodes the offsets for a message, in a few bytes per run.
  [[nodiscard]] std::vector<std::byte> encode() const;
  /// Decodes what encode() returned; positions are those of packed pieces. Throws Error (diverged)
  /// if `bytes` is invalid.
  static ExtentList decode(std::span<const std::byte> bytes);

  bool operator==(const ExtentList&) const = default;

  /// Merges several lists; the positions of `lists[i]` are moved by positions[i]. Throws Error
  /// (invalid_argument) if two lists have bytes in common.
  static ExtentList merge(std::span<const ExtentList> lists,
                          std::span<const std::uint64_t> positions);

 private:
  friend class ExtentListBuilder;

  /// The first run that ends after `offset`.
  [[nodiscard]] std::vector<StridedRun>::const_iterator run_behind(std::uint64_t offset) const;
  void push(StridedRun run);

  std::vector<StridedRun> runs_;
};

/// Builds an ExtentList from pieces that are added one by one.
class ExtentListBuilder {
 public:
  /// Adds the next piece, which follows the previous one in the caller's buffer.
  void add(std::uint64_t offset, std::uint64_t length) { add(offset, length, next_position_); }
  /// Throws Error (invalid_argument) if the piece begins before the end of the previous one, or
  /// reaches beyond the largest file size.
  void add(std::uint64_t offset, std::uint64_t length, std::uint64_t position);

  /// Adds `count` pieces whose offsets are `stride` apart, and which are adjacent in the buffer.
  void add_series(std::uint64_t offset, std::uint64_t length, std::uint64_t stride,
                  std::uint64_t count);

  [[nodiscard]] ExtentList take();

 private:
  void check(std::uint64_t offset, std::uint64_t length) const;
  void close_piece();
  void close_run();

  ExtentList list_;
  StridedRun piece_;  ///< grows while pieces touch; length 0: none
  StridedRun run_;    ///< grows while pieces are equal and equally spaced; length 0: none
  std::uint64_t next_position_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace onecast::collective
