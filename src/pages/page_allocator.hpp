#pragma once

#include <cstdint>
#include <vector>

#include "base/address.hpp"
#include "format/objects/page_list_message.hpp"

namespace onecast {

/// Gives addresses to metadata and raw data, each in pages of its own, always at the end of the
/// file or in the unused rest of a page. A value: a flush works on a copy and keeps it if all went
/// well. Every rank makes the same calls, so all give the same addresses without talking.
class PageAllocator {
 public:
  /// Of a new file whose page 0 is used up to `used`.
  PageAllocator(std::uint64_t page_size, std::uint64_t used);
  /// Of a file that has this list. Free rests that do not lie where the list says are not used.
  PageAllocator(const PageListMessage& message, std::vector<MetadataPageRun> runs,
                std::uint64_t end);

  /// Metadata: below a page in size it does not straddle a page boundary; else it starts on one and
  /// takes its pages whole.
  Address metadata(std::uint64_t size);
  /// Raw data: from a page of size on it starts on a page boundary.
  Address raw_data(std::uint64_t size);

  [[nodiscard]] std::uint64_t page_size() const { return page_size_; }
  /// The end-of-address: a multiple of the page size.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] const std::vector<MetadataPageRun>& metadata_runs() const { return runs_; }
  [[nodiscard]] Address free_metadata() const { return metadata_.free(); }
  [[nodiscard]] Address free_raw_data() const { return raw_.free(); }

 private:
  /// The unused rest of a page or of several adjacent ones.
  struct Rest {
    std::uint64_t cursor = 0;
    std::uint64_t end = 0;

    [[nodiscard]] Address free() const { return cursor < end ? Address{cursor} : Address{}; }
  };

  std::uint64_t take_pages(std::uint64_t size);
  void add_metadata_pages(std::uint64_t address, std::uint64_t size);
  [[nodiscard]] bool is_metadata_page(std::uint64_t page) const;

  std::uint64_t page_size_;
  std::uint64_t end_;
  std::vector<MetadataPageRun> runs_;
  Rest metadata_;
  Rest raw_;
};

}  // namespace onecast
