#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

/// Reads a file in which a call takes as long as the transfer of megabytes: small reads fetch a
/// large block, which serves the next reads. If the whole file may stay in memory, blocks grow
/// quickly. Otherwise, a block that serves further reads doubles the size of the next block, and a
/// block that does not makes it smaller. Only one thread uses it at a time.
class ReadAhead {
 public:
  /// Fills all bytes, fewer only at the end of the file; returns the number of bytes read.
  using Read = std::function<std::size_t(std::uint64_t offset, std::span<std::byte> out)>;

  /// Reads at least one byte, unless the file, of `size` bytes, ends there. Returns the number of
  /// bytes read.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out, std::uint64_t size,
                      const Read& read);
  /// Drops the blocks, since the file may have changed.
  void forget();

 private:
  static constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
  static constexpr std::uint64_t kSmallest = kMiB / 16;
  static constexpr std::uint64_t kFirst = 4 * kMiB;
  static constexpr std::uint64_t kLargest = 64 * kMiB;
  static constexpr std::uint64_t kMostInMemory = 4 * kLargest;

  void adapt(std::uint64_t size);
  std::size_t fetch(std::uint64_t offset, std::size_t wanted, std::uint64_t size, const Read& read);

  std::map<std::uint64_t, std::vector<std::byte>> blocks_;  ///< by offset; they do not overlap
  std::uint64_t in_memory_ = 0;
  std::uint64_t next_size_ = kFirst;
  bool served_ = false;  ///< true if a block has served a read since the last block was fetched
};
