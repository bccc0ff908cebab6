#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "pages/block_cache.hpp"
#include "pages/superblock_info.hpp"

namespace onecast::pages {

/// The metadata pages that are read on demand. The seal of a page is compared when an object in it
/// is looked at first. Any number of threads may ask at once.
class CheckedPages {
 public:
  /// Knows no pages.
  CheckedPages() = default;
  /// Knows the pages of a valid list. The seals of pages of more than 64 KiB are not compared:
  /// this would cost more than the checksums of the few objects that are looked at.
  explicit CheckedPages(const PageList& list);

  /// True if the bytes lie in one page, whose seal is right. `blocks` has the pages.
  [[nodiscard]] bool is_sealed(const BlockCache& blocks, Address address,
                               std::uint64_t length) const;

 private:
  enum State : std::uint8_t { unknown, sealed, without_seal };

  struct Run {
    std::uint64_t first_page;
    std::uint64_t page_count;
    std::uint64_t states_at;  ///< the position of the first page in states_
  };

  [[nodiscard]] std::atomic<std::uint8_t>* state_of(std::uint64_t page) const;

  static constexpr std::uint64_t kLargestPage = BlockCache::kSmallestBlock;

  std::uint64_t page_size_ = 0;
  std::vector<Run> runs_;  ///< ascending
  mutable std::vector<std::atomic<std::uint8_t>> states_;
};

}  // namespace onecast::pages
