#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::collective {

/// Tracks which bytes of a window are present, with one bit for each, so that its size does not
/// depend on the number of pieces.
class Coverage {
 public:
  void reset(std::size_t size) { words_.assign((size + kBits - 1) / kBits, 0); }

  void mark(std::size_t begin, std::size_t length) {
    if (length == 0) return;
    const std::size_t end = begin + length;
    const std::size_t first = begin / kBits;
    const std::size_t last = (end - 1) / kBits;
    const std::uint64_t head = kAll << (begin % kBits);
    const std::uint64_t tail = kAll >> (kBits - 1 - (end - 1) % kBits);
    if (first == last) return void(words_[first] |= head & tail);
    words_[first] |= head;
    for (std::size_t w = first + 1; w < last; ++w) words_[w] = kAll;
    words_[last] |= tail;
  }

  /// Calls `each(begin, end)` for each run of marked bytes.
  template <class F>
  void for_each_run(F&& each) const {
    for (std::size_t begin = next(0, true); begin < words_.size() * kBits;) {
      const std::size_t end = next(begin, false);
      each(begin, end);
      begin = next(end, true);
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};

  /// The first bit from `at` on that is `marked`, or the end.
  [[nodiscard]] std::size_t next(std::size_t at, bool marked) const {
    for (std::size_t w = at / kBits; w < words_.size(); at = ++w * kBits) {
      const std::uint64_t word = (marked ? words_[w] : ~words_[w]) & (kAll << (at % kBits));
      if (word != 0) return w * kBits + static_cast<std::size_t>(std::countr_zero(word));
    }
    return words_.size() * kBits;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace onecast::collective
