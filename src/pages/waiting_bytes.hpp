#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/byte_reader.hpp"
#include "base/interval_set.hpp"
#include "base/namespaces.hpp"
#include "base/round_up.hpp"
#include "pages/free_space.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// The place where raw data of one rank waits for the flush: in memory up to a limit, beyond that
/// in a temporary file, which is created at its first use and removed when it is empty. Must
/// outlive the data that waits in it.
class WaitingSpace {
 public:
  using Open = std::function<std::unique_ptr<Transport>()>;
  static constexpr std::uint64_t kMostInMemory = std::uint64_t{64} << 20U;

  /// @param open creates the temporary file
  /// @param where the location that errors name
  WaitingSpace(Open open, std::function<std::string()> where)
      : open_(std::move(open)), where_(std::move(where)) {}
  WaitingSpace(const WaitingSpace&) = delete;
  WaitingSpace& operator=(const WaitingSpace&) = delete;

  /// Applies to data that begins to wait from now on.
  void set_limit(std::uint64_t most_in_memory) { limit_ = most_in_memory; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] std::uint64_t in_memory() const { return in_memory_; }
  [[nodiscard]] std::uint64_t most_in_memory() const { return most_in_memory_; }
  /// The size of the temporary file, and the largest that it ever had.
  [[nodiscard]] std::uint64_t file_size() const { return end_; }
  [[nodiscard]] std::uint64_t most_file_size() const { return most_end_; }
  /// Closes the temporary file; nothing may be read from it afterwards.
  void close() { file_.reset(); }

 private:
  friend class WaitingBytes;

  bool take_memory(std::uint64_t size);
  void give_memory_back(std::uint64_t size) { in_memory_ -= size; }
  std::uint64_t take_place(std::uint64_t size);
  void give_place_back(std::uint64_t place, std::uint64_t size);
  /// Calls work(temporary file). Errors from it say what the file is for, and what to do.
  template <class F>
  void with_file(F&& work);

  Open open_;
  std::function<std::string()> where_;
  std::uint64_t limit_ = kMostInMemory;
  std::uint64_t in_memory_ = 0;
  std::uint64_t most_in_memory_ = 0;
  std::unique_ptr<Transport> file_;
  FreeSpace free_;         ///< in the temporary file, before its end
  std::uint64_t end_ = 0;  ///< the end of what is in use there
  std::uint64_t most_end_ = 0;
};

/// An array of elements that waits. Elements that nobody wrote are the fill value, and take no
/// space in the temporary file. Writes are tracked in blocks of a few KiB; the rest of a written
/// block is filled.
class WaitingBytes {
 public:
  WaitingBytes() = default;  ///< empty
  /// `size` bytes, in elements of `element` bytes, that nobody has written yet.
  /// @param fill one element; empty: zeros
  WaitingBytes(WaitingSpace& space, std::uint64_t size, std::size_t element, ByteView fill);
  /// Holds a copy of these bytes.
  WaitingBytes(WaitingSpace& space, std::span<const std::byte> bytes);
  WaitingBytes(WaitingBytes&& other) noexcept { swap(other); }
  WaitingBytes& operator=(WaitingBytes&& other) noexcept {
    WaitingBytes(std::move(other)).swap(*this);
    return *this;
  }
  WaitingBytes(const WaitingBytes&) = delete;
  WaitingBytes& operator=(const WaitingBytes&) = delete;
  ~WaitingBytes();

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool is_whole() const { return written_.covers(0, size_); }
  [[nodiscard]] bool is_in_memory() const { return !memory_.empty(); }

  /// Takes the space that writing [offset, offset + size) needs. Throws Error (io), with nothing
  /// changed. So a call that writes several pieces fails before the first.
  void reserve(std::uint64_t offset, std::uint64_t size);
  /// Throws Error (io); elements that nobody had written are then unchanged.
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Replaces all elements. Those that nobody wrote must be the fill value in `all`, too, so no
  /// space is needed.
  void rewrite(std::span<const std::byte> all);
  /// Makes the last element count as written.
  void write_end();

  void read(std::uint64_t offset, std::span<std::byte> out) const;
  [[nodiscard]] std::vector<std::byte> bytes() const;
  /// Calls each(offset, bytes) for pieces of [offset, offset + size), in ascending order.
  template <class F>
  void for_each_piece(std::uint64_t offset, std::uint64_t size, F&& each) const {
    if (is_in_memory() && written_.covers(offset, offset + size))
      return each(offset, memory_.span().subspan(static_cast<std::size_t>(offset),
                                                 static_cast<std::size_t>(size)));
    Buffer room(static_cast<std::size_t>(std::min(size, kPiece)));
    for (const std::uint64_t end = offset + size; offset != end;) {
      const auto part = room.span().first(static_cast<std::size_t>(std::min(end - offset, kPiece)));
      read(offset, part);
      each(offset, std::span<const std::byte>(part));
      offset += part.size();
    }
  }
  template <class F>
  void for_each_piece(F&& each) const {
    for_each_piece(0, size_, std::forward<F>(each));
  }
  /// The written blocks, which may include fill values, as [start, end) in whole elements.
  [[nodiscard]] const IntervalSet::Intervals& written() const { return written_.intervals(); }

 private:
  static constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;

  void swap(WaitingBytes& other) noexcept;
  [[nodiscard]] std::uint64_t block_before(std::uint64_t offset) const {
    return offset / block_ * block_;
  }
  [[nodiscard]] std::uint64_t block_behind(std::uint64_t offset) const {
    return std::min(size_, round_up(offset, block_));
  }
  /// Calls each(start, end, was_written) for the parts of [start, end).
  template <class F>
  void for_each_part(std::uint64_t start, std::uint64_t end, F&& each) const;
  void put(std::uint64_t offset, std::span<const std::byte> bytes);
  void get(std::uint64_t offset, std::span<std::byte> out) const;
  void put_fill(std::uint64_t start, std::uint64_t end);
  void fill(std::uint64_t offset, std::span<std::byte> out) const;

  WaitingSpace* space_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t block_ = 1;  ///< bytes; whole elements
  std::size_t element_ = 1;
  std::vector<std::byte> fill_;  ///< empty: zeros
  IntervalSet written_;          ///< in whole blocks
  Buffer memory_;
  std::uint64_t place_ = 0;  ///< the offset in the temporary file, unless it is in memory
};

}  // namespace onecast::pages
