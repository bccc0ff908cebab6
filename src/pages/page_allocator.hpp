#pragma once

#include <cstdint>
#include <vector>

#include "base/address.hpp"
#include "format/objects/page_list_message.hpp"
#include "pages/free_space.hpp"

namespace onecast {

/// Gives addresses to metadata and raw data, each in pages of its own: where something was given
/// back, in the unused rest of a page, or at the end of the file. A value: a flush works on a copy
/// and keeps it if all went well. Every rank makes the same calls, so all give the same addresses
/// without talking.
class PageAllocator {
 public:
  /// Of a new file whose page 0 is used up to `used`.
  PageAllocator(std::uint64_t page_size, std::uint64_t used);
  /// Of a file that has this list. Free rests that do not lie where the list says are not used.
  PageAllocator(const PageListMessage& message, std::vector<MetadataPageRun> runs,
                std::uint64_t end);

  /// Of a file without a list: new pages lie behind its end.
  static PageAllocator behind(std::uint64_t page_size, std::uint64_t end);

  /// Metadata: it does not straddle a page boundary, nor lie where the page's seal is; if it is too
  /// large for that, it starts on a page boundary and takes its pages whole.
  Address metadata(std::uint64_t size);
  /// Raw data: from a page of size on it starts on a page boundary.
  Address raw_data(std::uint64_t size);
  /// Raw data, one piece close behind the other, whatever its size.
  Address packed_raw_data(std::uint64_t size);

  /// Gives back what was given, or a part of it. Nothing that the file on disk refers to: that may
  /// be given back only when a flush has succeeded that does not. What lies elsewhere in a damaged
  /// file is left alone.
  void free_metadata(Address address, std::uint64_t size);
  void free_raw_data(Address address, std::uint64_t size);

  [[nodiscard]] std::uint64_t page_size() const { return page_size_; }
  /// The end-of-address: a multiple of the page size.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] const std::vector<MetadataPageRun>& metadata_runs() const { return runs_; }
  /// Where pages begin: before, another program put metadata and raw data side by side.
  [[nodiscard]] std::uint64_t pages_start() const { return pages_start_; }
  /// Where the unused rests of pages begin.
  [[nodiscard]] Address free_metadata() const { return metadata_.free(); }
  [[nodiscard]] Address free_raw_data() const { return raw_.free(); }

 private:
  PageAllocator(std::uint64_t page_size, std::uint64_t end, std::vector<MetadataPageRun> runs);

  /// The unused rest of a page or of several adjacent ones.
  struct Rest {
    std::uint64_t cursor = 0;
    std::uint64_t end = 0;

    [[nodiscard]] Address free() const { return cursor < end ? Address{cursor} : Address{}; }
    [[nodiscard]] std::uint64_t size() const { return cursor < end ? end - cursor : 0; }
  };

  std::uint64_t take_pages(std::uint64_t size);
  /// The first address from `start` on where `size` bytes may lie: see metadata() and raw_data().
  /// `seal`: so many bytes at the end of each page are not for them.
  [[nodiscard]] std::uint64_t place(std::uint64_t start, std::uint64_t size,
                                    std::uint64_t seal) const;
  /// A metadata page, from `start` on, without its seal.
  [[nodiscard]] Rest metadata_rest(std::uint64_t start) const;
  static void replace(Rest& rest, const Rest& next, FreeSpace& space);
  void add_metadata_pages(std::uint64_t address, std::uint64_t size);
  [[nodiscard]] bool is_metadata_page(std::uint64_t page) const;
  /// Of a sound file. A damaged one may claim anything.
  [[nodiscard]] bool are_pages(Address address, std::uint64_t size, bool metadata) const;

  std::uint64_t page_size_;
  std::uint64_t end_;
  std::uint64_t pages_start_ = 0;
  std::vector<MetadataPageRun> runs_;
  Rest metadata_;
  Rest raw_;
  FreeSpace free_metadata_;
  FreeSpace free_raw_;
};

}  // namespace onecast
