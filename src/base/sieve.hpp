#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/strided_copy.hpp"

namespace onecast {

/// Gathers pieces of a file, which come in the order of their offsets, into windows if they are
/// close to each other. `Byte` is const if the pieces are written.
template <class Byte>
class PieceWindow {
 public:
  /// A system call takes about as long as copying this much.
  static constexpr std::uint64_t kMostGap = 4 << 10U;
  static constexpr std::uint64_t kMostSize = 64 << 10U;  ///< of a window with gaps

  /// Pieces whose offsets are `stride` apart, and which are adjacent in memory.
  struct Series {
    std::uint64_t offset;
    Byte* memory;
    std::size_t length;
    std::uint64_t stride;
    std::uint64_t count;

    [[nodiscard]] std::uint64_t end() const { return offset + (count - 1) * stride + length; }
  };

  /// @param large pieces of at least this size are not joined over gaps
  /// @param most_adjacent the largest window without gaps
  PieceWindow(std::uint64_t most_gap, std::size_t large, std::uint64_t most_adjacent = kMostSize)
      : most_gap_(most_gap), large_(large), most_adjacent_(most_adjacent) {}

  /// Returns true if add() need not finish() before it adds the first of these pieces.
  [[nodiscard]] bool has_room_for(const Series& next) const {
    if (empty()) return true;
    if (next.offset < end_ || next.offset - end_ > gap_before(next)) return false;
    const bool gaps = has_gaps_ || next.offset != end_ || next.count > 1;
    return next.offset + next.length - first() <= (gaps ? kMostSize : most_adjacent_);
  }

  /// Adds the pieces. Calls finish() if one does not fit into the window.
  template <class Finish>
  void add(Series series, Finish&& finish) {
    if (series.count == 1 || series.stride == series.length) {
      series.length *= series.count;
      series.stride = series.length;
      series.count = 1;
      if (goes_on(series)) return;
    }
    const bool far = series.stride - series.length > gap_before(series);
    while (series.count != 0) {
      if (!has_room_for(series)) finish();
      const std::uint64_t taken =
          series.offset + series.length - (empty() ? series.offset : first());
      const std::uint64_t more = (kMostSize - std::min(kMostSize, taken)) / series.stride;
      Series part = series;
      part.count = far ? 1 : std::min(series.count, more + 1);
      has_gaps_ = has_gaps_ || (!empty() && part.offset != end_) || part.count > 1;
      series_.push_back(part);
      end_ = part.end();
      series.offset += part.count * series.stride;
      series.memory += part.count * series.length;
      series.count -= part.count;
    }
  }

  /// Adds a piece for which there is room.
  void add_one(std::uint64_t offset, std::span<Byte> piece) {
    const Series one{offset, piece.data(), piece.size(), piece.size(), 1};
    if (goes_on(one)) return;
    has_gaps_ = has_gaps_ || (!empty() && offset != end_);
    series_.push_back(one);
    end_ = one.end();
  }

  [[nodiscard]] bool empty() const { return series_.empty(); }
  [[nodiscard]] std::uint64_t first() const { return series_.front().offset; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - first()); }
  [[nodiscard]] bool has_gaps() const { return has_gaps_; }
  /// The only piece; null if there are several.
  [[nodiscard]] const Series* single() const {
    return series_.size() == 1 && series_.front().count == 1 ? &series_.front() : nullptr;
  }
  [[nodiscard]] const std::vector<Series>& series() const { return series_; }
  /// Notes that the memory of all pieces has moved.
  void move_memory(Byte* from, Byte* to) {
    for (Series& s : series_) s.memory = to + (s.memory - from);
  }
  /// The memory of the window.
  [[nodiscard]] std::span<std::byte> room() {
    if (buffer_.size() < size()) buffer_ = Buffer(std::max<std::size_t>(size(), kMostSize));
    return buffer_.span().first(size());
  }
  void clear() {
    series_.clear();
    has_gaps_ = false;
  }

 private:
  /// Extends the only piece if this one follows it in the file and in memory. Returns true if it
  /// did.
  bool goes_on(const Series& piece) {
    if (single() == nullptr || piece.offset != end_ ||
        piece.memory != series_.front().memory + series_.front().length)
      return false;
    series_.front().length += piece.length;
    end_ += piece.length;
    return true;
  }

  /// The largest gap over which this piece may be joined to the one before.
  [[nodiscard]] std::uint64_t gap_before(const Series& next) const {
    return next.length < large_ ? most_gap_ : 0;
  }

  std::uint64_t most_gap_;
  std::size_t large_;
  std::uint64_t most_adjacent_;
  std::vector<Series> series_;
  std::uint64_t end_ = 0;  ///< the end of the last piece
  bool has_gaps_ = false;
  Buffer buffer_;
};

/// Reads pieces. Pieces that are close to each other are read by one read, with the bytes between
/// them. `read(offset, span of bytes)` reads.
template <class Read>
class Sieve {
 public:
  explicit Sieve(Read read)
      : read_(std::move(read)), window_(Window::kMostGap, Window::kMostSize) {}

  /// Reads the bytes at `offset` into `out`.
  void add(std::uint64_t offset, std::span<std::byte> out) {
    if (!out.empty()) add_series(offset, out.size(), out.size(), 1, out.data());
  }
  /// Reads `count` pieces of `length` bytes, `stride` apart, into adjacent memory at `out`.
  void add_series(std::uint64_t offset, std::size_t length, std::uint64_t stride,
                  std::uint64_t count, std::byte* out) {
    window_.add({offset, out, length, stride, count}, [this] { finish(); });
  }

  /// Reads the rest.
  void finish() {
    if (window_.empty()) return;
    if (const auto* piece = window_.single()) {
      read_(piece->offset, std::span(piece->memory, piece->length));
    } else {
      const auto bytes = window_.room();
      read_(window_.first(), bytes);
      for (const auto& s : window_.series())
        copy_strided(bytes.data() + (s.offset - window_.first()), s.stride, s.memory, s.length,
                     s.length, s.count);
    }
    window_.clear();
  }

 private:
  using Window = PieceWindow<std::byte>;

  Read read_;
  Window window_;
};

/// Writes pieces. Pieces that are close to each other are written by one write, with the bytes
/// between them, which are read before. So no other process may write there. `read(offset, span of
/// bytes)` reads.
template <class Read, class Write>
class WriteSieve {
 public:
  /// @param alone no other process writes; otherwise only pieces that touch are written together
  WriteSieve(bool alone, Read read, Write write)
      : read_(std::move(read)),
        write_(std::move(write)),
        window_(alone ? Window::kMostGap : 0, kLarge, kMostAdjacent) {}

  /// Writes `count` pieces of `length` bytes, `stride` apart, from adjacent memory at `in`, which
  /// the caller keeps until finish().
  void add_series(std::uint64_t offset, std::size_t length, std::uint64_t stride,
                  std::uint64_t count, const std::byte* in) {
    window_.add({offset, in, length, stride, count}, [this] { finish(); });
  }
  /// Writes bytes that the caller need not keep. A sieve takes either these or series.
  void add_copy(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    const bool is_large = bytes.size() >= kMostCopied;
    if (is_large || !window_.has_room_for({offset, nullptr, bytes.size(), bytes.size(), 1}))
      finish();
    if (is_large) return write_(offset, bytes);
    window_.add_one(offset, {kept(bytes), bytes.size()});
  }

  /// Writes the rest.
  void finish() {
    if (window_.empty()) return;
    if (const auto* piece = window_.single()) {
      write_(piece->offset, std::span(piece->memory, piece->length));
    } else {
      const auto bytes = window_.room();
      if (window_.has_gaps()) read_(window_.first(), bytes);
      for (const auto& s : window_.series())
        copy_strided(s.memory, s.length, bytes.data() + (s.offset - window_.first()), s.stride,
                     s.length, s.count);
      write_(window_.first(), std::span<const std::byte>(bytes));
    }
    window_.clear();
    copied_ = 0;
  }

 private:
  using Window = PieceWindow<const std::byte>;
  static constexpr std::size_t kLarge = 4 << 10U;
  static constexpr std::uint64_t kMostAdjacent = 1 << 20U;
  /// Copying larger pieces gains nothing.
  static constexpr std::size_t kMostCopied = 256 << 10U;

  /// Copies the bytes behind those of the window's other pieces, so that pieces that are adjacent
  /// in the file are so in memory, too.
  const std::byte* kept(std::span<const std::byte> bytes) {
    if (copies_.size() - copied_ < bytes.size()) {
      Buffer larger(std::max(copied_ + bytes.size(), 2 * copies_.size()));
      if (copied_ != 0) std::memcpy(larger.data(), copies_.data(), copied_);
      window_.move_memory(copies_.data(), larger.data());
      copies_ = std::move(larger);
    }
    std::byte* const at = copies_.data() + copied_;
    std::memcpy(at, bytes.data(), bytes.size());
    copied_ += bytes.size();
    return at;
  }

  Read read_;
  Write write_;
  Window window_;
  Buffer copies_;           ///< the pieces that the caller need not keep
  std::size_t copied_ = 0;  ///< their size
};

}  // namespace onecast
