#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/round_up.hpp"

/// Memory that C programs give back by onecast_free: one block, whatever it holds.
namespace onecast::capi {

/// A table of `count` entries with bytes behind it, in one block. Without entries there is none.
class ReturnedBlock {
 public:
  static std::size_t padded(std::size_t bytes) {
    constexpr std::size_t kUnit = alignof(std::max_align_t);
    return round_up(bytes, kUnit);
  }
  /// @param bytes behind the table. Throws std::bad_alloc.
  ReturnedBlock(std::size_t count, std::size_t entry_size, std::size_t bytes);
  ReturnedBlock(const ReturnedBlock&) = delete;
  ReturnedBlock& operator=(const ReturnedBlock&) = delete;
  ~ReturnedBlock();

  template <class Entry>
  [[nodiscard]] Entry* entries() const {
    return static_cast<Entry*>(block_);
  }
  /// Puts elements behind what is there, which take padded() bytes, so that the next are aligned as
  /// malloc does; or a text with its NUL. Not both.
  const void* put(std::span<const std::byte> elements);
  char* put(std::string_view text);
  /// It is the caller's now.
  void* release();

 private:
  void* block_;
  std::byte* end_;
};

char* returned_text(std::string_view text);
char** returned_texts(std::span<const std::string> texts);

}  // namespace onecast::capi
