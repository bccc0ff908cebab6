#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/round_up.hpp"

/// Memory that C programs free with onecast_free. Each result is one block.
namespace onecast::capi {

/// A table of `count` entries followed by bytes, in one block. Without entries there is no block.
class ReturnedBlock {
 public:
  static std::size_t padded(std::size_t bytes) {
    constexpr std::size_t kUnit = alignof(std::max_align_t);
    return round_up(bytes, kUnit);
  }
  /// @param bytes the number of bytes behind the table. Throws std::bad_alloc.
  ReturnedBlock(std::size_t count, std::size_t entry_size, std::size_t bytes);
  ReturnedBlock(const ReturnedBlock&) = delete;
  ReturnedBlock& operator=(const ReturnedBlock&) = delete;
  ~ReturnedBlock();

  template <class Entry>
  [[nodiscard]] Entry* entries() const {
    return static_cast<Entry*>(block_);
  }
  /// Appends elements, padded to padded() bytes so that the next ones are aligned as by malloc, or
  /// a text with its NUL. A block holds elements or texts, not both.
  const void* put(std::span<const std::byte> elements);
  char* put(std::string_view text);
  /// Passes the block to the caller.
  void* release();

 private:
  void* block_;
  std::byte* end_;
};

char* returned_text(std::string_view text);
char** returned_texts(std::span<const std::string> texts);

}  // namespace onecast::capi
