#pragma once

#include <algorithm>
#include <optional>

#include "base/namespaces.hpp"
#include "format/infra/fixed_array.hpp"
#include "structures/chunks/element_stretch.hpp"

namespace onecast::structures {

/// How the elements of a fixed array are divided into pages.
struct FixedArrayShape {
  static FixedArrayShape of(const FixedArrayHeader& header) {
    const std::uint64_t page = std::uint64_t{1} << header.page_bits;
    return {page, header.max_entries > page ? (header.max_entries - 1) / page + 1 : 0};
  }

  std::uint64_t page_elements = 0;
  std::uint64_t pages = 0;  ///< 0: the elements lie in the data block

  [[nodiscard]] std::uint64_t bitmap_size() const { return (pages + 7) / 8; }
  /// The last page has what is left.
  [[nodiscard]] std::uint64_t elements_of(std::uint64_t page, std::uint64_t max_entries) const {
    return std::min(page_elements, max_entries - page * page_elements);
  }
  /// Bytes from one page to the next.
  [[nodiscard]] std::uint64_t page_stride(std::uint64_t entry_size) const {
    return page_elements * entry_size + ChunkArrayPage::kChecksumSize;
  }
};

/// Reads a fixed array. A copy is cheap and keeps what was decoded; one is for one thread.
class FixedArray {
 public:
  /// Reads the header.
  FixedArray(MetadataSource& source, Address header, bool filtered);

  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] const FixedArrayHeader& header() const { return header_; }
  /// If the header has the address of one.
  const FixedArrayDataBlock& data_block();
  [[nodiscard]] std::uint64_t size() const { return header_.max_entries; }
  [[nodiscard]] const ElementReader& reader() const { return reader_; }
  /// The stretch that element `number`, below size(), is in.
  ElementStretch stretch(std::uint64_t number);

  /// Calls each(address, size) of what it takes in the file.
  template <class F>
  void for_each_block(F&& each) {
    each(address_, FixedArrayHeader::size(source_->file()));
    if (!header_.data_block.is_defined()) return;
    const std::uint64_t pages = shape_.pages * ChunkArrayPage::kChecksumSize;
    each(header_.data_block,
         FixedArrayDataBlock::size(source_->file(), data_block().bitmap_size + pages +
                                                        header_.max_entries * header_.entry_size));
  }

 private:
  MetadataSource* source_;
  Address address_;
  FixedArrayHeader header_;
  ElementReader reader_;
  FixedArrayShape shape_;
  std::optional<FixedArrayDataBlock> data_block_;
};

}  // namespace onecast::structures
